"""One process group per deployment: started, watched, and gone when it is over."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

POLL_S = 0.2
GONE_S = 20
HELLO = b"flipbook\n"
"""Arms the instrument's lifeline: from then on the end of its standard input ends it."""


@dataclass(frozen=True, slots=True)
class Silence:
    """How long a process may write no line: while its engine starts, and afterwards."""

    start_s: float
    answer_s: float


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended. `why` is empty when it ended by itself, whatever its exit code says."""

    code: int
    why: str


def run_process(
    command: Sequence[str], log: Path, lines: Path, silence: Silence, stop: Event, on_growth: Callable[[], str]
) -> Ended:
    """Run `command` in a group of its own until it ends, falls silent or `stop` is set; nothing of it is left behind.

    `log` takes its standard output and error. `on_growth` is called whenever `lines` grew and gives the present
    phase. Raises OSError when the command cannot be started.
    """
    theirs, ours = os.pipe()
    try:
        os.write(ours, HELLO)  # before it starts, so that it never runs without a lifeline
        try:
            with log.open("ab") as out:
                process = subprocess.Popen(command, stdin=theirs, stdout=out, stderr=out, start_new_session=True)
        finally:
            os.close(theirs)
        try:
            why = _watch(process, lines, silence, stop, on_growth)
        finally:
            end_group(process.pid)
            process.wait()
    finally:
        os.close(ours)
    on_growth()
    return Ended(process.returncode, why)


def _watch(process: "subprocess.Popen[bytes]", lines: Path, silence: Silence, stop: Event, on_growth: Callable[[], str]) -> str:
    size, since, phase = 0, time.monotonic(), ""
    while process.poll() is None:
        if stop.wait(POLL_S):
            return "the runner was told to stop"
        grown = lines.stat().st_size if lines.exists() else 0
        if grown != size:
            size, since, phase = grown, time.monotonic(), on_growth()
        limit = silence.start_s if phase in ("", "retrieve", "start", "warm-up") else silence.answer_s
        if time.monotonic() - since > limit:
            return f"no line for {limit:g} s in phase {phase or 'launch'}"
    return ""


def end_group(group: int) -> None:
    """Kill what is left of a process group and wait until it is gone."""
    for _ in range(int(GONE_S / POLL_S)):
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            return
        if not _members(group):
            return
        time.sleep(POLL_S)


def _members(group: int) -> list[int]:
    """Processes of a group that still run, zombies aside; empty where /proc does not tell."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, pgrp = entry.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue  # ended in between
        if int(pgrp) == group and state != "Z":
            found.append(int(entry.parent.name))
    return found
