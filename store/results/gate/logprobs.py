"""The gate on log-probabilities: how far they moved while outputs were still equal."""

from itertools import product

import numpy as np

from store.analysis.decision import Status
from store.analysis.logprob_error import LogprobError, logprob_error
from store.analysis.pairs_within import comparable
from store.analysis.panel import BoolArray
from store.contract.gates import LogprobErrorGate
from store.results.gate.result import result, unless_partial
from store.results.gate.shape import Culprit, GateResult
from store.results.gate.sides import Compared
from store.results.report.near import Captures, captures

Found = dict[str, list[tuple[str, LogprobError]]]
"""By question: candidate run and error of each pair that has captures on both sides."""


def logprob_error_gate(sides: Compared, gate: LogprobErrorGate, asked: BoolArray) -> GateResult:
    """The largest change over all pairs of a baseline and a candidate deployment."""
    questions = int(asked.sum())
    rule = f"no log-probability differs by more than {gate.at_most_nats:g} nats before the first divergence, in any pair"
    taken = captures(sides.data.warehouse, sides.data.scope, None)
    if taken is None:
        return result(gate, rule, questions, Status.NOT_EVALUABLE, "no log-probabilities were captured")
    found = _errors(sides, taken, asked)
    pairs = len(sides.old.runs) * len(sides.new.runs) * questions
    known = [error for errors in found.values() for _, error in errors]
    unknown = pairs - len(known)
    largest = max((error.largest for error in known if error.largest is not None), default=None)
    if largest is None:
        said = "no step before a divergence has candidates on both sides"
        return result(gate, rule, questions, Status.NOT_EVALUABLE, said)
    finite = np.isfinite(largest)
    steps = sum(error.steps for error in known)
    censored, compared = sum(error.censored for error in known), sum(error.compared for error in known)
    said = (
        f"largest {f'{largest:.4g} nats' if finite else 'not finite'} over {compared:,} tokens at {steps:,}"
        f" shared steps of {len(known):,} pair-questions; {censored:,} of the tokens are"
        " listed on one side only and count from the other's least listed one"
    )
    if unknown:
        said += f"; {unknown:,} of {pairs:,} pair-questions cannot be compared"
    status = unless_partial(Status.FAIL if largest > gate.at_most_nats else Status.PASS, unknown)
    value = float(largest) if finite else None
    return result(gate, rule, questions, status, said, value=value, unit="nats", culprits=_culprits(found, gate.at_most_nats))


def _errors(sides: Compared, taken: Captures, asked: BoolArray) -> Found:
    found: Found = {}
    judged: dict[tuple[object, ...], LogprobError] = {}
    for old, new in product(sides.old.runs, sides.new.runs):
        panel = sides.data.panel.rows([old, new])
        base = np.flatnonzero(asked & comparable(panel.tokens, panel.domain, 0, 1))
        until = dict(
            zip(base.tolist(), sides.data.tokens.divergences(base, panel.tokens[0, base], panel.tokens[1, base]), strict=True)
        )
        for q in base.tolist():
            question = sides.data.questions[q]
            keys = taken.keys.get((old, question)), taken.keys.get((new, question))
            if None in keys:
                continue
            key = (question, *keys)
            if key not in judged:
                a, b = taken.of(old, question), taken.of(new, question)
                shared = int(until[q]) if until[q] >= 0 else min(len(a.ids), len(b.ids))
                judged[key] = logprob_error(a, b, shared)
            found.setdefault(question, []).append((new, judged[key]))
    return found


def _culprits(found: Found, limit: float) -> list[Culprit]:
    """Questions above the limit, the largest change first."""
    worst: list[tuple[float, Culprit]] = []
    for question, errors in found.items():
        above = [(run, error) for run, error in errors if error.largest is not None and error.largest > limit]
        if above:
            _, error = max(above, key=lambda item: item[1].largest or 0.0)
            runs = tuple(dict.fromkeys(run for run, _ in above))
            largest = error.largest or 0.0
            said = (
                f"{largest:.4g} nats at token {error.step:,}" if np.isfinite(largest) else f"not finite at token {error.step:,}"
            )
            worst.append((largest, Culprit(question, runs, said)))
    return [culprit for _, culprit in sorted(worst, key=lambda item: (-item[0], item[1].question or ""))]
