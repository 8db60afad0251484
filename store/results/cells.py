"""Accuracy of every cell of a study."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from store.analysis.accuracy import CellAccuracy, cell_accuracy
from store.analysis.verdicts import CORRECT, INCORRECT, MISSING, VerdictArray
from store.contract.run import StudyRole
from store.results.findings import Finding
from store.results.question import Asked
from store.results.runs import CellRuns
from store.results.scope import Scope
from store.results.study import StudyData, study_data
from store.warehouse.open import Warehouse


@dataclass(frozen=True, slots=True)
class CellResult:
    """One cell: its accuracy and its verdicts (runs × questions of the set).

    records, truncated, end_unknown: over its runs' first passes and the questions of the set. A truncated
    record hit its token limit and is scored as it stands; `truncated` counts the known ones and is null
    when no record says how it ended. empty: records with an empty text.
    """

    cell: str
    arm: str
    deployments: int
    accuracy: CellAccuracy
    verdicts: VerdictArray
    declared_digests: tuple[str, ...]
    records: int
    truncated: int | None
    end_unknown: int
    empty: int


@dataclass(frozen=True, slots=True)
class StudyCells:
    """Cells by arm and name. `questions` are the ids of the question set, the columns of every verdict array.

    outputs, answers: distinct outputs (token ids where every run has them, else texts) and distinct answers of each
    question over the runs of all cells; 0 where none is recorded.
    """

    scope: Scope
    questions: tuple[str, ...]
    categories: tuple[str | None, ...]
    cells: tuple[CellResult, ...]
    outputs: tuple[int, ...]
    answers: tuple[int, ...]
    findings: tuple[Finding, ...]

    @property
    def no_cells(self) -> str:
        """Why there is no cell, for when there is none."""
        grid_runs = self.scope.study.grid_runs
        if not grid_runs:
            return f"None of the {self.scope.study.runs} runs has the role grid, and only grid runs make up cells."
        return f"None of the {grid_runs} grid runs is complete, so there is no cell."


def least_agreed(result: StudyCells) -> tuple[int, ...]:
    """Columns of the questions, the least agreed on first: split cells, then verdicts that differ at all, answers, outputs."""
    right = np.array([(cell.verdicts == CORRECT).sum(axis=0) for cell in result.cells], dtype=np.int64)
    scored = np.array([(cell.verdicts >= INCORRECT).sum(axis=0) for cell in result.cells], dtype=np.int64)
    if not len(right):
        return tuple(range(len(result.questions)))
    split = ((right > 0) & (right < scored)).sum(axis=0)
    all_right, all_scored = right.sum(axis=0), scored.sum(axis=0)
    differing = (all_right > 0) & (all_right < all_scored)
    order = np.lexsort((-np.array(result.outputs), -np.array(result.answers), ~differing, -split))
    return tuple(int(i) for i in order)


def study_cells(warehouse: Warehouse, scope: Scope) -> StudyCells:
    """Cells of a study at a generation, scored by the scope's extractor. No grid run gives no cell."""
    return cells_of(study_data(warehouse, scope))


def cells_of(data: StudyData) -> StudyCells:
    """The same from a study that is already read."""
    rows = data.rows[data.rows["role"] == StudyRole.GRID.value]
    inside = rows[rows["question_id"].isin(data.questions)]
    cells = tuple(_cell(cell, data, inside) for cell in data.grid.cells)
    entered = inside[inside["run_id"].isin([run.run_id for cell in data.grid.cells for run in cell.runs])]
    return StudyCells(
        scope=data.scope,
        questions=data.questions,
        categories=tuple(row.category for row in data.asked),
        cells=cells,
        outputs=_outputs(entered, data.questions),
        answers=_distinct(entered, data.questions, "answer"),
        findings=(
            *data.grid.findings,
            *_further_passes(data.grid.cells, rows),
            *_doubts(data.scope, cells, data.questions, rows),
            *_gold_doubts(data.asked),
        ),
    )


def _cell(cell: CellRuns, data: StudyData, rows: pd.DataFrame) -> CellResult:
    ids = tuple(run.run_id for run in cell.runs)
    mine = rows[rows["run_id"].isin(ids)]
    dense = data.cell_panel(cell).verdicts
    digests = tuple(dict.fromkeys(run.declared_digest for run in cell.runs if run.declared_digest is not None))
    end_unknown = int(mine["finish_reason"].isna().sum())
    return CellResult(
        cell=cell.cell,
        arm=cell.arm,
        deployments=len(ids),
        accuracy=cell_accuracy(ids, dense),
        verdicts=dense,
        declared_digests=digests,
        records=len(mine),
        truncated=int((mine["finish_reason"] == "length").sum()) if end_unknown < len(mine) else None,
        end_unknown=end_unknown,
        empty=int(mine["empty"].fillna(False).sum()),
    )


def _outputs(frame: pd.DataFrame, questions: tuple[str, ...]) -> tuple[int, ...]:
    """Distinct token outputs where every record has comparable ones, each in its tokenizer and prompt; else distinct texts."""
    known = frame["identity"].notna() & frame["domain"].notna()
    tokens = frame.assign(output=frame["domain"].astype(str) + " " + frame["identity"].astype(str))
    whole = known.groupby(frame["question_id"]).all().reindex(list(questions), fill_value=False)
    by_tokens, by_text = _distinct(tokens, questions, "output"), _distinct(frame, questions, "text")
    return tuple(t if all_known else n for t, n, all_known in zip(by_tokens, by_text, whole, strict=True))


def _distinct(frame: pd.DataFrame, questions: tuple[str, ...], column: str) -> tuple[int, ...]:
    counts = frame.groupby("question_id")[column].nunique()
    return tuple(int(n) for n in counts.reindex(list(questions), fill_value=0))


def _further_passes(cells: tuple[CellRuns, ...], verdicts: pd.DataFrame) -> list[Finding]:
    """Records that no number uses because their run holds more than one pass or sample."""
    used = verdicts["run_id"].value_counts()
    more = {run.run_id: run.records - int(used.get(run.run_id, 0)) for cell in cells for run in cell.runs}
    left = {run: count for run, count in more.items() if count}
    if not left:
        return []
    said = "; ".join(f"{run}: {count:,}" for run, count in left.items())
    text = f"records of further passes or samples within a run are left out, a run being one pass: {said}"
    return [Finding("shared-deployment", text, tuple(left))]


def _doubts(scope: Scope, cells: tuple[CellResult, ...], questions: tuple[str, ...], verdicts: pd.DataFrame) -> list[Finding]:
    found = []
    if scope.extractor is None:
        found.append(Finding("no-extractor", "no record of this study is scored: no accuracy can be given", ()))
    for cell in cells:
        found += _gaps(cell, len(questions))
        if cell.accuracy.unscored:
            text = f"{cell.cell}: {cell.accuracy.unscored:,} records have no verdict and are counted neither right nor wrong"
            found.append(Finding("unscored", text, (cell.cell,)))
        if len(cell.declared_digests) > 1:
            text = f"{cell.cell}: its deployments have {len(cell.declared_digests)} different declared environments"
            found.append(Finding("environment-varies", text, cell.declared_digests))
    outside = tuple(sorted(set(verdicts["question_id"]) - set(questions)))
    if outside:
        text = f"{len(outside):,} answered questions are outside the declared set and enter no number"
        found.append(Finding("outside-set", text, outside))
    return found


def _gaps(cell: CellResult, of: int) -> list[Finding]:
    """Questions without a record: those that no run of the cell was asked, and those that single runs lack."""
    missing = cell.verdicts == MISSING
    never = int(missing.all(axis=0).sum())
    found = []
    if never:
        text = f"{cell.cell}: no run of it answered {never:,} of the study's {of:,} questions; its numbers stand on the rest"
        found.append(Finding("not-asked", text, (cell.cell,)))
    short = [
        f"{run.run} has {of - int(row.sum()):,} of {of - never:,}"
        for run, row in zip(cell.accuracy.per_run, missing, strict=True)
        if int(row.sum()) > never
    ]
    if short:
        found.append(Finding("missing", f"{cell.cell}: {cell.accuracy.base.sentence}; {'; '.join(short)}", (cell.cell,)))
    return found


def _gold_doubts(asked: tuple[Asked, ...]) -> list[Finding]:
    differing = tuple(row.question_id for row in asked if row.golds > 1)
    if not differing:
        return []
    text = f"{len(differing):,} questions have different gold answers in different runs; each record is scored by its own"
    return [Finding("gold-differs", text, differing)]
