"""Overview: Table 1, accuracy above flips, the funnel, and every question."""

import streamlit as st

from dashboard.components.table import data_table
from dashboard.data import cells_result_of, report_of
from dashboard.figures.accuracy import accuracy_figure, flip_figure
from dashboard.figures.base import clickable, draw
from dashboard.figures.funnel import funnel_figure
from dashboard.figures.kept import kept
from dashboard.frame import go, open_study, study_sidebar, title
from dashboard.link import write_link
from dashboard.overview_parts import statistics
from dashboard.parts import findings, list_of_questions, open_question_of
from dashboard.rows import overview as rows
from dashboard.safe import heading, notice, paragraph
from dashboard.words import explain
from store.results.report.headline import headline

page = open_study("cells")
link = page.link.on("cells")
study_sidebar(page, link)
report, scope = report_of(page.scope), page.scope
title(scope.study.study, "overview", ends=f"Scored by {scope.extractor or 'nobody'}.")
if lead := headline(report):
    paragraph(lead, "lead")
findings(report.findings)
if not report.cells:
    st.stop()
data_table(
    "cells", "accuracy, flips and identity of every cell", rows.CELL_COLUMNS, rows.cell_rows(report, link), link,
    lambda cell: go("fragile", link.with_(cell=cell)),
)  # fmt: skip
if len(report.cells) == 1 and report.cells[0].deployments == 1:
    notice("One deployment shows one draw. Ingest a second fresh deployment of this cell to see how much it moves.", "info")

heading("Accuracy of each run, and flips of each run pair", 2)
accuracy = kept(scope, "accuracy", (link.run,), lambda: accuracy_figure(report, link.run))
clickable(
    "accuracy", accuracy, "accuracy of each run, by cell", ["run"],
    lambda picked: write_link(link.with_(run=None if picked["run"] == link.run else picked["run"])),
)  # fmt: skip
if chosen := next((run for cell in report.cells for run in cell.accuracy.per_run if run.run == link.run), None):
    paragraph(f"Picked: {chosen.run}, {chosen.correct:,} of {chosen.of:,} correct.")
elif link.run is not None:
    notice(f"The link names run {link.run}, which is in no cell here.", "doubt")
if any(cell.flips.count is not None for cell in report.cells):
    draw("flips", kept(scope, "flips", (), lambda: flip_figure(report)), "flip rate of each run pair, by cell")
    heading("Where differences die", 2)
    explain("funnel")
    funnel = kept(scope, "funnel", (), lambda: funnel_figure(report))
    draw("funnel", funnel, "share of pair-questions that differ in tokens, text, answer and verdict, by cell")

statistics(report, link)
heading("Questions", 2)
counts = cells_result_of(scope)
data_table(
    "questions", "questions with the number of right runs per cell", rows.question_columns(counts),
    list_of_questions(counts, link), link, lambda question: open_question_of(scope, link.with_(q=question, within="overview")),
)  # fmt: skip
