"""A chart as a still picture: drawn once on the server, so that a page shows it without loading what would draw it there.

Vega writes every mark's values into its label. To each label of a mark with a tooltip one more value is added: whether the mark
can be picked, and its row. It is taken off again here and becomes `data-row`.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from hashlib import sha256
from xml.etree import ElementTree

from dashboard.figures.draughtsman import DRAUGHTSMAN
from dashboard.figures.look import dressed
from store.contract.base import Json
from store.errors import FlipbookError

MOST = 2_500
"""Marks of a still picture; above it the browser draws on a canvas."""

_MARK = "\u2063"
"""Invisible separator: no text in a specification holds it, since hidden signs are named by their code."""

_ROW = "fb-row"
_NAMESPACE = "http://www.w3.org/2000/svg"
_TAGS = frozenset({"svg", "g", "path", "rect", "line", "text", "tspan", "defs", "clipPath", "linearGradient", "stop"})
_DROPPED = frozenset({"role", "aria-roledescription", "aria-hidden", "pointer-events", "class", "font-family", "version"})

Spec = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Still:
    """svg: only shapes and text. rows: what the marks with `data-row` stand for, by that number. name: of this very picture."""

    svg: str
    rows: tuple[Spec, ...]
    width: int
    name: str


def still(spec: Spec) -> Still | None:
    """The picture of a Vega-Lite specification; null with more than `MOST` marks, or when it cannot be drawn."""
    data = _objects(spec.get("datasets"))
    if sum(len(_array(data.get(name))) for _, name in _units(spec, "")) > MOST:
        return None
    marked, picked = _marked(dressed(spec))
    try:
        svg = DRAUGHTSMAN.draw(marked, "svg")
    except FlipbookError:
        return None  # the browser may still be able to draw it
    root = ElementTree.fromstring(svg)
    _clean(root)
    ElementTree.register_namespace("", _NAMESPACE)
    rows = tuple(_list(data.get(picked))) if picked else ()
    text = ElementTree.tostring(root, encoding="unicode")
    return Still(text, rows, int(float(root.get("width", "0"))), sha256(text.encode()).hexdigest()[:16])


def _marked(spec: Spec) -> tuple[Spec, str | None]:
    """The specification whose labels end in the row, and the name of the data that can be picked from."""
    spec, picked = deepcopy(spec), None
    views = {str(view) for param in _list(spec.get("params")) for view in _array(param.get("views"))}
    for unit, data in _units(spec, ""):
        encoding = unit.get("encoding")
        if not isinstance(encoding, dict) or "tooltip" not in encoding:
            continue
        picks = unit.get("name") in views if views else any(p.get("name") == "pick" for p in _list(unit.get("params")))
        picked = data if picks else picked
        said = encoding["tooltip"]
        own: Json = {"field": _ROW, "type": "nominal", "title": _MARK + ("pick" if picks else "")}
        encoding["tooltip"] = [*(said if isinstance(said, list) else [said]), own]
    for rows in _objects(spec.get("datasets")).values():
        for number, row in enumerate(_list(rows)):
            row[_ROW] = str(number)
    return spec, picked


def _units(spec: Spec, data: str) -> Iterator[tuple[Spec, str]]:
    """Every chart in a chart, with the name of its data."""
    own = spec.get("data")
    data = str(own["name"]) if isinstance(own, dict) and "name" in own else data
    layers = _list(spec.get("layer"))
    for layer in layers:
        yield from _units(layer, data)
    if not layers:
        yield spec, data


def _clean(element: ElementTree.Element) -> None:
    """Keep shapes and text; turn the row at a label's end into `data-row`; shorten numbers."""
    for child in list(element):
        if child.tag.removeprefix(f"{{{_NAMESPACE}}}") in _TAGS:
            _clean(child)
        else:
            element.remove(child)
    for name in list(element.attrib):
        if name in _DROPPED or name.startswith(("on", "{")):
            del element.attrib[name]
    label, mark, row = element.get("aria-label", "").rpartition(f"; {_MARK}")
    if mark:
        kind, _, number = row.partition(": ")
        element.set("aria-label", label)
        element.set("data-row", number if kind else "")


def _objects(value: Json) -> Spec:
    return value if isinstance(value, dict) else {}


def _array(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _list(value: Json) -> list[Spec]:
    return [item for item in _array(value) if isinstance(item, dict)]
