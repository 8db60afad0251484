"""How every chart looks, on a page and in a file."""

from dashboard.safe import named
from store.contract.base import Json

INK = "#8190a3"
"""Colour of text and lines that has contrast on light and on dark."""

WIDTH = 900
"""Pixels of a chart that takes the page's width, axes and legend among them."""

_FIT: dict[str, Json] = {"type": "fit", "contains": "padding"}
_TEXT: dict[str, Json] = {"labelColor": "currentColor", "titleColor": "currentColor", "labelOpacity": 0.85, "labelFontSize": 12}

CONFIG: dict[str, Json] = {
    "background": None,
    "font": "Source Sans, Source Sans 3, sans-serif",
    "view": {"stroke": None, "continuousWidth": WIDTH},
    "axis": _TEXT
    | {"titleFontSize": 12, "titleFontWeight": 500, "titlePadding": 9, "labelPadding": 5}
    | {"gridColor": INK, "gridOpacity": 0.25, "domainColor": INK, "tickColor": INK},
    "legend": _TEXT | {"titleFontSize": 12, "titleFontWeight": 500, "symbolSize": 80, "gradientLabelOffset": 6},
}
"""Colours of text follow the page's, so that one picture serves light and dark."""


def dressed(spec: dict[str, Json], background: str | None = None) -> dict[str, Json]:
    """The specification with this look; signs that cannot stand in a picture are named by their code, as on the page."""
    config: dict[str, Json] = {**CONFIG, "background": background}
    whole: dict[str, Json] = {"width": WIDTH, "autosize": _FIT, **spec, "config": config}
    return {key: _shown(value) for key, value in whole.items()}


def _shown(value: Json) -> Json:
    if isinstance(value, str):
        return named(value)
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return {key: _shown(item) for key, item in value.items()} if isinstance(value, dict) else value
