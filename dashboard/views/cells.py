"""Cells: accuracy of every cell, each run as a dot, and the questions its runs do not agree on."""

import streamlit as st

from dashboard.charts import accuracy_dots
from dashboard.clicks import clicked_question, clicked_run
from dashboard.data import cells_of
from dashboard.frame import open_study, study_sidebar
from dashboard.link import write_link
from dashboard.safe import heading, notice, paragraph, table
from dashboard.tables import CELL_HEADER, cell_rows, question_frame

page = open_study()
write_link(page.link)
study_sidebar(page, page.link)
result = cells_of(page.scope)
heading(f"Cells of {page.scope.study.study}")
paragraph(
    "A cell is all fresh deployments of one declared configuration. Accuracy is the mean over its deployments of the share of"
    f" questions answered correctly, as scored by {page.scope.extractor or 'nobody'}.",
    "quiet",
)
for finding in result.findings:
    notice(finding.text, "doubt")
if not result.cells:
    notice(result.no_cells, "info")
    st.stop()
table(CELL_HEADER, cell_rows(result), "accuracy of every cell")
if len(result.cells) == 1 and result.cells[0].deployments == 1:
    notice("One deployment shows one draw. Ingest a second fresh deployment of this cell to see how much it moves.", "info")

heading("Accuracy of each run", 2)
clicked_run(accuracy_dots(result, page.link.run), page.link)
picked = next((run for cell in result.cells for run in cell.accuracy.per_run if run.run == page.link.run), None)
if picked is not None:
    paragraph(f"Picked: {picked.run}, {picked.correct:,} of {picked.of:,} correct.")

heading("Questions", 2)
paragraph(
    "Right of scored runs in each cell. Split cells are those whose own runs disagree; outputs and answers are distinct ones"
    " over all runs. Least agreed on first: click a row to open the question.",
    "quiet",
)
clicked_question(question_frame(result), page.scope, page.link)
