"""Tables of the people database."""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field, SQLModel


class AnnotationKind(StrEnum):
    """What an annotation says of a question. None of them changes a verdict or a denominator."""

    DISPUTED_GOLD = "disputed gold"
    AMBIGUOUS = "ambiguous"
    EXTRACTOR_FAULT = "extractor fault"
    NOTE = "note"


class Annotation(SQLModel, table=True):
    """One remark on one question. A later remark that replaces it names it in `supersedes`; nothing is edited."""

    __table_args__ = (Index("ix_annotation_study_question", "study", "question_id"),)

    id: int | None = Field(default=None, primary_key=True)
    study: str
    question_id: str
    kind: AnnotationKind
    text: str
    author: str
    created_at: datetime = Field(default_factory=lambda: datetime.now(UTC))
    supersedes: int | None = Field(default=None, foreign_key="annotation.id")


class FrozenGateSet(SQLModel, table=True):
    """A gate set as this store first saw it. It never changes: another document under its id is refused.

    document: the gate set as JSON. digest: its `gates1:` digest.
    """

    __table_args__ = (UniqueConstraint("study", "gate_set_id", name="uq_frozengateset_study_id"),)

    id: int | None = Field(default=None, primary_key=True)
    study: str
    gate_set_id: str
    digest: str
    document: str
    first_seen_at: datetime = Field(default_factory=lambda: datetime.now(UTC))


class GateDecision(SQLModel, table=True):
    """One decision as it was made. document: the whole decision as JSON. decision_id: its `decision1:` digest.

    environments: full digests of the candidate's deployments, each once, parted by spaces; empty where none is recorded.
    """

    __table_args__ = (Index("ix_gatedecision_study", "study"),)

    id: int | None = Field(default=None, primary_key=True)
    decision_id: str = Field(unique=True)
    study: str
    gate_set_id: str
    candidate: str
    environments: str
    outcome: str
    as_of: int
    document: str
    author: str
    decided_at: datetime = Field(default_factory=lambda: datetime.now(UTC))
