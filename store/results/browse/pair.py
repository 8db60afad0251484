"""One pair of runs, opened: what both got right, what changed, and where their outputs part."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from store.analysis.divergence import DivergenceSummary, divergence_summary
from store.analysis.interval import Interval, PValue
from store.analysis.mcnemar import exact_mcnemar
from store.analysis.near_tie_summary import NearTieSummary, summarise
from store.analysis.pairs_within import comparable
from store.analysis.panel import BoolArray, Panel
from store.analysis.tango import tango_interval
from store.analysis.verdicts import CORRECT, INCORRECT
from store.errors import UsageError
from store.results.report.between_shape import RunPair
from store.results.report.cell_pairs import mismatched
from store.results.report.near import Captures, QuestionTie, pair_ties
from store.results.report.pairs import run_pairs
from store.results.runs import RunRow
from store.results.study import StudyData


@dataclass(frozen=True, slots=True)
class Change:
    """A question with different verdicts in the two runs. gain: only b is right. Answers are null where not known.

    in_fragile: null when no cell has two verdicts on it.
    """

    question: str
    category: str | None
    gold: str | None
    direction: Literal["gain", "loss"]
    answer_a: str | None
    answer_b: str | None
    in_fragile: bool | None


@dataclass(frozen=True, slots=True)
class OpenPair:
    """Run b against run a.

    both_right, both_wrong: with `counts.gains` and `counts.losses` the 2 × 2 table of `counts.of` questions. test: exact
    McNemar; interval: Tango's for the accuracy difference; both null without a scored question. at: first differing token of
    each question on which the outputs differ. ties, near: null without captures, or where nothing diverged.
    """

    a: RunRow
    b: RunRow
    counts: RunPair
    both_right: int
    both_wrong: int
    changes: tuple[Change, ...]
    test: PValue | None
    interval: Interval | None
    at: tuple[int, ...]
    divergence: DivergenceSummary | None
    ties: tuple[QuestionTie, ...] | None
    near: NearTieSummary | None


def open_pair(data: StudyData, taken: Captures | None, run_a: str, run_b: str, level: float) -> OpenPair:
    """Two complete runs of a study. Raises UsageError on a run it does not have, and on a run against itself."""
    known = {run.run_id: run for run in data.complete}
    for name in (run_a, run_b):
        if name not in known:
            raise UsageError(f"study {data.scope.study.study!r} has no complete run {name!r}", fix="Pick a pair in the matrix.")
    if run_a == run_b:
        raise UsageError(f"run {run_a!r} is compared with itself", fix="Pick two runs.")
    a, b = known[run_a], known[run_b]
    panel = data.panel.rows([run_a, run_b])
    (counts,) = run_pairs(panel, (a, b))
    scored = (panel.verdicts >= INCORRECT).all(axis=0)
    right = panel.verdicts == CORRECT
    ties = None if taken is None else pair_ties(data, taken, run_a, run_b, None)
    gains, losses = counts.gains or 0, counts.losses or 0
    at, summary = _divergence(data, panel)
    return OpenPair(
        a=a,
        b=b,
        counts=counts,
        both_right=int((scored & right.all(axis=0)).sum()),
        both_wrong=int((scored & ~right.any(axis=0)).sum()),
        changes=_changes(data, panel, scored & (right[0] != right[1])),
        test=exact_mcnemar(losses, gains) if counts.of else None,
        interval=tango_interval(gains, losses, counts.of, level) if counts.of else None,
        at=at,
        divergence=summary,
        ties=ties or None,
        near=summarise([tie.tie for tie in ties], [tie.tie for tie in ties]) if ties else None,
    )


def _changes(data: StudyData, panel: Panel, flipped: BoolArray) -> tuple[Change, ...]:
    found = []
    for q in np.flatnonzero(flipped).tolist():
        asked = data.asked[q]
        found.append(
            Change(
                question=asked.question_id,
                category=asked.category,
                gold=asked.gold,
                direction="gain" if panel.verdicts[1, q] == CORRECT else "loss",
                answer_a=data.answer_text(asked.question_id, int(panel.answers[0, q])),
                answer_b=data.answer_text(asked.question_id, int(panel.answers[1, q])),
                in_fragile=data.is_fragile(asked.question_id),
            )
        )
    return tuple(sorted(found, key=lambda change: change.direction))  # stable: gains before losses


def _divergence(data: StudyData, panel: Panel) -> tuple[tuple[int, ...], DivergenceSummary | None]:
    both = comparable(panel.tokens, panel.domain, 0, 1)
    if not both.any():
        return (), None
    at = data.pair_divergences(panel, 0, 1)
    same = np.flatnonzero(both & (panel.tokens[0] == panel.tokens[1]))
    ends = data.tokens.lengths[data.tokens.row_of[same, panel.tokens[0, same]]]
    return tuple(at.tolist()), divergence_summary(at, ends, int(mismatched(panel, 0, 1).sum()))
