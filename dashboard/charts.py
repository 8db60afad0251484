"""Charts. Data goes in as rows; no number is computed here."""

from collections import Counter

import altair as alt
import pandas as pd

from dashboard.style import ARM_COLOURS, ARM_SHAPES
from store.results.cells import CellResult, StudyCells
from store.results.printing import percent

ROW_HEIGHT = 56
SLOTS = 3
"""Runs of equal accuracy are stacked around their row, this many up and down."""


def accuracy_dots(result: StudyCells, run: str | None) -> alt.LayerChart | alt.FacetChart:
    """Each run as a dot and each cell's mean as a tick; `run` is drawn larger. Colour and shape are the arm.

    A click on a dot is the point selection ``pick`` on the field ``run``.
    """
    dots, means = _dot_rows(result, run), _mean_rows(result)
    order = [cell.cell for cell in result.cells]
    arms = list(dict.fromkeys(cell.arm for cell in result.cells))
    x = alt.X("accuracy:Q", title="accuracy (each run, and the cell mean as a tick)", scale=alt.Scale(zero=False, padding=18))
    y = alt.Y("cell:N", sort=order, title=None, axis=alt.Axis(labelLimit=260, grid=True, domain=False, ticks=False))
    colour = alt.Color("arm:N", title="arm", scale=alt.Scale(domain=arms, range=_cycle(ARM_COLOURS, arms)))
    shape = alt.Shape("arm:N", title="arm", scale=alt.Scale(domain=arms, range=_cycle(ARM_SHAPES, arms)))
    offset = alt.YOffset("slot:Q", scale=alt.Scale(domain=[-SLOTS, SLOTS]))
    pick = alt.selection_point(name="pick", fields=["run"], on="click", empty=False)
    accuracy = alt.Tooltip("shown:N", title="accuracy")
    points = (
        alt.Chart(dots)
        .mark_point(filled=True, opacity=0.9)
        .encode(
            x=x.axis(alt.Axis(format=".2%", tickCount=6)),
            y=y,
            color=colour,
            shape=shape,
            size=alt.condition(alt.datum.picked, alt.value(280), alt.value(80)),
            yOffset=offset,
            tooltip=["run:N", "cell:N", "arm:N", alt.Tooltip("counted:N", title="correct"), accuracy],
        )
        .add_params(pick)
    )
    ticks = (
        alt.Chart(means)
        .mark_tick(thickness=2, size=26)
        .encode(
            x=x,
            y=y,
            yOffset=offset,
            color=colour,
            tooltip=["cell:N", alt.Tooltip("shown:N", title="mean"), "base:N"],
        )
    )
    return alt.layer(ticks, points).properties(height=ROW_HEIGHT * max(len(order), 2))


def _dot_rows(result: StudyCells, picked: str | None) -> pd.DataFrame:
    rows = [
        {
            "slot": slot,
            "run": run.run,
            "cell": cell.cell,
            "arm": cell.arm,
            "accuracy": run.rate,
            "counted": f"{run.correct:,} of {run.of:,}",
            "shown": percent(run.rate),
            "picked": run.run == picked,
        }
        for cell in result.cells
        for run, slot in zip(cell.accuracy.per_run, _slots(cell), strict=True)
        if run.rate is not None
    ]
    return pd.DataFrame(rows, columns=["slot", "run", "cell", "arm", "accuracy", "counted", "shown", "picked"])


def _slots(cell: CellResult) -> list[int]:
    """0 for the first run of an accuracy, then 1, -1, 2, -2, … for further runs of the same."""
    seen: Counter[int] = Counter()
    slots = []
    for run in cell.accuracy.per_run:
        index = seen[run.correct]
        seen[run.correct] += 1
        slots.append(max(-SLOTS, min(SLOTS, (index + 1) // 2 * (1 if index % 2 else -1))))
    return slots


def _mean_rows(result: StudyCells) -> pd.DataFrame:
    rows = [
        {
            "slot": 0,
            "cell": cell.cell,
            "arm": cell.arm,
            "accuracy": cell.accuracy.mean,
            "shown": percent(cell.accuracy.mean),
            "base": cell.accuracy.base.sentence,
        }
        for cell in result.cells
        if cell.accuracy.mean is not None
    ]
    return pd.DataFrame(rows, columns=["slot", "cell", "arm", "accuracy", "shown", "base"])


def _cycle(values: tuple[str, ...], arms: list[str]) -> list[str]:
    return [values[i % len(values)] for i in range(len(arms))]
