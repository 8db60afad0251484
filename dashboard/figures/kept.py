"""Charts made once: building and drawing one costs more than the rest of its page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from dashboard.data import version
from dashboard.figures.still import Still, still
from store.errors import FlipbookError
from store.results.scope import Scope
from store.warehouse.open import FileKey

Drawing = alt.Chart | alt.LayerChart | alt.FacetChart


@dataclass(frozen=True, slots=True)
class Kept:
    """A chart with its picture; without one, its specification with the data apart, for the browser to draw."""

    chart: Drawing
    still: Still | None
    spec: dict[str, object]
    data: dict[str, pd.DataFrame]

    def sent(self) -> dict[str, object]:
        """The specification as Streamlit takes it; it takes the data out of what it is given."""
        return {**self.spec, "datasets": dict(self.data)}


def kept(scope: Scope, name: str, said: tuple[str | int | None, ...], make: Callable[[], Drawing]) -> Kept:
    """The chart `name` of a study as the store holds it now; said: what else it depends on."""
    try:
        return _kept(version(), scope, name, said, make)
    except FlipbookError:  # drawn by the browser this time, tried again the next
        return _by_browser(make())


@st.cache_resource(max_entries=128, show_spinner=False)
def _kept(key: FileKey, scope: Scope, name: str, said: tuple[str | int | None, ...], _make: Callable[[], Drawing]) -> Kept:
    chart = _make()
    drawn = still(_specification(chart))
    return Kept(chart, drawn, {}, {}) if drawn else _by_browser(chart)


def _by_browser(chart: Drawing) -> Kept:
    spec = _specification(chart)
    data = {name: pd.DataFrame(rows) for name, rows in spec.pop("datasets", {}).items()}
    return Kept(chart, None, spec, data)


def _specification(chart: Drawing) -> dict[str, Any]:
    with alt.data_transformers.enable("default", max_rows=None):
        return chart.to_dict()
