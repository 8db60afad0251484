"""Ingest of sealed bundles, and what happens when the disk or the process gives out."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from ingest.ingest import Request, ingest
from store.errors import InputError, RunConflictError, StoreError, UsageError
from store.folder import Store
from store.sealed.manifest import load_manifest
from store.verify import verify_store
from tests.builders import answered, labels, lines, mapping_file, seal
from tests.conftest import IN_CI, ROOT
from tests.store.test_sealed import reseal


def take(store, *paths, study=None):
    return ingest(store, Request(paths, study, None, None, None, "test"), lambda _: None)


def bundle(folder, *runs, text="1"):
    seal(folder, *((labels(run, repeat=i), [answered("q1", text), answered("q2", "2")]) for i, run in enumerate(runs)))
    return folder


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def test_a_bundle_is_taken_under_its_own_name_or_another(store, tmp_path):
    folder = bundle(tmp_path / "b", "a")
    assert take(store, folder).study == "s"
    assert take(store, folder / "manifest.json").generation is None
    assert take(store, folder, study="renamed").generation == 2
    assert verify_store(store).problems == ()
    assert load_manifest(folder).generation is None


def test_only_the_new_runs_of_a_grown_bundle_are_taken(store, tmp_path):
    take(store, bundle(tmp_path / "one", "a"))
    report = take(store, bundle(tmp_path / "two", "a", "b"))
    assert ([run.run_id for run in report.runs], report.unchanged) == (["b"], ("a",))
    assert verify_store(store).problems == ()


def test_a_bundle_that_contradicts_a_held_run_is_refused(store, tmp_path):
    take(store, bundle(tmp_path / "one", "a"))
    with pytest.raises(RunConflictError, match="run 'a'"):
        take(store, bundle(tmp_path / "two", "a", text="7"))


def test_a_changed_record_is_named_and_nothing_is_taken(store, tmp_path):
    folder = bundle(tmp_path / "b", "a")
    reseal(folder, "outputs", lambda rows: [r | {"raw_text": "9"} for r in rows])
    with pytest.raises(InputError, match="question q1: output out1:.* is not what its digest says"):
        take(store, folder)
    assert store.bundles() == ()


def test_a_bundle_comes_alone(store, tmp_path):
    with pytest.raises(UsageError, match="one bundle at a time"):
        take(store, bundle(tmp_path / "b", "a"), tmp_path)


def test_a_table_without_a_mapping_says_what_is_needed(store, tmp_path):
    with pytest.raises(UsageError, match="a table needs --map FILE"):
        take(store, lines(tmp_path / "a.jsonl", {}), study="s")


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


def test_a_full_disk_is_said_and_the_store_is_as_it_was(small_disk, tmp_path):
    store = Store(small_disk / "store")
    take(store, bundle(tmp_path / "b", "a"))
    before = {p: p.read_bytes() for p in sorted(store.root.rglob("*")) if p.is_file()}
    noise = [answered(f"q{i}", os.urandom(3_000).hex()) for i in range(3_000)]
    seal(tmp_path / "big", (labels("big"), noise))
    with pytest.raises(StoreError, match="the disk is full; the store is as it was before. Free some space"):
        take(store, tmp_path / "big")
    assert {p: p.read_bytes() for p in sorted(store.root.rglob("*")) if p.is_file()} == before
    assert verify_store(store).problems == ()
    take(store, bundle(tmp_path / "c", "a", "c"))
    assert verify_store(store).problems == ()


def test_a_full_disk_stops_a_removal_and_loses_nothing(small_disk, tmp_path):
    store = Store(small_disk / "store")
    take(store, bundle(tmp_path / "b", "a"))
    take(store, bundle(tmp_path / "c", "c"), study="other")
    ballast = small_disk / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    with pytest.raises(StoreError, match="the disk is full"):
        store.remove("other")
    ballast.unlink()
    assert [b.manifest.study for b in store.bundles()] == ["s", "other"]
    assert verify_store(store).problems == ()
    store.remove("other")
    assert verify_store(store).problems == ()


def test_a_killed_ingest_leaves_a_store_that_holds(tmp_path):
    store = Store(tmp_path / "store")
    take(store, bundle(tmp_path / "b", "a"))
    rows = [{"run": f"r{i % 5}", "id": f"q{i}", "text": f"The final answer is {i}", "gold": "1"} for i in range(20_000)]
    lines(tmp_path / "big.jsonl", *rows)
    mapping = mapping_file(tmp_path / "map.toml")
    command = [sys.executable, "-m", "flipbook", "ingest", str(tmp_path / "big.jsonl"), "--study", "big"]
    command += ["--map", str(mapping), "--store", str(store.root)]
    for delay in (0.6, 1.5, 2.5, 4.0):
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        store.rebuild()
        assert verify_store(store).problems == ()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert sum(run.counts.records for b in store.bundles() if b.manifest.study == "big" for run in b.manifest.runs) == 20_000
    assert verify_store(store).problems == ()


def test_two_ingests_at_once_wait_for_each_other(tmp_path):
    store = Store(tmp_path / "store")
    folders = [bundle(tmp_path / f"b{i}", f"run{i}") for i in range(3)]
    command = [sys.executable, "-m", "flipbook", "ingest", "--store", str(store.root)]
    running = [
        subprocess.Popen(
            [*command, str(folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for folder in folders
    ]
    for process in running:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    assert sorted(b.manifest.generation for b in store.bundles()) == [1, 2, 3]
    assert verify_store(store).problems == ()
