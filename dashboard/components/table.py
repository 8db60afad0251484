"""The table of every page: sorted and filtered in the browser, each number with its base on hover, each row a link.

`st.dataframe` cannot say what a cell stands on and prints as an empty box. Text reaches the page by textContent alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard.components.download import table_saves
from dashboard.components.heard import heard
from dashboard.components.scripts import script
from dashboard.link import Link, write_link

Raw = str | int | float | bool | None
PAGE = 20
"""Rows that are drawn at first; a button shows the rest."""


LONG = 48
"""Signs of a column's name that are shown; hovering shows it whole."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A small label. tone: a class of the style sheet, such as `correct`."""

    text: str
    tone: str = "none"
    title: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """One cell. title: what hovering shows, the base of a number. raw: what it is sorted by and exported as, null for unknown.

    parts: further columns of an export, such as numerator and denominator, named by a suffix.
    """

    text: str
    raw: Raw = None
    title: str = ""
    chips: tuple[Chip, ...] = ()
    parts: tuple[tuple[str, Raw], ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """One column. title: what its numbers mean, on hover."""

    label: str
    title: str = ""
    right: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row. opens: what a click on it stands for; href: where that leads. marked: drawn as the chosen one."""

    values: tuple[Value, ...]
    opens: str | None = None
    href: str | None = None
    marked: bool = False


_table = st.components.v2.component(
    "flipbook_table",
    html='<div class="fb-datatable"></div><div class="fb-save"></div>',
    js=script("save", "until", "table"),
    isolate_styles=False,
)


def text(value: str | None, title: str = "", unknown: str = "—") -> Value:
    """A text, or the sign for one that is not there."""
    return Value(unknown if value is None else value, value, title)


def number(shown: str, raw: float | None, title: str, *parts: tuple[str, Raw]) -> Value:
    """A number as it is printed and as it is sorted, with what it stands on."""
    return Value(shown, raw, title, (), parts)


def data_table(
    name: str,
    caption: str,
    columns: Sequence[Column],
    rows: Sequence[Row],
    link: Link,
    on_open: Callable[[str], None] | None = None,
) -> None:
    """Draw a table and offer it as CSV and Parquet.

    name: what its order and filter are called in the URL (keys `sort` and `rows`). on_open: called with `Row.opens` of a
    clicked row, before the page is drawn again.
    """
    key = f"table-{name}-{st.session_state.setdefault(f'table-{name}-turn', 0)}"
    by, down = _sort_of(name, link)

    def opened() -> None:
        chosen = heard(key, "open")
        if chosen is not None and on_open is not None:
            st.session_state[f"table-{name}-turn"] += 1
            on_open(str(chosen))

    def arranged() -> None:
        view = heard(key, "arrange")
        if isinstance(view, dict):
            write_link(_arranged(name, link, view["by"], view["down"], view["find"]))

    saved = table_saves(name, caption, [c.label for c in columns], lambda: [_exported(columns, row) for row in rows])
    _table(
        key=key,
        data={
            "caption": caption,
            "columns": [_column(c) for c in columns],
            "rows": [_row(row) for row in rows],
            "find": _find_of(name, link),
            "by": by,
            "down": down,
            "page": PAGE,
            "saves": saved.data() if rows else None,
        },
        on_open_change=opened,
        on_arrange_change=arranged,
        on_save_change=lambda: saved.ask(heard(key, "save")),
    )


def _column(column: Column) -> dict[str, object]:
    shown = column.label if len(column.label) <= LONG else f"{column.label[:LONG]}…"
    title = column.title if shown == column.label else f"{column.label}\n{column.title}"
    return {"key": column.label, "label": shown, "title": title, "right": column.right}


def _row(row: Row) -> dict[str, object]:
    said: dict[str, object] = {"c": [_cell(value) for value in row.values]}
    said |= {"id": row.opens} if row.opens is not None else {}
    said |= {"href": row.href} if row.href is not None else {}
    return said | ({"mark": True} if row.marked else {})


def _cell(value: Value) -> dict[str, object]:
    said: dict[str, object] = {"t": value.text}
    said |= {"r": value.raw} if value.raw is not None else {}
    said |= {"h": value.title} if value.title else {}
    return said | ({"k": [{"t": c.text, "n": c.tone, "h": c.title} for c in value.chips]} if value.chips else {})


def _exported(columns: Sequence[Column], row: Row) -> dict[str, Raw]:
    out: dict[str, Raw] = {}
    for column, value in zip(columns, row.values, strict=True):
        out[column.label] = " ".join(chip.text for chip in value.chips) if value.chips else value.raw
        out |= {f"{column.label} {suffix}": raw for suffix, raw in value.parts}
    return out


def _sort_of(name: str, link: Link) -> tuple[str, bool]:
    table, _, rest = (link.sort or "").partition(":")
    column, _, direction = rest.rpartition(":")
    return (column, direction == "down") if table == name else ("", False)


def _find_of(name: str, link: Link) -> str:
    table, _, words = (link.rows or "").partition(":")
    return words if table == name else ""


def _arranged(name: str, link: Link, by: str, down: bool, find: str) -> Link:
    """The link with this table's order and filter; another table's are kept where this one has none."""
    sort = f"{name}:{by}:{'down' if down else 'up'}" if by else (link.sort if _sort_of(name, link) == ("", False) else None)
    rows = f"{name}:{find}" if find else (link.rows if _find_of(name, link) == "" else None)
    return link.with_(sort=sort, rows=rows)
