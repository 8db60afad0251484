"""The shapes that pass through an instrument: the job it is given, what it asks, what an engine answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypedDict

Json = Any
"""Whatever JSON holds; the reader of the lines gives it its types."""


class Sampling(TypedDict):
    """Every sampling parameter, none left to an engine's default."""

    temperature: float
    top_p: float
    top_k: int
    min_p: float
    presence_penalty: float
    frequency_penalty: float
    repetition_penalty: float
    max_tokens: int
    stop_token_ids: list[int]
    stop: list[str]
    logprobs: int | None


class Request(TypedDict):
    """One prompt to be answered. `key` comes back with the reply; `seed` is the request's own stream."""

    key: list[Json]
    ids: list[int]
    text: str | None
    seed: int | None
    sampling: Sampling


class Question(TypedDict):
    """A question of the plan with one seed per sample."""

    id: str
    ids: list[int]
    text: str | None
    seeds: list[int | None]


class Sentinels(TypedDict):
    """The prompts of the numeric fingerprint and how they are asked."""

    prompts: list[list[int]]
    sampling: Sampling


class Model(TypedDict):
    """Where weights and tokenizer come from: a folder, or a hub repository at a pinned revision."""

    path: str
    revision: str | None
    tokenizer: str
    tokenizer_revision: str | None


class Server(TypedDict):
    """How a server is reached: an address, or the command that starts one on `{port}`."""

    url: str | None
    command: list[str] | None
    concurrency: int
    route: str
    name: str


class Job(TypedDict):
    """What `runner.job` writes; every key is always there."""

    task: str
    lines: str
    environment: dict[str, str]
    engine: str
    engine_arguments: dict[str, Json]
    model: Model
    server: Server | None
    caches: str
    tokenizer_sha256: dict[str, str]
    warm_up: Request
    sentinels: Sentinels
    questions: list[Question]
    passes: list[list[int]]
    sampling: Sampling
    render: Json | None


class Reply(TypedDict, total=False):
    """One answer as the engine gave it. What is absent was not given; `error` is null when it was answered."""

    key: list[Json]
    prompt_ids: list[int] | None
    ids: list[int] | None
    text: str | None
    finish: str | None
    stop: Json
    topk: list[list[list[Json]]] | None
    cached: int | None
    reasoning_chars: int | None
    metrics: dict[str, Json]
    effective: dict[str, Json]
    error: str | None


class Engine(Protocol):
    """Three engines, one protocol."""

    def __init__(self, job: Job) -> None: ...

    def start(self) -> None:
        """Load the model; returns when it answers."""

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Replies as they finish, in any order."""

    def observe(self) -> dict[str, Json]:
        """Resolved configuration and devices, as the engine itself says."""

    def stop(self) -> None:
        """Let go of devices and processes."""
