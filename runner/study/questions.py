"""The questions of a study, read from the file that its study file pins."""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from runner.study.rows import Row, read_rows
from runner.study.source import Questions
from store.contract.base import Json
from store.errors import InputError
from store.sealed.rows import Question

ROW = "row"
"""The id column that stands for none: ids are then q000000, q000001, …"""
MAX_ID = 512
"""Characters of an id, as records hold it."""


def question_file(part: Questions, folder: Path) -> Path | None:
    """Where the question file lies, `folder` being the study file's.

    A local file need not exist. A hub file is looked for in the hub's cache, never fetched; null when no snapshot,
    or more than one, of its revision holds it.
    """
    if part.hub is None or part.path is None:
        return folder / (part.file or "")
    snapshots = hub_cache() / f"datasets--{part.hub.replace('/', '--')}" / "snapshots"
    found = [file for at in snapshots.glob(f"{part.revision}*") if (file := at / part.path).is_file()]
    return found[0] if len(found) == 1 else None


def hub_cache() -> Path:
    """The folder that huggingface_hub downloads to, by the variables it reads."""
    if cache := os.environ.get("HF_HUB_CACHE"):
        return Path(cache).expanduser()
    home = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"
    return Path(home).expanduser() / "hub"


def load_questions(part: Questions, path: Path) -> tuple[Question, ...]:
    """The questions in `path`, in the file's order: the local file, or the hub file as fetched.

    Gold and category may be null in a row, id and text never; nothing may be blank. Raises InputError when the file
    cannot be read, has another sha256 than the study file says or holds no question, and with the file and line of
    the first row that is off: no such column, an id met before, a gold that `gold_pattern` does not find.
    """
    data = _bytes(path)
    found = hashlib.sha256(data).hexdigest()
    if part.sha256 not in (None, found):
        raise InputError(f"its sha256 is {found}, the study file says {part.sha256}", where=str(path))
    questions = tuple(_questions(part, path, data))
    if not questions:
        raise InputError("holds no question", where=str(path))
    return questions


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path)) from error


def _questions(part: Questions, path: Path, data: bytes) -> Iterator[Question]:
    met: dict[str, str] = {}
    for number, row in enumerate(read_rows(path, data)):
        question = Question(
            question_id=f"q{number:06d}" if part.id == ROW else _said(row, part.id),
            gold=_gold(row, part),
            category=None if part.category is None else _text(row, part.category),
            text=_said(row, part.text),
        )
        if len(question.question_id) > MAX_ID:
            raise InputError(f"an id of {len(question.question_id)} characters; {MAX_ID} is the most", where=row.where)
        if first := met.get(question.question_id):
            raise InputError(f"id {question.question_id!r} is also at {first}", where=row.where)
        met[question.question_id] = row.where
        yield question


def _gold(row: Row, part: Questions) -> str | None:
    whole = _text(row, part.gold)
    if whole is None or part.gold_pattern is None:
        return whole
    match = re.search(part.gold_pattern, whole)
    gold = "" if match is None else (match.group(1) or "").strip()
    if not gold:
        raise InputError(f"gold_pattern finds nothing in {part.gold!r}: {whole[-60:]!r}", where=row.where)
    return gold


def _said(row: Row, column: str) -> str:
    text = _text(row, column)
    if text is None:
        raise InputError(f"{column!r} is null", where=row.where)
    return text


def _text(row: Row, column: str) -> str | None:
    """Raises InputError where the column is not there or holds what is no text."""
    if column not in row.values:
        raise InputError(f"no column {column!r}", where=row.where, fix=f"It has: {', '.join(row.values)}.")
    value = row.values[column]
    if value is None:
        return None
    return _checked(value, row, column)


def _checked(value: Json, row: Row, column: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{column!r} is neither text nor a number", where=row.where)
    if not value.strip():
        raise InputError(f"{column!r} is blank", where=row.where)
    if lone := re.search("[\ud800-\udfff]", value):
        raise InputError(f"{column!r} has half a character (U+{ord(lone.group()):04X})", where=row.where)
    return value
