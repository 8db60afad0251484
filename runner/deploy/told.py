"""What an instrument wrote, read back. A line that was cut by a crash is no line."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from store.contract.base import Json


class Reply(BaseModel):
    """One answer; null is what the engine did not give."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    key: tuple[str | int, ...]
    prompt_ids: tuple[int, ...] | None = None
    ids: tuple[int, ...] | None = None
    text: str | None = None
    finish: str | None = None
    stop: int | str | None = None
    topk: tuple[tuple[tuple[int, float, int | None], ...], ...] | None = None
    cached: int | None = None
    reasoning_chars: int | None = None
    metrics: dict[str, float | None] = {}
    effective: dict[str, float | None] = {}
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """The cache folders at one moment: rows of [path, size, sha256], files read and mapped so far."""

    files: tuple[Json, ...]
    read: tuple[str, ...] | None
    mapped: tuple[str, ...]


@dataclass(slots=True)
class Told:
    """Everything one instrument wrote, by kind. Phases in order with the seconds (monotonic) at which they began."""

    started_unix_s: float | None = None
    ended_unix_s: float | None = None
    ended: bool = False
    failure: str = ""
    phases: list[tuple[str, float]] = field(default_factory=list)
    last_s: float = 0.0
    artifacts: Json = None
    environment: Json = None
    peak_resident_bytes: int | None = None
    looks: dict[str, Looked] = field(default_factory=dict)
    warm_up: Reply | None = None
    sentinels: dict[int, Reply] = field(default_factory=dict)
    records: list[Reply] = field(default_factory=list)

    @property
    def phase(self) -> str:
        """The present phase, empty before the first."""
        return self.phases[-1][0] if self.phases else ""

    def seconds(self, phase: str) -> float | None:
        """How long a phase took; to the last line for the last one. Null when it was not reached."""
        ends = [*(at for _, at in self.phases[1:]), self.last_s]
        spans = {name: end - at for (name, at), end in zip(self.phases, ends, strict=False)}  # none before the first
        return spans.get(phase)

    def take(self, line: Json) -> None:
        """Add one line."""
        if not isinstance(line, dict):
            return
        kind = line.get("kind")
        self.ended_unix_s, self.last_s = _number(line["unix_s"]), _number(line["monotonic_s"])
        match kind:
            case "started":
                self.started_unix_s = self.ended_unix_s
            case "phase":
                self.phases.append((str(line["name"]), self.last_s))
            case "artifacts":
                self.artifacts = line
            case "environment":
                self.environment = line
            case "memory":
                peak = line["peak_resident_bytes"]
                self.peak_resident_bytes = peak if isinstance(peak, int) else None
            case "manifest":
                self.looks[str(line["when"])] = _looked(line)
            case "warm-up":
                self.warm_up = Reply.model_validate(line)
            case "sentinel":
                reply = Reply.model_validate(line)
                self.sentinels[int(reply.key[1])] = reply
            case "record":
                self.records.append(Reply.model_validate(line))
            case "failed":
                self.failure = f"{line['error']}: {line['text']}"
            case "end":
                self.ended = True


@dataclass(slots=True)
class Tail:
    """Follows a lines file as it grows."""

    path: Path
    told: Told = field(default_factory=Told)
    _at: int = 0

    def follow(self) -> Told:
        """Take the whole lines that were added since the last call."""
        if self.path.exists():
            with self.path.open("rb") as file:
                file.seek(self._at)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._at += len(line)
                    self.told.take(json.loads(line))
        return self.told


def read_lines(path: Path) -> Iterator[Json]:
    """Every whole line of a finished file."""
    if path.exists():
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield json.loads(line)


def told_in(path: Path) -> Told:
    """What a finished or broken instrument wrote."""
    return Tail(path).follow()


def _looked(line: dict[str, Json]) -> Looked:
    files, read, mapped = line["files"], line["read"], line["mapped"]
    return Looked(
        tuple(files) if isinstance(files, list) else (),
        tuple(map(str, read)) if isinstance(read, list) else None,
        tuple(map(str, mapped)) if isinstance(mapped, list) else (),
    )


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
