"""Verdicts as a dense array, and which questions two numbers may be compared on."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

CORRECT, INCORRECT, UNSCORED, MISSING = 1, 0, -1, -2
"""Codes of a verdict array. Unscored and missing are states of their own and never count as incorrect."""

VerdictArray = npt.NDArray[np.int8]
"""Shape (runs, questions), values the four codes above."""


@dataclass(frozen=True, slots=True)
class Base:
    """The questions a cell's numbers stand on.

    of: questions in the study's set. common: questions with a record in every run of the cell.
    scored: common questions with a verdict in every run; `mask` marks these, shape (of,).
    """

    of: int
    common: int
    scored: int
    mask: npt.NDArray[np.bool_]

    @property
    def sentence(self) -> str:
        """`on 1,318 of 1,319 common questions`, with the unscored ones named when there are any."""
        text = f"on {self.common:,} of {self.of:,} common questions"
        left_out = self.common - self.scored
        return f"{text}, {left_out:,} of them left out as unscored in some run" if left_out else text


def common_base(verdicts: VerdictArray) -> Base:
    """Base of a (runs, questions) array: one denominator for every run of a cell (METHOD: question sets)."""
    present: npt.NDArray[np.bool_] = np.all(verdicts != MISSING, axis=0)
    scored: npt.NDArray[np.bool_] = np.all(verdicts >= INCORRECT, axis=0)
    return Base(of=verdicts.shape[1], common=int(present.sum()), scored=int(scored.sum()), mask=scored)
