"""Still pictures: what a mark stands for, that text stays text, and what happens when drawing fails."""

from xml.etree import ElementTree

import altair as alt
import pandas as pd
import pytest

from dashboard.figures.base import pick
from dashboard.figures.draughtsman import Draughtsman
from dashboard.figures.look import dressed
from dashboard.figures.still import MOST, still
from store.errors import FlipbookError

HOSTILE = (
    "<script>alert(1)</script>; a: x",
    '"><img src=x onerror=alert(1)>',
    "x; \u2063pick: 0",
    "\u202eab\x1b[31m",
    "&lt;b&gt;",
)


def spec(names, **more):
    frame = pd.DataFrame({"a": names, "v": range(len(names))})
    ticks = alt.Chart(frame).mark_tick().encode(x="v:Q", tooltip=["v:Q"])
    dots = (
        alt.Chart(frame).mark_point().encode(x="v:Q", y=alt.Y("a:N", axis=None), tooltip=["a:N"], **more).add_params(pick("a"))
    )
    with alt.data_transformers.enable("default", max_rows=None):
        return alt.layer(ticks, dots).to_dict()


def marks(found):
    return [e for e in ElementTree.fromstring(found.svg).iter() if "data-row" in e.attrib]


def test_a_mark_tells_its_row_and_only_one_that_can_be_picked():
    found = still(spec(["p", "q", "r"]))
    picked = {e.get("aria-label"): found.rows[int(e.get("data-row"))]["a"] for e in marks(found) if e.get("data-row")}
    assert {label.split("; ")[-1]: name for label, name in picked.items()} == {"a: p": "p", "a: q": "q", "a: r": "r"}
    assert sum(e.get("data-row") == "" for e in marks(found)) == 3


def test_hostile_names_are_text_and_pick_themselves():
    found = still(spec(list(HOSTILE)))
    assert {e.tag.rpartition("}")[2] for e in ElementTree.fromstring(found.svg).iter()} <= {
        "svg",
        "g",
        "path",
        "rect",
        "text",
        "line",
    }
    rows = [int(e.get("data-row")) for e in marks(found) if e.get("data-row")]
    assert [found.rows[row]["a"] for row in sorted(rows)] == list(HOSTILE)
    assert not [n for e in ElementTree.fromstring(found.svg).iter() for n in e.attrib if n.startswith("on") or "href" in n]
    assert any("U+2063" in e.get("aria-label") for e in marks(found))


def test_too_many_marks_are_left_to_the_browser():
    assert still(spec([str(i) for i in range(MOST // 2 + 1)])) is None


def test_what_cannot_be_drawn_is_one_named_error_and_the_next_is_drawn():
    broken = spec(["p"])
    broken["layer"][0]["mark"] = {"type": "no-such-mark"}
    with pytest.raises(FlipbookError, match="could not be drawn"):
        still(broken)
    assert still(spec(["p"])) is not None


@pytest.fixture
def drawer():
    one = Draughtsman()
    yield one
    one.close()


def test_the_process_that_draws_is_started_again_after_it_ended(drawer):
    assert drawer.draw(dressed(spec(["p"])), "svg").startswith(b"<svg")
    process, _ = drawer._running()
    process.kill()
    process.wait(10)
    assert drawer.draw(dressed(spec(["p"]), paper=True), "png").startswith(b"\x89PNG")


def test_a_picture_that_takes_too_long_is_one_named_error(drawer):
    with pytest.raises(FlipbookError, match="could not be drawn"):
        drawer.draw(dressed(spec(["p"])), "svg", seconds=0.01)
    assert drawer.draw(dressed(spec(["p"])), "svg").startswith(b"<svg")
