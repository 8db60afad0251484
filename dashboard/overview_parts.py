"""Parts of the overview."""

import streamlit as st

from dashboard.components.table import data_table
from dashboard.frame import go
from dashboard.link import Link
from dashboard.rows import overview as rows
from store.results.report.shape import Report


def statistics(report: Report, link: Link) -> None:
    """Intervals and estimates of cells, and the accuracy differences between them; a click compares two."""
    crossed = report.cross_cell
    with st.expander("Statistics"):
        data_table("statistics", "intervals and estimates", rows.STATISTIC_COLUMNS, rows.statistic_rows(report), link)
        data_table(
            "differences", "accuracy differences of cells", rows.DIFFERENCE_COLUMNS, rows.difference_rows(crossed, link), link,
            lambda at: go("compare", link.with_(by="cell", side_a=crossed[int(at)].a, side_b=crossed[int(at)].b)),
        )  # fmt: skip
