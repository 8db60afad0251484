"""Charts. Data goes in as rows; no number is computed here."""

import altair as alt
import pandas as pd

from dashboard.style import ARM_COLOURS, ARM_SHAPES
from store.results.cells import StudyCells
from store.results.printing import percent

ROW_HEIGHT = 44


def accuracy_dots(result: StudyCells, run: str | None) -> alt.LayerChart:
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
    pick = alt.selection_point(name="pick", fields=["run"], on="click", empty=False)
    points = (
        alt.Chart(dots)
        .mark_point(filled=True, opacity=0.75)
        .encode(
            x=x.axis(alt.Axis(format=".2%", tickCount=6)),
            y=y,
            color=colour,
            shape=shape,
            size=alt.Size("picked:N", legend=None, scale=alt.Scale(domain=[False, True], range=[80, 260])),
            tooltip=[
                "run:N",
                "cell:N",
                "arm:N",
                alt.Tooltip("counted:N", title="correct"),
                alt.Tooltip("shown:N", title="accuracy"),
            ],
        )
        .add_params(pick)
    )
    ticks = (
        alt.Chart(means)
        .mark_tick(thickness=2, size=26)
        .encode(
            x=x,
            y=y,
            color=colour,
            tooltip=["cell:N", alt.Tooltip("shown:N", title="mean"), alt.Tooltip("base:N", title="base")],
        )
    )
    return alt.layer(ticks, points).properties(height=ROW_HEIGHT * max(len(order), 2))


def _dot_rows(result: StudyCells, picked: str | None) -> pd.DataFrame:
    rows = [
        {
            "run": run.run,
            "cell": cell.cell,
            "arm": cell.arm,
            "accuracy": run.rate,
            "counted": f"{run.correct:,} of {run.of:,}",
            "shown": percent(run.rate),
            "picked": run.run == picked,
        }
        for cell in result.cells
        for run in cell.accuracy.per_run
        if run.rate is not None
    ]
    return pd.DataFrame(rows, columns=["run", "cell", "arm", "accuracy", "counted", "shown", "picked"])


def _mean_rows(result: StudyCells) -> pd.DataFrame:
    rows = [
        {
            "cell": cell.cell,
            "arm": cell.arm,
            "accuracy": cell.accuracy.mean,
            "shown": percent(cell.accuracy.mean),
            "base": cell.accuracy.base.sentence,
        }
        for cell in result.cells
        if cell.accuracy.mean is not None
    ]
    return pd.DataFrame(rows, columns=["cell", "arm", "accuracy", "shown", "base"])


def _cycle(values: tuple[str, ...], arms: list[str]) -> list[str]:
    return [values[i % len(values)] for i in range(len(arms))]
