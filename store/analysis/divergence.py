"""First divergence of many pairs of outputs at once, and what it looks like over a cell."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from statsmodels.duration.survfunc import SurvfuncRight

from store.analysis.panel import IntArray

END = -1
"""Fills token rows behind the end of an output; no token id is negative."""

EQUAL = -1
"""First divergence of two equal outputs: there is none."""

TokenRows = npt.NDArray[np.int32]


def token_rows(outputs: Sequence[Sequence[int] | npt.NDArray[np.int32]]) -> TokenRows:
    """Outputs as one array of shape (outputs, longest), filled up with `END`."""
    rows = np.full((len(outputs), max((len(ids) for ids in outputs), default=0)), END, dtype=np.int32)
    for row, ids in zip(rows, outputs, strict=True):
        row[: len(ids)] = ids
    return rows


def first_divergences(a: TokenRows, b: TokenRows) -> IntArray:
    """0-based index of the first differing token of each row pair, shape (rows,); `EQUAL` where they are the same.

    Where one output is the beginning of the other it is the length of the shorter: the step at which one
    run stopped and the other went on.
    """
    if not a.shape[1]:
        return np.full(len(a), EQUAL, dtype=np.int64)
    differ = a != b
    at = differ.argmax(axis=1)
    # argmax gives 0 for rows without a difference
    return np.where(differ[np.arange(len(at)), at], at, EQUAL)


@dataclass(frozen=True, slots=True)
class SurvivalStep:
    """Kaplan–Meier: the share of pair-questions still equal behind `token`, and how many were at risk there."""

    token: int
    still_equal: float
    at_risk: int


@dataclass(frozen=True, slots=True)
class DivergenceSummary:
    """First divergence over `diverged` pair-questions; what did not diverge is censored and not in the median.

    median, q1, q3: 0-based token index over diverged pair-questions, null without one. censored: equal
    pair-questions, known only not to part before their end. input_mismatch: pair-questions with different
    prompts or tokenizers, which have no divergence. survival: the share still equal, censored ones at risk.
    """

    median: float | None
    q1: float | None
    q3: float | None
    diverged: int
    censored: int
    input_mismatch: int
    survival: tuple[SurvivalStep, ...]


def divergence_summary(at: IntArray, equal_until: IntArray, input_mismatch: int) -> DivergenceSummary:
    """Summary of the divergences `at`, with equal pairs censored at their length `equal_until`.

    Quartiles interpolate linearly.
    """
    q1, middle, q3 = (float(q) for q in np.percentile(at, [25, 50, 75])) if len(at) else (None, None, None)
    return DivergenceSummary(middle, q1, q3, len(at), len(equal_until), input_mismatch, survival(at, equal_until))


def survival(at: IntArray, equal_until: IntArray) -> tuple[SurvivalStep, ...]:
    """Survival curve of equality: divergences `at`, and equal pairs censored at their length `equal_until`."""
    if not len(at):
        return ()
    time = np.concatenate([at, equal_until])
    status = np.concatenate([np.ones(len(at)), np.zeros(len(equal_until))])
    # a divergence at token 0 is an event at time 0, which the estimator does not take: count steps from 1
    found = SurvfuncRight(time + 1, status)
    return tuple(
        SurvivalStep(int(step) - 1, float(share), int(risk))
        for step, share, risk in zip(found.surv_times, found.surv_prob, found.n_risk, strict=True)
    )
