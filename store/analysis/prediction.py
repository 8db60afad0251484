"""Where the next deployment's value will lie, from those seen: a prediction interval, not a confidence interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

EXCHANGEABLE = "deployments are exchangeable"


@dataclass(frozen=True, slots=True)
class Prediction:
    """Interval for the value of one new deployment.

    knows_spread: false where all values seen are equal and nothing else tells how far the next one may lie from them.
    """

    low: float
    high: float
    level: float
    history: int
    method: str
    assumes: str
    knows_spread: bool


def next_value(seen: Sequence[float], level: float) -> Prediction | None:
    """`mean ± t·s·sqrt(1 + 1/n)`, t with n − 1 degrees of freedom. Null with fewer than two values; no width without spread."""
    n = len(seen)
    if n < 2:
        return None
    values = np.asarray(seen, dtype=np.float64)
    spread = 0.0 if len(set(seen)) == 1 else float(values.std(ddof=1))  # a mean of equal values can be off by a rounding
    middle = float(values[0]) if spread == 0 else float(values.mean())
    half = float(stats.t.ppf(0.5 + level / 2, n - 1)) * spread * math.sqrt(1 + 1 / n)
    assumes = f"{EXCHANGEABLE}; their values are near to normal"
    return Prediction(middle - half, middle + half, level, n, "t prediction interval", assumes, spread > 0)


def next_share(counts: Sequence[int], of: int, level: float) -> Prediction | None:
    """For the share of `of` outputs that match: `next_value` of the shares seen, and Jeffreys where all `counts` are equal.

    Beta-binomial with k + 1/2 and n − k + 1/2 over all outputs seen, its quantiles (1 ± level)/2: no refusal seen is not no
    refusal ever.
    """
    found = next_value([count / of for count in counts], level)
    if found is None or found.knows_spread:
        return found
    seen, whole = sum(counts), of * len(counts)
    law = stats.betabinom(of, seen + 0.5, whole - seen + 0.5)
    low, high = (float(law.ppf(tail)) / of for tail in ((1 - level) / 2, (1 + level) / 2))
    assumes = f"{EXCHANGEABLE}; outputs match independently of each other"
    return Prediction(low, high, level, len(counts), "Jeffreys predictive interval", assumes, knows_spread=True)


def family_level(level: float, deployments: int) -> float:
    """Chance that all of several good deployments lie inside, `level^deployments`, taking them as independent."""
    return float(level**deployments)
