"""What has to hold for gates to mean anything: frozen before, asked the same, recorded whole, repeated enough."""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from store.analysis.decision import Status
from store.analysis.panel import Panel
from store.analysis.verdicts import MISSING, UNSCORED
from store.contract.gates import CONDITIONS
from store.contract.run import RunState
from store.results.gate.shape import Culprit, Decision, GateResult
from store.results.gate.sides import Compared, started
from store.results.printing import counted, fraction
from store.results.report.side import SHORT
from store.results.runs import CellRuns, RunRow
from store.results.study import StudyData
from store.sealed.manifest import question_set_digest
from store.sealed.rows import Question

FROZEN, QUESTION_SET, RECORDS, DEPLOYMENTS = CONDITIONS


def conditions(sides: Compared) -> tuple[GateResult, ...]:
    """The four of them, in the order in which they matter."""
    return _frozen(sides), _question_set(sides), _records(sides), _deployments(sides)


def questions_digest(data: StudyData) -> str:
    """`qs1:` digest of the study's question set as it is at this generation."""
    rows = (Question(asked.question_id, asked.gold, asked.category, asked.question_text) for asked in data.asked)
    return question_set_digest(rows)


def _condition(
    sides: Compared, name: str, rule: str, status: Status, said: str, culprits: tuple[Culprit, ...] = ()
) -> GateResult:
    questions = len(sides.data.questions)
    return GateResult(name, "condition", rule, status, said, None, "", None, None, None, questions, culprits)


def _frozen(sides: Compared) -> GateResult:
    """Deployments that cannot be counted began as well, and are looked at like the others."""
    frozen, rule = sides.gate_set.frozen_at, "frozen before the first candidate deployment began"
    runs = (*sides.candidate.runs, *sides.left_out[1])
    began = started(sides.data, runs)
    unknown = tuple(run.run_id for run, at in zip(runs, began, strict=True) if at is None)
    early = tuple(run.run_id for run, at in zip(runs, began, strict=True) if at is not None and at <= frozen)
    first = min((at for at in began if at is not None), default=None)
    said = f"frozen {utc(frozen)}" + (f"; first candidate deployment began {utc(first)}" if first else "")
    if unknown:
        said += f"; when {fraction(len(unknown), len(runs))} candidate deployments began is not known"
    culprits = [Culprit(None, early, "began before the gates were frozen")] if early else []
    culprits += [Culprit(None, unknown, "start not recorded as a time with its offset")] if unknown else []
    status = Status.NOT_EVALUABLE if culprits else Status.PASS
    return _condition(sides, FROZEN, rule, status, said, tuple(culprits))


def utc(at: datetime) -> str:
    """A time as decisions print it: `2026-12-01 09:00:00 UTC`."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


SEEN_LATE = "This store first saw the gate set after the candidate began; that it was frozen before is its author's word."


def seen_late(found: Decision, first_seen: datetime) -> bool:
    """Whether a candidate deployment had begun when the store first saw a gate set that claims to be older.

    Where the set itself says that it came too late its condition says so already. first_seen: UTC without its offset.
    """
    if any(one.gate == FROZEN and one.status is not Status.PASS for one in found.conditions):
        return False
    seen = first_seen.replace(tzinfo=UTC)
    return any(at is not None and datetime.fromisoformat(at) <= seen for at in found.candidate.started)


def _question_set(sides: Compared) -> GateResult:
    found, wanted = questions_digest(sides.data), sides.gate_set.question_set
    size, rule = counted(len(sides.data.questions), "question"), f"the questions the gates were frozen for, {wanted[:SHORT]}…"
    if found == wanted:
        return _condition(sides, QUESTION_SET, rule, Status.PASS, f"{size}, the same")
    culprit = Culprit(None, (), f"the study's question set is {found}, the gates were frozen for {wanted}")
    return _condition(sides, QUESTION_SET, rule, Status.NOT_EVALUABLE, f"{size}, others: {found[:SHORT]}…", (culprit,))


def _records(sides: Compared) -> GateResult:
    baseline, candidate = _faults(sides, 0), _faults(sides, 1)
    rule = "one scored record of every question in every deployment, none twice"
    status = Status.NOT_EVALUABLE if baseline.culprits else Status.FAIL if candidate.culprits else Status.PASS
    said = "; ".join((f"baseline: {baseline.said}", f"candidate: {candidate.said}"))
    return _condition(sides, RECORDS, rule, status, said, (*baseline.culprits, *candidate.culprits))


@dataclass(frozen=True, slots=True)
class _Faults:
    said: str
    culprits: tuple[Culprit, ...]


def _faults(sides: Compared, which: int) -> _Faults:
    """What is wrong with the records of one side."""
    side, panel = ((sides.baseline, sides.old), (sides.candidate, sides.new))[which]
    left_out = [run for run in sides.left_out[which] if not _allowed(sides, run)]
    kinds = {
        "missing": _by_question(panel, MISSING, "missing"),
        "unscored": _by_question(panel, UNSCORED, "unscored"),
        "met twice": _by_run(side, "duplicates", "equal duplicate"),
        "refused": [*_by_run(side, "refused", "refused line"), *_stray_refusals(sides, which)],
        "deployments not counted": [Culprit(None, (run.run_id,), _why_left_out(run)) for run in left_out],
    }
    good, cut = int((panel.verdicts > UNSCORED).sum()), sum(run.truncated for run in side.runs)
    said = f"{fraction(good, panel.verdicts.size)} records scored, {counted(cut, 'output')} truncated"
    named = ", ".join(f"{name} (listed: {len(found):,})" for name, found in kinds.items() if found)
    return _Faults(f"{said}, {named}" if named else said, tuple(culprit for found in kinds.values() for culprit in found))


def _stray_refusals(sides: Compared, which: int) -> list[Culprit]:
    """Refused lines that name no run, of the ingests that brought a side's runs; the candidate's are not held against both."""
    scope = sides.data.scope
    rows = sides.data.warehouse.frame("stray_refusals", study=scope.study.study, as_of=scope.as_of)
    runs = ((*sides.baseline.runs, *sides.left_out[0]), (*sides.candidate.runs, *sides.left_out[1]))
    old, new = ({run.generation for run in side} for side in runs)
    return [
        Culprit(None, (), f"{counted(int(lines), 'refused line')} of {file} without a run, the first is line {first:,}")
        for generation, file, lines, first in rows.itertuples(index=False)
        if generation in (new if which == 1 else old - new)
    ]


def _allowed(sides: Compared, run: RunRow) -> bool:
    return run.state == RunState.INCOMPLETE and sides.gate_set.incomplete_runs == "leave out"


def _by_question(panel: Panel, code: int, said: str) -> list[Culprit]:
    bad = panel.verdicts == code
    return [
        Culprit(panel.questions[q], tuple(panel.runs[r] for r in np.flatnonzero(bad[:, q])), said)
        for q in np.flatnonzero(bad.any(axis=0))
    ]


def _by_run(side: CellRuns, field: str, noun: str) -> list[Culprit]:
    counts = [(run.run_id, int(getattr(run, field))) for run in side.runs]
    return [Culprit(None, (run,), counted(count, noun)) for run, count in counts if count]


def _why_left_out(run: RunRow) -> str:
    if run.state == RunState.COMPLETE:
        return f"thinks although it was switched off, in {fraction(run.thought, run.records)} outputs"
    return f"{run.state}: {run.state_reason}"


def _deployments(sides: Compared) -> GateResult:
    least, have = sides.gate_set.min_deployments, (len(sides.baseline.runs), len(sides.candidate.runs))
    enough = have[0] >= least.baseline and have[1] >= least.candidate
    return _condition(
        sides,
        DEPLOYMENTS,
        f"at least {least.baseline} of the baseline and {least.candidate} of the candidate",
        Status.PASS if enough else Status.INCONCLUSIVE,
        f"baseline {have[0]}, candidate {have[1]}",
    )
