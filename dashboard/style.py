"""Colours of arms and the one style sheet."""

from pathlib import Path

import streamlit as st

ARM_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#b8a600")
"""Okabe and Ito's palette less its yellow, which vanishes on white: told apart by every common kind of sight."""

ARM_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")


def apply_style() -> None:
    """Put the style sheet on the page; called once, by the entry."""
    st.html(Path(__file__).with_name("style.css"))
