"""The study file: what `flipbook run` executes. Nothing that a result depends on has a default."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from store.contract.base import Frozen, Json
from store.contract.record import ExtractorName, Int64, Name, TokenId
from store.contract.run import StudyName, StudyRole
from store.extractors.shipped import SHIPPED
from store.extractors.spec import ExtractorSpec

CellName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Revision = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{7,40}$")]
CachePolicy = Annotated[str, StringConstraints(pattern=r"^(fresh|shared|load from [A-Za-z0-9][A-Za-z0-9._-]{0,99})$")]
LOAD = "load from "


class Questions(Frozen):
    """Where the questions are: a local file, or one file of a hub dataset at a pinned revision."""

    file: str | None = Field(default=None, description="JSON lines, CSV or Parquet, beside the study file or absolute.")
    hub: str | None = Field(default=None, description="Dataset repository, owner/name.")
    revision: Revision | None = Field(default=None, description="Commit of the dataset repository.")
    path: str | None = Field(default=None, description="File inside the dataset repository.")
    sha256: Sha256 = Field(description="Of the file's bytes, checked before anything is asked.")
    id: str = Field(description="Column of the question's id, or `row` for q000000, q000001, …")
    text: str = Field(description="Column of the question.")
    gold: str = Field(description="Column of the gold answer.")
    gold_pattern: str | None = Field(description="Group 1 of this pattern in the column is the gold; null takes the whole.")
    category: str | None = Field(description="Column of the category tag; null where there is none.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        hub = (self.hub, self.revision, self.path)
        if (self.file is None) == (self.hub is None) or any(part is None for part in hub) != (self.hub is None):
            raise ValueError("give either file, or hub with revision and path")
        return self


class Prompt(Frozen):
    """How a question becomes a prompt."""

    template: str = Field(description="With {question} in it.")
    chat: bool = Field(description="Whether the model's chat template goes around it, as a user's message.")
    system: str = Field(description="System message; empty for none.")
    template_arguments: dict[str, Json] = Field(description="Passed to the chat template, such as enable_thinking.")
    thinking: Literal["off", "on"] = Field(description="`off` is checked in every run: no think token, no reasoning text.")
    acknowledged: tuple[str, ...] = Field(description="Runs that stay in their cell although they thought.")

    @model_validator(mode="after")
    def _has_a_place(self) -> Self:
        if "{question}" not in self.template:
            raise ValueError("template has no {question}")
        return self


class Model(Frozen):
    """Weights at a pin: a folder, or a hub repository at a revision; its tokenizer unless another is named."""

    path: str
    revision: Revision | None = Field(description="Commit of the hub repository; null for a folder.")
    tokenizer: str | None = Field(description="Null for the model's own.")
    tokenizer_revision: Revision | None


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

    url: str | None = Field(description="Null where `command` starts one.")
    command: tuple[str, ...] | None = Field(description="{port}, {model} and {python} are filled in.")
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
    arguments: dict[str, Json]
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

    name: CellName
    arm: Name
    role: StudyRole
    engine: str
    model: str
    repeats: int = Field(ge=1, le=10_000)
    arguments: dict[str, Json] = Field(description="Engine arguments beside or instead of the engine's.")
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


class Launch(Frozen):
    """How deployments are started. The words of `wrapper` stand before the engine's command."""

    wrapper: tuple[str, ...] = Field(description="Empty for local; {device}, {work} and {deployment} are filled in.")
    devices: tuple[str, ...] = Field(min_length=1, description="One deployment at a time on each; `cpu` sets no variable.")
    start_limit_s: float = Field(gt=0, description="Longest silence while the engine starts.")
    silence_limit_s: float = Field(gt=0, description="Longest silence between answers.")


class Planning(Frozen):
    """What `flipbook plan` reckons with. Nothing here touches a result."""

    flip_rate: float = Field(gt=0, lt=1, description="Pairwise verdict flip rate within a cell, as expected.")
    alpha: float = Field(gt=0, lt=0.5)
    power: float = Field(gt=0.5, lt=1)
    start_s: float = Field(gt=0, description="Seconds from launch to the first answer.")
    tokens_per_s: float = Field(gt=0, description="Output tokens a second and deployment.")
    tokens_per_question: float = Field(gt=0)
    price_per_device_hour: float = Field(ge=0)
    currency: str


class StudyFile(Frozen):
    """A whole study."""

    format: Literal["flipbook-study/1"]
    study: StudyName
    label: str
    questions: Questions
    prompt: Prompt
    extractor: ExtractorName | ExtractorSpec = Field(description="A shipped one by name, or its steps.")
    sampling: Sampling
    capture: Capture
    models: dict[str, Model] = Field(min_length=1)
    engines: dict[str, Engine] = Field(min_length=1)
    launch: Launch
    planning: Planning
    cells: tuple[Cell, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _names_lead_somewhere(self) -> Self:
        names = [cell.name for cell in self.cells]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"two cells have the name {twice!r}")
        for cell in self.cells:
            if cell.engine not in self.engines:
                raise ValueError(f"cell {cell.name!r} names the engine {cell.engine!r}, which is not in [engines]")
            if cell.model not in self.models:
                raise ValueError(f"cell {cell.name!r} names the model {cell.model!r}, which is not in [models]")
            for source in sources_of(cell):
                if source not in names or source == cell.name:
                    raise ValueError(f"cell {cell.name!r} loads from {source!r}, which is no other cell")
        if isinstance(self.extractor, str) and self.extractor not in SHIPPED:
            raise ValueError(f"extractor {self.extractor!r} is not shipped; known: {', '.join(SHIPPED)}")
        return self

    @property
    def spec(self) -> ExtractorSpec:
        """The extractor's steps."""
        return SHIPPED[self.extractor] if isinstance(self.extractor, str) else self.extractor


def sources_of(cell: Cell) -> tuple[str, ...]:
    """Cells whose caches this one loads, each once, in order."""
    policies = (getattr(cell.cache, family) for family in Caches.model_fields)
    return tuple(dict.fromkeys(policy.removeprefix(LOAD) for policy in policies if policy.startswith(LOAD)))
