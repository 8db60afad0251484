"""The runs that a study file asks for, in the order in which they are made."""

from collections import Counter
from dataclasses import dataclass
from itertools import groupby, product

from runner.study.model import Caches, Cell, StudyFile, sources_of
from store.contract.run import StudyRole
from store.errors import UsageError


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One pass over the questions in one deployment.

    entry: the study file's cell it comes from; cell: the one it belongs to, another where the entry is within it.
    repeat counts the runs of a cell from 0, those of entries within it after its own. engine and model are the study
    file's names for them. A run of one pass has its deployment's id, else `.p0`, `.p1` follow.
    """

    run_id: str
    deployment_id: str
    entry: str
    cell: str
    arm: str
    role: StudyRole
    repeat: int
    pass_index: int
    engine: str
    model: str
    cache: Caches


def grid(study: StudyFile) -> tuple[PlannedRun, ...]:
    """Every run: cells as the file has them, but a cell that others load from before the first of them.

    Deployments of a cell follow each other, passes of a deployment too. Raises UsageError when cells load from each
    other in a circle.
    """
    guests = Counter({cell.name: cell.repeats * cell.passes for cell in study.cells})  # numbers from there on are theirs
    runs: list[PlannedRun] = []
    for cell in ordered(study.cells):
        label = cell.within or cell.name
        start = 0 if cell.within is None else guests[label]
        for number, (deployment, pass_index) in enumerate(product(range(cell.repeats), range(cell.passes)), start):
            runs.append(_run(cell, label, deployment, pass_index, number))
        if cell.within is not None:
            guests[label] += cell.repeats * cell.passes
    return tuple(runs)


def deployments(study: StudyFile) -> tuple[tuple[PlannedRun, ...], ...]:
    """The same runs, those of one deployment together."""
    return tuple(tuple(runs) for _, runs in groupby(grid(study), key=lambda run: run.deployment_id))


def ordered(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Cells in the order of their deployments; `grid` says which and what it raises."""
    named = {cell.name: cell for cell in cells}
    done: dict[str, Cell] = {}
    for cell in cells:
        _place(cell, named, (), done)
    return tuple(done.values())


def _place(cell: Cell, named: dict[str, Cell], above: tuple[str, ...], done: dict[str, Cell]) -> None:
    if cell.name in above:
        circle = (*above[above.index(cell.name) :], cell.name)
        raise UsageError(f"cells load from each other in a circle: {' from '.join(circle)}")
    if cell.name in done:
        return
    for source in sources_of(cell):
        _place(named[source], named, (*above, cell.name), done)
    done[cell.name] = cell


def _run(cell: Cell, label: str, deployment: int, pass_index: int, repeat: int) -> PlannedRun:
    deployment_id = f"{cell.name}.{deployment}"
    return PlannedRun(
        run_id=deployment_id if cell.passes == 1 else f"{deployment_id}.p{pass_index}",
        deployment_id=deployment_id,
        entry=cell.name,
        cell=label,
        arm=cell.arm,
        role=cell.role,
        repeat=repeat,
        pass_index=pass_index,
        engine=cell.engine,
        model=cell.model,
        cache=cell.cache,
    )
