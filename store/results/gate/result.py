"""Making a gate's result from what was found."""

from collections.abc import Sequence

from store.analysis.decision import Status
from store.contract.gates import Gate
from store.results.gate.shape import Bounds, Culprit, GateResult


def result(
    gate: Gate,
    rule: str,
    questions: int,
    status: Status,
    said: str,
    *,
    value: float | None = None,
    unit: str = "",
    bounds: Bounds | None = None,
    base: tuple[int, int] | None = None,
    culprits: Sequence[Culprit] = (),
) -> GateResult:
    """A result. base: numerator and denominator of what is counted. culprits: left out of a gate that passed."""
    count, of = base or (None, None)
    listed = () if status is Status.PASS else tuple(culprits)
    return GateResult(gate.id, gate.metric, rule, status, said, value, unit, bounds, count, of, questions, listed)


def unless_partial(status: Status, unknown: int) -> Status:
    """What is known in part can fail a gate and cannot pass it."""
    return Status.NOT_EVALUABLE if unknown and status is not Status.FAIL else status
