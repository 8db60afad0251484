"""Fixtures: what lies beside the checkout, a browser, and stores that many tests read."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from flipbook.bundled import load_bundled

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
IN_CI = os.environ.get("CI") == "true"


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
