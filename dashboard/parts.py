"""Small parts that several pages have."""

from collections.abc import Sequence

import streamlit as st

from dashboard.data import question_of
from dashboard.frame import go
from dashboard.link import Link
from dashboard.question_link import complete
from dashboard.safe import notice
from store.errors import FlipbookError
from store.results.findings import Finding
from store.results.scope import Scope

FIRST = 3
"""Findings shown at once; the rest open with a click."""


def findings(found: Sequence[Finding]) -> None:
    """Doubts above the numbers they speak of."""
    for finding in found[:FIRST]:
        notice(finding.text, "doubt")
    if len(found) > FIRST:
        with st.expander(f"{len(found) - FIRST} more findings"):
            for finding in found[FIRST:]:
                notice(finding.text, "doubt")


def open_question_of(scope: Scope, link: Link) -> None:
    """From a click: open the question `link.q` with its whole state said, so that it is one step of the history."""
    fresh = link.with_(layer=None, c=None)
    try:
        go("question", complete(fresh, question_of(scope, link.q or "")))
    except FlipbookError:
        go("question", fresh)  # the page itself says what is wrong with it
