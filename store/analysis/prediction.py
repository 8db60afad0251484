"""Where the next deployment's value will lie, from those seen: a prediction interval, not a confidence interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

ASSUMES = "deployments are exchangeable; their values are near to normal"


@dataclass(frozen=True, slots=True)
class Prediction:
    """Interval for the value of one new deployment."""

    low: float
    high: float
    level: float
    history: int
    method: str
    assumes: str


def next_value(seen: Sequence[float], level: float) -> Prediction | None:
    """`mean ± t·s·sqrt(1 + 1/n)`, t with n − 1 degrees of freedom. Null with fewer than two values.

    Values without spread give an interval of no width: whatever differs from them lies outside.
    """
    n = len(seen)
    if n < 2:
        return None
    values = np.asarray(seen, dtype=np.float64)
    spread = 0.0 if len(set(seen)) == 1 else float(values.std(ddof=1))  # a mean of equal values can be off by a rounding
    middle = float(values[0]) if spread == 0 else float(values.mean())
    half = float(stats.t.ppf(0.5 + level / 2, n - 1)) * spread * math.sqrt(1 + 1 / n)
    return Prediction(middle - half, middle + half, level, n, "t prediction interval", ASSUMES)


def family_level(level: float, deployments: int) -> float:
    """Chance that all of several good deployments lie inside, `level^deployments`, taking them as independent."""
    return float(level**deployments)
