"""The comparison of two cells."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from store.analysis.panel import BoolArray, Panel
from store.analysis.verdicts import CORRECT, INCORRECT
from store.errors import UsageError
from store.results.findings import Finding
from store.results.report.between import cell_differences, cross_cell
from store.results.report.between_shape import CrossCell, Difference
from store.results.report.build import Asked
from store.results.report.cell_pairs import flips, identity
from store.results.report.difference import difference
from store.results.report.environments import FieldComparison, compare_fields
from store.results.report.near import Captures, captures, cell_near_ties
from store.results.report.noise import NotNoise, not_noise
from store.results.report.sentences import difference_sentence
from store.results.report.shape import NearTies
from store.results.report.side import cells_in, side_named
from store.results.runs import CellRuns
from store.results.scope import Scope
from store.results.study import StudyData, study_data
from store.warehouse.open import Warehouse

COMPARE_FORMAT: Literal["flipbook-compare/1"] = "flipbook-compare/1"


@dataclass(frozen=True, slots=True)
class Side:
    """One cell on the common base. right: correct answers of each run, out of the comparison's `questions`."""

    cell: str
    arm: str
    deployments: int
    runs: tuple[str, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StripLine:
    """Run pairs within a, between a and b, or within b, on the questions both cells have.

    Null where there is no pair or nothing comparable.
    """

    between: Literal["a–a", "a–b", "b–b"]
    pairs: int
    flips: int | None
    flips_of: int
    flip_rate: float | None
    identical: int | None
    identical_of: int
    identity_rate: float | None
    identical_text: int | None
    identical_text_of: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Cell b against cell a. not_noise is null when a cell has one deployment: then stable is not known.

    coin_chance: how often a question that tosses a coin in every deployment would look like one of those that are not
    noise, 2 of 2^(deployments of both): at two against two 1/8.
    """

    format: Literal["flipbook-compare/1"]
    study: str
    extractor: str | None
    as_of: int
    level: float
    sentence: str
    questions: int
    question_set: int
    a: Side
    b: Side
    between: CrossCell
    strip: tuple[StripLine, ...]
    not_noise: tuple[NotNoise, ...] | None
    coin_chance: float | None
    environment: FieldComparison
    near_ties: NearTies | None
    findings: tuple[Finding, ...]


def compare_sides(data: StudyData, taken: Captures | None, name_a: str, name_b: str, asked: Asked) -> Comparison:
    """Compare two sides of a study, each a cell or an environment digest (see `side_named`).

    Raises UsageError on a side it does not have, one compared with itself, or two that share a run.
    """
    scope = data.scope
    a, b = side_named(data, name_a), side_named(data, name_b)
    if a.runs == b.runs:
        raise UsageError(f"{name_a!r} is compared with itself", fix="Pick two sides.")
    if shared := {run.run_id for run in a.runs} & {run.run_id for run in b.runs}:
        raise UsageError(f"{name_a!r} and {name_b!r} share {len(shared)} runs", fix="Compare sides that have none in common.")
    left, right = data.cell_panel(a), data.cell_panel(b)
    between = cross_cell(data, a, b, _adjusted(data, a, b, asked), asked.plan)
    found = between.difference
    base = np.logical_and.reduce([*(left.verdicts >= INCORRECT), *(right.verdicts >= INCORRECT)])
    common = common_questions(left, right)
    repeated = min(len(left.runs), len(right.runs)) > 1
    return Comparison(
        format=COMPARE_FORMAT,
        study=scope.study.study,
        extractor=scope.extractor,
        as_of=scope.as_of,
        level=asked.plan.level,
        sentence=difference_sentence(between, len(data.questions)),
        questions=found.questions,
        question_set=len(data.questions),
        a=_side(a, left, base),
        b=_side(b, right, base),
        between=between,
        strip=(
            _within("a–a", left, common, asked),
            _across(between, len(left.runs) * len(right.runs)),
            _within("b–b", right, common, asked),
        ),
        not_noise=not_noise(data, left, right) if repeated else None,
        coin_chance=2.0 ** (1 - len(left.runs) - len(right.runs)) if repeated else None,
        environment=compare_fields(data, a, b),
        near_ties=None if taken is None else cell_near_ties(data, taken, a, b, asked.large_gap),
        findings=_findings(data, a, b, found.questions),
    )


def ranked_noise(found: Comparison) -> tuple[NotNoise, ...]:
    """Questions that are not noise as a reader wants them: changed verdicts first, those stable in every cell first."""
    return tuple(sorted(found.not_noise or (), key=lambda q: (q.layer != "verdict", bool(q.in_fragile))))


def compare_cells(warehouse: Warehouse, scope: Scope, name_a: str, name_b: str, asked: Asked) -> Comparison:
    """`compare_sides` of a study that is not read yet."""
    return compare_sides(study_data(warehouse, scope), captures(warehouse, scope, None), name_a, name_b, asked)


def _adjusted(data: StudyData, a: CellRuns, b: CellRuns, asked: Asked) -> Difference:
    """The difference, its p-value adjusted over the study's cell pairs where both sides are cells."""
    forward = difference(data.cell_panel(a), data.cell_panel(b), asked.plan)
    for one, two, known in cell_differences(data, asked.plan):
        if {one.cell, two.cell} == {a.cell, b.cell}:
            return replace(forward, p_holm=known.p_holm, p_bh=known.p_bh)
    return forward


def _side(cell: CellRuns, panel: Panel, base: BoolArray) -> Side:
    right = tuple(int((row[base] == CORRECT).sum()) for row in panel.verdicts)
    return Side(cell.cell, cell.arm, len(panel.runs), panel.runs, right)


@dataclass(frozen=True, slots=True)
class CommonQuestions:
    """Questions with a verdict, and with a record, in some run of both cells: what all lines of the strip stand on."""

    scored: BoolArray
    present: BoolArray


def common_questions(a: Panel, b: Panel) -> CommonQuestions:
    """The common questions of two sides."""
    scored = (a.verdicts >= INCORRECT).any(axis=0) & (b.verdicts >= INCORRECT).any(axis=0)
    return CommonQuestions(np.asarray(scored), np.asarray(a.present.any(axis=0) & b.present.any(axis=0)))


def _within(between: Literal["a–a", "b–b"], panel: Panel, common: CommonQuestions, asked: Asked) -> StripLine:
    own, given = flips(panel.columns(common.scored), asked.plan), panel.columns(common.present)
    same, text = (identity(given, layer, asked.plan, None) for layer in (given.token_layer, given.text_layer))
    return StripLine(
        between=between,
        pairs=len(own.per_pair),
        flips=own.count,
        flips_of=own.of,
        flip_rate=own.rate,
        identical=same.identical,
        identical_of=same.of,
        identity_rate=same.rate,
        identical_text=text.identical,
        identical_text_of=text.of,
    )


def _across(crossed: CrossCell, pairs: int) -> StripLine:
    return StripLine(
        between="a–b",
        pairs=pairs,
        flips=crossed.flips,
        flips_of=crossed.of,
        flip_rate=crossed.rate,
        identical=crossed.identical,
        identical_of=crossed.identical_of,
        identity_rate=None if crossed.identical is None else crossed.identical / crossed.identical_of,
        identical_text=crossed.identical_text,
        identical_text_of=crossed.identical_text_of,
    )


def _findings(data: StudyData, a: CellRuns, b: CellRuns, questions: int) -> tuple[Finding, ...]:
    found = list(data.grid.findings)
    if questions < len(data.questions):
        text = f"compared on {questions:,} of {len(data.questions):,} questions, those scored in every run of both cells"
        found.append(Finding("common-questions", text, (a.cell, b.cell)))
    single = tuple(cell.cell for cell in (a, b) if len(cell.runs) == 1)
    if single:
        text = f"{', '.join(single)}: one deployment; floor, detectable difference and stable questions need ≥ 2 deployments"
        found.append(Finding("one-deployment", text, single))
    for side in (a, b):
        if len(pooled := cells_in(data, side)) > 1:
            what = f"{side.cell} pools the deployments of {len(pooled)} cells, which may differ by more than luck"
            text = f"{what}: {', '.join(pooled)}"
            found.append(Finding("hidden-dimension", text, pooled))
    return tuple(found)
