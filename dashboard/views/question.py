"""Question: every run's answer to one question, collapsed into classes of equal output, two or three of them side by side."""

import streamlit as st

from dashboard.components.table import data_table
from dashboard.frame import open_study, study_sidebar
from dashboard.parts import findings
from dashboard.question_parts import choose_layer, open_question, question_bar, show_prompts, show_remarks
from dashboard.rows.question import CLASS_COLUMNS, SCORER_COLUMNS, class_rows, layer_counts, scorer_rows, unplaced
from dashboard.safe import notice, paragraph
from dashboard.side_by_side import side_by_side

page = open_study("question")
link, result = open_question(page)
study_sidebar(page, link)
question_bar(page.scope, link, result)
paragraph(layer_counts(result))
findings(result.findings)
show_remarks(page.scope, result.question_id)
if not result.records:
    notice("No run that this link covers has answered this question.", "info")
    st.stop()
show_prompts(result)

layer = choose_layer(link, result)
classes = result.classes(layer)
if reason := unplaced(classes):
    notice(reason, "doubt")
if classes.incomparable:
    notice("Token ids here come from different tokenizers or prompts: between those classes identity is undefined.", "doubt")
data_table("classes", "classes of equal output", CLASS_COLUMNS, class_rows(result, classes, link.run), link)
side_by_side(page.scope, link, result, classes)

with st.expander("All records, by extractor"):
    data_table("scorers", "answers and verdicts by extractor", SCORER_COLUMNS, scorer_rows(result.scorers), link)
