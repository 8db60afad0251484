"""Bringing what a click opened into view."""

from pathlib import Path

import streamlit as st

_reveal = st.components.v2.component(
    "flipbook_reveal",
    html="<span></span>",
    js=Path(__file__).with_name("reveal.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def reveal(what: str) -> None:
    """Scroll here when `what` is another than before."""
    _reveal(key="reveal", data={"what": what}, height=1)
