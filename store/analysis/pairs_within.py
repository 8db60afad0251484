"""Counts over the run pairs of one cell: how often two of its deployments agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from store.analysis.matrices import EqualMatrix
from store.analysis.panel import UNKNOWN, BoolArray, CodeArray, IntArray, OutputLayer


@dataclass(frozen=True, slots=True)
class PairCount:
    """Run pair a, b: `count` of `of` pair-questions."""

    a: str
    b: str
    count: int
    of: int


@dataclass(frozen=True, slots=True)
class PairTotals:
    """Numerators and denominators added over all pairs; rates are never averaged (METHOD: question sets).

    rate: count / of, null without a pair-question. median_pair, least, most: of the pairs' own rates.
    """

    count: int
    of: int
    rate: float | None
    median_pair: float | None
    least: float | None
    most: float | None
    per_pair: tuple[PairCount, ...]


def pair_totals(runs: Sequence[str], counts: IntArray, of: IntArray) -> PairTotals:
    """Totals over the unordered pairs of `runs` from symmetric (runs, runs) counts."""
    per_pair = tuple(
        PairCount(runs[i], runs[j], int(counts[i, j]), int(of[i, j])) for i in range(len(runs)) for j in range(i + 1, len(runs))
    )
    count, whole = sum(pair.count for pair in per_pair), sum(pair.of for pair in per_pair)
    rates = [pair.count / pair.of for pair in per_pair if pair.of]
    return PairTotals(
        count=count,
        of=whole,
        rate=count / whole if whole else None,
        median_pair=median(rates) if rates else None,
        least=min(rates, default=None),
        most=max(rates, default=None),
        per_pair=per_pair,
    )


def equal_totals(runs: Sequence[str], matrix: EqualMatrix) -> PairTotals:
    """Pairwise identity: equal pair-questions of the comparable ones."""
    return pair_totals(runs, matrix.equal, matrix.of)


@dataclass(frozen=True, slots=True)
class Spread:
    """In how many questions a cell's runs part, three counts that are easily mistaken for each other.

    all_equal: questions on which all runs are known, comparable and equal, out of `complete` questions on
    which all are known and comparable. any, every: questions with a differing pair, and with no equal one,
    out of `of` questions with at least one comparable pair.
    """

    all_equal: int
    complete: int
    any: int
    every: int
    of: int


def spread(layer: OutputLayer) -> Spread:
    """Spread of a cell's runs on one layer."""
    codes = layer.codes
    equal, pairs = pairs_per_question(layer)
    runs = len(codes)
    comparable = pairs > 0
    complete = pairs == runs * (runs - 1) // 2
    complete &= (codes != UNKNOWN).all(axis=0)
    return Spread(
        all_equal=int((complete & (equal == pairs)).sum()),
        complete=int(complete.sum()),
        any=int((comparable & (equal < pairs)).sum()),
        every=int((comparable & (equal == 0)).sum()),
        of=int(comparable.sum()),
    )


def pairs_per_question(layer: OutputLayer) -> tuple[IntArray, IntArray]:
    """(equal, comparable) run pairs of each question, two arrays of shape (questions,)."""
    codes = layer.codes
    equal = np.zeros(codes.shape[1], dtype=np.int64)
    pairs = np.zeros(codes.shape[1], dtype=np.int64)
    for i in range(len(codes)):
        for j in range(i + 1, len(codes)):
            both = comparable(codes, layer.domain, i, j)
            equal += both & (codes[i] == codes[j])
            pairs += both
    return equal, pairs


def comparable(codes: CodeArray, domain: CodeArray | None, i: int, j: int) -> BoolArray:
    """Questions on which rows i and j may be compared; shape (questions,)."""
    both = (codes[i] != UNKNOWN) & (codes[j] != UNKNOWN)
    return np.asarray(both if domain is None else both & (domain[i] == domain[j]))
