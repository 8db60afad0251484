"""The process that draws: one for the server, started when first needed and again after it ended."""

import atexit
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Literal

import altair as alt

from store.contract.base import Json
from store.errors import FlipbookError

Form = Literal["svg", "png"]

SECONDS = 60
"""What drawing one picture may take."""

_VERSION = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])


class Draughtsman:
    """Draws one picture at a time; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def draw(self, spec: dict[str, Json], form: Form, seconds: float = SECONDS) -> bytes:
        """The picture. Raises FlipbookError when it cannot be drawn, or not in `seconds`."""
        request = json.dumps({"form": form, "version": _VERSION, "spec": spec}).encode() + b"\n"
        with self._lock:
            process, (to, back) = self._running()
            clock = threading.Timer(seconds, process.kill)
            clock.start()
            try:
                to.write(request)
                to.flush()
                size = int.from_bytes(back.read(8))
                made = back.read(size)
            except OSError:
                made = b""
            finally:
                clock.cancel()
            if not made or len(made) != size:
                self._end()
                raise FlipbookError("the chart could not be drawn", fix="Save the table beside it instead.")
            return made

    def start(self) -> None:
        """Start the process, so that the first picture need not wait for it."""
        with self._lock:
            self._running()

    def close(self) -> None:
        """End the process; the next picture starts another."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _running(self) -> tuple[subprocess.Popen[bytes], tuple[IO[bytes], IO[bytes]]]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            command = [sys.executable, str(Path(__file__).with_name("convert.py"))]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
            )
        to, back = self._process.stdin, self._process.stdout
        if to is None or back is None:
            raise RuntimeError("the process was started without its pipes")
        return self._process, (to, back)


DRAUGHTSMAN = Draughtsman()
"""The server's."""

atexit.register(DRAUGHTSMAN.close)
