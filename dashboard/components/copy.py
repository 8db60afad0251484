"""Buttons that copy: the page's link, or a text made for pasting."""

import streamlit as st

from dashboard.components.scripts import script

_copy = st.components.v2.component(
    "flipbook_copy",
    html='<button type="button" class="fb-button"></button>',
    js=script("copy"),
    isolate_styles=False,
)


def copy_link(key: str = "copy-link") -> None:
    """A button that copies the address of the page, which holds its whole state."""
    _copy(key=key, width="content", data={"label": "Copy link", "title": "The link shows what you see now", "text": None})


def copy_text(label: str, text: str, title: str, key: str) -> None:
    """A button that copies `text`."""
    _copy(key=key, width="content", data={"label": label, "title": title, "text": text})
