"""Run × run and cell × cell matrices on one layer, and the orders in which runs can stand."""

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from store.analysis.cross import cross_flips, own_flips
from store.analysis.interval import Interval
from store.analysis.matrices import EqualMatrix, equal_matrix, flip_matrix
from store.analysis.panel import FloatArray, IntArray, Panel
from store.analysis.rate_interval import clustered_interval
from store.analysis.similarity import similarity_order
from store.results.browse.divergences import DivergenceTable, divergence_table
from store.results.report.side import digest_sides
from store.results.runs import CellRuns, RunRow
from store.results.study import StudyData

MatrixLayer = Literal["tokens", "text", "answer", "verdict", "divergence"]
MATRIX_LAYERS: tuple[MatrixLayer, ...] = ("tokens", "text", "answer", "verdict", "divergence")
RunOrder = Literal["cell", "digest", "similarity"]
RUN_ORDERS: tuple[RunOrder, ...] = ("cell", "digest", "similarity")
Among = Literal["grid", "all"]
AMONG: tuple[Among, ...] = ("grid", "all")
Group = Literal["cell", "declared", "full"]
GROUPS: tuple[Group, ...] = ("cell", "declared", "full")


@dataclass(frozen=True, slots=True)
class RunMatrix:
    """Pairs of `runs` on one layer; arrays of shape (runs, runs), symmetric, the diagonal unused.

    count of `of` pair-questions: equal token sequences, texts or answers, verdict flips, or (divergence) differing token
    sequences of the comparable ones. value: count / of, or for `divergence` the median first differing token over the differing
    ones; NaN where nothing is comparable, or nothing diverged.
    """

    layer: MatrixLayer
    runs: tuple[RunRow, ...]
    count: IntArray
    of: IntArray
    value: FloatArray

    @property
    def known(self) -> bool:
        """Whether any pair has anything to compare."""
        return bool((self.of[~np.eye(len(self.runs), dtype=np.bool_)] > 0).any())


@dataclass(frozen=True, slots=True)
class CellPair:
    """All run pairs within a side (a is b) or between two, added up. floor, excess: of verdict flips only, see `CrossCell`.

    value is as in `RunMatrix`, null without a comparable pair-question. interval: of the side's own flip rate on the
    diagonal, of the excess elsewhere.
    """

    a: str
    b: str
    pairs: int
    count: int
    of: int
    value: float | None
    floor: float | None
    excess: float | None
    interval: Interval | None


def matrix_runs(data: StudyData, among: Among) -> tuple[RunRow, ...]:
    """Runs of a matrix in the order of cells: those that make up cells, or every complete run."""
    return tuple(run for cell in data.grid.cells for run in cell.runs) if among == "grid" else data.complete


def run_matrix(data: StudyData, runs: tuple[RunRow, ...], layer: MatrixLayer) -> RunMatrix:
    """Matrix of `runs`, in their order."""
    panel = data.panel.rows([run.run_id for run in runs])
    if layer == "divergence":
        return _divergence(data, runs, panel)
    if layer == "verdict":
        flips = flip_matrix(panel.verdicts)
        return RunMatrix(layer, runs, flips.flips, flips.of, _rate(flips.flips, flips.of))
    equal = _equal(panel, layer)
    return RunMatrix(layer, runs, equal.equal, equal.of, _rate(equal.equal, equal.of))


def order_of(data: StudyData, runs: tuple[RunRow, ...], order: RunOrder) -> tuple[int, ...]:
    """Positions of `runs` in an order; each is total and the same every time.

    cell: as given. digest: runs of one declared, then one full environment digest together, in the order each is first met.
    similarity: clustered by token identity, or by texts, answers or verdicts where that is all there is.
    """
    if order == "digest":
        seen: dict[tuple[str | None, str | None], int] = {}
        for run in runs:
            seen.setdefault((run.declared_digest, None), len(seen))
            seen.setdefault((run.declared_digest, run.full_digest or ""), len(seen))
        keys = [(seen[r.declared_digest, None], seen[r.declared_digest, r.full_digest or ""]) for r in runs]
        return tuple(sorted(range(len(runs)), key=keys.__getitem__))
    if order == "similarity":
        for layer in MATRIX_LAYERS[:4]:
            matrix = run_matrix(data, runs, layer)
            if matrix.known:
                return similarity_order(matrix.value if layer == "verdict" else 1 - matrix.value)
    return tuple(range(len(runs)))


def matrix_sides(data: StudyData, group: Group) -> tuple[CellRuns, ...]:
    """What a matrix of groups puts together: cells, or the grid runs of one environment digest, in the order each is first met.

    Runs without the digest are in none of them.
    """
    return data.grid.cells if group == "cell" else digest_sides(data, group)


def side_matrix(data: StudyData, sides: tuple[CellRuns, ...], layer: MatrixLayer, level: float) -> tuple[CellPair, ...]:
    """Every side with itself and every pair of sides, in their order. Sides share no run."""
    runs = tuple(run for side in sides for run in side.runs)
    matrix = None if layer == "divergence" else run_matrix(data, runs, layer)
    table = divergence_table(data, tuple(run.run_id for run in runs)) if matrix is None else None
    rows, first = {}, 0
    for side in sides:
        rows[side.cell] = range(first, first + len(side.runs))
        first += len(side.runs)
    found = []
    for i, a in enumerate(sides):
        for b in sides[i:]:
            pairs = list(combinations(rows[a.cell], 2)) if a is b else [(r, s) for r in rows[a.cell] for s in rows[b.cell]]
            if table is not None:
                found.append(_diverged(a, b, table, pairs))
            elif matrix is not None:
                found.append(_counted(data, a, b, matrix, pairs, level))
    return tuple(found)


def _counted(
    data: StudyData, a: CellRuns, b: CellRuns, matrix: RunMatrix, pairs: list[tuple[int, int]], level: float
) -> CellPair:
    at = tuple(np.array(pairs, dtype=np.intp).reshape(-1, 2).T)
    count, of = int(matrix.count[at].sum()), int(matrix.of[at].sum())
    floor = excess = interval = None
    if matrix.layer == "verdict":
        if a is b:
            interval = clustered_interval(*own_flips(data.stability_of(a)), level)
        else:
            crossed = cross_flips(data.stability_of(a), data.stability_of(b), level)
            floor, excess, interval = crossed.floor, crossed.excess, crossed.excess_interval
    return CellPair(a.cell, b.cell, len(pairs), count, of, count / of if of else None, floor, excess, interval)


def _diverged(a: CellRuns, b: CellRuns, table: DivergenceTable, pairs: list[tuple[int, int]]) -> CellPair:
    at = [table.of(i, j) for i, j in pairs]
    every = np.concatenate(at) if at else np.zeros(0, dtype=np.int64)
    of = sum(table.comparable(i, j) for i, j in pairs)
    middle = float(np.median(every)) if len(every) else None
    return CellPair(a.cell, b.cell, len(pairs), len(every), of, middle, None, None, None)


def _equal(panel: Panel, layer: MatrixLayer) -> EqualMatrix:
    if layer == "tokens":
        return equal_matrix(panel.tokens, panel.domain)
    return equal_matrix(panel.texts if layer == "text" else panel.answers)


def _divergence(data: StudyData, runs: tuple[RunRow, ...], panel: Panel) -> RunMatrix:
    equal = equal_matrix(panel.tokens, panel.domain)
    table = divergence_table(data, panel.runs)
    value: FloatArray = np.full(equal.of.shape, np.nan)
    for i, j in combinations(range(len(runs)), 2):
        at = table.of(i, j)
        if len(at):
            value[i, j] = value[j, i] = np.median(at)
    return RunMatrix("divergence", runs, equal.of - equal.equal, equal.of, value)


def _rate(count: IntArray, of: IntArray) -> FloatArray:
    return np.where(of > 0, count / np.maximum(of, 1), np.nan)
