"""The way through a list of questions: previous and next, by button or arrow key, and a line for any id."""

from collections.abc import Callable

import streamlit as st

from dashboard.components.heard import heard
from dashboard.components.scripts import script

_walk = st.components.v2.component(
    "flipbook_walk",
    html='<div class="fb-walk"></div>',
    js=script("make", "until", "walk"),
    isolate_styles=False,
)


def walk(
    position: int,
    of: int,
    on_step: Callable[[int], None],
    on_type: Callable[[str], None],
    back: tuple[str, str, Callable[[], None]] | None = None,
) -> None:
    """Draw it for the question at a 1-based position of the list, 0 outside it.

    on_step: called with the position to go to. on_type: with what was typed. back: label, address and action of the way to
    the list.
    """
    key = "walk"

    def stepped() -> None:
        there = heard(key, "to")
        if isinstance(there, int | float):
            on_step(int(there))

    def typed() -> None:
        words = heard(key, "typed")
        if isinstance(words, str):
            on_type(words)

    _walk(
        key=key,
        data={
            "position": position,
            "of": of,
            "hint": "Go to question id",
            "back": {"label": back[0], "href": back[1]} if back else None,
        },
        on_to_change=stepped,
        on_typed_change=typed,
        on_back_change=back[2] if back else lambda: None,
    )
