"""Real files, against numbers that were counted independently."""

import json
import subprocess
import sys
from collections import Counter

import duckdb
import pytest

from flipbook.bundled import bundled_folder
from ingest.ingest import Request, ingest
from ingest.mapping import load_mapping
from store.folder import Store
from store.results.question import asked_questions, question_result
from store.results.scope import resolve
from store.verify import verify_store
from store.warehouse.open import open_warehouse
from tests.conftest import ROOT


def cells_json(store, study, *more):
    command = [sys.executable, "-m", "flipbook", "cells", study, "--json", "--store", str(store), *more]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


def per_run(found):
    return {cell["cell"]: [(run["correct"], run["of"]) for run in cell["accuracy"]["per_run"]] for cell in found["cells"]}


@pytest.fixture(scope="module")
def real(shared, tmp_path_factory):
    """One store with both foreign studies."""
    store = Store(tmp_path_factory.mktemp("real") / "store")
    maps = ROOT / "examples" / "maps"
    zeroeval = tuple(sorted((shared / "data" / "zeroeval-gsm8k-llama405b").glob("*Inst*.json")))
    stability = (shared / "data" / "llm-stability-gpt35-x10" / "data.tgz",)
    reports = {
        name: ingest(store, Request(paths, name, load_mapping(maps / file), maps, None, "test"), lambda _: None)
        for name, paths, file in (("zeroeval", zeroeval, "zeroeval.toml"), ("stability", stability, "llm-stability.toml"))
    }
    return store, reports


def test_zeroeval_has_the_reference_counts(real, shared):
    store, reports = real
    assert (len(reports["zeroeval"].runs), reports["zeroeval"].questions, reports["zeroeval"].refused) == (3, 1319, ())
    found = per_run(cells_json(store.root, "zeroeval"))
    reference = json.loads((shared / "data" / "zeroeval-gsm8k-llama405b" / "reference.json").read_text())["runs"]
    assert found == {name: [(run["correct"], run["n"])] for name, run in reference.items()}
    assert sorted(count for runs in found.values() for count, _ in runs) == [1265, 1265, 1266]


def test_llm_stability_has_the_reference_counts(real, shared):
    store, reports = real
    assert len(reports["stability"].runs) == 20
    assert len(reports["stability"].skipped) == 24
    found = per_run(cells_json(store.root, "stability"))
    for task in ("navigate", "logical-deduction"):
        reference = json.loads((shared / "data" / "llm-stability-gpt35-x10" / f"reference-{task}.json").read_text())["runs"]
        assert found[task.replace("-", "_")] == [(run["correct"], run["n"]) for _, run in sorted(reference.items())]
    assert found["navigate"] == [(240, 250)] * 10
    assert [count for count, _ in found["logical_deduction"]] == [224, 224, 224, 225, 225, 223, 224, 223, 223, 223]


def test_identical_texts_of_the_ten_repeats(real):
    store, _ = real
    warehouse = open_warehouse(store.warehouse)
    scope = resolve(warehouse, "stability", None, None)
    same = Counter(
        question.category
        for question in asked_questions(warehouse, scope)
        if len(question_result(warehouse, scope, question.question_id).classes("text").classes) == 1
    )
    warehouse.close()
    assert same == {"navigate": 217, "logical_deduction": 199}


def test_every_digest_of_the_real_store_holds(real):
    store, _ = real
    assert verify_store(store).problems == ()


def test_the_mini_study_has_the_reference_counts(bundled_store, shared):
    reference = json.loads((shared / "mini" / "reference.json").read_text())
    found = per_run(cells_json(bundled_store, "smollm2-mini"))
    counted = {f"{cell}.{i}": run for cell, runs in found.items() for i, run in enumerate(runs)}
    assert counted == {name: (run["right"], run["of"]) for name, run in reference["runs"].items()}
    with duckdb.connect() as con:
        con.execute("CREATE TABLE facts AS FROM read_parquet(?)", [str(bundled_folder() / "smollm2-mini" / "facts.parquet")])
        lengths = con.execute(
            "SELECT run_id, sum(output_tokens), count(*) FILTER (finish_reason = 'length') FROM facts GROUP BY 1"
        ).fetchall()
    assert {run: (int(tokens), cut) for run, tokens, cut in lengths} == {
        name: (run["tokens"], run["truncated"]) for name, run in reference["runs"].items()
    }


def test_token_identity_of_every_pair_of_the_mini_study(bundled_store, shared):
    """45 pairs, by the classes the question page shows, against pairs compared directly."""
    reference = json.loads((shared / "mini" / "reference.json").read_text())
    warehouse = open_warehouse(Store(bundled_store).warehouse)
    scope = resolve(warehouse, "smollm2-mini", None, None)
    identical: Counter[tuple[str, str]] = Counter()
    for question in asked_questions(warehouse, scope):
        for one in question_result(warehouse, scope, question.question_id).classes("tokens").classes:
            runs = sorted(one.runs)
            identical.update((a, b) for i, a in enumerate(runs) for b in runs[i + 1 :])
    warehouse.close()
    assert {(p["a"], p["b"]): identical[p["a"], p["b"]] for p in reference["pairs"]} == {
        (p["a"], p["b"]): p["identical"] for p in reference["pairs"]
    }


def test_the_published_study_prints_table_one(bundled_store):
    found = {cell["cell"]: cell for cell in cells_json(bundled_store, "published")["cells"]}
    printed = {
        name: (cell["deployments"], f"{cell['accuracy']['mean']:.2%}", f"{100 * cell['accuracy']['sd']:.2f}")
        for name, cell in found.items()
    }
    assert printed == {
        "BF16 cap1": (3, "94.87%", "0.23"),
        "BF16 cap8": (5, "94.95%", "0.20"),
        "BF16 cap32": (5, "95.09%", "0.17"),
        "FP8 cap32": (5, "95.22%", "0.00"),
        "INT4 cap32": (5, "95.21%", "0.11"),
    }
    totals = {name: sum(run["correct"] for run in cell["accuracy"]["per_run"]) for name, cell in found.items()}
    assert totals == {"BF16 cap1": 3754, "BF16 cap8": 6262, "BF16 cap32": 6271, "FP8 cap32": 6280, "INT4 cap32": 6279}


def test_the_published_study_is_the_reconstruction_record_by_record(bundled_store, shared):
    with duckdb.connect() as con:
        con.execute("CREATE TABLE theirs AS FROM read_parquet(?)", [str(shared / "published" / "records.parquet")])
        con.execute("ATTACH ? AS w (READ_ONLY)", [str(Store(bundled_store).warehouse)])
        total, same = con.execute(
            """SELECT count(*), count(*) FILTER (
                   t.verdict = (a.verdict = 'correct') AND t.extracted = a.answer AND t.extraction_path = a.extraction_path
                   AND t.n_tokens = f.output_tokens AND t.gold = f.gold AND t.finish_reason = f.finish_reason)
               FROM theirs t
               JOIN w.facts f ON f.study = 'published' AND f.run_id = t.run_id AND f.question_id = t.question_id::VARCHAR
               JOIN w.answers a ON a.study = f.study AND a.run_id = f.run_id AND a.question_id = f.question_id
                   AND a.extractor = 'answer-line@1'"""
        ).fetchone()
        strict = con.execute(
            "SELECT count(*) FILTER (verdict = 'correct') FROM w.answers WHERE extractor LIKE 'lm_eval%'"
        ).fetchone()
        outputs = con.execute(
            """SELECT (SELECT count(DISTINCT (question_id, token_sha)) FROM theirs),
                      (SELECT count(DISTINCT (question_id, identity_digest)) FROM w.facts WHERE study = 'published')"""
        ).fetchone()
    assert (total, same) == (39_570, 39_570)
    assert strict == (1_247,)
    assert outputs[0] == outputs[1]


def test_roles_of_the_published_study(bundled_store):
    warehouse = open_warehouse(Store(bundled_store).warehouse)
    runs = warehouse.frame("runs", study="published", as_of=99)
    parents = warehouse.frame("environment", study="published", deployment="share.2")["record"].map(json.loads)
    warehouse.close()
    assert runs["role"].value_counts().to_dict() == {"grid": 23, "probe": 3, "loader": 2, "builder": 1, "anchor": 1}
    assert runs.set_index("run_id").loc["hf.0", "arm"] == "BF16"
    assert runs["deployment_id"].nunique() == 28
    assert (parents[0]["cache_role"], parents[0]["cache_parent"]) == ("loaded", "share.0")
