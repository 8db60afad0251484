"""Question: every run's answer to one question, collapsed into classes of equal output, two of them side by side."""

import streamlit as st

from dashboard.classes import CLASS_HEADER, SCORER_HEADER, class_rows, layer_counts, scorer_rows, unplaced
from dashboard.frame import open_study, study_sidebar
from dashboard.question_parts import choose_layer, open_question, question_bar, show_prompts, show_remarks, side_by_side
from dashboard.safe import notice, paragraph, table

page = open_study()
link, result = open_question(page)
study_sidebar(page, link)
question_bar(page.scope, link, result)
for finding in result.findings:
    notice(finding.text, "doubt")
show_remarks(page.scope.study.study, result.question_id)
if not result.records:
    notice("No run that this link covers has answered this question.", "info")
    st.stop()
show_prompts(result)

layer = choose_layer(link, result)
classes = result.classes(layer)
paragraph(layer_counts(result))
if reason := unplaced(classes):
    notice(reason, "doubt")
if classes.incomparable:
    notice("Token ids here come from different tokenizers or prompts: between those classes identity is undefined.", "doubt")
table(CLASS_HEADER, class_rows(result, classes, link.run), "classes of equal output")
side_by_side(page.scope, link, result, classes)

with st.expander("Answers and verdicts by extractor"):
    table(SCORER_HEADER, scorer_rows(result.scorers), "answers and verdicts by extractor")
