"""Options that every command with numbers shares, and what they resolve to."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from store.analysis.interval import Conventions
from store.folder import Store
from store.people.database import open_people, study_annotations
from store.results.report.build import METHOD_CONVENTIONS, Asked, Note
from store.results.scope import Scope, resolve
from store.warehouse.open import Warehouse, open_warehouse

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Request:
    """What the shared options say."""

    extractor: str | None
    as_of: int | None
    acknowledge: tuple[str, ...]
    level: float
    alpha: float
    power: float
    large_gap: float | None
    partner: str | None

    @property
    def asked(self) -> Asked:
        """The same as the report takes it."""
        return Asked(Conventions(self.level, self.alpha, self.power), self.large_gap, self.partner)


def number_options(function: F) -> F:
    """Options of `Request`, passed on as one argument named `request`."""
    fraction = click.FloatRange(0, 1, min_open=True, max_open=True)
    m = METHOD_CONVENTIONS
    options = [
        click.option("--extractor", help="Whose verdicts; default: the study's main extractor."),
        click.option("--as-of", type=int, help="Only runs ingested up to this generation."),
        click.option("--acknowledge", multiple=True, metavar="RUN", help="Count this run although it thinks unasked."),
        click.option("--level", type=fraction, default=m.level, show_default=True, help="Level of intervals."),
        click.option("--alpha", type=fraction, default=m.alpha, show_default=True, help="Two-sided size behind the MDE."),
        click.option("--power", type=fraction, default=m.power, show_default=True, help="Power behind the MDE."),
        click.option("--large-gap", type=click.FloatRange(0, min_open=True), help="Nats that make a divergence a large shift."),
        click.option("--partner", metavar="RUN", help="Run that anchors are compared with; default: the arm's probe."),
    ]  # fmt: skip

    def gathered(**values: Any) -> Any:  # noqa: ANN401 - click passes whatever its options hold
        fields = Request.__dataclass_fields__
        return function(request=Request(**{name: values.pop(name) for name in fields}), **values)

    gathered.__name__, gathered.__doc__ = function.__name__, function.__doc__
    gathered.__click_params__ = list(getattr(function, "__click_params__", []))  # type: ignore[attr-defined]
    wrapped: Any = gathered
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[no-any-return]


@contextmanager
def opened(root: Path, study: str, request: Request) -> Iterator[tuple[Warehouse, Scope]]:
    """The store's file and the scope asked for; the file is released afterwards."""
    warehouse = open_warehouse(Store(root).warehouse)
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
