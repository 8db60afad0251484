"""Tables of a study's overview."""

from collections.abc import Sequence
from urllib.parse import urlencode

from dashboard.components.table import Chip, Column, Row, Value, number, text
from dashboard.link import Link
from store.analysis.accuracy import ONE_DEPLOYMENT, SD_CONVENTION
from store.analysis.interval import Interval
from store.analysis.verdicts import CORRECT, INCORRECT
from store.results.cells import StudyCells, least_agreed
from store.results.printing import NOTHING, counted, fraction, level_text, p_text, percent, points, signed_points
from store.results.report.between_shape import CrossCell
from store.results.report.cell_shape import Cell, Identity
from store.results.report.sentences import interval_text, resolution
from store.results.report.shape import Report

CELL_COLUMNS = (
    Column("cell"),
    Column("arm"),
    Column("deployments", "fresh deployments, one run each", right=True),
    Column("accuracy", "mean over the cell's deployments", right=True),
    Column("sd", SD_CONVENTION, right=True),
    Column("flips", "questions whose verdict differs between two deployments, over all run pairs of the cell", right=True),
    Column("identical", "equal token sequences over all run pairs; texts where no tokens are recorded", right=True),
    Column("unstable", "questions on which the cell's own runs disagree", right=True),
    Column("attenuation", "differing outputs for each differing verdict", right=True),
    Column("truncated", "records that hit the token limit, scored as they stand", right=True),
    Column("questions", "scored in every run of the cell, of the study's question set", right=True),
)
STATISTIC_COLUMNS = (
    Column("cell"),
    Column("flip rate", "over all pair-questions", right=True),
    Column("interval by question", "of the flip rate, clustered by question", right=True),
    Column("interval by run", "of the flip rate, delete-one-run jackknife, from three deployments on", right=True),
    Column("interval of identity", "of the share of equal token sequences, clustered by question", right=True),
    Column("unstable, at least", "Chao2: a lower bound of what more deployments would find", right=True),
    Column("expected in the next", "new unstable questions the next deployment is expected to show", right=True),
    Column("without disputed golds", "a second line beside the accuracy, never the first", right=True),
)
DIFFERENCE_COLUMNS = (
    Column("cells"),
    Column("difference", "accuracy of the second less that of the first", right=True),
    Column("what the deployments could see"),
    Column("fixed questions", "Welch on run accuracies: new deployments on these questions", right=True),
    Column("new questions", "paired by question (Tango with one run each)", right=True),
    Column("p", "of the test that fits; Holm over the study's cell pairs in brackets", right=True),
)


def cell_rows(report: Report, link: Link) -> list[Row]:
    """One row per cell; a click opens its questions on the map."""
    return [Row(_cell_values(cell), opens=cell.cell, href=link.with_(cell=cell.cell).href("fragile")) for cell in report.cells]


def statistic_rows(report: Report) -> list[Row]:
    """Intervals and estimates of every cell."""
    return [Row(_statistic_values(cell)) for cell in report.cells]


def difference_rows(pairs: Sequence[CrossCell], link: Link) -> list[Row]:
    """Accuracy differences of all cell pairs; a click opens the comparison."""
    rows = []
    for at, pair in enumerate(pairs):
        d = pair.difference
        there = link.with_(by="cell", side_a=pair.a, side_b=pair.b).href("compare")
        base = f"on {d.questions:,} questions scored in every run of both; {d.deployments_a} × {d.deployments_b} deployments"
        values = (
            text(f"{pair.b} − {pair.a}"),
            number(signed_points(d.value), d.value, base, ("questions", d.questions)),
            text(resolution(d)),
            interval(d.ci_fixed),
            interval(d.ci_new),
            number(
                NOTHING if d.p is None else f"{p_text(d.p)} ({p_text(d.p_holm)})",
                d.p,
                d.test or "no test",
                ("Holm", d.p_holm),
            ),
        )
        rows.append(Row(values, opens=str(at), href=there))
    return rows


def interval(found: Interval | None) -> Value:
    """An interval in percent or points, its target and method on hover."""
    if found is None:
        return number(NOTHING, None, "not computed: too few deployments, or nothing varies")
    base = f"{level_text(found.level)} for {found.target}: {found.method}. Assumes that {found.assumes}."
    return Value(
        interval_text(found), found.low, base, (), (("low", found.low), ("high", found.high), ("target", found.target))
    )


def question_columns(result: StudyCells) -> tuple[Column, ...]:
    """Columns of the question list."""
    return (
        Column("question"),
        *([Column("category")] if any(result.categories) else []),
        Column("split cells", f"of {len(result.cells)} cells, those whose own runs disagree", right=True),
        Column("outputs", "distinct token sequences over all runs; texts where no tokens are recorded", right=True),
        Column("answers", "distinct answers over all runs", right=True),
        *(
            Column(cell.cell, "correct runs / runs with a verdict; a dash where no run has one", right=True)
            for cell in result.cells
        ),
    )


def question_rows(result: StudyCells, path: str) -> list[Row]:
    """One row per question, the least agreed on first.

    path: address of the question page with everything said but the question.
    """
    some = any(result.categories)
    rows = []
    for i in least_agreed(result):
        question = result.questions[i]
        counts = [
            (int((cell.verdicts[:, i] == CORRECT).sum()), int((cell.verdicts[:, i] >= INCORRECT).sum()))
            for cell in result.cells
        ]
        split = sum(0 < right < scored for right, scored in counts)
        values = (
            text(question),
            *([text(result.categories[i])] if some else []),
            number(str(split), split, ""),
            _distinct(result.outputs[i], "outputs"),
            _distinct(result.answers[i], "answers"),
            *(_right(r, s) for r, s in counts),
        )
        rows.append(Row(values, opens=question, href=f"{path}&{urlencode({'q': question})}"))
    return rows


def _distinct(count: int, what: str) -> Value:
    return (
        number(str(count), count, f"distinct {what} over all runs")
        if count
        else number(NOTHING, None, f"no {what} are recorded")
    )


def _right(right: int, scored: int) -> Value:
    # the column says what is counted of what: a sentence in each of ten thousand cells would be half of the page
    return number(f"{right} / {scored}" if scored else NOTHING, right if scored else None, "", ("of", scored))


def _cell_values(cell: Cell) -> tuple[Value, ...]:
    a, f = cell.accuracy, cell.flips
    total, whole = sum(run.correct for run in a.per_run), sum(run.of for run in a.per_run)
    base = f"{fraction(total, whole)} records of {counted(cell.deployments, 'deployment')}, {cell.base}"
    if a.mean_unscored_as_incorrect is not None:
        base += f"; {percent(a.mean_unscored_as_incorrect)} with unscored records counted as incorrect"
    counts = ", ".join(str(run.correct) for run in a.per_run)
    each = "\n".join(f"{run.run}: {fraction(run.correct, run.of)}" for run in a.per_run)
    single = cell.deployments < 2
    return (
        text(cell.cell),
        Value("", cell.arm, "", (Chip(cell.arm),)),
        number(str(cell.deployments), cell.deployments, f"{cell.deployments} fresh deployments of {cell.cell}"),
        number(percent(a.mean), a.mean, f"{base}\n{each}", ("correct", total), ("of", whole), ("per run", counts)),
        number(ONE_DEPLOYMENT if single else points(a.sd), a.sd, SD_CONVENTION),
        number(
            ONE_DEPLOYMENT if single else percent(f.rate),
            f.rate,
            ONE_DEPLOYMENT if f.count is None else f"{fraction(f.count, f.of)} pair-questions of {len(f.per_pair)} run pairs",
            ("count", f.count),
            ("of", f.of),
        ),
        _identical(cell),
        number(
            NOTHING if cell.unstable.count is None else f"{cell.unstable.count:,}",
            cell.unstable.count,
            f"of {cell.unstable.of:,} questions with two verdicts or more; {cell.unstable.unknown:,} are not known",
            ("of", cell.unstable.of),
        ),
        _attenuation(cell),
        _truncated(cell),
        number(fraction(cell.scored_questions, cell.questions), cell.scored_questions, cell.base, ("common", cell.questions)),
    )


def _identical(cell: Cell) -> Value:
    by_tokens = cell.identity.identical is not None
    found: Identity = cell.identity if by_tokens else cell.identity_text
    if found.identical is None:
        why = ONE_DEPLOYMENT if cell.deployments < 2 else (cell.identity.undefined or "nothing to compare")
        return number(ONE_DEPLOYMENT if cell.deployments < 2 else NOTHING, None, why, ("layer", None))
    layer = "token sequences" if by_tokens else "texts (token identity is undefined)"
    spread = f"; pairs from {percent(found.least)} to {percent(found.most)}"
    title = f"{fraction(found.identical, found.of)} pair-questions with equal {layer}{spread}"
    parts = (("count", found.identical), ("of", found.of), ("layer", "tokens" if by_tokens else "text"))
    return number(percent(found.rate), found.rate, title, *parts)


def _attenuation(cell: Cell) -> Value:
    base = cell.attenuation_base
    if base is None:
        return number(NOTHING, None, "needs two deployments and a recorded output")
    title = f"{base.diverged:,} differing outputs ({base.layer}) for {base.flips:,} flips, of {base.of:,} pair-questions"
    shown = f"{base.ratio:.1f}" if base.ratio is not None else ("∞" if base.diverged else NOTHING)
    return number(shown, base.ratio, title, ("differing", base.diverged), ("flips", base.flips))


def _truncated(cell: Cell) -> Value:
    unknown = f"{fraction(cell.end_unknown, cell.records)} records do not say how they ended"
    if cell.truncated is None:
        return number(NOTHING, None, unknown)
    known = f"{fraction(cell.truncated, cell.records - cell.end_unknown)} records of the cell hit the token limit"
    return number(f"{cell.truncated:,}", cell.truncated, f"{known}; {unknown}" if cell.end_unknown else known)


def _of_pairs(cell: Cell) -> str:
    return ONE_DEPLOYMENT if cell.flips.count is None else f"{fraction(cell.flips.count, cell.flips.of)} pair-questions"


def _statistic_values(cell: Cell) -> tuple[Value, ...]:
    u, w = cell.unstable, cell.without_disputed
    return (
        text(cell.cell),
        number(percent(cell.flips.rate), cell.flips.rate, _of_pairs(cell)),
        interval(cell.flips.ci),
        interval(cell.flips.ci_runs),
        interval(cell.identity.ci),
        number(NOTHING if u.chao2 is None else f"{u.chao2:.1f}", u.chao2, f"from {u.complete:,} questions scored in every run"),
        number(
            NOTHING if u.expected_next is None else f"{u.expected_next:.1f}",
            u.expected_next,
            "not known" if u.count is None else f"seen so far: {u.count}",
        ),
        number(NOTHING, None, "no gold is disputed")
        if w is None
        else number(f"{percent(w.mean)} ± {points(w.sd)}", w.mean, f"on {w.questions:,} questions"),
    )
