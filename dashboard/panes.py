"""Two outputs side by side: what they share collapsed, what they do not share marked."""

from html import escape

import streamlit as st

from dashboard.safe import text_html
from store.analysis.difference import Piece, TextDifference, first_divergence, text_difference
from store.results.question import Output

HEAD_CHARS = 20_000
"""Characters of one side that are sent to the browser; the rest is named and can be downloaded."""


def show_pair(left: Output, right: Output, left_title: str, right_title: str) -> None:
    """Draw both outputs. Texts that are not known are said to be so."""
    if left.raw_text is None or right.raw_text is None:
        gone = [title for side, title in ((left, left_title), (right, right_title)) if side.raw_text is None]
        st.html(f'<p class="fb-plain">No text is recorded for {text_html(" and ".join(gone))}.</p>')
        return
    difference = text_difference(left.raw_text, right.raw_text)
    at = first_divergence(left.token_ids, right.token_ids) if left.token_ids and right.token_ids else None
    shared = _shared(difference, at)
    panes = _pane(left_title, shared, difference.left, "a") + _pane(right_title, shared, difference.right, "b")
    st.html(f'<div class="fb-panes">{panes}</div>')


def show_one(output: Output, title: str) -> None:
    """Draw a single output."""
    text = "No text is recorded." if output.raw_text is None else output.raw_text
    st.html(f'<div class="fb-panes">{_pane(title, "", (Piece("same", text),), "a")}</div>')


def _shared(difference: TextDifference, diverged_at: int | None) -> str:
    if difference.equal:
        return '<p class="fb-quiet">The texts are identical.</p>' + _box(difference.shared)
    if not difference.shared:
        return ""
    tokens = "" if diverged_at is None else f"{diverged_at:,} identical tokens, "
    summary = f"{tokens}{len(difference.shared):,} identical characters"
    return f"<details><summary>{summary}</summary>{_box(difference.shared)}</details>"


def _pane(title: str, shared: str, pieces: tuple[Piece, ...], side: str) -> str:
    marked, length = [], 0
    for piece in pieces:
        room = HEAD_CHARS - length
        length += len(piece.text)
        if room > 0:
            text = text_html(piece.text[:room])
            marked.append(f'<ins class="fb-only-{side}">{text}</ins>' if piece.kind == "only" else text)
    cut = f'<p class="fb-quiet">… {length - HEAD_CHARS:,} more characters</p>' if length > HEAD_CHARS else ""
    body = f'<pre class="fb-pre" dir="auto">{"".join(marked)}</pre>' if marked else ""
    return f'<section class="fb-pane" aria-label="{escape(title)}"><h3>{text_html(title)}</h3>{shared}{body}{cut}</section>'


def _box(text: str) -> str:
    more = f"… {len(text) - HEAD_CHARS:,} more characters" if len(text) > HEAD_CHARS else ""
    return f'<pre class="fb-pre" dir="auto">{text_html(text[:HEAD_CHARS])}{more}</pre>'
