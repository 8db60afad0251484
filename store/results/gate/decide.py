"""A gate decision: every gate of a set, on one candidate."""

import shlex

import numpy as np
from pydantic import TypeAdapter

from store.analysis.decision import EXIT_CODES, Outcome, Status, decide
from store.analysis.panel import BoolArray
from store.analysis.verdicts import INCORRECT
from store.contract.base import Json
from store.contract.gates import (
    AccuracyGate,
    AllCorrectGate,
    AnswersFoundGate,
    Categories,
    FirstDivergenceGate,
    Gate,
    GateSet,
    LogprobErrorGate,
    MatchingTextsGate,
    OutputLengthGate,
    TokensGate,
)
from store.digests import canonical_digest
from store.errors import UsageError
from store.results.findings import Finding
from store.results.gate.conditions import conditions
from store.results.gate.counted import TokenDifferences, all_correct_gate, answers_found_gate, token_differences, tokens_gate
from store.results.gate.history import matching_texts_gate, output_length_gate
from store.results.gate.logprobs import logprob_error_gate
from store.results.gate.result import result
from store.results.gate.shape import DECISION_FORMAT, Decision, GateResult
from store.results.gate.sides import Compared, compared, decision_side, whole_name
from store.results.gate.tested import accuracy_gate, first_divergence_gate
from store.results.printing import counted
from store.results.report.build import data_digest
from store.results.report.environments import compare_fields
from store.results.study import StudyData


def gate_decision(data: StudyData, gate_set: GateSet, candidate: str) -> Decision:
    """Judge a candidate, a cell or an environment digest of the study, against the baseline of a gate set.

    `data` is scored by the gate set's extractor. Raises UsageError where it is not, where a side is not in the study or has
    no run that counts, and on a pattern that is none.
    """
    if data.scope.extractor != gate_set.extractor:
        raise UsageError(f"the gates are for {gate_set.extractor}, the study is scored by {data.scope.extractor or 'nobody'}")
    sides = compared(data, gate_set, candidate)
    held = conditions(sides)
    gates = tuple(_judged(sides, gate) for gate in gate_set.gates)
    tokens = token_differences(sides, np.ones(len(data.questions), dtype=np.bool_))
    equal, differ = int(tokens.equal.sum()), int(tokens.differ.sum())
    all_equal = equal > 0 and not differ and not tokens.encoding.any() and not tokens.unknown.any()
    outcome = decide([one.status for one in held], [one.status for one in gates], all_equal)
    return Decision(
        format=DECISION_FORMAT,
        study=data.scope.study.study,
        as_of=data.scope.as_of,
        data_digest=data_digest(data),
        gate_set=gate_set,
        gate_set_digest=gate_set.digest,
        baseline=decision_side(data, sides.baseline, sides.left_out[0]),
        candidate=decision_side(data, sides.candidate, sides.left_out[1]),
        outcome=outcome,
        exit_code=EXIT_CODES[outcome],
        sentence=_sentence(outcome, held, gates, differ > 0),
        conditions=held,
        gates=gates,
        identical=equal if equal + differ else None,
        identical_of=equal + differ,
        environment=compare_fields(data, sides.baseline, sides.candidate),
        findings=(*data.grid.findings, *_alarms(sides, tokens)),
        replay=_replay(data, sides),
    )


def _replay(data: StudyData, sides: Compared) -> str:
    """The call that makes the decision again."""
    words = [data.scope.study.study, "GATES.toml", whole_name(data, sides.candidate)]
    return f"flipbook gate {shlex.join(words)} --as-of {data.scope.as_of}"


def decision_id(decision: Decision) -> str:
    """`decision1:` digest of everything a decision says; the same records and gates give the same one.

    The store's generation is left out, with the call that repeats it: an ingest of another study changes neither.
    """
    document: dict[str, Json] = TypeAdapter(Decision).dump_python(decision, mode="json")
    return canonical_digest("decision1", {key: value for key, value in document.items() if key not in ("as_of", "replay")})


def _alarms(sides: Compared, tokens: TokenDifferences) -> tuple[Finding, ...]:
    """Equal tokens with different verdicts: then it is the scoring that does not repeat (METHOD: levels)."""
    old, new = sides.old.verdicts[:, None], sides.new.verdicts[None]
    flips = tokens.equal & (old >= INCORRECT) & (new >= INCORRECT) & (old != new)
    ids = tuple(sides.data.questions[q] for q in np.flatnonzero(flips.any(axis=(0, 1))))
    if not ids:
        return ()
    text = f"{int(flips.sum()):,} of {int(tokens.equal.sum()):,} pair-questions with equal tokens have different verdicts"
    return (Finding("equal-tokens-flip", f"{text}: the scoring does not repeat", ids),)


def _judged(sides: Compared, gate: Gate) -> GateResult:
    asked = sides.asked(gate)
    if not sides.candidate.runs:
        said = "no deployment of the candidate can be counted"
        return result(gate, "judged on deployments that can be counted", int(asked.sum()), Status.NOT_EVALUABLE, said)
    if strangers := sides.strangers(gate):
        rule = "its questions are in the question set"
        what = "category" if isinstance(gate.questions, Categories) else "question"
        said = f"the question set has no {what} {strangers[0]!r}"
        said += f", nor {counted(len(strangers) - 1, 'other')} it names" if len(strangers) > 1 else ""
        return result(gate, rule, int(asked.sum()), Status.NOT_EVALUABLE, said)
    return _measured(sides, gate, asked)


def _measured(sides: Compared, gate: Gate, asked: BoolArray) -> GateResult:
    match gate:
        case TokensGate():
            return tokens_gate(sides, gate, asked)
        case AllCorrectGate():
            return all_correct_gate(sides, gate, asked)
        case AccuracyGate():
            return accuracy_gate(sides, gate, asked)
        case AnswersFoundGate():
            return answers_found_gate(sides, gate, asked)
        case LogprobErrorGate():
            return logprob_error_gate(sides, gate, asked)
        case OutputLengthGate():
            return output_length_gate(sides, gate, asked)
        case MatchingTextsGate():
            return matching_texts_gate(sides, gate, asked)
        case FirstDivergenceGate():
            return first_divergence_gate(sides, gate, asked)


def _sentence(outcome: Outcome, held: tuple[GateResult, ...], gates: tuple[GateResult, ...], differ: bool) -> str:
    """The outcome and what it rests on."""
    passed = f"{sum(gate.status is Status.PASS for gate in gates)} of {counted(len(gates), 'gate')} passed"

    def named(status: Status, among: tuple[GateResult, ...] = (*held, *gates)) -> str:
        return ", ".join(gate.gate for gate in among if gate.status is status)

    match outcome:
        case Outcome.BLOCK:
            return f"BLOCK: {named(Status.FAIL)} failed; {passed}"
        case Outcome.NOT_EVALUABLE:
            why = named(Status.NOT_EVALUABLE, held) or named(Status.NOT_EVALUABLE)
            failed = named(Status.FAIL)
            return f"NOT EVALUABLE: no release, {why} not proven" + (f"; {failed} would fail" if failed else "")
        case Outcome.NEED_MORE_REPEATS:
            return f"INCONCLUSIVE: no release yet, more deployments needed; {named(Status.INCONCLUSIVE)} left open, {passed}"
        case Outcome.RELEASE:
            return f"PASS: {passed}, all outputs are equal"
        case Outcome.RELEASE_STATISTICAL_ONLY:
            ground = "outputs differ" if differ else "outputs are not known to be equal"
            return f"PASS: {passed}, on statistical grounds only, {ground}"
