"""The report as it is printed as JSON: the field names are the keys (docs/schema/report.json).

Every rate stands beside its numerator and denominator, as a fraction between 0 and 1. Null is "not known" or
"not defined", never 0. Question ids stand in the study's order, runs by arm, cell and repeat.
"""

from dataclasses import dataclass
from typing import Literal

from store.analysis.near_tie_summary import NearTieSummary
from store.results.findings import Finding
from store.results.report.between_shape import (
    ArmPair,
    ArmPool,
    CrossCell,
    KindLine,
    RunPair,
    Signature,
    VerdictMap,
)
from store.results.report.cell_shape import Cell

FORMAT: Literal["flipbook-report/1"] = "flipbook-report/1"


@dataclass(frozen=True, slots=True)
class Options:
    """What the numbers depend on beside the data."""

    extractor: str | None
    as_of: int
    acknowledged: tuple[str, ...]
    level: float
    alpha: float
    power: float
    large_gap: float | None
    partner: str | None
    rarefied_to: int | None
    sd_convention: str
    rounding: str


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run, whatever its role. correct of `of` scored questions of the set; `of` differs where runs lack verdicts.

    fingerprint: a letter, equal for deployments with equal log-probabilities on the sentinel prompts; null without one.
    """

    run: str
    cell: str
    arm: str
    role: str
    repeat: int
    deployment: str
    state: str
    in_cell: bool
    card: str | None
    cache_role: str | None
    fingerprint: str | None
    correct: int
    of: int
    unscored: int
    missing: int
    truncated: int
    end_unknown: int
    duplicates: int
    refused: int


@dataclass(frozen=True, slots=True)
class FragileSet:
    """Questions unstable in at least one cell, of the question set; a lower bound.

    count is null when no cell has two deployments with verdicts. cells: cells with two or more, which it is the
    union over. unknown: questions with fewer than two verdicts in each of them, stable or unstable nobody knows.
    """

    count: int | None
    ids: tuple[str, ...]
    of: int
    unknown: int
    cells: int


@dataclass(frozen=True, slots=True)
class UnstableRuns:
    """Questions on which not all of the runs agree, of `of` with two verdicts or more; null where there is none."""

    count: int | None
    ids: tuple[str, ...]
    of: int
    runs: int


@dataclass(frozen=True, slots=True)
class AllRuns:
    """All grid runs of the study taken together, whatever their cell."""

    unstable: UnstableRuns


@dataclass(frozen=True, slots=True)
class ProbeLine:
    """Passes of one probe deployment: questions with equal tokens in all of them."""

    deployment: str
    passes: tuple[str, ...]
    identical: int | None
    of: int
    identical_text: int | None
    text_of: int


@dataclass(frozen=True, slots=True)
class Probe:
    """In-process probes, added over deployments. Passes are never repeats."""

    passes: int
    identical: int | None
    of: int
    deployments: tuple[ProbeLine, ...]


@dataclass(frozen=True, slots=True)
class Anchor:
    """One anchor run against one named run: one pair, so no variance. others: flips outside the fragile set.

    Counts are null where no question is scored in both; in_fragile also, and others empty, without a cell of two deployments.
    """

    run: str
    partner: str
    partner_named_by: str
    flips: int | None
    of: int
    gains: int | None
    losses: int | None
    in_fragile: int | None
    others: tuple[str, ...]
    identical: int | None
    identical_of: int
    correct: int
    partner_correct: int


@dataclass(frozen=True, slots=True)
class ScorerPair:
    """Two scorers of one run: records both gave a verdict on, and those on which the verdicts differ, by kind.

    moved_up, moved_down: of those, correct by a only and correct by b only.
    """

    run: str
    a: str
    b: str
    disagree: int
    of: int
    rate: float | None
    right_a_only: int
    right_b_only: int
    kinds: dict[str, int]
    in_fragile: int | None
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody wrote of a question; it changes no number. in_fragile: null where that is not known."""

    question: str
    kind: str
    text: str
    author: str
    in_fragile: bool | None


@dataclass(frozen=True, slots=True)
class NearTies:
    """Divergences between the runs of two cells (a and b equal: within one), with the log-probabilities there."""

    a: str
    b: str
    run_pairs: int
    questions: int
    summary: NearTieSummary


@dataclass(frozen=True, slots=True)
class ArmAnswer:
    """An answer to one question, and how many deployments of an arm and engine gave it, by study role."""

    question: str
    gold: str | None
    arm: str
    engine: str | None
    answer: str | None
    verdict: str
    deployments: dict[str, int]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything the study says.

    questions: size of the question set. gpus: distinct cards of the grid runs, null if none is recorded.
    signature_undecided: questions outside the fragile set that some grid run has no verdict on, and so in no group.
    """

    format: Literal["flipbook-report/1"]
    study: str
    label: str
    questions: int
    runs: tuple[RunLine, ...]
    data_digest: str
    options: Options
    gpus: int | None
    cells: tuple[Cell, ...]
    arm_pools: tuple[ArmPool, ...]
    fragile_set: FragileSet
    all_runs: AllRuns
    cross_cell: tuple[CrossCell, ...]
    arms: tuple[ArmPair, ...]
    signature_groups: tuple[Signature, ...]
    answer_signature_groups: tuple[Signature, ...]
    signature_undecided: int
    pair_kinds: tuple[KindLine, ...]
    pairs: tuple[RunPair, ...]
    probe: Probe | None
    anchor: Anchor | None
    further_anchors: tuple[Anchor, ...]
    extractors: tuple[ScorerPair, ...]
    annotations: tuple[Remark, ...]
    near_ties: tuple[NearTies, ...]
    answers_by_arm: tuple[ArmAnswer, ...]
    verdict_map: VerdictMap
    findings: tuple[Finding, ...]
