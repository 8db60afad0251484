"""Parts of the page of gates."""

from collections import Counter
from datetime import UTC

import streamlit as st

from dashboard.choosers import select, whole
from dashboard.components.controls import controls
from dashboard.components.copy import copy_text
from dashboard.components.table import data_table
from dashboard.data import study_of, trouble_with_people
from dashboard.frame import Opened, go, stopped, study_sidebar, title
from dashboard.gate_data import (
    Judged,
    candidates,
    decisions_of,
    gate_set_named,
    gate_sets_of,
    judged_of,
    opened_gate,
    question_set_of,
)
from dashboard.link import Link, write_link
from dashboard.parts import open_question_of
from dashboard.rows import gates as rows
from dashboard.safe import heading, notice, paragraph, pre, verdict
from dashboard.words import explain
from store.analysis.decision import DECIDES, Status
from store.errors import FlipbookError, StoreError, UsageError
from store.people.gates import stored_gate_set
from store.results.gate.conditions import SEEN_LATE, seen_late, utc
from store.results.gate.shape import Decision, GateResult
from store.results.gate.tables import decision_head, decision_sections
from store.results.printing import counted, fraction
from store.results.report.markdown import markdown
from store.results.report.side import SHORT, EnvironmentSide, environment_sides
from store.results.scope import Scope


def open_decision(page: Opened) -> tuple[Link, Judged]:
    """What the link judges, and the link completed: the newest gate set, and what it judged last. Ends the page without one."""
    link = page.link.on("gates")
    study = page.scope.study.study
    if trouble := trouble_with_people():
        stopped(page, link, "Gates", StoreError(trouble), lambda: None)
    held = gate_sets_of(study)
    if not held and link.gates is None:
        _nothing_frozen(page, link)
    names: tuple[str, ...] = ()
    try:
        row = gate_set_named(study, link.gates or held[0].gate_set_id)
        link = link.with_(gates=row.gate_set_id)
        names = candidates(page.scope, stored_gate_set(row).baseline)
        last = next((one.candidate for one in decisions_of(study) if one.gate_set_id == row.gate_set_id), None)
        wanted = whole(link.candidate or last, [side.digest for side in _digests(page.scope)])
        candidate = wanted if link.candidate or wanted in names else next(iter(names), None)
        if candidate is None:
            raise UsageError("this study has no cell beside the baseline that could be judged")
        link = link.with_(candidate=candidate)
        found = judged_of(page.scope, row.gate_set_id, candidate)
    except FlipbookError as error:
        stopped(page, link, "Gates", error, lambda: choose(page.scope, link, names))
    gate = opened_gate(found.decision, link.gate)
    if link.gate is not None and (gate is None or gate.gate != link.gate):
        notice(f"The link names gate {link.gate}, which is none of this gate set; another list is shown.", "doubt")
    return link.with_(gate=gate.gate if gate else None, extractor=found.decision.gate_set.extractor), found


def _nothing_frozen(page: Opened, link: Link) -> None:
    """What to do first, with what the file needs from this study."""
    study_sidebar(page, link)
    title("Gates", "gates")
    notice("No gate set has judged a candidate of this study in this store yet.", "info")
    paragraph("Write one down before the candidate runs; every choice in it is yours. Then judge, here or in a release script:")
    st.code(
        "flipbook draft-gates STUDY BASELINE > gates.toml\nflipbook gate STUDY gates.toml CANDIDATE",
        language="bash",
    )
    paragraph("The command ends with 0 for pass, 1 for block, 3 for more deployments needed, 4 for not evaluable.", "quiet")
    cells = ", ".join(cell.cell for cell in study_of(page.scope).grid.cells) or "none"
    paragraph(f"Cells of this study: {cells}. Its question set: {question_set_of(page.scope)}.", "quiet")
    st.stop()


def choose(scope: Scope, link: Link, names: tuple[str, ...]) -> None:
    """The gate set, and what it may judge, where there is anything."""
    sets = [row.gate_set_id for row in gate_sets_of(scope.study.study)]
    found = [select("Gate set", "gates", sets, link, candidate=None, gate=None)]
    cells = {side.digest: f"{side.digest[:SHORT]} · {side.kind} · {', '.join(side.cells)}" for side in _digests(scope)}
    found += [select("Candidate", "candidate", names, link, lambda name: cells.get(name, name), gate=None)] if names else []
    controls("gates", link, *found)


def _digests(scope: Scope) -> tuple[EnvironmentSide, ...]:
    return environment_sides(study_of(scope))


def comparison(found: Decision, link: Link) -> None:
    """The way to the comparison of baseline and candidate."""
    there = link.with_(side_a=found.gate_set.baseline, side_b=link.candidate).on("compare")
    st.page_link("views/compare.py", label="Compare baseline and candidate", query_params=there.params)


def outcome(found: Judged, scope: Scope) -> None:
    """The verdict in a box, what the command ends with, and whether somebody kept this decision."""
    decision = found.decision
    status = DECIDES[decision.outcome]
    word = rows.WORDS[status]
    verdict(word, decision.sentence.removeprefix(word).lstrip(": "), rows.TONES[status])
    held = decisions_of(scope.study.study)
    kept = next((row for row in held if row.decision_id == found.decision_id), None)
    when = "Judged for this page and not kept."
    if kept:
        when = f"Decided {kept.decided_at:%Y-%m-%d %H:%M} UTC by {kept.author} as {kept.decision_id}."
    equal = fraction(decision.identical or 0, decision.identical_of) if decision.identical is not None else "not known"
    paragraph(
        f"{when} The command ends with exit code {decision.exit_code}. Equal outputs of both sides: {equal} comparable"
        f" pair-questions. {_frozen(decision, scope)}",
        "quiet",
    )
    if seen_late(decision, gate_set_named(scope.study.study, decision.gate_set.id).first_seen_at):
        notice(SEEN_LATE, "doubt")
    same = [row for row in held if (row.gate_set_id, row.candidate) == (decision.gate_set.id, decision.candidate.name)]
    if later := next((row for row in same if row.as_of > decision.as_of), None):
        word = rows.WORDS[DECIDES[later.outcome]]
        notice(f"This candidate was decided again by this gate set, at generation {later.as_of}: {word}.", "doubt")
    copy_text(
        "Copy Markdown",
        markdown(decision_head(decision), [s for s in decision_sections(decision) if s.rows]),
        "The whole decision as Markdown tables",
        "copy-gates",
    )


def _frozen(decision: Decision, scope: Scope) -> str:
    gates = decision.gate_set
    seen = gate_set_named(scope.study.study, gates.id).first_seen_at
    return (
        f"Gate set {gates.id} by {gates.author}, {gates.mode}, for {gates.target}; frozen {utc(gates.frozen_at)},"
        f" first seen by this store {utc(seen.replace(tzinfo=UTC))}."
    )


def gates(found: Decision, link: Link) -> None:
    """Every gate; a click opens the list of one."""
    heading("Gates", 2)
    paragraph(f"{_tally(found.gates)} A click on a gate lists what broke it.", "quiet")
    data_table(
        "gates", "gates", rows.GATE_COLUMNS, rows.gate_rows(found.gates, link), link,
        lambda gate: write_link(link.with_(gate=gate)),
    )  # fmt: skip


def conditions(found: Decision, link: Link) -> None:
    """What has to hold for the gates to mean anything."""
    heading("Conditions", 2)
    paragraph(f"{_tally(found.conditions)} Without them no gate means anything.", "quiet")
    data_table(
        "conditions", "conditions", rows.CONDITION_COLUMNS, rows.condition_rows(found.conditions, link), link,
        lambda gate: write_link(link.with_(gate=gate)),
    )  # fmt: skip


def _tally(held: tuple[GateResult, ...]) -> str:
    """`5 pass, 2 fail, 1 not evaluable.`"""
    counts = Counter(one.status for one in held)
    return ", ".join(f"{counts[status]} {status.value}" for status in Status if counts[status]) + "."


def culprits(found: Decision, scope: Scope, link: Link) -> None:
    """The list that broke the open gate."""
    opened = opened_gate(found, link.gate)
    if opened is None or not opened.culprits:
        return
    heading(f"Why {opened.gate}: {opened.status.value}", 2)
    paragraph(opened.said)
    golds = {asked.question_id: asked.gold for asked in study_of(scope).asked}
    there = link.with_(within="gate", a=found.baseline.runs[0])
    data_table(
        "culprits", f"what broke {opened.gate}", rows.CULPRIT_COLUMNS, rows.culprit_rows(opened, golds, there), link,
        lambda at: open_question_of(scope, rows.culprit_link(there, opened.culprits[int(at)])),
    )  # fmt: skip


def history(found: Judged, scope: Scope, link: Link) -> None:
    """Decisions kept in this store; a click shows one as it stood."""
    heading("Decisions so far", 2)
    held = decisions_of(scope.study.study)
    if not held:
        paragraph("None is kept in this store.", "quiet")
        return
    by_id = {row.decision_id: row for row in held}
    data_table(
        "decisions", "gate decisions", rows.HISTORY_COLUMNS,
        rows.history_rows(held, link, found.decision_id, scope.study.first_generation), link,
        lambda chosen: go("gates", rows.decision_link(by_id[chosen], link)),
    )  # fmt: skip


def frozen_set(found: Decision) -> None:
    """The gate set as it was frozen."""
    gates = found.gate_set
    with st.expander(f"The gate set as frozen, {counted(len(gates.gates), 'gate')}"):
        explain("gates", ends=f"Why: {gates.reason}")
        paragraph(f"Digest {found.gate_set_digest}.", "quiet")
        pre(gates.model_dump_json(indent=1))
