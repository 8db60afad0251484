"""Question: every run's answer to one question, collapsed into classes of equal output, two of them side by side."""

import streamlit as st

from dashboard.classes import CLASS_HEADER, SCORER_HEADER, class_rows, layer_counts, scorer_rows
from dashboard.data import question_of, remarks_on
from dashboard.frame import open_study
from dashboard.question_parts import choose_layer, choose_pair, question_bar, show_prompts
from dashboard.safe import notice, paragraph, table

page = open_study()
link, result = question_bar(page, question_of)
for finding in result.findings:
    notice(finding.text, "doubt")
for remark in remarks_on(page.scope.study.study, result.question_id):
    notice(f"{remark.kind}: {remark.text} ({remark.author}, {remark.created_at:%Y-%m-%d})", "doubt")
if not result.records:
    notice("No run that this link covers has answered this question.", "info")
    st.stop()
show_prompts(result)

layer = choose_layer(link, result)
classes = result.classes(layer)
paragraph(layer_counts(result))
paragraph(
    f"{len(result.records)} records fall into {len(classes.classes)} classes of equal {layer}"
    + (f"; {len(classes.unknown)} cannot be placed: their {layer} is not recorded." if classes.unknown else "."),
)
if classes.incomparable:
    notice("Token ids here come from different tokenizers or prompts: between those classes identity is undefined.", "doubt")
table(CLASS_HEADER, class_rows(result, classes, link.run), "classes of equal output")
choose_pair(page.scope, link.with_(layer=layer), result, classes)

with st.expander(f"What each of {len({s.extractor for s in result.scorers})} extractors made of it"):
    table(SCORER_HEADER, scorer_rows(result.scorers), "answers and verdicts by extractor")
