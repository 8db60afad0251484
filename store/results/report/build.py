"""Building the report of a study."""

from dataclasses import dataclass

import numpy as np

from store.analysis.accuracy import SD_CONVENTION
from store.analysis.interval import Conventions
from store.analysis.panel import BoolArray
from store.analysis.stability import stability
from store.analysis.verdicts import CORRECT, INCORRECT, MISSING, UNSCORED
from store.contract.run import StudyRole
from store.digests import set_digest
from store.results.cells import StudyCells, cells_of
from store.results.findings import Finding
from store.results.fingerprint import letters
from store.results.panel import panel_of
from store.results.report import doubts
from store.results.report.between import (
    answer_signatures,
    arm_pairs,
    arm_pools,
    cross_cells,
    signatures,
    ungrouped,
    verdict_map,
)
from store.results.report.cells import cards, cell_report
from store.results.report.near import near_ties
from store.results.report.pairs import kind_lines, run_pairs
from store.results.report.scorers import answers_by_arm, scorer_pairs
from store.results.report.shape import FORMAT, AllRuns, FragileSet, Options, Remark, Report, RunLine, UnstableRuns
from store.results.report.sides import anchors, probe
from store.results.scope import Scope
from store.results.study import StudyData, study_data
from store.warehouse.open import Warehouse

METHOD_CONVENTIONS = Conventions(level=0.95, alpha=0.05, power=0.80)
"""METHOD: what is printed unless somebody asks for something else. The report records it."""

ROUNDING = "computed from integers, rounded half to even for display"
DISPUTED = "disputed gold"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a report can be asked for beside its scope.

    large_gap: nats above which a divergence is a large shift, null for no such threshold. partner: the run that
    anchors are compared with, null for the arm's probe.
    """

    plan: Conventions
    large_gap: float | None
    partner: str | None


@dataclass(frozen=True, slots=True)
class Note:
    """An annotation as the report takes it in; who stores it is not its concern."""

    question: str
    kind: str
    text: str
    author: str


def study_report(warehouse: Warehouse, scope: Scope, asked: Asked, notes: tuple[Note, ...]) -> Report:
    """Every measure of a study. Raises UsageError when `asked.partner` is no run of it."""
    data = study_data(warehouse, scope)
    rarefy_to = min((len(c.runs) for c in data.grid.cells if len(c.runs) >= 2), default=None)
    disputed = _disputed(data, notes)
    counted = cells_of(data)
    cells = tuple(
        cell_report(data, counts, cell, asked.plan, rarefy_to, disputed)
        for counts, cell in zip(counted.cells, data.grid.cells, strict=True)
    )
    crossed = cross_cells(data, asked.plan)
    found_anchors, partnerless = anchors(data, asked.partner)
    pairs = run_pairs(data.panel, data.complete)
    groups = signatures(data)
    named = {q for group in groups for q in group.ids} | {q for anchor in found_anchors for q in anchor.others}
    everything = stability(data.grid_panel.verdicts)
    return Report(
        format=FORMAT,
        study=scope.study.study,
        label=scope.study.label,
        questions=len(data.questions),
        runs=run_lines(data),
        data_digest=data_digest(data),
        options=Options(
            extractor=scope.extractor,
            as_of=scope.as_of,
            acknowledged=scope.acknowledged,
            level=asked.plan.level,
            alpha=asked.plan.alpha,
            power=asked.plan.power,
            large_gap=asked.large_gap,
            partner=asked.partner,
            rarefied_to=rarefy_to,
            sd_convention=SD_CONVENTION,
            rounding=ROUNDING,
        ),
        gpus=cards([run for cell in data.grid.cells for run in cell.runs]),
        cells=cells,
        arm_pools=arm_pools(data),
        fragile_set=FragileSet(
            count=int(data.fragile.sum()) if not data.unknown_everywhere.all() else None,
            ids=data.panel.ids(data.fragile),
            of=len(data.questions),
            unknown=int(data.unknown_everywhere.sum()),
            cells=len(data.repeated),
        ),
        all_runs=AllRuns(
            UnstableRuns(
                count=None if everything.unknown.all() else int(everything.unstable.sum()),
                ids=data.panel.ids(everything.unstable),
                of=len(data.questions) - int(everything.unknown.sum()),
                runs=everything.runs,
            )
        ),
        cross_cell=crossed,
        arms=arm_pairs(data),
        signature_groups=groups,
        answer_signature_groups=answer_signatures(data),
        signature_undecided=ungrouped(data),
        pair_kinds=kind_lines(pairs, data.complete),
        pairs=pairs,
        probe=probe(data),
        anchor=found_anchors[0] if found_anchors else None,
        further_anchors=found_anchors[1:],
        extractors=scorer_pairs(data),
        annotations=tuple(
            Remark(note.question, note.kind, note.text, note.author, data.is_fragile(note.question)) for note in notes
        ),
        near_ties=near_ties(data, asked.large_gap),
        answers_by_arm=answers_by_arm(data, tuple(q for q in data.questions if q in named)),
        verdict_map=verdict_map(data),
        findings=(
            *_findings(data, counted),
            *doubts.one_deployment(cells),
            *doubts.empty_outputs(cells),
            *doubts.zero_events(cells),
            *doubts.unresolved(crossed),
            *partnerless,
            *([] if cells else [Finding("no-cells", counted.no_cells, ())]),
        ),
    )


def _findings(data: StudyData, counted: StudyCells) -> tuple[Finding, ...]:
    return (
        *(finding for finding in counted.findings if finding.kind != "environment-varies"),  # named field by field below
        *doubts.hidden_dimensions(data),
        *doubts.not_fresh(data),
        *doubts.inputs(data),
        *doubts.scoring(data),
        *doubts.bit_identical(data),
    )


def run_lines(data: StudyData) -> tuple[RunLine, ...]:
    """Every run of the study, quarantined and incomplete ones included, counted on the question set."""
    in_cells = {run.run_id for cell in data.grid.cells for run in cell.runs}
    all_runs = tuple(run.run_id for run in data.runs)
    panel = panel_of(data.rows, all_runs, data.questions)
    lines = []
    marks = letters(data.runs)
    for run, verdicts in zip(data.runs, panel.verdicts, strict=True):
        lines.append(
            RunLine(
                run=run.run_id,
                cell=run.cell,
                arm=run.arm,
                role=StudyRole(run.role).value,
                repeat=run.repeat,
                deployment=run.deployment_id,
                state=run.state,
                in_cell=run.run_id in in_cells,
                card=run.card,
                cache_role=run.cache_role,
                fingerprint=None if run.fingerprint is None else marks[run.fingerprint],
                correct=int((verdicts == CORRECT).sum()),
                of=int((verdicts >= INCORRECT).sum()),
                unscored=int((verdicts == UNSCORED).sum()),
                missing=int((verdicts == MISSING).sum()),
                truncated=run.truncated,
                end_unknown=run.end_unknown,
                duplicates=run.duplicates,
                refused=run.refused,
            )
        )
    return tuple(lines)


def _disputed(data: StudyData, notes: tuple[Note, ...]) -> BoolArray:
    ids = {note.question for note in notes if note.kind == DISPUTED}
    return np.array([question in ids for question in data.questions], dtype=np.bool_)


def data_digest(data: StudyData) -> str:
    """`data1:` digest of the question set and every run's content, in any order."""
    members = [bytes.fromhex(run.content_digest.partition(":")[2]) for run in data.runs]
    return set_digest("data1", {"study": data.scope.study.study, "questions": [*sorted(data.questions)]}, members)
