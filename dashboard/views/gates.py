"""Gates: a candidate judged by what was written down before it ran."""

from dashboard.frame import open_study, study_sidebar, title
from dashboard.gate_data import candidates
from dashboard.gate_parts import choose, comparison, conditions, culprits, frozen_set, gates, history, open_decision, outcome
from dashboard.parts import findings

page = open_study("gates")
link, found = open_decision(page)
study_sidebar(page, link)
decision = found.decision
sides = f"{decision.candidate.label} judged against {decision.baseline.label}"
title(sides, "gates", ends=f"Scored by {decision.gate_set.extractor}.")
choose(page.scope, link, candidates(page.scope, decision.gate_set.baseline))
comparison(decision, link)
outcome(found, page.scope)
findings(decision.findings)
gates(decision, link)
culprits(decision, page.scope, link)
conditions(decision, link)
history(found, page.scope, link)
frozen_set(decision)
