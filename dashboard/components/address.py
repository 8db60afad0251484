"""The address bar, completed in place."""

from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from dashboard.link import Link

_address = st.components.v2.component(
    "flipbook_address",
    html="<span></span>",
    js=Path(__file__).with_name("address.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def settle(link: Link) -> None:
    """Say the whole state in the address bar. Nobody chose anything, so it is no step of the browser's history."""
    _address(key="address", data={"search": f"?{urlencode(link.params)}"}, height=1)
