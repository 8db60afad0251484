"""Payloads as every name and every text of a study: on no page, in no tooltip and in no file do they do anything."""

import json
import re
import urllib.request
from html import unescape

import pytest
from playwright.sync_api import expect

from store.contract.gates import GateSet
from store.folder import Store
from store.people.database import open_people
from store.people.gates import gate_set_row, keep_gate_set
from tests.builders import answered, labels
from tests.conftest import serving
from tests.dashboard.browsing import column, mark, panes, settled, table
from tests.store.test_folder import admit

HOSTILE = {
    "script": "<script>window.hacked = 1</script>",
    "image": "<img src=x onerror='window.hacked = 1'> ![x](http://127.0.0.1:1/beacon.png)",
    "frame": '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
    "style": "<style>.fb-h1 { display: none }</style>",
    "markdown": "# **bold** [link](http://127.0.0.1:1/x) :red[colour]",
    "latex": "$\\frac{1}{2}$",
    "ansi": "\x1b[31mred\x1b[0m",
    "bidi": "abc\u202edef\u200b",
    "formula": '=HYPERLINK("http://127.0.0.1:1/x","y")',
}
CELLS = (HOSTILE["script"], HOSTILE["markdown"])
ARMS = (HOSTILE["latex"], HOSTILE["style"])
LONG = "x" * 1_000_000


def visible(text):
    """Text as the pages show it: signs that steer or hide are named by their code."""
    return re.sub("[\x1b\u202e\u200b]", lambda found: f"U+{ord(found.group()):04X}", text)


def hostile_gates():
    """A gate set whose every word is a payload, with a gate that each question of the study breaks."""
    return GateSet.model_validate_json(
        json.dumps(
            {
                "format": "flipbook-gates/1",
                "id": "set",
                "author": HOSTILE["script"],
                "reason": " ".join(HOSTILE.values()),
                "frozen_at": "2026-01-01T00:00:00Z",
                "mode": "statistical",
                "target": "new questions",
                "extractor": "answer-line@1",
                "question_set": "qs1:" + "0" * 64,
                "baseline": CELLS[0],
                "incomplete_runs": "fail",
                "min_deployments": {"baseline": 1, "candidate": 1},
                "gates": [
                    {"id": "critical", "metric": "all correct", "questions": "all"},
                    {"id": "gone", "metric": "all correct", "questions": {"ids": [HOSTILE["image"] + " gone"]}},
                    {
                        "id": "words",
                        "metric": "matching texts",
                        "questions": "all",
                        "pattern": HOSTILE["image"].replace("![", "!."),
                        "level": 0.95,
                        "history_min": 8,
                    },
                ],
            }
        )
    )


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Four runs of two cells; each question is named by a payload and answered with it, and is unstable in both cells."""
    store = Store(tmp_path_factory.mktemp("hostile") / "store")
    runs = []
    for i in range(4):
        records = [
            answered(text, f"{text} the final answer is {1 + (i + at) % 2}", gold="1", category=text, rendered_prompt=text)
            for at, text in enumerate(HOSTILE.values())
        ]
        records.append(answered("long", f"{LONG}{i}", gold="1"))
        names = labels(f"{HOSTILE['image']} {i}", cell=CELLS[i // 2], repeat=i % 2, arm=ARMS[i // 2])
        runs.append((names, records))
    admit(store, *runs, label=HOSTILE["image"])
    engine = open_people(store.people)
    keep_gate_set(engine, gate_set_row("s", hostile_gates()))
    engine.dispose()
    yield from serving(store.root)


@pytest.fixture
def watched(page):
    """A page that keeps what it asks for and what it runs."""
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    yield page
    assert page.evaluate("window.hacked") is None
    assert [url for url in asked if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))] == []
    assert not any("127.0.0.1:1/" in url for url in asked)


def quoted(text):
    return urllib.request.quote(text, safe="")


PAGES = {
    "cells": ("cells?study=s", "s", "questions with the number of right runs per cell"),
    "compare": ("compare?study=s", f"{visible(CELLS[1])} against {visible(CELLS[0])}", "environment fields that differ"),
    "pairs": (
        f"pairs?study=s&matrix=text&pair_a={quoted(HOSTILE['image'])}%200&pair_b={quoted(HOSTILE['image'])}%203",
        "Pairs",
        "gains and losses",
    ),
    "fragile": ("fragile?study=s&show=answer", "Fragile set", "questions on which runs disagree"),
    "gates": ("gates?study=s&gate=critical", f"{visible(CELLS[1])} judged against {visible(CELLS[0])}", "what broke critical"),
}


@pytest.mark.parametrize("view", list(PAGES))
def test_names_are_text_on_every_page(hostile, watched, view):
    path, heading, caption = PAGES[view]
    watched.goto(f"{hostile}/{path}")
    settled(watched, heading)
    expect(watched.get_by_text(visible(HOSTILE["image"])).first).to_be_visible()
    if view != "compare":
        shown = column(watched, caption, 0)
        wanted = {visible(text) for text in HOSTILE.values()}
        assert wanted <= set(shown) if view != "pairs" else set(shown) & wanted
    assert watched.locator("h1", has_text="bold").count() == (
        1 if view in ("compare", "gates") else 0
    )  # these name their cells
    assert watched.locator(".katex, iframe, img[src*=beacon]").count() == 0


@pytest.mark.parametrize("name", list(HOSTILE))
def test_texts_are_text_on_the_question_page(hostile, watched, name):
    text = HOSTILE[name]
    watched.goto(f"{hostile}/question?study=s&q={quoted(text)}")
    settled(watched, f"Question {visible(text)}")
    assert visible(text) in panes(watched)[0]
    expect(watched.get_by_text("asked with the same rendered prompt")).to_be_visible()
    watched.get_by_text("Rendered prompt of 4 records").click()
    expect(watched.locator(".fb-pre", has_text=visible(text)).first).to_be_visible()


def test_a_megabyte_on_one_line_opens_head_first_and_can_be_saved_whole(hostile, watched):
    watched.goto(f"{hostile}/question?study=s&q=long")
    settled(watched, "Question long")
    watched.get_by_text("identical characters").first.click()
    expect(watched.get_by_text("more characters").first).to_be_visible()
    with watched.expect_download() as saved:
        watched.get_by_role("button", name="Whole text of A").click()
    assert len(saved.value.path().read_text()) == len(LONG) + 1


def test_tooltips_of_charts_show_names_as_text(hostile, watched):
    watched.goto(f"{hostile}/fragile?study=s")
    settled(watched, "Fragile set")
    mark(watched, "verdict: correct").first.hover()
    tip = watched.locator(".fb-tip")
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("<")
    assert tip.locator("script, img, iframe, style").count() == 0


@pytest.mark.parametrize(
    ("view", "name"), [("cells", "questions"), ("fragile", "map"), ("pairs", "changes"), ("gates", "culprits")]
)
def test_files_hold_names_as_text_and_no_formula(hostile, watched, view, name):
    path, heading, _ = PAGES[view]
    watched.goto(f"{hostile}/{path}")
    settled(watched, heading)
    with watched.expect_download() as saved:
        watched.locator(f'.fb-save[data-name="{name}"]').get_by_role("button", name="CSV").click()
    text = saved.value.path().read_text(encoding="utf-8-sig")
    assert HOSTILE["script"] in text
    assert not re.search(r'(^|,|\n)"?=', text)


def test_a_saved_chart_holds_names_as_text(hostile, watched):
    watched.goto(f"{hostile}/fragile?study=s")
    settled(watched, "Fragile set")
    with watched.expect_download() as saved:
        watched.locator('.fb-save[data-name="figure-map"]').get_by_role("button", name="SVG").click()
    svg = saved.value.path().read_text()
    assert "<script" not in svg
    assert HOSTILE["script"][:20] in unescape(svg)


def test_a_click_on_a_hostile_name_opens_its_question(hostile, watched):
    watched.goto(f"{hostile}/fragile?study=s")
    settled(watched, "Fragile set")
    table(watched, "questions on which runs disagree").get_by_role("link", name=HOSTILE["style"]).click()
    settled(watched, f"Question {HOSTILE['style']}")
