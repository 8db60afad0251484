"""The attenuation funnel of each cell: from differing tokens to differing verdicts."""

import altair as alt
import pandas as pd

from dashboard.figures.base import INK, Drawing
from store.results.printing import fraction, percent
from store.results.report.cell_shape import Cell
from store.results.report.shape import Report

LAYERS = ("tokens differ", "text differs", "answer changes", "verdict flips")


def funnel_figure(report: Report) -> Drawing:
    """Bars of differing pair-questions by layer, one column of bars for each cell with a funnel."""
    rows = [row for cell in report.cells for row in _rows(cell)]
    frame = pd.DataFrame(rows, columns=["cell", "layer", "rate", "count", "shown"])
    names = list(dict.fromkeys(frame["cell"]))
    base = alt.Chart(frame).encode(
        y=alt.Y("layer:N", sort=list(LAYERS), title=None, axis=alt.Axis(ticks=False, domain=False)),
        x=alt.X(
            "rate:Q",
            title="share of pair-questions within a cell",
            axis=alt.Axis(format="%", tickCount=5),
            scale=alt.Scale(domainMin=0, padding=30),
        ),
        tooltip=["cell:N", "layer:N", "count:N"],
    )
    bars = base.mark_bar().encode(
        yOffset=alt.YOffset("cell:N", sort=names, scale=alt.Scale(paddingInner=0.2)),
        color=alt.Color(
            "cell:N", sort=names, title=None, legend=alt.Legend(orient="top", columns=6), scale=alt.Scale(scheme="blues")
        ),
    )
    labels = base.mark_text(align="left", dx=4, fontSize=10, color=INK).encode(
        yOffset=alt.YOffset("cell:N", sort=names, bandPosition=0.5), text="shown:N"
    )
    return alt.layer(bars, labels).properties(height=max(180, len(LAYERS) * (len(names) * 19 + 12)))


def _rows(cell: Cell) -> list[tuple[object, ...]]:
    f = cell.funnel
    if f is None or not f.of:
        return []
    counts = zip(LAYERS, (f.tokens, f.text, f.answer, f.verdict), strict=True)
    return [
        (cell.cell, layer, n / f.of, f"{fraction(n, f.of)} pair-questions", percent(n / f.of))
        for layer, n in counts
        if n is not None
    ]
