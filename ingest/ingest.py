"""Ingest: from paths to sealed runs in a store, all or nothing."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from ingest.bundle import bundle_folder, take_bundle
from ingest.held import (
    check_environments,
    check_extractors,
    check_questions,
    declared_questions_of,
    held_questions,
    new_and_unchanged,
    short_of,
)
from ingest.mapping import Mapping
from ingest.report import IngestReport
from ingest.table import TableReader
from store.contract.environment import EnvironmentRecord, unknown_environment
from store.contract.run import RunManifest, StudyName
from store.errors import InputError, UsageError, first_error
from store.folder import Store
from store.sealed.runbook import RunBook
from store.sealed.write import BundleHead, BundleWriter

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
        check_study(request.study)
    with store.writing() as staging:
        store.bring_up_to_date(staging)
        folder = bundle_folder(request.paths, mapped=request.mapping is not None)
        if folder is not None:
            return take_bundle(store, folder, request.study, staging)
        return _table(store, request, staging, progress)


def load_environment(path: Path) -> EnvironmentRecord:
    """An environment record from a JSON file: a whole one, or only the known fields of one.

    Raises InputError naming the field that is wrong.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(values, dict):
            raise InputError("expected one JSON object", where=str(path))
        if "null_reasons" in values:
            return EnvironmentRecord.model_validate(values)
        return unknown_environment(f"not given in {path.name}", **values)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path)) from error
    except ValidationError as error:
        fix = "docs/schema/environment.json lists the fields."
        raise InputError(f"not an environment record: {first_error(error)}", where=str(path), fix=fix) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", where=str(path)) from error


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
    held = store.of_study(request.study)
    book = RunBook(request.mapping.main_extractor)
    reader = TableReader(request.mapping, request.environment, BundleWriter(folder), book)
    try:
        sources = reader.read(request.paths, progress)
        head = reader.head(request.study, sources, request.mapping_folder, request.created_by)
        check_questions(request.study, head.declared_questions, held)
        check_extractors(head.extractors, held)
        check_environments(book.environments(), held)
        fresh, unchanged = new_and_unchanged(book.manifests(), held)
        generation = _seal(store, reader, head, fresh, staging) if fresh else None
    finally:
        reader.writer.abandon()
    if not fresh and not unchanged and not reader.skipped:
        raise InputError("there is no file in it", where=", ".join(map(str, request.paths)))
    declared = {question.question_id for question in head.declared_questions} or declared_questions_of(held)
    asked = declared or book.questions() | held_questions(held)
    return IngestReport(
        study=request.study,
        runs=tuple(fresh),
        unchanged=tuple(unchanged),
        refused=tuple(reader.refused),
        skipped=tuple(reader.skipped),
        short=short_of(asked, book.answered()),
        questions=len(asked),
        generation=generation,
    )


def _seal(store: Store, reader: TableReader, head: BundleHead, fresh: list[RunManifest], staging: Path) -> int | None:
    used = {run.deployment_id for run in fresh}
    environments = [(name, record) for name, record in reader.book.environments().items() if name in used]
    return store.admit(reader.writer.folder, reader.writer.seal(head, fresh, environments), staging).generation


def check_study(name: str) -> None:
    """Raise UsageError when a study cannot have this name."""
    try:
        TypeAdapter(StudyName).validate_python(name)
    except ValidationError as error:
        raise UsageError(
            f"{name!r} is not a study name",
            fix="Use letters, digits, dot, dash and underscore, 64 at most, a letter or digit first.",
        ) from error
