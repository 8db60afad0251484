"""Gate sets that a store has seen, and the decisions made by them."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import TypeVar

import sqlalchemy
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select

from store.analysis.decision import Outcome
from store.contract.gates import GateSet
from store.errors import StoreError, UsageError, first_error
from store.people.database import people_session
from store.people.models import FrozenGateSet, GateDecision

Row = TypeVar("Row", FrozenGateSet, GateDecision)


@dataclass(frozen=True, slots=True)
class Kept:
    """A decision as the store holds it. new: it was not held before."""

    decision: GateDecision
    new: bool


def gate_set_row(study: str, gates: GateSet) -> FrozenGateSet:
    """A gate set as it is written down."""
    return FrozenGateSet(study=study, gate_set_id=gates.id, digest=gates.digest, document=gates.model_dump_json())


def stored_gate_set(row: FrozenGateSet) -> GateSet:
    """The gate set that was written down. Raises StoreError where the row does not hold it, or holds another."""
    fix = "Put back a copy of people.sqlite, or upgrade."
    try:
        gates = GateSet.model_validate_json(row.document)
    except ValidationError as error:
        raise StoreError(f"gate set {row.gate_set_id!r} cannot be read back ({first_error(error)})", fix=fix) from error
    if gates.digest != row.digest:
        raise StoreError(f"gate set {row.gate_set_id!r} does not have the digest it was kept under", fix=fix)
    return gates


def keep_gate_set(engine: Engine, row: FrozenGateSet) -> FrozenGateSet:
    """The gate set as first seen by this store, written down if it is new.

    Raises UsageError when another document is held under its id.
    """
    check_gate_set(engine, row)
    held = gate_set(engine, row.study, row.gate_set_id) or _added(engine, row)
    return held or keep_gate_set(engine, row)  # somebody else wrote it down a moment ago


def check_gate_set(engine: Engine, row: FrozenGateSet) -> None:
    """Raises UsageError when another document is held under the id of a gate set."""
    held = gate_set(engine, row.study, row.gate_set_id)
    if held is not None and stored_gate_set(held).digest != row.digest:
        raise UsageError(
            f"gate set {row.gate_set_id!r} is held with other content",
            fix="Gate sets never change: give the changed one another id, with its reason.",
        )


def gate_set(engine: Engine, study: str, gate_set_id: str) -> FrozenGateSet | None:
    """One gate set of a study."""
    with people_session(engine) as session:
        return session.exec(
            select(FrozenGateSet).where(FrozenGateSet.study == study, FrozenGateSet.gate_set_id == gate_set_id)
        ).first()


def gate_sets(engine: Engine, study: str) -> tuple[FrozenGateSet, ...]:
    """Gate sets of a study, the newest first."""
    with people_session(engine) as session:
        found = session.exec(select(FrozenGateSet).where(FrozenGateSet.study == study).order_by("first_seen_at", "id")).all()
    return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A decision as a list shows it, without its document. environments: see `GateDecision`."""

    decision_id: str
    gate_set_id: str
    candidate: str
    environments: str
    outcome: Outcome
    as_of: int
    author: str
    decided_at: datetime


def decision_lines(engine: Engine, study: str) -> tuple[DecisionLine, ...]:
    """Decisions of a study, the newest first."""
    columns = [getattr(GateDecision, field.name) for field in fields(DecisionLine)]
    with people_session(engine) as session:
        wanted = sqlalchemy.select(*columns).where(col(GateDecision.study) == study).order_by("decided_at", "id")
        found = session.execute(wanted).mappings().all()
        return tuple(TypeAdapter(DecisionLine).validate_python(dict(row)) for row in reversed(found))


def keep_decision(engine: Engine, row: GateDecision) -> Kept:
    """Write a decision down, once: the same decision made again is the one held already."""
    if made := _added(engine, row):
        return Kept(made, new=True)
    with people_session(engine) as session:
        return Kept(session.exec(select(GateDecision).where(GateDecision.decision_id == row.decision_id)).one(), new=False)


def decisions(engine: Engine, study: str) -> tuple[GateDecision, ...]:
    """Decisions of a study with their documents, the newest first."""
    with people_session(engine) as session:
        found = session.exec(select(GateDecision).where(GateDecision.study == study).order_by("decided_at", "id")).all()
    return tuple(reversed(found))


def _added(engine: Engine, row: Row) -> Row | None:
    """The row as written; null when one of its kind is there already, perhaps since a moment ago."""
    with people_session(engine) as session:
        session.add(row)
        try:
            session.commit()
        except IntegrityError:
            return None
        return row
