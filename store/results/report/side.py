"""What a comparison can put on a side: a cell, or all grid deployments of one environment digest."""

from dataclasses import dataclass
from typing import Literal

from store.errors import UsageError
from store.results.runs import CellRuns, RunRow
from store.results.study import StudyData

SHORT = 13
"""Characters of a digest that stand for it on a page: the scheme and eight hexadecimal digits."""

LONGEST_SHOWN = 100
"""Characters of a name that an error repeats."""

DigestKind = Literal["declared", "full"]


@dataclass(frozen=True, slots=True)
class EnvironmentSide:
    """An environment digest and the grid deployments that have it.

    kind: `declared`, the configuration, or `full`, kernel state included; a digest that is both is `declared`.
    cells: the cells they are in. known: the least number of the `of` fields of the full digest that any of them knows; a
    digest of which nothing is known is no side.
    """

    digest: str
    kind: DigestKind
    cells: tuple[str, ...]
    deployments: int
    known: int
    of: int


def environment_sides(data: StudyData) -> tuple[EnvironmentSide, ...]:
    """Every environment digest of the study's cells: declared ones first, then full ones, in the order of cells."""
    found: dict[tuple[DigestKind, str], list[tuple[str, RunRow]]] = {}
    for cell in data.grid.cells:
        for run in cell.runs:
            if run.declared_digest is not None and run.known_fields:
                found.setdefault(("declared", run.declared_digest), []).append((cell.cell, run))
            if run.full_digest not in (None, run.declared_digest) and run.known_fields:
                found.setdefault(("full", str(run.full_digest)), []).append((cell.cell, run))
    ranked = sorted(found.items(), key=lambda item: item[0][0])  # stable: `declared` before `full`
    return tuple(
        EnvironmentSide(
            digest=digest,
            kind=kind,
            cells=tuple(dict.fromkeys(cell for cell, _ in members)),
            deployments=len(members),
            known=min(run.known_fields or 0 for _, run in members),
            of=max(run.digest_fields or 0 for _, run in members),
        )
        for (kind, digest), members in ranked
    )


def digest_sides(data: StudyData, kind: DigestKind) -> tuple[CellRuns, ...]:
    """Grid runs by their digest of one kind, in the order each is first met; runs of which no field is known are left out."""
    found: dict[str, list[tuple[str, RunRow]]] = {}
    for cell in data.grid.cells:
        for run in cell.runs:
            digest = run.declared_digest if kind == "declared" else run.full_digest
            if digest is not None and run.known_fields:
                found.setdefault(digest, []).append((cell.arm, run))
    return tuple(
        CellRuns(digest[:SHORT], " + ".join(dict.fromkeys(arm for arm, _ in members)), tuple(run for _, run in members))
        for digest, members in found.items()
    )


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
        shown = repr(name if len(name) <= LONGEST_SHOWN else f"{name[:LONGEST_SHOWN]}…")
        text = f"has no cell {shown}, nor one environment digest" if not fitting else f"has several digests like {shown}"
        raise UsageError(f"study {data.scope.study.study!r} {text}", fix=f"Its cells: {cells}.")
    runs = [(c, run) for c in data.grid.cells for run in c.runs if fitting[0] in (run.declared_digest, run.full_digest)]
    arms = dict.fromkeys(cell.arm for cell, _ in runs)
    return CellRuns(fitting[0][:SHORT], " + ".join(arms), tuple(run for _, run in runs))


def cells_in(data: StudyData, side: CellRuns) -> tuple[str, ...]:
    """Cells that the runs of a side come from, in order."""
    ids = {run.run_id for run in side.runs}
    return tuple(cell.cell for cell in data.grid.cells if any(run.run_id in ids for run in cell.runs))
