"""Weights and tokenizer as they lie here: fetched at their pins, and hashed before the engine reads them."""

from __future__ import annotations

import os

from .caches import sha256
from .job import Job, Json

TOKENIZER_NAMES = ("tokenizer", "special_tokens_map", "added_tokens", "vocab", "merges", "spiece", "sentencepiece")
WEIGHT_ENDS = (".safetensors", ".bin", ".pt", ".gguf", ".json")
NOT_WEIGHTS = ("training_args.bin",)


def retrieve(job: Job) -> dict[str, Json]:
    """sha256 by file name of weights with their configuration, of the tokenizer, and of template files.

    Raises ValueError when the tokenizer is not the one that made the plan's token ids.
    """
    model = job["model"]
    if not model["path"]:
        return {"weights": None, "tokenizer": None, "template": None, "reason": "the server does not give its files"}
    weights = _hashes(folder_of(model["path"], model["revision"]))
    tokenizer = _hashes(folder_of(model["tokenizer"], model["tokenizer_revision"]))
    found = {
        "weights": {name: digest for name, digest in weights.items() if _is_weight(name)},
        "tokenizer": {name: digest for name, digest in tokenizer.items() if _is_tokenizer(name)},
        "template": {name: digest for name, digest in tokenizer.items() if name.startswith("chat_template")},
    }
    planned = job["tokenizer_sha256"]
    if planned and planned != {**found["tokenizer"], **found["template"]}:
        raise ValueError("the tokenizer's files are not those that made the plan's token ids")
    return {**found, "reason": None}


def folder_of(path: str, revision: str | None) -> str:
    """The folder itself, or the hub's snapshot of a repository at a revision, fetched when it is not here."""
    if os.path.isdir(path):
        return path
    from huggingface_hub import snapshot_download

    return str(snapshot_download(path, revision=revision))


def _hashes(folder: str) -> dict[str, str]:
    names: list[str] = sorted(name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name)))
    return {name: sha256(os.path.join(folder, name)) for name in names}


def _is_tokenizer(name: str) -> bool:
    return name.startswith(TOKENIZER_NAMES)


def _is_weight(name: str) -> bool:
    return name.endswith(WEIGHT_ENDS) and not _is_tokenizer(name) and name not in NOT_WEIGHTS
