"""Winners of autotuning in the files that Inductor, Triton and FlashInfer write.

Formats as written by torch 2.13 (`_inductor/runtime/autotune_cache.py`, `_inductor/codecache.py`),
triton 3.9 (`runtime/autotuner.py`) and flashinfer 0.7.4 (`autotuner/autotuner.py`, `autotune_cache.py`).
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from runner.caches.roots import family_of, rank_of
from store.contract.base import Json

Maker = Literal["inductor config", "inductor choice", "triton", "flashinfer"]

HEX64 = re.compile(r"[0-9a-f]{64}")
MEASUREMENT = {"configs_hash", "time_taken_ms", "triton_cache_hash", "found_by_coordesc"}
"""What stands beside a configuration in a `*.best_config`: how it was found, not what it is."""


@dataclass(frozen=True, slots=True, order=True)
class Winner:
    """One choice. `key` (the shape bucket) and `choice` are JSON texts with sorted keys."""

    maker: Maker
    rank: int
    kernel: str
    key: str
    choice: str


def maker_of(path: str) -> Maker | None:
    """Who writes winners into a file with this path (relative to the cache base); None when nobody does.

    Unfinished files (`….tmp`) and the manifest of FlashInfer's managed store hold none.
    """
    at = PurePosixPath(path)
    family = family_of(path)
    if family is None:
        return None
    if at.suffix == ".best_config":
        return "inductor config"
    if at.name.endswith(".autotune.json"):
        return "triton"
    if family == "inductor" and at.parent.name == "cache" and HEX64.fullmatch(at.name):
        return "inductor choice"
    if family == "flashinfer_autotune" and at.suffix == ".json" and not _is_store_manifest(at):
        return "flashinfer"
    return None


def read_winners(path: str, maker: Maker, data: bytes) -> frozenset[Winner]:
    """The winners in one file; its folder and hash names do not enter.

    Raises ValueError, naming the file and what is off, when it is not what its writer writes.
    """
    rank = rank_of(path)
    try:
        found = list(READERS[maker](PurePosixPath(path).name, json.loads(data)))
    except (ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from error
    return frozenset(Winner(maker, rank, kernel, _text(key), _text(choice)) for kernel, key, choice in found)


def best(timings: Iterable[tuple[Json, Json]]) -> Json:
    """The choice with the least time, of (choice, time) pairs; None when every candidate failed or there is none.

    A time is a number or a list of quantiles, compared in order. A failed candidate has an infinite
    time and never wins. Among equal times the first wins, as it does for the engines, which all keep the
    order of measuring in their files. Raises ValueError on anything that is no time.
    """
    ranked = [(_time(time), choice) for choice, time in timings]
    if not ranked:
        return None
    time, choice = min(ranked, key=lambda candidate: candidate[0])
    return choice if math.isfinite(time[0]) else None


Found = Iterator[tuple[str, Json, Json]]


def _best_config(name: str, value: Json) -> Found:
    """The kernel is the file's stem: Inductor's hash of the kernel's source text and of torch."""
    config = _mapping(value)
    if not {"num_warps", "num_stages"} <= config.keys():
        raise ValueError("no num_warps and num_stages")
    yield PurePosixPath(name).stem, None, {k: v for k, v in config.items() if k not in MEASUREMENT}


def _inductor_choices(name: str, value: Json) -> Found:
    """Matmul candidates per op, inputs and precision; beside them flags (pad or not) and bare timings.

    A choice keeps its source hash: between two Triton templates nothing else tells the configurations apart.
    """
    match value:
        case {"system": dict(), "cache": dict(cache)}:
            for op, entry in cache.items():
                yield from _inductor_entry(op, entry)
        case _:
            raise ValueError("no system and cache")


def _inductor_entry(op: str, entry: Json) -> Found:
    match entry:
        case bool():
            yield op, None, entry
        case int() | float():
            return  # a remembered time, no choice
        case _:
            for inputs, by_precision in _mapping(entry).items():
                for precision, timings in _mapping(by_precision).items():
                    if winner := best(_mapping(timings).items()):
                        yield op, [inputs, precision], winner


def _triton(name: str, value: Json) -> Found:
    match value:
        case {"key": list(key), "configs_timings": list(rows)}:
            if winner := best(_triton_row(row) for row in rows):
                yield name.removesuffix(".autotune.json"), key, winner
        case _:
            raise ValueError("no key and configs_timings")


def _triton_row(row: Json) -> tuple[Json, Json]:
    match row:
        case [{"kwargs": dict()} as config, time]:
            return {k: v for k, v in _mapping(config).items() if k != "pre_hook"}, time
    raise ValueError("configs_timings holds something else than [config, time]")


def _flashinfer(name: str, value: Json) -> Found:
    """A saved file (key to [runner, tactic, …]) or one entry of the managed store. How it was measured is left out."""
    match value:
        case {"key": str(key), "runner": str(runner), "tactic": tactic}:
            yield "", key, [runner, tactic]
        case _:
            for key, entry in _mapping(value).items():
                yield from _flashinfer_entry(key, entry)


def _flashinfer_entry(key: str, entry: Json) -> Found:
    match entry:
        case _ if key in ("_metadata", "_generation"):
            return
        case [str(runner), tactic, *_]:
            yield "", key, [runner, tactic]
        case _:  # among them `_records`: a product's own choices, in a form of its own
            raise ValueError(f"{key[:60]}: not [runner, tactic]")


READERS: dict[Maker, Callable[[str, Json], Found]] = {
    "inductor config": _best_config,
    "inductor choice": _inductor_choices,
    "triton": _triton,
    "flashinfer": _flashinfer,
}


def _is_store_manifest(at: PurePosixPath) -> bool:
    return at.name == "manifest.json" and at.parent.parent.name == "v2"


def _mapping(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise ValueError("a mapping is missing")
    return value


def _time(value: Json) -> tuple[float, ...]:
    times = value if isinstance(value, list) else [value]
    numbers = tuple(float(t) for t in times if isinstance(t, int | float) and not isinstance(t, bool) and not math.isnan(t))
    if not numbers or len(numbers) != len(times):
        raise ValueError(f"{value!r:.40} is no time")
    return numbers


def _text(value: Json) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
