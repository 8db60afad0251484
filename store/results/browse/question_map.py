"""The map of questions on which runs do not agree: which rows and columns it has, and what stands in them."""

from dataclasses import dataclass

import numpy as np

from store.analysis.panel import CodeArray
from store.analysis.stability import stability
from store.analysis.verdicts import CORRECT, INCORRECT, VerdictArray
from store.errors import UsageError
from store.results.report.between import signatures, verdict_map
from store.results.runs import CellRuns, RunRow
from store.results.study import StudyData

FRAGILE = "fragile set"
OTHER = "other differences"
"""Questions on which grid runs disagree that are neither fragile nor in a signature group: cells of one deployment, cells
of one arm that contradict each other, or a run without a verdict."""


@dataclass(frozen=True, slots=True)
class MapFilter:
    """What a reader asked for; null and false ask for everything.

    cell, arm: only these runs, and the questions on which they disagree. core: signature groups only, whichever runs are shown.
    matching: only these question ids.
    """

    cell: str | None
    arm: str | None
    category: str | None
    core: bool
    matching: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class MapRow:
    """One question. group: its signature group's label, `FRAGILE` or `OTHER`. unstable_in: cells whose own runs disagree."""

    question: str
    category: str | None
    gold: str | None
    group: str
    unstable_in: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MapColumn:
    """One run and the cell it stands in."""

    run: RunRow
    cell: str
    arm: str


@dataclass(frozen=True, slots=True)
class QuestionMap:
    """Rows in the one map order, signature groups first. verdicts, answers: shape (rows, columns), codes as in `Panel`.

    of_all: rows without a filter.
    """

    rows: tuple[MapRow, ...]
    columns: tuple[MapColumn, ...]
    verdicts: VerdictArray
    answers: CodeArray
    of_all: int

    def ids(self) -> tuple[str, ...]:
        """Question ids in map order."""
        return tuple(row.question for row in self.rows)

    def counts(self) -> tuple[tuple[MapRow, int, int], ...]:
        """Each row with its correct and its scored runs."""
        right, scored = (self.verdicts == CORRECT).sum(axis=1), (self.verdicts >= INCORRECT).sum(axis=1)
        return tuple((row, int(r), int(s)) for row, r, s in zip(self.rows, right, scored, strict=True))


def part(found: QuestionMap, start: int, stop: int) -> QuestionMap:
    """Some of the rows of a map."""
    rows = slice(start, stop)
    return QuestionMap(found.rows[rows], found.columns, found.verdicts[rows], found.answers[rows], found.of_all)


def question_map(data: StudyData, asked: MapFilter) -> QuestionMap:
    """The map under a filter. Raises UsageError on a cell, arm or category the study does not have."""
    cells = _cells(data, asked)
    every = _rows(data)
    if asked.category is not None and all(row.category != asked.category for row in data.asked):
        raise UsageError(f"study {data.scope.study.study!r} has no category {asked.category!r}")
    columns = tuple(MapColumn(run, cell.cell, cell.arm) for cell in cells for run in cell.runs)
    panel = data.panel.rows([column.run.run_id for column in columns])
    narrowed = asked.cell is not None or asked.arm is not None
    disagreeing = frozenset(panel.ids(stability(panel.verdicts).unstable)) if narrowed else frozenset(r.question for r in every)
    rows = tuple(row for row in every if _wanted(row, asked, disagreeing))
    at = {question: i for i, question in enumerate(data.questions)}
    index = np.array([at[row.question] for row in rows], dtype=np.intp)
    return QuestionMap(rows, columns, panel.verdicts[:, index].T, panel.answers[:, index].T, len(every))


def answer_texts(data: StudyData, found: QuestionMap) -> tuple[tuple[str | None, ...], ...]:
    """The answer of every cell of the map, null where it is not known."""
    return tuple(
        tuple(data.answer_text(row.question, int(code)) for code in codes)
        for row, codes in zip(found.rows, found.answers, strict=True)
    )


def _cells(data: StudyData, asked: MapFilter) -> tuple[CellRuns, ...]:
    for what, name, known in (
        ("cell", asked.cell, tuple(cell.cell for cell in data.grid.cells)),
        ("arm", asked.arm, tuple(data.arms)),
    ):
        if name is not None and name not in known:
            raise UsageError(
                f"study {data.scope.study.study!r} has no {what} {name!r}", fix=f"It has {', '.join(known) or 'none'}."
            )
    return tuple(c for c in data.grid.cells if asked.cell in (None, c.cell) and asked.arm in (None, c.arm))


def _wanted(row: MapRow, asked: MapFilter, disagreeing: frozenset[str]) -> bool:
    if asked.category not in (None, row.category) or (asked.matching is not None and row.question not in asked.matching):
        return False
    return row.group not in (FRAGILE, OTHER) if asked.core else row.question in disagreeing


def _rows(data: StudyData) -> tuple[MapRow, ...]:
    groups = {question: group.label for group in signatures(data) for question in group.ids}
    ordered = list(verdict_map(data).rows)
    inside = set(ordered)
    differing = stability(data.grid_panel.verdicts).unstable
    ordered += [q for q in data.panel.ids(differing) if q not in inside]
    at = {question: i for i, question in enumerate(data.questions)}
    found = []
    for question in ordered:
        asked, i = data.asked[at[question]], at[question]
        unstable = tuple(cell.cell for cell in data.grid.cells if data.cell_stability[cell.cell].unstable[i])
        group = groups.get(question, FRAGILE if data.fragile[i] else OTHER)
        found.append(MapRow(question, asked.category, asked.gold, group, unstable))
    return tuple(found)
