"""The way through a list of questions: previous and next, by button or arrow key, and a line for any id."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

_walk = st.components.v2.component(
    "flipbook_walk",
    html='<div class="fb-walk"></div>',
    js=Path(__file__).with_name("walk.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def walk(
    previous: str | None,
    following: str | None,
    on_step: Callable[[int], None],
    on_type: Callable[[str], None],
    back: tuple[str, str, Callable[[], None]] | None = None,
) -> None:
    """Draw it. on_step: called with how many questions to go on, negative for back. on_type: with what was typed.

    previous, following: the ids beside this one, null at the ends. back: label, address and action of the way to the list.
    """
    key = "walk"

    def stepped() -> None:
        steps = st.session_state[key].step
        if isinstance(steps, int | float):
            on_step(int(steps))

    def typed() -> None:
        words = st.session_state[key].typed
        if isinstance(words, str):
            on_type(words)

    _walk(
        key=key,
        data={
            "previous": previous,
            "following": following,
            "hint": "Go to question id",
            "back": {"label": back[0], "href": back[1]} if back else None,
        },
        on_step_change=stepped,
        on_typed_change=typed,
        on_back_change=back[2] if back else lambda: None,
    )
