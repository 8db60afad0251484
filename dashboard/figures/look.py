"""How every chart looks, on a page and in a file."""

from dashboard.safe import named
from store.contract.base import Json

INK = "#8190a3"
"""Colour of text and lines that has contrast on light and on dark."""

WIDTH = 900
"""Pixels of a chart that takes the page's width, axes and legend among them."""

_FIT: dict[str, Json] = {"type": "fit", "contains": "padding"}


def dressed(spec: dict[str, Json], paper: bool = False) -> dict[str, Json]:
    """The specification with this look; signs that cannot stand in a picture are named by their code, as on the page.

    paper: for a file, dark on white, in a font that is everywhere (what makes a PNG draws no text in one that it lacks); else
    its text has the colour and font of the page around it, light or dark.
    """
    whole: dict[str, Json] = {"width": WIDTH, "autosize": _FIT, **spec, "config": _config(paper)}
    return {key: _shown(value) for key, value in whole.items()}


def _config(paper: bool) -> dict[str, Json]:
    text = "#1c2430" if paper else "currentColor"
    said: dict[str, Json] = {"labelColor": text, "titleColor": text, "labelOpacity": 0.85, "labelFontSize": 12}
    titles: dict[str, Json] = {"titleFontSize": 12, "titleFontWeight": 500}
    lines: dict[str, Json] = {"gridColor": INK, "gridOpacity": 0.25, "domainColor": INK, "tickColor": INK}
    axis: dict[str, Json] = {**said, **titles, **lines, "titlePadding": 9, "labelPadding": 5}
    return {
        "background": "white" if paper else None,
        "font": "sans-serif" if paper else "Source Sans, Source Sans 3, sans-serif",
        "view": {"stroke": None, "continuousWidth": WIDTH},
        "axis": axis,
        "legend": {**said, **titles, "symbolSize": 80, "gradientLabelOffset": 6},
    }


def _shown(value: Json) -> Json:
    if isinstance(value, str):
        return named(value)
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return {key: _shown(item) for key, item in value.items()} if isinstance(value, dict) else value
