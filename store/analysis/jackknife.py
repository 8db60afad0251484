"""Interval of a pairwise rate by leaving out one deployment at a time."""

import numpy as np
from scipy import stats

from store.analysis.interval import Interval
from store.analysis.panel import IntArray

ASSUMES = "deployments are exchangeable"
NEEDS = 3


def run_jackknife(counts: IntArray, of: IntArray, level: float) -> Interval | None:
    """Interval from symmetric (runs, runs) counts over pairs.

    `f ± t(m−1)·se`, `se = sqrt((m−1)/m · Σ (f_−r − mean f_−r)²)`, f_−r being the rate without run r. A check
    beside the question-clustered interval. Null with fewer than three runs or when nothing is counted.
    """
    runs = len(counts)
    off = ~np.eye(runs, dtype=bool)
    part, whole = (np.where(off, matrix, 0).sum(axis=1) for matrix in (counts, of))
    if runs < NEEDS or not part.sum():
        return None
    # every pair stands twice in the sums, and run r is in part[r] of them
    left_part, left_whole = part.sum() / 2 - part, whole.sum() / 2 - whole
    if (left_whole <= 0).any():
        return None
    left = left_part / left_whole
    rate = part.sum() / whole.sum()
    se = np.sqrt((runs - 1) / runs * np.sum((left - left.mean()) ** 2))
    half = float(stats.t.ppf(0.5 + level / 2, runs - 1) * se)
    low, high = max(0.0, float(rate) - half), min(1.0, float(rate) + half)
    return Interval(low, high, level, "fixed questions", "delete-one-run jackknife, t", ASSUMES)
