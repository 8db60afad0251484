"""All tables of a report and of a comparison, in the order they are read in."""

from store.results.findings import Finding
from store.results.printing import NOTHING, counted, fraction, percent
from store.results.report.between_tables import (
    between_sections,
    excess_text,
    identical_text,
    kind_section,
    near_tie_section,
    side_sections,
)
from store.results.report.compare import Comparison, NotNoise, Side, StripLine
from store.results.report.environments import FieldDifference, SideValue
from store.results.report.sentences import NEEDS_TWO, interval_text, rate_text
from store.results.report.shape import Report
from store.results.report.tables import Section, cell_sections, run_section


def report_head(found: Report) -> str:
    """What the report is about, on one line."""
    label = f" ({found.label})" if found.label else ""
    return (
        f"{found.study}{label}: {counted(len(found.runs), 'run')} on {counted(found.questions, 'question')},"
        f" scored by {found.options.extractor or 'nobody'}, generation {found.options.as_of}, {found.data_digest[:18]}"
    )


def report_sections(found: Report) -> tuple[Section, ...]:
    """All tables of a report, the most asked-for first; a table without rows is one the study has nothing for."""
    return (
        *cell_sections(found),
        _fragile_section(found),
        *between_sections(found),
        kind_section(found.pair_kinds),
        *side_sections(found),
        run_section(found),
    )


def finding_section(findings: tuple[Finding, ...]) -> Section:
    """Findings as a table, for exports."""
    rows = tuple((finding.kind, finding.text) for finding in findings)
    return Section("Findings", ("kind", "finding"), rows, "Doubts beside the numbers; none changes one.")


def _fragile_section(found: Report) -> Section:
    f, everything = found.fragile_set, found.all_runs.unstable
    count = NEEDS_TWO if f.count is None else fraction(f.count, f.of)
    share = NOTHING if f.count is None or not f.of else percent(f.count / f.of, 1)
    return Section(
        "Fragile set",
        ("questions", "share", "ids"),
        ((count, share, ", ".join(f.ids) or "none"),),
        f"Unstable in at least one of {counted(f.cells, 'cell')} with two deployments or more: a lower bound."
        f" Unknown, with fewer than two verdicts in every cell: {f.unknown:,}. All {everything.runs} grid runs taken together"
        f" disagree on {NOTHING if everything.count is None else fraction(everything.count, everything.of)}.",
    )


def compare_sections(found: Comparison) -> tuple[Section, ...]:
    """Tables of a comparison: what differs in the environment, run pairs, and questions that are not noise."""
    a, b, fields = found.a.cell, found.b.cell, found.environment
    d = found.between.difference
    accuracy = Section(
        "Accuracy",
        ("", "cell", "accuracy", "correct in each run"),
        tuple(_side_row(name, side, found.questions) for name, side in (("A", found.a), ("B", found.b))),
        f"B − A in points, {percent(found.level, 0)} intervals: on fixed questions (Welch on runs) {interval_text(d.ci_fixed)},"
        f" on new questions {interval_text(d.ci_new)}.",
    )
    environment = Section(
        "Environment fields that differ",
        ("field", "kind", f"A: {a}", f"B: {b}"),
        tuple(_field_row(row) for row in fields.differing),
        f"{counted(fields.same, 'field')} known and equal, {len(fields.unknown)} known on neither side."
        " In brackets: deployments. A difference is what was recorded, not a cause.",
    )
    strip = Section(
        "Run pairs",
        ("between", "pairs", "flips", "identical tokens", "identical texts"),
        tuple(_strip_row(found, line) for line in found.strip),
        "What two deployments of one cell differ by anyway stands in the first and the last line; their mean is the floor"
        f" {percent(found.between.floor)}. Excess of flips over it, in points: {excess_text(found.between)}.",
    )
    questions = Section(
        "Questions that are not noise",
        ("question", "gold", f"A: {a}", f"B: {b}", "right", "differs in", "fragile elsewhere"),
        tuple(_question_row(q) for q in found.not_noise or ()),
        "Every deployment of A gives one answer, every deployment of B another.",
    )
    return (accuracy, environment, strip, questions, near_tie_section([found.near_ties] if found.near_ties else []))


def _side_row(name: str, side: Side, questions: int) -> tuple[str, ...]:
    whole = questions * side.deployments
    counts = ", ".join(f"{count:,}" for count in side.right)
    return (name, side.cell, rate_text(sum(side.right), whole, sum(side.right) / whole if whole else None), counts)


def _field_row(row: FieldDifference) -> tuple[str, ...]:
    return (row.field, row.group, _values(row.a, row.unknown_a), _values(row.b, row.unknown_b))


def _values(values: tuple[SideValue, ...], unknown: int) -> str:
    said = [f"{value.value} ({len(value.deployments)})" for value in values]
    return "; ".join([*said, *([f"unknown ({unknown})"] if unknown else [])])


def _question_row(q: NotNoise) -> tuple[str, ...]:
    elsewhere = "yes" if q.in_fragile else "no"
    return (q.question, q.gold or NOTHING, q.answer_a or "none", q.answer_b or "none", q.right, q.layer, elsewhere)


def _strip_row(found: Comparison, line: StripLine) -> tuple[str, ...]:
    a, b = found.a.cell, found.b.cell
    names = {"a–a": (a, a), "a–b": (a, b), "b–b": (b, b)}[line.between]
    flips = rate_text(line.flips, line.flips_of, line.flip_rate)
    text = identical_text(line.identical_text, line.identical_text_of)
    return (" | ".join(names), str(line.pairs), flips, identical_text(line.identical, line.identical_of), text)
