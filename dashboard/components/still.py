"""A still picture on a page: hovering shows a mark's values, a click on one that can be picked tells its row."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import streamlit as st

from dashboard.components.heard import heard
from dashboard.components.save import Saves
from dashboard.components.scripts import script

_still = st.components.v2.component(
    "flipbook_still",
    html='<div class="fb-figure"></div><div class="fb-save"></div>',
    js=script("save", "still"),
    isolate_styles=False,
)


@dataclass(frozen=True, slots=True)
class Picture:
    """svg: shapes and text alone; a mark with `data-row` is hovered, one where that is a number can be picked.

    name: of this very picture. width: in pixels at most. alt: what it shows, for those who cannot see it.
    """

    name: str
    svg: str
    width: int
    alt: str


def show_still(key: str, picture: Picture, saves: Saves, on_pick: Callable[[int], None] | None = None) -> None:
    """Show a picture. on_pick: called with the row of a clicked mark, before the page is drawn again."""

    def picked() -> None:
        said = heard(key, "pick")
        # a browser that is behind may send a row of what it showed before
        if on_pick is not None and isinstance(said, dict) and said["name"] == picture.name:
            on_pick(int(said["row"]))

    _still(
        key=key,
        data={**asdict(picture), "saves": saves.data()},
        on_pick_change=picked,
        on_save_change=lambda: saves.ask(heard(key, "save")),
    )
