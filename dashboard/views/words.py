"""Words: what every term on the pages means, the asked one first."""

import streamlit as st

from dashboard.frame import home_sidebar
from dashboard.safe import heading, notice, paragraph
from dashboard.words import glossary

home_sidebar("words")
heading("Words")
paragraph("The same words stand on pages, in columns, in exports and in the code.", "quiet")
asked = st.query_params.get("word")
words = glossary()
known = next((word for word in words if word.name == asked), None)
if asked and known is None:
    notice(f"There is no word {asked!r} here; all of them stand below.", "error")
if known is not None:
    with st.container(border=True):
        heading(known.name, 2)
        st.markdown(known.meaning)  # our own glossary, never text from data
for word in words:
    heading(word.name, 2)
    st.markdown(word.meaning)
