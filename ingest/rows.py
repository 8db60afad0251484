"""Reading one member as rows. A bad line is a value, not an exception; a bad file is an InputError."""

import csv
import io
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn, cast

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.detect import Content
from ingest.members import Member
from store.contract.base import Json
from store.errors import InputError

DELIMITERS = ",\t;|"


@dataclass(frozen=True, slots=True)
class Row:
    """One row. line: 1-based line in text files, 1-based record number in JSON and Parquet."""

    line: int
    values: dict[str, Json]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A line that is no row: why, and what stands there."""

    line: int
    reason: str
    raw: str


def read_rows(member: Member, records_path: str | None) -> Iterator[Row | BadRow]:
    """Rows of a member. `records_path` names the list inside a JSON document, null for the document itself.

    Text is UTF-8. Lines of JSON end at a line feed and nowhere else, so that U+2028 or U+0085 inside
    a record stays inside it. NaN and infinity are not JSON and make a bad row.
    """
    match member.content:
        case Content.CSV:
            return _csv(member)
        case Content.PARQUET:
            return _parquet(member)
        case Content.JSON:
            return _json(member, records_path)
        case _:
            return _json_or_lines(member, records_path)


def _csv(member: Member) -> Iterator[Row | BadRow]:
    csv.field_size_limit(sys.maxsize)
    text = io.TextIOWrapper(member.stream, encoding="utf-8-sig", errors="surrogateescape", newline="")
    header_line = text.readline()
    delimiter = max(DELIMITERS, key=header_line.count)
    header = next(csv.reader([header_line], delimiter=delimiter), [])
    twice = sorted({name for name in header if name and header.count(name) > 1})
    if twice:
        raise InputError(f"columns named twice: {', '.join(twice)}", where=member.name, fix="Rename one of them.")
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    start = 2
    found = False
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            yield BadRow(start, f"not CSV: {error} (lines {start} to {reader.line_num + 1} are taken as one record)", "")
            start = reader.line_num + 2
            continue
        found = True
        if len(fields) == len(header):
            yield Row(start, dict(zip(header, fields, strict=True)))
        elif fields:
            yield BadRow(start, f"{len(fields)} fields where the header has {len(header)}", delimiter.join(fields))
        start = reader.line_num + 2
    if not found:
        raise InputError("there is a header and no row", where=member.name, fix="Leave the file out, or fetch it again.")


def _parquet(member: Member) -> Iterator[Row | BadRow]:
    try:
        file = pq.ParquetFile(io.BytesIO(member.stream.read()))
        names = file.schema_arrow.names
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise InputError(f"columns named twice: {', '.join(twice)}", where=member.name, fix="Rename one of them.")
        line = 0
        for batch in file.iter_batches(batch_size=2_048):
            for values in batch.to_pylist():
                line += 1
                yield _parquet_row(line, values)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"not a whole Parquet file: {error}", where=member.name, fix="Fetch it again.") from error


def _parquet_row(line: int, values: dict[str, object]) -> Row | BadRow:
    try:
        return Row(line, {name: _plain(value) for name, value in values.items()})
    except UnicodeDecodeError:
        return BadRow(line, "a column holds bytes that are not UTF-8", repr(values))


def _json(member: Member, records_path: str | None) -> Iterator[Row | BadRow]:
    try:
        document = _loads(member.stream.read())
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"not whole JSON: {error}", where=member.name, fix="Fetch it again, or split it into lines."
        ) from error
    records = document if records_path is None else _inside(document, records_path, member.name)
    if not isinstance(records, list):
        raise InputError(
            f"expected a list of records, found {_kind(records)}",
            where=member.name,
            fix='Say where the list is: [files] records = "…".',
        )
    for number, record in enumerate(records, start=1):
        if isinstance(record, dict):
            yield Row(number, record)
        else:
            yield BadRow(number, f"expected an object, found {_kind(record)}", json.dumps(record)[:2_000])


def _json_or_lines(member: Member, records_path: str | None) -> Iterator[Row | BadRow]:
    """A document that begins with `{`: lines of objects, or one object that holds the list of records."""
    if records_path is not None:
        yield from _json(member, records_path)
        return
    for number, raw in enumerate(member.stream, start=1):
        line = raw.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n")
        if not line:
            continue
        try:
            value = _loads(line)
        except (ValueError, RecursionError) as error:
            yield BadRow(number, f"not JSON: {error}", line.decode("utf-8", "replace"))
            continue
        if isinstance(value, dict):
            yield Row(number, value)
        else:
            yield BadRow(number, f"expected an object, found {_kind(value)}", line.decode("utf-8", "replace"))


def _loads(data: bytes) -> Json:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start + 1} is not UTF-8") from error
    return cast(Json, json.loads(text, parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_once))


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits[:20]} is too large for a number")
    return value


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _inside(document: Json, path: str, name: str) -> Json:
    here = document
    for part in path.split("."):
        if not isinstance(here, dict) or part not in here:
            keys = ", ".join(here) if isinstance(here, dict) else _kind(here)
            raise InputError(f"[files] records = {path!r} is not in the document; found here: {keys}", where=name)
        here = here[part]
    return here


def _plain(value: object) -> Json:
    """A Parquet value as JSON. NaN stands for "missing" in files written by pandas and becomes null."""
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _kind(value: Json) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
