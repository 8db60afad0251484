"""From what a harness command left to a sealed bundle: its samples through a mapping, with the observed environment."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ingest.declared import declared_questions
from ingest.ingest import check_study
from ingest.mapping import Mapping
from ingest.source import Source
from ingest.table import TableReader
from runner.record.recorded import Recorded
from store.contract.environment import EnvironmentRecord
from store.contract.run import BundleManifest, RunState
from store.errors import MappingError, UsageError
from store.folder import Store
from store.sealed.rows import Refused
from store.sealed.runbook import RunBook
from store.sealed.write import BundleWriter

NOT_DIGESTED = ("source", "null_reasons")


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be recorded: the study, the mapping with the folder its question set lies in, and our name."""

    study: str
    mapping: Mapping
    mapping_folder: Path
    created_by: str

    def check(self, store: Store) -> None:
        """Raise a named error for what would only come out after hours: a wrong name, a missing file, an id that is taken."""
        check_study(self.study)
        declared_questions(self.mapping, self.mapping_folder)
        wanted = self.mapping.run.id.constant
        held = {run.run_id for bundle in store.of_study(self.study) for run in bundle.manifest.runs}
        if wanted is not None and str(wanted) in held:
            fix = "Sealed runs never change: give the new one another id with --run."
            raise UsageError(f"run {str(wanted)!r} is in study {self.study!r} already", where=str(store.root), fix=fix)


@dataclass(frozen=True, slots=True)
class SealedRecording:
    """A sealed bundle, the lines that were refused, and what is doubtful about it."""

    folder: Path
    manifest: BundleManifest
    refused: tuple[Refused, ...]
    findings: tuple[str, ...]


def labelled(mapping: Mapping, **labels: str | int | None) -> Mapping:
    """The mapping with these constants as the run's labels; null leaves what the mapping says."""
    said = {name: Source(constant=value) for name, value in labels.items() if value is not None}
    return mapping.model_copy(update={"run": mapping.run.model_copy(update=said)})


def seal_recording(order: Order, recorded: Recorded, samples: Path, target: Path) -> SealedRecording:
    """Read `samples` and seal them into a bundle at `target`; whole or not at all.

    Raises a named error when the samples cannot be read, and MappingError when they name several deployments.
    """
    staging = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        sealed = _seal_into(staging, order, recorded, samples, target)
        staging.rename(target)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    return sealed


def _seal_into(staging: Path, order: Order, recorded: Recorded, samples: Path, target: Path) -> SealedRecording:
    book, writer = RunBook(order.mapping.main_extractor), BundleWriter(staging)
    reader = TableReader(order.mapping, None, writer, book)
    try:
        sources = reader.read((samples,), lambda _: None)
        if not sources:
            patterns = ", ".join(order.mapping.files.include)
            raise MappingError(f"the mapping's patterns ({patterns}) take none of the sample files", where=str(samples))
        findings = _note_environment(book, recorded)
        _mark(book, recorded)
        head = reader.head(order.study, sources, order.mapping_folder, order.created_by)
        manifest = writer.seal(head, book.manifests(), book.environments().items())
    finally:
        writer.abandon()
    return SealedRecording(target, manifest, tuple(reader.refused), findings)


def _note_environment(book: RunBook, recorded: Recorded) -> tuple[str, ...]:
    """Give the one deployment what was observed of it, and beside that what the mapping says."""
    assert recorded.environment is not None
    deployments = book.environments()
    if len(deployments) > 1:
        what = f"the mapping names {len(deployments)} deployments ({', '.join(sorted(deployments))}) for one command"
        raise MappingError(what, fix="One command is one deployment: name it with --deployment.")
    findings: list[str] = []
    for name, said in deployments.items():
        book.note_environment(name, _joined(recorded.environment, said, findings.append))
    return tuple(findings)


def _joined(observed: EnvironmentRecord, said: EnvironmentRecord, doubt: Callable[[str], None]) -> EnvironmentRecord:
    """What was observed stays; what was not is taken from the mapping."""
    values, reasons = observed.model_dump(exclude={"null_reasons"}), dict(observed.null_reasons)
    told = said.model_dump(exclude=set(NOT_DIGESTED))
    for name, value in told.items():
        if value is not None and values[name] is None:
            values[name] = value
            del reasons[name]
        elif value is not None and value != values[name]:
            doubt(f"the mapping says {name} is {value}; it was observed to be {values[name]}, and that is kept")
    return EnvironmentRecord.model_validate(values | {"null_reasons": reasons})


def _mark(book: RunBook, recorded: Recorded) -> None:
    """A command that failed leaves incomplete runs; one whose environment is in doubt, runs that count nowhere."""
    failed = f"the command ended with exit code {recorded.ended.code}" if recorded.ended.code else ""
    if not failed and not recorded.changed:
        return
    state = RunState.INCOMPLETE if failed else RunState.QUARANTINED
    for run_id in book.answered():
        book.mark(run_id, state, "; ".join(filter(None, (failed, recorded.changed))))
