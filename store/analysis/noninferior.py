"""One-sided bounds of an accuracy difference, for "not worse by a margin or more"."""

import math

import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from store.analysis.cross import own_rate
from store.analysis.interval import Interval, Target, around
from store.analysis.paired import paired_by_question
from store.analysis.stability import stability
from store.analysis.tango import tango_interval
from store.analysis.verdicts import VerdictArray
from store.analysis.welch import welch

FLIPS_ASSUME = "verdicts flip independently of each other"


def difference_bounds(a: VerdictArray, b: VerdictArray, alpha: float, target: Target) -> Interval | None:
    """Lower and upper bound of mean(b) − mean(a), each one-sided at `alpha`, so together of level 1 − 2·alpha.

    a, b: verdicts of shape (runs, questions), all of them correct or incorrect. Fixed questions: Welch on run accuracies;
    where neither side has spread, `d ± z·sqrt(Σ u(1 − u)/(n·m))` over both, u being the exact upper bound of how often a
    verdict is not the one its question usually has: no flip seen is not no noise. New questions: paired by
    question; Tango with one run each, and where all means are equal. Null without a question, and for fixed questions with
    one run on a side.
    """
    level, n = 1 - 2 * alpha, a.shape[1]
    if not n:
        return None
    if target == "new questions":
        paired = None if len(a) == len(b) == 1 else paired_by_question(a.mean(axis=0), b.mean(axis=0), level)
        return paired[0] if paired else _single_runs(a, b, level)
    if min(len(a), len(b)) < 2:
        return None
    found = welch(_right(a), _right(b), n, level)
    return found[0] if found else _from_flips(a, b, alpha)


def noise_rate(verdicts: VerdictArray, alpha: float) -> float | None:
    """The flip rate of a side for a plan: as seen, or 2u(1 − u) where no flip was; null with one run."""
    seen = own_rate(stability(verdicts))
    return seen if seen is None or seen > 0 else 2 * _most_spread(verdicts, alpha)


def _single_runs(a: VerdictArray, b: VerdictArray, level: float) -> Interval | None:
    """Tango's interval where each side has one verdict per question."""
    if (a != a[0]).any() or (b != b[0]).any():
        return None
    return tango_interval(int((b[0] > a[0]).sum()), int((a[0] > b[0]).sum()), a.shape[1], level)


def _right(verdicts: VerdictArray) -> tuple[int, ...]:
    return tuple(int(row.sum()) for row in verdicts)


def _from_flips(a: VerdictArray, b: VerdictArray, alpha: float) -> Interval:
    """Both sides have one count in all their runs: what may vary are the verdicts behind it."""
    variance = sum(_most_spread(side, alpha) / side.size for side in (a, b))
    half = float(stats.norm.ppf(1 - alpha)) * math.sqrt(variance)
    value = float(b.mean() - a.mean())
    return around(value, half, 1 - 2 * alpha, "fixed questions", "exact bound of unusual verdicts, normal", FLIPS_ASSUME)


def _most_spread(verdicts: VerdictArray, alpha: float) -> float:
    """Upper bound of p(1 − p), p being how often a verdict is not its question's usual one: never 0 from a finite number."""
    right = verdicts.sum(axis=0, dtype=np.int64)
    unusual = int(np.minimum(right, len(verdicts) - right).sum())
    _, most = proportion_confint(unusual, verdicts.size, alpha=2 * alpha, method="beta")
    return min(float(most), 0.5) * (1 - min(float(most), 0.5))
