"""Measures of real studies, against numbers that were counted independently."""

import json
import subprocess
import sys
from collections import Counter

import pytest
from pydantic import TypeAdapter

from examples.build_smollm2_gsm8k import main as build_smollm2_gsm8k
from ingest.ingest import Request, ingest
from store.folder import Store
from store.results.report.build import METHOD_CONVENTIONS, Asked, study_report
from store.results.report.near import captures
from store.results.report.shape import Report
from store.results.scope import resolve
from store.results.study import study_data
from store.warehouse.open import open_warehouse
from tests.conftest import ROOT
from tests.real.test_shared import real  # noqa: F401 - the store with both foreign studies

ASKED = Asked(METHOD_CONVENTIONS, None, None)


def reported(store, study):
    command = [sys.executable, "-m", "flipbook", "report", study, "--json", "--store", str(store)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


def test_zeroeval_flips_identical_texts_and_unstable_questions(real, shared):  # noqa: F811
    store, _ = real
    found = reported(store.root, "zeroeval")
    reference = json.loads((shared / "data" / "zeroeval-gsm8k-llama405b" / "reference.json").read_text())
    pairs = {(p["a"], p["b"]): p for p in found["pairs"]}
    for pair in reference["pairs"]:
        mine = pairs[pair["a"], pair["b"]]
        assert (mine["flips"], mine["of"]) == (pair["flips"], pair["n_common"])
        assert (mine["gains"], mine["losses"]) == (pair["a_wrong_b_correct"], pair["a_correct_b_wrong"])
    assert sorted(p["flips"] for p in found["pairs"]) == [23, 32, 35]
    assert sorted(p["identical_text"] for p in found["pairs"]) == [50, 70, 165]
    assert {p["identical"] for p in found["pairs"]} == {None}
    unstable = found["all_runs"]["unstable"]
    assert (unstable["count"], unstable["of"], unstable["runs"]) == (45, 1319, 3)
    assert found["fragile_set"]["count"] is None
    assert {cell["flips"]["count"] for cell in found["cells"]} == {None}
    assert "one-deployment" in {finding["kind"] for finding in found["findings"]}


def test_llm_stability_flips_and_identical_texts(real):  # noqa: F811
    store, _ = real
    found = {cell["cell"]: cell for cell in reported(store.root, "stability")["cells"]}
    navigate, deduction = found["navigate"], found["logical_deduction"]
    assert (navigate["flips"]["count"], navigate["flips"]["of"]) == (0, 45 * 250)
    assert (navigate["identical_in_all"]["text"], navigate["identical_in_all"]["text_of"]) == (217, 250)
    assert (deduction["unstable"]["count"], deduction["unstable"]["of"]) == (2, 250)
    assert (deduction["identical_in_all"]["text"], deduction["identical_in_all"]["text_of"]) == (199, 250)
    assert navigate["identity"]["identical"] is None
    bound = navigate["zero_events"][0]
    assert (bound["layer"], bound["matches"], round(bound["next_differs"]["upper"], 3)) == ("verdicts", 9, 0.283)


def test_every_pair_of_the_mini_study(bundled_store, shared):
    reference = json.loads((shared / "mini" / "reference.json").read_text())["pairs"]
    found = {(p["a"], p["b"]): p for p in reported(bundled_store, "smollm2-mini")["pairs"]}
    assert len(reference) == len(found) == 45
    for pair in reference:
        mine = found[pair["a"], pair["b"]]
        assert (mine["identical"], mine["flips"], mine["of"]) == (pair["identical"], pair["flips"], pair["of"])


def test_divergences_and_gaps_of_the_mini_study(bundled_store, shared):
    """Question, token and both top-two gaps of every divergence."""
    reference = json.loads((shared / "mini" / "reference.json").read_text())["pairs"]
    warehouse = open_warehouse(Store(bundled_store).warehouse)
    data = study_data(warehouse, resolve(warehouse, "smollm2-mini", None, None))
    taken = captures(data.warehouse, data.scope, None)
    for pair in reference:
        panel = data.panel.rows([pair["a"], pair["b"]])
        differ = [i for i in range(len(panel.questions)) if panel.tokens[0, i] != panel.tokens[1, i]]
        at = dict(zip((panel.questions[i] for i in differ), data.pair_divergences(panel, 0, 1).tolist(), strict=True))
        assert at == {question: token for question, token, *_ in pair["first_divergence"]}
        for question, token, gap_a, gap_b in pair["first_divergence"]:
            tie = taken.judge(pair["a"], pair["b"], question, token, None)
            assert (tie.gap_a, tie.gap_b) == (pytest.approx(gap_a, abs=1e-3), pytest.approx(gap_b, abs=1e-3))
    warehouse.close()


@pytest.fixture(scope="module")
def gsm8k(shared, tmp_path_factory):
    """Fourteen captured deployments of SmolLM2-135M as a study."""
    folder = tmp_path_factory.mktemp("gsm8k")
    build_smollm2_gsm8k(shared / "data" / "vllm-cpu-smollm2", folder / "bundle")
    store = Store(folder / "store")
    ingest(store, Request((folder / "bundle",), None, None, None, None, "test"), lambda _: None)
    warehouse = open_warehouse(store.warehouse)
    yield warehouse, resolve(warehouse, "smollm2-gsm8k", None, None)
    warehouse.close()


def test_what_the_captured_deployments_show(gsm8k):
    """The reference sentences of the data: repeats and fp32 variants identical, bf16 eager against compiled 0 of 20."""
    found = study_report(*gsm8k, ASKED, ())
    identical = {frozenset((p.a, p.b)): (p.identical, p.identical_of) for p in found.cross_cell}
    assert [(c.identity.identical, c.identity.of) for c in found.cells if c.deployments == 2] == [(40, 40)] * 3
    float32 = [cell.cell for cell in found.cells if cell.arm == "FP32"]
    assert all(identical[frozenset((a, b))][0] == identical[frozenset((a, b))][1] for a in float32 for b in float32 if a < b)
    assert identical[frozenset(("bf16_comp_s8", "bf16_eager_s8"))] == (0, 40)
    assert identical[frozenset(("bf16_eager_s1", "bf16_eager_s32"))] == (20, 20)
    anchor = [p for p in found.pairs if {"hf_f32_bs1", "f32_eager_s8_a"} == {p.a, p.b}]
    assert [(p.kind, p.identical, p.identical_of) for p in anchor] == [("cross-backend", 31, 31)]


def test_near_ties_of_the_captured_deployments(gsm8k):
    """bf16 eager against compiled: first divergence 8 / 30 / 109, gaps 0 to 0.25, 8 exact ties on the eager side."""
    warehouse, scope = gsm8k
    data = study_data(warehouse, scope)
    taken = captures(data.warehouse, data.scope, None)
    a, b = "bf16_eager_s8_a", "bf16_comp_s8"
    panel = data.panel.rows([a, b])
    both = [i for i in range(40) if panel.tokens[1, i] >= 0]
    at = data.pair_divergences(panel, 0, 1).tolist()
    ties = [taken.judge(a, b, panel.questions[q], t, None) for q, t in zip(both, at, strict=True)]
    assert (min(at), sorted(at)[9:11], max(at)) == (8, [29, 31], 109)
    assert (min(t.gap_a for t in ties), round(max(t.gap_a for t in ties), 4)) == (0.0, 0.25)
    assert (sum(t.gap_a == 0 for t in ties), sum(t.gap_b == 0 for t in ties)) == (8, 7)
    assert Counter(t.kind.value for t in ties) == {"exact-tie": 15, "near-tie": 5}
    assert all(t.in_top_two for t in ties)


def test_a_report_is_its_own_schema(bundled_store):
    found = reported(bundled_store, "smollm2-mini")
    again = TypeAdapter(Report).validate_python(found)
    assert json.loads(TypeAdapter(Report).dump_json(again)) == found
