"""Flip and identity matrices and first divergences, ours against bare numpy on the same arrays.

python -m benchmarks.matrices [RUNS QUESTIONS]

Prints one line per measure: our best time of several, bare numpy's, and their ratio. Times on a shared machine say
little; the ratio is taken in one process, with both sides alternating.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from store.analysis.divergence import EQUAL, first_divergences
from store.analysis.matrices import equal_matrix, flip_matrix

ROUNDS = 3
SEED = 20260730
Matrix = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Timing:
    """Best seconds of both sides over the same arrays."""

    name: str
    ours: float
    bare: float

    @property
    def ratio(self) -> float:
        """Ours over bare: below 1 is faster than bare numpy."""
        return self.ours / self.bare


def bare_flips(verdicts: npt.NDArray[np.int8]) -> tuple[Matrix, Matrix]:
    """`packbits` and `bitwise_count`, missing-aware: flips and scored questions of every pair of runs."""
    right, scored = _packed(verdicts == 1), _packed(verdicts >= 0)
    runs = len(verdicts)
    flips, of = np.zeros((runs, runs), dtype=np.int64), np.zeros((runs, runs), dtype=np.int64)
    for i in range(runs):
        both = scored[i] & scored[i:]
        of[i, i:] = np.bitwise_count(both).sum(axis=1, dtype=np.int64)
        flips[i, i:] = np.bitwise_count(both & (right[i] ^ right[i:])).sum(axis=1, dtype=np.int64)
    return flips, of


def bare_identity(codes: npt.NDArray[np.int32]) -> tuple[Matrix, Matrix]:
    """Rows compared with `==`, missing-aware: equal and known questions of every pair of runs."""
    known = codes >= 0
    runs = len(codes)
    equal, of = np.zeros((runs, runs), dtype=np.int64), np.zeros((runs, runs), dtype=np.int64)
    for i in range(runs):
        both = known[i] & known[i:]
        of[i, i:] = both.sum(axis=1)
        equal[i, i:] = (both & (codes[i] == codes[i:])).sum(axis=1)
    return equal, of


def bare_divergence(a: npt.NDArray[np.int32], b: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """`argmax(a != b)`, which says 0 for equal rows."""
    return np.argmax(a != b, axis=1)


def measure(runs: int, questions: int) -> tuple[Timing, ...]:
    """Time the three measures; every result of ours is checked against bare numpy's first."""
    draw = np.random.default_rng(SEED)
    shape = runs, questions
    absent = draw.random(shape) < 0.02
    verdicts = np.where(absent, -2, draw.random(shape) < 0.9).astype(np.int8)
    codes = np.where(absent, -1, draw.integers(0, 40, shape)).astype(np.int32)
    upper = np.triu_indices(runs)
    found, bare = flip_matrix(verdicts), bare_flips(verdicts)
    same, bare_same = equal_matrix(codes), bare_identity(codes)
    if not all((x[upper] == y[upper]).all() for x, y in ((found.flips, bare[0]), (found.of, bare[1]))):
        raise AssertionError("flips differ from bare numpy's")
    if not all((x[upper] == y[upper]).all() for x, y in ((same.equal, bare_same[0]), (same.of, bare_same[1]))):
        raise AssertionError("identity differs from bare numpy's")
    outputs = _outputs(draw, 5, min(questions, 1_319), 200)
    pairs = list(combinations(range(5), 2))
    for i, j in pairs:
        at = first_divergences(outputs[i], outputs[j])
        plain = bare_divergence(outputs[i], outputs[j])
        if not (np.where(at == EQUAL, 0, at) == plain).all():
            raise AssertionError("first divergences differ from bare numpy's")
    return (
        _timed("flip matrix", lambda: flip_matrix(verdicts), lambda: bare_flips(verdicts)),
        _timed("identity matrix", lambda: equal_matrix(codes), lambda: bare_identity(codes)),
        _timed(
            "first divergence of all pairs of a cell",
            lambda: [first_divergences(outputs[i], outputs[j]) for i, j in pairs],
            lambda: [bare_divergence(outputs[i], outputs[j]) for i, j in pairs],
        ),
    )


def _packed(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    bits = np.packbits(mask, axis=1)
    return np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8))).view(np.uint64)


def _outputs(draw: np.random.Generator, runs: int, questions: int, length: int) -> npt.NDArray[np.int32]:
    """(runs, questions, length) token ids; two fifths of the rows part somewhere from the first run's."""
    first = draw.integers(0, 50_000, (questions, length), dtype=np.int32)
    outputs = np.repeat(first[None], runs, axis=0)
    for run in range(1, runs):
        for question in np.flatnonzero(draw.random(questions) < 0.4):
            at = int(draw.integers(0, length))
            outputs[run, question, at:] = draw.integers(0, 50_000, length - at)
    return outputs


def _timed(name: str, ours: Callable[[], object], bare: Callable[[], object]) -> Timing:
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for side, work in enumerate((ours, bare)):
            start = time.perf_counter()
            work()
            best[side] = min(best[side], time.perf_counter() - start)
    return Timing(name, best[0], best[1])


def main() -> None:
    """Measure at the size given, else 500 runs and 14,042 questions."""
    runs, questions = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) == 3 else (500, 14_042)
    print(f"{runs} runs × {questions:,} questions, best of {ROUNDS}")
    for timing in measure(runs, questions):
        print(f"{timing.name}: {timing.ours:.3f} s, bare numpy {timing.bare:.3f} s, ratio {timing.ratio:.2f}")


if __name__ == "__main__":
    main()
