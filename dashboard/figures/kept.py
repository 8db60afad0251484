"""Charts made once: building and drawing one costs more than the rest of its page."""

from collections.abc import Callable
from dataclasses import dataclass

import altair as alt
import pandas as pd
import streamlit as st

from dashboard.data import version
from dashboard.figures.still import Still, still
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
    return _kept(version(), scope, name, said, make)


@st.cache_resource(max_entries=128, show_spinner=False)
def _kept(key: FileKey, scope: Scope, name: str, said: tuple[str | int | None, ...], _make: Callable[[], Drawing]) -> Kept:
    chart = _make()
    with alt.data_transformers.enable("default", max_rows=None):
        spec = chart.to_dict()
    if drawn := still(spec):
        return Kept(chart, drawn, {}, {})
    data = {name: pd.DataFrame(rows) for name, rows in spec.pop("datasets", {}).items()}
    return Kept(chart, None, spec, data)
