"""Bringing what a click opened into view."""

import streamlit as st

from dashboard.components.scripts import script

_reveal = st.components.v2.component(
    "flipbook_reveal",
    html="<span></span>",
    js=script("reveal"),
    isolate_styles=False,
)


def reveal(what: str) -> None:
    """Scroll here when `what` is another than before."""
    _reveal(key="reveal", data={"what": what}, height=1)
