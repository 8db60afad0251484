"""The side bar in one piece, and the address bar completed in place.

Streamlit's own links and select boxes would be fourteen elements, each drawn by itself on every page.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import streamlit as st

from dashboard.components.heard import heard
from dashboard.components.scripts import script

_nav = st.components.v2.component(
    "flipbook_nav",
    html='<div class="fb-side"></div>',
    js=script("make", "until", "nav"),
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
    groups: Sequence[tuple[str, Sequence[NavLink]]],
    on_open: Callable[[str], None],
    choices: Sequence[NavChoice] = (),
    note: str = "",
    search: str | None = None,
) -> None:
    """Draw it. groups: named groups of links. on_open: called with the name of a clicked one.

    search: the whole state, as the address bar is to say it; null leaves the address as it is. Completing the address is no
    step of the browser's history: nobody chose anything.
    """
    links = {link.name for _, group in groups for link in group}

    def opened() -> None:
        name = heard("nav", "open")
        if name in links:
            on_open(str(name))

    def chosen() -> None:
        said = heard("nav", "choose")
        for choice in choices:
            if isinstance(said, dict) and choice.label == said["label"] and said["value"] in choice.options:
                choice.on_choose(str(said["value"]))

    _nav(
        key="nav",
        data={
            "groups": [{"label": label, "links": [asdict(link) for link in group]} for label, group in groups],
            "choices": [{"label": c.label, "options": c.options, "chosen": c.chosen} for c in choices],
            "note": note,
            "search": search,
        },
        on_open_change=opened,
        on_choose_change=chosen,
    )
