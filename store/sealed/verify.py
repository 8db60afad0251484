"""Re-deriving every digest of a sealed bundle from what it is said to describe."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from store.contract.environment import EnvironmentRecord
from store.contract.record import TokenLogprob, Verdict
from store.contract.run import BundleManifest, SealedFile
from store.digests import file_sha256, text_digest, tokens_digest
from store.env_digest import verify_environment
from store.errors import FlipbookError, first_error
from store.sealed.columns import FILES
from store.sealed.flatten import (
    identity_digest,
    logprobs_digest,
    output_digest,
    prompt_digest,
    record_sha256,
    stop_ids_of,
)
from store.sealed.manifest import MANIFEST, bundle_content_digest, question_set_digest, run_digest
from store.sealed.rows import Question

_Row: TypeAlias = dict[str, Any]  # one row as pyarrow gives it; its columns are those of store.sealed.columns
_Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """A digest that does not follow from what it is said to describe."""

    where: str
    what: str


def verify_bundle(folder: Path, manifest: BundleManifest) -> Iterator[Problem]:
    """Every promise of the bundle that does not hold, in the order it is checked.

    Checks file hashes first; rows are read only from files that are whole.
    """
    broken = list(_file_problems(folder, manifest))
    yield from broken
    if broken:
        return
    try:
        yield from _content_problems(folder, manifest)
    except (OSError, KeyError, ValueError, TypeError, AttributeError, OverflowError) as error:
        yield Problem(str(folder), f"a row does not have the shape that a bundle's rows have ({error})")


def _file_problems(folder: Path, manifest: BundleManifest) -> Iterator[Problem]:
    named = {file.name for file in manifest.files}
    for name in sorted({f"{table}.parquet" for table in FILES} - named):
        yield Problem(str(folder), f"{name} is not in the manifest")
    for file in manifest.files:
        path = folder / file.name
        if file.name not in {f"{table}.parquet" for table in FILES}:
            yield Problem(str(folder), f"{file.name} is not a file of a bundle")
        elif not path.exists():
            yield Problem(str(path), "is missing")
        elif (found := file_sha256(path)) != file.sha256:
            yield Problem(str(path), f"sha256 is {found[:12]}…, the manifest says {file.sha256[:12]}…")
        else:
            yield from _shape_problems(path, file)


def _shape_problems(path: Path, file: SealedFile) -> Iterator[Problem]:
    try:
        metadata, schema = pq.read_metadata(path), pq.read_schema(path)
    except (OSError, pa.ArrowException) as error:
        yield Problem(str(path), f"is no Parquet file: {error}")
        return
    if not schema.equals(FILES[path.stem]):
        yield Problem(str(path), "does not have the columns of a bundle")
    if (metadata.num_rows, path.stat().st_size) != (file.rows, file.bytes):
        yield Problem(str(path), "has other rows or bytes than the manifest says")


def _content_problems(folder: Path, manifest: BundleManifest) -> Iterator[Problem]:
    outputs = {row["output_digest"]: row for row in _rows(folder, "outputs")}
    yield from _bad_outputs(outputs)
    prompts = {row["prompt_digest"]: row for row in _rows(folder, "prompts")}
    yield from _bad_prompts(prompts)
    captures = {str(row["logprobs_digest"]) for row in _rows(folder, "logprobs")}
    yield from _bad_captures(folder)
    environments = {str(row["deployment_id"]): row for row in _rows(folder, "environments")}
    yield from _bad_environments(environments)
    facts = list(_rows(folder, "facts"))
    for fact in facts:
        yield from _bad_fact(fact, outputs, prompts, captures)
    for name, column, held in (("output", "output_digest", outputs), ("prompt", "prompt_digest", prompts)):
        if strays := set(held) - {fact[column] for fact in facts}:
            yield Problem(str(folder), f"{len(strays)} {name}s belong to no record")
    yield from _bad_runs(folder, manifest, facts, environments)
    questions = [Question(r["question_id"], r["gold"], r["category"], r["question_text"]) for r in _rows(folder, "questions")]
    declared = manifest.question_set
    if (question_set_digest(questions), len(questions), bool(questions)) != (
        declared.digest,
        declared.count,
        declared.declared,
    ):
        yield Problem(str(folder), "the declared question set does not match its digest")
    if bundle_content_digest(manifest) != manifest.content_digest:
        yield Problem(str(folder / MANIFEST), "content_digest does not follow from the manifest")


def _rows(folder: Path, name: str) -> Iterator[_Row]:
    for batch in pq.ParquetFile(folder / f"{name}.parquet").iter_batches():
        yield from batch.to_pylist()


def _bad_outputs(outputs: Mapping[str, _Row]) -> Iterator[Problem]:
    for digest, row in outputs.items():
        if output_digest(row["token_ids"], row["raw_text"]) != digest:
            yield Problem(f"question {row['question_id']}", f"output {digest[:17]}… is not what its digest says")


def _bad_prompts(prompts: Mapping[str, _Row]) -> Iterator[Problem]:
    for digest, row in prompts.items():
        if prompt_digest(row["rendered_prompt"], row["input_token_ids"], row["attention_mask"]) != digest:
            yield Problem(f"question {row['question_id']}", f"prompt {digest[:20]}… is not what its digest says")


def _bad_captures(folder: Path) -> Iterator[Problem]:
    for row in _rows(folder, "logprobs"):
        steps = tuple(
            tuple(TokenLogprob.model_construct(token_id=i, logprob=p, rank=r) for i, p, r in zip(*step, strict=True))
            for step in zip(row["token_ids"], row["logprobs"], row["ranks"], strict=True)
        )
        if logprobs_digest(steps) != row["logprobs_digest"]:
            yield Problem(
                f"question {row['question_id']}", f"logprobs {row['logprobs_digest'][:16]}… are not what their digest says"
            )


def _bad_environments(environments: Mapping[str, _Row]) -> Iterator[Problem]:
    for deployment, row in environments.items():
        try:
            record = EnvironmentRecord.model_validate_json(row["record"])
            good = verify_environment(record, row["declared_digest"], row["full_digest"])
        except (ValidationError, FlipbookError) as error:
            reason = first_error(error) if isinstance(error, ValidationError) else error.what
            yield Problem(f"deployment {deployment}", f"environment record cannot be verified: {reason}")
            continue
        if not good:
            yield Problem(f"deployment {deployment}", "environment digest does not follow from its record")


def _bad_fact(fact: _Row, outputs: Mapping[str, _Row], prompts: Mapping[str, _Row], captures: set[str]) -> Iterator[Problem]:
    where = f"run {fact['run_id']}, question {fact['question_id']}"
    output, prompt = outputs.get(fact["output_digest"]), prompts.get(fact["prompt_digest"])
    if output is None or prompt is None:
        yield Problem(where, "output or prompt is not in the bundle")
        return
    ids, text = output["token_ids"], output["raw_text"]
    stops = stop_ids_of(json.loads(fact["stop_token_ids"] or "null"), fact["stop_token_id"])
    inputs = prompt["input_token_ids"]
    expected = {
        "identity_digest": None if ids is None else identity_digest(ids, stops),
        "text_digest": None if text is None else text_digest(text),
        "input_ids_digest": fact["input_ids_digest"] if inputs is None else tokens_digest(inputs),
        "output_tokens": None if ids is None else len(ids),
        "input_tokens": None if inputs is None else len(inputs),
    }
    for column, value in expected.items():
        if fact[column] != value:
            yield Problem(where, f"{column} does not follow from the output or prompt")
    if fact["logprobs_digest"] is not None and fact["logprobs_digest"] not in captures:
        yield Problem(where, "logprobs are not in the bundle")


def _bad_runs(
    folder: Path, manifest: BundleManifest, facts: Sequence[_Row], environments: Mapping[str, _Row]
) -> Iterator[Problem]:
    answers: dict[_Key, list[_Row]] = defaultdict(list)
    for row in _rows(folder, "answers"):
        answers[_key(row)].append(row)
    by_run: dict[str, list[_Row]] = defaultdict(list)
    for fact in facts:
        by_run[str(fact["run_id"])].append(fact)
    for run in manifest.runs:
        records = by_run.pop(run.run_id, [])
        verdicts = [a["verdict"] for f in records for a in answers[_key(f)] if a["extractor"] == manifest.main_extractor]
        scored = sum(verdict != Verdict.UNSCORED for verdict in verdicts)
        cut = sum(f["finish_reason"] == "length" for f in records)
        unknown = sum(f["finish_reason"] is None for f in records)
        found = (len(records), verdicts.count(Verdict.CORRECT), scored, len(records) - scored, cut, unknown)
        counts = run.counts
        if found != (counts.records, counts.correct, counts.scored, counts.unscored, counts.truncated, counts.end_unknown):
            what = f"holds {found} records, correct, scored, unscored, truncated, end unknown; the manifest says otherwise"
            yield Problem(f"run {run.run_id}", what)
        environment = environments.get(run.deployment_id)
        if environment is None:
            yield Problem(f"run {run.run_id}", f"deployment {run.deployment_id} has no environment record")
        elif (
            run_digest(run, environment["full_digest"], [record_sha256(f, answers[_key(f)]) for f in records])
            != run.content_digest
        ):
            yield Problem(f"run {run.run_id}", "records do not match the run's digest")
    for run_id in sorted(by_run):
        yield Problem(f"run {run_id}", "has records but is not in the manifest")


def _key(row: _Row) -> _Key:
    return (row["run_id"], row["question_id"], row["pass_index"], row["sample_index"])
