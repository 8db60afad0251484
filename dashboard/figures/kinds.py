"""Pair kinds as strips, with the median of fresh–fresh pairs as the reference."""

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np
import pandas as pd

from dashboard.figures.base import charted, pick, slots
from dashboard.figures.kept import Drawing
from store.analysis.pair_kind import PairKind
from store.results.report.between_shape import RunPair
from store.results.report.pairs import KindGroup

MOST_DOTS = 1_500


@dataclass(frozen=True, slots=True)
class KindFigure:
    """reference: median of fresh–fresh grid pairs, null without one. single: each mark is a pair that can be picked."""

    chart: Drawing
    reference: float | None
    single: bool


def kind_figure(groups: Sequence[KindGroup]) -> KindFigure:
    """Identity of every pair by kind: tokens, or texts where no tokens are known.

    With more pairs than `MOST_DOTS` each kind is its range and median.
    """
    tokens = any(pair.identical is not None for group in groups for pair in group.pairs)
    rows, names = [], []
    for group in groups:
        name = f"{group.kind} ({group.among})"
        known = [(pair, *_identity(pair, tokens)) for pair in group.pairs]
        kept = [(pair, count, of) for pair, count, of in known if count is not None and of]
        names.append(name)
        places = slots([round(count / of, 3) for _, count, of in kept])
        rows += [
            (name, charted(p.a), charted(p.b), c / of, f"{c:,} of {of:,}", p.card, p.build, s)
            for (p, c, of), s in zip(kept, places, strict=True)
        ]
    frame = pd.DataFrame(rows, columns=["kind", "a", "b", "rate", "count", "card", "build", "slot"])
    reference = [
        row[3] for group in groups for row in rows if row[0] == f"{group.kind} ({group.among})" and _is_reference(group)
    ]
    middle = float(np.median(reference)) if reference else None
    named = "identical tokens" if tokens else "identical texts"
    x = _rate_axis("rate:Q", named)
    y = alt.Y("kind:N", sort=names, title=None, axis=alt.Axis(ticks=False, domain=False, labelLimit=260, grid=True))
    single = len(frame) <= MOST_DOTS
    if not single:
        spread = frame.groupby("kind", sort=False)["rate"].agg(["min", "median", "max", "count"]).reset_index()
        base = alt.Chart(spread).encode(y=y, tooltip=["kind:N", "count:Q", *_rates("min", "median", "max")])
        span = base.mark_rule(strokeWidth=6, opacity=0.35, color="#5b8db8").encode(x=_rate_axis("min:Q", named), x2="max:Q")
        marks: Drawing = alt.layer(span, base.mark_tick(thickness=3, size=22, color="#0072b2").encode(x="median:Q"))
    else:
        marks = (
            alt.Chart(frame)
            .mark_circle(size=44, opacity=0.6, color="#5b8db8", cursor="pointer")
            .encode(
                x=x,
                y=y,
                yOffset=alt.YOffset("slot:Q", scale=alt.Scale(domain=[-5, 5])),
                tooltip=["a:N", "b:N", "kind:N", "count:N", "card:N", "build:N"],
            )
            .add_params(pick("a", "b"))
        )
    height = max(120, 46 * len(names))
    if middle is None:
        return KindFigure(alt.layer(marks).properties(height=height), None, single)
    line = (
        alt.Chart(pd.DataFrame([{"rate": middle}]))
        .mark_rule(color="#d55e00", strokeDash=[5, 4], strokeWidth=1.5)
        .encode(x="rate:Q")
    )
    return KindFigure(alt.layer(line, marks).properties(height=height), middle, single)


def _rate_axis(field: str, named: str) -> alt.X:
    return alt.X(field, title=named, axis=alt.Axis(format="%", tickCount=6), scale=alt.Scale(zero=False, padding=14))


def _is_reference(group: KindGroup) -> bool:
    return group.kind == PairKind.FRESH_FRESH.value and group.among == "grid runs"


def _identity(pair: RunPair, tokens: bool) -> tuple[int | None, int]:
    return (pair.identical, pair.identical_of) if tokens else (pair.identical_text, pair.identical_text_of)


def _rates(*names: str) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{name}:Q", format=".2%") for name in names]
