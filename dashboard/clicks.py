"""Clicks that change the page's state. Each rotates its widget's key, so that Back does not bounce forward again."""

import altair as alt
import pandas as pd
import streamlit as st

from dashboard.data import question_of
from dashboard.frame import QUESTION
from dashboard.link import Link, write_link
from dashboard.question_link import complete
from store.results.scope import Scope

SHOWN_ROWS = 12


def clicked_run(chart: alt.LayerChart | alt.FacetChart, link: Link) -> None:
    """Draw the chart; a click on a run puts it into the URL, a second click takes it out."""
    key = _key("chart")

    def chosen() -> None:
        points = st.session_state[key]["selection"]["pick"]
        run = points[0]["run"] if points else None
        write_link(link.with_(run=None if run == link.run else run))
        _rotate("chart")

    st.altair_chart(chart, key=key, on_select=chosen, selection_mode="pick", alt="accuracy of each run, by cell")


def clicked_question(frame: pd.DataFrame, scope: Scope, link: Link) -> None:
    """Draw the question list; a click on a cell opens the question with the whole state in its URL."""
    key = _key("questions")

    def chosen() -> None:
        cells = st.session_state[key]["selection"]["cells"]
        if cells:
            st.session_state["open-question"] = str(frame["question"].iloc[cells[0][0]])
            _rotate("questions")

    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        on_select=chosen,
        selection_mode="single-cell",
        height=36 * (min(len(frame), SHOWN_ROWS) + 1) + 2,
        alt="questions with the number of right runs per cell",
    )
    opened = st.session_state.pop("open-question", None)
    if opened is not None:
        there = complete(link.with_(a=None, b=None), question_of(scope, opened))
        st.switch_page(QUESTION, query_params=there.params)


def _key(name: str) -> str:
    return f"{name}-{st.session_state.setdefault(f'{name}-turn', 0)}"


def _rotate(name: str) -> None:
    st.session_state[f"{name}-turn"] += 1
