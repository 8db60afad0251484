"""Buttons that save: a file is made when it is asked for. They stand in the component of what they save."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import uuid4

import streamlit as st

from dashboard.components.heard import heard
from dashboard.components.scripts import script
from store.errors import FlipbookError

_save = st.components.v2.component(
    "flipbook_save",
    html='<div class="fb-save"></div>',
    js=script("save")
    + "export default (c) => drawSaves(c.parentElement.querySelector('.fb-save'), c.data, c.setTriggerValue);",
    isolate_styles=False,
)

MIMES = {"CSV": "text/csv", "Parquet": "application/vnd.apache.parquet", "SVG": "image/svg+xml", "PNG": "image/png"}

Forms = Mapping[str, Callable[[], bytes]]
"""How each form of a file is made, by a key of `MIMES`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A file somebody asked for: which form, and a name that no other click has, in no other session either."""

    form: str
    turn: str


@dataclass(frozen=True, slots=True)
class Saves:
    """name: of the file, less its ending. what: the thing saved, for those who hover."""

    name: str
    what: str
    forms: Forms

    def ask(self, form: object) -> None:
        """From a click: this form is wanted."""
        if form in self.forms:
            st.session_state[self._key] = Asked(str(form), uuid4().hex)

    def data(self) -> dict[str, object]:
        """What the script needs, with the file when one is asked for. One that cannot be made is said on the page."""
        return {"name": self.name, "forms": list(self.forms), "what": self.what, "file": self._file()}

    @property
    def _key(self) -> str:
        return f"save-{self.name}-asked"

    def _file(self) -> dict[str, object] | None:
        wanted: Asked | None = st.session_state.pop(self._key, None)
        if wanted is None:
            return None
        try:
            content = self.forms[wanted.form]()
        except FlipbookError as error:
            st.warning(error.what)  # a sentence of ours, never text from data
            return None
        return {
            "name": f"{self.name}.{wanted.form.lower()}",
            "mime": MIMES[wanted.form],
            "base64": b64encode(content).decode("ascii"),
            "turn": wanted.turn,
        }


def save_bar(saves: Saves) -> None:
    """The buttons by themselves, for what is drawn by Streamlit."""
    key = f"save-{saves.name}"
    _save(key=key, data=saves.data(), on_save_change=lambda: saves.ask(heard(key, "save")))
