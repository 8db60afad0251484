"""Tables of a gate decision."""

from dashboard.components.table import Chip, Column, Row, Value, number, text
from dashboard.link import Link
from store.analysis.decision import DECIDES, EXIT_CODES, Status
from store.env_digest import SCHEMES
from store.people.gates import DecisionLine
from store.results.gate.shape import Culprit, GateResult
from store.results.report.side import SHORT

TONES = {
    Status.PASS: "correct",
    Status.FAIL: "incorrect",
    Status.INCONCLUSIVE: "open",
    Status.NOT_EVALUABLE: "unscored",
}
WORDS = {
    Status.PASS: "PASS",
    Status.FAIL: "BLOCK",
    Status.INCONCLUSIVE: "INCONCLUSIVE",
    Status.NOT_EVALUABLE: "NOT EVALUABLE",
}
"""An outcome in a word, by the status it rests on."""

GATE_COLUMNS = (
    Column("gate"),
    Column("status", "pass, fail, inconclusive: more deployments may settle it; not evaluable: it cannot be judged"),
    Column("found", "what was measured, with its base"),
    Column("rule", "as it was frozen"),
    Column("questions", "of the question set, that it applies to", right=True),
)
CONDITION_COLUMNS = (Column("condition"), *GATE_COLUMNS[1:-1])
CULPRIT_COLUMNS = (
    Column("question"),
    Column("gold"),
    Column("what"),
    Column("deployments", "of the candidate, for records also of the baseline"),
)
HISTORY_COLUMNS = (
    Column("decided", "UTC"),
    Column("candidate"),
    Column("outcome", "and what the command ended with"),
    Column("gate set"),
    Column("environments", "full digests of the candidate's deployments"),
    Column("by"),
    Column("generation", "of the store, that the decision was made on", right=True),
)


def gate_rows(found: tuple[GateResult, ...], link: Link) -> list[Row]:
    """Gates in their order, each a link to its list; the one that is open is marked."""
    return [_row(one, link, number(f"{one.questions:,}", one.questions, "questions it applies to")) for one in found]


def condition_rows(found: tuple[GateResult, ...], link: Link) -> list[Row]:
    """Conditions in their order, each a link to its list; the one that is open is marked."""
    return [_row(one, link) for one in found]


def _row(gate: GateResult, link: Link, *more: Value) -> Row:
    chip = Chip(gate.status.value, TONES[gate.status])
    base = "" if gate.count is None else f"{gate.count:,} of {gate.of or 0:,}"
    values = (
        text(gate.gate, gate.metric),
        Value("", gate.status.value, "", (chip,)),
        Value(gate.said, gate.said, base, parts=(("value", gate.value), ("unit", gate.unit or None))),
        text(gate.rule),
        *more,
    )
    if not gate.culprits:
        return Row(values)
    return Row(values, gate.gate, link.with_(gate=gate.gate).href("gates"), marked=gate.gate == link.gate)


def culprit_rows(opened: GateResult, golds: dict[str, str | None], link: Link) -> list[Row]:
    """What broke a gate, in its order. link: to the page of questions, without one."""
    return [_culprit_row(culprit, str(at), golds, link) for at, culprit in enumerate(opened.culprits)]


def _culprit_row(culprit: Culprit, at: str, golds: dict[str, str | None], link: Link) -> Row:
    question = culprit.question
    values = (
        text(question, unknown="every question"),
        text(golds.get(question) if question is not None else None, unknown="not recorded" if question is not None else "—"),
        text(culprit.said),
        text(", ".join(culprit.runs) or None),
    )
    if question is None:
        return Row(values)
    return Row(values, opens=at, href=culprit_link(link, culprit).href("question"))


def culprit_link(link: Link, culprit: Culprit) -> Link:
    """The question with the first deployment that broke the gate on the right side."""
    return link.with_(q=culprit.question, b=culprit.runs[0] if culprit.runs else None)


def history_rows(rows: tuple[DecisionLine, ...], link: Link, shown: str, first_generation: int) -> list[Row]:
    """Decisions, each a link to the page as it stood then.

    shown: digest of the decision on the page. first_generation: of the study; what was decided before it was on a study of
    this name that has been removed since, and opens nothing.
    """
    return [_history_row(row, link, shown, row.as_of >= first_generation or row.decision_id == shown) for row in rows]


def decision_link(row: DecisionLine, link: Link) -> Link:
    """The page of one decision, at its generation."""
    return link.with_(gates=row.gate_set_id, candidate=row.candidate, gate=None, as_of=row.as_of, extractor=None)


def _history_row(row: DecisionLine, link: Link, shown: str, here: bool) -> Row:
    outcome, status = row.outcome, DECIDES[row.outcome]
    digests = row.environments.split()
    when = f"{row.decided_at:%Y-%m-%d %H:%M}"
    values = (
        text(when, row.decision_id),
        text(_short(row.candidate), row.candidate),
        Value("", outcome.value, f"exit code {EXIT_CODES[outcome]}", (Chip(WORDS[status], TONES[status]),)),
        text(row.gate_set_id),
        text(", ".join(digest[:SHORT] for digest in digests) or None, "\n".join(digests), unknown="not recorded"),
        text(row.author),
        number(str(row.as_of) if here else f"{row.as_of}, removed since", row.as_of, "generation of the store"),
    )
    if not here:
        return Row(values)
    return Row(values, opens=row.decision_id, href=decision_link(row, link).href("gates"), marked=row.decision_id == shown)


def _short(candidate: str) -> str:
    """A candidate's name, a digest cut short."""
    return candidate[:SHORT] if candidate.partition(":")[0] in SCHEMES else candidate
