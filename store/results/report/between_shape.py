"""What stands between cells, arms and runs, as the report prints it; rules as in `store.results.report.shape`."""

from dataclasses import dataclass
from typing import Literal

from store.analysis.interval import Interval


@dataclass(frozen=True, slots=True)
class Core:
    """The stable core of two cells or arms. right: questions each side has right; `net` is b less a.

    undecided, split: differing questions outside the fragile set that are not core, because a run lacks a verdict,
    or because cells of one arm contradict each other.
    """

    count: int
    undecided: int
    split: int
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
    deployments_a: int
    deployments_b: int
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

    flips, rate and differing are null where no question is scored on both sides. identical of identical_of: token
    identity over all run pairs between them. differing: questions, of `common` ones with a verdict in both, on which
    some run of a and some run of b differ;
    inside_fragile: of those, in the fragile set, null like reroll_share and stable_core when either cell has one
    deployment.
    """

    a: str
    b: str
    flips: int | None
    of: int
    rate: float | None
    floor: float | None
    excess: float | None
    excess_ci: Interval | None
    identical: int | None
    identical_of: int
    identical_text: int | None
    identical_text_of: int
    common: int
    differing: int | None
    inside_fragile: int | None
    reroll_share: float | None
    stable_core: Core | None
    difference: Difference


@dataclass(frozen=True, slots=True)
class ArmPair:
    """Two arms, each the pool of its cells. Of `common` questions with a verdict in both, `differing` differ.

    reroll of these lie in the fragile set. differing is null without a common question.

    reroll, its share and the core are null when some cell of either arm has one deployment: nothing is known to
    be stable there. same_core: whether every pair of their cells has this very core.
    """

    a: str
    b: str
    common: int
    differing: int | None
    reroll: int | None
    reroll_share: float | None
    stable_core: Core | None
    same_core: bool | None


@dataclass(frozen=True, slots=True)
class Signature:
    """Questions outside the fragile set with one pattern of agreeing arms. arms: blocks of equal arms."""

    label: str
    arms: tuple[tuple[str, ...], ...]
    count: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArmPool:
    """One arm: its cells pooled. unstable: of `of` questions with two verdicts or more over all its runs, null without one.

    chao2: the pooled lower bound, from questions scored in every run.
    """

    arm: str
    cells: tuple[str, ...]
    deployments: int
    unstable: int | None
    of: int
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
    flips: int | None
    gains: int | None
    losses: int | None
    net: int | None
    of: int
    unscored: int
    missing: int


@dataclass(frozen=True, slots=True)
class KindLine:
    """All pairs of one kind together, counts added over pairs; grid runs apart from pairs with another role.

    Of a deployment with several passes only the first enters, but for same-process pairs: passes are no repeats.
    """

    kind: str
    among: Literal["grid runs", "other roles"]
    pairs: int
    same_card: int
    other_card: int
    same_build: int
    other_build: int
    identical: int | None
    identical_of: int
    flips: int | None
    of: int


@dataclass(frozen=True, slots=True)
class VerdictMap:
    """Rows and columns of the verdict map in their one order."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
