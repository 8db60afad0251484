"""A bundle's manifest: reading, writing, and the digests of runs, question sets and bundles."""

import os
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from store.contract.base import Json
from store.contract.run import BundleManifest, RunManifest
from store.digests import canonical_digest, set_digest
from store.errors import InputError, first_error
from store.sealed.rows import Question

MANIFEST = "manifest.json"


def load_manifest(folder: Path) -> BundleManifest:
    """The manifest of a bundle. Raises InputError when it is missing or not a manifest."""
    path = folder / MANIFEST
    try:
        return BundleManifest.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError("no manifest.json here", where=str(folder), fix="A bundle is the folder that holds it.") from error
    except (ValidationError, UnicodeDecodeError) as error:
        reason = first_error(error) if isinstance(error, ValidationError) else str(error)
        raise InputError(f"not a bundle manifest this version reads: {reason}", where=str(path)) from error


def is_bundle(folder: Path) -> bool:
    """Whether the folder holds a manifest that can be read."""
    try:
        load_manifest(folder)
    except InputError:
        return False
    return True


def run_digest(run: RunManifest, environment: str | None, members: list[bytes]) -> str:
    """`run1:` digest of a run: its labels, its environment's full digest and its records."""
    header: Json = {
        "run_id": run.run_id,
        "cell": run.cell,
        "arm": run.arm,
        "role": run.role.value,
        "repeat": run.repeat,
        "deployment_id": run.deployment_id,
        "state": run.state.value,
        "environment": environment,
    }
    return set_digest("run1", header, members)


def write_manifest(folder: Path, manifest: BundleManifest) -> BundleManifest:
    """Write `manifest.json`, durable before it is named so."""
    new = folder / f"{MANIFEST}.new"
    new.write_text(manifest.model_dump_json(indent=1) + "\n", encoding="utf-8")
    fsync(new)
    new.replace(folder / MANIFEST)
    return manifest


def fsync(path: Path) -> None:
    """Force a written file to disk; a full disk shows here at the latest."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def question_set_digest(questions: Iterable[Question]) -> str:
    """`qs1:` digest of a declared set: ids, golds, categories and texts, in id order."""
    rows: list[Json] = [[q.question_id, q.gold, q.category, q.text] for q in sorted(questions, key=lambda q: q.question_id)]
    return canonical_digest("qs1", rows)


def bundle_content_digest(manifest: BundleManifest) -> str:
    """`bundle1:` digest of what a bundle holds, whichever store and generation it is in."""
    return canonical_digest(
        "bundle1",
        {
            "study": manifest.study,
            "label": manifest.label,
            "main_extractor": manifest.main_extractor,
            "extractors": [spec.model_dump(mode="json") for spec in manifest.extractors],
            "question_set": manifest.question_set.digest,
            "runs": [*sorted(run.content_digest for run in manifest.runs)],
        },
    )
