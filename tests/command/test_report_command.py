"""`flipbook report`, `compare`, `pairs` and `question`: golden output, JSON and exit codes.

`GOLDEN=write pytest tests/command/test_report_command.py` writes the expected files anew; read the diff.
"""

import json
import os

import pytest

from tests.builders import MAP, lines
from tests.command.test_command import flipbook
from tests.conftest import ROOT

GOLDEN = ROOT / "tests" / "command" / "golden"
ANSWERS = {
    # four questions with gold 1; cell A has three deployments, B has two, `odd | name` one
    "a0": ("A", "1 2 1 1"), "a1": ("A", "1 1 1 1"), "a2": ("A", "1 2 1 1"), "b0": ("B", "2 2 1 3"), "b1": ("B", "2 2 1 3"),
    "c0": ("odd | *name*", "1 1 - 1"),
}  # fmt: skip
CELLS = MAP.replace('cell = { constant = "cell" }', 'cell = { column = "cell" }').replace(
    'arm = { constant = "arm" }', 'arm = { column = "cell" }'
)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("golden")
    rows = [
        {"run": run, "cell": cell, "id": f"q{i}", "text": f"The final answer is {said}", "gold": "1"}
        for run, (cell, answers) in ANSWERS.items()
        for i, said in enumerate(answers.split(), 1)
        if said != "-"
    ]
    (folder / "map.toml").write_text(CELLS, encoding="utf-8")
    table = lines(folder / "all.jsonl", *rows)
    done = flipbook("ingest", table, "--study", "s", "--map", folder / "map.toml", "--store", folder / "store")
    assert done.returncode == 0, done.stderr
    return folder / "store"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("report.txt", ("report", "s")),
        ("report.md", ("report", "s", "--markdown")),
        ("report.tex", ("report", "s", "--latex")),
        ("compare.txt", ("compare", "s", "A", "B")),
        ("pairs.txt", ("pairs", "s", "--kind", "fresh–fresh")),
        ("question.txt", ("question", "s", "q2")),
        ("only.md", ("compare", "s", "A", "B", "--markdown", "--only", "noise", "--only", "difference")),
    ],
)
def test_what_is_printed_is_what_was_printed(store, name, arguments):
    done = flipbook(*arguments, "--store", store)
    assert done.returncode == 0, done.stderr
    said = done.stdout + "".join(f"stderr: {line}\n" for line in done.stderr.splitlines())
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.mkdir(exist_ok=True)
        (GOLDEN / name).write_text(said, encoding="utf-8")
    assert said == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "form"),
    [
        (("report", "s"), "flipbook-report/1"),
        (("compare", "s", "A", "B"), "flipbook-compare/1"),
        (("pairs", "s"), "flipbook-pairs/1"),
        (("question", "s", "q2"), "flipbook-question/1"),
    ],
)
def test_json_is_json_without_nan_and_says_its_version(store, arguments, form):
    done = flipbook(*arguments, "--json", "--store", store)

    def no_constant(name):
        raise AssertionError(f"{name} in JSON")

    found = json.loads(done.stdout, parse_constant=no_constant)
    assert (done.returncode, found["format"], found["study"]) == (0, form, "s")


def test_a_kind_may_be_written_with_a_keyboards_hyphen(store):
    typed, printed = (
        flipbook("pairs", "s", "--kind", kind, "--store", store).stdout for kind in ("fresh-fresh", "fresh–fresh")
    )
    assert typed == printed
    assert "fresh–fresh" in typed


def test_three_repeats_against_two_by_hand(store):
    found = json.loads(flipbook("compare", "s", "A", "B", "--json", "--store", store).stdout)
    # A: q2 split; right 3, 4, 3 of 4. B: right 1, 1 of 4. A's flips: 2 of 12; between: q1 and q4 3 * 2 each, q2 1 * 2
    assert (found["a"]["right"], found["b"]["right"], found["questions"]) == ([3, 4, 3], [1, 1], 4)
    assert found["between"]["difference"]["value"] == pytest.approx(2 / 8 - 10 / 12)
    assert [(line["flips"], line["flips_of"]) for line in found["strip"]] == [(2, 12), (14, 24), (0, 4)]
    assert [(q["question"], q["answer_a"], q["answer_b"], q["right"]) for q in found["not_noise"]] == [
        ("q1", "1", "2", "a"),
        ("q4", "1", "3", "a"),
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("report", "nope"), "no study 'nope'"),
        (("report", "s", "--extractor", "x@1"), "no record of study 's' is scored by 'x@1'"),
        (("report", "s", "--as-of", "9"), "this store is at generation 1"),
        (("report", "s", "--partner", "zz"), "no complete run 'zz'"),
        (("report", "s", "--acknowledge", "zz"), "no run 'zz' to acknowledge"),
        (("report", "s", "--json", "--latex"), "exclude each other"),
        (("report", "s", "--level", "95"), "level lies between 0.5 and 0.9999, not at 95"),
        (("report", "s", "--power", "nan"), "power lies between 0.5 and 0.9999, not at nan"),
        (("report", "s", "--alpha", "1e-300"), "alpha lies between 0.0001 and 0.5"),
        (("compare", "s", "A", "B", "--large-gap", "nan"), "--large-gap is a number of nats above 0"),
        (("compare", "s", "A", "Z"), "has no cell 'Z'"),
        (("compare", "s", "A", "A"), "compared with itself"),
        (("question", "s", "q99"), "has no question 'q99'"),
        (("pairs", "s", "--kind", "odd"), "no pair kind 'odd'. Kinds: same-process, fresh-fresh"),
        (("report", "s", "--only", "zebra"), "no table has 'zebra' in its title"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_two(store, arguments, said):
    done = flipbook(*arguments, "--store", store)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


ESCAPE = "\x1b[31mX\x1b]0;pwn\x07\u202e"


def test_names_from_data_steer_no_terminal_and_end_no_table(tmp_path):
    """Escapes, addresses, brackets and stars as cell names, in every form."""
    names = (ESCAPE, "[5pt]y", "*star", "https://example.org www.example.org", "a|b & c_d")
    rows = [{"run": f"r{i}", "cell": name, "id": f"q{ESCAPE}", "text": "1", "gold": "1"} for i, name in enumerate(names)]
    (tmp_path / "map.toml").write_text(CELLS, encoding="utf-8")
    table = lines(tmp_path / "all.jsonl", *rows)
    flipbook("ingest", table, "--study", "s", "--map", tmp_path / "map.toml", "--store", tmp_path / "store")
    said = [
        flipbook(*command, *form, "--store", tmp_path / "store")
        for command in (("report", "s"), ("compare", "s", ESCAPE, "*star"), ("question", "s", f"q{ESCAPE}"), ("pairs", "s"))
        for form in ((), ("--markdown",), ("--latex",))
    ]
    assert {done.returncode for done in said} == {0}
    assert not any(c in done.stdout + done.stderr for done in said for c in "\x1b\x07\u202e")
    markdown, latex = said[1].stdout, said[2].stdout
    assert "https\\://example.org www\\.example.org" in markdown
    assert "a\\|b \\& c\\_d" in markdown
    assert "{}[5pt]y &" in latex
    assert "{}*star &" in latex
