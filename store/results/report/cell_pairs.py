"""Measures over the run pairs of one cell."""

import numpy as np

from store.analysis.cross import own_flips
from store.analysis.divergence import DivergenceSummary, divergence_summary
from store.analysis.interval import Conventions
from store.analysis.jackknife import run_jackknife
from store.analysis.matrices import equal_matrix, flip_matrix
from store.analysis.pairs_within import comparable, equal_totals, pair_totals, pairs_per_question, spread
from store.analysis.panel import UNKNOWN, BoolArray, OutputLayer, Panel
from store.analysis.rate_interval import clustered_interval
from store.analysis.stability import stability
from store.analysis.verdicts import INCORRECT
from store.analysis.zero_events import next_differs
from store.results.report.cell_shape import (
    Answers,
    Diverged,
    Flips,
    IdenticalInAll,
    Identity,
    ZeroEvents,
    ZeroLayer,
)
from store.results.study import StudyData


def flips(panel: Panel, plan: Conventions) -> Flips:
    """Verdict flips of a cell."""
    matrix = flip_matrix(panel.verdicts)
    totals = pair_totals(panel.runs, matrix.flips, matrix.of)
    present = panel.present.sum(axis=0, dtype=np.int64)
    return Flips(
        count=totals.count if totals.of else None,
        of=totals.of,
        rate=totals.rate,
        ci=clustered_interval(*own_flips(stability(panel.verdicts)), plan.level),
        ci_runs=run_jackknife(matrix.flips, matrix.of, plan.level),
        null_pairs=int((present * (present - 1) // 2).sum()) - totals.of,
        median_pair=totals.median_pair,
        per_pair=totals.per_pair,
    )


def identity(panel: Panel, layer: OutputLayer, plan: Conventions, undefined: str | None) -> Identity:
    """Pairwise identity of a cell on one layer. undefined: why nothing is comparable, where that is so."""
    totals = equal_totals(panel.runs, equal_matrix(layer.codes, layer.domain))
    return Identity(
        identical=totals.count if totals.of else None,
        undefined=undefined if len(panel.runs) > 1 and not totals.of else None,
        of=totals.of,
        rate=totals.rate,
        ci=clustered_interval(*pairs_per_question(layer), plan.level),
        median_pair=totals.median_pair,
        least=totals.least,
        most=totals.most,
        per_pair=totals.per_pair,
    )


def identical_in_all(panel: Panel) -> IdenticalInAll:
    """Questions on which all runs of a cell are equal; null with one deployment or where a layer is nowhere complete."""
    tokens, text = spread(panel.token_layer), spread(panel.text_layer)
    several = len(panel.runs) > 1
    return IdenticalInAll(
        tokens=tokens.all_equal if several and tokens.complete else None,
        tokens_of=tokens.complete if several else 0,
        text=text.all_equal if several and text.complete else None,
        text_of=text.complete if several else 0,
    )


def diverged(panel: Panel) -> Diverged:
    """Questions diverged in any pair, and in every pair."""
    found = spread(panel.token_layer)
    return Diverged(found.any if found.of else None, found.every if found.of else None, found.of)


def answers(panel: Panel) -> Answers:
    """Answer changes of a cell."""
    totals = equal_totals(panel.runs, equal_matrix(panel.answers))
    changed = totals.of - totals.count
    return Answers(changed if totals.of else None, totals.of, changed / totals.of if totals.of else None)


def first_divergence(data: StudyData, panel: Panel) -> DivergenceSummary | None:
    """First divergence over all run pairs of a cell; null with one deployment or without token ids."""
    if len(panel.runs) < 2 or not (panel.tokens != UNKNOWN).any():
        return None
    at, ends, mismatch = [], [], 0
    for i in range(len(panel.runs)):
        for j in range(i + 1, len(panel.runs)):
            at.append(data.pair_divergences(panel, i, j))
            equal = comparable(panel.tokens, panel.domain, i, j) & (panel.tokens[i] == panel.tokens[j])
            same = np.flatnonzero(equal)
            ends.append(data.tokens.lengths[data.tokens.row_of[same, panel.tokens[i, same]]])
            mismatch += int(mismatched(panel, i, j).sum())
    return divergence_summary(np.concatenate(at), np.concatenate(ends), mismatch)


def mismatched(panel: Panel, i: int, j: int) -> BoolArray:
    """Questions on which both rows have tokens, of different tokenizers or prompts: an input mismatch, no divergence."""
    known = (panel.tokens[i] != UNKNOWN) & (panel.tokens[j] != UNKNOWN)
    return np.asarray(known & (panel.domain[i] != panel.domain[j]))


def zero_events(panel: Panel, plan: Conventions) -> tuple[ZeroEvents, ...]:
    """Bounds for layers on which every deployment equals the first on all questions they were asked.

    An unscored record is equal to nothing, so with one there is no bound on verdicts.
    """
    if not panel.present.any() or not (panel.present == panel.present[0]).all():
        return ()
    scored = panel.verdicts >= INCORRECT
    equal: dict[ZeroLayer, bool] = {
        "verdicts": bool(scored[panel.present].all() and (panel.verdicts == panel.verdicts[0]).all()),
        "tokens": _all_equal(panel.tokens) and bool((panel.domain == panel.domain[0]).all()),
        "text": _all_equal(panel.texts),
    }
    bound = next_differs(len(panel.runs) - 1, plan.level)
    if bound is None:
        return ()
    return tuple(ZeroEvents(layer, len(panel.runs) - 1, bound) for layer, same in equal.items() if same)


def _all_equal(codes: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> bool:
    return bool((codes != UNKNOWN).any() and (codes == codes[0]).all())
