"""How far log-probabilities of two runs lie apart while their outputs are still the same."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from store.analysis.near_tie import Capture
from store.analysis.panel import FloatArray


@dataclass(frozen=True, slots=True)
class LogprobError:
    """Over the shared steps of one pair-question.

    largest: largest |Δ| in nats over the union of both candidate lists, infinite where a value of a broken engine is, null
    without a comparable step. step: where.
    compared: tokens compared. censored: those that one side does not list; they count by how far the other side's value
    lies above the smallest listed one, the least the difference can be. steps: shared steps with candidates on both sides.
    """

    largest: float | None
    step: int | None
    compared: int
    censored: int
    steps: int


def logprob_error(a: Capture, b: Capture, shared: int) -> LogprobError:
    """Largest difference at the first `shared` steps; behind them prefixes differ, and nothing compares."""
    largest, where, compared, censored, steps = None, None, 0, 0, 0
    for step in range(min(shared, len(a.ids), len(b.ids))):
        if not a.ids[step] or not b.ids[step]:
            continue
        steps += 1
        found = _at_step(a, b, step)
        compared += found.compared
        censored += found.censored
        if found.largest is not None and (largest is None or found.largest > largest):
            largest, where = found.largest, step
    return LogprobError(largest, where, compared, censored, steps)


def _at_step(a: Capture, b: Capture, step: int) -> LogprobError:
    ids = (np.asarray(a.ids[step]), np.asarray(b.ids[step]))
    values = (np.asarray(a.logprobs[step]), np.asarray(b.logprobs[step]))
    same = ids[0][:, None] == ids[1][None, :]
    left, right = np.nonzero(same)
    one, two = values[0][left], values[1][right]
    listed = np.abs(np.subtract(one, two, out=np.zeros(len(one)), where=one != two))  # two equal infinite values differ by 0
    lone = [_above_least(values[side][~same.any(axis=1 - side)], values[1 - side]) for side in (0, 1)]
    every = np.concatenate([listed, *lone])
    known = every[np.isfinite(every)]
    largest = float(known.max()) if len(known) == len(every) and len(every) else float("inf") if len(every) else None
    return LogprobError(largest, step, len(every), sum(map(len, lone)), 1)


def _above_least(values: FloatArray, others: npt.NDArray[np.float64]) -> FloatArray:
    """How far values of tokens that the other side does not list lie above its least listed one."""
    above: FloatArray = np.maximum(0.0, values - others.min())
    return above
