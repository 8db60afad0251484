"""How many unstable questions a cell has not shown yet.

A question's minority verdict is a species and a deployment a sampling unit. q1 and q2 are the unstable
questions with one and two minority verdicts. Only questions scored in every run enter.
"""

from dataclasses import dataclass

import numpy as np

from store.analysis.stability import Stability

CHAO2_NEEDS = 4
RICHNESS_ASSUMES = "deployments of a cell are exchangeable; a lower bound, also for folded minority counts"
NEXT_ASSUMES = "deployments of a cell are exchangeable; Good–Turing, too high at three deployments in simulation"


@dataclass(frozen=True, slots=True)
class Richness:
    """Lower bound of the unstable questions, and how many new ones the next deployment is expected to show.

    observed: unstable questions, also those that some run has no verdict on. q1, q2: over `of` questions scored in
    every run; what is not seen yet is estimated from them. chao2: null with fewer than 4 deployments, where every
    unstable question is a singleton. expected_next: null with fewer than 2. Both are null when none of the `of`
    questions is unstable: there is nothing to extrapolate from, and `zero_events` says what that is worth.
    """

    observed: int
    of: int
    q1: int
    q2: int
    chao2: float | None
    expected_next: float | None


def richness(found: Stability) -> Richness:
    """Chao2 `S + (m−1)/m · q1²/(2·q2)` and Good–Turing `q1/m` (METHOD: how many fragile questions are missing).

    With four deployments q2 is doubled, since a 2–2 split has two minorities and is seen once. Without
    doubletons the bias-corrected form `q1·(q1−1)/2` stands in (Chao 1987).
    """
    m = found.runs
    minority = np.minimum(found.right, m - found.right)[found.complete]
    seen, q1, q2 = (int(n) for n in ((minority > 0).sum(), (minority == 1).sum(), (minority == 2).sum()))
    observed = int(found.unstable.sum())
    return Richness(
        observed=observed,
        of=int(found.complete.sum()),
        q1=q1,
        q2=q2,
        chao2=chao2(observed, q1, 2 * q2 if m == CHAO2_NEEDS else q2, m) if seen and m >= CHAO2_NEEDS else None,
        expected_next=q1 / m if seen and m >= 2 else None,
    )


def chao2(observed: int, q1: int, q2: int, units: int) -> float:
    """`observed + (units−1)/units · q1²/(2·q2)`, or `· q1·(q1−1)/2` when q2 is 0."""
    unseen = q1 * q1 / (2 * q2) if q2 else q1 * (q1 - 1) / 2
    return observed + (units - 1) / units * unseen
