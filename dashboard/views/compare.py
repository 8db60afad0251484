"""Compare: two cells or two environment digests, with what each differs by from itself."""

from dashboard.compare_parts import choose_sides, gaps, open_comparison, sentence, statistics, strips, unknown_fields
from dashboard.components.table import data_table
from dashboard.frame import open_study, study_sidebar, title
from dashboard.parts import open_question_of
from dashboard.rows import compare as rows
from dashboard.safe import heading, notice, paragraph
from dashboard.words import explain
from store.results.printing import percent

page = open_study("compare")
link, found = open_comparison(page)
study_sidebar(page, link)
title(f"{found.b.cell} against {found.a.cell}", "compare")
choose_sides(page.scope, link)
sentence(found)

heading("What differs in the environment", 2)
explain("environment", ends=rows.fields_sentence(found))
if found.environment.differing:
    data_table("environment", "environment fields that differ", rows.field_columns(found), rows.field_rows(found), link)

unknown_fields(found)

heading("Within A, between, within B", 2)
strips(page.scope, link, found)

heading("Questions that are not noise", 2)
if found.not_noise is None:
    notice("Not known: with one deployment on a side nobody can say what is stable there; it needs ≥ 2 deployments.", "info")
else:
    chance = f"A question that tosses a coin would look so with chance {percent(found.coin_chance, 1)}."
    explain("not noise", ends=f"{rows.noise_base(found)} {chance}")
    if found.not_noise:
        there = link.with_(within="compare", a=found.a.runs[0], b=found.b.runs[0])
        data_table(
            "not-noise", "questions that are not noise", rows.noise_columns(found), rows.noise_rows(found, there), link,
            lambda question: open_question_of(page.scope, there.with_(q=question)),
        )  # fmt: skip
    else:
        paragraph(f"None of the {found.questions:,} questions with a verdict in every run of both sides.")
gaps(page.scope, link, found)
statistics(found, link)
