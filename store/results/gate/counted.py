"""Gates that count and do not test: equal tokens, critical questions, answers found."""

from dataclasses import dataclass

import numpy as np

from store.analysis.decision import Status
from store.analysis.panel import UNKNOWN, BoolArray, FloatArray, Panel
from store.analysis.verdicts import CORRECT, INCORRECT, MISSING
from store.analysis.zero_events import next_differs
from store.contract.gates import AllCorrectGate, AnswersFoundGate, TokensGate
from store.results.gate.result import result, unless_partial
from store.results.gate.shape import Culprit, GateResult
from store.results.gate.sides import Compared
from store.results.gate.spread import spread_out
from store.results.printing import counted, fraction, level_text, percent
from store.results.report.build import METHOD_CONVENTIONS


def tokens_gate(sides: Compared, gate: TokensGate, asked: BoolArray) -> GateResult:
    """Pair-questions whose tokens differ; different prompts or tokenizers count as differing."""
    found = token_differences(sides, asked)
    unknown = int(found.unknown.sum())
    differ, encoding = int(found.differ.sum()), int(found.encoding.sum())
    said = f"{fraction(differ, differ + int(found.equal.sum()))} comparable pair-questions differ in tokens"
    if encoding:
        said += f"; {encoding:,} have different prompts or tokenizers"
    if unknown:
        said += f"; {unknown:,} cannot be compared"
    status = unless_partial(Status.FAIL if differ or encoding else Status.PASS, unknown)
    bound = next_differs(len(sides.candidate.runs), METHOD_CONVENTIONS.level)
    if status is Status.PASS and bound:
        said += f". The next candidate deployment may still differ, with a chance of up to {percent(bound.upper, 0)}"
        said += f" ({level_text(bound.level)} bound from {counted(len(sides.candidate.runs), 'deployment')})"
    rule = "every output of the candidate has the baseline's tokens, in every pair of deployments"
    base = (differ + encoding, differ + encoding + int(found.equal.sum()))
    culprits = _token_culprits(sides, found)
    return result(
        gate, rule, int(asked.sum()), status, said, value=differ + encoding, unit="pair-questions", base=base, culprits=culprits
    )


@dataclass(frozen=True, slots=True)
class TokenDifferences:
    """Masks of shape (baseline runs, candidate runs, questions); outside of the questions asked all are false.

    encoding: prompts or tokenizers are known to differ. unknown: none of the others.
    """

    encoding: BoolArray
    differ: BoolArray
    equal: BoolArray
    unknown: BoolArray


def token_differences(sides: Compared, asked: BoolArray) -> TokenDifferences:
    """How every pair of a baseline and a candidate deployment compares on every question."""
    old, new = sides.old, sides.new
    domains = (old.domain != UNKNOWN)[:, None] & (new.domain != UNKNOWN)[None] & asked
    known = domains & (old.tokens != UNKNOWN)[:, None] & (new.tokens != UNKNOWN)[None]
    alike, same = old.domain[:, None] == new.domain[None], old.tokens[:, None] == new.tokens[None]
    encoding, differ, equal = domains & ~alike, known & alike & ~same, known & alike & same
    return TokenDifferences(encoding, differ, equal, asked & ~(encoding | differ | equal))


def _token_culprits(sides: Compared, found: TokenDifferences) -> list[Culprit]:
    broken = found.differ | found.encoding
    first: dict[int, int] = {}
    for i, j in np.argwhere(found.differ.any(axis=2)):
        at = np.flatnonzero(found.differ[i, j])
        parted = sides.data.tokens.divergences(at, sides.old.tokens[i, at], sides.new.tokens[j, at])
        for q, token in zip(at.tolist(), parted.tolist(), strict=True):
            first[q] = min(token, first.get(q, token))
    culprits = []
    for q in np.flatnonzero(broken.any(axis=(0, 1))).tolist():
        runs = tuple(sides.new.runs[j] for j in np.flatnonzero(broken[:, :, q].any(axis=0)))
        count, of = int(broken[:, :, q].sum()), broken.shape[0] * broken.shape[1]
        where = f", first at token {first[q]:,}" if q in first else ", in prompt or tokenizer"
        culprits.append(Culprit(sides.data.questions[q], runs, f"differs in {fraction(count, of)} pairs{where}"))
    return culprits


def all_correct_gate(sides: Compared, gate: AllCorrectGate, asked: BoolArray) -> GateResult:
    """Correct verdicts of the candidate; anything else is a failure."""
    verdicts = sides.new.verdicts[:, asked]
    right = verdicts == CORRECT
    wrong, gone, before = verdicts == INCORRECT, verdicts == MISSING, sides.old.verdicts[:, asked] == CORRECT
    ids = [sides.data.questions[q] for q in np.flatnonzero(asked)]
    culprits = []
    for q in np.flatnonzero(~right.all(axis=0)).tolist():
        runs = tuple(sides.new.runs[r] for r in np.flatnonzero(~right[:, q]))
        kinds = (("incorrect", wrong[:, q]), ("missing", gone[:, q]), ("unscored", ~(right | wrong | gone)[:, q]))
        said = ", ".join(f"{name} in {int(mask.sum())} of {len(mask)}" for name, mask in kinds if mask.any())
        said += f"; the baseline is correct in {int(before[:, q].sum())} of {len(before)}"
        culprits.append(Culprit(ids[q], runs, said))
    status = Status.PASS if right.all() else Status.FAIL
    base = (int(right.sum()), int(right.size))
    passed = int(right.all(axis=0).sum())
    said = f"{fraction(passed, len(ids))} questions correct in every candidate deployment ({fraction(*base)} verdicts)"
    rule = "every question correct in every candidate deployment"
    return result(gate, rule, len(ids), status, said, value=len(ids) - passed, unit="questions", base=base, culprits=culprits)


def answers_found_gate(sides: Compared, gate: AnswersFoundGate, asked: BoolArray) -> GateResult:
    """A count and a list: a margin of zero cannot be shown by a test that has noise."""
    old = _found(sides, sides.old)[:, asked]
    new = np.where(sides.new.present, _found(sides, sides.new), 0.0)[:, asked]  # a missing record has no answer
    ids = [sides.data.questions[q] for q in np.flatnonzero(asked)]
    had, has = int((old == 1).sum()), int((new == 1).sum())
    lost = (old == 1).all(axis=0) & (new == 0).any(axis=0)
    fewer = has * old.size < had * new.size
    unknown = int(np.isnan(old).sum() + np.isnan(new).sum())
    status = unless_partial(Status.FAIL if fewer or lost.any() else Status.PASS, unknown)
    said = (
        f"answers found in {fraction(has, new.size)} candidate records, {fraction(had, old.size)} of the baseline;"
        f" newly missing on {fraction(int(lost.sum()), len(ids))} questions"
    )
    if unknown:
        said += f"; {unknown:,} records are missing or do not say what was read"
    rarer = (new == 1).mean(axis=0) < (old == 1).mean(axis=0) if fewer else np.zeros(len(ids), dtype=np.bool_)
    order = [*np.flatnonzero(lost), *np.flatnonzero(rarer & ~lost)]
    culprits = [_without_answer(sides, ids[q], old[:, q], new[:, q]) for q in order]
    rule = "answers found no less often than in the baseline, and on no question newly missing"
    value, base = int(lost.sum()), (has, new.size)
    return result(gate, rule, len(ids), status, said, value=value, unit="questions", base=base, culprits=culprits)


def _without_answer(sides: Compared, question: str, old: FloatArray, new: FloatArray) -> Culprit:
    has, had = fraction(int((new == 1).sum()), len(new)), fraction(int((old == 1).sum()), len(old))
    runs = tuple(sides.new.runs[r] for r in np.flatnonzero(new != 1))
    return Culprit(question, runs, f"answer found in {has} candidate deployments, {had} of the baseline")


def _found(sides: Compared, panel: Panel) -> FloatArray:
    """1 where an answer was found, 0 where none was, NaN where nobody says or there is no record; shape (runs, questions)."""
    scope = sides.data.scope
    frame = sides.data.warehouse.frame("found_answers", study=scope.study.study, as_of=scope.as_of, extractor=scope.extractor)
    return spread_out(frame, "found", panel.runs, panel.questions)
