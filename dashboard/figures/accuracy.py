"""Accuracy of each run above the flip rate of each run pair, cell by cell: what the mean hides stands below it."""

import altair as alt
import pandas as pd

from dashboard.figures.base import arm_colour, arm_shape, charted, label_angle, pick, slant_room, slots
from dashboard.figures.kept import Drawing
from store.results.printing import fraction, percent
from store.results.report.cell_shape import Cell
from store.results.report.shape import Report

SLOTS = 5
MOST_DOTS = 2_000
"""Above it the pairs of a cell are drawn as their range and median."""

LEFT = 70
"""Pixels of both y axes, so that the cells of both figures stand above each other."""


def accuracy_figure(report: Report, run: str | None) -> Drawing:
    """Each run as a dot and each cell's mean as a tick; `run` is drawn larger. Selection `pick` on `run`."""
    arms = list(dict.fromkeys(charted(cell.arm) for cell in report.cells))
    rows = [row for cell in report.cells for row in _run_rows(cell, run)]
    dots = pd.DataFrame(rows, columns=["run", "cell", "arm", "slot", "accuracy", "correct", "shown", "picked"])
    means = pd.DataFrame(
        [
            {
                "cell": charted(c.cell),
                "arm": charted(c.arm),
                "slot": 0,
                "accuracy": c.accuracy.mean,
                "mean": percent(c.accuracy.mean),
                "base": c.base,
            }
            for c in report.cells
            if c.accuracy.mean is not None
        ],
        columns=["cell", "arm", "slot", "accuracy", "mean", "base"],
    )
    y = alt.Y(
        "accuracy:Q", title="accuracy", scale=alt.Scale(zero=False, padding=14), axis=alt.Axis(format=".1%", minExtent=LEFT)
    )
    x, offset = _cells(report), alt.XOffset("slot:Q", scale=alt.Scale(domain=[-SLOTS - 3, SLOTS + 3]))
    ticks = (
        alt.Chart(means)
        .mark_tick(thickness=2, size=56)
        .encode(x=x, y=y, color=arm_colour(arms), tooltip=["cell:N", "mean:N", "base:N"])
    )
    points = (
        alt.Chart(dots)
        .mark_point(filled=True, opacity=0.9, cursor="pointer")
        .encode(
            x=x,
            y=y,
            xOffset=offset,
            color=arm_colour(arms),
            shape=arm_shape(arms),
            size=alt.condition(alt.datum.picked, alt.value(280), alt.value(70)),
            tooltip=["run:N", "cell:N", "arm:N", "correct:N", alt.Tooltip("shown:N", title="accuracy")],
        )
        .add_params(pick("run"))
    )
    return alt.layer(ticks, points).properties(height=210 + _room(report))


def flip_figure(report: Report) -> Drawing:
    """Each run pair of a cell as a dot and the cell's own rate as a tick; cells with one deployment have none."""
    arms = list(dict.fromkeys(charted(cell.arm) for cell in report.cells))
    pairs = [row for cell in report.cells for row in _pair_rows(cell)]
    frame = pd.DataFrame(pairs, columns=["pair", "cell", "arm", "slot", "rate", "flips"])
    rates = pd.DataFrame(
        [
            {
                "cell": charted(c.cell),
                "arm": charted(c.arm),
                "rate": c.flips.rate,
                "flips": f"{fraction(c.flips.count or 0, c.flips.of)} pair-questions",
            }
            for c in report.cells
            if c.flips.rate is not None
        ],
        columns=["cell", "arm", "rate", "flips"],
    )
    y = alt.Y("rate:Q", title="flips per run pair", axis=alt.Axis(format=".1%", minExtent=LEFT), scale=alt.Scale(padding=10))
    x, plain = _cells(report), arm_colour(arms).legend(None)
    ticks = (
        alt.Chart(rates)
        .mark_tick(thickness=2, size=56)
        .encode(x=x, y=y, color=plain, tooltip=["cell:N", alt.Tooltip("flips:N", title="cell's own rate")])
    )
    if len(frame) > MOST_DOTS:
        spread = frame.groupby(["cell", "arm"], sort=False)["rate"].agg(["min", "median", "max"]).reset_index()
        marks = (
            alt.Chart(spread)
            .mark_rule(strokeWidth=6, opacity=0.35)
            .encode(x=x, y=alt.Y("min:Q"), y2="max:Q", color=plain, tooltip=["cell:N", "min:Q", "median:Q", "max:Q"])
        )
        return alt.layer(marks, ticks).properties(height=170 + _room(report))
    offset = alt.XOffset("slot:Q", scale=alt.Scale(domain=[-SLOTS - 3, SLOTS + 3]))
    points = (
        alt.Chart(frame)
        .mark_point(filled=True, opacity=0.75, size=45)
        .encode(
            x=x, y=y, xOffset=offset, color=plain, shape=arm_shape(arms).legend(None), tooltip=["pair:N", "cell:N", "flips:N"]
        )
    )
    return alt.layer(ticks, points).properties(height=170 + _room(report))


def _room(report: Report) -> int:
    return slant_room([charted(cell.cell) for cell in report.cells])


def _cells(report: Report) -> alt.X:
    names = [charted(cell.cell) for cell in report.cells]
    axis = alt.Axis(labelAngle=label_angle(names), labelLimit=170, ticks=False, grid=True)
    return alt.X("cell:N", sort=names, title=None, axis=axis)


def _run_rows(cell: Cell, picked: str | None) -> list[tuple[object, ...]]:
    places = slots([run.correct for run in cell.accuracy.per_run], SLOTS)
    return [
        (
            charted(run.run),
            charted(cell.cell),
            charted(cell.arm),
            slot,
            run.correct / run.of,
            f"{run.correct:,} of {run.of:,}",
            percent(run.correct / run.of),
            run.run == picked,
        )
        for run, slot in zip(cell.accuracy.per_run, places, strict=True)
        if run.of
    ]


def _pair_rows(cell: Cell) -> list[tuple[object, ...]]:
    pairs = [pair for pair in cell.flips.per_pair if pair.of]
    places = slots([pair.count / pair.of for pair in pairs], SLOTS)
    return [
        (
            f"{pair.a} | {pair.b}",
            charted(cell.cell),
            charted(cell.arm),
            slot,
            pair.count / pair.of,
            f"{pair.count:,} of {pair.of:,}",
        )
        for pair, slot in zip(pairs, places, strict=True)
    ]
