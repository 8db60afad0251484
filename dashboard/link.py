"""The state of a page is its URL: reading it, completing it, and writing links that carry all of it."""

from dataclasses import dataclass, fields, replace
from typing import Literal, get_args
from urllib.parse import urlencode

import streamlit as st

from store.analysis.classes import LAYERS, Layer
from store.errors import UsageError
from store.results.browse.matrix import AMONG, GROUPS, MATRIX_LAYERS, RUN_ORDERS, Among, Group, MatrixLayer, RunOrder

MAX_CHARS = 512

By = Literal["cell", "environment"]
Grain = Literal["runs", "cells"]
Shown = Literal["verdict", "answer"]
ListName = Literal["all", "overview", "map", "compare", "pair", "gate"]
Yes = Literal["yes"]
PageName = Literal["cells", "compare", "pairs", "fragile", "question", "gates"]


@dataclass(frozen=True, slots=True)
class Link:
    """Every key a link may carry; null is not said. Unknown keys in a URL are dropped.

    run: the highlighted run. by, side_a, side_b: what is compared. matrix, order, among, grain: the matrix of runs, group:
    the matrix of cells or digests, pair_a and pair_b the pair that is open. show, cell, arm, category, core, find: the map
    of questions and its filter; top: its first row. gates, candidate: a gate set and what it judges; gate: the one whose list
    is open. q, layer: a question; a, b, c: run labels that name the output classes
    side by side; within: which questions come before and after it. sort, rows: `table:column:direction` and `table:words`.
    """

    study: str | None = None
    run: str | None = None
    by: By | None = None
    side_a: str | None = None
    side_b: str | None = None
    matrix: MatrixLayer | None = None
    order: RunOrder | None = None
    among: Among | None = None
    grain: Grain | None = None
    group: Group | None = None
    pair_a: str | None = None
    pair_b: str | None = None
    show: Shown | None = None
    cell: str | None = None
    arm: str | None = None
    category: str | None = None
    core: Yes | None = None
    find: str | None = None
    top: int | None = None
    gates: str | None = None
    candidate: str | None = None
    gate: str | None = None
    q: str | None = None
    extractor: str | None = None
    a: str | None = None
    b: str | None = None
    c: str | None = None
    layer: Layer | None = None
    within: ListName | None = None
    sort: str | None = None
    rows: str | None = None
    as_of: int | None = None

    @property
    def params(self) -> dict[str, str]:
        """The keys that are said, in their fixed order."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: str(value) for name, value in values if value is not None}

    def with_(self, **changes: str | int | None) -> "Link":
        """This link with some keys changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def on(self, page: PageName) -> "Link":
        """This link with only the keys that `page` has a use for."""
        kept = {*COMMON, *KEYS[page], *(LISTS.get(self.within or "all", ()) if page == "question" else ())}
        return Link(**{field.name: getattr(self, field.name) for field in fields(self) if field.name in kept})

    def href(self, page: PageName) -> str:
        """Address of `page` with this link's state, relative to the app."""
        return f"{page}?{urlencode(self.on(page).params)}"


COMMON = ("study", "extractor", "as_of")
COMPARED, PAIR = ("by", "side_a", "side_b"), ("matrix", "order", "among", "grain", "group", "pair_a", "pair_b")
JUDGED = ("gates", "candidate", "gate")
FILTER = ("show", "cell", "arm", "category", "core", "find", "grain", "top")
KEYS: dict[PageName, tuple[str, ...]] = {
    "cells": ("run", "sort", "rows"),
    "compare": (*COMPARED, "sort", "rows"),
    "pairs": (*PAIR, "sort", "rows"),
    "fragile": (*FILTER, "sort", "rows"),
    "gates": (*JUDGED, "sort", "rows"),
    "question": ("q", "run", "layer", "a", "b", "c", "within", "sort", "rows"),
}
LISTS: dict[ListName, tuple[str, ...]] = {
    "all": (),
    "overview": (),
    "map": FILTER,
    "compare": COMPARED,
    "pair": PAIR,
    "gate": JUDGED,
}
CHOICES: dict[str, tuple[str, ...]] = {
    "by": get_args(By),
    "matrix": MATRIX_LAYERS,
    "order": RUN_ORDERS,
    "among": AMONG,
    "grain": get_args(Grain),
    "group": GROUPS,
    "show": get_args(Shown),
    "core": get_args(Yes),
    "layer": LAYERS,
    "within": tuple(LISTS),
}


def read_link() -> Link:
    """The link in the address bar. Raises UsageError on a key whose value cannot be one."""
    said = {f.name: value[:MAX_CHARS] for f in fields(Link) if (value := st.query_params.get(f.name))}
    for name, choices in CHOICES.items():
        if name in said and said[name] not in choices:
            raise UsageError(f"the link says {name}={said[name]}", fix=f"What there is: {', '.join(choices)}.")
    numbers: dict[str, int] = {}
    for name, what in (("as_of", "generation"), ("top", "row")):
        value = said.pop(name, None)
        if value is not None and not (value.isdecimal() and value.isascii() and len(value) < 19):
            raise UsageError(f"{name}={value} is no {what}", fix="It is a whole number; take it out for the usual one.")
        numbers |= {} if value is None else {name: int(value)}
    return Link(**said, **numbers)  # type: ignore[arg-type]


def write_link(link: Link) -> None:
    """From a choice: put the state into the address bar, as a step of the browser's history."""
    if st.query_params.to_dict() != link.params:
        st.query_params.from_dict(link.params)
