"""A decision as tables of text."""

from store.results.gate.shape import Culprit, Decision, GateResult
from store.results.printing import NOTHING, counted, fraction
from store.results.report.tables import Section

SHOWN = 20
"""Culprits of a gate that a table lists; the JSON and the page hold all."""


def decision_head(found: Decision) -> str:
    """The outcome, and what was compared."""
    sides = f"{found.candidate.label} against {found.baseline.label}"
    gates = f"gate set {found.gate_set.id} ({found.gate_set_digest[:19]})"
    return f"{found.sentence}. {found.study}, generation {found.as_of}: {sides}, {gates}"


def decision_sections(found: Decision) -> tuple[Section, ...]:
    """Conditions, gates, and what broke each of them."""
    header = ("gate", "status", "found", "questions")
    held = Section("Conditions", ("condition", "status", "found"), tuple(map(_row, found.conditions)), "")
    rows = tuple((*_row(gate), f"{gate.questions:,}") for gate in found.gates)
    rules = tuple((gate.gate, gate.rule) for gate in (*found.conditions, *found.gates))
    equal = (
        "not known" if found.identical is None else f"{fraction(found.identical, found.identical_of)} comparable pair-questions"
    )
    note = (
        "Every gate is judged at its own size, and all have to pass: no adjustment for their number. Equal outputs of baseline"
        f" and candidate: {equal}."
    )
    gates, frozen = Section("Gates", header, rows, note), Section("Rules as frozen", ("", "rule"), rules, "")
    return held, gates, frozen, *(_culprits(gate) for gate in (*found.conditions, *found.gates))


def _row(gate: GateResult) -> tuple[str, str, str]:
    return gate.gate, gate.status.value, gate.said


def _culprits(gate: GateResult) -> Section:
    more = len(gate.culprits) - SHOWN
    note = f"The first {SHOWN} of {counted(len(gate.culprits), 'line')}; --json lists all." if more > 0 else ""
    rows = tuple(_culprit_row(culprit) for culprit in gate.culprits[:SHOWN])
    return Section(f"Why {gate.gate}: {gate.status.value}", ("question", "deployments", "what"), rows, note)


def _culprit_row(culprit: Culprit) -> tuple[str, ...]:
    return culprit.question or NOTHING, ", ".join(culprit.runs) or NOTHING, culprit.said
