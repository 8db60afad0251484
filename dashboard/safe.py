"""HTML from data: everything is escaped here, and no other module makes markup from data.

Text from models, files and links reaches a page through these functions, `st.dataframe` or a chart,
and never through Markdown.
"""

import re
from collections.abc import Sequence
from html import escape
from typing import Literal

import streamlit as st

_HIDDEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)


def text_html(text: str) -> str:
    """Escaped text in which control, bidirectional and zero-width characters are shown by their code."""
    return _HIDDEN.sub(lambda match: f'<span class="fb-code">U+{ord(match.group()):04X}</span>', escape(text))


def named(text: str) -> str:
    """Text in which control, bidirectional and zero-width characters are replaced by their code, where no markup can stand."""
    return _HIDDEN.sub(lambda match: f"U+{ord(match.group()):04X}", text)


def unbroken(html: str) -> str:
    """A number and its per cent sign or points stay on one line."""
    return html.replace(" %", "\u00a0%").replace(" pt", "\u00a0pt")


def heading(text: str, level: Literal[1, 2] = 1) -> None:
    """A heading whose words come from data."""
    st.html(f'<h{level} class="fb-h{level}">{text_html(text)}</h{level}>')


def paragraph(text: str, kind: Literal["plain", "quiet", "lead"] = "plain") -> None:
    """A paragraph whose words come from data."""
    st.html(f'<p class="fb-{kind}">{unbroken(text_html(text))}</p>')


def notice(text: str, kind: Literal["info", "doubt", "error"] = "info") -> None:
    """A boxed sentence: a finding, an empty state or an error."""
    word = {"info": "Note", "doubt": "Finding", "error": "Cannot show this:"}[kind]
    st.html(f'<div class="fb-notice fb-{kind}" role="status"><b>{word}</b> {text_html(text)}</div>')


def verdict(word: str, text: str, tone: str) -> None:
    """The outcome of a decision, in a box of its own: the word first, then what it rests on."""
    said = f"<b>{text_html(word)}</b> {text_html(text)}"
    st.html(f'<div class="fb-verdict fb-tone-{escape(tone)}" role="region" aria-label="Outcome of the gates">{said}</div>')


def pre(text: str) -> None:
    """Text as it is, wrapped, in a box."""
    st.html(f'<pre class="fb-pre" dir="auto">{text_html(text)}</pre>')


def chip(text: str, tone: str = "none", title: str = "") -> str:
    """HTML of a small label; `tone` is one of the classes in `dashboard.style`."""
    shown = f' title="{escape(title)}"' if title else ""
    return f'<span class="fb-chip fb-tone-{escape(tone)}"{shown}>{text_html(text)}</span>'


def chips(labels: Sequence[tuple[str, str]]) -> None:
    """Small labels in a row, each a text and a tone."""
    st.html(f'<p class="fb-chips">{"".join(chip(text, tone) for text, tone in labels)}</p>')
