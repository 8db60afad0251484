"""In a real browser, against a real server: what AppTest cannot click or see."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from flipbook.bundled import load_bundled
from store.folder import Store
from tests.builders import answered, labels
from tests.conftest import serving
from tests.dashboard.browsing import SETTLED, mark, panes, settled, steps, table
from tests.store.test_folder import admit


def test_from_the_studies_to_a_question_and_the_same_in_another_browser(server, page, browser):
    page.goto(server)
    settled(page, "Studies")
    page.get_by_text("Open the study").nth(1).click()
    settled(page, "published")
    expect(page.get_by_role("cell", name="95.09 %")).to_be_visible()
    before = steps(page)
    table(page, "questions with the number of right runs per cell").get_by_role("link", name="607").click()
    settled(page, "Question 607")
    assert steps(page) == before + 1
    texts = panes(page)
    assert "[synthetic reasoning q607" in texts[0]
    assert texts[0] != texts[1]
    copied = page.url
    assert set(re.findall(r"[?&](\w+)=", copied)) == {"study", "q", "extractor", "a", "b", "layer", "within", "as_of"}

    fresh = browser.new_context(viewport={"width": 1280, "height": 1000})
    other = fresh.new_page()
    other.goto(copied)
    settled(other, "Question 607")
    assert panes(other) == texts
    assert other.url == copied
    assert other.locator(".fb-table").first.inner_text() == page.locator(".fb-table").first.inner_text()
    fresh.close()


def test_back_and_forward_undo_and_redo_one_step(server, page):
    page.goto(f"{server}/cells?study=published")
    settled(page, "published")
    mark(page, "run: c8.1").first.click()
    expect(page.get_by_text("Picked: c8.1, 1,254 of 1,319 correct.")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Picked:")).to_have_count(0)
    page.go_forward()
    expect(page.get_by_text("Picked: c8.1")).to_be_visible()


def test_layer_sides_and_neighbours_are_steps_of_the_history(server, page):
    page.goto(f"{server}/question?study=published&q=539")
    settled(page, "Question 539")
    expect(page).to_have_url(re.compile("layer=tokens"))
    layers = page.get_by_role("radiogroup", name="Equal by")
    layers.get_by_role("radio", name="answer").click()
    expect(page).to_have_url(re.compile("layer=answer"))
    page.go_back()
    expect(page).to_have_url(re.compile("layer=tokens"))
    expect(layers.get_by_role("radio", name="tokens")).to_be_checked()
    page.get_by_role("button", name="Next").click()
    settled(page, "Question 540")
    page.go_back()
    settled(page, "Question 539")
    page.get_by_placeholder("Go to question id").fill("607")
    page.keyboard.press("Enter")
    settled(page, "Question 607")


@pytest.mark.parametrize("path", ["", "cells?study=smollm2-mini", "question?study=smollm2-mini&q=short-word-problem-11"])
def test_a_first_visitor_on_any_page_gets_it_and_nothing_is_fetched_from_elsewhere(server, page, path):
    asked, refused = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: refused.append(message.text) if "Content Security Policy" in message.text else None)
    page.goto(f"{server}/{path}")
    expect(page.locator(".fb-h1")).to_be_visible(timeout=SETTLED)
    page.wait_for_timeout(1_500)
    assert [url for url in asked if not url.startswith((server, "data:", "blob:"))] == []
    assert refused == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800])
def test_no_page_is_wider_than_its_window(server, browser, scheme, width):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    for path, heading in (("cells?study=published", "published"), ("question?study=published&q=607", "Question 607")):
        page.goto(f"{server}/{path}")
        settled(page, heading)
        page.wait_for_timeout(800)
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    context.close()


def test_health_and_headers(server):
    with urllib.request.urlopen(f"{server}/api/health") as response:
        assert json.load(response) == {"status": "ok", "generation": 2}
        assert "img-src 'self'" in response.headers["Content-Security-Policy"]
        assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_an_ingest_shows_at_once_and_an_old_link_still_shows_what_it_showed(tmp_path, browser):
    store = Store(tmp_path / "store")
    list(load_bundled(store.root))
    for server in serving(store.root):
        page = browser.new_page()
        page.goto(f"{server}/cells?study=smollm2-mini")
        settled(page, "smollm2-mini")
        table = page.locator(".fb-table").first
        before, link = table.inner_text(), page.url
        admit(
            store,
            (labels("late", cell="fp32-eager-cap8", repeat=2, arm="FP32"), [answered("easy-arithmetic-01", "7", gold="7")]),
            study="smollm2-mini",
        )
        page.goto(link)
        settled(page, "smollm2-mini")
        expect(page.get_by_text("Added since and left out: 1 run.")).to_be_visible()
        assert table.inner_text() == before
        page.get_by_role("button", name="Show the newest").click()
        expect(page).to_have_url(re.compile("as_of=3"))
        expect(page.get_by_text("late has 1 of 75").first).to_be_visible()
        assert table.inner_text() != before
        page.close()
