"""How soon outputs part: restricted mean first divergence of one group of run pairs over that of another.

The median over diverged pairs leaves out the equal ones, most of a good study, and so cannot see that fewer stay equal.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from store.analysis.interval import Target
from store.analysis.panel import FloatArray, IntArray

ASSUMES = "questions are independent; deployments exchangeable within a side"
NEEDS_BASELINE, NEEDS_CANDIDATE = 3, 2


@dataclass(frozen=True, slots=True)
class Partings:
    """First divergences of pair-questions, arrays of one length.

    question, left, right: position of the question and of the pair's two runs within their side. time: first differing
    token, or the length of two equal outputs. parted: whether they differ; the others are censored there.
    """

    question: IntArray
    left: IntArray
    right: IntArray
    time: IntArray
    parted: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MeanRatio:
    """cross / within: mean tokens to the first divergence, up to the horizon, in each group and their ratio with its bounds.

    low, high: one-sided at alpha each; null where deployments are too few for the target (see `mean_ratio`).
    """

    cross: float
    within: float
    ratio: float
    low: float | None
    high: float | None
    target: Target
    method: str
    assumes: str


def observed_until(group: Partings) -> int:
    """The last token at which some pair-question of the group is still watched; −1 without one."""
    return int(group.time.max(initial=-1))


def restricted_mean(group: Partings, horizon: int) -> float:
    """Kaplan–Meier mean of min(first divergence, horizon): the sum over t < horizon of the share still equal behind t."""
    return float(_means(*(counts.sum(axis=0, keepdims=True) for counts in _counts(group, group.question, horizon)))[0])


def mean_ratio(
    cross: Partings, within: Partings, sides: tuple[int, int], horizon: int, alpha: float, target: Target
) -> MeanRatio:
    """Ratio of restricted means with one-sided bounds `ratio ± q·se`.

    cross: pairs of a baseline run (left) and a candidate run (right). within: pairs of baseline runs. sides: how many runs
    each has. se: the larger of two jackknives, by question (normal) and by deployment of either side (t, degrees of freedom
    of the smaller side). Fixed questions need the second, which needs 3 baseline and 2 candidate deployments; new questions
    go without it where there are fewer. Raises ValueError when baseline pairs all part at once, so that there is no ratio.
    """
    a, b = restricted_mean(cross, horizon), restricted_mean(within, horizon)
    if b == 0:
        raise ValueError("baseline pairs all part at the first token")
    by_question = _half_by_question(cross, within, horizon, alpha)
    by_run = _half_by_run(cross, within, sides, horizon, alpha)
    enough = by_run is not None or target == "new questions"
    half = max(by_question, by_run or 0.0) if enough else math.inf
    used = "by question" if by_run is None else "by question and by deployment, the wider"
    return MeanRatio(
        cross=a,
        within=b,
        ratio=a / b,
        low=a / b - half if math.isfinite(half) else None,
        high=a / b + half if math.isfinite(half) else None,
        target=target,
        method=f"jackknife {used}",
        assumes=ASSUMES,
    )


def _counts(group: Partings, by: IntArray, horizon: int) -> tuple[IntArray, IntArray]:
    """(parted at t, still watched at t), each of shape (groups of `by`, horizon)."""
    size = int(by.max(initial=-1)) + 1
    parted = np.zeros((size, horizon), dtype=np.int64)
    inside = group.parted & (group.time < horizon)
    np.add.at(parted, (by[inside], group.time[inside]), 1)
    ends = np.zeros((size, horizon + 1), dtype=np.int64)
    np.add.at(ends, (by, np.minimum(group.time, horizon)), 1)
    watched = ends[:, ::-1].cumsum(axis=1)[:, ::-1][
        :, :horizon
    ]  # an equal pair is watched at its end too, where one could go on
    return parted, watched


def _means(parted: IntArray, watched: IntArray) -> FloatArray:
    """Restricted mean of each row of counts."""
    stay = 1 - np.divide(parted, watched, out=np.zeros(parted.shape), where=watched > 0)
    means: FloatArray = stay.cumprod(axis=1).sum(axis=1)
    return means


def _leaving_out(group: Partings, by: IntArray, size: int, horizon: int) -> FloatArray:
    """Restricted mean without each value of `by`, shape (size,)."""
    parted, watched = (np.pad(c, ((0, size - len(c)), (0, 0))) for c in _counts(group, by, horizon))
    return _means(parted.sum(axis=0) - parted, watched.sum(axis=0) - watched)


def _half_by_question(cross: Partings, within: Partings, horizon: int, alpha: float) -> float:
    size = max(int(group.question.max(initial=-1)) + 1 for group in (cross, within))
    left = _ratio(*(_leaving_out(group, group.question, size, horizon) for group in (cross, within)))
    return float(stats.norm.ppf(1 - alpha)) * float(np.sqrt(_variance(left)))


def _half_by_run(cross: Partings, within: Partings, sides: tuple[int, int], horizon: int, alpha: float) -> float | None:
    if sides[0] < NEEDS_BASELINE or sides[1] < NEEDS_CANDIDATE:
        return None
    whole = restricted_mean(within, horizon)
    candidates = _leaving_out(cross, cross.right, sides[1], horizon) / whole
    # a baseline run is in pairs of both groups, and on either end of those within
    inner = np.array([restricted_mean(_without(within, run), horizon) for run in range(sides[0])])
    baselines = _ratio(_leaving_out(cross, cross.left, sides[0], horizon), inner)
    freedom = min(sides) - 1
    return float(stats.t.ppf(1 - alpha, freedom)) * float(np.sqrt(_variance(candidates) + _variance(baselines)))


def _without(group: Partings, run: int) -> Partings:
    kept = (group.left != run) & (group.right != run)
    return Partings(group.question[kept], group.left[kept], group.right[kept], group.time[kept], group.parted[kept])


def _ratio(a: FloatArray, b: FloatArray) -> FloatArray:
    """a / b where b is above 0; elsewhere b was emptied by leaving something out, and the ratio is not known."""
    ratio: FloatArray = np.divide(a, b, out=np.full(a.shape, np.nan), where=b > 0)
    return ratio


def _variance(left: FloatArray) -> float:
    """Jackknife variance `(n−1)/n · Σ (θ_−i − mean)²`; infinite where leaving one out leaves no ratio."""
    n = len(left)
    return float("inf") if np.isnan(left).any() else float((n - 1) / n * np.square(left - left.mean()).sum())
