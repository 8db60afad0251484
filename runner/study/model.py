"""The study file: what `flipbook run` executes. Nothing that a result depends on has a default.

TOML has no null: a key that is left out is null, and its description says what null means.
"""

from collections.abc import Iterator
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Discriminator, Field, JsonValue, StringConstraints, Tag, model_validator
from pydantic_core import PydanticCustomError

from runner.study.launch import Launch, Planning
from runner.study.source import Questions, Revision
from store.contract.base import Frozen
from store.contract.record import ExtractorName, Int64, Name, TokenId
from store.contract.run import StudyName, StudyRole
from store.extractors.shipped import SHIPPED
from store.extractors.spec import ExtractorSpec

CellName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
CachePolicy = Annotated[str, StringConstraints(pattern=r"^(fresh|shared|load from [A-Za-z0-9][A-Za-z0-9._-]{0,99})$")]
LOAD = "load from "
MISFIT = "misfit"
"""Type of the errors between parts of a study; their context says at which `key`."""
BY_NAME, BY_STEPS = "<by name>", "<by steps>"
"""The two forms of an extractor, as pydantic puts them into the place of an error."""


class Prompt(Frozen):
    """How a question becomes a prompt."""

    template: str = Field(description="With {question} in it.")
    chat: bool = Field(description="Whether the model's chat template goes around it, as a user's message.")
    system: str = Field(description="System message; empty for none.")
    template_arguments: dict[str, JsonValue] = Field(description="Passed to the chat template, such as enable_thinking.")
    thinking: Literal["off", "on"] = Field(
        description="`off` is checked: prompts close the think block, where the tokenizer has one, and outputs hold none."
    )

    @model_validator(mode="after")
    def _has_a_place(self) -> Self:
        if "{question}" not in self.template:
            raise ValueError("template has no {question}")
        return self


class Model(Frozen):
    """Weights at a pin: a folder, or a hub repository at a revision; its tokenizer unless another is named."""

    path: str = Field(description="Empty where a server does not give its files.")
    revision: Revision | None = Field(default=None, description="Commit of the hub repository; null for a folder.")
    tokenizer: str | None = Field(default=None, description="Null for the model's own.")
    tokenizer_revision: Revision | None = None


class Sampling(Frozen):
    """Every sampling parameter. At temperature 0 the seed is recorded and draws nothing."""

    temperature: float = Field(ge=0)
    top_p: float = Field(gt=0, le=1)
    top_k: int = Field(ge=0, description="0 for all tokens.")
    min_p: float = Field(ge=0, le=1)
    presence_penalty: float
    frequency_penalty: float
    repetition_penalty: float = Field(gt=0)
    max_tokens: int = Field(ge=1)
    stop_token_ids: tuple[TokenId, ...]
    stop: tuple[str, ...]
    seed: Int64
    samples: int = Field(ge=1, description="Answers per question, each with a stream of its own.")

    @model_validator(mode="after")
    def _greedy_once(self) -> Self:
        if self.temperature == 0 and self.samples > 1:
            raise ValueError("at temperature 0 samples is 1: passes over the questions are asked for by a probe")
        return self


class Capture(Frozen):
    """What is kept of every decode step. Asking changes the sampler's path, so it is part of a cell's identity."""

    level: Literal["none", "chosen", "top-k"]
    k: int = Field(ge=0, le=1000, description="0 unless the level is top-k.")

    @model_validator(mode="after")
    def _k_fits(self) -> Self:
        if (self.level == "top-k") != (self.k > 0):
            raise ValueError("k is above 0 exactly when level is top-k")
        return self

    @property
    def logprobs(self) -> int | None:
        """What engines are asked for: null for none, 0 for the chosen token alone."""
        return None if self.level == "none" else self.k


class Server(Frozen):
    """A server to be asked, or the command that starts a fresh one."""

    url: str | None = Field(default=None, description="Null where `command` starts one.")
    command: tuple[str, ...] | None = Field(default=None, description="{port}, {model} and {python} are filled in.")
    name: str = Field(description="Model name in requests.")
    route: Literal["ids", "text", "chat"] = Field(description="Prompt as token ids, as text, or as a chat message.")
    concurrency: int = Field(ge=1)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.url is None) == (self.command is None):
            raise ValueError("give either url or command")
        return self


class Engine(Frozen):
    """An engine with the arguments that all of its cells share."""

    kind: Literal["vllm", "server", "transformers"]
    python: str = Field(description="The engine's own Python, beside the study file, absolute, or a name on the PATH.")
    arguments: dict[str, JsonValue]
    environment: dict[str, str] = Field(description="Variables set before the engine is imported.")
    server: Server | None = Field(default=None, description="For kind server, and only there.")

    @model_validator(mode="after")
    def _server_fits(self) -> Self:
        if (self.kind == "server") != (self.server is not None):
            raise ValueError("server is given exactly when kind is server")
        return self


class Caches(Frozen):
    """Per cache family: fresh, shared by all deployments of the study, or loaded from what a cell's first one built."""

    inductor: CachePolicy
    triton: CachePolicy
    flashinfer_jit: CachePolicy
    flashinfer_autotune: CachePolicy


class Cell(Frozen):
    """One configuration and how often it is deployed."""

    name: CellName = Field(description="Names its deployments, NAME.0, NAME.1, …")
    within: CellName | None = Field(
        default=None,
        description="The cell its runs belong to, for a probe, builder or loader of another entry's configuration.",
    )
    arm: Name
    role: StudyRole
    engine: str
    model: str
    repeats: int = Field(ge=1, le=10_000)
    arguments: dict[str, JsonValue] = Field(description="Engine arguments beside or instead of the engine's.")
    capture: Capture | None = Field(default=None, description="Instead of the study's.")
    cache: Caches
    passes: int = Field(default=1, ge=1, le=100, description="Passes over the questions in one deployment.")
    order_seed: int | None = Field(default=None, description="Of the last pass' permuted order; needed from two passes on.")

    @model_validator(mode="after")
    def _order_is_said(self) -> Self:
        if (self.passes > 1) != (self.order_seed is not None):
            raise ValueError("order_seed is given exactly when there are two passes or more: the last one is permuted")
        if self.passes > 1 and self.role is not StudyRole.PROBE:
            raise ValueError("only a probe passes over the questions more than once: passes are no repeats")
        return self


def _extractor_form(value: object) -> str:
    return BY_NAME if isinstance(value, str) else BY_STEPS


Extractor = Annotated[
    Annotated[ExtractorName, Tag(BY_NAME)] | Annotated[ExtractorSpec, Tag(BY_STEPS)], Discriminator(_extractor_form)
]


class StudyFile(Frozen):
    """A whole study."""

    format: Literal["flipbook-study/1"]
    study: StudyName
    label: str
    questions: Questions
    prompt: Prompt
    extractor: Extractor = Field(description="A shipped one by name, or its steps.")
    sampling: Sampling
    capture: Capture
    models: dict[str, Model] = Field(min_length=1)
    engines: dict[str, Engine] = Field(min_length=1)
    launch: Launch
    planning: Planning
    cells: tuple[Cell, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        for key, what in misfits(self):
            raise PydanticCustomError(MISFIT, "{what}", {"what": what, "key": key})
        return self

    @property
    def spec(self) -> ExtractorSpec:
        """The extractor's steps."""
        return SHIPPED[self.extractor] if isinstance(self.extractor, str) else self.extractor


def sources_of(cell: Cell) -> tuple[str, ...]:
    """Cells whose caches this one loads, each once, in order."""
    policies = (getattr(cell.cache, family) for family in Caches.model_fields)
    return tuple(dict.fromkeys(policy.removeprefix(LOAD) for policy in policies if policy.startswith(LOAD)))


Misfit: TypeAlias = tuple[tuple[str | int, ...], str]


def misfits(study: StudyFile) -> Iterator[Misfit]:
    """What is wrong between parts that are each right by themselves: the key, and a sentence."""
    if isinstance(study.extractor, str) and study.extractor not in SHIPPED:
        yield ("extractor",), f"{study.extractor!r} is not shipped; known: {', '.join(SHIPPED)}"
    names = [cell.name for cell in study.cells]
    for number, cell in enumerate(study.cells):
        at = ("cells", number)
        if cell.name in names[:number]:
            yield (*at, "name"), f"there is a cell {cell.name!r} above"
        if cell.engine not in study.engines:
            yield (*at, "engine"), f"{cell.engine!r} is not in [engines]"
        if cell.model not in study.models:
            yield (*at, "model"), f"{cell.model!r} is not in [models]"
        elif not study.models[cell.model].path and cell.engine in study.engines and study.engines[cell.engine].server is None:
            yield (*at, "model"), f"{cell.model!r} has an empty path, and {cell.engine!r} is no server"
        for source in sources_of(cell):
            if source not in names or source == cell.name:
                yield (*at, "cache"), f"loads from {source!r}, which is no other cell"
        if cell.within is not None:
            yield from (((*at, key), what) for key, what in _misfits_within(study, cell, cell.within))


def _misfits_within(study: StudyFile, cell: Cell, within: str) -> Iterator[tuple[str, str]]:
    around = next((other for other in study.cells if other.name == within and other.within is None), None)
    if around is None:
        yield "within", f"{within!r} is no cell of its own"
        return
    if cell.role is StudyRole.GRID:
        yield "role", f"a grid cell is a cell of its own, not within {within!r}"
    for key in ("arm", "engine", "model", "arguments", "capture"):
        if getattr(cell, key) != getattr(around, key):
            yield key, f"not that of {within!r}, so not within it"
