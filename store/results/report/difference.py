"""The accuracy difference of two cells, with both targets and what the test was able to see."""

from dataclasses import replace

import numpy as np

from store.analysis.cross import own_rate
from store.analysis.detectable import detectable_difference, repeats_needed
from store.analysis.interval import Conventions, covers_zero
from store.analysis.mcnemar import exact_mcnemar
from store.analysis.multiple import adjusted
from store.analysis.paired import paired_by_question
from store.analysis.panel import FloatArray, Panel
from store.analysis.stability import stability
from store.analysis.tango import tango_interval
from store.analysis.verdicts import CORRECT, INCORRECT, VerdictArray
from store.analysis.welch import welch
from store.results.report.between_shape import Difference

T_PENALTY_UP_TO = 3
FIXED_SPREAD = 0.0
"""Variance over questions of the true difference, when the questions are fixed."""


def difference(a: Panel, b: Panel, plan: Conventions) -> Difference:
    """Accuracy of b less that of a, on the questions scored in every run of both."""
    base = np.logical_and.reduce([*(a.verdicts >= INCORRECT), *(b.verdicts >= INCORRECT)])
    n = int(base.sum())
    right_a, right_b = (_right(side.verdicts[:, base]) for side in (a, b))
    if n == 0:
        return _nothing(len(a.runs), len(b.runs))
    counts_a, counts_b = (tuple(int(row.sum()) for row in side) for side in (right_a, right_b))
    value = float(right_b.sum() / right_b.size - right_a.sum() / right_a.size)
    fixed = welch(counts_a, counts_b, n, plan.level)
    paired = paired_by_question(right_a.mean(axis=0), right_b.mean(axis=0), plan.level)
    ci_new, test = paired[0] if paired else None, fixed[1] if fixed else None
    if len(a.runs) == len(b.runs) == 1:
        gains, losses = int((right_b > right_a).sum()), int((right_a > right_b).sum())
        ci_new, test = tango_interval(gains, losses, n, plan.level), exact_mcnemar(losses, gains)
    rate_a, rate_b = own_rate(stability(a.verdicts[:, base])), own_rate(stability(b.verdicts[:, base]))
    mde = needed = None
    if rate_a is not None and rate_b is not None and rate_a + rate_b > 0:
        mde = detectable_difference(rate_a, rate_b, len(a.runs), len(b.runs), n, FIXED_SPREAD, plan)
        needed = with_t_penalty(repeats_needed(rate_a, rate_b, n, abs(value), FIXED_SPREAD, plan)) if value else None
    return Difference(
        value=value,
        mean_a=float(right_a.mean()),
        mean_b=float(right_b.mean()),
        questions=n,
        deployments_a=len(a.runs),
        deployments_b=len(b.runs),
        ci_fixed=fixed[0] if fixed else None,
        ci_new=ci_new,
        mde=mde,
        needed=needed,
        resolved=None if mde is None or fixed is None else abs(value) >= mde and not covers_zero(fixed[0]),
        test=test.test if test else None,
        p=test.p if test else None,
        p_holm=None,
        p_bh=None,
    )


def with_t_penalty(repeats: int | None) -> int | None:
    """One more at three or fewer: the plan's normal quantiles are too kind to a t with so few degrees of freedom."""
    return repeats + 1 if repeats is not None and repeats <= T_PENALTY_UP_TO else repeats


def _nothing(runs_a: int, runs_b: int) -> Difference:
    """No question is scored in every run of both: nothing can be said."""
    return Difference(
        value=None,
        mean_a=None,
        mean_b=None,
        questions=0,
        deployments_a=runs_a,
        deployments_b=runs_b,
        ci_fixed=None,
        ci_new=None,
        mde=None,
        needed=None,
        resolved=None,
        test=None,
        p=None,
        p_holm=None,
        p_bh=None,
    )


def adjust(found: list[Difference]) -> list[Difference]:
    """The same differences with p-values adjusted over all of them that have one."""
    p_values = iter(adjusted([one.p for one in found if one.p is not None]))
    return [one if one.p is None else _with(one, *((a := next(p_values)).holm, a.bh)) for one in found]


def _with(one: Difference, holm: float, bh: float) -> Difference:
    return replace(one, p_holm=holm, p_bh=bh)


def _right(verdicts: VerdictArray) -> FloatArray:
    right: FloatArray = (verdicts == CORRECT).astype(np.float64)
    return right
