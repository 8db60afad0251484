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


class Spread(Frozen):
    """Median and 95th percentile of a time over the requests that carry it, in seconds."""

    p50: float
    p95: float
    requests: int = Field(ge=1, description="Requests it was taken over.")


class Performance(Frozen):
    """What a run took, as its runner saw it. Null is not measured, never 0."""

    first_token_s: Spread | None
    inter_token_s: Spread | None
    output_tokens: int = Field(ge=0)
    generation_s: float | None = Field(description="From the first question handed over to the last answer.")
    failed: int = Field(ge=0, description="Requests that failed.")
    requests: int = Field(ge=0)
    phases_s: dict[str, float] = Field(description="Seconds of every phase of its deployment.")
    peak_resident_bytes: int | None = Field(description="Sum over the processes of the deployment.")
    peak_device_bytes: int | None = Field(description="Sum over its devices, as the allocator says.")
    devices: int = Field(ge=1, description="Devices held, 1 for a processor.")
    device_hours: float | None = Field(description="Of the whole deployment, all its runs together.")
    price_per_device_hour: float
    currency: str


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
    performance: Performance | None = Field(default=None, description="Null where no runner of ours made it.")
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
