"""Tango's score interval for the difference of two paired proportions (Tango 1998, Stat Med 17:891).

Neither scipy nor statsmodels has it.
"""

import math

from scipy import optimize, stats

from store.analysis.interval import Interval, PValue

ASSUMES = "questions are independent; speaks of these two runs, not of their configurations"
_EDGE = 1e-9


def tango_interval(gains: int, losses: int, of: int, level: float) -> Interval | None:
    """Interval of (gains − losses)/of, the second run's accuracy less the first's. Null without a question."""
    if of == 0:
        return None
    z = float(stats.norm.ppf(0.5 + level / 2))
    middle = (gains - losses) / of
    low = _root(gains, losses, of, z, -1 + _EDGE, middle)
    high = _root(gains, losses, of, -z, middle, 1 - _EDGE)
    return Interval(-1.0 if low is None else low, 1.0 if high is None else high, level, "new questions", "Tango score", ASSUMES)


def tango_noninferior(gains: int, losses: int, of: int, margin: float) -> PValue:
    """One-sided p-value against "the second run is worse by `margin` (a fraction above 0) or more"."""
    p = float(stats.norm.sf(_score(gains, losses, of, -margin)))
    return PValue(p, f"Tango score, non-inferiority at {margin:g}, one-sided", "new questions", ASSUMES)


def _root(gains: int, losses: int, of: int, level: float, low: float, high: float) -> float | None:
    """Where the score statistic crosses `level`; null when it does not inside (low, high)."""

    def excess(difference: float) -> float:
        return _score(gains, losses, of, difference) - level

    if high <= low or excess(low) * excess(high) > 0:
        return None
    return float(optimize.brentq(excess, low, high))


def _score(b: int, c: int, n: int, difference: float) -> float:
    """Score statistic under a true difference, with the restricted estimate q of the second discordant cell."""
    first = -b - c + (2 * n - b + c) * difference
    last = -c * difference * (1 - difference)
    q = (math.sqrt(max(0.0, first * first - 8 * n * last)) - first) / (4 * n)
    variance = n * (2 * q + difference * (1 - difference))
    above = b - c - n * difference
    return above / math.sqrt(variance) if variance > 1e-15 else math.copysign(math.inf, above) if above else 0.0
