"""The example mappings on small hand-written logs of the same shape, for machines without the real ones."""

import json
import re

import pytest

from ingest.ingest import Request, ingest
from ingest.mapping import load_mapping
from store.folder import Store
from store.results.cells import study_cells
from store.results.question import question_result
from store.results.report.build import METHOD_CONVENTIONS, Asked
from store.results.report.compare import compare_cells
from store.results.scope import resolve
from store.warehouse.open import open_warehouse
from tests.builders import lines
from tests.conftest import ROOT
from tests.ingest.test_table import csv_bytes, tar_bytes

MAPS = ROOT / "examples" / "maps"


@pytest.fixture
def load(tmp_path):
    opened = []

    def run(mapping, *paths):
        store = Store(tmp_path / "store")
        report = ingest(store, Request(paths, "s", load_mapping(MAPS / mapping), MAPS, None, "test"), lambda _: None)
        warehouse = open_warehouse(store.warehouse)
        opened.append(warehouse)
        return report, warehouse, resolve(warehouse, "s", None, None)

    yield run
    for warehouse in opened:
        warehouse.close()


def item(number, output, gold="#### 18"):
    return {
        "id": f"gsm8k-main-test-#{number}", "chat_history": ["Q?"], "output": [output], "answer": gold, "generator": "llama@host",
        "configs": {"engine": "openai", "repetition_penalty": 1.0, "temperature": 0.0, "top_p": 1.0, "max_tokens": 4096},
    }  # fmt: skip


def test_zeroeval_takes_the_json_answer_else_the_last_box_else_nothing(load, tmp_path):
    outputs = [
        '```json\n{"reasoning": "16 - 7 = 9, 9 * 2", "answer": "18"}\n```',  # json
        '{"reasoning": "x", "answer": "$18.00 per day"}',  # json, currency and decimals
        '{"reasoning": "x", "answer": "20 or 18"}',  # the first number of the field: 20
        "So \\boxed{9}, no: \\boxed{18}",  # last box
        '{"reasoning": "cut off at 18',  # neither: incorrect with path none
    ]
    path = tmp_path / "Llama@some-host.json"
    path.write_text(json.dumps([item(i, text) for i, text in enumerate(outputs)]))
    report, warehouse, scope = load("zeroeval.toml", path)
    assert (report.exit_code, report.runs[0].run_id, report.runs[0].cell) == (0, "Llama@some-host", "Llama@some-host")
    found = [question_result(warehouse, scope, f"gsm8k-main-test-#{i}").records[0] for i in range(5)]
    assert [(r.answer, r.extraction_path, r.verdict) for r in found] == [
        ("18", "json", "correct"),
        ("18", "json", "correct"),
        ("20", "json", "incorrect"),
        ("18", "boxed", "correct"),
        (None, "none", "incorrect"),
    ]
    assert [(run.correct, run.of) for run in study_cells(warehouse, scope).cells[0].accuracy.per_run] == [(3, 5)]


def line(number, task, response, gold):
    return {
        "": number,
        "model": "gpt-35-turbo",
        "task": task,
        "rubric_id": number,
        "gt": gold,
        "prompt": "P",
        "response": response,
    }


def test_llm_stability_pairs_by_task_and_rubric_and_skips_what_is_not_a_run(load, tmp_path):
    folder = "runs/gpt-35-turbo-0.0-navigate-few-2024"
    yes, no = "Then the answer is No. Wait: the answer is Yes.", "So the answer is No"
    choice = "So the answer is (B)."
    members = {
        f"{folder}/gpt-35-turbo-0.0-navigate-few-0.csv": csv_bytes(
            [line(0, "navigate", yes, "Yes"), line(1, "navigate", no, "Yes")]
        ),
        f"{folder}/gpt-35-turbo-0.0-navigate-few-1.csv": csv_bytes(
            [line(1, "navigate", yes, "Yes"), line(0, "navigate", yes, "Yes")]
        ),
        f"{folder}/._gpt-35-turbo-0.0-navigate-few-0.csv": b"\0\5\26\7 resource fork",
        "runs/gpt-35-turbo-0.0-logical_deduction-few-2024/gpt-35-turbo-0.0-logical_deduction-few-0.csv": csv_bytes(
            [line(0, "logical_deduction", choice, "(B)")]
        ),
        "cross_trained/other-0.csv": b"junk",
    }
    (tmp_path / "data.tgz").write_bytes(tar_bytes(members))
    report, warehouse, scope = load("llm-stability.toml", tmp_path / "data.tgz")
    assert [name.rpartition("/")[2] for name in report.skipped] == ["._gpt-35-turbo-0.0-navigate-few-0.csv", "other-0.csv"]
    found = study_cells(warehouse, scope)
    counts = {cell.cell: [(run.correct, run.of) for run in cell.accuracy.per_run] for cell in found.cells}
    assert counts == {"logical_deduction": [(1, 1)], "navigate": [(1, 2), (2, 2)]}
    assert found.questions == ("logical_deduction/0", "navigate/0", "navigate/1")
    assert {finding.kind for finding in found.findings} == {"not-asked"}


def test_the_readmes_example_makes_two_cells_that_can_be_compared(tmp_path):
    """The mapping file as the README prints it, on logs as it describes them."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (mapping,) = re.findall(r"<<'MAP'\n(.*?)\nMAP\n", readme, re.DOTALL)
    (tmp_path / "my-map.toml").write_text(mapping, encoding="utf-8")
    for name, answers in (("bf16-0", "11"), ("bf16-1", "12"), ("fp8-0", "22"), ("fp8-1", "22")):
        rows = [{"id": f"q{i}", "response": f"The final answer is {a}", "gold": "1"} for i, a in enumerate(answers, 1)]
        lines(tmp_path / "results" / f"{name}.jsonl", *rows)
    store = Store(tmp_path / "store")
    ingest(
        store,
        Request((tmp_path / "results",), "mine", load_mapping(tmp_path / "my-map.toml"), tmp_path, None, "t"),
        lambda _: None,
    )
    warehouse = open_warehouse(store.warehouse)
    found = compare_cells(
        warehouse, resolve(warehouse, "mine", None, None), "bf16", "fp8", Asked(METHOD_CONVENTIONS, None, None)
    )
    warehouse.close()
    assert (found.a.deployments, found.b.deployments, found.a.right, found.b.right) == (2, 2, (2, 1), (0, 0))
    assert [q.question for q in found.not_noise] == ["q1"]
    assert found.findings == ()
