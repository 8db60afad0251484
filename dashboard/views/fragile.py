"""Fragile set: the questions on which runs disagree, as a map of questions and runs."""

from dashboard.fragile_parts import choose_filter, draw_map, map_table, open_map, size
from dashboard.frame import open_study, study_sidebar, title
from dashboard.safe import paragraph

page = open_study("fragile")
link, found = open_map(page)
study_sidebar(page, link)
title("Fragile set", "fragile", ends=f"Verdicts by {page.scope.extractor or 'nobody'}.")
size(page.scope, link)
choose_filter(page.scope, link)
if link.cell or link.arm:
    paragraph("Only these runs, and the questions on which they disagree; with the stable core, all of that.", "quiet")
draw_map(page.scope, link, found)
map_table(page.scope, link, found)
