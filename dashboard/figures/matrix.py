"""Heat maps of run pairs and of cell pairs."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from dashboard.figures.base import WHOLE, charted, label_angle, pick, room_for
from dashboard.figures.kept import Drawing
from store.results.browse.matrix import CellPair, MatrixLayer, RunMatrix
from store.results.printing import percent, signed_points
from store.results.report.sentences import interval_text

STEP, LEAST, WIDEST, READABLE = 22, 4, 760, 11
"""Pixels of a square: at most, at least, of the whole matrix, and from which on its labels can be read."""

LEGEND = 150
"""Pixels that the legend takes beside the matrix."""

LABELLED = 12
"""Cells up to which the squares of a cell matrix hold their number."""

NOUN: dict[MatrixLayer, str] = {
    "tokens": "identical tokens",
    "text": "identical texts",
    "answer": "same answer",
    "verdict": "verdict flips",
    "divergence": "median first differing token",
}
"""What a square of each layer says."""


def run_figure(matrix: RunMatrix, order: Sequence[int]) -> Drawing:
    """Run × run; selection `pick` on `a` and `b`. Squares with nothing to compare stay empty."""
    runs = [charted(matrix.runs[i].run_id) for i in order]
    index = np.array(order, dtype=np.intp)
    value, count, of = (array[np.ix_(index, index)] for array in (matrix.value, matrix.count, matrix.of))
    keep = ~np.eye(len(runs), dtype=np.bool_) if len(runs) <= WHOLE else np.tri(len(runs), k=-1, dtype=np.bool_)
    rows, columns = np.nonzero(keep & (of > 0) & ~np.isnan(value))
    names = np.array(runs, dtype=object)
    frame = pd.DataFrame(
        {
            "a": names[columns],
            "b": names[rows],
            "value": value[rows, columns],
            "count": count[rows, columns].astype(np.int32),
            "of": of[rows, columns].astype(np.int32),
        }
    )
    size = _side(len(runs))
    labels = size >= READABLE
    base = alt.Chart(frame).encode(
        x=alt.X("a:N", sort=runs, title=None, axis=_axis(labels, -90), scale=alt.Scale(domain=runs)),
        y=alt.Y("b:N", sort=runs, title=None, axis=_axis(labels, 0), scale=alt.Scale(domain=runs)),
    )
    squares = (
        base.transform_calculate(pairs="format(datum.count, ',') + ' of ' + format(datum.of, ',')")
        .mark_rect(cursor="pointer")
        .encode(
            color=_colour(matrix.layer),
            tooltip=["a:N", "b:N", alt.Tooltip("pairs:N", title=_counted(matrix.layer)), _value(matrix.layer)],
        )
        .add_params(pick("a", "b"))
    )
    figure: Drawing = squares.properties(width=run_width(runs), height=size * len(runs) + (room_for(runs) if labels else 0))
    return figure


def cell_figure(pairs: Sequence[CellPair], layer: MatrixLayer) -> Drawing:
    """Cell × cell: a cell with itself on the diagonal. Colour is the rate; flips between two cells carry their excess."""
    cells = list(dict.fromkeys(charted(pair.a) for pair in pairs))
    frame = pd.DataFrame(
        [
            {
                "a": charted(a),
                "b": charted(b),
                "value": pair.value,
                "label": _label(pair, layer),
                "counted": f"{pair.count:,} of {pair.of:,} pair-questions, {pair.pairs:,} run pairs",
                "rate": _number(pair.value, layer),
                "floor": percent(pair.floor),
                "interval": interval_text(pair.interval),
            }
            for pair in pairs
            for a, b in ({(pair.a, pair.b), (pair.b, pair.a)} if len(cells) <= WHOLE else {(pair.a, pair.b)})
            if pair.value is not None
        ],
        columns=["a", "b", "value", "label", "counted", "rate", "floor", "interval"],
    )
    size = max(_side(len(cells)), 0 if len(cells) > LABELLED else 92)
    base = alt.Chart(frame).encode(
        x=alt.X("a:N", sort=cells, title=None, axis=_axis(size >= READABLE, label_angle(cells)), scale=alt.Scale(domain=cells)),
        y=alt.Y("b:N", sort=cells, title=None, axis=_axis(size >= READABLE, 0), scale=alt.Scale(domain=cells)),
    )
    tooltip = ["a:N", "b:N", alt.Tooltip("rate:N", title=NOUN[layer]), alt.Tooltip("counted:N", title="counted")]
    if layer == "verdict":
        tooltip += [
            alt.Tooltip("floor:N", title="floor, on the questions both have"),
            alt.Tooltip("interval:N", title="interval (points)"),
        ]
    colour = alt.Color("value:Q", title=None, scale=alt.Scale(scheme="blues"), legend=None)
    squares = (
        base.mark_rect(cursor="pointer", stroke="#8a97a8", strokeWidth=0.5)
        .encode(color=colour, tooltip=tooltip)
        .add_params(pick("a", "b"))
    )
    height = max(44, size // 2) if len(cells) <= LABELLED else size
    if len(cells) > LABELLED:
        figure: Drawing = squares.properties(height=height * len(cells) + 2 * room_for(cells, 60))
        return figure
    dark = alt.condition(f"datum.value > {_middle(frame)}", alt.value("#ffffff"), alt.value("#10202e"))
    text = base.mark_text(fontSize=12, lineHeight=14).encode(text="label:N", color=dark)
    return alt.layer(squares, text).properties(height=height * len(cells) + 2 * room_for(cells, 60))


def run_width(runs: Sequence[str]) -> int:
    """Pixels of a run matrix with its labels and legend, so that its squares are square."""
    size = _side(len(runs))
    return size * len(runs) + (room_for(runs) if size >= READABLE else 0) + LEGEND


def _side(count: int) -> int:
    return max(LEAST, min(STEP, WIDEST // max(count, 1)))


def _axis(labels: bool, angle: int) -> alt.Axis:
    return alt.Axis(
        labels=labels,
        labelAngle=angle,
        labelLimit=160,
        ticks=False,
        domain=False,
        labelFontSize=10,
        labelOverlap=False,
        labelFlush=False,
    )


def _colour(layer: MatrixLayer) -> alt.Color:
    form = ".0f" if layer == "divergence" else ".1%"
    return alt.Color(
        "value:Q",
        title=NOUN[layer],
        scale=alt.Scale(scheme="viridis", reverse=layer in ("tokens", "text", "answer")),
        legend=alt.Legend(format=form, orient="right", gradientLength=160, titleLimit=220),
    )


def _value(layer: MatrixLayer) -> alt.Tooltip:
    return alt.Tooltip("value:Q", title=NOUN[layer], format=".0f" if layer == "divergence" else ".2%")


def _counted(layer: MatrixLayer) -> str:
    return "questions that differ" if layer == "divergence" else "questions"


def _number(value: float | None, layer: MatrixLayer) -> str:
    return percent(value) if layer != "divergence" or value is None else f"token {value:,.0f}"


def _label(pair: CellPair, layer: MatrixLayer) -> str:
    if layer == "verdict" and pair.a != pair.b:
        return signed_points(pair.excess)
    return _number(pair.value, layer)


def _middle(frame: pd.DataFrame) -> float:
    known = frame["value"].dropna()
    return float((known.min() + known.max()) / 2) if len(known) else 0.0
