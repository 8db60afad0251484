"""A gate set: what a release must show, written down before the candidate runs (METHOD: gates)."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    field_validator,
    model_validator,
)

from store.analysis.interval import Target
from store.contract.base import Frozen
from store.contract.record import ExtractorName, Name
from store.digests import canonical_digest

GateName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Alpha = Annotated[float, Field(ge=0.0001, le=0.25, description="One-sided size of the test.")]
Level = Annotated[float, Field(ge=0.5, le=0.9999, description="Level of the prediction interval for one new deployment.")]
History = Annotated[int, Field(ge=8, le=10_000, description="Baseline deployments the interval needs at least.")]


CONDITIONS = ("frozen-in-time", "question-set", "records", "deployments")
"""What every decision is judged by beside the gates of its set; no gate may have one of these names."""


class _Strict(Frozen):
    """No conversions: `true` is no number, and a number in quotes is a text."""

    model_config = ConfigDict(strict=True)


class Categories(_Strict):
    """Questions of these categories."""

    categories: tuple[Name, ...] = Field(min_length=1, max_length=10_000)


class QuestionIds(_Strict):
    """These questions."""

    ids: tuple[Name, ...] = Field(min_length=1, max_length=100_000)


def _kind_of_questions(value: object) -> str | None:
    """Which of the three forms was meant, so that a mistake in it is told in its own words."""
    if isinstance(value, str):
        return "all"
    keys = set(value) if isinstance(value, dict) else {key for key in ("categories", "ids") if hasattr(value, key)}
    return next(iter(keys)) if len(keys) == 1 and keys <= {"categories", "ids"} else None


Questions = Annotated[
    Annotated[Literal["all"], Tag("all")] | Annotated[Categories, Tag("categories")] | Annotated[QuestionIds, Tag("ids")],
    Discriminator(
        _kind_of_questions,
        custom_error_type="questions",
        custom_error_message='is "all", { categories = [...] } or { ids = [...] }',
    ),
]


class _Gate(_Strict):
    id: GateName = Field(description="Not the name of a condition.")
    questions: Questions = Field(description="What it applies to.")

    @field_validator("id")
    @classmethod
    def _is_no_condition(cls, name: str) -> str:
        if name in CONDITIONS:
            raise ValueError(f"{name!r} is the name of a condition that every decision has")
        return name


class TokensGate(_Gate):
    """No pair-question of a baseline and a candidate deployment differs in its output tokens."""

    metric: Literal["tokens"]


class AllCorrectGate(_Gate):
    """Every question is correct in every candidate deployment; unscored and missing count as failed."""

    metric: Literal["all correct"]


class AccuracyGate(_Gate):
    """Accuracy is not lower by `margin_points` or more: non-inferiority, one-sided at `alpha`."""

    metric: Literal["accuracy"]
    margin_points: float = Field(gt=0, lt=100, description="Percentage points.")
    alpha: Alpha
    power: float = Field(ge=0.5, le=0.9999, description="Behind the number of deployments that an open result asks for.")


class AnswersFoundGate(_Gate):
    """Answers are found no less often, and none is newly missing (structured output that parses)."""

    metric: Literal["answers found"]


class LogprobErrorGate(_Gate):
    """No log-probability moved by more than this before outputs part."""

    metric: Literal["log-probability error"]
    at_most_nats: float = Field(gt=0)


class OutputLengthGate(_Gate):
    """Mean output tokens of every candidate deployment lie in the baseline's prediction interval."""

    metric: Literal["output length"]
    level: Level
    history_min: History


class MatchingTextsGate(_Gate):
    """The share of outputs that match a pattern, such as refusals, lies in the baseline's prediction interval."""

    metric: Literal["matching texts"]
    pattern: Annotated[str, StringConstraints(min_length=1, max_length=300)] = Field(description="RE2, without look-around.")
    level: Level
    history_min: History


class FirstDivergenceGate(_Gate):
    """Candidates part from the baseline no sooner than baseline deployments part from each other.

    The ratio of restricted mean first divergences, up to `horizon_tokens`, is above `ratio_above`, one-sided at `alpha`.
    """

    metric: Literal["first divergence"]
    horizon_tokens: int = Field(ge=1, le=1_000_000)
    ratio_above: float = Field(gt=0, lt=1)
    alpha: Alpha


Gate = Annotated[
    TokensGate
    | AllCorrectGate
    | AccuracyGate
    | AnswersFoundGate
    | LogprobErrorGate
    | OutputLengthGate
    | MatchingTextsGate
    | FirstDivergenceGate,
    Field(discriminator="metric"),
]


class MinDeployments(_Strict):
    """Fewer than these leave the decision open."""

    baseline: int = Field(ge=1, le=10_000)
    candidate: int = Field(ge=1, le=10_000)


def _a_time(value: object) -> object:
    """A number, also in quotes, would be read as seconds since 1970."""
    if isinstance(value, datetime):
        return value
    try:
        return datetime.fromisoformat(value if isinstance(value, str) else "")
    except ValueError as error:
        raise ValueError("is a date and time with its offset, such as 2026-12-01T09:00:00Z") from error


def _in_our_days(value: datetime) -> datetime:
    if not 1970 <= value.year < 2200:
        raise ValueError("lies between 1970 and 2200")
    return value


class GateSet(_Strict):
    """All gates of one kind of release. Nothing has a default: every choice is the owner's."""

    format: Literal["flipbook-gates/1"]
    id: GateName = Field(description="A changed gate set is a new one, with another id.")
    author: Said
    reason: Said = Field(description="Why these gates, or what changed against the set before.")
    frozen_at: Annotated[AwareDatetime, BeforeValidator(_a_time), AfterValidator(_in_our_days)] = Field(
        description="Has to lie before the start of every candidate deployment."
    )
    mode: Literal["token exact", "statistical"] = Field(description="Token exact: any differing token blocks.")
    target: Target
    extractor: ExtractorName = Field(description="Whose verdicts and answers.")
    question_set: Annotated[str, StringConstraints(pattern=r"^qs1:[0-9a-f]{64}$")]
    baseline: Name = Field(description="A cell, or the first 13 characters or more of an environment digest.")
    incomplete_runs: Literal["fail", "leave out"] = Field(description="What a deployment of either side that broke off does.")
    min_deployments: MinDeployments
    gates: tuple[Gate, ...] = Field(min_length=1, max_length=200)

    @model_validator(mode="after")
    def _ids_differ(self) -> Self:
        names = [gate.id for gate in self.gates]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"two gates have the id {twice!r}")
        return self

    @model_validator(mode="after")
    def _token_exact_says_so(self) -> Self:
        exact = any(isinstance(gate, TokensGate) and gate.questions == "all" for gate in self.gates)
        if self.mode == "token exact" and not exact:
            raise ValueError('mode "token exact" needs a gate with metric "tokens" and questions "all"')
        return self

    @property
    def digest(self) -> str:
        """`gates1:` digest of the whole set, comments and layout of the file aside."""
        return canonical_digest("gates1", self.model_dump(mode="json"))
