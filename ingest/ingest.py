"""Ingest: from paths to sealed runs in a store, all or nothing."""

import errno
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb
from pydantic import TypeAdapter, ValidationError

from ingest.bundle import bundle_folder, take_bundle
from ingest.held import new_and_unchanged
from ingest.mapping import Mapping
from ingest.report import IngestReport
from ingest.runbook import RunBook
from ingest.table import TableReader
from store.contract.environment import EnvironmentRecord
from store.contract.run import StudyName
from store.errors import InputError, StoreError, UsageError
from store.folder import Store
from store.sealed.write import BundleWriter

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What to ingest. mapping: with its folder, needed for tables. environment: for runs that carry none."""

    paths: tuple[Path, ...]
    study: str | None
    mapping: Mapping | None
    mapping_folder: Path | None
    environment: EnvironmentRecord | None
    created_by: str


def ingest(store: Store, request: Request, progress: Progress) -> IngestReport:
    """Ingest a table or a sealed bundle. Raises a named error and leaves the store as it was, or succeeds whole.

    Runs that the store holds with equal content are left alone; one that it holds with other content
    refuses the ingest.
    """
    if request.study is not None:
        _check_study(request.study)
    try:
        with store.writing() as staging:
            folder = bundle_folder(request.paths)
            if folder is not None:
                return take_bundle(store, folder, request.study, staging)
            return _table(store, request, staging, progress)
    except (OSError, duckdb.Error) as error:
        raise _disk_error(store, error) from error


def load_environment(path: Path) -> EnvironmentRecord:
    """An environment record from a JSON file. Raises InputError naming the field that is wrong."""
    try:
        return EnvironmentRecord.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise InputError("there is no such file", where=str(path)) from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"not an environment record: {field} {first['msg']}", where=str(path), fix="docs/schema has it."
        ) from error


def _table(store: Store, request: Request, staging: Path, progress: Progress) -> IngestReport:
    if request.study is None:
        raise UsageError("--study NAME is needed for a table")
    if request.mapping is None or request.mapping_folder is None:
        raise UsageError(
            f"{request.paths[0]} is not a Flipbook bundle, and a table needs --map FILE",
            fix="examples/maps has mapping files to start from; docs/DATA.md explains them.",
        )
    folder = staging / "bundle"
    folder.mkdir()
    book = RunBook(request.mapping.main_extractor)
    reader = TableReader(request.mapping, request.environment, BundleWriter(folder), book)
    sources = reader.read(request.paths, progress)
    head = reader.head(request.study, sources, request.mapping_folder, request.created_by)
    fresh, unchanged = new_and_unchanged(tuple(book.manifests()), store.held_runs(request.study))
    asked = {question.question_id for question in head.declared_questions} or book.questions()
    generation: int | None = None
    if fresh:
        used = {run.deployment_id for run in fresh}
        environments = [(name, record) for name, record in book.environments().items() if name in used]
        manifest = reader.writer.seal(head, fresh, environments)
        generation = store.admit(folder, manifest, staging).generation
    elif not unchanged and not reader.skipped:
        raise InputError("there is no file in it", where=", ".join(map(str, request.paths)))
    return IngestReport(
        study=request.study,
        runs=tuple(fresh),
        unchanged=tuple(unchanged),
        refused=tuple(reader.refused),
        skipped=tuple(reader.skipped),
        short={run: n for run, n in book.answered().items() if n < len(asked)},
        questions=len(asked),
        generation=generation,
    )


def _check_study(name: str) -> None:
    try:
        TypeAdapter(StudyName).validate_python(name)
    except ValidationError as error:
        raise UsageError(
            f"{name!r} is not a study name",
            fix="Use letters, digits, dot, dash and underscore, 64 at most, a letter or digit first.",
        ) from error


def _disk_error(store: Store, error: OSError | duckdb.Error) -> StoreError:
    full = getattr(error, "errno", None) == errno.ENOSPC or "No space left" in str(error)
    if full:
        free = shutil.disk_usage(store.root).free
        return StoreError(
            f"the disk is full ({free:,} bytes left); the store is as it was before",
            where=str(store.root),
            fix="Free some space and run the same command again.",
        )
    first = str(error).splitlines()[0]
    return StoreError(f"cannot be written ({first}); the store is as it was before", where=str(store.root))
