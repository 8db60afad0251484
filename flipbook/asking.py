"""Options that commands with numbers share, and what they resolve to."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import click

from flipbook.console import json_option, store_option
from flipbook.render import Form
from store.analysis.interval import Conventions
from store.errors import UsageError
from store.folder import Store
from store.people.database import open_people, study_annotations
from store.results.report.build import METHOD_CONVENTIONS, Asked, Note
from store.results.scope import Scope, resolve
from store.warehouse.open import Warehouse, open_warehouse

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Request:
    """What the shared options say; what a command does not offer has the value of its convention."""

    root: Path
    as_json: bool
    form: Form
    only: tuple[str, ...]
    extractor: str | None
    as_of: int | None
    acknowledge: tuple[str, ...]
    level: float = METHOD_CONVENTIONS.level
    alpha: float = METHOD_CONVENTIONS.alpha
    power: float = METHOD_CONVENTIONS.power
    large_gap: float | None = None
    partner: str | None = None

    @property
    def asked(self) -> Asked:
        """The same as the report takes it."""
        if self.large_gap is not None and not 0 < self.large_gap < float("inf"):
            raise UsageError(f"--large-gap is a number of nats above 0, not {self.large_gap:g}")
        try:
            return Asked(Conventions(self.level, self.alpha, self.power), self.large_gap, self.partner)
        except ValueError as error:
            raise UsageError(str(error)) from error


def request_options(function: F) -> F:
    """Options of every command that prints measures: scope, form and store, passed on as `request` with those above it."""
    names = [field.name for field in fields(Request)]

    def gathered(**values: Any) -> Any:  # noqa: ANN401 - click passes whatever its options hold
        forms = [form for form in (Form.MARKDOWN, Form.LATEX) if values.pop(f"as_{form}")]
        if values["as_json"] + len(forms) > 1:
            raise click.UsageError("--json, --markdown and --latex exclude each other")
        values["form"] = forms[0] if forms else Form.TEXT
        return function(request=Request(**{name: values.pop(name) for name in names if name in values}), **values)

    gathered.__name__, gathered.__doc__ = function.__name__, function.__doc__
    gathered.__click_params__ = list(getattr(function, "__click_params__", []))  # type: ignore[attr-defined]
    wrapped: Any = gathered
    for option in reversed(_SHARED):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[no-any-return]


def plan_options(function: F) -> F:
    """Level of intervals, size and power behind detectable differences."""
    m = METHOD_CONVENTIONS
    wrapped: Any = function
    for name, default, text in (
        ("--power", m.power, "Power behind the MDE."),
        ("--alpha", m.alpha, "Two-sided size behind the MDE."),
        ("--level", m.level, "Level of intervals."),
    ):
        wrapped = click.option(name, type=float, default=default, show_default=True, help=text)(wrapped)
    return wrapped  # type: ignore[no-any-return]


def gap_option(function: F) -> F:
    """`--large-gap NATS`."""
    text = "Nats that make a divergence a large shift."
    return click.option("--large-gap", type=float, metavar="NATS", help=text)(function)


def partner_option(function: F) -> F:
    """`--partner RUN`."""
    return click.option("--partner", metavar="RUN", help="Run that anchors are compared with; default: the arm's probe.")(
        function
    )


@contextmanager
def opened(study: str, request: Request) -> Iterator[tuple[Warehouse, Scope]]:
    """The store's file and the scope asked for; the file is released afterwards."""
    warehouse = open_warehouse(Store(request.root).warehouse)
    try:
        yield warehouse, resolve(warehouse, study, request.as_of, request.extractor, request.acknowledge)
    finally:
        warehouse.close()


def notes_of(root: Path, study: str) -> tuple[Note, ...]:
    """Annotations of a study; none when nobody has written one in this store."""
    path = Store(root).people
    if not path.exists():
        return ()
    engine = open_people(path)
    try:
        return tuple(Note(a.question_id, a.kind.value, a.text, a.author) for a in study_annotations(engine, study))
    finally:
        engine.dispose()


_SHARED: tuple[Callable[[Any], Any], ...] = (
    click.option("--extractor", help="Whose verdicts; default: the study's main extractor."),
    click.option("--as-of", type=int, help="Only runs ingested up to this generation."),
    click.option("--acknowledge", multiple=True, metavar="RUN", help="Count this run although it thinks unasked."),
    click.option("--only", multiple=True, metavar="WORD", help="Only tables with this word in their title; repeatable."),
    click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown tables."),
    click.option("--latex", "as_latex", is_flag=True, help="Print LaTeX tables (booktabs)."),
    store_option,
    json_option,
)
