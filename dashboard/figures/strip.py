"""Within A, between A and B, within B: flips and identity of every run pair on one strip."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from dashboard.figures.base import slots
from dashboard.figures.kept import Drawing
from dashboard.figures.look import INK
from store.results.printing import percent
from store.results.report.between_shape import RunPair
from store.results.report.compare import Comparison, StripLine

MOST_DOTS = 2_000


def strip_figures(found: Comparison, pairs: Sequence[tuple[str, RunPair]]) -> tuple[Drawing, Drawing | None]:
    """Flips, and identity (tokens, else text) where any is known. pairs: `a–a`, `a–b` or `b–b` with each run pair."""
    names = {"a–a": f"within A: {found.a.cell}", "a–b": "A against B", "b–b": f"within B: {found.b.cell}"}
    flips = _strip(
        [(names[where], pair, pair.flips, pair.of) for where, pair in pairs],
        [(names[line.between], line.flip_rate, line.flips, line.flips_of) for line in found.strip],
        list(names.values()),
        "flips",
    )
    tokens = any(line.identical is not None for line in found.strip)
    known = [_identity(line, tokens) for line in found.strip]
    if all(count is None for count, _ in known):
        return flips, None
    identity = _strip(
        [
            (
                names[where],
                pair,
                *((pair.identical, pair.identical_of) if tokens else (pair.identical_text, pair.identical_text_of)),
            )
            for where, pair in pairs
        ],
        [
            (names[line.between], count / of if count is not None else None, count, of)
            for line, (count, of) in zip(found.strip, known, strict=True)
        ],
        list(names.values()),
        "identical tokens" if tokens else "identical texts",
    )
    return flips, identity


def _identity(line: StripLine, tokens: bool) -> tuple[int | None, int]:
    return (line.identical, line.identical_of) if tokens else (line.identical_text, line.identical_text_of)


def _strip(
    pairs: Sequence[tuple[str, RunPair, int | None, int]],
    totals: Sequence[tuple[str, float | None, int | None, int]],
    order: list[str],
    what: str,
) -> Drawing:
    known = [(name, pair, count, of) for name, pair, count, of in pairs if count is not None and of]
    places = slots([(name, count / of) for name, _, count, of in known])
    dots = pd.DataFrame(
        [
            {"where": n, "pair": f"{p.a} | {p.b}", "rate": c / of, "count": f"{c:,} of {of:,}", "slot": s}
            for (n, p, c, of), s in zip(known, places, strict=True)
        ],
        columns=["where", "pair", "rate", "count", "slot"],
    )
    lines = pd.DataFrame(
        [
            {"where": name, "rate": rate, "count": f"{count:,} of {of:,} pair-questions", "shown": percent(rate)}
            for name, rate, count, of in totals
            if rate is not None
        ],
        columns=["where", "rate", "count", "shown"],
    )
    top = max([*dots["rate"], *lines["rate"], 0.001])
    x = alt.X(
        "rate:Q",
        title=f"{what}, share of questions",
        axis=alt.Axis(format=".1%", tickCount=5),
        scale=alt.Scale(domain=[-0.02 * top, 1.06 * top]) if what == "flips" else alt.Scale(zero=False, padding=16),
    )
    y = alt.Y("where:N", sort=order, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=220, grid=True))
    marks = (
        alt.Chart(dots if len(dots) <= MOST_DOTS else dots.head(0))
        .mark_circle(size=46, opacity=0.6, color="#5b8db8")
        .encode(x=x, y=y, yOffset=alt.YOffset("slot:Q", scale=alt.Scale(domain=[-5, 5])), tooltip=["pair:N", "count:N"])
    )
    rates = (
        alt.Chart(lines)
        .mark_tick(thickness=3, size=30, color="#d55e00")
        .encode(x=x, y=y, tooltip=[alt.Tooltip("shown:N", title="all pairs"), "count:N"])
    )
    said = alt.Chart(lines).mark_text(dy=-20, fontSize=11, fontWeight=600, color=INK).encode(x=x, y=y, text="shown:N")
    return alt.layer(marks, rates, said).properties(height=190)
