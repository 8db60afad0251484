"""What every statistic carries: its level, its target, its method and what it assumes."""

from dataclasses import dataclass
from typing import Literal

Target = Literal["fixed questions", "new questions"]
"""`fixed questions`: new deployments on these questions. `new questions`: questions like these."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Two-sided interval for a fraction or a difference of fractions, unrounded."""

    low: float
    high: float
    level: float
    target: Target
    method: str
    assumes: str


def around(value: float, half: float, level: float, target: Target, method: str, assumes: str) -> Interval:
    """`value ± half` for a difference of fractions, cut at −1 and 1."""
    return Interval(max(-1.0, value - half), min(1.0, value + half), level, target, method, assumes)


def covers_zero(interval: Interval) -> bool:
    """Whether zero lies in the interval, its ends included."""
    return interval.low <= 0 <= interval.high


@dataclass(frozen=True, slots=True)
class PValue:
    """A p-value, two-sided unless `test` says otherwise."""

    p: float
    test: str
    target: Target
    assumes: str


@dataclass(frozen=True, slots=True)
class Bound:
    """One-sided upper bound of a probability."""

    upper: float
    level: float
    target: Target
    method: str
    assumes: str


@dataclass(frozen=True, slots=True)
class Conventions:
    """Choices that every interval and plan depends on; printed with the numbers and recorded in an export.

    level: of two-sided intervals. alpha: two-sided size of a test. power: of a plan.
    """

    level: float
    alpha: float
    power: float

    def __post_init__(self) -> None:
        if not all(0 < value < 1 for value in (self.level, self.alpha, self.power)):
            raise ValueError("level, alpha and power lie between 0 and 1")
