"""What surrounds every page of a study: resolving the link, the side bar, and what to say when there is nothing."""

from dataclasses import dataclass

import streamlit as st

from dashboard.data import store_folder, warehouse
from dashboard.link import Link, read_link, write_link
from dashboard.safe import heading, notice, paragraph
from dashboard.words import WORDS
from store.errors import FlipbookError, StoreMissingError
from store.results.printing import counted
from store.results.scope import Scope, StudyRow, list_studies, resolve

HOME, CELLS, QUESTION = "views/studies.py", "views/cells.py", "views/question.py"


@dataclass(frozen=True, slots=True)
class Opened:
    """A page that may go on: what its link says, and the scope its numbers belong to."""

    link: Link
    scope: Scope
    studies: tuple[StudyRow, ...]


def open_store() -> tuple[StudyRow, ...]:
    """Studies of the store. Stops the page with what to do next when there is none."""
    try:
        studies = list_studies(warehouse())
    except FlipbookError as error:
        _nothing(error)
    if not studies:
        _nothing(StoreMissingError("the store holds no study", where=str(store_folder().root)))
    return studies


def open_study() -> Opened:
    """The study, generation and extractor the address bar asks for. Stops the page with a sentence when it cannot be."""
    studies = open_store()
    if wanted := st.session_state.pop("go-to-cells", None):
        st.switch_page(CELLS, query_params=wanted)
    try:
        link = read_link()
        scope = resolve(warehouse(), link.study, link.as_of, link.extractor)
    except FlipbookError as error:
        home_sidebar()
        notice(error.line, "error")
        st.page_link(HOME, label="All studies", icon=":material/arrow_back:")
        st.stop()
    return Opened(link.with_(study=scope.study.study, extractor=scope.extractor, as_of=scope.as_of), scope, studies)


def home_sidebar() -> None:
    """The side bar of a page that belongs to no study."""
    with st.sidebar:
        heading("Flipbook", 2)
        st.page_link(HOME, label="Studies", icon=":material/library_books:")


def study_sidebar(page: Opened, link: Link) -> None:
    """The side bar of a study's page, and above the page what the reader must know of the study as a whole."""
    home_sidebar()
    with st.sidebar:
        st.page_link(CELLS, label="Cells", icon=":material/scatter_plot:", query_params=link.params)
        why = None if link.q else "Click a question in the list on Cells first."
        icon = ":material/difference:"
        st.page_link(QUESTION, label="Question", icon=icon, query_params=link.params, disabled=link.q is None, help=why)
        st.divider()
        _choose_study(page)
        if page.scope.extractor is not None:
            _choose_extractor(page.scope, link)
        paragraph(f"Generation {page.scope.as_of} of {page.scope.newest}", "quiet")
        with st.expander("Words"):
            for word, meaning in WORDS:
                paragraph(f"{word}: {meaning}", "quiet")
    _label(page.scope, link)


def _choose_study(page: Opened) -> None:
    key = "choose-study"
    st.session_state[key] = page.scope.study.study

    def chosen() -> None:
        there = resolve(warehouse(), st.session_state[key], None, None)
        st.session_state["go-to-cells"] = Link(study=there.study.study, extractor=there.extractor, as_of=there.as_of).params

    st.selectbox("Study", tuple(row.study for row in page.studies), key=key, on_change=chosen)


def _choose_extractor(scope: Scope, link: Link) -> None:
    key = "choose-extractor"
    st.session_state[key] = scope.extractor

    def chosen() -> None:
        write_link(link.with_(extractor=st.session_state[key]))

    st.selectbox("Scored by", scope.extractors, key=key, on_change=chosen)


def _label(scope: Scope, link: Link) -> None:
    if scope.study.label:
        notice(f"{scope.study.study}: {scope.study.label}")
    if scope.later_runs:
        then = f"This link shows the study as of generation {scope.as_of}."
        notice(f"{then} Added since and left out: {counted(scope.later_runs, 'run')}.")
        st.button("Show the newest", icon=":material/update:", on_click=write_link, args=(link.with_(as_of=scope.newest),))


def _nothing(error: FlipbookError) -> None:
    home_sidebar()
    heading("No study yet")
    notice(error.line, "error")
    paragraph("Load the two bundled studies, or your own records, then reload this page:")
    st.code(
        "flipbook demo --load-only\nflipbook ingest results.jsonl --map my-map.toml --study my-study",
        language="bash",
    )
    st.stop()
