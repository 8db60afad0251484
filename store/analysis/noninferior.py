"""One-sided bounds of an accuracy difference, for "not worse by a margin or more"."""

import math

import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from store.analysis.cross import own_rate
from store.analysis.interval import Interval, Target, around
from store.analysis.paired import ASSUMES as QUESTIONS_ASSUME
from store.analysis.stability import stability
from store.analysis.tango import tango_interval
from store.analysis.verdicts import VerdictArray
from store.analysis.welch import welch

FLIPS_ASSUME = "verdicts flip independently of each other"


def difference_bounds(a: VerdictArray, b: VerdictArray, margin: float, alpha: float, target: Target) -> Interval | None:
    """Lower and upper bound of mean(b) − mean(a), each one-sided at `alpha`, so together of level 1 − 2·alpha.

    a, b: verdicts of shape (runs, questions), all of them correct or incorrect. margin: a fraction. Fixed questions: Welch
    on run accuracies; where neither side has spread, `d ± z·sqrt(Σ u(1 − u)/(n·m))` over both, u being the exact upper bound
    at alpha of how often a verdict is not its question's usual one: no flip seen is not no noise. New questions: Tango where
    no verdict flips within either side, since copies of a run tell nothing new of questions; else
    `d ± z·sqrt(max(s², margin·(1 − margin))/n)`, s² the variance over questions of the difference of means: a difference of
    the margin brings that much by itself, and few losses, seen few by luck, would otherwise look precise. Null without a
    question, and for fixed questions with one run on a side.
    """
    level, n = 1 - 2 * alpha, a.shape[1]
    if not n:
        return None
    if target == "new questions":
        if (a == a[0]).all() and (b == b[0]).all():
            return tango_interval(int((b[0] > a[0]).sum()), int((a[0] > b[0]).sum()), n, level)
        return _by_question(a, b, margin, alpha)
    if min(len(a), len(b)) < 2:
        return None
    found = welch(_right(a), _right(b), n, level)
    return found[0] if found else _from_flips(a, b, alpha)


def spread_over_questions(a: VerdictArray, b: VerdictArray) -> float:
    """Variance over questions of the difference of means; 0 with fewer than two."""
    difference = b.mean(axis=0) - a.mean(axis=0)
    return float(difference.var(ddof=1)) if len(difference) > 1 else 0.0


def least_spread(margin: float) -> float:
    """Variance over questions that a difference of the margin has at least, one in which every change is a verdict lost."""
    return margin * (1 - margin)


def repeats_for_new_questions(a: VerdictArray, b: VerdictArray, margin: float, alpha: float, power: float) -> int | None:
    """Least number of deployments per side with which two equally good sides pass, on as many new questions.

    Least m with `z(1−α)·sqrt(max(v, floor)/n) + z(power)·sqrt(v/n) ≤ margin`, v = ω² + (f_A + f_B)/(2m) the variance that m
    deployments leave. Null with one run on a side, and when no number up to `MOST` does.
    """
    flips = [own_rate(stability(side)) for side in (a, b)]
    if flips[0] is None or flips[1] is None:
        return None
    noise, n = (flips[0] + flips[1]) / 2, a.shape[1]
    true = max(0.0, spread_over_questions(a, b) - flips[0] / (2 * len(a)) - flips[1] / (2 * len(b)))
    floor = least_spread(margin)
    size, chance = (float(stats.norm.ppf(q)) for q in (1 - alpha, power))
    left = true + noise / np.arange(1, MOST + 1)
    enough = size * np.sqrt(np.maximum(left, floor) / n) + chance * np.sqrt(left / n) <= margin
    return int(enough.argmax()) + 1 if enough.any() else None


MOST = 10_000
"""Deployments per side beyond which a plan is none."""


def noise_rate(verdicts: VerdictArray, alpha: float) -> float | None:
    """The flip rate of a side for a plan: as seen, or 2u(1 − u) where no flip was; null with one run."""
    seen = own_rate(stability(verdicts))
    return seen if seen is None or seen > 0 else 2 * _most_spread(verdicts, alpha)


def _by_question(a: VerdictArray, b: VerdictArray, margin: float, alpha: float) -> Interval:
    n = a.shape[1]
    variance = max(spread_over_questions(a, b), least_spread(margin))
    half = float(stats.norm.ppf(1 - alpha)) * math.sqrt(variance / n)
    value = float(b.mean() - a.mean())
    method = "paired by question, at least the spread of the margin, normal"
    return around(value, half, 1 - 2 * alpha, "new questions", method, QUESTIONS_ASSUME)


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
