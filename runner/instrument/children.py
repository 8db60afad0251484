"""Noticing that a process of the engine died: vLLM's client can wait for ever for an answer of a dead one."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType
from typing import NoReturn

from .caches import group

POLL_S = 1.0
GRACE_S = 5.0
"""The engine's own error, which says more, comes first where it comes at all."""


def watch_children(prefix: str) -> None:
    """From now on, RuntimeError in the main thread when a process of our group whose name begins with `prefix` ends.

    To be called in the main thread, which may be waiting for a lock: a real signal wakes it.
    """
    alive = {pid: name for pid in group() if (name := _name(pid)) is not None and name.startswith(prefix)}
    main, dead = threading.main_thread().ident, Dead()
    signal.signal(signal.SIGUSR2, dead.raised)

    def watch() -> None:
        while not (gone := [name for pid, name in alive.items() if _name(pid) is None]):
            time.sleep(POLL_S)
        time.sleep(GRACE_S)
        dead.name = gone[0]
        if main is not None:
            signal.pthread_kill(main, signal.SIGUSR2)

    if alive:
        threading.Thread(target=watch, daemon=True, name="children").start()


class Dead:
    """Which process ended."""

    name = ""

    def raised(self, number: int, frame: FrameType | None) -> NoReturn:
        """The signal's handler."""
        raise RuntimeError(f"the engine's process {self.name} ended")


def _name(pid: int) -> str | None:
    """A process' name; null when it is gone or a zombie."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            said: dict[str, str] = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    except OSError:
        return None
    return None if said.get("State", "Z").startswith(("Z", "X")) else said.get("Name")
