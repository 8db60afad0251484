"""The report as tables of text, for terminals, Markdown and LaTeX. Numbers first, then base, then interval."""

from dataclasses import dataclass

from store.analysis.accuracy import ONE_DEPLOYMENT, SD_CONVENTION
from store.results.printing import NOTHING, counted, fraction, level_text, percent, points
from store.results.report.cell_shape import Cell
from store.results.report.sentences import interval_text, rate_text
from store.results.report.shape import Report


@dataclass(frozen=True, slots=True)
class Section:
    """One table with what a reader must know of it. rows have as many cells as the header."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


def cell_sections(report: Report) -> tuple[Section, ...]:
    """Tables over cells: Table 1, spread and checks, what was not seen yet, and outputs."""
    cells, level = report.cells, level_text(report.options.level)
    several = [cell for cell in cells if cell.deployments > 1]
    main = Section(
        "Cells",
        ("cell", "deployments", "accuracy", "unstable", "flips", "identical tokens", "truncated", "base"),
        tuple(_main_row(cell) for cell in cells),
        f"Accuracy ± {SD_CONVENTION}, in points. Flips and identity over pair-questions of all run pairs of a cell. In"
        " brackets the"
        f" {level} interval for new deployments on these questions, clustered by question: careful at five deployments"
        " and more,"
        " possibly too short with fewer. Where nothing flipped, ≤ bounds the chance that the next deployment differs anywhere.",
    )
    checks = Section(
        "Spread over pairs, and checks",
        ("cell", "identical tokens", "least", "median", "most pair", "flips, leaving one deployment out"),
        tuple(_check_row(cell) for cell in several),
        f"Identity with its {level} interval, and the rates of single pairs: one odd pair can move the mean. Last"
        f" column: {level}"
        " interval of the flip rate by the delete-one-run jackknife, from three deployments on, in percent.",
    )
    beside = Section(
        "Unstable questions and what was not seen yet",
        (
            "cell",
            "unstable",
            "at least",
            "new in next",
            f"expected in {report.options.rarefied_to or 'fewer'}",
            "scored in every run",
        ),
        tuple(_richness_row(cell) for cell in cells),
        "At least: Chao2, a lower bound, from four deployments on. New in the next deployment: Good–Turing. These and"
        " the expected"
        " count rest on questions scored in every run. Compare cells at equal deployments only, by the expected count.",
    )
    layers = Section(
        "Funnel",
        ("cell", "pair-questions", "tokens differ", "texts differ", "answers differ", "verdicts differ", "attenuation"),
        tuple(_funnel_row(cell) for cell in several),
        "Over pair-questions on which every recorded layer is known. Attenuation: differing outputs for each flip.",
    )
    outputs = Section(
        "Outputs",
        (
            "cell", "identical texts", "diverged in any / every pair", "identical in all", "answers changed",
            "same answer, of divergent", "same answer, of all", "first divergence",
        ),
        tuple(_output_row(cell) for cell in several),
        "First divergence: 0-based token, median [quartiles] over diverged pair-questions, without the equal, censored ones."
        " Both shares of unchanged answers name their denominator.",
    )  # fmt: skip
    return main, checks, beside, layers, outputs


def run_section(report: Report) -> Section:
    """Every run, whatever its role."""
    rows = tuple(
        (
            run.run,
            run.cell,
            run.role,
            run.state,
            run.deployment,
            run.card or NOTHING,
            run.fingerprint or NOTHING,
            fraction(run.correct, run.of),
            f"{run.unscored:,}",
            f"{run.missing:,}",
        )
        for run in report.runs
    )
    header = ("run", "cell", "role", "state", "deployment", "card", "fingerprint", "correct of scored", "unscored", "missing")
    note = f"Counted on the study's {report.questions:,} questions. Only grid runs enter cells."
    if any(run.fingerprint for run in report.runs):
        note += " Equal fingerprints: equal log-probabilities, unrounded, on the sentinel prompts asked at the start."
    return Section("Runs", header, rows, note)


def _main_row(cell: Cell) -> tuple[str, ...]:
    a = cell.accuracy
    counts = ", ".join(f"{run.correct:,}" for run in a.per_run)
    cards = "" if cell.gpus is None else f" on {counted(cell.gpus, 'card')}"
    unstable = _missing(cell) if cell.unstable.count is None else fraction(cell.unstable.count, cell.unstable.of)
    flips = (
        _missing(cell)
        if cell.flips.count is None
        else rate_text(cell.flips.count, cell.flips.of, cell.flips.rate, cell.flips.ci)
    )
    if cell.flips.null_pairs:
        flips += f", {counted(cell.flips.null_pairs, 'pair-question')} left out as unscored"
    never = next((zero.next_differs for zero in cell.zero_events if zero.layer == "verdicts"), None)
    if cell.flips.count == 0 and never is not None:
        flips += f", next ≤ {percent(never.upper, 0)}"
    same = cell.identity
    identical = (
        f"undefined ({same.undefined})" if same.identical is None else rate_text(same.identical, same.of, same.rate, digits=1)
    )
    spread = f"sd {ONE_DEPLOYMENT}" if cell.deployments < 2 else f"± {points(a.sd)}"
    second = a.mean_unscored_as_incorrect
    pessimistic = "" if second is None else f", {percent(second)} with unscored as incorrect"
    accuracy = f"{percent(a.mean)} {spread} ({counts} of {cell.scored_questions:,}){pessimistic}"
    if cell.deployments < 2:
        identical = ONE_DEPLOYMENT
    cut = NOTHING if cell.truncated is None else fraction(cell.truncated, cell.records - cell.end_unknown)
    return (cell.cell, f"{cell.deployments}{cards}", accuracy, unstable, flips, identical, cut, cell.base)


def _missing(cell: Cell) -> str:
    """Why a cell has no flips and no unstable questions."""
    return ONE_DEPLOYMENT if cell.deployments < 2 else "no verdicts"


def _richness_row(cell: Cell) -> tuple[str, ...]:
    u = cell.unstable
    return (
        cell.cell,
        _missing(cell) if u.count is None else f"{fraction(u.count, u.of)} in {counted(cell.deployments, 'deployment')}",
        NOTHING if u.chao2 is None else f"{u.chao2:.1f}",
        NOTHING if u.expected_next is None else f"{u.expected_next:.1f}",
        NOTHING if u.rarefied is None else f"{u.rarefied.expected:.1f}",
        fraction(u.complete, u.of + u.unknown),
    )


def _check_row(cell: Cell) -> tuple[str, ...]:
    same = cell.identity
    identical = "undefined" if same.identical is None else rate_text(same.identical, same.of, same.rate, same.ci, digits=1)
    spread = (percent(rate, 1) for rate in (same.least, same.median_pair, same.most))
    return (cell.cell, identical, *spread, interval_text(cell.flips.ci_runs))


def _funnel_row(cell: Cell) -> tuple[str, ...]:
    f, base = cell.funnel, cell.attenuation_base
    if f is None or not f.of:  # nothing is known on every layer, so nothing can be said to be zero
        return (cell.cell, *(NOTHING,) * 6)
    counts = (NOTHING if count is None else f"{count:,}" for count in (f.tokens, f.text, f.answer, f.verdict))
    by = " (texts)" if base is not None and base.layer == "text" and base.diverged else ""
    ratio = NOTHING if base is None else _attenuation(cell.attenuation, base.diverged, base.flips) + by
    return (cell.cell, f"{f.of:,}", *counts, ratio)


def _output_row(cell: Cell) -> tuple[str, ...]:
    every, d, same, answers = cell.identical_in_all, cell.diverged, cell.same_answer, cell.answers
    tokens = [] if every.tokens is None else [f"tokens {fraction(every.tokens, every.tokens_of)}"]
    text = [] if every.text is None else [f"texts {fraction(every.text, every.text_of)}"]
    at = cell.first_divergence
    return (
        cell.cell,
        rate_text(cell.identity_text.identical, cell.identity_text.of, cell.identity_text.rate, digits=1),
        NOTHING if d.any is None else f"{d.any:,} / {d.every:,} of {d.of:,}",
        ", ".join([*tokens, *text]) or NOTHING,
        rate_text(answers.changed, answers.of, answers.rate),
        NOTHING if same is None else rate_text(same.divergent - same.changed_divergent, same.divergent, same.of_divergent),
        NOTHING if same is None else rate_text(same.all - same.changed, same.all, same.of_all),
        NOTHING if at is None or at.median is None else f"{at.median:g} [{at.q1:g}, {at.q3:g}] of {at.diverged:,}",
    )


def _attenuation(ratio: float | None, diverged: int, flips: int) -> str:
    if ratio is not None:
        return f"{ratio:.0f}× ({diverged:,} / {flips:,})" if ratio >= 1 else f"{ratio:.1g}× ({diverged:,} / {flips:,})"
    return f"∞ (no flips in {diverged:,})" if diverged else NOTHING
