"""The gate on log-probabilities: how far they moved while outputs were still equal."""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np

from store.analysis.decision import Status
from store.analysis.divergence import EQUAL
from store.analysis.logprob_error import Listed, LogprobError, logprob_error
from store.analysis.pairs_within import comparable
from store.analysis.panel import BoolArray, IntArray, Panel
from store.contract.gates import LogprobErrorGate
from store.results.gate.result import result, unless_partial
from store.results.gate.shape import Culprit, GateResult
from store.results.gate.sides import Compared
from store.results.report.near import Captures, captures
from store.results.study import StudyData


@dataclass(frozen=True, slots=True)
class PairError:
    """One pair-question with captures on both sides. run: the candidate's. whole: every shared step was captured."""

    question: str
    run: str
    error: LogprobError
    whole: bool

    @property
    def largest(self) -> float:
        """0 where nothing is shared before the divergence."""
        return self.error.largest or 0.0


def logprob_error_gate(sides: Compared, gate: LogprobErrorGate, asked: BoolArray) -> GateResult:
    """The largest change over all pairs of a baseline and a candidate deployment."""
    questions, limit = int(asked.sum()), gate.at_most_nats
    rule = f"no log-probability differs by more than {limit:.12g} nats before the first divergence, in any pair"
    taken = captures(sides.data.warehouse, sides.data.scope, None)
    if taken is None:
        return result(gate, rule, questions, Status.NOT_EVALUABLE, "no log-probabilities were captured")
    found = _errors(sides, taken, asked)
    if not any(pair.error.steps for pair in found):
        said = "no step before a divergence has candidates on both sides"
        return result(gate, rule, questions, Status.NOT_EVALUABLE, said)
    pairs = len(sides.old.runs) * len(sides.new.runs) * questions
    unknown = pairs - sum(pair.whole for pair in found)
    largest = max(pair.largest for pair in found)
    status = unless_partial(Status.FAIL if largest > limit else Status.PASS, unknown)
    value = largest if math.isfinite(largest) else None
    said = _said(found, largest) + (f"; {unknown:,} of {pairs:,} pair-questions are not known whole" if unknown else "")
    return result(gate, rule, questions, status, said, value=value, unit="nats", culprits=_culprits(found, limit))


def _said(found: list[PairError], largest: float) -> str:
    steps, compared, censored = (
        sum(getattr(pair.error, field) for pair in found) for field in ("steps", "compared", "censored")
    )
    return (
        f"largest {_nats(largest)} over {compared:,} tokens at {steps:,} shared steps of {len(found):,} pair-questions;"
        f" {censored:,} of the tokens are listed on one side only and count from the other's last listed one"
    )


def _nats(value: float) -> str:
    return f"{value:.6g} nats" if math.isfinite(value) else "not finite"


def _errors(sides: Compared, taken: Captures, asked: BoolArray) -> list[PairError]:
    found: list[PairError] = []
    judged: dict[tuple[object, ...], LogprobError] = {}
    least = _least(sides.data)
    for old, new in product(sides.old.runs, sides.new.runs):
        panel = sides.data.panel.rows([old, new])
        base = np.flatnonzero(asked & comparable(panel.tokens, panel.domain, 0, 1))
        for q, shared in zip(base.tolist(), _shared_steps(sides.data, panel, base), strict=True):
            question = sides.data.questions[q]
            a, b = taken.keys.get((old, question)), taken.keys.get((new, question))
            if a is None or b is None:
                continue
            if (question, a, b) not in judged:
                one = Listed(taken.of(old, question), least[question, a[1]])
                two = Listed(taken.of(new, question), least[question, b[1]])
                judged[question, a, b] = logprob_error(one, two, shared)
            error = judged[question, a, b]
            found.append(PairError(question, new, error, whole=error.steps >= shared))
    return found


def _shared_steps(data: StudyData, panel: Panel, at: IntArray) -> list[int]:
    """Steps before the first divergence of each question: all of them where the outputs are equal."""
    parted = data.tokens.divergences(at, panel.tokens[0, at], panel.tokens[1, at])
    ends = data.tokens.lengths[data.tokens.row_of[at, panel.tokens[0, at]]]
    return [int(step) for step in np.where(parted == EQUAL, ends, parted)]


def _least(data: StudyData) -> dict[tuple[str, str], list[float]]:
    """The k-th value of every step, by question and capture; infinite where none is listed for its rank."""
    frame = data.warehouse.frame("capture_least", study=data.scope.study.study)
    return {
        (question, digest): np.ma.filled(np.ma.asarray(least, dtype=np.float64), np.inf).tolist()
        for question, digest, least in frame.itertuples(index=False)
    }


def _culprits(found: list[PairError], limit: float) -> list[Culprit]:
    """Questions above the limit, the largest change first."""
    above: dict[str, list[PairError]] = {}
    for pair in found:
        if pair.largest > limit:
            above.setdefault(pair.question, []).append(pair)
    worst = {question: max(pairs, key=lambda pair: pair.largest) for question, pairs in above.items()}
    return [
        Culprit(
            question,
            tuple(dict.fromkeys(pair.run for pair in above[question])),
            f"{_nats(pair.largest)} at token {pair.error.step:,}",
        )
        for question, pair in sorted(worst.items(), key=lambda item: (-item[1].largest, item[0]))
    ]
