"""How far log-probabilities of two runs lie apart while their outputs are still the same."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from store.analysis.near_tie import Capture
from store.analysis.panel import FloatArray


@dataclass(frozen=True, slots=True)
class LogprobError:
    """Over the shared steps of one pair-question.

    largest: largest |Δ| in nats over the union of both candidate lists, infinite where a value of a broken engine is, null
    without a comparable step. step: where. compared: tokens compared. censored: those that one side does not list; they count
    by how far the other side's value lies above the k-th listed one, the least the difference can be. steps: shared steps
    with candidates on both sides.
    """

    largest: float | None
    step: int | None
    compared: int
    censored: int
    steps: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A capture and, for each step, its k-th value: the least of those that were listed for their rank."""

    capture: Capture
    least: Sequence[float]


def logprob_error(a: Listed, b: Listed, shared: int) -> LogprobError:
    """Largest difference at the first `shared` steps; behind them prefixes differ, and nothing compares."""
    largest, where, compared, censored, steps = None, None, 0, 0, 0
    for step in range(min(shared, len(a.capture.ids), len(b.capture.ids))):
        if not a.capture.ids[step] or not b.capture.ids[step]:
            continue
        steps += 1
        found = _at_step(a, b, step)
        compared += found.compared
        censored += found.censored
        if found.largest is not None and (largest is None or found.largest > largest):
            largest, where = found.largest, step
    return LogprobError(largest, where, compared, censored, steps)


def _at_step(a: Listed, b: Listed, step: int) -> LogprobError:
    ids = (np.asarray(a.capture.ids[step]), np.asarray(b.capture.ids[step]))
    values = (np.asarray(a.capture.logprobs[step]), np.asarray(b.capture.logprobs[step]))
    same = ids[0][:, None] == ids[1][None, :]
    left, right = np.nonzero(same)
    one, two = values[0][left], values[1][right]
    listed = np.abs(np.subtract(one, two, out=np.zeros(len(one)), where=one != two))  # two equal infinite values differ by 0
    least = (a.least[step], b.least[step])
    lone = [_above(values[side][~same.any(axis=1 - side)], least[1 - side]) for side in (0, 1)]
    every = np.concatenate([listed, *lone])
    largest = float(every.max()) if np.isfinite(every).all() else float("inf")
    return LogprobError(largest, step, len(every), sum(map(len, lone)), 1)


def _above(values: FloatArray, least: float) -> FloatArray:
    """How far values of tokens that the other side does not list lie above its k-th one."""
    above: FloatArray = np.maximum(0.0, values - least)
    return above
