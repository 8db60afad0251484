"""What lies in the cache folders of this deployment, which of it was used, and how much memory its processes took."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from .job import Json
from .lines import Lines

LONG_AGO = 1
"""Access time given to files, so that a later one shows a read."""
PIECE = 1 << 20


class Caches:
    """The cache folders below `base`, looked at before the engine starts, after its warm-up and at its end."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._times_kept = _times_kept(base)
        self._read: set[str] = set()
        self._mapped: set[str] = set()

    def note(self, when: str, lines: Lines) -> None:
        """One `manifest` line: every file, and what was read or mapped so far (read: null where that cannot be seen)."""
        if when != "before":
            self._read.update(self._below(path) for path in self._files() if os.stat(path).st_atime > LONG_AGO)
            self._mapped.update(self._mapped_now())
        files: list[list[Json]] = [[self._below(p), os.path.getsize(p), sha256(p)] for p in self._files()]
        for path in self._files():  # hashing read them all
            os.utime(path, (LONG_AGO, os.path.getmtime(path)))
        read = sorted(self._read) if self._times_kept else None
        lines.write({"kind": "manifest", "when": when, "files": files, "read": read, "mapped": sorted(self._mapped)})

    def _files(self) -> list[str]:
        walked = os.walk(self._base, followlinks=True)
        return sorted(p for folder, _, names in walked for p in (os.path.join(folder, n) for n in names) if os.path.isfile(p))

    def _below(self, path: str) -> str:
        return os.path.relpath(path, self._base)

    def _mapped_now(self) -> Iterator[str]:
        by_real = {os.path.realpath(path): self._below(path) for path in self._files()}
        for pid in group():
            for line in _proc(pid, "maps"):
                name = by_real.get(line.split(maxsplit=5)[-1].strip())
                if name is not None:
                    yield name


def sha256(path: str) -> str:
    """Hex digest of a file's bytes."""
    whole = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            whole.update(piece)
    return whole.hexdigest()


def peak_resident_bytes() -> int | None:
    """Sum of the peak resident memory of every process of our group; null where /proc does not say."""
    said = (int(line.split()[1]) for pid in group() for line in _proc(pid, "status") if line.startswith("VmHWM:"))
    return sum(said) * 1024 or None


def group() -> list[int]:
    """Ids of the processes of our process group, where /proc tells."""
    ours, found = os.getpgrp(), []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        try:
            if name.isdigit() and os.getpgid(int(name)) == ours:
                found.append(int(name))
        except OSError:  # ended in between
            continue
    return found


def _proc(pid: int, name: str) -> list[str]:
    try:
        with open(f"/proc/{pid}/{name}", encoding="utf-8", errors="replace") as file:
            return file.readlines()
    except OSError:  # ended in between
        return []


def _times_kept(base: str) -> bool:
    probe = os.path.join(base, ".access-time")
    with open(probe, "w", encoding="ascii") as file:
        file.write("x")
    os.utime(probe, (LONG_AGO, os.path.getmtime(probe)))
    with open(probe, encoding="ascii") as file:
        file.read()
    kept = os.stat(probe).st_atime > LONG_AGO
    os.unlink(probe)
    return kept
