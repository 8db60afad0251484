"""From differing outputs to differing verdicts within one cell: the funnel, attenuation, same-answer share."""

from dataclasses import dataclass

import numpy as np

from store.analysis.pairs_within import comparable
from store.analysis.panel import UNKNOWN, BoolArray, CodeArray, OutputLayer, OutputLayerName, Panel
from store.analysis.verdicts import INCORRECT


@dataclass(frozen=True, slots=True)
class Funnel:
    """Pair-questions on which every layer is known, and how many of them differ on each.

    tokens and text are null when the layer is recorded nowhere; the others then stand without it.
    """

    of: int
    tokens: int | None
    text: int | None
    answer: int
    verdict: int


@dataclass(frozen=True, slots=True)
class Attenuation:
    """Differing outputs for each differing verdict: diverged / flips over `of` pair-questions known on both layers.

    ratio: null when nothing diverged (nothing to attenuate) and when nothing flipped (then it is unbounded).
    """

    layer: OutputLayerName
    ratio: float | None
    diverged: int
    flips: int
    of: int


@dataclass(frozen=True, slots=True)
class SameAnswer:
    """Pair-questions with an unchanged answer, as a share of two different denominators.

    of_divergent: of `divergent` pair-questions whose outputs differ. of_all: of all `all` pair-questions. Both
    are null when their denominator is 0. changed, changed_divergent: the answer changes in each.
    """

    layer: OutputLayerName
    of_divergent: float | None
    of_all: float | None
    changed: int
    changed_divergent: int
    divergent: int
    all: int


@dataclass(frozen=True, slots=True)
class Broken:
    """Questions that break "flips ⊆ answer changes ⊆ divergences" (a scorer that is not deterministic can)."""

    flip_with_equal_tokens: BoolArray
    flip_with_equal_answer: BoolArray
    answer_change_with_equal_tokens: BoolArray


def funnel(panel: Panel) -> Funnel:
    """Funnel of all run pairs of a cell."""
    with_tokens, with_text = bool((panel.tokens != UNKNOWN).any()), bool((panel.texts != UNKNOWN).any())
    of = tokens = text = answer = verdict = 0
    for i, j in _pairs(panel):
        base = _both_scored(panel, i, j) & comparable(panel.answers, None, i, j)
        if with_tokens:
            base &= comparable(panel.tokens, panel.domain, i, j)
        if with_text:
            base &= comparable(panel.texts, None, i, j)
        of += int(base.sum())
        tokens += _differ(panel.tokens, base, i, j)
        text += _differ(panel.texts, base, i, j)
        answer += _differ(panel.answers, base, i, j)
        verdict += int((base & (panel.verdicts[i] != panel.verdicts[j])).sum())
    return Funnel(of, tokens if with_tokens else None, text if with_text else None, answer, verdict)


def attenuation(panel: Panel, layer: OutputLayer) -> Attenuation:
    """Attenuation of one output layer over all run pairs of a cell."""
    diverged = flips = of = 0
    for i, j in _pairs(panel):
        base = comparable(layer.codes, layer.domain, i, j) & _both_scored(panel, i, j)
        of += int(base.sum())
        diverged += _differ(layer.codes, base, i, j)
        flips += int((base & (panel.verdicts[i] != panel.verdicts[j])).sum())
    return Attenuation(layer.name, diverged / flips if flips and diverged else None, diverged, flips, of)


def same_answer(panel: Panel, layer: OutputLayer) -> SameAnswer:
    """Same-answer share over all run pairs of a cell, over pair-questions with known outputs and answers."""
    changed = changed_divergent = diverged = whole = 0
    for i, j in _pairs(panel):
        base = comparable(layer.codes, layer.domain, i, j) & comparable(panel.answers, None, i, j)
        parted = base & (layer.codes[i] != layer.codes[j])
        whole += int(base.sum())
        diverged += int(parted.sum())
        changed += _differ(panel.answers, base, i, j)
        changed_divergent += _differ(panel.answers, parted, i, j)
    return SameAnswer(
        layer=layer.name,
        of_divergent=1 - changed_divergent / diverged if diverged else None,
        of_all=1 - changed / whole if whole else None,
        changed=changed,
        changed_divergent=changed_divergent,
        divergent=diverged,
        all=whole,
    )


def broken_chain(panel: Panel) -> Broken:
    """Questions where some run pair breaks the chain of layers; three masks of shape (questions,)."""
    none = np.zeros(len(panel.questions), dtype=np.bool_)
    tokens, answer, change = none.copy(), none.copy(), none.copy()
    for i, j in _pairs(panel):
        flip = _both_scored(panel, i, j) & (panel.verdicts[i] != panel.verdicts[j])
        equal = comparable(panel.tokens, panel.domain, i, j) & (panel.tokens[i] == panel.tokens[j])
        answered = comparable(panel.answers, None, i, j)
        tokens |= flip & equal
        answer |= flip & answered & (panel.answers[i] == panel.answers[j])
        change |= equal & answered & (panel.answers[i] != panel.answers[j])
    return Broken(tokens, answer, change)


def _pairs(panel: Panel) -> list[tuple[int, int]]:
    return [(i, j) for i in range(len(panel.runs)) for j in range(i + 1, len(panel.runs))]


def _both_scored(panel: Panel, i: int, j: int) -> BoolArray:
    return np.asarray((panel.verdicts[i] >= INCORRECT) & (panel.verdicts[j] >= INCORRECT))


def _differ(codes: CodeArray, base: BoolArray, i: int, j: int) -> int:
    return int((base & (codes[i] != codes[j])).sum())
