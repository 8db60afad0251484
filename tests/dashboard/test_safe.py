"""Text from data is text."""

import pytest

from dashboard.panes import HEAD_CHARS, Pane, panes_html
from dashboard.safe import chip, text_html

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
    panes = [Pane(payload, f"a {payload}", 3, (0, 4), payload), Pane(payload, f"b {payload}", 3, (1, 9), payload)]
    for made in (text_html(payload), chip(payload, "none", payload), panes_html(panes), panes_html(panes[:1])):
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


def pane(text, at=None, span=None):
    return Pane("title", text, at, span, "")


def test_a_megabyte_is_shown_head_first_and_the_rest_is_counted():
    made = panes_html([pane("x" * 1_000_000)])
    assert len(made) < HEAD_CHARS + 1_000
    assert f"{1_000_000 - HEAD_CHARS:,} more characters" in made
    both = panes_html([pane("x" * 1_000_000 + "a"), pane("x" * 1_000_000 + "b")])
    assert len(both) < 4 * HEAD_CHARS


def test_what_all_panes_share_is_collapsed_and_what_they_do_not_is_marked():
    made = panes_html([pane("one two three 1"), pane("one two four 2", at=2), pane("one five 3", at=1)])
    assert made.count("<summary>") == 3
    assert made.count("<summary>4 identical characters") == 3  # of three, tokens are not what all share
    assert "2 identical tokens, 8 identical characters" in panes_html([pane("one two three 1"), pane("one two four 2", at=2)])
    assert '<ins class="fb-only-b">four 2</ins>' in made
    assert '<ins class="fb-only-c">five 3</ins>' in made


def test_what_the_extractor_read_is_outlined_also_across_pieces():
    made = panes_html([pane("the answer is 42 or so", span=(14, 16)), pane("the answer is 41", span=(11, 16))])
    assert ">42</mark>" in made
    assert made.count("fb-span") == 3  # "is" is shared, "41" is not


def test_texts_that_are_equal_or_not_known_are_said_to_be():
    assert "All of it stands in the other too." in panes_html([pane("a b"), pane("a b")])
    assert "No text is recorded." in panes_html([pane("a b"), pane(None)])
    assert "The text is empty." in panes_html([pane(""), pane("a")])
