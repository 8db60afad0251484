"""The page of gates: the walk of a release manager from a cold link in a real browser, and every state it can be in."""

import json
import re
import shutil
import subprocess
import sys
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import expect

from store.contract.gates import GateSet
from store.folder import Store
from store.people.database import open_people
from store.people.gates import gate_set_row, keep_gate_set
from tests.builders import answered, labels
from tests.conftest import ROOT, serving
from tests.dashboard.browsing import column, settled, steps, table
from tests.dashboard.reading import column as cells_of
from tests.dashboard.reading import html, parts, press, tables, url
from tests.dashboard.test_workflows import copied, in_another_browser
from tests.store.test_folder import admit

WORDS = {0: "PASS", 1: "BLOCK", 3: "INCONCLUSIVE", 4: "NOT EVALUABLE"}
CASES = [
    # each study with its example gates, frozen early enough, and softer or harder where the case needs it
    ("smollm2-mini", "bf16-compiled-cap8", {}, 1, "log-probabilities", "chinese-08"),
    ("smollm2-mini", "bf16-eager-cap1", {"at_most_nats = 0.5": "at_most_nats = 9.0"}, 3, "deployments", None),
    ("published", "FP8 cap32", {}, 4, "frozen-in-time", None),
]


def judge(store, file, study, candidate, *more):
    """`flipbook gate`, as a release script calls it."""
    command = [sys.executable, "-m", "flipbook", "gate", study, file, candidate, "--store", store, "--by", "release bot", *more]
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)


def early(tmp_path, study, name, changes):
    """The example gates of a study under another name, frozen before anything ran."""
    text = (ROOT / "examples" / "gates" / f"{study}.toml").read_text(encoding="utf-8")
    changes = {
        "2026-11-30T18:00:00Z": "2026-01-01T00:00:00Z",
        f'id = "{re.search(chr(34) + "([a-z]+-2026-11)", text).group(1)}"': f'id = "{name}"',
    } | changes
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def decided(bundled_store, tmp_path_factory):
    """A store of its own in which every case was decided, and what the command said."""
    folder = tmp_path_factory.mktemp("decided")
    shutil.copytree(bundled_store, folder / "store")
    said = {}
    for i, (study, candidate, changes, code, _, _) in enumerate(CASES):
        file = early(folder, study, f"set{i}", changes)
        done = judge(folder / "store", file, study, candidate, "--json")
        assert done.returncode == code, done.stderr
        said[f"set{i}"] = json.loads(done.stdout)
    return folder / "store", said


@pytest.fixture(scope="module")
def gate_server(decided):
    yield from serving(decided[0])


@pytest.mark.parametrize("case", range(len(CASES)))
def test_4_a_release_is_judged_by_gates_and_the_page_says_what_the_command_ended_with(
    gate_server, decided, page, browser, case
):
    study, candidate, _, code, decisive, first = CASES[case]
    said = decided[1][f"set{case}"]
    page.goto(f"{gate_server}/gates?study={study}&gates=set{case}&candidate={candidate}")
    heading = f"{candidate} judged against {said['baseline']['name']}"
    settled(page, heading)
    expect(page.locator(".fb-verdict b")).to_have_text(WORDS[code])
    expect(page.get_by_text(f"The command ends with exit code {code}.")).to_be_visible()
    expect(page.get_by_text("by release bot")).to_be_visible()
    assert column(page, "gates", 0) == [gate["gate"] for gate in said["gates"]]
    assert column(page, "conditions", 0) == [gate["gate"] for gate in said["conditions"]]
    shown = [*column(page, "gates", 1), *column(page, "conditions", 1)]
    assert shown == [gate["status"] for gate in (*said["gates"], *said["conditions"])]
    listed = next(gate for gate in (*said["gates"], *said["conditions"]) if gate["gate"] == decisive)
    if listed["culprits"]:
        expect(page.get_by_role("heading", name=f"Why {decisive}: {listed['status']}")).to_be_visible()
    if first is not None:
        page.get_by_role("button", name=re.compile("Show all")).first.click() if len(listed["culprits"]) > 20 else None
        assert column(page, f"what broke {decisive}", 0) == [culprit["question"] for culprit in listed["culprits"]]
    assert [row for row in column(page, "gate decisions", 3) if row == f"set{case}"] == [f"set{case}"]
    other = in_another_browser(browser, copied(page), heading)
    assert other.url == page.url
    assert column(other, "gates", 2) == column(page, "gates", 2)
    expect(other.locator(".fb-verdict")).to_have_text(page.locator(".fb-verdict").inner_text())
    other.context.close()


def test_4_the_list_that_broke_a_gate_leads_to_its_questions_and_back(gate_server, decided, page):
    page.goto(f"{gate_server}/gates?study=smollm2-mini&gates=set0&candidate=bf16-compiled-cap8")
    heading = "bf16-compiled-cap8 judged against bf16-eager-cap8"
    settled(page, heading)
    before = steps(page)
    table(page, "gates").get_by_text("accuracy", exact=True).click()
    expect(page.get_by_role("heading", name="Why accuracy: inconclusive")).to_be_visible()
    expect(page).to_have_url(re.compile("gate=accuracy"))
    ids = column(page, "what broke accuracy", 0)
    gate = next(gate for gate in decided[1]["set0"]["gates"] if gate["gate"] == "accuracy")
    assert ids == [culprit["question"] for culprit in gate["culprits"]]
    assert len(ids) > 1
    table(page, "what broke accuracy").get_by_role("link", name=ids[0], exact=True).click()
    settled(page, f"Question {ids[0]}")
    assert steps(page) == before + 2
    expect(page.get_by_text(f"1 of {len(ids)} that the gate names")).to_be_visible()
    page.keyboard.press("ArrowRight")
    settled(page, f"Question {ids[1]}")
    page.go_back()
    settled(page, f"Question {ids[0]}")
    page.go_back()
    settled(page, heading)
    expect(page.get_by_role("heading", name="Why accuracy: inconclusive")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Why log-probabilities: fail")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="Why accuracy: inconclusive")).to_be_visible()


def gates(baseline="old", **changes):
    said = {
        "format": "flipbook-gates/1", "id": "set", "author": "a test", "reason": "a test", "frozen_at": "2026-01-01T00:00:00Z",
        "mode": "statistical", "target": "fixed questions", "extractor": "answer-line@1", "baseline": baseline,
        "question_set": "qs1:" + "0" * 64, "incomplete_runs": "fail", "min_deployments": {"baseline": 1, "candidate": 1},
        "gates": [{"id": "critical", "metric": "all correct", "questions": "all"}],
    }  # fmt: skip
    return GateSet.model_validate_json(json.dumps(said | changes))


def told(cell, letters, i=0):
    records = [
        answered(f"q{n}", f"The final answer is {1 if letter == 'C' else 2}", arrival_unix_s=1.78e9)
        for n, letter in enumerate(letters)
    ]
    return labels(f"{cell}{i}", cell=cell, repeat=i), records


@pytest.fixture
def released(tmp_path):
    """Two cells, a gate set whose question set is theirs, and a decision that passed."""
    store = Store(tmp_path / "store")
    admit(store, told("old", "CC"), told("new", "CC"))
    drafted = subprocess.run(
        [sys.executable, "-m", "flipbook", "draft-gates", "s", "old", "--store", str(store.root)],
        capture_output=True,
        text=True,
        check=True,
    )
    digest = re.search(r"qs1:[0-9a-f]{64}", drafted.stdout).group()
    file = tmp_path / "gates.toml"
    text = "\n".join(
        f"{key} = {json.dumps(value)}"
        for key, value in gates(question_set=digest).model_dump(mode="json").items()
        if key not in ("gates", "min_deployments", "frozen_at")
    )
    file.write_text(
        f"{text}\nfrozen_at = 2026-01-01T00:00:00Z\nmin_deployments = {{ baseline = 1, candidate = 1 }}\n"
        '[[gates]]\nid = "critical"\nmetric = "all correct"\nquestions = "all"\n',
        encoding="utf-8",
    )
    assert judge(store.root, file, "s", "new").returncode == 0
    return store


def test_a_pass_is_a_pass_and_a_later_run_is_named(open_view, released):
    at = open_view(released.root, "gates", study="s")
    assert "<b>PASS</b> 1 of 1 gate passed, on statistical grounds only" in html(at)
    assert "Decided " in html(at)
    link = url(at)
    assert (link["gates"], link["candidate"], link["as_of"]) == ("set", "new", "1")
    admit(released, told("new", "CI", 1))
    old = html(open_view(released.root, "gates", **link))
    assert "<b>PASS</b>" in old
    assert "Added since and left out: 1 run" in old
    now = open_view(released.root, "gates", study="s")
    assert "<b>BLOCK</b> critical failed; 0 of 1 gate passed" in html(now)
    assert "Judged for this page and not kept." in html(now)
    assert cells_of(tables(now)["what broke critical"], "question") == ["q1"]
    history = tables(now)["gate decisions"]
    assert (cells_of(history, "candidate"), cells_of(history, "generation")) == (["new"], ["1"])
    then = open_view(released.root, "gates", study="s")
    opened = tables(then)["gate decisions"]["rows"][0]
    assert "as_of=1" in opened["href"]
    assert "<b>PASS</b>" in html(open_view(released.root, "gates", **dict(parse_qsl(opened["href"].partition("?")[2]))))


def test_another_gate_set_is_a_choice_and_forgets_the_candidate_of_the_first(open_view, released):
    engine = open_people(released.people)
    keep_gate_set(engine, gate_set_row("s", gates("new", id="other")))
    engine.dispose()
    at = open_view(released.root, "gates", study="s", gates="set")
    assert url(at)["gates"] == "set"
    at = press(at, "controls", "choose", {"gates": "other"})
    assert (url(at)["gates"], url(at)["candidate"]) == ("other", "old")
    assert "<b>NOT EVALUABLE</b> no release, question-set not proven" in html(at)


def test_a_gate_set_for_a_baseline_that_is_gone_is_an_error_and_not_a_verdict(open_view, released):
    engine = open_people(released.people)
    keep_gate_set(engine, gate_set_row("s", gates("gone", id="gone")))
    engine.dispose()
    shown = html(open_view(released.root, "gates", study="s", gates="gone", candidate="new"))
    assert "has no cell &#x27;gone&#x27;" in shown
    assert 'class="fb-verdict' not in shown


def test_gates_scored_by_nobody_here_are_an_error(open_view, released):
    engine = open_people(released.people)
    keep_gate_set(engine, gate_set_row("s", gates(id="boxed", extractor="boxed@1")))
    engine.dispose()
    assert "is scored by &#x27;boxed@1&#x27;" in html(open_view(released.root, "gates", study="s", gates="boxed"))


def test_an_environment_digest_is_a_candidate_also_by_its_beginning(open_view, bundled_store):
    shown = open_view(bundled_store, "gates", study="published")
    digest = next(
        option
        for row in parts(shown, "controls")
        for control in row["controls"]
        for option, _ in control["options"]
        if option.startswith("env1:")
    )
    at = open_view(bundled_store, "gates", study="published", candidate=digest[:13])
    assert url(at)["candidate"] == digest
