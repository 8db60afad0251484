"""Run × run matrices over all questions, aware of what is missing.

Verdicts are counted by matrix products: with a 0/1 plane for "correct" and one for "incorrect", entry
(i, j) of their product is the number of questions on which i is the one and j the other. Sums of ones
in single precision are exact up to 2^24 questions.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from store.analysis.panel import UNKNOWN, CodeArray, IntArray
from store.analysis.verdicts import CORRECT, INCORRECT, VerdictArray

EXACT_IN_SINGLE = 1 << 24
BLOCK = 4_096
"""Questions compared at a time, so that what is in work stays in the processor's cache."""


@dataclass(frozen=True, slots=True)
class VerdictMatrix:
    """Shape (runs, runs). gains[i, j]: questions incorrect in i and correct in j. of: questions scored in both."""

    gains: IntArray
    of: IntArray

    @property
    def flips(self) -> IntArray:
        """Questions on which i and j have different verdicts; symmetric, 0 on the diagonal."""
        return self.gains + self.gains.T


@dataclass(frozen=True, slots=True)
class EqualMatrix:
    """Shape (runs, runs), symmetric. equal[i, j]: questions on which both are the same, out of of[i, j] comparable ones."""

    equal: IntArray
    of: IntArray


def verdict_matrix(verdicts: VerdictArray) -> VerdictMatrix:
    """Flips of every pair of runs, over the questions that both have a verdict on. Exact."""
    kind = np.float32 if verdicts.shape[1] <= EXACT_IN_SINGLE else np.float64
    right = (verdicts == CORRECT).astype(kind)
    wrong = (verdicts == INCORRECT).astype(kind)
    return VerdictMatrix(gains=_counts(wrong @ right.T), of=_together(right + wrong))


def equal_matrix(codes: CodeArray, domain: CodeArray | None = None) -> EqualMatrix:
    """Equal outputs of every pair of runs.

    A question is comparable where both codes are known and, with `domain`, both lie in one domain.
    """
    known = codes != UNKNOWN
    kind = np.float32 if codes.shape[1] <= EXACT_IN_SINGLE else np.float64
    mixed = np.zeros(codes.shape[1], dtype=np.bool_) if domain is None else _mixed(domain, known)
    of = _together(known[:, ~mixed].astype(kind))
    equal = _equal(np.ascontiguousarray(codes[:, ~mixed]))
    if domain is not None and mixed.any():
        inside = np.where(known[:, mixed], domain[:, mixed], UNKNOWN)
        of = of + _equal(inside)
        equal = equal + _equal(_joint(codes[:, mixed], inside))
    return EqualMatrix(equal=equal, of=of)


def _mixed(domain: CodeArray, known: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Questions whose known outputs lie in more than one domain; shape (questions,)."""
    low = np.where(known, domain, np.iinfo(np.int32).max).min(axis=0, initial=np.iinfo(np.int32).max)
    high = np.where(known, domain, UNKNOWN).max(axis=0, initial=UNKNOWN)
    return np.asarray(high > low)


def _joint(codes: CodeArray, inside: CodeArray) -> CodeArray:
    """One code for (domain, output); unknown where the domain is."""
    width = np.int64(codes.max(initial=0)) + 1
    joint = np.where(inside == UNKNOWN, UNKNOWN, inside.astype(np.int64) * width + codes)
    _, dense = np.unique(joint, return_inverse=True)
    return np.where(joint == UNKNOWN, UNKNOWN, dense.reshape(joint.shape)).astype(np.int32)


def _equal(codes: CodeArray) -> IntArray:
    """Columns with equal known codes for every pair of rows."""
    runs, questions = codes.shape
    # an unknown code becomes one that its row alone has, so that a bare == is enough
    own = np.where(codes == UNKNOWN, -1 - np.arange(1, runs + 1, dtype=np.int32)[:, None], codes)
    counts = np.zeros((runs, runs), dtype=np.int64)
    for start in range(0, questions, BLOCK):
        block = np.ascontiguousarray(own[:, start : start + BLOCK])
        for i in range(runs - 1):
            counts[i, i + 1 :] += np.count_nonzero(block[i + 1 :] == block[i], axis=1)
    counts += counts.T
    np.fill_diagonal(counts, (codes != UNKNOWN).sum(axis=1))
    return counts


def _together(known: npt.NDArray[np.floating]) -> IntArray:
    if known.all():
        return np.full((len(known), len(known)), known.shape[1], dtype=np.int64)
    return _counts(known @ known.T)


def _counts(product: npt.NDArray[np.floating]) -> IntArray:
    counts: IntArray = np.rint(product).astype(np.int64)
    return counts
