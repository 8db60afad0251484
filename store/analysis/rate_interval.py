"""Interval of a rate over run pairs, clustered by question.

Pair-questions are never the sample size: they share runs (METHOD: intervals).
"""

import numpy as np
from scipy import stats

from store.analysis.interval import Interval
from store.analysis.panel import IntArray

ASSUMES = "questions are independent; conservative for these questions at five deployments and more"


def clustered_interval(counts: IntArray, of: IntArray, level: float) -> Interval | None:
    """Interval of `Σ counts / Σ of`, both of shape (questions,), each question being one cluster.

    `f ± z·se`, `se = sqrt(n/(n−1) · Σ (counts − f·of)²) / Σ of` over the n questions with of > 0; with equal
    `of` this is `sd(counts/of)/sqrt(n)`. Cut at 0 and 1. Null with fewer than two such questions, and where all have
    the same rate, nothing and everything among it: a spread of zero is no knowledge, see `zero_events`.
    """
    asked = of > 0
    n, whole, part = int(asked.sum()), int(of.sum()), int(counts.sum())
    if n < 2 or part in (0, whole):
        return None
    rate = part / whole
    residual = counts[asked] - rate * of[asked]
    se = float(np.sqrt(n / (n - 1) * np.sum(residual**2))) / whole
    if se == 0:
        return None
    half = float(stats.norm.ppf(0.5 + level / 2)) * se
    return Interval(
        max(0.0, rate - half), min(1.0, rate + half), level, "fixed questions", "normal, clustered by question", ASSUMES
    )
