"""Reading a study file: every error names the key and the line it stands on."""

import re
import tomllib
from pathlib import Path
from typing import TypeAlias

from pydantic import ValidationError

from runner.study.model import BY_NAME, BY_STEPS, MISFIT, StudyFile
from store.errors import InputError

Key: TypeAlias = tuple[str | int, ...]

_LONG = re.compile(r'"""|\'\'\'')
_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_PAIR = re.compile(r"\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*=")


def load_study(path: Path) -> StudyFile:
    """The study of a TOML file. Raises InputError with `FILE:LINE: key: what is wrong`."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start + 1} is not UTF-8", where=str(path)) from error
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}", where=str(path)) from error
    try:
        return StudyFile.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        key = first["ctx"]["key"] if first["type"] == MISFIT else _key(first["loc"])
        what = first["msg"].removeprefix("Value error, ").splitlines()[0]
        name = ".".join(str(part) for part in key)
        where = f"{path}:{line_of(text, key)}"
        raise InputError(f"{name}: {what}" if name else what, where=where, fix="docs/RUNNER.md explains every key.") from error


def _key(place: Key) -> Key:
    """Where pydantic found an error, without the words it puts between the file's own."""
    return tuple(part for part in place if part not in ("function-after", "constrained-str", BY_NAME, BY_STEPS))


def line_of(text: str, key: Key) -> int:
    """1-based line on which `key` stands, or the innermost table or key around it that does; 1 when none does."""
    found = positions(text)
    return next((found[key[:end]] for end in range(len(key), 0, -1) if key[:end] in found), 1)


def positions(text: str) -> dict[Key, int]:
    """Line of every table header and of every key at the start of a line; list items of tables carry their number.

    Lines inside a text of several lines are none.
    """
    found: dict[Key, int] = {}
    table: Key = ()
    counts: dict[Key, int] = {}
    inside = False
    for number, line in enumerate(text.split("\n"), start=1):
        was_inside, inside = inside, inside ^ (len(_LONG.findall(line)) % 2 == 1)
        if was_inside:
            continue
        if header := _HEADER.match(line):
            names = _names(header.group(2))
            if header.group(1) == "[[":
                index = counts.get(names, -1) + 1
                counts[names] = index
                table = (*names, index)
            else:
                table = _numbered(names, counts)
            found.setdefault(table, number)
        elif pair := _PAIR.match(line):
            found.setdefault((*table, *_names(pair.group(1))), number)
    return found


def _numbered(names: Key, counts: dict[Key, int]) -> Key:
    """A table below the last item of a list of tables belongs to that item."""
    for end in range(len(names), 0, -1):
        if names[:end] in counts:
            return (*names[:end], counts[names[:end]], *names[end:])
    return names


def _names(dotted: str) -> Key:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
