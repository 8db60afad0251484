"""`flipbook gate`, `draft-gates` and `decisions`: exit codes, files that are off, and what is kept."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys

import pytest

from store.errors import InputError
from store.people.database import open_people
from store.people.gates import decisions, gate_sets
from store.results.gate.file import load_gate_set
from tests.builders import MAP, lines
from tests.command.test_command import flipbook
from tests.conftest import ROOT

CELLS = MAP.replace('cell = { constant = "cell" }', 'cell = { column = "cell" }') + 'arrival_unix_s = { column = "at" }\n'
RUNS = {
    "old0": ("old", "1 1 1 2"), "old1": ("old", "1 1 1 2"), "good0": ("good", "1 1 1 1"), "good1": ("good", "1 1 1 2"),
    "bad0": ("bad", "1 2 1 1"), "bad1": ("bad", "1 2 1 1"),
}  # fmt: skip
PATTERN = 'id = "a"\nmetric = "matching texts"\nquestions = "all"\npattern = "(?=x)"\nlevel = 0.9\nhistory_min = 8\n'
AT = 1_780_000_000  # 2026-05-28
CRITICAL = 'id = "critical"\nmetric = "all correct"\nquestions = { ids = ["q1", "q2"] }\n'


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A store, its mapping file, and the draft of gates for baseline `old`."""
    folder = tmp_path_factory.mktemp("gates")
    rows = [
        {"run": run, "cell": cell, "id": f"q{i}", "text": f"The final answer is {said}", "gold": "1", "at": AT}
        for run, (cell, answers) in RUNS.items()
        for i, said in enumerate(answers.split(), 1)
    ]
    (folder / "map.toml").write_text(CELLS, encoding="utf-8")
    table = lines(folder / "all.jsonl", *rows)
    done = flipbook("ingest", table, "--study", "s", "--map", folder / "map.toml", "--store", folder / "store")
    assert done.returncode == 0, done.stderr
    drafted = flipbook("draft-gates", "s", "old", "--store", folder / "store")
    assert drafted.returncode == 0, drafted.stderr
    (folder / "draft.toml").write_text(drafted.stdout, encoding="utf-8")
    return folder


@pytest.fixture
def store(made, tmp_path):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "store"


def gate_file(store, name="gates.toml", **changes):
    """The draft for baseline `old` with every choice made."""
    drafted = (store.parent / "draft.toml").read_text(encoding="utf-8")
    choices = {
        "id": '"set"', "author": '"me"', "reason": '"a test"', "frozen_at": "2026-01-01T00:00:00Z", "mode": '"statistical"',
        "target": '"fixed questions"', "incomplete_runs": '"fail"', "baseline": "2", "candidate": "2",
    } | changes  # fmt: skip
    head, _, _ = drafted.partition("[[gates]]")
    for key, value in choices.items():
        head = re.sub(rf"^{key} =( +#.*|)$", lambda _, key=key, value=value: f"{key} = {value}", head, flags=re.MULTILINE)
    path = store.parent / name
    path.write_text(f"{head}[[gates]]\n{changes.get('gate', CRITICAL)}", encoding="utf-8")
    return path


def gate(store, file, candidate, *more):
    return flipbook("gate", "s", file, candidate, "--store", store, *more)


@pytest.mark.parametrize(
    ("candidate", "changes", "code", "said"),
    [
        ("good", {}, 0, "PASS: 1 of 1 gate passed, on statistical grounds only, outputs are not known to be equal."),
        ("bad", {}, 1, "BLOCK: critical failed; 0 of 1 gate passed."),
        (
            "good",
            {"candidate": "3"},
            3,
            "INCONCLUSIVE: no release yet, more deployments needed; deployments left open, 1 of 1 gate passed.",
        ),
        ("good", {"frozen_at": "2026-11-01T00:00:00Z"}, 4, "NOT EVALUABLE: no release, frozen-in-time not proven."),
        (
            "bad",
            {"frozen_at": "2026-11-01T00:00:00Z"},
            4,
            "NOT EVALUABLE: no release, frozen-in-time not proven; critical would fail.",
        ),
    ],
)
def test_the_exit_code_is_the_outcome(store, candidate, changes, code, said):
    done = gate(store, gate_file(store, **changes), candidate)
    assert done.returncode == code, done.stderr
    assert done.stdout.startswith(said)
    found = json.loads(gate(store, gate_file(store, **changes), candidate, "--json").stdout)
    assert found["exit_code"] == code
    assert found["sentence"] + "." == said


def test_a_draft_cannot_be_read_before_its_choices_are_made(store):
    done = gate(store, store.parent / "draft.toml", "good")
    assert done.returncode == 2
    assert "not TOML" in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "format: Field required"),
        ("\x00", "not TOML"),
        ("format = 'flipbook-gates/1'\nmargin = 1", "id: Field required"),
    ],
)
def test_a_file_that_is_no_gate_set_is_named_and_keeps_nothing(store, text, said):
    path = store.parent / "gates.toml"
    path.write_text(text, encoding="utf-8")
    done = gate(store, path, "good")
    assert done.returncode == 2
    assert said in done.stderr
    assert str(path) in done.stderr
    assert not (store / "people.sqlite").exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"frozen_at": "2026-01-01T00:00:00"}, "frozen_at"),
        ({"mode": '"token exact"'}, 'needs a gate with metric "tokens"'),
        ({"gate": CRITICAL.replace("all correct", "accuracy")}, "margin_points: Field required"),
        ({"gate": CRITICAL.replace("all correct", "speed")}, "'accuracy'"),
        ({"gate": CRITICAL + "margin = 1\n"}, "margin"),
        ({"gate": f"{CRITICAL}[[gates]]\n{CRITICAL}"}, "two gates have the id 'critical'"),
        ({"baseline": "true"}, "min_deployments.baseline"),
        ({"baseline": '"2"'}, "min_deployments.baseline"),
        ({"baseline": "9007199254740993"}, "min_deployments.baseline"),
        ({"frozen_at": "1700000000"}, "frozen_at: is a date and time with its offset"),
        ({"frozen_at": '"1700000000"'}, "frozen_at: is a date and time with its offset"),
        ({"frozen_at": "9999-12-31T23:59:59-12:00"}, "frozen_at: lies between 1970 and 2200"),
        ({"candidate": "1" * 5000}, "not TOML"),
        ({"gate": CRITICAL.replace('["q1", "q2"]', "[]")}, "questions.ids"),
        ({"gate": CRITICAL.replace('["q1", "q2"]', "[1]")}, "questions.ids"),
        (
            {"gate": CRITICAL.replace('["q1", "q2"]', '["q1"], categories = ["a"]')},
            'is "all", { categories = [...] } or { ids = [...] }',
        ),
        ({"gate": CRITICAL.replace("critical", "records")}, "'records' is the name of a condition"),
        ({"gate": 'id = "a"\nmetric = "log-probability error"\nquestions = "all"\nat_most_nats = nan\n'}, "at_most_nats"),
    ],
)
def test_a_choice_that_cannot_be_is_named(store, changes, said):
    file = gate_file(store, **changes)
    with pytest.raises(InputError) as found:
        load_gate_set(file)
    assert said in found.value.line
    assert str(file) in found.value.line
    assert "\n" not in found.value.line


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"frozen_at": "2199-01-01T00:00:00Z"}, "frozen_at: 2199-01-01 00:00:00 UTC lies in the future"),
        ({"baseline": "true"}, "min_deployments.baseline"),
        ({"gate": PATTERN}, "gate a, pattern: '(?=x)' is no regular expression"),
    ],
)
def test_a_gate_file_that_is_off_ends_with_two_and_one_line(store, changes, said):
    done = gate(store, gate_file(store, **changes), "good")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_decisions_are_kept_once_and_listed_newest_first(store):
    file = gate_file(store)
    first = gate(store, file, "good", "--by", "ann")
    assert "kept; gate set first seen here" in first.stderr
    assert "was made already by ann" in gate(store, file, "good", "--by", "bob").stderr
    gate(store, file, "bad", "--by", "bob")
    gate(store, file, "bad", "--dry-run")
    held = json.loads(flipbook("decisions", "s", "--json", "--store", store).stdout)
    assert [(row["by"], row["decision"]["outcome"]) for row in held] == [
        ("bob", "block"),
        ("ann", "release_statistical_only"),
    ]
    printed = json.loads(gate(store, file, "bad", "--json").stdout)
    assert held[0]["decision"] == printed
    assert "bob" in flipbook("decisions", "s", "--store", store).stdout


def test_a_gate_set_never_changes_under_its_name(store):
    gate(store, gate_file(store), "good")
    done = gate(store, gate_file(store, name="other.toml", reason='"softer"'), "good")
    assert done.returncode == 2
    assert "'set' is held with other content" in done.stderr
    engine = open_people(store / "people.sqlite")
    assert [json.loads(row.document)["reason"] for row in gate_sets(engine, "s")] == ["a test"]
    assert len(decisions(engine, "s")) == 1
    engine.dispose()


def test_comments_and_layout_do_not_make_another_gate_set(store):
    file = gate_file(store)
    gate(store, file, "good")
    file.write_text("# a remark\n" + file.read_text(encoding="utf-8").replace(" = ", "="), encoding="utf-8")
    assert gate(store, file, "good").returncode == 0


def test_decisions_and_gate_sets_survive_a_rebuild(store):
    gate(store, gate_file(store), "good")
    before = flipbook("decisions", "s", "--json", "--store", store).stdout
    assert flipbook("rebuild", "--store", store).returncode == 0
    assert flipbook("decisions", "s", "--json", "--store", store).stdout == before


def test_a_later_run_of_the_candidate_leaves_the_decision_of_its_generation_as_it_was(store, tmp_path):
    file = gate_file(store)
    gate(store, file, "good")
    extra = [
        {"run": "good2", "cell": "good", "id": f"q{i}", "text": "The final answer is 2", "gold": "1", "at": AT}
        for i in range(1, 5)
    ]
    more = lines(tmp_path / "more.jsonl", *extra)
    assert flipbook("ingest", more, "--study", "s", "--map", tmp_path / "map.toml", "--store", store).returncode == 0
    assert gate(store, file, "good").returncode == 1
    then = gate(store, file, "good", "--as-of", "1")
    assert then.returncode == 0
    assert "was made already" in then.stderr


def test_no_decision_yet_is_said(store):
    done = flipbook("decisions", "s", "--store", store)
    assert (done.returncode, done.stdout.strip()) == (0, "decided  by  gate set  candidate  outcome  generation  decision")
    assert "no decision yet" in done.stderr


@pytest.mark.parametrize("study", ["published", "smollm2-mini"])
def test_the_example_gate_sets_are_for_the_bundled_studies(bundled_store, tmp_path, study):
    store = tmp_path / "store"
    shutil.copytree(bundled_store, store)
    (candidate,) = {"published": ["FP8 cap32"], "smollm2-mini": ["bf16-compiled-cap8"]}[study]
    file = ROOT / "examples" / "gates" / f"{study}.toml"
    assert f"{study}.toml" in file.read_text(encoding="utf-8").splitlines()[1]
    done = flipbook("gate", study, file, candidate, "--store", store, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["exit_code"]) == (4, 4)  # written after the runs, and honest about it
    status = {one["gate"]: one["status"] for one in found["conditions"]}
    assert (status["frozen-in-time"], status["question-set"], status["records"]) == ("not evaluable", "pass", "pass")


def test_a_byte_order_mark_is_no_mistake(store):
    file = gate_file(store)
    file.write_text("\ufeff" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert gate(store, file, "good").returncode == 0


def test_a_dry_run_notices_that_a_gate_set_was_changed_under_its_name(store):
    gate(store, gate_file(store), "good")
    done = gate(store, gate_file(store, name="other.toml", reason='"softer"'), "good", "--dry-run")
    assert (done.returncode, done.stdout) == (2, "")
    assert "held with other content" in done.stderr


@pytest.mark.parametrize(("candidate", "code"), [("good", 0), ("bad", 1)])
def test_a_reader_that_closes_the_pipe_does_not_change_the_verdict(store, candidate, code):
    command = [sys.executable, "-m", "flipbook", "gate", "s", gate_file(store), candidate, "--store", store]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        process.stdout.close()
        process.stderr.read()
        assert process.wait(60) == code


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE gatedecision",
        "UPDATE frozengateset SET document = replace(document, 'a test', 'softer')",
        "UPDATE frozengateset SET document = '{'",
        "UPDATE frozengateset SET first_seen_at = 'garbage'",
    ],
)
def test_what_people_wrote_and_cannot_be_read_is_said_before_any_verdict(store, change):
    file = gate_file(store)
    gate(store, file, "good")
    alter(store, change)
    done = gate(store, file, "bad")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE gatedecision",
        "UPDATE gatedecision SET decided_at = 'zzz'",
        "UPDATE gatedecision SET outcome = 'zzz'",
        "UPDATE gatedecision SET as_of = 'zzz'",
    ],
)
def test_a_damaged_list_of_decisions_is_one_line(store, change):
    gate(store, gate_file(store), "good")
    alter(store, change)
    done = flipbook("decisions", "s", "--store", store)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_a_damaged_document_and_an_emptied_file_are_one_line(store):
    gate(store, gate_file(store), "good")
    alter(store, "UPDATE gatedecision SET document = '{'")
    assert "cannot be read back" in flipbook("decisions", "s", "--json", "--store", store).stderr
    (store / "people.sqlite").write_bytes(b"")
    done = flipbook("decisions", "s", "--store", store)
    assert (done.returncode, "the file is empty" in done.stderr) == (2, True)


def alter(store, statement):
    connection = sqlite3.connect(store / "people.sqlite")
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_decisions_of_a_removed_study_stay_listed(store):
    gate(store, gate_file(store), "good", "--by", "ann")
    assert flipbook("remove", "s", "--yes", "--store", store).returncode == 0
    done = flipbook("decisions", "s", "--store", store)
    assert (done.returncode, "ann" in done.stdout) == (0, True)
    assert flipbook("decisions", "never", "--store", store).returncode == 2


def test_a_gate_set_that_the_store_saw_after_the_candidate_began_is_said_where_it_claims_to_be_older(store):
    said = "first saw the gate set after the candidate began"
    assert said in gate(store, gate_file(store), "good").stderr
    late = gate_file(store, "late.toml", id='"late"', frozen_at="2026-11-01T00:00:00Z")
    assert said not in gate(store, late, "good").stderr


def test_who_decides_is_a_short_name_or_nobody(store):
    file = gate_file(store)
    gate(store, file, "good", "--by", "  ")
    gate(store, file, "bad", "--by", "x" * 5000 + "\x1b[31m")
    held = json.loads(flipbook("decisions", "s", "--json", "--store", store).stdout)
    assert [row["by"] for row in held] == ["x" * 100, "nobody named"]
