"""Where outputs part: a histogram of first divergences, the survival of equality, and gaps against swings."""

from collections.abc import Sequence
from itertools import pairwise

import altair as alt
import numpy as np
import pandas as pd

from dashboard.figures.kept import Drawing
from store.analysis.divergence import DivergenceSummary
from store.analysis.near_tie import NearTie

BINS = 40
HALF = 430
"""Pixels of a chart that stands beside another."""

EDGE = 1e-3
"""Nats: smaller gaps are drawn in the first bin of the logarithmic axis, exact ties apart."""


def divergence_histogram(at: Sequence[int]) -> Drawing:
    """First differing token of each question whose outputs differ."""
    width = max(1, -(-(max(at, default=0) + 1) // BINS))
    edges = np.arange(0, max(at, default=0) + width + 1, width)
    counts, _ = np.histogram(at, bins=edges)
    frame = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "questions": counts})
    frame["tokens"] = [str(low) if width == 1 else f"{low} to {high - 1}" for low, high in pairwise(edges)]
    figure: Drawing = (
        alt.Chart(frame)
        .mark_bar(color="#5b8db8")
        .encode(
            x=alt.X("from:Q", title="first differing token (from 0)", bin="binned"),
            x2="to:Q",
            y=alt.Y("questions:Q", title="questions"),
            tooltip=["tokens:N", "questions:Q"],
        )
        .properties(width=HALF, height=200)
    )
    return figure


def survival_figure(found: DivergenceSummary) -> Drawing:
    """Kaplan–Meier: the share of questions still equal behind each token; equal pairs leave at their own length."""
    first = pd.DataFrame([{"token": 0, "equal": 1.0, "at risk": found.diverged + found.censored}])
    frame = pd.DataFrame([{"token": s.token + 1, "equal": s.still_equal, "at risk": s.at_risk} for s in found.survival])
    figure: Drawing = (
        alt.Chart(pd.concat([first, frame], ignore_index=True))
        .mark_line(interpolate="step-after", color="#0072b2", point=alt.OverlayMarkDef(size=12, opacity=0.5))
        .encode(
            x=alt.X("token:Q", title="output tokens"),
            y=alt.Y("equal:Q", title="still equal", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
            tooltip=["token:Q", alt.Tooltip("equal:Q", format=".1%"), "at risk:Q"],
        )
        .properties(width=HALF, height=200)
    )
    return figure


def gap_histogram(ties: Sequence[NearTie]) -> Drawing:
    """Gaps of both sides and swings at the first divergence, on a logarithmic scale of nats; exact zeros stand left."""
    gaps = [gap for tie in ties for gap in (tie.gap_a, tie.gap_b) if gap is not None]
    swings = [abs(tie.swing) for tie in ties if tie.swing is not None]
    top = max([*gaps, *swings, 1.0])
    edges = np.concatenate([[0], np.geomspace(EDGE, top * 1.001, 22)])
    rows = []
    for what, values in (("gap (both sides)", gaps), ("swing", swings)):
        counts, _ = np.histogram(values, bins=edges)
        rows += [
            {"what": what, "from": max(low, EDGE / 2), "to": high, "count": int(n), "range": _range(low, high)}
            for low, high, n in zip(edges[:-1], edges[1:], counts, strict=True)
        ]
    frame = pd.DataFrame(rows, columns=["what", "from", "to", "count", "range"])
    figure: Drawing = (
        alt.Chart(frame)
        .mark_rect(opacity=0.6)
        .encode(
            x=alt.X(
                "from:Q", title=f"nats (left-most bar: below {EDGE:g}, exact ties among them)", scale=alt.Scale(type="log")
            ),
            x2="to:Q",
            y=alt.Y("count:Q", title="count"),
            y2=alt.datum(0),
            color=alt.Color(
                "what:N", title=None, legend=alt.Legend(orient="top"), scale=alt.Scale(range=["#0072b2", "#e69f00"])
            ),
            tooltip=["what:N", alt.Tooltip("range:N", title="nats"), "count:Q"],
        )
        .properties(height=210)
    )
    return figure


def _range(low: float, high: float) -> str:
    return f"{low:.3g} to {high:.3g}"
