"""Controls of a page in one piece: as Streamlit's widgets each kind loads scripts of its own on every cold page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from dashboard.components.heard import heard
from dashboard.components.scripts import script
from dashboard.link import Link, write_link

_controls = st.components.v2.component(
    "flipbook_controls",
    html='<div class="fb-controls"></div>',
    js=script("make", "until", "controls"),
    isolate_styles=False,
)

Kind = Literal["segments", "select", "words", "switch", "button"]


@dataclass(frozen=True, slots=True)
class Control:
    """One control. options: values and what is shown for each, of segments and select. hint: said on hover or in an empty line.

    value: what is chosen; "yes" or "" of a switch; "off" of a button that cannot be pressed. change: the link with another
    value, which of segments and select is one of the options.
    """

    kind: Kind
    label: str
    key: str
    value: str
    change: Callable[[Link, str], Link]
    options: tuple[tuple[str, str], ...] = ()
    hint: str = ""

    def takes(self, value: object) -> bool:
        """Whether this may be chosen; a browser that is behind may send what is no longer there."""
        known = [option for option, _ in self.options]
        return isinstance(value, str) and (value in known if self.kind in ("segments", "select") else True)


def controls(name: str, link: Link, *found: Control) -> None:
    """Draw them side by side. name: the same for the same row of a page, another for each row.

    Choices that follow each other faster than the page come together, in their order, and are one step.
    """
    key = f"controls-{name}"

    def chosen() -> None:
        said, there = heard(key, "choose"), link
        for which, value in said.items() if isinstance(said, dict) else ():
            for control in found:
                if control.key == which and control.takes(value):
                    there = control.change(there, value)
        write_link(there)

    shown = [
        {"kind": c.kind, "label": c.label, "key": c.key, "value": c.value, "options": c.options, "hint": c.hint} for c in found
    ]
    _controls(key=key, data={"controls": shown}, on_choose_change=chosen)
