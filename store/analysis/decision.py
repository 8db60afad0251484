"""What gates say one by one, and what they say together."""

from collections.abc import Sequence
from enum import StrEnum


class Status(StrEnum):
    """What one gate says. `inconclusive`: the test was not able to see it; more deployments may."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    NOT_EVALUABLE = "not evaluable"


class Outcome(StrEnum):
    """What all gates say together."""

    RELEASE = "release"
    RELEASE_STATISTICAL_ONLY = "release_statistical_only"
    BLOCK = "block"
    NEED_MORE_REPEATS = "need_more_repeats"
    NOT_EVALUABLE = "not_evaluable"


EXIT_CODES: dict[Outcome, int] = {
    Outcome.RELEASE: 0,
    Outcome.RELEASE_STATISTICAL_ONLY: 0,
    Outcome.BLOCK: 1,
    Outcome.NEED_MORE_REPEATS: 3,
    Outcome.NOT_EVALUABLE: 4,
}
"""2 is kept for a call that is off."""


DECIDES: dict[Outcome, Status] = {
    Outcome.RELEASE: Status.PASS,
    Outcome.RELEASE_STATISTICAL_ONLY: Status.PASS,
    Outcome.BLOCK: Status.FAIL,
    Outcome.NEED_MORE_REPEATS: Status.INCONCLUSIVE,
    Outcome.NOT_EVALUABLE: Status.NOT_EVALUABLE,
}
"""The status of gates that an outcome rests on."""


def decide(conditions: Sequence[Status], gates: Sequence[Status], tokens_equal: bool) -> Outcome:
    """The outcome of an intersection–union test: every gate at its own size, all have to pass.

    conditions: what has to hold for the gates to mean anything; one that is not evaluable ends the matter. Behind them a
    failed gate comes before one that is not evaluable, and that before one that is open. tokens_equal: all outputs of both
    sides are known to be equal, so that the release does not rest on statistics.
    """
    everything = (*conditions, *gates)
    if Status.NOT_EVALUABLE in conditions:
        return Outcome.NOT_EVALUABLE
    for status, outcome in (
        (Status.FAIL, Outcome.BLOCK),
        (Status.NOT_EVALUABLE, Outcome.NOT_EVALUABLE),
        (Status.INCONCLUSIVE, Outcome.NEED_MORE_REPEATS),
    ):
        if status in everything:
            return outcome
    return Outcome.RELEASE if tokens_equal else Outcome.RELEASE_STATISTICAL_ONLY


def above(low: float, high: float, limit: float) -> Status:
    """Whether a quantile's one-sided bounds prove it above a limit, prove it below, or leave it open."""
    return Status.PASS if low > limit else Status.FAIL if high < limit else Status.INCONCLUSIVE
