"""The phases of a deployment, the same for every engine."""

from __future__ import annotations

from collections.abc import Iterator

from .caches import Caches, peak_resident_bytes
from .job import Engine, Job, Request
from .lines import Lines
from .observe import engine_versions, machine
from .retrieve import retrieve


def drive(job: Job, lines: Lines) -> None:
    """retrieve, start, warm-up, sentinels, one `pass N` per pass, observe, stop: a `phase` line before each.

    What the environment is stands in the file before the first question, so that a deployment that breaks off has it.
    """
    caches = Caches(job["caches"])
    caches.note("before", lines)
    _phase(lines, "retrieve")
    lines.write({"kind": "artifacts", **retrieve(job)})
    _phase(lines, "start")
    engine = _engine(job["engine"])(job)
    engine.start()
    _phase(lines, "warm-up")
    for reply in engine.ask([job["warm_up"]]):
        lines.write({"kind": "warm-up", **reply})
    caches.note("warm", lines)
    lines.write({"kind": "environment", "machine": machine(), "versions": engine_versions(), "engine": engine.observe()})
    _phase(lines, "sentinels")
    for reply in engine.ask(_sentinels(job)):
        lines.write({"kind": "sentinel", **reply})
    for number, order in enumerate(job["passes"]):
        _phase(lines, f"pass {number}")
        for reply in engine.ask(_questions(job, number, order)):
            lines.write({"kind": "record", **reply})
    _phase(lines, "observe")
    lines.write({"kind": "memory", "peak_resident_bytes": peak_resident_bytes()})
    caches.note("end", lines)
    lines.write({"kind": "environment", "machine": machine(), "versions": engine_versions(), "engine": engine.observe()})
    _phase(lines, "stop")
    engine.stop()


def _phase(lines: Lines, name: str) -> None:
    lines.write({"kind": "phase", "name": name})


def _engine(name: str) -> type[Engine]:
    if name == "vllm":
        from .vllm_engine import VllmEngine

        return VllmEngine
    if name == "transformers":
        from .transformers_engine import TransformersEngine

        return TransformersEngine
    from .server_engine import ServerEngine

    return ServerEngine


def _sentinels(job: Job) -> Iterator[Request]:
    asked = job["sentinels"]["sampling"]
    for number, ids in enumerate(job["sentinels"]["prompts"]):
        yield {"key": ["sentinel", number], "ids": ids, "text": None, "seed": None, "sampling": asked}


def _questions(job: Job, number: int, order: list[int]) -> Iterator[Request]:
    for index in order:
        question = job["questions"][index]
        for sample, seed in enumerate(question["seeds"]):
            yield {
                "key": [question["id"], number, sample],
                "ids": question["ids"],
                "text": question["text"],
                "seed": seed,
                "sampling": job["sampling"],
            }
