"""Buttons that copy: the page's link, or a text made for pasting."""

from pathlib import Path

import streamlit as st

_copy = st.components.v2.component(
    "flipbook_copy",
    html='<button type="button" class="fb-button"></button>',
    js=Path(__file__).with_name("copy.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def copy_link(key: str = "copy-link") -> None:
    """A button that copies the address of the page, which holds its whole state."""
    _copy(key=key, width="content", data={"label": "Copy link", "title": "The link shows what you see now", "text": None})


def copy_text(label: str, text: str, title: str, key: str) -> None:
    """A button that copies `text`."""
    _copy(key=key, width="content", data={"label": label, "title": title, "text": text})
