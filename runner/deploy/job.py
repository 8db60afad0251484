"""From the plan to the job of one instrument."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from runner.caches.roots import CacheRoots
from runner.sentinels import STEPS, TOP_K, WARM_UP_STEPS
from runner.study.frozen import FrozenPlan, derived_seed
from runner.study.grid import PlannedRun
from runner.study.model import Cell, Engine, Model, Sampling, StudyFile
from store.contract.base import Json
from store.errors import InputError


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a study is worked on: the folder of its file, the work folder, and the engines' Python when one is given."""

    study: StudyFile
    folder: Path
    work: Path
    python: str | None

    def cell(self, name: str) -> Cell:
        """The cell of a name."""
        return next(cell for cell in self.study.cells if cell.name == name)

    def command(self, engine: Engine, device: str, deployment: str, job: Path) -> list[str]:
        """Wrapper, Python, instrument, job."""
        fills = {"device": device, "work": str(self.work.absolute()), "deployment": deployment}
        wrapper = [_filled(word, fills) for word in self.study.launch.wrapper]
        python = self.python or engine.python
        beside = self.folder / python
        found = str(beside.absolute()) if beside.exists() else python
        if wrapper and shutil.which(wrapper[0]) is None:
            raise InputError(f"the wrapper {wrapper[0]!r} is not on the PATH", where=str(self.folder))
        if not wrapper and shutil.which(found) is None:
            raise InputError(
                f"the engine's Python {python!r} is not here", where=str(self.folder), fix="Give another with --python."
            )
        return [*wrapper, found, str((self.work / "instrument.pyz").absolute()), str(job.absolute())]


def write_job(path: Path, job: dict[str, Json]) -> None:
    """Write a job for an instrument to read."""
    path.write_text(json.dumps(job, ensure_ascii=True), encoding="utf-8")


def run_job(
    desk: Desk, plan: FrozenPlan, runs: Sequence[PlannedRun], roots: CacheRoots, device: str, lines: Path
) -> dict[str, Json]:
    """The job of one deployment: its runs are its passes, in order."""
    cell = desk.cell(runs[0].entry)
    engine, rendered = desk.study.engines[cell.engine], plan.rendered[cell.model]
    sampling = desk.study.sampling
    logprobs = (cell.capture or desk.study.capture).logprobs
    questions: list[Json] = [
        {
            "id": question.id,
            "ids": [*prompt.ids],
            "text": prompt.prompt,
            "seeds": [*_seeds(sampling, plan.request_id(question.id))],
        }
        for question, prompt in zip(plan.questions, rendered.prompts, strict=True)
    ]
    greedy = _greedy(sampling)
    return {
        **base_job(desk, engine, desk.study.models[cell.model], lines),
        "task": "run",
        "environment": {**engine.environment, **roots.environment(), **_device(device)},
        "engine_arguments": {**engine.arguments, **cell.arguments},
        "caches": str(roots.base.absolute()),
        "tokenizer_sha256": {**rendered.tokenizer_files},
        "warm_up": {
            "key": ["warm-up", 0],
            "ids": [*rendered.warm_up],
            "text": None,
            "seed": None,
            "sampling": {**greedy, "max_tokens": WARM_UP_STEPS, "logprobs": logprobs},
        },
        "sentinels": {
            "prompts": [[*ids] for ids in rendered.sentinels],
            "sampling": {**greedy, "max_tokens": STEPS, "logprobs": TOP_K},
        },
        "questions": questions,
        "passes": [*_orders(cell, len(questions))],
        "sampling": {**_asked(sampling), "logprobs": logprobs},
    }


def base_job(desk: Desk, engine: Engine, model: Model, lines: Path) -> dict[str, Json]:
    """What every job says; keys that a task does not need are empty."""
    server: Json = None if engine.server is None else engine.server.model_dump(mode="json")
    path = _placed(desk.folder, model.path)
    if isinstance(server, dict) and isinstance(server["command"], list):
        server["command"] = [str(word).replace("{model}", path) for word in server["command"]]
    return {
        "lines": str(lines.absolute()),
        "environment": {**engine.environment},
        "engine": engine.kind,
        "engine_arguments": {},
        "model": {
            "path": path,
            "revision": model.revision,
            "tokenizer": path if model.tokenizer is None else _placed(desk.folder, model.tokenizer),
            "tokenizer_revision": model.revision if model.tokenizer is None else model.tokenizer_revision,
        },
        "server": server,
        "caches": "",
        "tokenizer_sha256": {},
        "questions": [],
        "passes": [],
        "render": None,
    }


def _placed(folder: Path, path: str) -> str:
    """The folder beside the study file, where there is one; empty stays empty: a server does not give its files."""
    beside = folder / path
    return str(beside.absolute()) if path and beside.exists() else path


def _filled(word: str, fills: dict[str, str]) -> str:
    for name, value in fills.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def _device(device: str) -> dict[str, Json]:
    return {} if device == "cpu" else {"CUDA_VISIBLE_DEVICES": device}


def _seeds(sampling: Sampling, request_id: str) -> list[int | None]:
    if sampling.temperature == 0:
        return [None]
    return [derived_seed(sampling.seed, "sampling", request_id, sample) for sample in range(sampling.samples)]


def _orders(cell: Cell, count: int) -> list[Json]:
    """Equal order in every pass but the last of several, which is permuted."""
    orders: list[Json] = [[*range(count)] for _ in range(cell.passes)]
    if cell.order_seed is not None:
        orders[-1] = [int(i) for i in np.random.default_rng(cell.order_seed).permutation(count)]
    return orders


def _asked(sampling: Sampling) -> dict[str, Json]:
    return sampling.model_dump(mode="json", exclude={"seed", "samples"})


def _greedy(sampling: Sampling) -> dict[str, Json]:
    neutral: dict[str, Json] = {"temperature": 0.0, "top_p": 1.0, "top_k": 0, "min_p": 0.0, "presence_penalty": 0.0}
    return {**neutral, "frequency_penalty": 0.0, "repetition_penalty": 1.0, "stop_token_ids": [], "stop": []}
