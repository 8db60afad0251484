"""Accuracy of a cell: mean and sample standard deviation over its deployments."""

from dataclasses import dataclass

import numpy as np

from store.analysis.verdicts import CORRECT, MISSING, UNSCORED, Base, VerdictArray, common_base

SD_CONVENTION = "sample sd (ddof = 1) over deployments"
ONE_DEPLOYMENT = "needs ≥ 2 deployments"


@dataclass(frozen=True, slots=True)
class RunAccuracy:
    """One run on the cell's base. `rate` is null when nothing was scored."""

    run: str
    correct: int
    of: int

    @property
    def rate(self) -> float | None:
        return self.correct / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class CellAccuracy:
    """Mean and sd are fractions; sd is null for one deployment, mean is null when nothing was scored.

    per_run: in the order given; every run has the same `of`.
    unscored: records of the cell without a verdict. When there are any, `mean_unscored_as_incorrect`
    is the mean over all common questions with those counted as incorrect, else null.
    """

    mean: float | None
    sd: float | None
    per_run: tuple[RunAccuracy, ...]
    base: Base
    unscored: int
    missing: int
    mean_unscored_as_incorrect: float | None


def cell_accuracy(runs: tuple[str, ...], verdicts: VerdictArray) -> CellAccuracy:
    """Accuracy of one cell from its (runs, questions) verdicts; row i belongs to `runs[i]`.

    All runs are counted on one base, the questions scored in every run, so that no two numbers side
    by side have different denominators. Computed from integers; nothing is rounded here.
    """
    base = common_base(verdicts)
    per_run = tuple(
        RunAccuracy(run, int((row[base.mask] == CORRECT).sum()), base.scored) for run, row in zip(runs, verdicts, strict=True)
    )
    # from integers, so that equal counts have a spread of exactly 0
    counts = np.array([run.correct for run in per_run], dtype=np.int64) if base.scored and per_run else None
    unscored = int((verdicts == UNSCORED).sum())
    return CellAccuracy(
        mean=None if counts is None else float(counts.sum() / (base.scored * len(counts))),
        sd=None if counts is None or len(counts) < 2 else float(counts.std(ddof=1) / base.scored),
        per_run=per_run,
        base=base,
        unscored=unscored,
        missing=int((verdicts == MISSING).sum()),
        mean_unscored_as_incorrect=_pessimistic(verdicts, base) if unscored else None,
    )


def _pessimistic(verdicts: VerdictArray, base: Base) -> float | None:
    present = (verdicts != MISSING).all(axis=0)
    return float((verdicts[:, present] == CORRECT).mean()) if base.common else None
