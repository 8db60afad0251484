"""Small parts that several pages have."""

from collections.abc import Sequence

import streamlit as st

from dashboard.components.table import Row
from dashboard.data import question_of, version
from dashboard.frame import go
from dashboard.link import Link
from dashboard.question_link import complete
from dashboard.rows.overview import question_rows
from dashboard.safe import notice
from store.errors import FlipbookError
from store.results.cells import StudyCells
from store.results.findings import Finding
from store.results.printing import counted
from store.results.scope import Scope
from store.warehouse.open import FileKey

FIRST = 3
"""Findings shown at once; the rest open with a click."""


def findings(found: Sequence[Finding]) -> None:
    """Doubts above the numbers they speak of."""
    for finding in found[:FIRST]:
        notice(finding.text, "doubt")
    if len(found) > FIRST:
        with st.expander(counted(len(found) - FIRST, "more finding")):
            for finding in found[FIRST:]:
                notice(finding.text, "doubt")


def open_question_of(scope: Scope, link: Link) -> None:
    """From a click: open the question `link.q` with its whole state said, so that it is one step of the history."""
    fresh = link.with_(layer=None, c=None)
    try:
        go("question", complete(fresh, question_of(scope, link.q or "")))
    except FlipbookError:
        go("question", fresh)  # the page itself says what is wrong with it


def list_of_questions(counts: StudyCells, link: Link) -> list[Row]:
    """Rows of the list of questions, made once for a study and what its links say."""
    return _question_rows(counts, link.with_(q=None, within="overview").href("question"), counts.scope, version())


@st.cache_resource(max_entries=8, show_spinner=False)
def _question_rows(_counts: StudyCells, path: str, scope: Scope, key: FileKey) -> list[Row]:
    return question_rows(_counts, path)
