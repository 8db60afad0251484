"""The runs of a study and which of them make up its cells."""

from collections import Counter
from dataclasses import dataclass

from store.contract.run import RunState, StudyRole
from store.results.findings import Finding
from store.results.order import natural
from store.results.scope import Scope
from store.warehouse.open import Warehouse


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run; digests and what follows them are null when its deployment's environment does not say.

    thinking_off: records whose prompt closes an empty think block. thought: records whose output holds thinking.
    """

    run_id: str
    cell: str
    arm: str
    role: str
    repeat: int
    deployment_id: str
    state: str
    state_reason: str
    records: int
    scored: int
    correct: int
    unscored: int
    truncated: int
    end_unknown: int
    duplicates: int
    refused: int
    generation: int
    declared_digest: str | None
    full_digest: str | None
    known_fields: int | None
    digest_fields: int | None
    engine: str | None
    cache_role: str | None
    cache_parent: str | None
    card: str | None
    fingerprint: str | None
    content_digest: str
    thinking_off: int
    thought: int

    @property
    def thinks_unasked(self) -> bool:
        """Thinking was switched off in its prompts, and outputs hold thinking all the same (METHOD: thinking)."""
        return self.thinking_off > 0 and self.thought > 0


@dataclass(frozen=True, slots=True)
class CellRuns:
    """The deployments of one cell, one run each, in repeat order.

    cell: its name; where two arms have a cell of one name, the arm stands before it.
    """

    cell: str
    arm: str
    runs: tuple[RunRow, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of a study and what had to stay out of them."""

    cells: tuple[CellRuns, ...]
    findings: tuple[Finding, ...]


def list_runs(warehouse: Warehouse, scope: Scope) -> tuple[RunRow, ...]:
    """Every run at `as_of`, by arm, cell, repeat and id."""
    rows = warehouse.records("runs", RunRow, study=scope.study.study, as_of=scope.as_of)
    return tuple(sorted(rows, key=lambda r: (natural(r.arm), natural(r.cell), r.repeat, natural(r.run_id))))


def grid(runs: tuple[RunRow, ...], acknowledged: tuple[str, ...]) -> Grid:
    """Cells from grid runs that are complete: one run per deployment (METHOD: what counts as a repeat).

    Quarantined and incomplete runs, further runs of one deployment, and runs that think although it was
    switched off (unless `acknowledged` by id) are left out and named in the findings.
    """
    candidates = [run for run in runs if run.role == StudyRole.GRID]
    complete = [run for run in candidates if run.state == RunState.COMPLETE]
    entering = [run for run in complete if not run.thinks_unasked or run.run_id in acknowledged]
    cells: dict[tuple[str, str], dict[str, RunRow]] = {}
    again: list[RunRow] = []
    for run in entering:
        deployments = cells.setdefault((run.arm, run.cell), {})
        if run.deployment_id in deployments:
            again.append(run)
        else:
            deployments[run.deployment_id] = run
    shared = Counter(cell for _, cell in cells)
    return Grid(
        cells=tuple(
            CellRuns(cell if shared[cell] == 1 else f"{arm} · {cell}", arm, tuple(found.values()))
            for (arm, cell), found in cells.items()
        ),
        findings=(
            *_left_out(candidates),
            *_thinking([run for run in runs if run.state == RunState.COMPLETE], acknowledged),
            *_passes(again),
            *_same_repeat(cells),
            *_two_cells(entering),
        ),
    )


def _left_out(candidates: list[RunRow]) -> list[Finding]:
    found = []
    quarantined = [run for run in candidates if run.state == RunState.QUARANTINED]
    incomplete = [run for run in candidates if run.state == RunState.INCOMPLETE]
    if quarantined:
        names = "; ".join(f"{run.run_id} ({run.state_reason})" for run in quarantined)
        text = f"{len(quarantined)} quarantined and counted nowhere: {names}"
        found.append(Finding("quarantined", text, tuple(run.run_id for run in quarantined)))
    if incomplete:
        names = "; ".join(f"{run.run_id} ({run.state_reason})" for run in incomplete)
        text = f"{len(incomplete)} stopped before the end and counted in no cell: {names}"
        found.append(Finding("incomplete", text, tuple(run.run_id for run in incomplete)))
    return found


def _thinking(complete: list[RunRow], acknowledged: tuple[str, ...]) -> list[Finding]:
    thinking = [run for run in complete if run.thinks_unasked]
    if not thinking:
        return []
    said = "; ".join(
        f"{run.run_id}: {run.thought:,} of {run.records:,} outputs{', acknowledged' if run.run_id in acknowledged else ''}"
        for run in thinking
    )
    why = "thinking was switched off in the prompt and stands in outputs; until acknowledged, a run stays out of its cell"
    text = f"{why}: {said}"
    return [Finding("thinking", text, tuple(run.run_id for run in thinking))]


def _two_cells(entering: list[RunRow]) -> list[Finding]:
    """Deployments with runs in several cells: one engine process has one configuration."""
    places: dict[str, set[str]] = {}
    for run in entering:
        places.setdefault(run.deployment_id, set()).add(run.cell)
    twice = tuple(deployment for deployment, cells in places.items() if len(cells) > 1)
    if not twice:
        return []
    text = f"one deployment has runs in several cells, though a process has one configuration: {', '.join(twice)}"
    return [Finding("shared-deployment", text, twice)]


def _same_repeat(cells: dict[tuple[str, str], dict[str, RunRow]]) -> list[Finding]:
    """Cells in which two deployments carry the same repeat index: perhaps two configurations under one name."""
    found = []
    for (_, cell), deployments in cells.items():
        repeats = Counter(run.repeat for run in deployments.values())
        twice = tuple(run.run_id for run in deployments.values() if repeats[run.repeat] > 1)
        if twice:
            text = f"{cell}: deployments share a repeat index, as two configurations under one name would: {', '.join(twice)}"
            found.append(Finding("same-repeat", text, twice))
    return found


def _passes(again: list[RunRow]) -> list[Finding]:
    if not again:
        return []
    names = tuple(run.run_id for run in again)
    text = f"further passes of a deployment are not repeats and are left out: {', '.join(names)}"
    return [Finding("shared-deployment", text, names)]
