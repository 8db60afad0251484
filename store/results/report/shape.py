"""The report as it is printed as JSON: the field names are the keys (docs/schema/report.json).

Every rate stands beside its numerator and denominator, as a fraction between 0 and 1. Null is "not known" or
"not defined", never 0. Question ids stand in the study's order, runs by arm, cell and repeat.
"""

from dataclasses import dataclass
from typing import Literal

from store.analysis.divergence import SurvivalStep
from store.analysis.funnel import Funnel
from store.analysis.interval import Bound, Interval
from store.analysis.near_tie_summary import NearTieSummary
from store.analysis.pairs_within import PairCount
from store.analysis.panel import OutputLayerName
from store.analysis.rarefaction import Rarefied
from store.results.findings import Finding

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
    """One run, whatever its role. correct of `of` scored questions of the set; `of` differs where runs lack verdicts."""

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
    correct: int
    of: int
    unscored: int
    missing: int
    truncated: int
    end_unknown: int
    duplicates: int
    refused: int


@dataclass(frozen=True, slots=True)
class RunCorrect:
    """Correct answers of one run on its cell's base."""

    run: str
    correct: int
    of: int


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Mean and sample sd over runs on one base; sd is null for one deployment.

    mean_unscored_as_incorrect: over all common questions; null where nothing is unscored.
    """

    mean: float | None
    sd: float | None
    mean_unscored_as_incorrect: float | None
    per_run: tuple[RunCorrect, ...]


@dataclass(frozen=True, slots=True)
class WithoutDisputed:
    """The accuracy once more without questions whose gold is disputed: a second line, never the first."""

    mean: float | None
    sd: float | None
    questions: int


@dataclass(frozen=True, slots=True)
class Unstable:
    """Unstable questions of `of` with two verdicts or more; null with one deployment. unknown: with fewer than two verdicts.

    chao2, expected_next, rarefied: see `store.analysis.richness` and `rarefaction`, over `complete` questions.
    """

    count: int | None
    ids: tuple[str, ...]
    of: int
    unknown: int
    complete: int
    chao2: float | None
    expected_next: float | None
    rarefied: Rarefied | None


@dataclass(frozen=True, slots=True)
class Flips:
    """Verdict flips over scored pair-questions of all run pairs. Null with one deployment.

    ci: clustered by question; ci_runs: delete-one-run jackknife, from three deployments on. null_pairs: pair-questions with a
    record on both sides and no verdict on one.
    """

    count: int | None
    of: int
    rate: float | None
    ci: Interval | None
    ci_runs: Interval | None
    null_pairs: int
    median_pair: float | None
    per_pair: tuple[PairCount, ...]


@dataclass(frozen=True, slots=True)
class Identity:
    """Equal outputs over comparable pair-questions of all run pairs; null where nothing is comparable."""

    identical: int | None
    of: int
    rate: float | None
    ci: Interval | None
    median_pair: float | None
    least: float | None
    most: float | None
    per_pair: tuple[PairCount, ...]


@dataclass(frozen=True, slots=True)
class IdenticalInAll:
    """Questions on which all runs are equal, of those on which all are known and comparable."""

    tokens: int | None
    tokens_of: int
    text: int | None
    text_of: int


@dataclass(frozen=True, slots=True)
class Diverged:
    """Questions on which some pair of runs, and on which every pair, differs in tokens; of those with a comparable pair."""

    any: int | None
    every: int | None
    of: int


@dataclass(frozen=True, slots=True)
class Answers:
    """Changed canonical answers over pair-questions with an answer (or "no answer") on both sides."""

    changed: int | None
    of: int
    rate: float | None


@dataclass(frozen=True, slots=True)
class AttenuationBase:
    """Numerator and denominator of an attenuation: over `of` pair-questions known on both layers."""

    layer: OutputLayerName
    diverged: int
    flips: int
    of: int


@dataclass(frozen=True, slots=True)
class SameAnswerShare:
    """Unchanged answers as a share of divergent pair-questions and of all pair-questions, with both denominators."""

    layer: OutputLayerName
    of_divergent: float | None
    of_all: float | None
    changed: int
    changed_divergent: int
    divergent: int
    all: int


@dataclass(frozen=True, slots=True)
class FirstDivergence:
    """0-based token index over diverged pair-questions, and the survival curve with equal ones censored."""

    median: float | None
    q1: float | None
    q3: float | None
    diverged: int
    censored: int
    input_mismatch: int
    survival: tuple[SurvivalStep, ...]


ZeroLayer = Literal["verdicts", "tokens", "text"]


@dataclass(frozen=True, slots=True)
class ZeroEvents:
    """What "no deployment differed" is worth. matches: deployments equal to the first in everything on the layer."""

    layer: ZeroLayer
    matches: int
    next_differs: Bound


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its grid deployments, one run each. questions: common to all its runs, `scored_questions` its base."""

    cell: str
    arm: str
    deployments: int
    gpus: int | None
    questions: int
    scored_questions: int
    base: str
    accuracy: Accuracy
    without_disputed: WithoutDisputed | None
    unstable: Unstable
    flips: Flips
    identity: Identity
    identity_text: Identity
    identical_in_all: IdenticalInAll
    diverged: Diverged
    answers: Answers
    funnel: Funnel | None
    attenuation: float | None
    attenuation_base: AttenuationBase | None
    same_answer: SameAnswerShare | None
    first_divergence: FirstDivergence | None
    zero_events: tuple[ZeroEvents, ...]


@dataclass(frozen=True, slots=True)
class QuestionList:
    """A count and the ids it counts, out of the study's question set."""

    count: int
    ids: tuple[str, ...]
    of: int


@dataclass(frozen=True, slots=True)
class UnstableRuns:
    """Questions on which not all of the runs agree, of `of` with two verdicts or more; over `runs` runs."""

    count: int
    ids: tuple[str, ...]
    of: int
    runs: int


@dataclass(frozen=True, slots=True)
class AllRuns:
    """All grid runs of the study taken together, whatever their cell."""

    unstable: UnstableRuns


@dataclass(frozen=True, slots=True)
class Core:
    """The stable core of two cells or arms. right: questions each side has right; `net` is b less a.

    undecided: differing questions outside the fragile set that lack a verdict in some run, and so are not core.
    """

    count: int
    undecided: int
    ids: tuple[str, ...]
    right: dict[str, int]
    net: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Accuracy of b less that of a on `questions` scored in every run of both, as a fraction.

    ci_fixed: Welch on run accuracies, null with one deployment on a side. ci_new: paired by question, or Tango's
    with one run each. mde: minimal detectable difference, null where no flip was seen or with one deployment.
    resolved: at least `mde` and ci_fixed excludes 0; null without either. needed: deployments per cell that would
    resolve a difference of this size. p: of `test`; p_holm, p_bh: adjusted over the study's cell pairs.
    """

    value: float | None
    mean_a: float | None
    mean_b: float | None
    questions: int
    ci_fixed: Interval | None
    ci_new: Interval | None
    mde: float | None
    needed: int | None
    resolved: bool | None
    test: str | None
    p: float | None
    p_holm: float | None
    p_bh: float | None


@dataclass(frozen=True, slots=True)
class CrossCell:
    """Two cells. floor: mean of both cells' own flip rates, excess: rate less floor; null with a single deployment.

    identical of identical_of: token identity over all run pairs between them. differing: questions on which some
    run of a and some run of b differ; inside_fragile: of those, in the fragile set.
    """

    a: str
    b: str
    flips: int
    of: int
    rate: float | None
    floor: float | None
    excess: float | None
    excess_ci: Interval | None
    identical: int | None
    identical_of: int
    identical_text: int | None
    identical_text_of: int
    differing: int
    inside_fragile: int
    reroll_share: float | None
    stable_core: Core
    difference: Difference


@dataclass(frozen=True, slots=True)
class ArmPair:
    """Two arms, each the pool of its cells. reroll of differing questions lie in the fragile set."""

    a: str
    b: str
    differing: int
    reroll: int
    reroll_share: float | None
    stable_core: Core


@dataclass(frozen=True, slots=True)
class Signature:
    """Questions outside the fragile set with one pattern of agreeing arms. arms: blocks of equal arms."""

    label: str
    arms: tuple[tuple[str, ...], ...]
    count: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArmPool:
    """One arm: its cells pooled. unstable: over all its runs, with the pooled lower bound."""

    arm: str
    cells: tuple[str, ...]
    deployments: int
    unstable: int
    chao2: float | None


@dataclass(frozen=True, slots=True)
class RunPair:
    """One pair of runs. Each count has its own denominator; `identical` is null where token identity is undefined."""

    a: str
    b: str
    kind: str
    card: str
    build: str
    identical: int | None
    identical_of: int
    identical_text: int | None
    identical_text_of: int
    answers_changed: int | None
    answers_of: int
    flips: int
    gains: int
    losses: int
    net: int
    of: int
    unscored: int
    missing: int


@dataclass(frozen=True, slots=True)
class KindLine:
    """All pairs of one kind together: counts added over pairs."""

    kind: str
    pairs: int
    same_card: int
    other_card: int
    same_build: int
    other_build: int
    identical: int | None
    identical_of: int
    flips: int
    of: int


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
    """One anchor run against one named run: one pair, so no variance. others: flips outside the fragile set."""

    run: str
    partner: str
    partner_named_by: str
    flips: int
    of: int
    gains: int
    losses: int
    in_fragile: int
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
    in_fragile: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody wrote of a question; it changes no number."""

    question: str
    kind: str
    text: str
    author: str
    in_fragile: bool


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
class VerdictMap:
    """Rows and columns of the verdict map in their one order."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything the study says.

    questions: size of the question set. gpus: distinct cards of the grid runs, null if none is recorded.
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
    fragile_set: QuestionList
    all_runs: AllRuns
    cross_cell: tuple[CrossCell, ...]
    arms: tuple[ArmPair, ...]
    signature_groups: tuple[Signature, ...]
    answer_signature_groups: tuple[Signature, ...]
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
