"""Ingest of a sealed Flipbook bundle, as a runner or a publication leaves it."""

from pathlib import Path

import pyarrow.parquet as pq

from ingest.held import (
    check_environments,
    check_extractors,
    check_questions,
    held_questions,
    new_and_unchanged,
    short_of,
)
from ingest.report import IngestReport
from store.contract.environment import EnvironmentRecord
from store.errors import InputError, UsageError
from store.folder import Store
from store.sealed.columns import FILES
from store.sealed.manifest import MANIFEST, is_bundle, load_manifest
from store.sealed.rows import Question
from store.sealed.verify import verify_bundle
from store.sealed.write import BundleHead, seal_tables


def bundle_folder(paths: tuple[Path, ...], *, mapped: bool) -> Path | None:
    """The bundle among the paths: a folder with a manifest, or the manifest itself; null when there is none.

    With a mapping at hand, a manifest.json that is not ours is only a file among others. Raises
    UsageError when a bundle is given together with other paths.
    """
    folders = [path if path.is_dir() else path.parent for path in paths if (path / MANIFEST).is_file() or path.name == MANIFEST]
    if mapped:
        folders = [folder for folder in folders if is_bundle(folder)]
    if folders and len(paths) > 1:
        raise UsageError("give one bundle at a time", fix=f"Start with {folders[0]}.")
    return folders[0] if folders else None


def take_bundle(store: Store, folder: Path, study: str | None, staging: Path) -> IngestReport:
    """Verify a bundle and seal its new runs into the store, under `study` or the name it carries.

    Every digest is re-derived first; a promise that does not hold refuses the bundle and names the
    record. Raises InputError or RunConflictError.
    """
    manifest = load_manifest(folder)
    if problem := next(verify_bundle(folder, manifest), None):
        raise InputError(
            f"{problem.where}: {problem.what}", where=str(folder), fix="The bundle was changed after it was sealed."
        )
    name = study or manifest.study
    held = store.of_study(name)
    declared = tuple(
        Question(row["question_id"], row["gold"], row["category"], row["question_text"])
        for row in pq.read_table(folder / "questions.parquet").to_pylist()
    )
    check_questions(name, declared, held)
    check_extractors(manifest.extractors, held)
    check_environments(_environments(folder), held)
    fresh, unchanged = new_and_unchanged(manifest.runs, held)
    generation: int | None = None
    if fresh:
        head = BundleHead(
            study=name,
            label=manifest.label,
            main_extractor=manifest.main_extractor,
            extractors=manifest.extractors,
            declared_questions=declared,
            sources=manifest.sources,
            created_by=manifest.created_by,
        )
        target = staging / "bundle"
        target.mkdir()
        sealed = seal_tables(target, lambda table: pq.read_table(folder / f"{table}.parquet", schema=FILES[table]), head, fresh)
        generation = store.admit(target, sealed, staging).generation
    answered = _answered(folder)
    asked = {question.question_id for question in declared} or set().union(*answered.values()) | held_questions(held)
    return IngestReport(
        study=name,
        runs=tuple(fresh),
        unchanged=tuple(unchanged),
        refused=(),
        skipped=(),
        short=short_of(asked, answered),
        questions=len(asked),
        generation=generation,
    )


def _answered(folder: Path) -> dict[str, set[str]]:
    facts = pq.read_table(folder / "facts.parquet", columns=["run_id", "question_id"])
    answered: dict[str, set[str]] = {}
    for run, question in zip(facts["run_id"].to_pylist(), facts["question_id"].to_pylist(), strict=True):
        answered.setdefault(str(run), set()).add(str(question))
    return answered


def _environments(folder: Path) -> dict[str, EnvironmentRecord]:
    rows = pq.read_table(folder / "environments.parquet").to_pylist()
    return {row["deployment_id"]: EnvironmentRecord.model_validate_json(row["record"]) for row in rows}
