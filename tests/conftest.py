"""Fixtures: what lies beside the checkout, a browser, and stores that many tests read."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from flipbook.bundled import load_bundled
from store.folder import Store
from store.results.scope import Scope, resolve
from store.warehouse.open import Warehouse, open_warehouse
from tests.builders import seal

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
IN_CI = os.environ.get("CI") == "true"

# no deadline: a busy machine is not a failing law; in CI the same examples every time
settings.register_profile("house", deadline=None, derandomize=IN_CI)
settings.load_profile("house")


def missing(what: str) -> None:
    """Skip visibly on a desk, fail in CI: a skipped test there would be a green lie."""
    if IN_CI:
        pytest.fail(f"{what}, and CI=true")
    pytest.skip(what)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data beside the checkout."""
    if not SHARED.is_dir():
        missing(f"no {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def oracle(shared: Path) -> ModuleType:
    """The reference implementations beside the checkout, loaded without leaving bytecode in their folder."""
    spec = importlib.util.spec_from_file_location("repstats", shared / "method" / "repstats.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = writes
    return module


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        missing("no Chromium on this machine")
    assert found is not None
    return found


@pytest.fixture(scope="session")
def bundled_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds both bundled studies. Tests only read it."""
    root = tmp_path_factory.mktemp("bundled") / "store"
    list(load_bundled(root))
    return root


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Callable[..., tuple[Warehouse, Scope]]]:
    """Load runs, each labels with records, as study `s` of a new store; gives its open file and its scope."""
    opened = []

    def load(*runs: object, **more: object) -> tuple[Warehouse, Scope]:
        store = Store(tmp_path / "store")
        with store.writing() as staging:
            store.admit(staging / "bundle", seal(staging / "bundle", *runs, **more), staging)
        opened.append(open_warehouse(store.warehouse))
        return opened[-1], resolve(opened[-1], "s", None, None)

    yield load
    for warehouse in opened:
        warehouse.close()


@pytest.fixture(scope="session")
def server(bundled_store: Path) -> Iterator[str]:
    """Address of a real server on the bundled store, from a working folder of its own."""
    yield from serving(bundled_store)


def serving(store: Path) -> Iterator[str]:
    """Start `flipbook serve` on a store and stop it afterwards, whatever happens in between."""
    command = [sys.executable, "-m", "flipbook", "serve", "--store", str(store)]
    log = store.parent / "server.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            command, stderr=out, stdout=out, cwd=store.parent, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
    try:
        yield _answering(log)
    finally:
        process.terminate()
        process.wait(10)


def _answering(log: Path) -> str:
    """The address the server says it has, once it answers there."""
    for _ in range(150):
        found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text())
        try:
            if found:
                urllib.request.urlopen(f"{found.group()}/api/health", timeout=1).close()
                return found.group()
        except OSError:
            pass  # not up yet
        time.sleep(0.2)
    pytest.fail(f"the server did not answer: {log.read_text()}")
