"""The attenuation funnel of each cell: from differing tokens to differing verdicts."""

import altair as alt
import pandas as pd

from dashboard.figures.base import arm_colour, charted
from dashboard.figures.kept import Drawing
from dashboard.figures.look import INK
from store.results.printing import fraction, percent
from store.results.report.cell_shape import Cell
from store.results.report.shape import Report

LAYERS = ("tokens differ", "text differs", "answer changes", "verdict flips")
NAMED = 12
"""Cells up to which every bar carries its cell and number."""

STEP, THIN, AXES = 19, 5, 100
"""Pixels of a bar with and without its name, and of axis and legend."""

FOR_NAMES = 1.35
"""The axis goes on behind the longest bar, so that its name has room."""


def funnel_figure(report: Report) -> Drawing:
    """Bars of differing pair-questions by layer, one for each cell with a funnel, in its arm's colour."""
    rows = [row for cell in report.cells for row in _rows(cell)]
    frame = pd.DataFrame(rows, columns=["cell", "arm", "layer", "rate", "count", "shown"])
    names = list(dict.fromkeys(frame["cell"]))
    arms = list(dict.fromkeys(charted(cell.arm) for cell in report.cells))
    base = alt.Chart(frame).encode(
        y=alt.Y("layer:N", sort=list(LAYERS), title=None, axis=alt.Axis(ticks=False, domain=False)),
        x=alt.X(
            "rate:Q",
            title="share of pair-questions within a cell",
            axis=alt.Axis(format="%", tickCount=5),
            scale=alt.Scale(domain=[0, FOR_NAMES * max(frame["rate"], default=0) or 1], nice=False),
        ),
        tooltip=["cell:N", "arm:N", "layer:N", "count:N"],
    )
    bars = base.mark_bar().encode(
        yOffset=alt.YOffset("cell:N", sort=names, scale=alt.Scale(paddingInner=0.2)), color=arm_colour(arms)
    )
    height = len(LAYERS) * (len(names) * (STEP if len(names) <= NAMED else THIN) + 12) + AXES
    if len(names) > NAMED:
        return alt.layer(bars).properties(height=height)
    labels = base.mark_text(align="left", dx=4, fontSize=11, color=INK).encode(
        yOffset=alt.YOffset("cell:N", sort=names, bandPosition=0.5), text="shown:N"
    )
    return alt.layer(bars, labels).properties(height=height)


def _rows(cell: Cell) -> list[tuple[object, ...]]:
    f = cell.funnel
    if f is None or not f.of:
        return []
    counts = zip(LAYERS, (f.tokens, f.text, f.answer, f.verdict), strict=True)
    name = charted(cell.cell)
    return [
        (name, charted(cell.arm), layer, n / f.of, f"{fraction(n, f.of)} pair-questions", f"{percent(n / f.of)}  {cell.cell}")
        for layer, n in counts
        if n is not None
    ]
