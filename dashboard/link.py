"""The state of a page is its URL: reading it, completing it, and writing links that carry all of it."""

from dataclasses import dataclass, fields, replace

import streamlit as st

from store.analysis.classes import LAYERS, Layer
from store.errors import UsageError

MAX_CHARS = 512


@dataclass(frozen=True, slots=True)
class Link:
    """Every key a link may carry; null is not said. Unknown keys in a URL are dropped.

    run: the highlighted run. q: question. a, b: run labels that name the two output classes side by side.
    """

    study: str | None = None
    run: str | None = None
    q: str | None = None
    extractor: str | None = None
    a: str | None = None
    b: str | None = None
    layer: Layer | None = None
    as_of: int | None = None

    @property
    def params(self) -> dict[str, str]:
        """The keys that are said, in their fixed order."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: str(value) for name, value in values if value is not None}

    def with_(self, **changes: str | int | None) -> "Link":
        """This link with some keys changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


def read_link() -> Link:
    """The link in the address bar. Raises UsageError on a layer or generation that cannot be one."""
    raw = {field.name: st.query_params.get(field.name) for field in fields(Link)}
    said = {name: value[:MAX_CHARS] for name, value in raw.items() if value}
    layer, as_of = said.pop("layer", None), said.pop("as_of", None)
    if layer is not None and layer not in LAYERS:
        raise UsageError(f"layer={layer} is no layer", fix=f"Layers are {', '.join(LAYERS)}.")
    if as_of is not None and not as_of.isdecimal():
        raise UsageError(f"as_of={as_of} is no generation", fix="It is a whole number; take it out for the newest.")
    known = next((known for known in LAYERS if known == layer), None)
    return Link(**said, layer=known, as_of=None if as_of is None else int(as_of))


def write_link(link: Link) -> None:
    """Put the whole state into the address bar, once, when it is not there yet."""
    if st.query_params.to_dict() != link.params:
        st.query_params.from_dict(link.params)
