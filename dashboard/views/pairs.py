"""Pairs: every run against every other, every cell against every other, and one pair opened."""

from dashboard.data import study_of
from dashboard.frame import open_study, study_sidebar, title
from dashboard.pair_parts import choose_matrix, complete, group_matrix, kinds, open_pair, run_matrix
from dashboard.safe import heading, notice, paragraph
from store.results.browse.matrix import matrix_runs

page = open_study("pairs")
link = complete(page)
study_sidebar(page, link)
title("Pairs", "pairs", ends=f"Verdicts by {page.scope.extractor or 'nobody'}.")
runs = len(matrix_runs(study_of(page.scope), link.among or "grid"))
open_pair(page.scope, link)
if runs < 2:
    notice(f"A pair needs two complete runs; of {link.among} runs there {'is' if runs == 1 else 'are'} {runs}.", "info")
choose_matrix(link, runs)
if link.grain == "runs" and runs > 1:
    heading("Runs against each other", 2)
    paragraph("Hover a square for its count, click it to open the pair.", "quiet")
    run_matrix(page.scope, link)
if runs > 1:
    group_matrix(page.scope, link)
    kinds(page.scope, link)
