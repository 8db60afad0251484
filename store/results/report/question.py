"""One question in every run, as the command line prints it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from store.analysis.classes import LAYERS, Classes
from store.analysis.near_tie import DivergenceClass, NearTie
from store.results.findings import Finding
from store.results.question import Prompt, QuestionResult, ScorerLine, question_result
from store.results.report.near import captures
from store.results.report.shape import Remark
from store.results.runs import CellRuns
from store.results.scope import Scope
from store.results.study import StudyData, study_data
from store.warehouse.open import Warehouse

QUESTION_FORMAT: Literal["flipbook-question/1"] = "flipbook-question/1"


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One record of the question, scored by the report's extractor; null is not known."""

    run: str
    cell: str
    arm: str
    role: str
    repeat: int
    state: str
    answer: str | None
    extraction_path: str | None
    verdict: str | None
    unscored_reason: str | None
    finish_reason: str | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class CellStability:
    """The question inside one cell: correct of scored runs, and whether they split; null with fewer than two verdicts."""

    cell: str
    correct: int
    scored: int
    deployments: int
    unstable: bool | None


@dataclass(frozen=True, slots=True)
class ClassDivergence:
    """Where two classes of token outputs part, each shown by its first run. gap and swing are null without a capture."""

    a: str
    b: str
    run_a: str
    run_b: str
    at: int
    gap_a: float | None
    gap_b: float | None
    swing: float | None
    kind: DivergenceClass


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """classes: by layer; divergences: of the largest token class against each other one, among complete runs.

    fragile: null when no cell has two verdicts on the question.
    """

    format: Literal["flipbook-question/1"]
    study: str
    extractor: str | None
    as_of: int
    question: str
    position: int
    questions: int
    category: str | None
    text: str | None
    golds: tuple[str | None, ...]
    fragile: bool | None
    cells: tuple[CellStability, ...]
    classes: tuple[Classes, ...]
    divergences: tuple[ClassDivergence, ...]
    records: tuple[RecordLine, ...]
    prompts: tuple[Prompt, ...]
    scorers: tuple[ScorerLine, ...]
    annotations: tuple[Remark, ...]
    findings: tuple[Finding, ...]


def question_report(
    warehouse: Warehouse, scope: Scope, question_id: str, large_gap: float | None, remarks: tuple[tuple[str, str, str], ...]
) -> QuestionReport:
    """One question. remarks: (kind, text, author) of its annotations. Raises UsageError when nobody asked it."""
    found = question_result(warehouse, scope, question_id)
    data = study_data(warehouse, scope)
    at = data.questions.index(question_id) if question_id in data.questions else None
    fragile = data.is_fragile(question_id)
    return QuestionReport(
        format=QUESTION_FORMAT,
        study=scope.study.study,
        extractor=scope.extractor,
        as_of=scope.as_of,
        question=question_id,
        position=found.position,
        questions=found.of,
        category=found.category,
        text=found.text,
        golds=found.golds,
        fragile=fragile,
        cells=() if at is None else tuple(_cell(data, cell, at) for cell in data.grid.cells),
        classes=tuple(found.classes(layer) for layer in LAYERS),
        divergences=() if at is None else _divergences(data, found, at, large_gap),
        records=_lines(found),
        prompts=found.prompts,
        scorers=found.scorers,
        annotations=tuple(Remark(question_id, kind, text, author, fragile) for kind, text, author in remarks),
        findings=found.findings,
    )


def _cell(data: StudyData, cell: CellRuns, at: int) -> CellStability:
    found = data.cell_stability[cell.cell]
    unstable = None if found.unknown[at] else bool(found.unstable[at])
    return CellStability(cell.cell, int(found.right[at]), int(found.scored[at]), found.runs, unstable)


def _lines(found: QuestionResult) -> tuple[RecordLine, ...]:
    return tuple(
        RecordLine(
            run=record.label,
            cell=record.cell,
            arm=record.arm,
            role=record.role,
            repeat=record.repeat,
            state=record.state,
            answer=record.answer,
            extraction_path=record.extraction_path,
            verdict=record.verdict,
            unscored_reason=record.unscored_reason,
            finish_reason=record.finish_reason,
            output_tokens=record.output_tokens,
        )
        for record in found.records
    )


def _divergences(data: StudyData, found: QuestionResult, at: int, large_gap: float | None) -> tuple[ClassDivergence, ...]:
    classes = found.classes("tokens")
    in_panel = set(data.panel.runs)
    shown = [(one.letter, next((run for run in one.runs if run in in_panel), None)) for one in classes.classes]
    named = [(letter, run) for letter, run in shown if run is not None]
    if len(named) < 2 or classes.incomparable:
        return ()
    taken = captures(data.warehouse, data.scope, found.question_id)
    first_letter, first = named[0]
    lines = []
    for letter, run in named[1:]:
        a, b = data.panel.rows([first, run]).tokens[:, [at]].astype(np.int64)
        (token,) = data.tokens.divergences(np.array([at]), a, b)
        tie: NearTie | None = None if taken is None else taken.judge(first, run, found.question_id, int(token), large_gap)
        lines.append(
            ClassDivergence(
                a=first_letter,
                b=letter,
                run_a=first,
                run_b=run,
                at=int(token),
                gap_a=tie.gap_a if tie else None,
                gap_b=tie.gap_b if tie else None,
                swing=tie.swing if tie else None,
                kind=tie.kind if tie else DivergenceClass.UNKNOWN,
            )
        )
    return tuple(lines)
