"""Measures between cells and between arms."""

import numpy as np

from store.analysis.arms import SignatureGroup, arm_difference, signature_groups
from store.analysis.cross import cross_flips
from store.analysis.interval import Conventions
from store.analysis.map_order import map_rows
from store.analysis.matrices import EqualMatrix, equal_matrix
from store.analysis.panel import UNKNOWN, BoolArray, CodeArray, OutputLayer, Panel
from store.analysis.richness import richness
from store.analysis.stability import Stability, stability
from store.analysis.verdicts import INCORRECT
from store.results.report.between_shape import ArmPair, ArmPool, Core, CrossCell, Difference, Signature, VerdictMap
from store.results.report.difference import adjust, difference
from store.results.runs import CellRuns
from store.results.study import StudyData


def cross_cells(data: StudyData, plan: Conventions) -> tuple[CrossCell, ...]:
    """Every pair of cells, in the order of cells."""
    return tuple(cross_cell(data, a, b, one, plan) for a, b, one in cell_differences(data, plan))


def cell_differences(data: StudyData, plan: Conventions) -> list[tuple[CellRuns, CellRuns, Difference]]:
    """The accuracy difference of every pair of cells, p-values adjusted over all of them; in the order of cells."""
    cells = data.grid.cells
    pairs = [(a, b) for i, a in enumerate(cells) for b in cells[i + 1 :]]
    found = adjust([difference(data.cell_panel(a), data.cell_panel(b), plan) for a, b in pairs])
    return [(a, b, one) for (a, b), one in zip(pairs, found, strict=True)]


def cross_cell(data: StudyData, a: CellRuns, b: CellRuns, found: Difference, plan: Conventions) -> CrossCell:
    """Flips, identity and differing questions between two cells."""
    one, two = data.stability_of(a), data.stability_of(b)
    crossed = cross_flips(one, two, plan.level)
    both = data.panel.rows([run.run_id for run in (*a.runs, *b.runs)])
    tokens, text = (_between(layer, len(a.runs)) for layer in (both.token_layer, both.text_layer))
    differing = int(crossed.differing.sum())
    repeated = min(len(a.runs), len(b.runs)) > 1
    inside = int((crossed.differing & data.fragile).sum()) if repeated else None
    return CrossCell(
        a=a.cell,
        b=b.cell,
        flips=crossed.flips if crossed.of else None,
        of=crossed.of,
        rate=crossed.rate,
        floor=crossed.floor,
        excess=crossed.excess,
        excess_ci=crossed.excess_interval,
        identical=tokens[0] if tokens[1] else None,
        identical_of=tokens[1],
        identical_text=text[0] if text[1] else None,
        identical_text_of=text[1],
        common=int(((one.scored > 0) & (two.scored > 0)).sum()),
        differing=differing if crossed.of else None,
        inside_fragile=inside,
        reroll_share=inside / differing if inside is not None and differing else None,
        stable_core=_core(data, a.cell, b.cell, one, two) if repeated else None,
        difference=found,
    )


def arm_pools(data: StudyData) -> tuple[ArmPool, ...]:
    """Every arm with its cells pooled."""
    found = []
    for arm, cells in data.arms.items():
        pooled = stability(data.arm_panel(arm).verdicts)
        names = tuple(cell.cell for cell in cells)
        of = len(data.questions) - int(pooled.unknown.sum())
        found.append(ArmPool(arm, names, pooled.runs, int(pooled.unstable.sum()) if of else None, of, richness(pooled).chao2))
    return tuple(found)


def arm_pairs(data: StudyData) -> tuple[ArmPair, ...]:
    """Every pair of arms, each the pool of its cells."""
    pooled = {arm: stability(data.arm_panel(arm).verdicts) for arm in data.arms}
    names = list(pooled)
    found = []
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            parts = arm_difference(pooled[a], pooled[b], data.fragile)
            repeated = all(cell.cell in data.repeated for arm in (a, b) for cell in data.arms[arm])
            common = int(((pooled[a].scored > 0) & (pooled[b].scored > 0)).sum())
            repeated = repeated and common > 0
            differing, reroll = int(parts.differing.sum()), int(parts.reroll.sum()) if repeated else None
            share = reroll / differing if reroll is not None and differing else None
            core = _core(data, a, b, pooled[a], pooled[b]) if repeated else None
            same = None if core is None else _same_core(data, a, b, core)
            found.append(ArmPair(a, b, common, differing if common else None, reroll, share, core, same))
    return tuple(found)


def signatures(data: StudyData) -> tuple[Signature, ...]:
    """Signature groups on verdicts; none when a cell has one deployment, of which nothing is known to be stable."""
    return tuple(_signature(data, group.label, group.blocks, group.questions) for group in _groups(data, on_answers=False))


def ungrouped(data: StudyData) -> int:
    """Questions outside the fragile set that some run has no verdict on, and that are in no signature group for it."""
    scored = (data.grid_panel.verdicts >= INCORRECT).all(axis=0)
    return int((~scored & ~data.fragile).sum())


def answer_signatures(data: StudyData) -> tuple[Signature, ...]:
    """Signature groups on canonical answers; more patterns are possible than with verdicts."""
    return tuple(_signature(data, group.label, group.blocks, group.questions) for group in _groups(data, on_answers=True))


def verdict_map(data: StudyData) -> VerdictMap:
    """Rows and columns of the verdict map."""
    panels = [data.arm_panel(arm) for arm in data.arms]
    shape = (len(data.questions),)
    moving = [stability(panel.verdicts) for panel in panels]
    means = [
        np.where(arm.scored > 0, arm.right / np.maximum(arm.scored, 1), np.nan)
        for arm in moving
        if (arm.unstable & data.fragile).any()
    ]
    unstable = [found.unstable for found in data.cell_stability.values()]
    rows = map_rows(
        groups=tuple(group.questions for group in _groups(data, on_answers=False)),
        first_arm_right=np.asarray(moving[0].right > 0) if moving else np.zeros(shape, dtype=np.bool_),
        fragile=data.fragile,
        unstable_cells=np.sum(unstable, axis=0, dtype=np.int64) if unstable else np.zeros(shape, dtype=np.int64),
        arm_means=np.array(means) if means else np.zeros((0, *shape)),
    )
    return VerdictMap(tuple(data.questions[row] for row in rows), data.grid_panel.runs)


def _groups(data: StudyData, on_answers: bool) -> tuple[SignatureGroup, ...]:
    arms = tuple(data.arms)
    panels = [data.arm_panel(arm) for arm in arms]
    if not panels or {cell.cell for cell in data.grid.cells} != data.repeated:
        return ()
    values = np.array([_constant(panel, on_answers) for panel in panels])
    return signature_groups(arms, values, ~data.fragile)


def _constant(panel: Panel, on_answers: bool) -> CodeArray:
    """The arm's one verdict or answer of each question, unknown where it is not scored in every run or not constant."""
    values = panel.answers if on_answers else panel.verdicts.astype(np.int32)
    same = (panel.verdicts >= INCORRECT).all(axis=0) & (values == values[0]).all(axis=0) & (values[0] != UNKNOWN)
    return np.where(same, values[0], UNKNOWN).astype(np.int32)


def _signature(data: StudyData, label: str, blocks: tuple[tuple[str, ...], ...], mask: BoolArray) -> Signature:
    return Signature(label, blocks, int(mask.sum()), data.panel.ids(mask))


def _core(data: StudyData, name_a: str, name_b: str, a: Stability, b: Stability) -> Core:
    parts = arm_difference(a, b, data.fragile)
    right_a = int(parts.right_a.sum())
    count = int(parts.core.sum())
    return Core(
        count=count,
        undecided=int(parts.undecided.sum()),
        split=int(parts.split.sum()),
        ids=data.panel.ids(parts.core),
        right={name_a: right_a, name_b: count - right_a},
        net=count - 2 * right_a,
    )


def _same_core(data: StudyData, arm_a: str, arm_b: str, core: Core) -> bool:
    """Whether each cell of one arm against each cell of the other has the arms' own core."""
    pairs = [(a.cell, b.cell) for a in data.arms[arm_a] for b in data.arms[arm_b]]
    found = (_core(data, a, b, data.cell_stability[a], data.cell_stability[b]) for a, b in pairs)
    return all(one.ids == core.ids for one in found)


def _between(layer: OutputLayer, first: int) -> tuple[int, int]:
    """(equal, comparable) pair-questions between the first rows and the rest."""
    matrix: EqualMatrix = equal_matrix(layer.codes, layer.domain)
    return int(matrix.equal[:first, first:].sum()), int(matrix.of[:first, first:].sum())
