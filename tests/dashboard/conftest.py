"""Fixtures of the pages: a page run by AppTest, a real browser."""

import pytest
from playwright.sync_api import sync_playwright
from streamlit.testing.v1 import AppTest

from tests.conftest import ROOT
from tests.dashboard.browsing import SETTLED

APP = str(ROOT / "dashboard" / "app.py")


@pytest.fixture
def open_view(monkeypatch):
    """`open_view(store, "cells", study="s")` runs a page and gives what it shows."""

    def run(store, view="studies", **params):
        monkeypatch.setenv("FLIPBOOK_STORE", str(store))
        at = AppTest.from_file(APP, default_timeout=30)
        for name, value in params.items():
            at.query_params[name] = value
        at.run()
        if view != "studies":
            at.switch_page(f"views/{view}.py")
            for name, value in params.items():
                at.query_params[name] = value
            at.run()
        assert not at.exception
        return at

    return run


ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"]


@pytest.fixture(scope="module")
def browser(chromium):
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    opened = context.new_page()
    opened.set_default_timeout(SETTLED)
    yield opened
    context.close()
