"""Buttons that save: a file is made when it is asked for. Lighter than a download button each, of which a page has dozens."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from store.errors import FlipbookError

_save = st.components.v2.component(
    "flipbook_save",
    html='<div class="fb-save"></div>',
    js=Path(__file__).with_name("save.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)

MIMES = {"CSV": "text/csv", "Parquet": "application/vnd.apache.parquet", "SVG": "image/svg+xml", "PNG": "image/png"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A file somebody asked for: which form, and a number that is another with every click."""

    form: str
    turn: int


def save_bar(name: str, what: str, forms: Mapping[str, Callable[[], bytes]]) -> None:
    """Buttons for `forms`, keys of `MIMES`; a click makes that file and gives it to the browser as `name.form`.

    what: the thing saved, for those who hover. A file that cannot be made is said below the buttons.
    """
    key, asked = f"save-{name}", f"save-{name}-asked"

    def clicked() -> None:
        form = st.session_state[key].save
        if form in forms:
            before = st.session_state.get(f"{asked}-turn", 0)
            st.session_state[f"{asked}-turn"] = before + 1
            st.session_state[asked] = Asked(str(form), before + 1)

    wanted: Asked | None = st.session_state.pop(asked, None)
    file = None
    if wanted is not None:
        try:
            content = forms[wanted.form]()
        except FlipbookError as error:
            st.warning(error.what)  # a sentence of ours, never text from data
        else:
            file = {
                "name": f"{name}.{wanted.form.lower()}",
                "mime": MIMES[wanted.form],
                "base64": b64encode(content).decode("ascii"),
                "turn": wanted.turn,
            }
    _save(key=key, data={"forms": list(forms), "what": what, "file": file}, on_save_change=clicked)
