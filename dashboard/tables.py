"""Tables of pages, from results."""

import pandas as pd

from dashboard.safe import Cell, number
from store.analysis.accuracy import ONE_DEPLOYMENT, SD_CONVENTION
from store.analysis.verdicts import CORRECT, INCORRECT
from store.results.cells import CellResult, StudyCells
from store.results.printing import NOTHING, fraction, percent, points

CELL_HEADER = (
    Cell("cell"),
    Cell("arm"),
    number("accuracy", "mean over the cell's deployments"),
    number("sd", SD_CONVENTION),
    number("deployments", "fresh deployments, one run each"),
    number("correct per run", "in repeat order, all on the same questions"),
    number("truncated", "records that hit the token limit, scored as they stand"),
    number("questions", "common to every run of the cell, of the study's question set"),
)


def cell_rows(result: StudyCells) -> list[tuple[Cell, ...]]:
    """One row per cell; hovering a number shows what it stands on."""
    return [_cell_row(cell) for cell in result.cells]


def _cell_row(cell: CellResult) -> tuple[Cell, ...]:
    a = cell.accuracy
    total = sum(run.correct for run in a.per_run)
    base = f"{fraction(total, a.base.scored * len(a.per_run))} records of {len(a.per_run)} deployments, {a.base.sentence}"
    if a.mean_unscored_as_incorrect is not None:
        base += f"; {percent(a.mean_unscored_as_incorrect)} with {a.unscored:,} unscored records counted as incorrect"
    spread = ONE_DEPLOYMENT if cell.deployments < 2 else points(a.sd)
    counts = ", ".join(f"{run.correct:,}" for run in a.per_run)
    each = "\n".join(f"{run.run}: {fraction(run.correct, run.of)}" for run in a.per_run)
    return (
        Cell(cell.cell),
        Cell(cell.arm),
        number(percent(a.mean), base),
        number(spread, SD_CONVENTION),
        number(str(cell.deployments), f"{cell.deployments} fresh deployments of {cell.cell}"),
        Cell(counts, each, "right"),
        _truncated(cell),
        number(fraction(a.base.scored, a.base.of), a.base.sentence),
    )


def _truncated(cell: CellResult) -> Cell:
    unknown = f"{fraction(cell.end_unknown, cell.records)} records do not say how they ended"
    if cell.truncated is None:
        return number(NOTHING, unknown)
    known = f"{fraction(cell.truncated, cell.records - cell.end_unknown)} records of the cell hit the token limit"
    return number(f"{cell.truncated:,}", f"{known}; {unknown}" if cell.end_unknown else known)


def question_frame(result: StudyCells) -> pd.DataFrame:
    """One row per question: how many runs of each cell were right, the least agreed on first.

    A cell says `4 / 5` (right of scored runs), and a dash where no run of it has a verdict. Order: cells
    whose runs disagree, then verdicts that differ at all, then answers, then outputs.
    """
    frame = pd.DataFrame({"question": result.questions, "outputs": result.outputs, "answers": result.answers})
    if any(result.categories):
        frame.insert(1, "category", [category or NOTHING for category in result.categories])
    split = pd.Series(0, index=frame.index)
    right_in_all, scored_in_all = split.copy(), split.copy()
    for cell in result.cells:
        right, scored = (cell.verdicts == CORRECT).sum(axis=0), (cell.verdicts >= INCORRECT).sum(axis=0)
        frame[cell.cell] = [f"{r} / {s}" if s else NOTHING for r, s in zip(right, scored, strict=True)]
        split += (right > 0) & (right < scored)
        right_in_all += right
        scored_in_all += scored
    differs = (right_in_all > 0) & (right_in_all < scored_in_all)
    frame.insert(list(frame.columns).index("outputs"), "split cells", split)
    order = frame.assign(differs=differs).sort_values(
        ["split cells", "differs", "answers", "outputs"], ascending=False, kind="stable"
    )
    return order.drop(columns="differs").reset_index(drop=True)
