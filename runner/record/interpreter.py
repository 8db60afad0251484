"""Which Python a command runs in."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PYTHON = re.compile(r"python(\d+(\.\d+)?)?")
TRAMPOLINE = re.compile(rb"#!/bin/sh\n'''exec' \"?([^\"\n]+?)\"? \"\$0\" \"\$@\"")
"""How installers start a script whose Python has too long a path for `#!`."""
HEAD = 4096


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python, and how it was found."""

    path: str
    how: str


def interpreter_of(command: Sequence[str]) -> Interpreter:
    """The Python of a command: the command itself when it is one, else the one its script names, else `python3`.

    What a wrapper (`srun`, `docker run`) starts is not seen; `--python` names it.
    """
    found = shutil.which(command[0])
    if found is not None:
        if PYTHON.fullmatch(Path(found).name):
            return Interpreter(found, "the command itself")
        if named := _named_in(Path(found)):
            return Interpreter(named, f"named in {found}")
    return Interpreter(shutil.which("python3") or "python3", f"the first python3, since {command[0]} names none")


def _named_in(script: Path) -> str | None:
    with script.open("rb") as file:
        head = file.read(HEAD)
    if trampoline := TRAMPOLINE.match(head):
        return trampoline.group(1).decode(errors="surrogateescape")
    if not head.startswith(b"#!"):
        return None
    words = head[2:].partition(b"\n")[0].decode(errors="surrogateescape").split()
    if words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if not words or not PYTHON.fullmatch(Path(words[0]).name):
        return None
    return shutil.which(words[0]) or words[0]
