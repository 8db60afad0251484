"""Opening the DuckDB file for reading: a fresh in-memory DuckDB with the file attached read-only.

`duckdb.connect(path)` would return the process's old instance after the file was replaced, and
would hold a lock that ingest meets. An attached file does neither.
"""

from dataclasses import dataclass
from pathlib import Path

import duckdb
import pandas as pd

from store.errors import StoreError, StoreMissingError
from store.warehouse.build import SCHEMA_VERSION
from store.warehouse.sql import statement

Parameter = str | int | None


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
        with self._root.cursor() as cursor:
            return cursor.execute(statement(f"read/{name}"), parameters).df()

    def rows(self, name: str, **parameters: Parameter) -> list[tuple[object, ...]]:
        """Rows of `store/sql/read/<name>.sql` as tuples of Python values."""
        with self._root.cursor() as cursor:
            return cursor.execute(statement(f"read/{name}"), parameters).fetchall()

    def close(self) -> None:
        """Release the file."""
        self._root.close()


def file_key(path: Path) -> FileKey:
    """Key of the file at `path`. Raises StoreMissingError when there is none."""
    try:
        stat = path.stat()
    except FileNotFoundError as error:
        raise StoreMissingError(
            "no study has been ingested here yet",
            where=str(path.parent),
            fix="Run `flipbook demo --load-only` for the bundled studies, or `flipbook ingest PATH --study NAME`.",
        ) from error
    return FileKey(str(path), stat.st_ino, stat.st_mtime_ns, stat.st_size)


def open_warehouse(path: Path) -> Warehouse:
    """Open the file read-only. Raises StoreMissingError without one, StoreError on one that cannot be read."""
    file_key(path)
    root = duckdb.connect()
    try:
        root.execute("ATTACH ? AS w (READ_ONLY)", [str(path)])
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
