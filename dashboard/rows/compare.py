"""Tables of a comparison."""

from collections import Counter

from dashboard.components.table import Chip, Column, Row, Value, text
from dashboard.link import Link
from store.results.printing import NOTHING, counted
from store.results.report.compare import Comparison, ranked_noise
from store.results.report.environments import FieldDifference, SideValue
from store.results.report.noise import NotNoise

MANY = 40
"""Characters of a value that are shown; hovering shows it whole."""


def field_columns(found: Comparison) -> tuple[Column, ...]:
    """Columns of the environment rows."""
    return (
        Column("field"),
        Column("kind", "kernel state: tuned choices and caches; declared: versions, hardware, options; request: sampling"),
        Column(f"A: {found.a.cell}"),
        Column(f"B: {found.b.cell}"),
    )


def field_rows(found: Comparison) -> list[Row]:
    """Fields that differ or are unknown on one side, kernel state first."""
    return [Row(_field_values(field)) for field in found.environment.differing]


def fields_sentence(found: Comparison) -> str:
    """What the rows leave out, counted."""
    fields = found.environment
    states = Counter(field.state for field in fields.differing)
    return (
        f"{counted(states['differs'], 'field')} recorded as different, {states['unknown on one side']} known on one side only,"
        f" {states['unknown in some']} equal where known but not known everywhere, {fields.same} known and equal,"
        f" {len(fields.unknown)} known on neither side, so that nothing can be said of them."
    )


def noise_columns(found: Comparison) -> tuple[Column, ...]:
    """Columns of the questions that are not noise."""
    some = any(question.category for question in found.not_noise or ())
    return (
        Column("question"),
        *([Column("category")] if some else []),
        Column("gold"),
        Column(f"A: {found.a.cell}", "the answer every deployment of A gives"),
        Column(f"B: {found.b.cell}", "the answer every deployment of B gives"),
        Column("right", "the side whose answer is correct"),
        Column("differs in", "answer: both are right or both wrong, with different answers"),
        Column("in the study", "whether some cell of the study is unstable on it, so that this may be luck all the same"),
    )


def noise_rows(found: Comparison, link: Link) -> list[Row]:
    """Questions both sides are stable and different on: verdicts first, those stable everywhere first."""
    some = any(question.category for question in found.not_noise or ())
    return [
        Row(_noise_values(q, some), opens=q.question, href=link.with_(q=q.question).href("question"))
        for q in ranked_noise(found)
    ]


def noise_base(found: Comparison) -> str:
    """`4 of 1,319 questions with a verdict in every run of both sides.`"""
    return f"{len(found.not_noise or ()):,} of {found.questions:,} questions with a verdict in every run of both sides."


def _noise_values(q: NotNoise, category: bool) -> tuple[Value, ...]:
    right = {"a": "A", "b": "B", "both": "both", "neither": "neither"}[q.right]
    return (
        text(q.question),
        *([text(q.category)] if category else []),
        text(q.gold, unknown="not recorded"),
        _answer(q.answer_a, q.right in ("a", "both")),
        _answer(q.answer_b, q.right in ("b", "both")),
        text(right),
        text(q.layer),
        text({True: "unstable in some cell", False: "stable in every cell", None: "not known"}[q.in_fragile]),
    )


def _answer(answer: str | None, right: bool) -> Value:
    shown = "no one answer" if answer is None else answer
    return Value("", shown, "", (Chip(shown, "correct" if right else "incorrect", "correct" if right else "incorrect"),))


def _field_values(field: FieldDifference) -> tuple[Value, ...]:
    return (
        text(field.field),
        text(field.group if field.state == "differs" else f"{field.group} · {field.state}"),
        _values(field.a, field.unknown_a),
        _values(field.b, field.unknown_b),
    )


def _values(values: tuple[SideValue, ...], unknown: int) -> Value:
    chips = [Chip(_short(v.value, len(v.deployments)), "none", f"{v.value}\n{', '.join(v.deployments)}") for v in values]
    if unknown:
        chips.append(Chip(f"unknown in {unknown}", "unscored", "not recorded by these deployments"))
    whole = "; ".join(f"{value.value} ({len(value.deployments)})" for value in values)
    return Value("" if chips else NOTHING, whole or "unknown", "", tuple(chips))


def _short(value: str, deployments: int) -> str:
    shown = value if len(value) <= MANY else f"{value[:MANY]}…"
    return f"{shown} · {deployments}"
