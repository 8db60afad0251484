"""What a page costs: bytes sent, queries made, and what is drawn for many runs."""

import pytest
from playwright.sync_api import expect

import store.warehouse.open as opening
from store.folder import Store
from tests.builders import answered, labels
from tests.conftest import serving
from tests.dashboard.browsing import settled
from tests.dashboard.reading import parts
from tests.store.test_folder import admit

PAGES = {
    "cells": "published",
    "compare": "BF16 cap8 against BF16 cap1",
    "pairs": "Pairs",
    "fragile": "Fragile set",
    "question": "Question 0",
    "gates": "BF16 cap1 judged against BF16 cap32",
}
RUNS = 200


def received(page, url, heading):
    """Bytes that the server sends for one page, the app's own files aside."""
    sizes = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sizes.append(len(frame))))
    page.goto(url)
    settled(page, heading)
    page.wait_for_timeout(500)
    return sum(sizes)


@pytest.mark.parametrize("view", list(PAGES))
def test_a_page_of_forty_thousand_records_sends_less_than_two_megabytes(server, page, view):
    assert 1_000 < received(page, f"{server}/{view}?study=published", PAGES[view]) < 2_000_000


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """200 runs in 8 cells."""
    store = Store(tmp_path_factory.mktemp("crowd") / "store")
    runs = [
        (
            labels(f"run{i:03d}", cell=f"cell{i % 8}", repeat=i // 8),
            [answered(f"q{q}", f"{i * q % 3} the final answer is {1 + (i * q % 7 == 3)}") for q in range(60)],
        )
        for i in range(RUNS)
    ]
    admit(store, *runs)
    yield from serving(store.root)


def test_two_hundred_runs_begin_with_cells_and_open_on_demand(crowd, page):
    size = received(page, f"{crowd}/pairs?study=s", "Pairs")
    assert size < 2_000_000
    expect(page.get_by_role("radio", name="cells")).to_be_checked()
    expect(page.get_by_role("heading", name="Runs against each other")).to_have_count(0)
    size = received(page, f"{crowd}/pairs?study=s&grain=runs", "Pairs")
    assert size < 2_000_000
    expect(page.get_by_role("heading", name="Runs against each other")).to_be_visible()


@pytest.mark.parametrize("grain", ["cells", "runs"])
def test_the_map_of_two_hundred_runs_is_sent_in_parts(crowd, page, grain):
    assert received(page, f"{crowd}/fragile?study=s&grain={grain}", "Fragile set") < 2_000_000


@pytest.mark.parametrize(("view", "most"), [("cells", 12), ("compare", 12), ("pairs", 12), ("fragile", 12), ("question", 16)])
def test_a_page_that_was_open_before_asks_the_store_little(open_view, bundled_store, monkeypatch, view, most):
    open_view(bundled_store, view, study="published")
    asked = []
    plain = opening.statement
    monkeypatch.setattr(opening, "statement", lambda name: asked.append(name) or plain(name))
    open_view(bundled_store, view, study="published")
    assert asked
    assert not {"read/layers", "read/token_outputs", "read/run_bodies", "read/rescoring", "read/capture_steps"} & set(asked)
    assert len(asked) <= most * 2  # AppTest runs the entry and then the page


def test_what_is_cached_is_of_this_file_and_not_of_the_one_before(open_view, tmp_path):
    store = Store(tmp_path / "store")
    admit(store, *((labels(f"x{i}", cell="x", repeat=i), [answered("q1", "The final answer is 1")]) for i in range(2)))
    assert [row["c"][2]["t"] for row in parts(open_view(store.root, "cells", study="s"), "table")[0]["rows"]] == ["2"]
    admit(store, (labels("x2", cell="x", repeat=2), [answered("q1", "The final answer is 1")]))
    assert [row["c"][2]["t"] for row in parts(open_view(store.root, "cells", study="s"), "table")[0]["rows"]] == ["3"]
