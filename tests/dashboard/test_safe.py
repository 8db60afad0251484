"""Text from data is text."""

import pytest

from dashboard.panes import HEAD_CHARS, _pane
from dashboard.safe import chip, text_html
from store.analysis.difference import Piece

PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><iframe srcdoc="<script>1</script>">',
    "<style>*{display:none}</style>",
    "![x](http://127.0.0.1/x.png)",
    "$\\frac{1}{2}$ **bold** :red[x]",
    "&lt;b&gt;",
    "'\"`",
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markup_is_escaped_everywhere_it_can_stand(payload):
    for made in (text_html(payload), chip(payload, "none", payload), _pane(payload, "", (Piece("only", payload),), "a")):
        assert "<script" not in made
        assert "<img" not in made
        assert "<iframe" not in made
        assert "<style" not in made
    assert text_html("a & b") == "a &amp; b"
    assert text_html("&lt;") == "&amp;lt;"


@pytest.mark.parametrize(
    ("sign", "shown"),
    [("\u202e", "U+202E"), ("\u200b", "U+200B"), ("\x1b", "U+001B"), ("\x00", "U+0000"), ("\u2028", "U+2028")],
)
def test_signs_that_hide_or_turn_text_are_shown_by_their_code(sign, shown):
    assert shown in text_html(f"a{sign}b")
    assert sign not in text_html(f"a{sign}b")


def test_newlines_and_tabs_stay():
    assert text_html("a\n\tb") == "a\n\tb"


def test_a_megabyte_is_shown_head_first_and_the_rest_is_counted():
    made = _pane("A", "", (Piece("same", "x" * 1_000_000),), "a")
    assert len(made) < HEAD_CHARS + 1_000
    assert f"{1_000_000 - HEAD_CHARS:,} more characters" in made
