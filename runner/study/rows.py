"""Rows of a question file: JSON lines, CSV or Parquet, each with the place it stands at."""

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pyarrow as pa
from pyarrow import parquet

from store.contract.base import Json
from store.errors import InputError


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `where` is `file:line`, or `file: row n` in Parquet, counted from 1. Numbers are texts as written."""

    where: str
    values: dict[str, Json]


def read_rows(path: Path, data: bytes) -> Iterator[Row]:
    """The rows in `data`, in order; blank lines are none. The name's ending says the format.

    Raises InputError with the place at the first line that cannot be read, or for another ending.
    """
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError("is no question file", where=str(path), fix=f"Known endings: {', '.join(READERS)}.")
    return reader(str(path), data)


def _json_lines(name: str, data: bytes) -> Iterator[Row]:
    """Split at line feeds alone: other separators may stand inside a JSON string."""
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            value = json.loads(
                line.decode("utf-8"),
                parse_int=str,
                parse_float=str,
                parse_constant=_no_number,
                object_pairs_hook=_each_key_once,
            )
        except (ValueError, RecursionError) as error:
            raise InputError(f"not a line of JSON: {error}", where=where) from error
        if not isinstance(value, dict):
            raise InputError("not a JSON object", where=where)
        yield Row(where, value)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def _each_key_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a key stands twice")
    return values


def _csv(name: str, data: bytes) -> Iterator[Row]:
    """A line of names, then rows of as many fields; an empty field is null. A row's line is the one it begins on."""
    csv.field_size_limit(sys.maxsize)
    try:
        reader = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start + 1} is not UTF-8", where=name) from error
    header: list[str] | None = None
    line = 1
    while (fields := _fields(reader, f"{name}:{line}")) is not None:
        if header is None:
            header = _header(fields, f"{name}:{line}")
        elif fields:
            if len(fields) != len(header):
                raise InputError(f"{len(fields)} fields, the header has {len(header)}", where=f"{name}:{line}")
            yield Row(f"{name}:{line}", {key: value or None for key, value in zip(header, fields, strict=True)})
        line = reader.line_num + 1


def _fields(reader: Iterator[list[str]], where: str) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error as error:
        raise InputError(f"not a line of CSV: {error}", where=where) from error


def _header(fields: list[str], where: str) -> list[str]:
    if twice := next((name for name in fields if fields.count(name) > 1), None):
        raise InputError(f"two columns have the name {twice!r}", where=where)
    return fields


def _parquet(name: str, data: bytes) -> Iterator[Row]:
    try:
        table = parquet.read_table(pa.BufferReader(data))
        table.validate(full=True)  # also that texts are UTF-8
        rows = table.to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        first = next(iter(str(error).splitlines()), "")
        raise InputError(f"not a Parquet file that can be read: {first}", where=name) from error
    for number, row in enumerate(rows, start=1):
        yield Row(f"{name}: row {number}", {key: _as_written(value) for key, value in row.items()})


def _as_written(value: Json) -> Json:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


READERS: dict[str, Callable[[str, bytes], Iterator[Row]]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _csv,
    ".parquet": _parquet,
}
"""By ending of the file's name."""
