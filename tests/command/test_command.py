"""The command line: what it prints, where, and with which exit code."""

import json
import os
import subprocess
import sys
import time

import pytest

from flipbook import __version__
from flipbook.cli import COMMANDS
from tests.builders import MAP, lines, mapping_file
from tests.conftest import ROOT


def flipbook(*arguments, cwd=ROOT, **environment):
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-m", "flipbook", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=env)


@pytest.fixture
def table(tmp_path):
    rows = [{"run": "a", "id": f"q{i}", "text": f"The final answer is {i % 2}", "gold": "1"} for i in range(4)]
    mapping_file(tmp_path / "map.toml")
    return lines(tmp_path / "a.jsonl", *rows)


def ingest(table, *more):
    return flipbook(
        "ingest", table, "--study", "s", "--map", table.parent / "map.toml", "--store", table.parent / "store", *more
    )


def test_help_names_every_command_and_imports_none():
    said = flipbook("--help")
    assert said.returncode == 0
    assert all(f"  {name} " in said.stdout for name in COMMANDS)
    loaded = "import sys; from flipbook.cli import cli; cli(['--help'], standalone_mode=False); print(sorted(sys.modules))"
    modules = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not any(heavy in modules for heavy in ("'duckdb'", "'pandas'", "'streamlit'", "'pydantic'", "'pyarrow'"))


def test_help_and_version_start_fast():
    """Within 0.3 s of a bare interpreter: the best of five, so that a busy machine does not decide."""

    def best(*command):
        times = []
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run([sys.executable, *command], capture_output=True, check=True, cwd=ROOT)
            times.append(time.perf_counter() - start)
        return min(times)

    bare = best("-c", "pass")
    assert best("-m", "flipbook", "--help") - bare < 0.3
    assert best("-m", "flipbook", "--version") - bare < 0.3


def test_version():
    assert flipbook("--version").stdout == f"flipbook, version {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name):
    said = flipbook(name, "--help")
    assert said.returncode == 0
    assert said.stdout.startswith(f"Usage: flipbook {name} ")


def test_from_a_table_to_numbers(table):
    done = ingest(table)
    assert (done.returncode, done.stdout) == (0, "s: 1 run, 4 records on 4 questions (generation 1)\n")
    store = table.parent / "store"
    cells = flipbook("cells", "s", "--store", store)
    assert cells.stdout.splitlines() == [
        "cell  arm  accuracy  sd                     deployments  correct per run  truncated  base",
        "cell  arm   50.00 %  needs ≥ 2 deployments            1           2 of 4          —  on 4 of 4 common questions",
    ]
    assert cells.stderr == "scored by answer-line@1; sd: sample sd (ddof = 1) over deployments\n"
    found = json.loads(flipbook("cells", "s", "--json", FLIPBOOK_STORE=str(store)).stdout)
    accuracy = {"mean": 0.5, "sd": None, "mean_unscored_as_incorrect": None, "per_run": [{"run": "a", "correct": 2, "of": 4}]}
    assert found["cells"] == [
        {
            "cell": "cell",
            "arm": "arm",
            "deployments": 1,
            "questions": 4,
            "scored_questions": 4,
            "unscored": 0,
            "truncated": None,
            "end_unknown": 4,
            "records": 4,
            "accuracy": accuracy,
        }
    ]
    studies = json.loads(flipbook("studies", "--json", "--store", store).stdout)["studies"]
    assert [(s["study"], s["records"], s["questions"]) for s in studies] == [("s", 4, 4)]
    verified = flipbook("verify", "--store", store)
    assert (verified.returncode, verified.stdout) == (0, "1 bundle, 1 run, 4 records: every digest holds\n")


def test_ingesting_again_is_a_no_op(table):
    ingest(table)
    again = ingest(table)
    assert (again.returncode, again.stdout) == (0, "s: nothing new, 1 run held already with the same content\n")


def test_a_refused_line_is_exit_1_with_file_line_and_reason(table):
    with table.open("a") as file:
        file.write("{broken\n")
    done = ingest(table, "--json")
    assert done.returncode == 1
    assert "refused a.jsonl:5: not JSON: Expecting property name" in done.stderr
    assert [(r["file"], r["line"]) for r in json.loads(done.stdout)["refused"]] == [("a.jsonl", 5)]


def test_skipped_files_are_exit_0(table):
    mapping_file(table.parent / "map.toml", MAP.replace('include = ["*"]', 'include = ["*.jsonl"]'))
    (table.parent / "in").mkdir()
    table.rename(table.parent / "in" / "a.jsonl")
    (table.parent / "in" / "notes.txt").write_text("not for you")
    done = flipbook(
        "ingest", table.parent / "in", "--study", "s", "--map", table.parent / "map.toml", "--store", table.parent / "store"
    )
    assert done.returncode == 0
    assert "skipped by pattern: 1 files (notes.txt)" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("cells", "s"), "no study has been ingested here yet. Run `flipbook demo --load-only`"),
        (("studies",), "no study has been ingested here yet"),
        (("verify",), "there is no store here"),
        (("rebuild",), "there is no store here"),
        (("remove", "s", "--yes"), "no study 's' here"),
        (("ingest", "gone.jsonl", "--study", "s"), "there is no such file or folder"),
        (("nonsense",), "No such command 'nonsense'"),
        (("cells",), "Missing argument 'STUDY'"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_2(tmp_path, arguments, said):
    done = flipbook(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_tampered_store_is_exit_1_and_named(table):
    ingest(table)
    path = next((table.parent / "store" / "sealed").rglob("outputs.parquet"))
    path.write_bytes(path.read_bytes() + b"x")
    done = flipbook("verify", "--store", table.parent / "store")
    assert done.returncode == 1
    assert "outputs.parquet: sha256 is" in done.stdout


def test_remove_asks_and_deletes(table):
    ingest(table)
    store = table.parent / "store"
    assert flipbook("remove", "s", "--store", store).returncode == 1  # nobody said yes
    assert flipbook("remove", "s", "--yes", "--store", store).returncode == 0
    assert flipbook("cells", "s", "--store", store).returncode == 2


def test_rebuild_after_the_file_is_lost(table):
    ingest(table)
    (table.parent / "store" / "warehouse.duckdb").unlink()
    assert flipbook("rebuild", "--store", table.parent / "store").returncode == 0
    assert flipbook("cells", "s", "--store", table.parent / "store").returncode == 0


def test_a_fault_of_ours_is_one_line_and_a_file(table, tmp_path):
    ingest(table)
    broken = "import flipbook.commands.cells as c, flipbook.cli as f, sys; c.cells.callback = None; sys.argv = ['flipbook', 'cells', 's'];"
    broken += "c.cells.callback = lambda **_: 1 / 0; f.main()"
    done = subprocess.run([sys.executable, "-c", broken], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 70
    assert done.stderr.startswith("flipbook: a fault of ours (ZeroDivisionError: division by zero). Please report it with ")
    assert "Traceback" not in done.stderr


def test_names_from_data_do_not_steer_the_terminal(tmp_path):
    mapping_file(tmp_path / "map.toml", MAP.replace('cell = { constant = "cell" }', 'cell = { column = "cell" }'))
    table = lines(tmp_path / "a.jsonl", {"run": "a", "id": "q", "text": "1", "gold": "1", "cell": "\x1b[31mred"})
    ingest(table)
    assert "\x1b" not in flipbook("cells", "s", "--store", tmp_path / "store").stdout


def test_a_taken_port_is_said(server):
    port = server.rpartition(":")[2]
    done = flipbook("serve", "--port", port)
    assert (done.returncode, done.stderr) == (2, f"flipbook: port {port} is taken. Give another one with --port.\n")
