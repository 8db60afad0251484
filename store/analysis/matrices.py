"""Run × run matrices over all questions, aware of what is missing.

Verdicts are packed into one bit per question; a matrix entry is the number of ones in a few words of both runs.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from store.analysis.panel import UNKNOWN, CodeArray, IntArray
from store.analysis.verdicts import CORRECT, INCORRECT, VerdictArray

BLOCK = 4_096
"""Questions compared at a time, so that what is in work stays in the processor's cache."""

Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class FlipMatrix:
    """Shape (runs, runs), symmetric. flips[i, j]: questions with different verdicts, out of of[i, j] scored in both."""

    flips: IntArray
    of: IntArray


@dataclass(frozen=True, slots=True)
class EqualMatrix:
    """Shape (runs, runs), symmetric. equal[i, j]: questions on which both are the same, out of of[i, j] comparable ones."""

    equal: IntArray
    of: IntArray


def flip_matrix(verdicts: VerdictArray) -> FlipMatrix:
    """Flips of every pair of runs, over the questions that both have a verdict on."""
    right, scored = _packed(verdicts == CORRECT), _packed(verdicts >= INCORRECT)
    runs = len(verdicts)
    flips, of = np.zeros((runs, runs), dtype=np.int64), np.zeros((runs, runs), dtype=np.int64)
    for i in range(runs):
        both = scored[i] & scored[i:]
        of[i, i:] = _ones(both)
        flips[i, i:] = _ones(both & (right[i] ^ right[i:]))
    return FlipMatrix(_mirrored(flips), _mirrored(of))


def gain_matrix(verdicts: VerdictArray) -> IntArray:
    """Gains of every ordered pair, shape (runs, runs): questions incorrect in row i and correct in row j.

    Losses are its transpose; gains and losses together are the flips.
    """
    right, wrong = _packed(verdicts == CORRECT), _packed(verdicts == INCORRECT)
    gains = [_ones(row & right) for row in wrong]
    return np.array(gains, dtype=np.int64).reshape(len(verdicts), len(verdicts))


def equal_matrix(codes: CodeArray, domain: CodeArray | None = None) -> EqualMatrix:
    """Equal outputs of every pair of runs.

    A question is comparable where both codes are known and, with `domain`, both lie in one domain.
    """
    known = codes != UNKNOWN
    mixed = np.zeros(codes.shape[1], dtype=np.bool_) if domain is None else _mixed(domain, known)
    if domain is None or not mixed.any():
        return EqualMatrix(equal=_equal(codes), of=_together(known))
    inside = np.where(known[:, mixed], domain[:, mixed], UNKNOWN)
    equal = _equal(codes[:, ~mixed]) + _equal(_joint(codes[:, mixed], inside))
    return EqualMatrix(equal=equal, of=_together(known[:, ~mixed]) + _equal(inside))


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
    np.fill_diagonal(counts, (codes != UNKNOWN).sum(axis=1))
    return _mirrored(counts)


def _together(known: npt.NDArray[np.bool_]) -> IntArray:
    """Columns known in both rows, for every pair of rows."""
    runs = len(known)
    counts = np.full((runs, runs), known.shape[1], dtype=np.int64)
    if not known.all():
        words = _packed(known)
        for i in range(runs):
            counts[i, i:] = _ones(words[i] & words[i:])
    return _mirrored(counts)


def _mirrored(upper: IntArray) -> IntArray:
    """The symmetric matrix whose upper triangle is given."""
    return np.asarray(np.triu(upper) + np.triu(upper, 1).T)


def _packed(mask: npt.NDArray[np.bool_]) -> Words:
    """One bit per question, in whole words; the bits behind the last question are 0."""
    bits = np.packbits(mask, axis=1)
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))).view(np.uint64)


def _ones(words: Words) -> IntArray:
    counts: IntArray = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    return counts
