"""The app: page settings, style, and which pages there are."""

from pathlib import Path

import streamlit as st

from dashboard.frame import HOME, PAGES, WORDS, follow_click
from dashboard.safe import heading, notice
from dashboard.style import apply_style
from store.errors import FlipbookError

ICON = str(Path(__file__).with_name("icon.png"))

st.set_page_config(page_icon=ICON, layout="wide", initial_sidebar_state="auto")
apply_style()
study_pages = [
    st.Page(file, title=f"{label} · Flipbook", icon=icon, url_path=name) for name, (file, label, icon) in PAGES.items()
]
page = st.navigation(
    [
        st.Page(HOME, title="Studies · Flipbook", icon=":material/library_books:", default=True),
        *study_pages,
        st.Page(WORDS, title="Words · Flipbook", icon=":material/menu_book:", url_path="words"),
    ],
    position="hidden",
)
follow_click()
try:
    page.run()
except FlipbookError as error:  # what no page foresaw, such as a file damaged while it is read
    heading("This page cannot be shown")
    notice(error.line, "error")
