"""Builds a study from fourteen captured deployments of SmolLM2-135M on the first GSM8K test questions.

python -m examples.build_smollm2_gsm8k RAW_FOLDER TARGET_FOLDER

RAW_FOLDER holds NAME.{jsonl.gz,env.json}; the target is a sealed bundle for `flipbook ingest`. The raw files are
not part of this repository; docs/NEAR_TIES.md says what they show.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from examples.bundling import record, seal_study
from examples.vllm_capture import (
    TOKENIZER,
    UNCAPTURED,
    Raw,
    captured_environment,
    captured_lines,
    captured_record,
    files_digest,
    output_fields,
)
from store.contract.environment import EnvironmentRecord, unknown_environment
from store.contract.record import RequestRecord
from store.contract.run import StudyRole
from store.sealed.rows import Question
from store.sealed.runbook import RunLabels

LABEL = "real: SmolLM2-135M on vLLM's CPU build, the first 20 to 40 GSM8K test questions"
ARMS = {"f32": "FP32", "bf16": "BF16", "w8a8": "INT8"}
ANCHOR = "hf_f32_bs1"
SAME_FOLDER = "f32_eager_s8_a"
"""The deployment whose model folder the anchor loaded as well; it recorded no digests of its own."""


def main(raw: Path, target: Path) -> None:
    """Build the bundle in `target`."""
    names = sorted(path.name.removesuffix(".jsonl.gz") for path in raw.glob("*.jsonl.gz"))
    asked: dict[str, Question] = {}
    for name in names:
        for line in captured_lines(raw / f"{name}.jsonl.gz"):
            asked.setdefault(_id(line), Question(_id(line), line["gold"], None, line["question"]))
    questions = tuple(asked[key] for key in sorted(asked))
    sources = sorted(path for path in raw.iterdir() if path.name.endswith((".jsonl.gz", ".env.json")))
    manifest = seal_study(target, "smollm2-gsm8k", LABEL, (_run(raw, name) for name in names), questions, sources)
    print(f"{len(manifest.runs)} runs, {sum(run.counts.records for run in manifest.runs)} records in {target}")


def _run(raw: Path, name: str) -> tuple[RunLabels, EnvironmentRecord, Iterator[RequestRecord]]:
    lines = captured_lines(raw / f"{name}.jsonl.gz")
    if name == ANCHOR:
        labels = RunLabels(name, name, "FP32", 0, name, StudyRole.ANCHOR)
        beside = json.loads((raw / f"{SAME_FOLDER}.env.json").read_text())
        return labels, _anchor_environment(beside), (_anchor_record(beside, line) for line in lines)
    env: Raw = json.loads((raw / f"{name}.env.json").read_text())
    cell = re.sub(r"_[ab]$", "", name)
    labels = RunLabels(name, cell, ARMS[name.partition("_")[0]], int(name.endswith("_b")), name, StudyRole.GRID)
    return labels, captured_environment(env), (captured_record(name, _id(line), None, env, line) for line in lines)


def _id(line: Raw) -> str:
    return f"gsm8k-test-{line['index']:04d}"


def _anchor_record(beside: Raw, line: Raw) -> RequestRecord:
    return record(
        UNCAPTURED,
        run_id=ANCHOR,
        question_id=_id(line),
        request_id=_id(line),
        **output_fields(files_digest(beside, TOKENIZER), line),
    )


def _anchor_environment(beside: Raw) -> EnvironmentRecord:
    return unknown_environment(
        "not dumped by the anchor run",
        source="declared",
        engine="transformers",
        transformers_version=beside["transformers"],
        torch_version=beside["torch"],
        tokenizer_digest=files_digest(beside, TOKENIZER),
        dtype="float32",
        max_num_seqs=1,
        cache_role="none",
        cache_parent="none",
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
