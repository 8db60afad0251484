"""The run pairs behind a comparison, one by one, for those who want to see more than the totals."""

from dataclasses import dataclass, replace
from typing import Literal

from store.analysis.near_tie import NearTie
from store.results.report.between_shape import RunPair
from store.results.report.compare import common_questions
from store.results.report.near import Captures, between_runs, pair_ties
from store.results.report.pairs import run_pairs
from store.results.report.side import side_named
from store.results.study import StudyData

Where = Literal["a–a", "a–b", "b–b"]


@dataclass(frozen=True, slots=True)
class ComparedPairs:
    """pairs: every run pair within a, between a and b, within b, on the questions both sides have, like the strip's totals.

    ties: divergences of those between; null without captures.
    """

    pairs: tuple[tuple[Where, RunPair], ...]
    ties: tuple[NearTie, ...] | None


def compared_pairs(data: StudyData, taken: Captures | None, name_a: str, name_b: str) -> ComparedPairs:
    """Run pairs of two sides; raises UsageError like `side_named`."""
    a, b = side_named(data, name_a), side_named(data, name_b)
    runs = (*a.runs, *b.runs)
    split = {run.run_id for run in a.runs}
    panel = data.panel.rows([run.run_id for run in runs])
    base = common_questions(data.cell_panel(a), data.cell_panel(b))
    flips, outputs = (run_pairs(panel.columns(questions), runs) for questions in (base.scored, base.present))
    found: list[tuple[Where, RunPair]] = []
    for flip, pair in zip(flips, outputs, strict=True):
        inside = (pair.a in split) + (pair.b in split)
        mixed = replace(pair, flips=flip.flips, gains=flip.gains, losses=flip.losses, net=flip.net, of=flip.of)
        found.append((("b–b", "a–b", "a–a")[inside], mixed))
    ties = None
    if taken is not None:
        ties = tuple(tie.tie for one, two in between_runs(a, b) for tie in pair_ties(data, taken, one, two, None))
    return ComparedPairs(tuple(found), ties)
