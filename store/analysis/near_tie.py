"""How close a divergence was: gaps and swing at the first differing token, against the steps before it.

Differences are taken inside one run, where log-probabilities differ exactly as logits do. Values are
compared, never ranks: in an exact tie the greedy token may be listed second or third (METHOD: near tie).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from store.analysis.panel import FloatArray


class DivergenceClass(StrEnum):
    """What kind of step it was. The first class that fits counts, in this order.

    unknown: a side has no two candidates there, or its own token is not known. large-shift: a side's token is
    not among the other's candidates, or a gap is above the threshold that was asked for. exact-tie: a side's
    two best are equal. no-scale: nothing is shared before it that it could be judged by. near-tie: the swing
    is no larger than the largest change of a gap at an earlier step. moderate: it is larger than all of them.
    """

    UNKNOWN = "unknown"
    LARGE_SHIFT = "large-shift"
    EXACT_TIE = "exact-tie"
    NO_SCALE = "no-scale"
    NEAR_TIE = "near-tie"
    MODERATE = "moderate"


NOISE = 1e-5
"""Nats below which two changes count as equal: what a log-softmax in single precision adds to either."""


@dataclass(frozen=True, slots=True)
class Capture:
    """One output as generated: its tokens, a trailing stop included, and the candidates of each step.

    chosen: token ids. ids, logprobs: per step, in any order, natural logarithms. A step may be missing at the end.
    gaps: best less second-best log-probability of each step, by value; NaN with fewer than two candidates.
    """

    chosen: tuple[int, ...]
    ids: tuple[tuple[int, ...], ...]
    logprobs: tuple[tuple[float, ...], ...]
    gaps: FloatArray

    def value(self, step: int, token: int | None) -> float | None:
        """Log-probability of a token at a step; null when it is not among the candidates."""
        if token is None or not 0 <= step < len(self.ids) or token not in self.ids[step]:
            return None
        return self.logprobs[step][self.ids[step].index(token)]

    def token(self, step: int) -> int | None:
        """The token that was generated at a step."""
        return self.chosen[step] if step < len(self.chosen) else None

    def best_two(self, step: int) -> frozenset[int]:
        """Candidates as good as the second best; more than two in a tie."""
        if step >= len(self.ids) or len(self.ids[step]) < 2:
            return frozenset()
        second = sorted(self.logprobs[step], reverse=True)[1]
        return frozenset(t for t, value in zip(self.ids[step], self.logprobs[step], strict=True) if value >= second)


def capture(chosen: Sequence[int], ids: Sequence[Sequence[int]], logprobs: Sequence[Sequence[float]]) -> Capture:
    """A capture from candidates in any order."""
    gaps = np.full(len(logprobs), np.nan)
    for step, values in enumerate(logprobs):
        if len(values) >= 2:
            first, second = sorted(values, reverse=True)[:2]
            gap = first - second
            gaps[step] = gap if math.isfinite(gap) else math.nan  # values of a broken engine leave no gap
    return Capture(tuple(chosen), tuple(map(tuple, ids)), tuple(map(tuple, logprobs)), gaps)


@dataclass(frozen=True, slots=True)
class NearTie:
    """One divergence at token `at`. Null is not recorded. Nothing changes when the runs are swapped but the order.

    gap_a, gap_b: best less second best on either side. swing: how far the two tokens moved against each other,
    (A(a) − A(b)) + (B(b) − B(a)), a and b being what A and B generated. earlier: |gap_a − gap_b| at each
    earlier, shared step. in_top_two: whether each side's token is among the other's two best. smaller_steps,
    steps: of all steps of both outputs, those with a gap no larger than the smaller of the two; 0 of 0 without both.
    rank: of the mean of both gaps among those of the steps up to `at`, between 0 and 1, equal ones counted half;
    null at the first token.
    """

    at: int
    token_a: int | None
    token_b: int | None
    gap_a: float | None
    gap_b: float | None
    swing: float | None
    earlier: tuple[float, ...]
    in_top_two: bool | None
    smaller_steps: int
    steps: int
    rank: float | None
    kind: DivergenceClass


def near_tie(a: Capture, b: Capture, at: int, large_gap: float | None) -> NearTie:
    """The divergence of two outputs at `at`, their first differing token.

    large_gap: gap in nats above which a step is a large shift; null applies no such threshold.
    """
    gaps_a, gaps_b = a.gaps, b.gaps
    mine, theirs = a.token(at), b.token(at)
    gap_a, gap_b = _at(gaps_a, at), _at(gaps_b, at)
    margins = (a.value(at, mine), a.value(at, theirs), b.value(at, theirs), b.value(at, mine))
    swing = _swing(*margins)
    shared = min(at, len(gaps_a), len(gaps_b))
    changes = np.abs(gaps_a[:shared] - gaps_b[:shared])
    earlier = tuple(float(change) for change in changes[~np.isnan(changes)])
    every = np.concatenate([gaps_a, gaps_b])
    every = every[~np.isnan(every)]
    known = gap_a is not None and gap_b is not None and mine is not None and theirs is not None
    return NearTie(
        at=at,
        token_a=mine,
        token_b=theirs,
        gap_a=gap_a,
        gap_b=gap_b,
        swing=swing,
        earlier=earlier,
        in_top_two=theirs in a.best_two(at) and mine in b.best_two(at) if known else None,
        smaller_steps=int((every <= min(gap_a, gap_b)).sum()) if gap_a is not None and gap_b is not None else 0,
        steps=len(every) if gap_a is not None and gap_b is not None else 0,
        rank=_rank(gaps_a, gaps_b, at) if gap_a is not None and gap_b is not None and at > 0 else None,
        kind=_kind(known, swing, gap_a, gap_b, earlier, large_gap),
    )


def rank_fraction(up_to: Sequence[float] | FloatArray) -> float:
    """Rank of the last value among all, `(smaller + equal/2) / n`: uniform if the step is like any other."""
    values = np.asarray(up_to, dtype=np.float64)
    values = values[~np.isnan(values)]
    last = values[-1]
    return float(((values < last).sum() + (values == last).sum() / 2) / len(values))


def _swing(a_own: float | None, a_other: float | None, b_own: float | None, b_other: float | None) -> float | None:
    if a_own is None or a_other is None or b_own is None or b_other is None:
        return None
    swing = (a_own - a_other) + (b_own - b_other)
    return swing if math.isfinite(swing) else None


def _rank(gaps_a: FloatArray, gaps_b: FloatArray, at: int) -> float:
    """Rank over both sides together, so that it does not matter which run is called A."""
    return rank_fraction((gaps_a[: at + 1] + gaps_b[: at + 1]) / 2)


def exceeds_earlier(swing: float, earlier: Sequence[float]) -> bool:
    """Whether a swing is larger than every earlier change of a gap."""
    return swing > max(earlier) + NOISE


def _at(found: FloatArray, step: int) -> float | None:
    return None if step >= len(found) or np.isnan(found[step]) else float(found[step])


def _kind(
    known: bool, swing: float | None, gap_a: float | None, gap_b: float | None, earlier: tuple[float, ...], large: float | None
) -> DivergenceClass:
    if not known or gap_a is None or gap_b is None:
        return DivergenceClass.UNKNOWN
    if swing is None or (large is not None and max(gap_a, gap_b) > large):
        return DivergenceClass.LARGE_SHIFT
    if min(gap_a, gap_b) == 0:
        return DivergenceClass.EXACT_TIE
    if not earlier:
        return DivergenceClass.NO_SCALE
    return DivergenceClass.MODERATE if exceeds_earlier(swing, earlier) else DivergenceClass.NEAR_TIE
