"""Outputs side by side: what they share collapsed, what they do not share marked, what an extractor read outlined."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from dashboard.safe import text_html
from store.analysis.difference import Piece, text_difference

HEAD_CHARS = 20_000
"""Characters of one side that are sent to the browser; the rest is named and can be downloaded."""

SHORT = 240
"""Characters of a shared beginning that is shown without a click."""

SIDES = ("a", "b", "c")


@dataclass(frozen=True, slots=True)
class Pane:
    """One output. text: null when not recorded. diverged_at: first token at which it parts from the first pane, null where that
    is not known. span: characters the page's extractor read, null where not recorded. note: one line below the title.
    """

    title: str
    text: str | None
    diverged_at: int | None
    span: tuple[int, int] | None
    note: str


def show_panes(panes: Sequence[Pane]) -> None:
    """Draw one, two or three outputs."""
    st.html(f'<div class="fb-panes fb-of-{len(panes)}">{panes_html(panes)}</div>')


def panes_html(panes: Sequence[Pane]) -> str:
    """Each output marked against the first, the first against the second; as it is when it is alone or the other is unknown."""
    known = [pane.text for pane in panes if pane.text is not None]
    if len(known) < 2 or len(known) < len(panes):
        return "".join(_pane(pane, "", "" if pane.text is None else _plain(pane, pane.text)) for pane in panes)
    differences = [text_difference(known[0], text) for text in known[1:]]
    shared = min((difference.shared for difference in differences), key=len)
    drawn = ""
    for i, (pane, text) in enumerate(zip(panes, known, strict=True)):
        against = differences[max(i - 1, 0)]
        between = against.shared[len(shared) :]
        pieces = [*([Piece("same", between)] if between else []), *(against.left if i == 0 else against.right)]
        at = pane.diverged_at if len(panes) == 2 else None  # of three, the characters are what all share, the tokens are not
        drawn += _pane(pane, _shared(pane, shared, text, at), _marked(pane, pieces, len(shared), SIDES[i]))
    return drawn


def _plain(pane: Pane, text: str) -> str:
    return _marked(pane, [Piece("same", text)], 0, "a")


def _shared(pane: Pane, shared: str, text: str, at: int | None) -> str:
    """The beginning that all panes have: collapsed where it is long, without a fold where it is the whole text."""
    if not shared:
        return ""
    box = f'<pre class="fb-pre" dir="auto">{_spanned(shared[:HEAD_CHARS], 0, pane.span)}</pre>'
    cut = _cut(len(shared))
    if shared == text:
        return f'<p class="fb-quiet">All of it stands in the other too.</p>{box}{cut}'
    tokens = "" if at is None else f"{at:,} identical tokens, "
    opened = " open" if len(shared) <= SHORT else ""
    return f"<details{opened}><summary>{tokens}{len(shared):,} identical characters</summary>{box}{cut}</details>"


def _marked(pane: Pane, pieces: Sequence[Piece], start: int, side: str) -> str:
    marked, length = [], 0
    for piece in pieces:
        room = HEAD_CHARS - length
        if room > 0:
            text = _spanned(piece.text[:room], start + length, pane.span)
            marked.append(f'<ins class="fb-only-{side}">{text}</ins>' if piece.kind == "only" else text)
        length += len(piece.text)
    body = f'<pre class="fb-pre" dir="auto">{"".join(marked)}</pre>' if marked else ""
    return body + _cut(length)


def _cut(length: int) -> str:
    return f'<p class="fb-quiet">… {length - HEAD_CHARS:,} more characters</p>' if length > HEAD_CHARS else ""


def _spanned(text: str, offset: int, span: tuple[int, int] | None) -> str:
    """Escaped text that begins at `offset`, with the part inside `span` outlined."""
    if span is None:
        return text_html(text)
    low, high = (max(0, min(len(text), edge - offset)) for edge in span)
    if low >= high:
        return text_html(text)
    inside = f'<mark class="fb-span" title="what the extractor read">{text_html(text[low:high])}</mark>'
    return text_html(text[:low]) + inside + text_html(text[high:])


def _pane(pane: Pane, shared: str, body: str) -> str:
    note = f'<p class="fb-quiet">{text_html(pane.note)}</p>' if pane.note else ""
    gone = '<p class="fb-quiet">No text is recorded.</p>' if pane.text is None else ""
    empty = '<p class="fb-quiet">The text is empty.</p>' if pane.text == "" else ""
    head = f"<h3>{text_html(pane.title)}</h3>{note}"
    return f'<section class="fb-pane" aria-label="{escape(pane.title)}">{head}{gone}{empty}{shared}{body}</section>'
