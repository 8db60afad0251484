"""Home: every study of the store and the way into it."""

import streamlit as st

from dashboard.data import warehouse
from dashboard.frame import home_sidebar, open_store
from dashboard.link import Link
from dashboard.safe import heading, paragraph
from store.results.printing import counted
from store.results.scope import newest_generation

studies = open_store()
home_sidebar("studies")
newest = newest_generation(warehouse())
heading("Studies")
paragraph(
    "A study asks the same questions of many fresh deployments. Same weights, same seed: how often do they agree?",
    "quiet",
)
for row in studies:
    with st.container(border=True):
        heading(row.study, 2)
        if row.label:
            paragraph(row.label)
        paragraph(
            f"{counted(row.cells, 'cell')} of {counted(row.arms, 'arm')} · {counted(row.deployments, 'deployment')}"
            f" · {counted(row.runs, 'run')} · {counted(row.questions, 'question')} · {counted(row.records, 'record')}",
            "quiet",
        )
        doubts = ((row.unscored, "unscored records"), (row.quarantined, "quarantined runs"), (row.refused, "refused lines"))
        if said := " · ".join(f"{count:,} {what}" for count, what in doubts if count):
            paragraph(said)
        st.page_link(
            "views/cells.py",
            label="Open the study",
            icon=":material/scatter_plot:",
            query_params=Link(study=row.study, extractor=row.main_extractor, as_of=newest).params,
        )
