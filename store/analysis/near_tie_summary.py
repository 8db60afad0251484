"""Near ties of many divergences together, and whether gaps there are smaller than elsewhere."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from store.analysis.near_tie import NearTie, exceeds_earlier

RANK_ASSUMES = "one divergence per question, so that they are independent; ranks at the first token are left out"


@dataclass(frozen=True, slots=True)
class RankTest:
    """One-sided Kolmogorov–Smirnov test of rank fractions against the uniform; p is null without a rank.

    A small p says that gaps at the divergence rank lower than gaps of other steps up to it.
    """

    n: int
    statistic: float | None
    p: float | None
    test: str
    assumes: str


@dataclass(frozen=True, slots=True)
class NearTieSummary:
    """`divergences` of which `recorded` have both tokens' log-probabilities on both sides.

    classes: divergences of each class; they add to `divergences`. gap: median and quartiles over both sides.
    swing: median. swing_above_earlier, judged: divergences whose swing exceeds every earlier change of a gap, of
    those with an earlier step. smaller_steps, steps: of all steps, those with a gap no larger (base rate). in_top_two, placed:
    divergences where each token is among the other side's two best, of those where that is known.
    """

    divergences: int
    recorded: int
    classes: dict[str, int]
    gap: tuple[float, float, float] | None
    swing: float | None
    earlier_change: float | None
    swing_above_earlier: int
    judged: int
    smaller_steps: int
    steps: int
    in_top_two: int
    placed: int
    rank_test: RankTest


def summarise(found: Sequence[NearTie], one_per_question: Sequence[NearTie]) -> NearTieSummary:
    """Summary of divergences; the rank test uses `one_per_question` only."""
    gaps = [gap for tie in found for gap in (tie.gap_a, tie.gap_b) if gap is not None]
    swings = [tie.swing for tie in found if tie.swing is not None]
    judged = [tie for tie in found if tie.swing is not None and tie.earlier]
    changes = [change for tie in found for change in tie.earlier]
    placed = [tie.in_top_two for tie in found if tie.in_top_two is not None]
    q1, middle, q3 = np.percentile(gaps, [25, 50, 75]) if gaps else (0.0, 0.0, 0.0)
    return NearTieSummary(
        divergences=len(found),
        recorded=len(swings),
        classes=dict(sorted(Counter(tie.kind.value for tie in found).items())),
        gap=(float(q1), float(middle), float(q3)) if gaps else None,
        swing=float(np.median(swings)) if swings else None,
        earlier_change=float(np.median(changes)) if changes else None,
        swing_above_earlier=sum(exceeds_earlier(tie.swing, tie.earlier) for tie in judged if tie.swing is not None),
        judged=len(judged),
        smaller_steps=sum(tie.smaller_steps for tie in found),
        steps=sum(tie.steps for tie in found),
        in_top_two=sum(placed),
        placed=len(placed),
        rank_test=rank_test([tie.rank for tie in one_per_question if tie.rank is not None]),
    )


def rank_test(fractions: Sequence[float]) -> RankTest:
    """`kstest(fractions, uniform, greater)`: is their distribution shifted towards 0?"""
    name = "one-sided Kolmogorov–Smirnov against the uniform"
    if not fractions:
        return RankTest(0, None, None, name, RANK_ASSUMES)
    found = stats.kstest(fractions, "uniform", alternative="greater")
    return RankTest(len(fractions), float(found.statistic), float(found.pvalue), name, RANK_ASSUMES)
