"""What this machine lacks to run a study. Looking only: no engine is started, nothing is fetched."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from runner.study.model import Model, StudyFile
from runner.study.questions import load_questions, question_file
from store.errors import InputError

NVIDIA = Path("/proc/driver/nvidia")
"""There when the driver is."""


def missing_here(study: StudyFile, folder: Path) -> tuple[str, ...]:
    """One sentence for each thing that is not here; `folder` is the study file's. Empty when it can start.

    With a wrapper only the wrapper itself and the question file are looked for: engines, models and devices may be
    inside what it starts.
    """
    wrapped = bool(study.launch.wrapper)
    return (
        *_questions(study, folder),
        *(() if wrapped else (*_pythons(study, folder), *_models(study, folder), *_devices(study))),
        *_wrapper(study),
    )


def not_looked_for(study: StudyFile) -> tuple[str, ...]:
    """One sentence for each thing that will be fetched when the study runs, or that cannot be seen from here."""
    fetched = [
        f"{model.path} at {model.revision} will be fetched unless the hub's cache holds it"
        for model in _used_models(study).values()
        if model.revision is not None
    ]
    if study.launch.wrapper:
        fetched.append("engines, model folders and devices were not looked for: the wrapper may have its own")
    return tuple(fetched)


def _questions(study: StudyFile, folder: Path) -> Iterator[str]:
    part = study.questions
    path = question_file(part, folder)
    if path is None:
        fetch = f"hf download --repo-type dataset --revision {part.revision} {part.hub} {part.path}"
        yield f"questions: not in the hub's cache; `{fetch}` fetches them"
        return
    try:
        load_questions(part, path)
    except InputError as error:
        yield f"questions: {error.line}"


def _pythons(study: StudyFile, folder: Path) -> Iterator[str]:
    for name in dict.fromkeys(cell.engine for cell in study.cells):
        python = study.engines[name].python
        path = engine_python(python, folder)
        if path is None:
            yield f"engine {name}: no {python!r} beside the study file or on the PATH"
        elif not os.access(path, os.X_OK):
            yield f"engine {name}: {path} cannot be executed"


def engine_python(python: str, folder: Path) -> Path | None:
    """An engine's Python: absolute, beside the study file, or a name on the PATH, in this order; null when nowhere.

    Links are kept: the target of an environment's Python does not know the environment.
    """
    beside = folder / python
    if beside.is_file():
        return beside
    found = None if "/" in python else shutil.which(python)
    return None if found is None else Path(found)


def _models(study: StudyFile, folder: Path) -> Iterator[str]:
    for name, model in _used_models(study).items():
        if model.path and model.revision is None and not (folder / model.path).is_dir():
            yield f"model {name}: no folder {folder / model.path} (a hub repository needs a revision)"
        tokenizer = model.tokenizer
        if tokenizer is not None and model.tokenizer_revision is None and not (folder / tokenizer).is_dir():
            yield f"model {name}: no tokenizer folder {folder / tokenizer} (a hub repository needs a tokenizer_revision)"


def _used_models(study: StudyFile) -> dict[str, Model]:
    return {name: study.models[name] for name in dict.fromkeys(cell.model for cell in study.cells)}


def _devices(study: StudyFile) -> Iterator[str]:
    """Servers at an address bring devices of their own."""
    servers = (study.engines[cell.engine].server for cell in study.cells)
    if all(server is not None and server.url is not None for server in servers):
        return
    named = [device for device in study.launch.devices if device != "cpu"]
    if named and not NVIDIA.exists():
        yield f"devices {', '.join(named)}: no NVIDIA driver here ({NVIDIA} is missing)"


def _wrapper(study: StudyFile) -> Iterator[str]:
    if study.launch.wrapper and shutil.which(study.launch.wrapper[0]) is None:
        yield f"wrapper: no command {study.launch.wrapper[0]!r} on the PATH"
