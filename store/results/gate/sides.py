"""The two sides of a gate decision, with what they leave out and when they began."""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pandas as pd

from store.analysis.panel import BoolArray, Panel
from store.contract.gates import Categories, Gate, GateSet
from store.contract.run import RunState, StudyRole
from store.errors import UsageError
from store.results.gate.shape import DecisionSide
from store.results.printing import counted
from store.results.report.side import side_named
from store.results.runs import CellRuns, RunRow
from store.results.study import StudyData


@dataclass(frozen=True, slots=True)
class Compared:
    """What every gate looks at: two sides of a study on its whole question set. left_out: see `DecisionSide`."""

    data: StudyData
    gate_set: GateSet
    baseline: CellRuns
    candidate: CellRuns
    old: Panel
    new: Panel
    left_out: tuple[tuple[RunRow, ...], tuple[RunRow, ...]]

    def asked(self, gate: Gate) -> BoolArray:
        """The questions a gate applies to, a mask of shape (questions,)."""
        if gate.questions == "all":
            return np.ones(len(self.data.questions), dtype=np.bool_)
        if isinstance(gate.questions, Categories):
            names = set(gate.questions.categories)
            return np.array([asked.category in names for asked in self.data.asked], dtype=np.bool_)
        ids = set(gate.questions.ids)
        return np.array([question in ids for question in self.data.questions], dtype=np.bool_)

    def strangers(self, gate: Gate) -> tuple[str, ...]:
        """Categories or ids that a gate names and the question set does not have, in the gate's order."""
        if gate.questions == "all":
            return ()
        if isinstance(gate.questions, Categories):
            known = {asked.category for asked in self.data.asked}
            return tuple(name for name in gate.questions.categories if name not in known)
        questions = set(self.data.questions)
        return tuple(name for name in gate.questions.ids if name not in questions)


def compared(data: StudyData, gate_set: GateSet, candidate: str) -> Compared:
    """Both sides of a study. A candidate of which no run can be counted has none.

    Raises UsageError on a side the study does not have, a baseline without a run that counts, and sides that share a run.
    """
    old, new = side_named(data, gate_set.baseline), _uncounted(data, candidate) or side_named(data, candidate)
    if shared := {run.run_id for run in old.runs} & {run.run_id for run in new.runs}:
        fix = "The candidate is another cell, or another environment digest."
        raise UsageError(f"baseline and candidate share {counted(len(shared), 'run')}", fix=fix)
    left_out = (_left_out(data, old), _left_out(data, new))
    return Compared(data, gate_set, old, new, data.cell_panel(old), data.cell_panel(new), left_out)


def _uncounted(data: StudyData, name: str) -> CellRuns | None:
    """A cell that is no cell of the grid because all its runs are quarantined, broke off or think unasked."""
    mine = [run for run in data.runs if run.role == StudyRole.GRID and run.cell == name]
    if not mine or any(run in cell.runs for cell in data.grid.cells for run in mine):
        return None
    return CellRuns(name, mine[0].arm, ())


def whole_name(data: StudyData, side: CellRuns) -> str:
    """The name of a cell, or the whole of the environment digest that a side is called by and its runs have in common."""
    if not side.runs or any(side is cell for cell in data.grid.cells):
        return side.cell
    shared = set.intersection(*({run.declared_digest, run.full_digest} for run in side.runs))
    return next(digest for digest in sorted(filter(None, shared)) if digest.startswith(side.cell))


def decision_side(data: StudyData, side: CellRuns, left_out: tuple[RunRow, ...]) -> DecisionSide:
    """A side as the decision names it."""
    began = started(data, side.runs)
    return DecisionSide(
        name=whole_name(data, side),
        label=side.cell,
        runs=tuple(run.run_id for run in side.runs),
        environments=tuple(run.full_digest if run.known_fields else None for run in side.runs),
        started=tuple(None if at is None else at.isoformat() for at in began),
        left_out=tuple(run.run_id for run in left_out),
    )


def started(data: StudyData, runs: tuple[RunRow, ...]) -> tuple[datetime | None, ...]:
    """When each deployment began, in run order: as its environment says, else its first request's arrival.

    Null where neither says, or what it says is no time with its offset: a date that nobody can read proves nothing.
    """
    arrivals = data.warehouse.frame("arrivals", study=data.scope.study.study, as_of=data.scope.as_of)
    first = dict(zip(arrivals["run_id"], arrivals["first_arrival"], strict=True))
    return tuple(_started(data, run, first.get(run.run_id)) for run in runs)


def _started(data: StudyData, run: RunRow, arrival: float | None) -> datetime | None:
    said = data.environment_records.get(run.deployment_id, {}).get("started_at")
    if isinstance(said, str):
        try:
            at = datetime.fromisoformat(said)
        except ValueError:
            return None
        return _in_utc(at)
    if arrival is None or pd.isna(arrival):
        return None
    try:
        return datetime.fromtimestamp(arrival, UTC)
    except (ValueError, OverflowError, OSError):  # no date: milliseconds, perhaps
        return None


def _in_utc(at: datetime) -> datetime | None:
    """Null for a time without its offset, which may be hours off, and for one that no calendar holds."""
    try:
        return at.astimezone(UTC) if at.tzinfo is not None else None
    except OverflowError:
        return None


def _left_out(data: StudyData, side: CellRuns) -> tuple[RunRow, ...]:
    """Grid runs of the same cell, or the same environment digest, that cannot be counted; further passes are no fault."""
    name, inside = whole_name(data, side), {run.run_id for run in side.runs}
    cells = {(run.arm, run.cell) for run in side.runs} or {(side.arm, side.cell)}

    def belongs(run: RunRow) -> bool:
        return name in (run.declared_digest, run.full_digest) if name != side.cell else (run.arm, run.cell) in cells

    return tuple(
        run
        for run in data.runs
        if run.role == StudyRole.GRID
        and run.run_id not in inside
        and belongs(run)
        and (run.state != RunState.COMPLETE or run.thinks_unasked)
    )
