"""The one file an instrument writes: a JSON object per line, on disk before the next request is asked."""

from __future__ import annotations

import json
import os
import time

from .job import Json


class Lines:
    """Appends lines; each carries both clocks. Raises OSError when the disk is full."""

    def __init__(self, path: str) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def write(self, line: dict[str, Json]) -> None:
        """Append one line and force it to disk, whole or not at all: a part would spoil the line after it."""
        stamped = {**line, "unix_s": time.time(), "monotonic_s": time.monotonic()}
        data = json.dumps(stamped, separators=(",", ":"), default=str).encode() + b"\n"
        end = os.fstat(self._fd).st_size
        try:
            while data:
                data = data[os.write(self._fd, data) :]
            os.fsync(self._fd)
        except OSError:
            os.ftruncate(self._fd, end)
            raise
