"""Standard output and error, and the option every command shares. Results go to stdout, the rest to stderr."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from store.contract.base import Json
from store.results.printing import plain

F = TypeVar("F", bound=Callable[..., Any])
STORE_VARIABLE = "FLIPBOOK_STORE"
DEFAULT_STORE = "flipbook-store"


def store_option(function: F) -> F:
    """`--store DIR`, else $FLIPBOOK_STORE, else ./flipbook-store."""
    return click.option(
        "--store",
        "root",
        type=click.Path(path_type=Path, file_okay=False),
        default=lambda: os.environ.get(STORE_VARIABLE) or DEFAULT_STORE,
        show_default=f"${STORE_VARIABLE} or ./{DEFAULT_STORE}",
        help="The store folder.",
    )(function)


def json_option(function: F) -> F:
    """`--json`: the result as JSON on stdout."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def say(text: str) -> None:
    """A remark on stderr, on one line."""
    click.echo(plain(text), err=True)


def print_json(value: Json) -> None:
    """A result as JSON."""
    click.echo(json.dumps(value, indent=1, ensure_ascii=False))


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """A result as aligned columns below its title; a column whose every cell is a number or a dash stands right."""
    if title:
        click.echo(f"\n{plain(title)}")
    cells = [[plain(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    right = [all(row[i][:1].isdigit() or row[i] == "—" for row in cells[1:]) for i in range(len(header))]
    for row in cells:
        padded = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)]
        click.echo("  ".join(padded).rstrip())
