"""Charts as files, drawn from the same specification as on the page, for a paper or a talk."""

from functools import partial

import altair as alt

from dashboard.components.save import Saves
from dashboard.figures.draughtsman import DRAUGHTSMAN, Form
from dashboard.figures.look import dressed

Drawing = alt.Chart | alt.LayerChart | alt.FacetChart


def figure_saves(name: str, what: str, chart: Drawing) -> Saves:
    """Both forms of a chart; the file is made when one is asked for."""
    return Saves(f"figure-{name}", what, {"SVG": partial(picture, chart, "svg"), "PNG": partial(picture, chart, "png")})


def picture(chart: Drawing, form: Form) -> bytes:
    """The chart, dark on white. Raises FlipbookError when it cannot be drawn."""
    with alt.data_transformers.enable("default", max_rows=None):
        return DRAUGHTSMAN.draw(dressed(chart.to_dict(), paper=True), form)
