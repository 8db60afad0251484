"""Difference of two cells' accuracies for questions like these: paired by question (Miller 2024)."""

import numpy as np
from scipy import stats

from store.analysis.interval import Interval, PValue, around
from store.analysis.panel import FloatArray

ASSUMES = "questions are a random sample and independent of each other"
_METHOD = "paired by question"


def paired_by_question(a: FloatArray, b: FloatArray, level: float) -> tuple[Interval, PValue] | None:
    """Interval and p-value of mean(b − a) from each question's mean verdict over the runs of a cell.

    `d ± z·sd(b − a)/sqrt(n)`: question sampling and averaged deployment noise together. Null with fewer than
    two questions or when all differ alike: a spread of zero is no knowledge.
    """
    difference = b - a
    n = len(difference)
    if n < 2 or float(np.ptp(difference)) == 0:
        return None
    se = float(difference.std(ddof=1)) / np.sqrt(n)
    mean = float(difference.mean())
    half = float(stats.norm.ppf(0.5 + level / 2)) * float(se)
    p = 2 * float(stats.norm.sf(abs(mean) / se))
    return (
        around(mean, half, level, "new questions", f"{_METHOD}, normal", ASSUMES),
        PValue(p, _METHOD, "new questions", ASSUMES),
    )
