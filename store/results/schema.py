"""What commands print, as JSON Schema files: `python -m store.results.schema docs/schema`."""

import json
import sys
from pathlib import Path

from pydantic import TypeAdapter

from store.results.gate.shape import Decision
from store.results.report.compare import Comparison
from store.results.report.pairs import PairsReport
from store.results.report.question import QuestionReport
from store.results.report.shape import Report

Printed = TypeAdapter[Report] | TypeAdapter[Comparison] | TypeAdapter[PairsReport] | TypeAdapter[QuestionReport]

RESULTS: dict[str, Printed | TypeAdapter[Decision]] = {
    "report.json": TypeAdapter(Report),
    "compare.json": TypeAdapter(Comparison),
    "pairs.json": TypeAdapter(PairsReport),
    "question.json": TypeAdapter(QuestionReport),
    "gate.json": TypeAdapter(Decision),
}


def result_schema(name: str) -> str:
    """JSON Schema of one result, formatted for a diff. Raises KeyError on a name that is none."""
    return json.dumps(RESULTS[name].json_schema(mode="serialization"), indent=1, ensure_ascii=False) + "\n"


def write_result_schemas(folder: Path) -> None:
    """Write one file per result."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in RESULTS:
        (folder / name).write_text(result_schema(name), encoding="utf-8")


if __name__ == "__main__":
    write_result_schemas(Path(sys.argv[1]))
