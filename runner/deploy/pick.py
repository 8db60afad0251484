"""Reaching into JSON without trusting its shape."""

import hashlib
import os
import secrets
from pathlib import Path

from store.contract.base import Json

SALT = "flipbook/salt"


def at(value: Json, *path: str | int) -> Json:
    """The value at a path; null where any part of it is missing."""
    for part in path:
        if isinstance(value, dict) and isinstance(part, str):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and -len(value) <= part < len(value):
            value = value[part]
        else:
            return None
    return value


def text_at(value: Json, *path: str | int) -> str | None:
    """A text at a path; null for anything else."""
    found = at(value, *path)
    return found if isinstance(found, str) else None


def int_at(value: Json, *path: str | int) -> int | None:
    """A whole number at a path; null for anything else."""
    found = at(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def bool_at(value: Json, *path: str | int) -> bool | None:
    """True or false at a path; null for anything else."""
    found = at(value, *path)
    return found if isinstance(found, bool) else None


def salted(text: str) -> str:
    """Short salted hash of a card's or a host's name: equal here for equal names, and not to be turned back.

    The salt is made once per user and machine, outside every study.
    """
    path = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / SALT
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(secrets.token_hex(32), encoding="ascii")
    return hashlib.sha256(f"{path.read_text(encoding='ascii')}\x1f{text}".encode()).hexdigest()[:16]
