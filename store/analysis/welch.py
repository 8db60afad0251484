"""Difference of two cells' accuracies on fixed questions: Welch on run accuracies."""

import math

import numpy as np
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from store.analysis.interval import Interval, PValue, around

ASSUMES = "deployments are exchangeable within a cell"
_METHOD = "Welch on run accuracies"


def welch(a: tuple[int, ...], b: tuple[int, ...], of: int, level: float) -> tuple[Interval, PValue] | None:
    """Interval and p-value of mean(b) − mean(a), one count of correct answers per deployment, each out of `of`.

    A cell without spread (equal counts in all its runs) is taken at its word: the degrees of freedom come from
    the other. Null with fewer than two deployments on a side, or without spread on both: then nothing is known
    of the variance.
    """
    if min(len(a), len(b)) < 2 or not of or (len(set(a)) == 1 and len(set(b)) == 1):
        return None
    # counts, not rates: equal ones have a variance of exactly 0
    means = CompareMeans(*(DescrStatsW(np.array(side, dtype=np.float64)) for side in (b, a)))
    low, high = means.tconfint_diff(alpha=1 - level, usevar="unequal")
    _, p, df = means.ttest_ind(usevar="unequal")
    if math.isnan(p):
        return None
    method = f"{_METHOD}, {float(df):.1f} degrees of freedom"
    return (
        around(float(low + high) / 2 / of, float(high - low) / 2 / of, level, "fixed questions", method, ASSUMES),
        PValue(float(p), _METHOD, "fixed questions", ASSUMES),
    )
