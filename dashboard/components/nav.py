"""The side bar of a study's pages in one piece, and the address bar completed in place.

Streamlit's own links and select boxes would be fourteen elements, each drawn by itself on every page.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

_nav = st.components.v2.component(
    "flipbook_nav",
    html='<div class="fb-side"></div>',
    js=Path(__file__).with_name("nav.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


@dataclass(frozen=True, slots=True)
class NavLink:
    """One page. icon: a name of Material Symbols. here: the page that is shown."""

    name: str
    label: str
    icon: str
    href: str
    here: bool = False


@dataclass(frozen=True, slots=True)
class NavChoice:
    """A choice from a list, and what a change of it does."""

    label: str
    options: tuple[str, ...]
    chosen: str
    on_choose: Callable[[str], None]


def nav(
    house: Sequence[NavLink],
    pages: Sequence[NavLink],
    on_open: Callable[[str], None],
    study: NavChoice,
    extractor: NavChoice | None,
    note: str,
    search: str,
) -> None:
    """Draw it. on_open: called with the name of a clicked link. search: the whole state, as the address bar is to say it.

    Completing the address is no step of the browser's history: nobody chose anything.
    """
    choices = {"study": study} | ({"extractor": extractor} if extractor else {})

    def opened() -> None:
        name = st.session_state["nav"].open
        if name in {link.name for link in (*house, *pages)}:
            on_open(str(name))

    def chosen(which: str) -> None:
        value = st.session_state["nav"][which]
        if value in choices[which].options:
            choices[which].on_choose(str(value))

    said = [{"name": name, "label": c.label, "options": c.options, "chosen": c.chosen} for name, c in choices.items()]
    _nav(
        key="nav",
        data={
            "house": [asdict(link) for link in house],
            "pages": [asdict(link) for link in pages],
            "choices": said,
            "note": note,
            "search": search,
        },
        on_open_change=opened,
        on_study_change=lambda: chosen("study"),
        on_extractor_change=lambda: chosen("extractor") if extractor else None,
    )
