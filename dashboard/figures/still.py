"""A chart as a still picture: drawn once on the server, so that a page shows it without loading what would draw it there.

A mark with a tooltip gets it as its label, line after line, and behind it whether it can be picked, and its row; that becomes
`data-row`. Vega's own labels also say where a mark stands, and leave out what has the name of an axis.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from hashlib import sha256
from xml.etree import ElementTree

from dashboard.figures.draughtsman import DRAUGHTSMAN
from dashboard.figures.look import dressed
from store.contract.base import Json
from store.errors import FlipbookError
from store.results.printing import NOTHING

MOST = 2_500
"""Marks of a still picture; above it the browser draws on a canvas."""

BETWEEN = "; \u2063"
"""Between two lines of a label: an invisible separator, which no text in a specification holds, for hidden signs are named."""

_ROW, _SAID = "fb-row", "fb-said"
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
    """The picture of a specification; null with more than `MOST` marks. Raises FlipbookError when it cannot be drawn."""
    data = _objects(spec.get("datasets"))
    if sum(len(_array(data.get(name))) for _, name in _units(spec, "")) > MOST:
        return None
    marked, picked = _marked(dressed(spec))
    try:
        svg = DRAUGHTSMAN.draw(marked, "svg")
    except FlipbookError:
        svg = DRAUGHTSMAN.draw(marked, "svg")  # the process may have ended for another picture's sake
    root = ElementTree.fromstring(svg)
    _clean(root)
    ElementTree.register_namespace("", _NAMESPACE)
    rows = tuple(_list(data.get(picked))) if picked else ()
    text = ElementTree.tostring(root, encoding="unicode")
    return Still(text, rows, int(float(root.get("width", "0"))), sha256(text.encode()).hexdigest()[:16])


def _marked(spec: Spec) -> tuple[Spec, str | None]:
    """The specification whose labels are its tooltips and end in the row, and the name of the data that can be picked from."""
    spec, picked = deepcopy(spec), None
    views = {str(view) for param in _list(spec.get("params")) for view in _array(param.get("views"))}
    for unit, data in _units(spec, ""):
        encoding = unit.get("encoding")
        if not isinstance(encoding, dict) or "tooltip" not in encoding:
            continue
        picks = unit.get("name") in views if views else any(p.get("name") == "pick" for p in _list(unit.get("params")))
        picked = data if picks else picked
        said = encoding.pop("tooltip")
        lines = [_line(field) for field in _list(said if isinstance(said, list) else [said])]
        number = f"datum[{json.dumps(_ROW)}]" if picks else "''"
        calculated: Json = {"calculate": f" + {json.dumps(BETWEEN)} + ".join([*lines, number]), "as": _SAID}
        unit["transform"] = [*_array(unit.get("transform")), calculated]
        encoding["description"] = {"field": _SAID, "type": "nominal"}
    for rows in _objects(spec.get("datasets")).values():
        for i, row in enumerate(_list(rows)):
            row[_ROW] = str(i)
    return spec, picked


def _line(field: Spec) -> str:
    """The Vega expression of one line of a tooltip: its title and its value as the tooltip would format it."""
    value = f"datum[{json.dumps(field['field'])}]"
    known = f"format({value}, {json.dumps(field['format'])})" if "format" in field else value
    shown = f"(isValid({value}) ? {known} : {json.dumps(NOTHING)})"
    title = json.dumps(f"{field.get('title', field['field'])}: ")
    return f"({title} + {shown})"


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
    label, mark, row = element.get("aria-label", "").rpartition(BETWEEN)
    if mark:
        element.set("aria-label", label)
        element.set("data-row", row)


def _objects(value: Json) -> Spec:
    return value if isinstance(value, dict) else {}


def _array(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _list(value: Json) -> list[Spec]:
    return [item for item in _array(value) if isinstance(item, dict)]
