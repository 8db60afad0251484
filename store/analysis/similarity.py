"""An order of runs in which runs that agree stand next to each other."""

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from store.analysis.panel import FloatArray


def similarity_order(distance: FloatArray) -> tuple[int, ...]:
    """Positions of the rows of a symmetric (runs, runs) distance, 0 to 1, by average linkage with optimal leaf order.

    An unknown distance (NaN) counts as the largest. The order depends on the distances alone and on the given order of rows.
    """
    if len(distance) < 3:
        return tuple(range(len(distance)))
    known = np.where(np.isnan(distance), 1.0, distance)
    known = (known + known.T) / 2
    np.fill_diagonal(known, 0.0)
    tree = linkage(squareform(known, checks=False), method="average", optimal_ordering=True)
    return tuple(int(i) for i in leaves_list(tree))
