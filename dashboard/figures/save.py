"""Charts as files, drawn from the same specification as on the page, for a paper or a talk."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Literal

import altair as alt

from dashboard.components.save import save_bar
from dashboard.safe import named
from store.contract.base import Json
from store.errors import FlipbookError

WIDTH = 820
"""Pixels of a saved chart that takes the page's width on a page."""

SECONDS = 60
"""What drawing one picture may take."""


Form = Literal["svg", "png"]


def save_buttons(name: str, what: str, chart: alt.Chart | alt.LayerChart | alt.FacetChart) -> None:
    """Two buttons; the file is made when one is pressed."""
    save_bar(f"figure-{name}", what, {"SVG": partial(picture, chart, "svg"), "PNG": partial(picture, chart, "png")})


def picture(chart: alt.Chart | alt.LayerChart | alt.FacetChart, form: Form) -> bytes:
    """The chart on white. Raises FlipbookError when it cannot be drawn."""
    with alt.data_transformers.enable("default", max_rows=None):
        spec = chart.to_dict()
    spec.setdefault("width", WIDTH)
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    command = [sys.executable, str(Path(__file__).with_name("convert.py")), form, version]
    try:
        found = subprocess.run(
            command, input=json.dumps(_shown(spec)).encode(), capture_output=True, timeout=SECONDS, check=True
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise FlipbookError("the chart could not be saved", fix="Save the table beside it instead.") from error
    return found.stdout


def _shown(value: Json) -> Json:
    """The specification with signs that cannot stand in a picture named by their code, as on the page."""
    if isinstance(value, str):
        return named(value)
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return {key: _shown(item) for key, item in value.items()} if isinstance(value, dict) else value
