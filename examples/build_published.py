"""Builds examples/studies/published from the Parquet files of the synthetic reconstruction.

python -m examples.build_published RAW_FOLDER examples/studies/published
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from examples.bundling import record, seal_study
from store.contract.base import compact_json
from store.contract.environment import EnvironmentRecord, unknown_environment
from store.contract.record import Answer, RequestRecord, Verdict
from store.contract.run import StudyRole
from store.digests import canonical_digest
from store.extractors.score import score
from store.extractors.shipped import ANSWER_LINE
from store.sealed.rows import Question
from store.sealed.runbook import RunLabels

LABEL = "synthetic reconstruction of a published study; its texts and token ids are placeholders that no model wrote"
UNPUBLISHED = "not published"
HARNESS = "lm_eval/strict-match@published"
ROLES = {"probe": StudyRole.PROBE, "share": StudyRole.LOADER, "hf": StudyRole.ANCHOR}
CACHE = {"fresh": "built", "built": "built", "loaded": "loaded", "none": "none"}
QUANTISATION = {
    "BF16": "none",
    "FP8": compact_json({"method": "fp8", "scheme": "dynamic W8A8"}),
    "INT4": compact_json({"method": "auto-round", "bits": 4}),
}
TOKENIZER = canonical_digest("synthetic", "tokenizer of the reconstruction: ids 0 to 999")
BUILDER = "share.0"


@dataclass(frozen=True, slots=True)
class Run:
    """One row of runs.parquet."""

    run_id: str
    grid: bool
    arm: str
    cell: str
    max_num_seqs: int
    repeat: int
    deployment: str
    backend: str
    gpu: str
    cache: str

    @property
    def role(self) -> StudyRole:
        if self.grid:
            return StudyRole.GRID
        return StudyRole.BUILDER if self.run_id == BUILDER else ROLES[self.run_id.partition(".")[0]]

    @property
    def true_arm(self) -> str:
        """The anchor is the BF16 checkpoint on another backend, not a weight format of its own."""
        return "BF16" if self.arm == "HF" else self.arm


def main(raw: Path, target: Path) -> None:
    """Build the bundle in `target`."""
    variants = {(r["question_id"], r["token_sha"]): r for r in pq.read_table(raw / "variants.parquet").to_pylist()}
    strict = {(r["run_id"], r["question_id"]): r for r in pq.read_table(raw / "harness.parquet").to_pylist()}
    records: dict[str, list[dict[str, object]]] = {}
    for row in pq.read_table(raw / "records.parquet").to_pylist():
        records.setdefault(row["run_id"], []).append(row)
    runs = [Run(**row) for row in pq.read_table(raw / "runs.parquet").to_pylist()]
    questions = tuple(
        Question(str(row["question_id"]), row["gold"], None, None) for row in pq.read_table(raw / "roles.parquet").to_pylist()
    )
    manifest = seal_study(
        target,
        "published",
        LABEL,
        ((_labels(run), _environment(run), _records(run, records[run.run_id], variants, strict)) for run in runs),
        questions,
        [raw / f"{name}.parquet" for name in ("harness", "records", "roles", "runs", "variants")],
    )
    print(f"{len(manifest.runs)} runs, {sum(run.counts.records for run in manifest.runs)} records in {target}")


def _labels(run: Run) -> RunLabels:
    return RunLabels(run.run_id, run.cell, run.true_arm, run.repeat, run.deployment, run.role)


def _records(run: Run, rows: list[dict], variants: dict, strict: dict) -> Iterator[RequestRecord]:  # type: ignore[type-arg]
    for row in rows:
        variant = variants[row["question_id"], row["token_sha"]]
        ours = score(ANSWER_LINE, variant["raw_text"], row["gold"], row["finish_reason"])
        if (ours.verdict is Verdict.CORRECT) != row["verdict"]:
            raise ValueError(f"run {run.run_id}, question {row['question_id']}: stored verdict is not the re-scored one")
        question = str(row["question_id"])
        theirs = strict.get((run.run_id, row["question_id"]))
        yield record(
            UNPUBLISHED,
            run_id=run.run_id,
            question_id=question,
            request_id=question,
            pass_index=run.repeat if run.role is StudyRole.PROBE else 0,
            tokenizer_digest=TOKENIZER,
            input_ids_digest=canonical_digest("synthetic", f"input ids of question {question}"),
            adapter_digest="none",
            quantization_config=QUANTISATION[run.true_arm],
            gold=row["gold"],
            seed=0,
            temperature=0.0,
            max_output_tokens=2048,
            output_token_ids=variant["token_ids"],
            raw_text=variant["raw_text"],
            finish_reason=row["finish_reason"],
            thinking_tokens=0,
            answers=(ours, *([] if theirs is None else [_strict(theirs)])),
            data_class="synthetic",
            access_scope="public",
        )


def _strict(row: dict) -> Answer:  # type: ignore[type-arg]
    return Answer(
        extractor=HARNESS,
        extracted=row["harness_extracted"],
        answer=row["harness_extracted"],
        extraction_path="harness",
        verdict=Verdict.CORRECT if row["harness_verdict"] else Verdict.INCORRECT,
        unscored_reason=None,
        span_start=None,
        span_end=None,
    )


def _environment(run: Run) -> EnvironmentRecord:
    on_vllm = run.backend == "vllm"
    return unknown_environment(
        UNPUBLISHED,
        source="declared",
        engine="vllm" if on_vllm else "transformers",
        engine_version="0.25.0" if on_vllm else None,
        model_id="Intel/Qwen3.5-9B-int4-AutoRound @ 29688b89" if run.true_arm == "INT4" else "Qwen/Qwen3.5-9B @ c2022362",
        tokenizer_digest=TOKENIZER,
        adapter_digest="none",
        quantization_config=QUANTISATION[run.true_arm],
        lora="none",
        max_num_seqs=run.max_num_seqs,
        prefix_caching=False,
        speculative_decoding="none",
        cache_role=CACHE[run.cache],
        cache_parent=BUILDER if run.cache == "loaded" else "none",
        card=run.gpu,
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
