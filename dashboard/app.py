"""The app: page settings, style, and which pages there are."""

from pathlib import Path

import streamlit as st

from dashboard.style import apply_style

ICON = str(Path(__file__).with_name("icon.png"))

st.set_page_config(page_icon=ICON, layout="wide", initial_sidebar_state="auto")
apply_style()
page = st.navigation(
    [
        st.Page("views/studies.py", title="Studies · Flipbook", icon=":material/library_books:", default=True),
        st.Page("views/cells.py", title="Cells · Flipbook", icon=":material/scatter_plot:", url_path="cells"),
        st.Page("views/question.py", title="Question · Flipbook", icon=":material/difference:", url_path="question"),
    ],
    position="hidden",
)
page.run()
