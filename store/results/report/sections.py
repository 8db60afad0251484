"""All tables of a report and of a comparison, in the order they are read in."""

from store.analysis.accuracy import ONE_DEPLOYMENT
from store.results.findings import Finding
from store.results.printing import NOTHING, counted, fraction, level_text, p_text, percent, signed_points
from store.results.report.between_shape import Difference
from store.results.report.between_tables import (
    between_sections,
    excess_text,
    identical_text,
    kind_section,
)
from store.results.report.compare import Comparison, Side, StripLine
from store.results.report.environments import FieldDifference, SideValue
from store.results.report.noise import NotNoise
from store.results.report.sentences import interval_text, rate_text, resolution
from store.results.report.shape import Report
from store.results.report.side_tables import near_tie_section, side_sections
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
    rows = (
        ("fragile set", *_share(f.count, f.of), ", ".join(f.ids) or "none"),
        (f"all {everything.runs} grid runs together", *_share(everything.count, everything.of), NOTHING),
    )
    return Section(
        "Fragile set",
        ("questions on which runs disagree", "count", "share", "ids"),
        rows,
        f"Fragile: unstable in at least one of {counted(f.cells, 'cell')} with two deployments or more, a lower bound;"
        f" {f.unknown:,}"
        " questions have two verdicts in no cell and are unknown. How many more there may be stands above by cell and"
        " below by arm: cells"
        " are not exchangeable, so there is no estimate for their union. Together, runs also disagree where cells"
        " differ stably.",
    )


def _share(count: int | None, of: int) -> tuple[str, str]:
    return (ONE_DEPLOYMENT, NOTHING) if count is None else (fraction(count, of), percent(count / of if of else None, 1))


def compare_head(found: Comparison) -> str:
    """The one sentence of a comparison, and how many questions are not noise, none included."""
    return f"{found.sentence}. Questions that are not noise: {noise_base(found)}"


def noise_base(found: Comparison) -> str:
    """`4 of 1,319 with a verdict in every run of both sides.`, or why that is not known."""
    if found.not_noise is None:
        return "not known, a side has one deployment."
    return f"{len(found.not_noise):,} of {found.questions:,} with a verdict in every run of both sides."


def compare_sections(found: Comparison) -> tuple[Section, ...]:
    """Tables of a comparison: what differs in the environment, run pairs, and questions that are not noise."""
    a, b, fields = found.a.cell, found.b.cell, found.environment
    d = found.between.difference
    accuracy = Section(
        "Accuracy",
        ("", "cell", "accuracy", "correct in each run"),
        tuple(_side_row(name, side, found.questions) for name, side in (("A", found.a), ("B", found.b))),
        f"On {found.questions:,} of {found.question_set:,} questions, those scored in every run of both.",
    )
    difference = Section(
        "Difference B − A",
        ("points", "on fixed questions", "on new questions", "seen", "p"),
        ((signed_points(d.value), interval_text(d.ci_fixed), interval_text(d.ci_new), resolution(d), _p_text(d)),),
        f"{level_text(found.level)} intervals in points. Fixed questions: Welch on runs; new questions: paired by"
        " question, Tango with one"
        " run each. p raw and, in brackets, by Holm over the study's cell pairs.",
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
        "What two deployments of one cell differ by anyway stands in the first and the last line.",
    )
    excess = Section(
        "Flips above the floor",
        ("between", "floor", "excess in points"),
        ((percent(found.between.rate), percent(found.between.floor), excess_text(found.between)),),
        "Floor: the mean of both cells' own flip rates on the questions both have.",
    )
    header = ("question", "gold", f"A: {a}", f"B: {b}", "right", "differs in")
    rows = found.not_noise or ()
    chance = (
        ""
        if found.coin_chance is None
        else f" A question that tosses a coin looks so with chance {percent(found.coin_chance, 1)}."
    )
    questions = Section(
        "Questions that are not noise",
        header,
        tuple(_question_row(q) for q in rows if not q.in_fragile),
        f"Every deployment of A gives one answer, every deployment of B another, and no cell is unstable on them.{chance}",
    )
    elsewhere = Section(
        "Stable here, fragile in another cell",
        header,
        tuple(_question_row(q) for q in rows if q.in_fragile),
        "Constant and different in these two cells; another cell of the study is unstable on them, so this may be luck.",
    )
    ties = near_tie_section([found.near_ties] if found.near_ties else [])
    return (accuracy, difference, environment, strip, excess, questions, elsewhere, ties)


def _p_text(d: Difference) -> str:
    if d.p is None:
        return NOTHING
    return f"{p_text(d.p)} ({p_text(d.p_holm)}), {d.test}"


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
    right = {"a": "A", "b": "B", "both": "both", "neither": "neither"}[q.right]
    return (q.question, q.gold or NOTHING, q.answer_a or "no one answer", q.answer_b or "no one answer", right, q.layer)


def _strip_row(found: Comparison, line: StripLine) -> tuple[str, ...]:
    a, b = found.a.cell, found.b.cell
    names = {"a–a": (a, a), "a–b": (a, b), "b–b": (b, b)}[line.between]
    flips = rate_text(line.flips, line.flips_of, line.flip_rate)
    text = identical_text(line.identical_text, line.identical_text_of)
    return (" | ".join(names), str(line.pairs), flips, identical_text(line.identical, line.identical_of), text)
