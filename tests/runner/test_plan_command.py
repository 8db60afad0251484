"""`flipbook plan`: what it says of both example studies, of what is missing, and of files that are no study."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from flipbook.commands.plan import duration, plan_json
from runner.study.missing import engine_python
from runner.study.plan import plan_of
from tests.conftest import ROOT
from tests.runner.studies import cell, write

PUBLISHED = ROOT / "examples" / "published-grid.toml"
SMOLLM2 = ROOT / "examples" / "smollm2-cpu.toml"


def plan(*arguments, **environment):
    command = [sys.executable, "-m", "flipbook", "plan", *map(str, arguments)]
    env = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=env)


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The published study as text and as JSON, seen from a machine whose hub cache is empty."""
    cache = str(tmp_path_factory.mktemp("hub"))
    text, data = plan(PUBLISHED, HF_HUB_CACHE=cache), plan(PUBLISHED, "--json", HF_HUB_CACHE=cache)
    assert (text.returncode, data.returncode) == (0, 0)
    return text, json.loads(data.stdout)


def numbers(found):
    return {kind: counted["n"] for kind, counted in found["pair_kinds"].items()}


def test_the_published_grid_as_json(published):
    found = published[1]
    assert found["study"] == "published-grid"
    assert found["questions"] == {"count": None, "sha256": None, "planned": 1319}
    assert sum(run["role"] == "grid" for run in found["runs"]) == 23
    assert found["runs"][-2] == {
        "run": "bf16-cap32-loader.1",
        "cell": "bf16-cap32",
        "arm": "BF16",
        "role": "loader",
        "repeat": 10,
        "pass": 0,
        "deployment": "bf16-cap32-loader.1",
        "engine": "vllm",
        "model": "bf16",
        "cache": {
            "inductor": "load from bf16-cap32-builder",
            "triton": "load from bf16-cap32-builder",
            "flashinfer_jit": "shared",
            "flashinfer_autotune": "load from bf16-cap32-builder",
        },
    }


def test_the_published_grids_pairs(published):
    """30 runs, 435 pairs. Runs: cap1 3, cap8 5, cap32 11 (5 grid, 3 passes, builder, 2 loaders), FP8 5, INT4 5, HF 1.

    same-process: 3 passes, 3 pairs. loader–loader: 1. builder–loader: each of 2 loaders with 9 others of its cell, 18,
    2 of them with its own builder. fresh–fresh: cap1 3, cap8 10, cap32 C(9,2) − 3 = 33, FP8 10, INT4 10. cross-cell, in
    BF16: 3·5 + 3·11 + 5·11 = 103. cross-arm: 19·5 + 19·5 + 5·5 = 215. cross-backend: 29.
    """
    assert numbers(published[1]) == {
        "same-process": 3, "fresh–fresh": 66, "builder–loader": 18, "loader–loader": 1,
        "cross-cell": 103, "cross-arm": 215, "cross-backend": 29,
    }  # fmt: skip
    assert sum(numbers(published[1]).values()) == 30 * 29 / 2
    builds = {place["build"]: place["n"] for place in published[1]["pair_kinds"]["builder–loader"]["cells"]}
    assert builds == {"same": 2, "other": 16}


def test_the_published_grids_differences(published):
    """z = 2.80159. Five and five: sqrt((0.009/10 + 0.009/10)/1319) = 0.00116820, times z 0.3273 points.

    Three and five: sqrt((0.009/6 + 0.009/10)/1319) = 0.00134891, times z 0.3779 points. Ten pairs of five cells.
    """
    found = {(d["a"], d["b"]): d for d in published[1]["detectable"]}
    assert len(found) == 10
    assert found["bf16-cap8", "bf16-cap32"]["points"] == pytest.approx(0.3273, abs=1e-4)
    assert found["bf16-cap1", "int4-cap32"]["points"] == pytest.approx(0.3779, abs=1e-4)
    assert found["bf16-cap1", "int4-cap32"] | {"points": 0} == {
        "a": "bf16-cap1", "b": "int4-cap32", "deployments_a": 3, "deployments_b": 5, "questions": 1319,
        "flip_rate": 0.009, "alpha": 0.05, "power": 0.8, "points": 0,
    }  # fmt: skip


def test_the_published_grids_time_and_cost(published):
    """A pass: 1319 · 300 / 2000 = 197.85 s. 28 starts of 300 s and 30 passes: 14335.5 s, 3.982 h, at 3 USD 11.946."""
    found = published[1]["estimate"]
    assert len(found["deployments"]) == 28
    assert found["seconds"] == pytest.approx(14335.5)
    assert (found["cost"], found["currency"]) == (pytest.approx(11.94625), "USD")


def test_the_published_grid_as_text(published):
    said = published[0].stdout.splitlines()
    assert said[0] == "published-grid: questions not known here, reckoned with 1,319, 28 deployments, 30 runs"
    assert said[said.index("Runs") + 1].split() == ["run", "cell", "arm", "role", "repeat", "engine", "model", "cache"]
    assert "builder–loader     18  bf16-cap32 16 (two builds), bf16-cap32 2 (one build)" in said
    assert "bf16-cap32  fp8-cap32       5 and 5      1,319           0.33 pt" in said
    assert "in all 3 h 59 min on 1 device; device time 4.0 h × 3 = 11.95 USD" in said
    remarks = published[0].stderr
    assert "each: 300 s + passes × 1,319 questions × 300 tokens / 2000 tokens a second" in remarks
    assert "Intel/Qwen3.5-9B-int4-AutoRound at 29688b89 will be fetched unless the hub's cache holds it" in remarks


def test_the_published_grid_says_what_is_missing_here(published):
    missing = published[1]["missing"]
    assert missing[0] == (
        "questions: not in the hub's cache; `hf download --repo-type dataset --revision 740312a openai/gsm8k "
        "main/test-00000-of-00001.parquet` fetches them"
    )
    if not Path("/opt/vllm-0.25.0").exists():
        assert "engine vllm: no '/opt/vllm-0.25.0/bin/python' beside the study file or on the PATH" in missing
    no_driver = "devices 0: no NVIDIA driver here (/proc/driver/nvidia is missing)"
    assert (no_driver in missing) is not Path("/proc/driver/nvidia").exists()
    assert all(sentence in published[0].stdout for sentence in missing)


def test_the_cpu_study_as_json():
    """16 runs, 120 pairs: FP32 5 (2 grid, 3 passes), bf16 eager 2, compiled 4 (builder, loader), cap 1 2, INT8 2, HF 1.

    same-process 3. builder–loader: the loader with 3 others of its cell. fresh–fresh: FP32 10 − 3 = 7, compiled 3, and 1
    each of eager, cap 1 and INT8: 13. cross-cell in BF16: 2·4 + 2·2 + 4·2 = 20. cross-arm: 5·8 + 5·2 + 8·2 = 66.
    cross-backend: 15.
    """
    found = plan_json(plan_of(SMOLLM2))
    assert (found["questions"]["count"], found["questions"]["planned"]) == (219, None)
    assert len(found["runs"]) == 16
    assert len({run["deployment"] for run in found["runs"]}) == 14
    assert numbers(found) == {
        "same-process": 3, "fresh–fresh": 13, "builder–loader": 3, "loader–loader": 0,
        "cross-cell": 20, "cross-arm": 66, "cross-backend": 15,
    }  # fmt: skip
    # z · sqrt((0.01/4 + 0.01/4)/219) = 2.80159 · 0.00477821 = 1.3387 points
    assert {round(d["points"], 3) for d in found["detectable"]} == {1.339}


def test_the_cpu_study_as_text():
    said = plan(SMOLLM2)
    assert said.returncode == 0
    lines = said.stdout.splitlines()
    assert lines[0] == "smollm2-cpu: 219 questions, 14 deployments, 16 runs"
    assert "fp32-eager-probe.0.p2    fp32-eager-cap8     FP32  probe         4  vllm          f32    fresh" in lines
    assert "loader–loader       0" in lines


def missing(folder, *cells, swap=()):
    return list(plan_of(write(folder, *cells, swap=swap)).missing)


def test_nothing_is_missing_where_everything_is(tmp_path):
    assert missing(tmp_path) == []


def test_everything_that_is_missing_gets_a_sentence(tmp_path):
    (tmp_path / "python").write_text("")
    swap = [
        ('"questions.jsonl"', '"absent.jsonl"'),
        ('python = "python3"', 'python = "python"'),
        ('path = "model"', 'path = "absent"\ntokenizer = "absent-too"'),
    ]
    assert missing(tmp_path, swap=swap) == [
        f"questions: {tmp_path / 'absent.jsonl'}: cannot be read (No such file or directory)",
        f"engine e: {tmp_path / 'python'} cannot be executed",
        f"model m: no folder {tmp_path / 'absent'} (a hub repository needs a revision)",
        f"model m: no tokenizer folder {tmp_path / 'absent-too'} (a hub repository needs a tokenizer_revision)",
    ]


def test_questions_with_other_bytes_are_missing_and_not_counted(tmp_path):
    path = write(tmp_path)
    (tmp_path / "questions.jsonl").write_bytes(b"{}")
    found = plan_of(path)
    assert found.questions is None
    assert "its sha256 is" in found.missing[0]
    assert (found.expected.detectable, found.expected.estimate) == ((), None)


def test_with_a_wrapper_only_the_wrapper_is_looked_for(tmp_path):
    swap = [
        ("wrapper = []", 'wrapper = ["no-such-command", "run"]'),
        ('devices = ["cpu"]', 'devices = ["0"]'),
        ('python = "python3"', 'python = "/absent/python"'),
        ('path = "model"', 'path = "absent"'),
    ]
    found = plan_of(write(tmp_path, swap=swap))
    assert found.missing == ("wrapper: no command 'no-such-command' on the PATH",)
    assert found.notes == ("engines, model folders and devices were not looked for: the wrapper may have its own",)


def test_a_study_of_one_deployment_says_what_it_lacks(tmp_path):
    said = plan(write(tmp_path, cell("only")))
    assert "only            1  needs ≥ 2 deployments" in said.stdout.splitlines()
    assert said.stdout.splitlines()[-2:] == ["missing here", "nothing"]


def test_an_environments_python_is_kept_as_the_link_it_is(tmp_path):
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv" / "python").symlink_to(sys.executable)
    assert engine_python("venv/python", tmp_path) == tmp_path / "venv" / "python"
    assert engine_python(sys.executable, tmp_path) == Path(sys.executable)
    assert engine_python("no-such-python", tmp_path) is None


def test_a_file_that_is_no_study_is_one_line_and_exit_2(tmp_path):
    path = write(tmp_path, cell("a", load="b"), cell("b", load="a"))
    circle = plan(path)
    assert (circle.returncode, circle.stdout) == (2, "")
    assert circle.stderr == "flipbook: cells load from each other in a circle: a from b from a\n"
    path.write_text(path.read_text().replace('study = "small"', 'study = "no/name"'))
    bad = plan(path, "--json")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith(f"flipbook: {path}:2: study: String should match pattern")
    assert bad.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (3569, "59 min"), (3599, "1 h 00 min"), (11100, "3 h 05 min")],
)
def test_durations_are_read_at_a_glance(seconds, text):
    assert duration(seconds) == text
