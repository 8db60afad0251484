"""Runs and bundles: what a sealed manifest says."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from store.contract.base import Frozen
from store.contract.record import ExtractorName, Name
from store.extractors.spec import ExtractorSpec

StudyName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


class StudyRole(StrEnum):
    """Why a run was made. Only grid runs enter cells, arms and sets."""

    GRID = "grid"
    PROBE = "probe"
    BUILDER = "builder"
    LOADER = "loader"
    ANCHOR = "anchor"


class RunState(StrEnum):
    """`quarantined` runs are shown and counted nowhere; `incomplete` ones stopped before their end."""

    COMPLETE = "complete"
    INCOMPLETE = "incomplete"
    QUARANTINED = "quarantined"


class RunCounts(Frozen):
    """Records of one run; `scored + unscored == records` for the bundle's main extractor."""

    records: int = Field(ge=0)
    scored: int = Field(ge=0)
    correct: int = Field(ge=0)
    unscored: int = Field(ge=0)
    truncated: int = Field(ge=0)
    end_unknown: int = Field(ge=0, description="Records that do not say how they ended: truncated or not is not known.")
    duplicates: int = Field(ge=0, description="Equal duplicates that were met and kept once.")
    refused: int = Field(ge=0, description="Lines refused that named this run, conflicting duplicates included.")


class RunManifest(Frozen):
    """One pass over the question set in one deployment."""

    run_id: Name
    cell: Name
    arm: Name
    role: StudyRole
    repeat: int = Field(ge=0)
    deployment_id: Name
    state: RunState
    state_reason: str = Field(description="Empty for a complete run.")
    counts: RunCounts
    content_digest: str = Field(description="`run1:` digest over the run's labels, environment and records.")


class SealedFile(Frozen):
    """One data file of a bundle."""

    name: str
    sha256: str
    bytes: int
    rows: int


class SourceFile(Frozen):
    """Where the records came from."""

    name: str
    sha256: str
    bytes: int
    mapping: str = Field(description="Name of the mapping or reader that read it.")


class QuestionSet(Frozen):
    """The questions that "missing" is measured against."""

    declared: bool = Field(description="False: the union over the study's runs.")
    count: int
    digest: str


class BundleManifest(Frozen):
    """`manifest.json` of a sealed bundle: one run or many of one study, immutable.

    `generation` is the store's ingest counter; it is null in a bundle that no store holds yet and is
    left out of `content_digest`, so that the same content is recognised wherever it was ingested.
    """

    format: Literal["flipbook-bundle/1"]
    study: StudyName
    label: str = Field(description="Shown wherever the study shows; empty for none.")
    main_extractor: ExtractorName | None
    extractors: tuple[ExtractorSpec, ...] = Field(description="Ours that scored these records, each with its steps.")
    question_set: QuestionSet
    runs: tuple[RunManifest, ...]
    files: tuple[SealedFile, ...]
    sources: tuple[SourceFile, ...]
    created_by: str
    created_at: str
    content_digest: str
    generation: int | None
