"""Tables of the people database."""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import Index
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
