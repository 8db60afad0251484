"""The one order of the verdict map's rows, the same in every figure, export and session."""

import numpy as np

from store.analysis.panel import BoolArray, FloatArray, IntArray


def map_rows(
    groups: tuple[BoolArray, ...],
    first_arm_right: BoolArray,
    fragile: BoolArray,
    unstable_cells: IntArray,
    arm_means: FloatArray,
) -> tuple[int, ...]:
    """Question positions in map order; positions stand for ids, whose order breaks every tie.

    First the signature groups in their order, inside each those that the first arm has right, then by id. Then
    the fragile set: unstable in most cells first, then by falling mean verdict of each arm in `arm_means`
    (shape (arms, questions); a mean that is not known counts as lowest), then by id.
    """
    rows: list[int] = []
    for mask in groups:
        rows += sorted(np.flatnonzero(mask).tolist(), key=lambda q: (not first_arm_right[q], q))
    means = np.nan_to_num(arm_means, nan=-1.0)
    rows += sorted(np.flatnonzero(fragile).tolist(), key=lambda q: (-unstable_cells[q], *(-means[:, q]).tolist(), q))
    return tuple(rows)
