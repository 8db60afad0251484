"""Two cells against each other: flips between them, the floor they have anyway, and the excess above it."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from store.analysis.interval import Interval, around
from store.analysis.panel import BoolArray, IntArray
from store.analysis.stability import Stability

ASSUMES = "questions are independent; deployments exchangeable within a cell"


@dataclass(frozen=True, slots=True)
class CrossFlips:
    """flips of `of` pair-questions over all run pairs between two cells; `differing`: mask of shape (questions,).

    floor: mean of the cells' own flip rates, excess: rate − floor; both null when a cell has one deployment.
    """

    flips: int
    of: int
    rate: float | None
    floor: float | None
    excess: float | None
    excess_interval: Interval | None
    differing: BoolArray


def cross_flips(a: Stability, b: Stability, level: float) -> CrossFlips:
    """Cross-cell flips, `Σ_q k_A(s_B − k_B) + (s_A − k_A)k_B` over `Σ_q s_A·s_B` (METHOD: cross-cell flips).

    The floor is taken on the same questions: those with a verdict in both cells.
    """
    both = (a.scored > 0) & (b.scored > 0)
    a, b = a.where(both), b.where(both)
    counts = a.right * (b.scored - b.right) + (a.scored - a.right) * b.right
    of = a.scored * b.scored
    part, whole = int(counts.sum()), int(of.sum())
    rate = part / whole if whole else None
    own = [own_rate(cell) for cell in (a, b)]
    floor = None if own[0] is None or own[1] is None else (own[0] + own[1]) / 2
    known = rate is not None and floor is not None
    return CrossFlips(
        flips=part,
        of=whole,
        rate=rate,
        floor=floor,
        excess=rate - floor if rate is not None and floor is not None else None,
        excess_interval=_excess_interval(a, b, counts, of, level) if known else None,
        differing=np.asarray(counts > 0),
    )


def own_flips(cell: Stability) -> tuple[IntArray, IntArray]:
    """(flips, scored run pairs) of each question within one cell: `k(s−k)` and `s(s−1)/2`; shape (questions,)."""
    return cell.right * (cell.scored - cell.right), cell.scored * (cell.scored - 1) // 2


def own_rate(cell: Stability) -> float | None:
    """Flip rate of one cell over its scored pair-questions; null without one, as with a single deployment."""
    counts, of = own_flips(cell)
    return float(counts.sum() / of.sum()) if of.sum() else None


def _excess_interval(a: Stability, b: Stability, counts: IntArray, of: IntArray, level: float) -> Interval | None:
    """Clustered by question: each question adds its own excess, with the rates as ratios of sums.

    Linearised: `(c − r·of)/mean(of)` for the cross rate, less half of the same for each cell's own. Null when
    no question varies.
    """
    parts = [(counts, of, 1.0), (*own_flips(a), -0.5), (*own_flips(b), -0.5)]
    n = len(counts)
    influence = np.zeros(n)
    excess = 0.0
    for part, whole, sign in parts:
        rate = float(part.sum() / whole.sum())
        excess += sign * rate
        influence += sign * (part - rate * whole) / whole.mean()
    if n < 2 or not influence.any():
        return None
    half = float(stats.norm.ppf(0.5 + level / 2) * influence.std(ddof=1) / np.sqrt(n))
    return around(excess, half, level, "fixed questions", "normal, clustered by question", ASSUMES)
