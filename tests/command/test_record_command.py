"""`flipbook record` and `flipbook capture-env`, with real processes: a small script stands for the harness."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ingest.ingest import load_environment
from runner.record.interpreter import interpreter_of
from store.contract.environment import EnvironmentRecord
from store.folder import Store
from store.sealed.manifest import load_manifest
from store.sealed.verify import verify_bundle
from tests.builders import MAP, mapping_file
from tests.conftest import ROOT

HARNESS = """\
import json, os, pathlib, subprocess, sys, time
does, code = sys.argv[1], int(sys.argv[2])
print("harness at work"); print("a word on stderr", file=sys.stderr)
names = ("VLLM_CACHE_ROOT", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "FLASHINFER_WORKSPACE_BASE")
roots = [pathlib.Path(os.environ[name]) for name in names]
left = [str(p) for root in roots for p in root.rglob("*") if p.is_file()]
pathlib.Path("seen.txt").write_text(json.dumps([list(map(str, roots)), left]))
(roots[2] / "kernel.ptx").write_text("built here")
if does != "silent":
    pathlib.Path("out").mkdir(exist_ok=True)
    with open("out/a.jsonl", "w") as file:
        for i in range(4):
            print(json.dumps({"run": "a", "id": f"q{i}", "text": f"The final answer is {i % 2}", "gold": "1"}), file=file)
        if does == "broken":
            print('{"run": "a", "id": "q4", "te', file=file)
if does == "change":
    pathlib.Path("bin/g++").write_text("#!/bin/sh\\necho another compiler")
if does == "sleep":
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    pathlib.Path("pids.new").write_text(f"{os.getpid()} {child.pid}")
    pathlib.Path("pids.new").rename("pids.txt")
    time.sleep(600)
sys.exit(code)
"""


@pytest.fixture
def desk(tmp_path):
    """A folder with a harness, a mapping, and a compiler of our own in front of the PATH."""
    (tmp_path / "harness.py").write_text(HARNESS)
    mapping_file(tmp_path / "map.toml", MAP.replace('["*"]', '["*.jsonl"]'))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "g++").write_text("#!/bin/sh\necho a compiler")
    (tmp_path / "bin" / "g++").chmod(0o755)
    return tmp_path


def arguments(does, code, *options):
    return [
        sys.executable, "-m", "flipbook", "record", "--study", "s", "--map", "map.toml", "--store", "store", *options,
        "--", sys.executable, "harness.py", does, str(code),
    ]  # fmt: skip


def surroundings(desk):
    return {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{desk / 'bin'}:{os.environ['PATH']}", "CXX": "g++"}


def record(desk, does="answer", code=0, *options):
    return subprocess.run(
        arguments(does, code, *options), capture_output=True, text=True, check=False, cwd=desk, env=surroundings(desk)
    )


def sealed(desk, number=1):
    folder = desk / "flipbook-runs" / f"record-s-{number}" / "bundle"
    manifest = load_manifest(folder)
    assert list(verify_bundle(folder, manifest)) == []
    return manifest


def test_a_command_becomes_a_sealed_run_in_the_store_with_the_environment_it_ran_in(desk):
    done = record(desk)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "harness at work\n"  # standard output is the command's own
    assert "a word on stderr\n" in done.stderr
    (run,) = sealed(desk).runs
    assert (run.run_id, run.state, run.state_reason) == ("a", "complete", "")
    assert (run.counts.records, run.counts.correct) == (4, 2)
    (held,) = Store(desk / "store").of_study("s")
    assert [r.content_digest for r in held.manifest.runs] == [run.content_digest]

    folder = desk / "flipbook-runs" / "record-s-1"
    assert set((folder / "log.txt").read_text().splitlines()) == {"harness at work", "a word on stderr"}
    assert (folder / "samples" / "out" / "a.jsonl").read_bytes() == (desk / "out" / "a.jsonl").read_bytes()
    roots, left = json.loads((desk / "seen.txt").read_text())
    assert all(Path(root).is_relative_to(folder) for root in roots)
    assert left == []

    environment = EnvironmentRecord.model_validate_json((folder / "environment.json").read_text())
    assert environment.source == "observed"
    assert environment.python_version == sys.version.split()[0]
    assert environment.compiler == "a compiler"
    assert environment.cache_families is not None
    roles = {family.family: family.role for family in environment.cache_families}
    assert roles == {"inductor": "none", "triton": "built", "flashinfer_jit": "none", "flashinfer_autotune": "none"}
    assert (environment.cache_role, environment.cache_parent, environment.kernel_choice_digest) == ("built", "none", "none")
    assert environment.null_reasons["engine"] == "the command's own process was not looked into"
    assert load_environment(folder / "environment.json") == environment


def test_a_second_recording_takes_only_what_its_own_command_wrote_and_has_its_own_labels(desk):
    record(desk)
    (desk / "out" / "a.jsonl").rename(desk / "out" / "first.jsonl")
    labels = ("--run", "b", "--cell", "c2", "--arm", "a2", "--repeat", "7", "--deployment", "d2", "--role", "probe")
    done = record(desk, "answer", 0, *labels, "--samples", "out/*.jsonl")
    assert done.returncode == 0, done.stderr
    manifest = sealed(desk, 2)
    assert [source.name for source in manifest.sources] == ["out/a.jsonl"]
    (run,) = manifest.runs
    assert (run.run_id, run.cell, run.arm, run.repeat, run.deployment_id, run.role) == ("b", "c2", "a2", 7, "d2", "probe")
    taken = record(desk, "answer", 0, *labels)
    assert (taken.returncode, taken.stdout) == (2, "")
    assert "run 'b' is in study 's' already" in taken.stderr


def test_a_command_that_fails_leaves_an_incomplete_run(desk):
    done = record(desk, "answer", 3)
    assert done.returncode == 1, done.stderr
    (run,) = sealed(desk).runs
    assert (run.state, run.state_reason) == ("incomplete", "the command ended with exit code 3")
    assert len(Store(desk / "store").of_study("s")) == 1


def test_a_broken_line_is_refused_and_said(desk):
    done = record(desk, "broken")
    assert done.returncode == 1
    assert "refused out/a.jsonl:5: " in done.stderr
    assert sealed(desk).runs[0].counts.records == 4


def test_an_environment_that_changes_meanwhile_quarantines_the_run_and_is_said(desk):
    done = record(desk, "change")
    assert done.returncode == 1, done.stderr
    changed = "the environment changed while the command ran: compiler was a compiler, then another compiler"
    assert f"doubt: {changed}\n" in done.stderr
    (run,) = sealed(desk).runs
    assert (run.state, run.state_reason) == ("quarantined", changed)


def test_a_command_that_writes_no_samples_is_a_named_error_and_its_output_stays(desk):
    done = record(desk, "silent")
    assert done.returncode == 2
    assert "the command wrote no sample file" in done.stderr
    assert "Traceback" not in done.stderr
    folder = desk / "flipbook-runs" / "record-s-1"
    assert "harness at work" in (folder / "log.txt").read_text()
    assert not (folder / "bundle").exists()
    assert Store(desk / "store").bundles() == ()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--python", "/nowhere/python"], "there is no Python '/nowhere/python' here"),
        (["--study", "no name"], "is not a study name"),
        (["--", "/nowhere/harness"], "there is no command '/nowhere/harness' here"),
    ],
)
def test_what_cannot_be_recorded_is_said_before_anything_runs(desk, wrong, said):
    done = record(desk, "answer", 0, *wrong)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not (desk / "seen.txt").exists()


def test_what_the_mapping_says_stands_beside_what_was_observed_and_never_over_it(desk):
    text = (desk / "map.toml").read_text()
    said = '[environment]\nengine = { constant = "vllm" }\npython_version = { constant = "2.7" }\n'
    (desk / "map.toml").write_text(f"{text}\n{said}")
    done = record(desk)
    assert done.returncode == 0, done.stderr
    assert "doubt: the mapping says python_version is 2.7; it was observed to be " in done.stderr
    (held,) = Store(desk / "store").of_study("s")
    import pyarrow.parquet as pq

    (row,) = pq.read_table(held.folder / "environments.parquet").to_pylist()
    environment = EnvironmentRecord.model_validate_json(row["record"])
    assert (environment.engine, environment.python_version) == ("vllm", sys.version.split()[0])


def started(desk):
    """A recording whose command sleeps, and the ids of the command and of its child."""
    process = subprocess.Popen(
        arguments("sleep", 0), cwd=desk, env=surroundings(desk), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while not (desk / "pids.txt").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process, [int(pid) for pid in (desk / "pids.txt").read_text().split()]


def running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def assert_gone(pids):
    deadline = time.monotonic() + 20
    while any(running(pid) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_recording_seals_nothing_and_leaves_no_process(desk, number):
    process, pids = started(desk)
    process.send_signal(number)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert not any(running(pid) for pid in pids)
    assert "nothing was sealed" in said
    folder = desk / "flipbook-runs" / "record-s-1"
    assert sorted(path.name for path in folder.iterdir()) == ["caches", "environment-before.json", "log.txt"]
    assert (desk / "out" / "a.jsonl").exists()
    assert Store(desk / "store").bundles() == ()


def test_a_killed_recording_leaves_no_process_and_no_bundle(desk):
    process, pids = started(desk)
    process.kill()
    process.communicate(timeout=30)
    assert_gone(pids)
    assert not list((desk / "flipbook-runs").rglob("manifest.json"))


def test_the_python_of_a_command_is_the_one_its_script_names(tmp_path):
    def script(name, head):
        path = tmp_path / name
        path.write_text(f"{head}\npass\n")
        path.chmod(0o755)
        return [str(path)]

    assert interpreter_of([sys.executable, "x.py"]).path == sys.executable
    assert interpreter_of(script("plain", f"#!{sys.executable} -u")).path == sys.executable
    assert (
        interpreter_of(script("long", f"#!/bin/sh\n'''exec' \"{sys.executable}\" \"$0\" \"$@\"\n' '''")).path == sys.executable
    )
    assert Path(interpreter_of(script("env", "#!/usr/bin/env -S python3 -u")).path).name == "python3"
    assert "names none" in interpreter_of(script("shell", "#!/bin/sh")).how
    assert "names none" in interpreter_of(["/nowhere/harness"]).how


def capture_env(*options):
    command = [sys.executable, "-m", "flipbook", "capture-env", *options]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )


def installed():
    listing = "from importlib.metadata import distributions as d; print(sorted((x.name, x.version, str(x._path)) for x in d()))"
    return subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True, check=True, cwd="/").stdout


def test_capture_env_gives_what_ingest_takes_and_leaves_the_environment_as_it_was(tmp_path):
    before = installed()
    done = capture_env("--python", sys.executable, "--json")
    assert done.returncode == 0, done.stderr
    assert installed() == before
    (tmp_path / "env.json").write_text(done.stdout)
    environment = load_environment(tmp_path / "env.json")
    assert environment.source == "observed"
    assert environment.python_version == sys.version.split()[0]
    assert environment.torch_version == "none"
    assert environment.null_reasons["model_id"] == "no model was loaded"


def test_capture_env_prints_what_is_known_and_why_the_rest_is_not():
    done = capture_env("--python", sys.executable)
    assert done.returncode == 0, done.stderr
    known, _, unknown = done.stdout.partition("\n\nnot known:\n")
    assert f"python_version: {sys.version.split()[0]}" in known.splitlines()
    assert "model_id: no model was loaded" in unknown.splitlines()


def test_capture_env_names_what_is_wrong_with_a_python(tmp_path):
    missing = capture_env("--python", "/nowhere/python")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "there is no Python '/nowhere/python' here" in missing.stderr
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho it is broken; exit 9\n")
    broken.chmod(0o755)
    failing = capture_env("--python", str(broken))
    assert (failing.returncode, failing.stdout) == (2, "")
    assert f"{broken}: the environment could not be looked at: it ended with 9: it is broken" in failing.stderr
    assert "Traceback" not in failing.stderr


def test_devices_that_no_process_was_asked_about_are_not_said_to_be_absent():
    from runner.record.capture import as_record

    machine = {"host": "h", "smi": [{"uuid": "GPU-1", "name": "NVIDIA H200", "driver_version": "570.1"}], "environment": {}}
    record = as_record({"machine": machine, "versions": {"python": "3.12"}, "engine": None}, "nobody asked", None, (0.0, 0.0))
    assert record.gpus is None
    assert record.driver == "570.1"
    assert record.null_reasons["gpus"] == "nvidia-smi lists NVIDIA H200; no process on it was asked"


def test_the_mapping_for_lm_eval_reads_its_files(shared, desk):
    """Flexible-extract has 88 of these right: it compares texts, where 18.00 is not 18."""
    copy = "import shutil, sys; shutil.copy(sys.argv[1], '.')"
    (written,) = (shared / "data" / "lm-eval-gpt-oss-20b" / "gsm8k_100").glob("samples_*.jsonl")
    options = ["record", "--study", "g", "--map", str(ROOT / "examples" / "maps" / "lm-eval-samples.toml"), "--store", "store"]
    command = [sys.executable, "-m", "flipbook", *options, "--cell", "bf16", "--", sys.executable, "-c", copy, str(written)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=desk, env=surroundings(desk))
    assert done.returncode == 0, done.stderr
    (held,) = Store(desk / "store").of_study("g")
    (run,) = held.manifest.runs
    assert (run.run_id, run.deployment_id) == ("gsm8k_2026-05-17T13-25-31.291152", "2026-05-17T13-25-31.291152")
    assert (run.cell, run.counts.records, run.counts.duplicates, run.counts.correct) == ("bf16", 100, 100, 93)
