"""Tables as files: CSV in which no cell acts as a formula, and Parquet with every value as it is."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from dashboard.components.save import Saves

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def table_saves(name: str, what: str, columns: Sequence[str], rows: Callable[[], Sequence[Mapping[str, object]]]) -> Saves:
    """Two buttons; rows are asked for, and the file made, when one is pressed."""
    forms = {"CSV": lambda: csv_bytes(columns, rows()), "Parquet": lambda: parquet_bytes(columns, rows())}
    return Saves(name, what, forms)


def csv_bytes(columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> bytes:
    """UTF-8 with a byte order mark, so that spreadsheets read it as such; what could act as a formula gets a `'` before it."""
    names, out = _names(columns, rows), io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_tame(name) for name in names])
    writer.writerows([_tame(row.get(name)) for name in names] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def parquet_bytes(columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> bytes:
    """Values untouched; what is unknown is null."""
    frame = pd.DataFrame({name: pd.Series([row.get(name) for row in rows], dtype=object) for name in _names(columns, rows)})
    out = io.BytesIO()
    for column in frame.columns:
        if len({type(value) for value in frame[column] if value is not None} - {int, float}) > 0:
            frame[column] = [None if value is None else str(value) for value in frame[column]]
    frame.to_parquet(out, index=False)
    return out.getvalue()


def _names(columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Every column that some row has, in the order they first stand in."""
    return list(dict.fromkeys(name for row in rows for name in row)) or list(columns)


def _tame(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
