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

    def where(self, kept: npt.NDArray[np.bool_]) -> "Partings":
        """Some of the pair-questions."""
        question, left, right, time = (column[kept] for column in (self.question, self.left, self.right, self.time))
        return Partings(question, left, right, time, self.parted[kept])


@dataclass(frozen=True, slots=True)
class MeanRatio:
    """cross / within: mean tokens to the first divergence, up to the horizon, in each group and their ratio with its bounds.

    low, high: one-sided at alpha each; null where nothing bounds it, with `why`.
    """

    cross: float
    within: float
    ratio: float
    low: float | None
    high: float | None
    why: str
    target: Target
    method: str
    assumes: str


def watched_until(group: Partings) -> int:
    """The last token at which some pair-question of the group is still watched; −1 without one."""
    return int(group.time.max(initial=-1))


def is_known(group: Partings, horizon: int) -> bool:
    """Whether the mean up to the horizon is known: some pair is watched up to it, or all have parted before."""
    until = watched_until(group)
    return until >= horizon - 1 or (until >= 0 and bool(group.parted[group.time == until].all()))


def restricted_mean(group: Partings, horizon: int) -> float:
    """Kaplan–Meier mean of min(first divergence, horizon): the sum over t < horizon of the share still equal behind t.

    NaN without a pair-question.
    """
    counts = _counts(group, np.zeros_like(group.question), 1, horizon)
    return float(_means(*counts)[0])


def mean_ratio(
    cross: Partings, within: Partings, sides: tuple[int, int], horizon: int, limit: float, alpha: float, target: Target
) -> MeanRatio:
    """Ratio of restricted means with one-sided bounds `ratio ± q·se`.

    cross: pairs of a baseline run (left) and a candidate run (right). within: pairs of baseline runs. sides: how many runs
    each has. limit: the ratio that is tested. se: the larger of two jackknives, by question (normal) and by deployment of
    either side (t, degrees of freedom of the smaller side). Fixed questions need the second, which needs 3 baseline and 2
    candidate deployments; new questions go without it where there are fewer. The variance by question is at least
    limit·(1 − limit)/n: a ratio of the limit brings that by itself where questions part at once or not at all, and few that
    part, seen few by luck, would otherwise look precise. Raises ValueError when baseline pairs all part at once, so that there
    is no ratio.
    """
    a, b = restricted_mean(cross, horizon), restricted_mean(within, horizon)
    if b == 0:
        raise ValueError("baseline pairs all part at the first token")
    asked = np.unique(np.concatenate([cross.question, within.question]))
    by_question = _half_by_question(cross, within, asked, horizon, limit, alpha)
    by_run = _half_by_run(cross, within, sides, horizon, alpha)
    why = _why_unbounded(by_question, by_run, target, len(asked))
    used = "by question" if by_run is None else "by question and by deployment, the wider"
    method = f"jackknife {used}, at least the spread of the limit"
    if why:
        return MeanRatio(a, b, a / b, None, None, why, target, method, ASSUMES)
    half = max(by_question, by_run or 0.0)
    return MeanRatio(a, b, a / b, a / b - half, a / b + half, "", target, method, ASSUMES)


def _why_unbounded(by_question: float, by_run: float | None, target: Target, questions: int) -> str:
    """Why there are no bounds; empty where there are."""
    if by_run is None and target == "fixed questions":
        return f"bounds need ≥ {NEEDS_BASELINE} baseline and {NEEDS_CANDIDATE} candidate deployments"
    if questions < 2:
        return "one question has no spread"
    if math.isinf(by_question):
        return "the ratio rests on a single question"
    return "the ratio rests on a single deployment" if by_run is not None and math.isinf(by_run) else ""


def _counts(group: Partings, by: IntArray, size: int, horizon: int) -> tuple[IntArray, IntArray]:
    """(parted at t, still watched at t), each of shape (size, horizon): for each value of `by`, 0 to size − 1."""
    parted = np.zeros((size, horizon), dtype=np.int64)
    inside = group.parted & (group.time < horizon)
    np.add.at(parted, (by[inside], group.time[inside]), 1)
    ends = np.zeros((size, horizon + 1), dtype=np.int64)
    np.add.at(ends, (by, np.minimum(group.time, horizon)), 1)
    # an equal pair is watched at its end too, where one of the two could have gone on
    return parted, ends[:, ::-1].cumsum(axis=1)[:, ::-1][:, :horizon]


def _means(parted: IntArray, watched: IntArray) -> FloatArray:
    """Restricted mean of each row of counts; NaN for a row without a pair-question."""
    stay = 1 - np.divide(parted, watched, out=np.zeros(parted.shape), where=watched > 0)
    means: FloatArray = np.where(watched[:, 0] > 0, stay.cumprod(axis=1).sum(axis=1), np.nan)
    return means


def _leaving_out(group: Partings, by: IntArray, size: int, horizon: int) -> FloatArray:
    """Restricted mean without each value of `by`, shape (size,)."""
    parted, watched = _counts(group, by, size, horizon)
    return _means(parted.sum(axis=0) - parted, watched.sum(axis=0) - watched)


def _half_by_question(cross: Partings, within: Partings, asked: IntArray, horizon: int, limit: float, alpha: float) -> float:
    places = [np.searchsorted(asked, group.question) for group in (cross, within)]
    left = [_leaving_out(g, at, len(asked), horizon) for g, at in zip((cross, within), places, strict=True)]
    variance = max(_variance(_ratio(left[0], left[1])), limit * (1 - limit) / len(asked))
    return float(stats.norm.ppf(1 - alpha)) * math.sqrt(variance)


def _half_by_run(cross: Partings, within: Partings, sides: tuple[int, int], horizon: int, alpha: float) -> float | None:
    if sides[0] < NEEDS_BASELINE or sides[1] < NEEDS_CANDIDATE:
        return None
    candidates = _leaving_out(cross, cross.right, sides[1], horizon) / restricted_mean(within, horizon)
    # a baseline run is in pairs of both groups, and on either end of those within
    inner = [restricted_mean(within.where((within.left != r) & (within.right != r)), horizon) for r in range(sides[0])]
    baselines = _ratio(_leaving_out(cross, cross.left, sides[0], horizon), np.array(inner))
    freedom = min(sides) - 1
    return float(stats.t.ppf(1 - alpha, freedom)) * math.sqrt(_variance(candidates) + _variance(baselines))


def _ratio(a: FloatArray, b: FloatArray) -> FloatArray:
    """a / b; NaN where b is 0 or nothing is left of either."""
    ratio: FloatArray = np.divide(a, b, out=np.full(a.shape, np.nan), where=b > 0)
    return ratio


def _variance(left: FloatArray) -> float:
    """Jackknife variance `(n−1)/n · Σ (θ_−i − mean)²`; infinite where leaving one out leaves no ratio."""
    n = len(left)
    if np.isnan(left).any():
        return math.inf
    return float((n - 1) / n * np.square(left - left.mean()).sum())
