"""One cell as the report prints it; rules as in `store.results.report.shape`."""

from dataclasses import dataclass
from typing import Literal

from store.analysis.divergence import DivergenceSummary
from store.analysis.funnel import Attenuation, Funnel, SameAnswer
from store.analysis.interval import Bound, Interval
from store.analysis.pairs_within import PairCount
from store.analysis.rarefaction import Rarefied


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
    """Equal outputs over comparable pair-questions of all run pairs; null where nothing is comparable.

    undefined: why nothing is, null where something is or with one deployment.
    """

    identical: int | None
    undefined: str | None
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


ZeroLayer = Literal["verdicts", "tokens", "text"]


@dataclass(frozen=True, slots=True)
class ZeroEvents:
    """What "no deployment differed" is worth. matches: deployments equal to the first in everything on the layer."""

    layer: ZeroLayer
    matches: int
    next_differs: Bound


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its grid deployments, one run each. questions: common to all its runs, `scored_questions` its base.

    records: over its runs and the question set. truncated: of those, cut at their token limit and scored as they
    stand; null when no record says how it ended. empty: with an empty text, equal to each other as any outputs are.
    """

    cell: str
    arm: str
    deployments: int
    gpus: int | None
    questions: int
    scored_questions: int
    base: str
    records: int
    truncated: int | None
    end_unknown: int
    empty: int
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
    attenuation_base: Attenuation | None
    same_answer: SameAnswer | None
    first_divergence: DivergenceSummary | None
    zero_events: tuple[ZeroEvents, ...]
