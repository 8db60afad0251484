"""Unstable questions of one cell (METHOD: unstable)."""

from dataclasses import dataclass

import numpy as np

from store.analysis.panel import BoolArray, IntArray
from store.analysis.verdicts import CORRECT, INCORRECT, VerdictArray


@dataclass(frozen=True, slots=True)
class Stability:
    """Arrays of shape (questions,) over the scored verdicts of a cell's runs.

    unstable: 0 < k < s. unknown: fewer than two scored verdicts, which is not the same as stable.
    right, scored: k and s, the correct and the scored verdicts. runs: m.
    """

    unstable: BoolArray
    unknown: BoolArray
    right: IntArray
    scored: IntArray
    runs: int

    @property
    def complete(self) -> BoolArray:
        """Questions scored in every run."""
        return np.asarray(self.scored == self.runs)

    @property
    def constant(self) -> BoolArray:
        """Questions scored in every run with one verdict; one run alone counts, m = 1 being m all the same."""
        return np.asarray(self.complete & ((self.right == 0) | (self.right == self.runs)) & (self.runs > 0))

    def where(self, questions: BoolArray) -> "Stability":
        """The same with all other questions left without a verdict."""
        right, scored = np.where(questions, self.right, 0), np.where(questions, self.scored, 0)
        return Stability(self.unstable & questions, scored < 2, right, scored, self.runs)


def stability(verdicts: VerdictArray) -> Stability:
    """Stability of (runs, questions) verdicts."""
    right = (verdicts == CORRECT).sum(axis=0, dtype=np.int64)
    scored = (verdicts >= INCORRECT).sum(axis=0, dtype=np.int64)
    return Stability((right > 0) & (right < scored), scored < 2, right, scored, len(verdicts))
