"""What a comparison can put on a side: a cell, or all grid deployments of one environment digest."""

from dataclasses import dataclass
from typing import Literal

from store.errors import UsageError
from store.results.runs import CellRuns
from store.results.study import StudyData

SHORT = 13
"""Characters of a digest that stand for it on a page: the scheme and eight hexadecimal digits."""

DigestKind = Literal["declared", "full"]


@dataclass(frozen=True, slots=True)
class EnvironmentSide:
    """An environment digest and the grid deployments that have it.

    kind: `declared`, the configuration, or `full`, kernel state included; a digest that is both is `declared`.
    cells: the cells they are in.
    """

    digest: str
    kind: DigestKind
    cells: tuple[str, ...]
    deployments: int


def environment_sides(data: StudyData) -> tuple[EnvironmentSide, ...]:
    """Every environment digest of the study's cells: declared ones first, then full ones, in the order of cells."""
    found: dict[tuple[DigestKind, str], list[str]] = {}
    for cell in data.grid.cells:
        for run in cell.runs:
            if run.declared_digest is not None:
                found.setdefault(("declared", run.declared_digest), []).append(cell.cell)
            if run.full_digest is not None and run.full_digest != run.declared_digest:
                found.setdefault(("full", run.full_digest), []).append(cell.cell)
    ranked = sorted(found.items(), key=lambda item: item[0][0])  # stable: `declared` before `full`
    return tuple(EnvironmentSide(d, kind, tuple(dict.fromkeys(cells)), len(cells)) for (kind, d), cells in ranked)


def side_named(data: StudyData, name: str) -> CellRuns:
    """The cell `name`, or the runs of the environment digest that begins with it.

    Raises UsageError when there is none, and when the beginning of a digest fits several.
    """
    for cell in data.grid.cells:
        if cell.cell == name:
            return cell
    digests = sorted({side.digest for side in environment_sides(data)})
    fitting = [digest for digest in digests if len(name) >= SHORT and digest.startswith(name)]
    if len(fitting) != 1:
        cells = ", ".join(repr(cell.cell) for cell in data.grid.cells) or "none"
        text = f"has no cell {name!r}, nor one environment digest" if not fitting else f"has several digests like {name!r}"
        raise UsageError(f"study {data.scope.study.study!r} {text}", fix=f"Its cells: {cells}.")
    runs = [(c, run) for c in data.grid.cells for run in c.runs if fitting[0] in (run.declared_digest, run.full_digest)]
    arms = dict.fromkeys(cell.arm for cell, _ in runs)
    return CellRuns(fitting[0][:SHORT], " + ".join(arms), tuple(run for _, run in runs))


def cells_in(data: StudyData, side: CellRuns) -> tuple[str, ...]:
    """Cells that the runs of a side come from, in order."""
    ids = {run.run_id for run in side.runs}
    return tuple(cell.cell for cell in data.grid.cells if any(run.run_id in ids for run in cell.runs))
