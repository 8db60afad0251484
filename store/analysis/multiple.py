"""Many comparisons at once: p-values adjusted over a matrix of cells."""

from collections.abc import Sequence
from dataclasses import dataclass

from statsmodels.stats.multitest import multipletests

ASSUMES = "Holm holds under any dependence; Benjamini–Hochberg under independence or positive dependence"


@dataclass(frozen=True, slots=True)
class Adjusted:
    """One p-value raw and adjusted. Over cell pairs, never over run pairs, which share runs."""

    raw: float
    holm: float
    bh: float


def adjusted(p_values: Sequence[float]) -> tuple[Adjusted, ...]:
    """Holm's and Benjamini–Hochberg's adjusted p-values, in the order given; none gives none."""
    if not p_values:
        return ()
    holm, bh = (multipletests(list(p_values), method=method)[1] for method in ("holm", "fdr_bh"))
    return tuple(Adjusted(float(raw), float(h), float(b)) for raw, h, b in zip(p_values, holm, bh, strict=True))
