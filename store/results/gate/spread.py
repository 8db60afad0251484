"""Values of runs and questions as dense arrays, from rows of a query."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from store.analysis.panel import FloatArray


def spread_out(frame: pd.DataFrame, column: str, runs: Sequence[str], questions: Sequence[str]) -> FloatArray:
    """`column` as numbers of shape (runs, questions); NaN where there is no row or no value."""
    at = pd.Index(runs).get_indexer(pd.Index(frame["run_id"]))
    where = pd.Index(questions).get_indexer(pd.Index(frame["question_id"]))
    inside = (at >= 0) & (where >= 0)
    dense: FloatArray = np.full((len(runs), len(questions)), np.nan)
    dense[at[inside], where[inside]] = pd.to_numeric(frame[column][inside], errors="raise").astype("float64").to_numpy()
    return dense
