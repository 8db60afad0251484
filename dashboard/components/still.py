"""A still picture on a page: hovering shows a mark's values, a click on one that can be picked tells its row."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from dashboard.components.save import SAVE_JS, Saves

_still = st.components.v2.component(
    "flipbook_still",
    html='<div class="fb-figure"></div><div class="fb-save"></div>',
    js=SAVE_JS + Path(__file__).with_name("still.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def show_still(key: str, svg: str, width: int, alt: str, saves: Saves, on_pick: Callable[[int], None] | None = None) -> None:
    """Show an SVG of shapes and text. on_pick: called with the row of a clicked mark, before the page is drawn again."""

    def picked() -> None:
        row = st.session_state[key].pick
        if on_pick is not None and isinstance(row, int | float):
            on_pick(int(row))

    _still(
        key=key,
        data={"svg": svg, "width": width, "alt": alt, "saves": saves.data()},
        on_pick_change=picked,
        on_save_change=lambda: saves.ask(st.session_state[key].save),
    )
