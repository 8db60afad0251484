"""Charts as files, drawn from the same specification as on the page, for a paper or a talk."""

import json
from functools import partial
from typing import Literal

import altair as alt
import streamlit as st
import vl_convert

WIDTH = 820
"""Pixels of a saved chart that takes the page's width on a page."""

SCALE = 2.0
"""Pixels of a PNG for one of the chart."""


Form = Literal["svg", "png"]
FORMS: tuple[tuple[str, Form, str], ...] = (("SVG", "svg", "image/svg+xml"), ("PNG", "png", "image/png"))


def save_buttons(name: str, chart: alt.Chart | alt.LayerChart | alt.FacetChart) -> None:
    """Two buttons; the files are made when one is pressed."""
    with st.container(horizontal=True, gap="small", key=f"save-figure-{name}"):
        for label, suffix, mime in FORMS:
            st.download_button(
                label,
                partial(picture, chart, suffix),
                file_name=f"{name}.{suffix}",
                mime=mime,
                key=f"save-figure-{name}-{suffix}",
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
            )


def picture(chart: alt.Chart | alt.LayerChart | alt.FacetChart, form: Form) -> bytes:
    """The chart on white; nothing is fetched."""
    with alt.data_transformers.enable("default", max_rows=None):
        spec = json.loads(chart.to_json())
    spec.setdefault("width", WIDTH)
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    if form == "svg":
        return vl_convert.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[]).encode()
    return vl_convert.vegalite_to_png(spec, vl_version=version, scale=SCALE, allowed_base_urls=[])
