"""First divergences of every pair of runs at once: each distinct pair of outputs is compared once."""

from dataclasses import dataclass

import numpy as np

from store.analysis.divergence import EQUAL
from store.analysis.pairs_within import comparable
from store.analysis.panel import UNKNOWN, CodeArray, IntArray
from store.results.study import StudyData


@dataclass(frozen=True, slots=True)
class DivergenceTable:
    """Divergences between the distinct outputs of each question.

    rank[r, q]: position of run r's output among the question's distinct ones, `UNKNOWN` without one. `flat` holds,
    for each question from `start[q]` on, a square of `width[q]` rows: first divergence of two outputs, `EQUAL` on the diagonal.
    """

    codes: CodeArray
    domain: CodeArray
    rank: CodeArray
    start: IntArray
    width: IntArray
    flat: IntArray

    def comparable(self, i: int, j: int) -> int:
        """Questions on which runs i and j can be compared."""
        return int(comparable(self.codes, self.domain, i, j).sum())

    def of(self, i: int, j: int) -> IntArray:
        """First divergence of runs i and j on the questions on which they differ, in the order of questions."""
        both = comparable(self.codes, self.domain, i, j) & (self.codes[i] != self.codes[j])
        q = np.flatnonzero(both)
        return np.asarray(self.flat[self.start[q] + self.rank[i, q].astype(np.int64) * self.width[q] + self.rank[j, q]])


def divergence_table(data: StudyData, runs: tuple[str, ...]) -> DivergenceTable:
    """Divergences between all outputs of `runs`."""
    panel = data.panel.rows(runs)
    rank = np.full(panel.tokens.shape, UNKNOWN, dtype=np.int32)
    distinct = []
    for q in range(panel.tokens.shape[1]):
        known = panel.tokens[:, q] != UNKNOWN
        values, inverse = np.unique(panel.tokens[known, q], return_inverse=True)
        rank[known, q] = inverse
        distinct.append(values)
    width = np.array([len(values) for values in distinct], dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(width**2)]).astype(np.int64)
    question, left, right, place, mirror = [], [], [], [], []
    for q, values in enumerate(distinct):
        i, j = np.triu_indices(len(values), 1)
        question.append(np.full(len(i), q))
        left.append(values[i])
        right.append(values[j])
        place.append(start[q] + i * width[q] + j)
        mirror.append(start[q] + j * width[q] + i)
    flat: IntArray = np.full(int(start[-1]), EQUAL, dtype=np.int64)
    if question and sum(map(len, question)):
        at = data.tokens.divergences(*(np.concatenate(part).astype(np.int64) for part in (question, left, right)))
        flat[np.concatenate(place)] = flat[np.concatenate(mirror)] = at
    return DivergenceTable(panel.tokens, panel.domain, rank, start[:-1], width, flat)
