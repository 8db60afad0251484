"""Deployments that break, with real processes: nothing is left running, nothing half sealed, no answer lost."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from runner.study.frozen import FrozenPlan, FrozenPrompt, FrozenQuestion, Rendered, asked_of, keep_plan
from runner.study.load import load_study
from store.folder import Store
from store.sealed.manifest import load_manifest
from store.sealed.verify import verify_bundle
from store.verify import verify_store
from tests.conftest import IN_CI, ROOT
from tests.runner import standin
from tests.runner.studies import cell, study_text

COUNT = 12
SLOW = ("--delay=0.5", "--worker")
"""Two are asked at a time: after four of twelve answers there are two seconds left."""
WAIT_S = 60
SILENCE_S = 5
PROMPTS = [f"q{number:02}: what is it?" for number in range(COUNT)]


@dataclass(frozen=True)
class Bench:
    """A study of one cell, `c`, whose servers do what `mode` says at their start."""

    folder: Path
    study: Path
    work: Path
    store: Store

    def mode(self, *options):
        """What servers do from now on."""
        (self.folder / "mode.txt").write_text("\n".join(options), encoding="utf-8")

    def command(self):
        where = ["--work", str(self.work), "--store", str(self.store.root)]
        return [sys.executable, "-m", "flipbook", "run", str(self.study), *where]

    def start(self):
        """The runner as a process of its own session."""
        env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(self.folder / "config")}
        return subprocess.Popen(
            self.command(), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env, start_new_session=True
        )

    def run(self, *options):
        """Let the runner run to its end with servers in this mode: exit code, what it said on standard error."""
        self.mode(*options)
        return ended(self.start())

    def tried(self, name="c.0"):
        return self.work / "deployments" / name

    def told(self, kind, name="c.0"):
        """Whole lines of a kind that an instrument has written so far."""
        path = self.tried(name) / "lines.jsonl"
        whole = path.read_bytes().rpartition(b"\n")[0].splitlines() if path.exists() else []
        return [line for line in map(json.loads, whole) if line["kind"] == kind]

    def answered(self, runner, count=4, name="c.0"):
        """Wait for so many answers; then the processes of the deployment by what they are."""
        until(lambda: len(self.told("record", name)) >= count, runner)
        assert len(self.told("record", name)) < COUNT
        leader = self.told("started", name)[0]["pid"]
        named = {pid: words(pid) for pid in processes() if group(pid) == leader}
        (server,) = [pid for pid, name in named.items() if "standin.py" in name]
        (worker,) = [pid for pid, name in named.items() if "# worker" in name]
        assert sorted(named) == sorted((leader, server, worker))
        return {"instrument": leader, "server": server, "worker": worker}

    def states(self):
        """State by run, as the store holds it."""
        return {run.run_id: run.state.value for b in self.store.bundles() for run in b.manifest.runs}

    def report(self, *options):
        """What `flipbook report` says of the study."""
        command = [sys.executable, "-m", "flipbook", "report", "small", "--json", "--store", str(self.store.root), *options]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)

    def held(self, run):
        """Text by question, as the store holds the run."""
        bundle = next(b.folder for b in self.store.bundles() if run in {r.run_id for r in b.manifest.runs})
        texts = {row["output_digest"]: row["raw_text"] for row in rows(bundle, "outputs")}
        return {row["question_id"]: texts[row["output_digest"]] for row in rows(bundle, "facts") if row["run_id"] == run}

    def is_whole(self):
        """No half-sealed bundle, and every digest holds."""
        for folder in self.work.glob("deployments/*/bundle"):
            assert list(verify_bundle(folder, load_manifest(folder))) == []
        if self.store.root.exists():
            assert verify_store(self.store).problems == ()


def rows(bundle, table):
    return pq.read_table(bundle / f"{table}.parquet").to_pylist()


def ended(runner):
    said = runner.communicate(timeout=WAIT_S)[1]
    return runner.returncode, said


def until(happened, runner=None):
    end = time.monotonic() + WAIT_S
    while not happened():
        assert runner is None or runner.poll() is None, runner.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def processes():
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def group(pid):
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def words(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def living(found):
    """Of a deployment's processes by what they are, and of their group."""
    leader = found["instrument"]
    return {pid for pid in (*found.values(), *(p for p in processes() if group(p) == leader)) if lives(pid)}


def make_bench(folder, work, repeats=1):
    """A bench with its study file, and its frozen plan in `work`: no tokenizer is needed."""
    folder.mkdir(exist_ok=True)
    program = [sys.executable, standin.__file__, "--port", "{port}", f"@{folder / 'mode.txt'}"]
    server = f'[engines.e.server]\ncommand = {json.dumps(program)}\nname = "standin"\nroute = "ids"\nconcurrency = 2\n'
    text = study_text(
        cell("c", repeats=repeats),
        swap=(
            ('path = "model"', 'path = ""'),
            ('kind = "transformers"', 'kind = "server"'),
            ('python = "python3"', f"python = {json.dumps(sys.executable)}"),
            ('level = "none"\nk = 0', 'level = "top-k"\nk = 2'),
            ("max_tokens = 16", "max_tokens = 40"),
            ("silence_limit_s = 60", f"silence_limit_s = {SILENCE_S}"),
            ("[launch]", f"{server}\n[launch]"),
        ),
    )
    bench = Bench(folder, folder / "study.toml", work, Store(folder / "store"))
    bench.study.write_text(text, encoding="utf-8")
    study = load_study(bench.study)
    work.mkdir(exist_ok=True)
    rendered = Rendered(
        prompts=tuple(
            FrozenPrompt(prompt=f"{prompt}<think>\n\n</think>\n\n", ids=tuple(prompt.encode())) for prompt in PROMPTS
        ),
        sentinels=(tuple(b"One, two,"), tuple(b"The sky is")),
        warm_up=tuple(b"Hello"),
        tokenizer_files={},
        chat_template=None,
        eos_token_ids=(),
        think=(standin.THINK, standin.UNTHINK),
    )
    questions = tuple(FrozenQuestion(id=text[:3], gold="7", category=None, text=text) for text in PROMPTS)
    plan = FrozenPlan(format="flipbook-plan/1", study=asked_of(study), questions=questions, rendered={"m": rendered})
    keep_plan(work, plan)
    return bench


@pytest.fixture
def bench(tmp_path):
    return make_bench(tmp_path / "bench", tmp_path / "bench" / "work")


def goes_on(bench, *names):
    """The same command, now with servers that work: every broken try stands beside a complete one, nothing is lost."""
    names = names or ("c.0",)
    code, said = bench.run()
    assert code == 0, said
    assert bench.states() == dict.fromkeys(names, "incomplete") | {f"{name}.try2": "complete" for name in names}
    for name in names:
        held, whole = bench.held(name), bench.held(f"{name}.try2")
        assert held == {line["key"][0]: line["text"] for line in bench.told("record", name)}
        assert (len(held) < COUNT, len(whole)) == (True, COUNT)
        assert held.items() <= whole.items()
    bench.is_whole()
    assert [*bench.work.rglob(".bundle.*"), *bench.work.rglob(".study.*")] == []
    study = load_manifest(bench.work / "study")
    assert {run.run_id: run.state for run in study.runs} == bench.states()
    assert list(verify_bundle(bench.work / "study", study)) == []


FATES = {
    "c.0": "RuntimeError: the server ended with -9 while it was asked (phase pass 0)",
    "c.1": "RuntimeError: the server ended with 0 while it was asked (phase pass 0)",
    "c.2": "the process ended with -9 (phase pass 0)",
    "c.3": f"no line for {SILENCE_S} s in phase pass 0 (phase pass 0)",
    "c.4": "RuntimeError: the server ended with 3 before it answered (phase start)",
}
"""Of five deployments of one call: server, worker and instrument killed, silence, no start."""


@dataclass(frozen=True)
class Broken:
    """What a call left whose deployments all broke off: its exit code and words, which processes still lived when it
    was over, and the state of each run then."""

    bench: Bench
    code: int
    said: str
    living: set[int]
    states: dict[str, str]


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("broken")
    bench = make_bench(folder, folder / "work", repeats=len(FATES))
    bench.mode(*SLOW)
    runner = bench.start()
    found = []
    for name, which in (("c.0", "server"), ("c.1", "worker"), ("c.2", "instrument")):
        found.append(bench.answered(runner, name=name))
        if name == "c.2":
            bench.mode("--hang-after=6", "--delay=0.2", "--worker")
        os.kill(found[-1][which], signal.SIGKILL)
    found.append(bench.answered(runner, name="c.3"))
    bench.mode("--refuse")
    code, said = ended(runner)
    bench.is_whole()
    return Broken(bench, code, said, set().union(*map(living, found)), bench.states())


def test_broken_deployments_leave_no_process_and_the_next_one_is_made(broken):
    assert broken.code == 1, broken.said
    assert broken.living == set()
    assert broken.states == dict.fromkeys(FATES, "incomplete")


@pytest.mark.parametrize("name", FATES)
def test_a_broken_deployment_says_why(broken, name):
    assert f"broke off: {name}: {FATES[name]}\n" in broken.said
    count = len(broken.bench.told("record", name))
    assert f"{name}: incomplete, " in broken.said
    assert f"{count} of {COUNT} answers: {FATES[name]}\n" in broken.said
    assert count == 0 if name == "c.4" else 4 <= count < COUNT
    assert [line["key"] for line in broken.bench.told("record", name) if line["error"]] == []
    assert (name == "c.4") == ("standin: no such device" in (broken.bench.tried(name) / "log.txt").read_text())


def test_the_same_command_makes_a_complete_successor_beside_every_broken_deployment(broken):
    goes_on(broken.bench, *FATES)


def test_a_killed_runner_takes_its_deployment_with_it(bench):
    bench.mode(*SLOW)
    runner = bench.start()
    found = bench.answered(runner)
    runner.kill()
    runner.communicate()
    until(lambda: not living(found))
    assert bench.told("end") == []
    assert bench.states() == {}
    bench.is_whole()
    (bench.tried() / ".bundle.left").mkdir()  # as if it had been sealing
    goes_on(bench)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_runner_told_to_stop_seals_what_there_is(bench, number):
    bench.mode(*SLOW)
    runner = bench.start()
    found = bench.answered(runner)
    runner.send_signal(number)
    code, said = ended(runner)
    assert code == 130, said
    assert not living(found)
    assert bench.states() == {"c.0": "incomplete"}
    assert len(bench.held("c.0")) == len(bench.told("record")) >= 4
    bench.is_whole()
    goes_on(bench)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of eight megabytes, where the machine lets us mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode:
        if IN_CI:
            pytest.fail("no small file system can be mounted, and CI=true")
        pytest.skip("no small file system can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_said_and_what_was_answered_is_sealed_later(small_disk, tmp_path):
    bench = make_bench(tmp_path / "bench", small_disk / "work")
    bench.mode(*SLOW)
    runner = bench.start()
    found = bench.answered(runner)
    ballast = small_disk / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    code, said = ended(runner)
    assert (code, "disk is full" in said) == (2, True), said
    assert "Traceback" not in said
    assert not living(found)
    assert bench.states() == {}
    bench.is_whole()
    assert not (bench.tried() / "bundle").exists()
    assert (bench.tried() / "lines.jsonl").read_bytes().endswith(b"}\n")  # no part of a line
    ballast.unlink()
    goes_on(bench)


def test_a_wrapper_that_starts_nothing_leaves_a_try_without_answers(bench):
    text = bench.study.read_text(encoding="utf-8")
    bench.study.write_text(text.replace("wrapper = []", 'wrapper = ["false"]'), encoding="utf-8")
    code, said = bench.run()
    assert code == 1, said
    assert "c.0: the process ended with 1 (phase launch)" in said
    assert bench.states() == {"c.0": "incomplete"}
    bench.study.write_text(text.replace("wrapper = []", 'wrapper = ["no-such-wrapper"]'), encoding="utf-8")
    code, said = bench.run()
    assert code == 2
    assert "the wrapper 'no-such-wrapper' is not on the PATH" in said
    bench.study.write_text(text, encoding="utf-8")
    goes_on(bench)


def test_two_runners_do_not_work_in_one_folder(bench):
    bench.mode(*SLOW)
    first = bench.start()
    bench.answered(first, 1)
    code, said = ended(bench.start())
    assert code == 2
    assert "another runner works in this folder" in said
    assert list(bench.store.root.glob("live/*.json"))  # the first one is still shown at work
    assert ended(first)[0] == 0
    assert bench.states() == {"c.0": "complete"}
    assert not list(bench.store.root.glob("live/*.json"))


def test_a_failed_request_is_a_record_of_its_own(bench):
    code, said = bench.run("--fail=q03")
    assert code == 0, said
    assert bench.states() == {"c.0": "complete"}
    (folder,) = [b.folder for b in bench.store.bundles()]
    failed = next(row for row in rows(folder, "facts") if row["question_id"] == "q03")
    assert failed["finish_reason"] == "error"
    assert failed["error_code"].startswith("OSError: HTTP 500")
    answers = {row["question_id"]: row for row in rows(folder, "answers")}
    assert (answers["q03"]["verdict"], answers["q03"]["unscored_reason"]) == ("unscored", "request failed")
    assert [q for q, row in answers.items() if row["verdict"] == "unscored"] == ["q03"]
    (run,) = load_manifest(bench.work / "study").runs
    assert (run.counts.records, run.counts.unscored, run.performance.failed) == (COUNT, 1, 1)


def test_a_run_that_thinks_although_it_was_switched_off_stays_out_of_its_cell_until_acknowledged(bench):
    code, said = bench.run("--think")
    assert code == 0, said
    assert bench.states() == {"c.0": "complete"}
    assert bench.report()["cells"] == []
    finding = next(finding for finding in bench.report()["findings"] if finding["kind"] == "thinking")
    assert f"c.0: {COUNT} of {COUNT} outputs" in finding["text"]
    assert [cell["cell"] for cell in bench.report("--acknowledge", "c.0")["cells"]] == ["c"]


def test_a_study_file_that_changed_after_its_prompts_were_frozen_is_refused(bench):
    text = bench.study.read_text(encoding="utf-8")
    bench.study.write_text(text.replace("max_tokens = 40", "max_tokens = 41"), encoding="utf-8")
    code, said = bench.run()
    assert code == 2
    assert "the study file is not the one whose prompts were frozen here" in said
    assert not (bench.work / "deployments").exists()


def test_what_was_sealed_and_never_loaded_is_loaded_by_the_next_call(bench):
    assert bench.run()[0] == 0
    shutil.rmtree(bench.store.root)
    code, said = bench.run()
    assert code == 0, said
    assert bench.states() == {"c.0": "complete"}
    assert len(bench.held("c.0")) == COUNT
