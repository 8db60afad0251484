"""What the page of gates reads: gate sets and decisions that people made, and a candidate judged again."""

from dataclasses import dataclass

import streamlit as st

from dashboard.data import people, scope_of, study_of, version
from store.analysis.decision import DECIDES
from store.contract.gates import GateSet
from store.errors import UsageError
from store.people.gates import DecisionLine, decision_lines, gate_sets, stored_gate_set
from store.people.models import FrozenGateSet
from store.results.gate.conditions import questions_digest
from store.results.gate.decide import decision_id, gate_decision
from store.results.gate.shape import Decision, GateResult
from store.results.report.side import environment_sides, side_named
from store.results.scope import Scope
from store.warehouse.open import FileKey


def gate_sets_of(study: str) -> tuple[FrozenGateSet, ...]:
    """Gate sets that this store has seen, the newest first; none where the file cannot be read, which the page says."""
    engine = people()
    return () if engine is None else gate_sets(engine, study)


def decisions_of(study: str) -> tuple[DecisionLine, ...]:
    """Decisions kept in this store, the newest first."""
    engine = people()
    return () if engine is None else decision_lines(engine, study)


def gate_set_named(study: str, gate_set_id: str) -> FrozenGateSet:
    """A gate set of the study. Raises UsageError on one that this store has not seen."""
    held = gate_sets_of(study)
    found = next((row for row in held if row.gate_set_id == gate_set_id), None)
    if found is None:
        names = ", ".join(row.gate_set_id for row in held) or "none"
        raise UsageError(f"this store has seen no gate set {gate_set_id!r} of this study", fix=f"Gate sets here: {names}.")
    return found


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision made for a page, and its digest, by which it is known whether somebody kept it."""

    decision: Decision
    decision_id: str


def judged_of(scope: Scope, gate_set_id: str, candidate: str) -> Judged:
    """`gate_decision` at the generation of the scope, scored as the gate set says. Raises UsageError."""
    gates = stored_gate_set(gate_set_named(scope.study.study, gate_set_id))
    return _judged(version(), scope_of(scope.study.study, scope.as_of, gates.extractor), gates, candidate, gates.digest)


def candidates(scope: Scope, baseline: str) -> tuple[str, ...]:
    """Cells and environment digests that share no run with a baseline. Raises UsageError where that is not in the study."""
    data = study_of(scope)
    names = [*(cell.cell for cell in data.grid.cells), *(side.digest for side in environment_sides(data))]
    mine = {run.run_id for run in side_named(data, baseline).runs}
    return tuple(name for name in names if not mine & {run.run_id for run in side_named(data, name).runs})


def question_set_of(scope: Scope) -> str:
    """Digest of the study's question set, as a gate file names it."""
    return questions_digest(study_of(scope))


def opened_gate(found: Decision, gate: str | None) -> GateResult | None:
    """The gate or condition whose list is open: the named one, else the first that decided the outcome."""
    everything = (*found.conditions, *found.gates)
    named = next((one for one in everything if one.gate == gate), None)
    listing = sorted((one for one in everything if one.culprits), key=lambda one: one.status is not DECIDES[found.outcome])
    return named or next(iter(listing), None)


def listed(found: Decision, gate: str | None) -> tuple[str, ...]:
    """Questions of the open list, each once, in its order."""
    opened = opened_gate(found, gate)
    return tuple(dict.fromkeys(c.question for c in opened.culprits if c.question is not None)) if opened else ()


@st.cache_resource(max_entries=16, show_spinner="Judging …")
def _judged(key: FileKey, scope: Scope, _gates: GateSet, candidate: str, digest: str) -> Judged:
    found = gate_decision(study_of(scope), _gates, candidate)
    return Judged(found, decision_id(found))
