"""How long a page takes to settle, against an empty Streamlit page on the same machine in the same run.

Run: `python -m benchmarks.pages` (needs Chromium; `make bench` runs it too). A page has settled when its heading stands,
nothing runs any more, and every figure and table is drawn. Each page is opened by a cold link in a browser context of its
own, `ROUNDS` times, in turn with the empty page; medians are compared. The first visit after a start is printed apart: it
fills the caches.
"""

import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from flipbook.bundled import load_bundled

ROUNDS = 5
PAGES = ("cells", "compare", "pairs", "fragile", "question", "gates")
EMPTY = 'import streamlit as st\nst.html("<h1 class=fb-h1>Empty</h1>")\n'
DRAWN = """document.querySelectorAll('[data-testid=stStatusWidget],[data-testid=stSkeleton]').length === 0
  && [...document.querySelectorAll('.fb-figure,.fb-datatable,.fb-side')].every(part => part.childElementCount > 0)"""
ARGUMENTS = ["--no-sandbox", "--disable-gpu"]


def main() -> None:
    """Print seconds and the two parts of the target: 1.3 times the empty page, and 0.3 s more."""
    with tempfile.TemporaryDirectory() as folder:
        store, empty = Path(folder) / "store", Path(folder) / "empty.py"
        list(load_bundled(store))
        empty.write_text(EMPTY)
        ports = _free_port(), _free_port()
        flipbook = [sys.executable, "-m", "flipbook", "serve", "--store", str(store), "--port", str(ports[0])]
        bare = [
            sys.executable,
            "-m",
            "streamlit",
            "run",
            str(empty),
            "--server.port",
            str(ports[1]),
            "--server.headless",
            "true",
        ]
        servers = [subprocess.Popen(c, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for c in (flipbook, bare)]
        try:
            _measure(f"http://127.0.0.1:{ports[0]}", f"http://127.0.0.1:{ports[1]}")
        finally:
            for server in servers:
                server.terminate()
                server.wait(10)


def _measure(flipbook: str, bare: str) -> None:
    _up(f"{flipbook}/api/health")
    _up(f"{bare}/_stcore/health")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        _settle(browser, bare)
        first = {page: _settle(browser, f"{flipbook}/{page}?study=published") for page in PAGES}
        empty: list[float] = []
        found: dict[str, list[float]] = {page: [] for page in PAGES}
        for _ in range(ROUNDS):
            for page in PAGES:
                empty.append(_settle(browser, bare))
                found[page].append(_settle(browser, f"{flipbook}/{page}?study=published"))
        browser.close()
    base = statistics.median(empty)
    limit = 1.3 * base + 0.3
    print(f"empty page {base:.2f} s, so the limit is {limit:.2f} s")
    for page in PAGES:
        median = statistics.median(found[page])
        verdict = "within" if median <= limit else "above"
        print(f"{page:10} {median:.2f} s  {median / base:.2f}×  {verdict}  first {first[page]:.2f} s")


def _settle(browser: Browser, url: str) -> float:
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    start = time.perf_counter()
    page.goto(url)
    page.locator(".fb-h1").first.wait_for(timeout=60_000)
    page.wait_for_function(DRAWN, polling=20, timeout=60_000)
    seconds = time.perf_counter() - start
    context.close()
    return seconds


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _up(url: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"{url} does not answer")


if __name__ == "__main__":
    main()
