"""Builds examples/studies/smollm2-mini from the raw captures of ten deployments.

python -m examples.build_mini RAW_FOLDER examples/studies/smollm2-mini

RAW_FOLDER holds questions.jsonl and runs/NAME.R.{jsonl.gz,env.json}, NAME.R being cell and repeat.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from examples.bundling import seal_study
from examples.vllm_capture import Raw, captured_environment, captured_lines, captured_record
from store.contract.environment import EnvironmentRecord
from store.contract.record import RequestRecord
from store.contract.run import StudyRole
from store.sealed.rows import Question
from store.sealed.runbook import RunLabels

LABEL = "real: SmolLM2-135M on vLLM's CPU build, two fresh deployments per cell"
ARMS = {"fp32": "FP32", "bf16": "BF16", "int8": "INT8"}


def main(raw: Path, target: Path) -> None:
    """Build the bundle in `target`."""
    names = sorted(path.name.removesuffix(".jsonl.gz") for path in (raw / "runs").glob("*.jsonl.gz"))
    manifest = seal_study(
        target,
        "smollm2-mini",
        LABEL,
        (_run(raw, name) for name in names),
        tuple(_questions(raw / "questions.jsonl")),
        sorted((raw / "runs").iterdir()),
    )
    print(f"{len(manifest.runs)} runs, {sum(run.counts.records for run in manifest.runs)} records in {target}")


def _run(raw: Path, name: str) -> tuple[RunLabels, EnvironmentRecord, Iterator[RequestRecord]]:
    cell, _, repeat = name.rpartition(".")
    env: Raw = json.loads((raw / "runs" / f"{name}.env.json").read_text())
    labels = RunLabels(name, cell, ARMS[cell.partition("-")[0]], int(repeat), name, StudyRole.GRID)
    lines = captured_lines(raw / "runs" / f"{name}.jsonl.gz")
    records = (captured_record(name, line["id"], line["category"], env, line) for line in lines)
    return labels, captured_environment(env), records


def _questions(path: Path) -> Iterator[Question]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            row = json.loads(line)
            yield Question(row["id"], row["gold"], row["category"], row["question"])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
