"""What difference a number of repeats can show, and how many repeats a difference needs."""

import math

from scipy import stats

from store.analysis.interval import Conventions

ASSUMES = "fixed questions; verdicts flip independently; normal quantiles, so add a repeat at three or fewer"


def detectable_difference(
    flip_a: float, flip_b: float, runs_a: int, runs_b: int, questions: int, spread: float, plan: Conventions
) -> float:
    """`(z(1−α/2) + z(power)) · sqrt((f_A/(2m_A) + f_B/(2m_B) + ω²)/N)`, a fraction.

    flip_a, flip_b: the cells' flip rates. spread: ω², the variance over questions of the true difference, 0 on
    fixed questions.
    """
    return _z(plan) * math.sqrt((flip_a / (2 * runs_a) + flip_b / (2 * runs_b) + spread) / questions)


def repeats_needed(
    flip_a: float, flip_b: float, questions: int, difference: float, spread: float, plan: Conventions
) -> int | None:
    """Least number of deployments per cell that resolves `difference` (a fraction above 0).

    Null when no number does, the question variance alone being too large. Never below 1.
    """
    room = questions * (difference / _z(plan)) ** 2 - spread
    return None if room <= 0 else max(1, math.ceil((flip_a + flip_b) / 2 / room))


def _z(plan: Conventions) -> float:
    return float(stats.norm.ppf(1 - plan.alpha / 2) + stats.norm.ppf(plan.power))
