"""A harness command in a process group of its own, its output on the terminal and in a log."""

import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO

from runner.deploy.process import POLL_S, Ended, end_group
from runner.record import guard

PIECE = 1 << 16
LAST_WORDS_S = 5
STOPPED = "the runner was told to stop"


def run_command(command: Sequence[str], environment: Mapping[str, str], log: Path, stop: threading.Event) -> Ended:
    """Run a command until it ends or `stop` is set; nothing of its process group is left behind, also when we are killed.

    Its standard output and error go to ours, as they come, and both to `log`. Its standard input is empty. Raises
    OSError when the log cannot be written to its end: the command is then over all the same.
    """
    with log.open("ab") as kept:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            start_new_session=True,
        )
        assert process.stdin is not None
        tees = _tees(process, kept)
        try:
            why = _wait(process, stop)
        finally:
            process.stdin.close()  # whatever happened: the guard ends the group
            _let_go(process)
            for tee in tees:
                tee.join()
    if error := next((tee.error for tee in tees if tee.error), None):
        raise error
    return Ended(process.returncode, why)


@dataclass(slots=True)
class _Tee:
    """Copies a pipe to a terminal as it comes, and to a log by lines, so that those of two pipes do not mix.

    A terminal that is gone or a full disk does not stop the command.
    """

    pipe: IO[bytes]
    log: BinaryIO
    terminal: BinaryIO
    lock: threading.Lock
    error: OSError | None = None
    _given_up: bool = False
    _thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait for the last words; not for ever, since a process that left the group may hold the pipe."""
        self._thread.join(LAST_WORDS_S)
        with self.lock:
            self._given_up = True

    def _copy(self) -> None:
        shown, rest = True, b""
        while piece := os.read(self.pipe.fileno(), PIECE):
            rest += piece
            end = max(rest.rfind(b"\n"), rest.rfind(b"\r")) + 1
            self._keep(rest[:end])
            rest = rest[end:]
            try:
                if shown:
                    self.terminal.write(piece)
                    self.terminal.flush()
            except OSError:
                shown = False
        self._keep(rest)
        self.pipe.close()

    def _keep(self, lines: bytes) -> None:
        with self.lock:
            if self._given_up:
                return  # the log is closed
            try:
                self.log.write(lines)
                self.log.flush()
            except OSError as error:
                self.error = self.error or error


def _tees(process: "subprocess.Popen[bytes]", log: BinaryIO) -> tuple[_Tee, _Tee]:
    assert process.stdout is not None
    assert process.stderr is not None
    lock = threading.Lock()
    return (
        _Tee(process.stdout, log, sys.stdout.buffer, lock),
        _Tee(process.stderr, log, sys.stderr.buffer, lock),
    )


def _wait(process: "subprocess.Popen[bytes]", stop: threading.Event) -> str:
    while process.poll() is None:
        if stop.wait(POLL_S):
            return STOPPED
    return ""


def _let_go(process: "subprocess.Popen[bytes]") -> None:
    with suppress(subprocess.TimeoutExpired):  # a guard that hangs; the group is ended below
        process.wait(guard.GRACE_S + LAST_WORDS_S)
    end_group(process.pid)
    process.wait()
