"""Unstable questions expected in fewer deployments, so that cells are compared at equal repeats."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import hypergeom

from store.analysis.stability import Stability


@dataclass(frozen=True, slots=True)
class Rarefied:
    """Unstable questions expected in `to` of the cell's deployments, out of `of` questions scored in every run."""

    to: int
    expected: float
    of: int


def rarefied(found: Stability, to: int) -> Rarefied | None:
    """`Σ_q 1 − [C(k, to) + C(m−k, to)] / C(m, to)`: a draw of `to` runs without replacement is mixed.

    Null when the cell has fewer than `to` deployments, `to` is below 2, or no question is scored in every run.
    """
    if not 2 <= to <= found.runs or not found.complete.any():
        return None
    right = found.right[found.complete]
    # all `to` drawn are correct, or none is
    same = hypergeom.pmf(to, found.runs, right, to) + hypergeom.pmf(0, found.runs, right, to)
    return Rarefied(to, float(np.sum(1 - same)), int(found.complete.sum()))
