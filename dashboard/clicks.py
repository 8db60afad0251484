"""Clicks that change the page's state. Each rotates its widget's key, so that Back does not bounce forward again."""

import altair as alt
import pandas as pd
import streamlit as st

from dashboard.link import Link

QUESTION_PAGE = "views/question.py"
SHOWN_ROWS = 12


def clicked_run(chart: alt.LayerChart | alt.FacetChart, link: Link) -> None:
    """Draw the chart; a click on a run puts it into the URL, a second click takes it out."""
    key = _key("chart")

    def chosen() -> None:
        points = st.session_state[key]["selection"]["pick"]
        run = points[0]["run"] if points else None
        if run is None or run == link.run:
            st.query_params.pop("run", None)
        else:
            st.query_params["run"] = run
        _rotate("chart")

    st.altair_chart(chart, key=key, on_select=chosen, selection_mode="pick", alt="accuracy of each run, by cell")


def clicked_question(frame: pd.DataFrame, link: Link) -> None:
    """Draw the question list; a click on a row opens the question with the whole state in its URL."""
    key = _key("questions")

    def chosen() -> None:
        selection = st.session_state[key]["selection"]
        rows = [cell[0] for cell in selection["cells"]] or selection["rows"]
        if rows:
            st.session_state["open-question"] = frame["question"].iloc[rows[0]]
            _rotate("questions")

    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        on_select=chosen,
        selection_mode=["single-row", "single-cell"],
        height=36 * (min(len(frame), SHOWN_ROWS) + 1) + 2,
        alt="questions with the number of right runs per cell",
    )
    opened = st.session_state.pop("open-question", None)
    if opened is not None:
        st.switch_page(QUESTION_PAGE, query_params=link.with_(q=opened, a=None, b=None).params)


def _key(name: str) -> str:
    return f"{name}-{st.session_state.setdefault(f'{name}-turn', 0)}"


def _rotate(name: str) -> None:
    st.session_state[f"{name}-turn"] += 1
