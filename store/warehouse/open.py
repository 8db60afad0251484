"""Opening the DuckDB file for reading: a fresh in-memory DuckDB with the file attached read-only.

`duckdb.connect(path)` would return the process's old instance after the file was replaced, and
would hold a lock that ingest meets. An attached file does neither.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import duckdb
import pandas as pd
from pydantic import TypeAdapter

from store.errors import StoreError, StoreMissingError
from store.warehouse.build import SCHEMA_VERSION
from store.warehouse.sql import statement

Parameter = str | int | list[str] | None
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class FileKey:
    """Identity of the file on disk; it changes with every ingest, so caches key on it."""

    path: str
    inode: int
    mtime_ns: int
    size: int


@dataclass(frozen=True, slots=True)
class Warehouse:
    """One opened generation of the file. Safe to share between threads: every query takes its own cursor."""

    _root: duckdb.DuckDBPyConnection

    def frame(self, name: str, **parameters: Parameter) -> pd.DataFrame:
        """Rows of `store/sql/read/<name>.sql` as a data frame, columns as the file documents them."""
        with _reading(name), self._root.cursor() as cursor:
            return cursor.execute(statement(f"read/{name}"), parameters).df()

    def records(self, name: str, kind: type[Row], **parameters: Parameter) -> tuple[Row, ...]:
        """Rows of `store/sql/read/<name>.sql` as `kind`, a dataclass whose fields are the file's columns.

        Raises pydantic's ValidationError where a column does not fit its field: the file and the code disagree.
        """
        with _reading(name), self._root.cursor() as cursor:
            cursor.execute(statement(f"read/{name}"), parameters)
            columns = [column[0] for column in cursor.description or ()]
            found = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
        return tuple(TypeAdapter(list[kind]).validate_python(found))  # type: ignore[valid-type]

    def close(self) -> None:
        """Release the file."""
        self._root.close()


@contextmanager
def _reading(name: str) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise StoreError(f"the DuckDB file cannot answer {name} ({reason})", fix="Run `flipbook rebuild`.") from error


def file_key(path: Path) -> FileKey:
    """Key of the file at `path`. Raises StoreMissingError when there is none."""
    try:
        stat = path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        if any((path.parent / "sealed").glob("*/*")):
            fix = "Run `flipbook rebuild`; the sealed bundles are there."
            raise StoreError("the DuckDB file is missing", where=str(path.parent), fix=fix) from error
        raise StoreMissingError(
            "no study has been ingested here yet",
            where=str(path.parent),
            fix="Run `flipbook demo --load-only` for the bundled studies, or `flipbook ingest PATH --study NAME`.",
        ) from error
    return FileKey(str(path), stat.st_ino, stat.st_mtime_ns, stat.st_size)


@dataclass(frozen=True, slots=True)
class Built:
    """A bundle as the DuckDB file knows it."""

    study: str
    content_digest: str
    generation: int


def built_from(path: Path) -> set[tuple[str, str, int | None]]:
    """(study, content digest, generation) of every bundle the file was built from; empty when it cannot be read."""
    try:
        warehouse = open_warehouse(path)
    except StoreError:
        return set()
    try:
        return {(b.study, b.content_digest, b.generation) for b in warehouse.records("bundle_digests", Built)}
    except StoreError:
        return set()
    finally:
        warehouse.close()


def open_warehouse(path: Path, fresh: Path | None = None) -> Warehouse:
    """Open the file read-only, with a second one as `fresh` for comparison.

    Raises StoreMissingError without one, StoreError on one that cannot be read.
    """
    file_key(path)
    root = duckdb.connect()
    try:
        root.execute("ATTACH ? AS w (READ_ONLY)", [str(path)])
        if fresh is not None:
            root.execute("ATTACH ? AS fresh (READ_ONLY)", [str(fresh)])
        version = root.execute(statement("read/meta")).fetchone()
    except duckdb.Error as error:
        root.close()
        raise StoreError(
            f"the DuckDB file cannot be read ({str(error).splitlines()[0]})",
            where=str(path),
            fix="Run `flipbook rebuild`; it is built anew from the sealed bundles.",
        ) from error
    if version is None or version[0] != SCHEMA_VERSION:
        root.close()
        raise StoreError("built by another version", where=str(path), fix="Run `flipbook rebuild`.")
    return Warehouse(root)
