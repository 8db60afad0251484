"""From rows of records to the dense arrays that the analysis works on."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from store.analysis.panel import UNKNOWN, CodeArray, Panel
from store.analysis.verdicts import CORRECT, INCORRECT, MISSING, UNSCORED, VerdictArray
from store.contract.record import Verdict
from store.digests import text_digest
from store.results.scope import Scope
from store.warehouse.open import Warehouse

_VERDICTS = {Verdict.CORRECT.value: CORRECT, Verdict.INCORRECT.value: INCORRECT, Verdict.UNSCORED.value: UNSCORED}


def layer_rows(warehouse: Warehouse, scope: Scope) -> pd.DataFrame:
    """Rows of read/layers.sql for the scope: every role, first pass and first sample of each run."""
    return warehouse.frame(
        "layers", study=scope.study.study, as_of=scope.as_of, extractor=scope.extractor, empty=text_digest("")
    )


def panel_of(rows: pd.DataFrame, runs: tuple[str, ...], questions: tuple[str, ...]) -> Panel:
    """Panel of `runs` and `questions` from rows of read/layers.sql; rows outside both are left out."""
    at = pd.Index(runs).get_indexer(pd.Index(rows["run_id"]))
    column = pd.Index(questions).get_indexer(pd.Index(rows["question_id"]))
    inside = (at >= 0) & (column >= 0)
    cells = at[inside], column[inside]
    kept = rows[inside]
    verdicts: VerdictArray = np.full((len(runs), len(questions)), MISSING, dtype=np.int8)
    verdicts[cells] = kept["verdict"].map(_VERDICTS).fillna(UNSCORED).to_numpy(dtype=np.int8)
    shape = verdicts.shape
    domain = _codes(kept["domain"], cells, shape)
    identity = _codes(kept["identity"], cells, shape)
    return Panel(
        runs=runs,
        questions=questions,
        verdicts=verdicts,
        domain=domain,
        tokens=np.where(domain == UNKNOWN, UNKNOWN, identity).astype(np.int32),
        texts=_codes(kept["text"], cells, shape),
        answers=_codes(kept["answer"], cells, shape),
    )


def _codes(column: pd.Series, cells: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]], shape: tuple[int, ...]) -> CodeArray:
    dense: CodeArray = np.full(shape, UNKNOWN, dtype=np.int32)
    dense[cells] = column.fillna(UNKNOWN).to_numpy(dtype=np.int32)
    return dense
