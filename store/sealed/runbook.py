"""What is being read, run by run: labels, counts, duplicates, and the digest of each run's records."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import Enum

from store.contract.base import Json
from store.contract.environment import EnvironmentRecord
from store.contract.record import Verdict
from store.contract.run import Performance, RunCounts, RunManifest, RunState, StudyRole
from store.env_digest import environment_digest
from store.sealed.flatten import FlatRecord
from store.sealed.manifest import run_digest

RecordKey = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class RunLabels:
    """What is said of a run beside its records."""

    run_id: str
    cell: str
    arm: str
    repeat: int
    deployment_id: str
    role: StudyRole


class Taken(Enum):
    """What a record is to its run: new, equal to one it has, or the same key with other content."""

    NEW = "new"
    DUPLICATE = "equal duplicate"
    CONFLICT = "conflicting duplicate"


@dataclass(slots=True)
class _Book:
    """One run as far as it was read."""

    labels: RunLabels
    records: dict[RecordKey, bytes] = field(default_factory=dict)
    verdicts: dict[Verdict, int] = field(default_factory=lambda: dict.fromkeys(Verdict, 0))
    truncated: int = 0
    end_unknown: int = 0
    duplicates: int = 0
    conflicts: list[str] = field(default_factory=list)
    refused: int = 0
    marked: tuple[RunState, str] | None = None
    performance: Performance | None = None


@dataclass(slots=True)
class RunBook:
    """Collects runs while records stream past. `main` is the extractor whose verdicts are counted."""

    main: str
    _books: dict[str, _Book] = field(default_factory=dict)
    _environments: dict[str, EnvironmentRecord] = field(default_factory=dict)
    _said: dict[str, dict[str, Json]] = field(default_factory=dict)

    def open(self, labels: RunLabels) -> str | None:
        """Start or continue the run of these labels; a sentence when they contradict what was said of it before."""
        known = self._books.setdefault(labels.run_id, _Book(labels)).labels
        differing = [f.name for f in fields(RunLabels) if getattr(known, f.name) != getattr(labels, f.name)]
        if not differing:
            return None
        said = "; ".join(f"{name} was {getattr(known, name)!s}, here it is {getattr(labels, name)!s}" for name in differing)
        return f"run {labels.run_id!r} cannot be two things: {said}"

    def take(self, flat: FlatRecord) -> Taken:
        """Note a record; only a new one is to be written. A conflict quarantines the run."""
        book = self._books[flat.record.run_id]
        key, digest = flat.key[1:], flat.digest
        known = book.records.get(key)
        if known == digest:
            book.duplicates += 1
            return Taken.DUPLICATE
        if known is not None:
            book.conflicts.append(flat.record.question_id)
            return Taken.CONFLICT
        book.records[key] = digest
        verdict = next((a.verdict for a in flat.record.answers if a.extractor == self.main), Verdict.UNSCORED)
        book.verdicts[verdict] += 1
        book.truncated += flat.record.finish_reason == "length"
        book.end_unknown += flat.record.finish_reason is None
        return Taken.NEW

    def mark(self, run_id: str, state: RunState, reason: str) -> None:
        """Say of an opened run that it is not complete; it then has a manifest even without a record."""
        self._books[run_id].marked = (state, reason)

    def note_performance(self, run_id: str, performance: Performance) -> None:
        """Say what an opened run took."""
        self._books[run_id].performance = performance

    def refuse(self, run_id: str | None) -> None:
        """Count a refused line for its run, where the run is known."""
        if run_id in self._books:
            self._books[run_id].refused += 1

    def knows_environment(self, deployment: str, said: dict[str, Json]) -> bool:
        """Whether the deployment's environment is noted. Raises ValueError when it was said to be another one."""
        known = self._said.get(deployment)
        if known is None:
            return False
        if differing := [name for name in said if said[name] != known[name]]:
            raise ValueError(f"deployment {deployment!r} has one environment, but {', '.join(differing)} differs from before")
        return True

    def note_environment(self, deployment: str, record: EnvironmentRecord, said: dict[str, Json] | None = None) -> None:
        """Note a deployment's environment and the values it was made from."""
        self._environments[deployment] = record
        self._said[deployment] = said or {}

    def questions(self) -> set[str]:
        """Ids of every question that any run answered."""
        return {key[0] for book in self._books.values() for key in book.records}

    def answered(self) -> dict[str, set[str]]:
        """Questions with a record, by run."""
        return {run: {key[0] for key in book.records} for run, book in self._books.items()}

    def environments(self) -> dict[str, EnvironmentRecord]:
        """Every noted environment by deployment."""
        return dict(self._environments)

    def manifests(self) -> Iterator[RunManifest]:
        """One manifest per run that has records or was marked."""
        for book in self._books.values():
            if book.records or book.marked:
                yield self._manifest(book)

    def _manifest(self, book: _Book) -> RunManifest:
        labels = book.labels
        conflicts = sorted(set(book.conflicts))
        named = ", ".join(conflicts[:5]) + (" …" if len(conflicts) > 5 else "")
        unscored = book.verdicts[Verdict.UNSCORED]
        state, reason = book.marked or (RunState.COMPLETE, "")
        if conflicts:
            state, reason = RunState.QUARANTINED, f"conflicting duplicates on {named}"
        bare = RunManifest(
            run_id=labels.run_id,
            cell=labels.cell,
            arm=labels.arm,
            role=labels.role,
            repeat=labels.repeat,
            deployment_id=labels.deployment_id,
            state=state,
            state_reason=reason,
            counts=RunCounts(
                records=len(book.records),
                scored=len(book.records) - unscored,
                correct=book.verdicts[Verdict.CORRECT],
                unscored=unscored,
                truncated=book.truncated,
                end_unknown=book.end_unknown,
                duplicates=book.duplicates,
                refused=book.refused,
            ),
            performance=book.performance,
            content_digest="",
        )
        full = environment_digest(self._environments[labels.deployment_id]).full
        return bare.model_copy(update={"content_digest": run_digest(bare, full, list(book.records.values()))})
