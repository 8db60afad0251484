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

    level: of two-sided intervals, 0.5 to 0.9999. alpha: two-sided size of a test, 0.0001 to 0.5. power: of a plan,
    0.5 to 0.9999: below one half a plan would ask for less than nothing. Raises ValueError outside of these.
    """

    level: float
    alpha: float
    power: float

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("level", self.level, 0.5, 0.9999),
            ("alpha", self.alpha, 0.0001, 0.5),
            ("power", self.power, 0.5, 0.9999),
        ):
            if not low <= value <= high:  # also for NaN, which is neither
                raise ValueError(f"{name} lies between {low:g} and {high:g}, not at {value:g}")
