"""The published study with one thing wrong at a time."""

import json
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from examples.build_published import Run, _environment, _labels, _records
from ingest.ingest import Request, ingest
from store.contract.record import Verdict
from store.errors import InputError
from store.folder import Store
from store.results.report.build import METHOD_CONVENTIONS, Asked, study_report
from store.results.report.tables import cell_sections
from store.results.scope import resolve
from store.sealed.rows import Question
from store.warehouse.open import open_warehouse
from tests.builders import seal
from tests.conftest import ROOT
from tests.store.test_sealed import reseal

VICTIM, QUESTION = "c1.1", "700"


@pytest.fixture(scope="module")
def published(shared):
    """The three runs of BF16 cap 1 as records, with their environments, and the declared question set."""
    raw = shared / "published"
    variants = {(r["question_id"], r["token_sha"]): r for r in pq.read_table(raw / "variants.parquet").to_pylist()}
    rows = pq.read_table(raw / "records.parquet", filters=[("run_id", "in", ["c1.0", "c1.1", "c1.2"])]).to_pylist()
    runs = [Run(**row) for row in pq.read_table(raw / "runs.parquet").to_pylist() if row["cell"] == "BF16 cap1"]
    questions = tuple(
        Question(str(row["question_id"]), row["gold"], None, None) for row in pq.read_table(raw / "roles.parquet").to_pylist()
    )
    records = {r.run_id: list(_records(r, [x for x in rows if x["run_id"] == r.run_id], variants, {})) for r in runs}
    return [(_labels(run), records[run.run_id]) for run in runs], {run.run_id: _environment(run) for run in runs}, questions


@pytest.fixture
def reported(published, tmp_path):
    """Report of the study after `change` was applied to the victim's records."""
    runs, environments, questions = published

    def build(change):
        changed = [(head, change(records) if head.run_id == VICTIM else records) for head, records in runs]
        seal(tmp_path / "bundle", *changed, study="published", questions=questions, environments=environments)
        store = Store(tmp_path / "store")
        ingest(store, Request((tmp_path / "bundle",), None, None, None, None, "test"), lambda _: None)
        warehouse = open_warehouse(store.warehouse)
        try:
            scope = resolve(warehouse, "published", None, None)
            return study_report(warehouse, scope, Asked(METHOD_CONVENTIONS, None, None), ())
        finally:
            warehouse.close()

    return build


def at(records):
    return next(i for i, record in enumerate(records) if record.question_id == QUESTION)


def replaced(records, index, **update):
    return [*records[:index], records[index].model_copy(update=update), *records[index + 1 :]]


def findings(report, kind):
    return [finding for finding in report.findings if finding.kind == kind]


def test_nothing_wrong_is_table_one(reported):
    report = reported(lambda records: records)
    (cell,) = report.cells
    assert [(run.correct, run.of) for run in cell.accuracy.per_run] == [(1248, 1319), (1252, 1319), (1254, 1319)]
    assert (cell.flips.count, cell.flips.of, cell.identity.identical, cell.unstable.count) == (32, 3957, 2346, 16)
    assert findings(report, "stored-verdict") == findings(report, "equal-tokens-flip") == []


def test_a_flipped_verdict_is_found_by_scoring_again(reported):
    def flip(records):
        index = at(records)
        answer = records[index].answers[0]
        assert answer.verdict is Verdict.CORRECT
        return replaced(records, index, answers=(answer.model_copy(update={"verdict": Verdict.INCORRECT}),))

    report = reported(flip)
    (found,) = findings(report, "stored-verdict")
    assert found.text.startswith("stored verdict ≠ re-scored by answer-line@1 in 1 record")
    assert found.items == (f"{VICTIM} {QUESTION} (incorrect → correct)",)
    assert report.cells[0].flips.count == 34  # shown as stored: the verdict now differs from both other runs


def test_a_changed_output_hash_is_refused_and_names_the_record(published, tmp_path):
    runs, environments, questions = published
    seal(tmp_path / "bundle", *runs, study="published", questions=questions, environments=environments)

    def change(rows):
        for row in rows:
            if (row["run_id"], row["question_id"]) == (VICTIM, QUESTION):
                row["output_digest"] = f"out1:{'0' * 64}"
        return rows

    reseal(tmp_path / "bundle", "facts", change)
    store = Store(tmp_path / "store")
    with pytest.raises(InputError, match=f"run {VICTIM}, question {QUESTION}"):
        ingest(store, Request((tmp_path / "bundle",), None, None, None, None, "test"), lambda _: None)
    assert store.bundles() == ()


def test_an_equal_duplicate_is_kept_once_and_counted(reported):
    report = reported(lambda records: [*records, records[at(records)]])
    assert {run.run: run.duplicates for run in report.runs} == {"c1.0": 0, VICTIM: 1, "c1.2": 0}
    assert (report.cells[0].flips.count, report.cells[0].flips.of) == (32, 3957)
    assert report.cells[0].accuracy.sd == pytest.approx(0.0023161868561818494)


def test_a_conflicting_duplicate_quarantines_the_run(reported):
    def contradict(records):
        record = records[at(records)]
        answer = record.answers[0].model_copy(update={"verdict": Verdict.INCORRECT})
        return [*records, record.model_copy(update={"answers": (answer,)})]

    report = reported(contradict)
    (cell,) = report.cells
    assert (cell.deployments, [run.run for run in cell.accuracy.per_run]) == (2, ["c1.0", "c1.2"])
    assert {run.run: (run.state, run.in_cell) for run in report.runs}[VICTIM] == ("quarantined", False)
    (found,) = findings(report, "quarantined")
    assert f"conflicting duplicates on {QUESTION}" in found.text
    assert all(VICTIM not in (pair.a, pair.b) for pair in report.pairs)


def test_a_missing_record_is_said_wherever_it_matters(reported):
    report = reported(lambda records: [record for record in records if record.question_id != QUESTION])
    (cell,) = report.cells
    assert cell.base == "on 1,318 of 1,319 common questions"
    assert (cell.questions, cell.scored_questions, report.questions) == (1318, 1318, 1319)
    assert [run.of for run in cell.accuracy.per_run] == [1318] * 3
    # two of the three pairs lack the question: 3,957 less 2
    assert (cell.flips.of, cell.identity.of, cell.answers.of, cell.funnel.of) == (3955,) * 4
    assert {(pair.a, pair.b): (pair.of, pair.missing) for pair in report.pairs} == {
        ("c1.0", VICTIM): (1318, 1),
        ("c1.0", "c1.2"): (1319, 0),
        (VICTIM, "c1.2"): (1318, 1),
    }
    assert next(run for run in report.runs if run.run == VICTIM).missing == 1
    (found,) = findings(report, "missing")
    assert "on 1,318 of 1,319 common questions" in found.text
    assert f"{VICTIM} has 1,318 of 1,319" in found.text
    assert cell_sections(report)[0].rows[0][-1] == "on 1,318 of 1,319 common questions"


def test_the_command_prints_the_same_bytes_twice(bundled_store):
    command = [sys.executable, "-m", "flipbook", "report", "published", "--json", "--store", str(bundled_store)]
    once, again = (subprocess.run(command, capture_output=True, check=True, cwd=ROOT).stdout for _ in range(2))
    assert once == again
    assert json.loads(once)["format"] == "flipbook-report/1"
