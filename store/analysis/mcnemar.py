"""Exact McNemar test: two runs on the same questions."""

from statsmodels.stats.contingency_tables import mcnemar

from store.analysis.interval import PValue

ASSUMES = "questions are independent; speaks of these two runs, not of their configurations"


def exact_mcnemar(losses: int, gains: int) -> PValue:
    """p-value that gains and losses are equally likely; 1 when there is no flip at all.

    losses: questions correct only in the first run. gains: correct only in the second.
    """
    p = float(mcnemar([[0, losses], [gains, 0]], exact=True).pvalue) if losses + gains else 1.0
    return PValue(min(p, 1.0), "exact McNemar", "new questions", ASSUMES)
