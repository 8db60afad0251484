"""What a store holds of a study already, and whether an ingest fits to it."""

from collections.abc import Iterable, Mapping

import pyarrow.parquet as pq

from store.contract.environment import EnvironmentRecord
from store.contract.run import RunManifest
from store.env_digest import environment_digest
from store.errors import RunConflictError
from store.extractors.spec import ExtractorSpec
from store.sealed.manifest import question_set_digest
from store.sealed.rows import Question
from store.warehouse.build import SealedBundle

ANOTHER_ID = "Sealed runs never change: give the new one another id, or remove the study first."


def new_and_unchanged(runs: Iterable[RunManifest], held: tuple[SealedBundle, ...]) -> tuple[list[RunManifest], list[str]]:
    """Runs to seal, and ids held already. Raises RunConflictError on a held run with other content."""
    known = {run.run_id: (run.content_digest, bundle.manifest.generation) for bundle in held for run in bundle.manifest.runs}
    fresh: list[RunManifest] = []
    unchanged: list[str] = []
    for run in runs:
        digest, generation = known.get(run.run_id, (None, None))
        if digest is None:
            fresh.append(run)
        elif digest == run.content_digest:
            unchanged.append(run.run_id)
        else:
            what = f"run {run.run_id!r} is in the store with other content, sealed at generation {generation}"
            raise RunConflictError(what, fix=ANOTHER_ID)
    return fresh, unchanged


def check_questions(study: str, declared: tuple[Question, ...], held: tuple[SealedBundle, ...]) -> None:
    """Raise RunConflictError when a set is declared that the study does not have: denominators would move."""
    if not declared or not held:
        return
    sets = {b.manifest.question_set.digest for b in held if b.manifest.question_set.declared}
    if sets != {question_set_digest(declared)}:
        has = "another declared question set" if sets else "no declared question set"
        fix = "A study has one question set: remove the study and ingest it again, or use another name."
        raise RunConflictError(f"study {study!r} has {has}", fix=fix)


def check_extractors(specs: tuple[ExtractorSpec, ...], held: tuple[SealedBundle, ...]) -> None:
    """Raise RunConflictError when an extractor of the same name has other steps in the study."""
    known = {spec.name: spec for bundle in held for spec in bundle.manifest.extractors}
    for spec in specs:
        if known.get(spec.name, spec) != spec:
            fix = "A changed rule is a new version: give it another name@version."
            raise RunConflictError(f"extractor {spec.name!r} has other steps in this study", fix=fix)


def check_environments(environments: Mapping[str, EnvironmentRecord], held: tuple[SealedBundle, ...]) -> None:
    """Raise RunConflictError when a held deployment is said to have another environment."""
    known: dict[str, str] = {}
    for bundle in held:
        table = pq.read_table(bundle.folder / "environments.parquet", columns=["deployment_id", "full_digest"])
        known.update({str(row["deployment_id"]): str(row["full_digest"]) for row in table.to_pylist()})
    for deployment, record in environments.items():
        if known.get(deployment, "") not in ("", environment_digest(record).full):
            what = f"deployment {deployment!r} is in the store with another environment"
            raise RunConflictError(what, fix=ANOTHER_ID)


def held_questions(held: tuple[SealedBundle, ...]) -> set[str]:
    """Ids of the questions that the study's runs answered so far."""
    found: set[str] = set()
    for bundle in held:
        ids = pq.read_table(bundle.folder / "facts.parquet", columns=["question_id"])["question_id"]
        found.update(map(str, ids.unique().to_pylist()))
    return found


def declared_questions_of(held: tuple[SealedBundle, ...]) -> set[str]:
    """Ids of the declared set of the study, empty when none is declared."""
    found: set[str] = set()
    for bundle in held:
        table = pq.read_table(bundle.folder / "questions.parquet", columns=["question_id"])
        found.update(map(str, table["question_id"].to_pylist()))
    return found


def short_of(asked: set[str], answered: Mapping[str, set[str]]) -> dict[str, int]:
    """Runs that answered fewer questions of the set than it has: run to number of them."""
    counts = {run: len(questions & asked) for run, questions in answered.items()}
    return {run: count for run, count in counts.items() if count < len(asked)}
