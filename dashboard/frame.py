"""What surrounds every page of a study: resolving the link, the side bar, and what to say when there is nothing."""

from dataclasses import dataclass

import streamlit as st

from dashboard.data import store_folder, warehouse
from dashboard.link import Link, read_link, write_link
from dashboard.safe import heading, notice, paragraph
from store.errors import FlipbookError, StoreMissingError
from store.results.scope import Scope, StudyRow, list_studies, resolve

HOME = "views/studies.py"
STUDY_PAGES = (("views/cells.py", "Cells"), ("views/question.py", "Question"))


@dataclass(frozen=True, slots=True)
class Opened:
    """A page that may go on: its complete link, and the scope its numbers belong to."""

    link: Link
    scope: Scope


def open_store() -> tuple[StudyRow, ...]:
    """Studies of the store, with the side bar drawn. Stops the page with what to do next when there is none."""
    try:
        studies = list_studies(warehouse())
    except FlipbookError as error:
        _sidebar(Link(), None, ())
        _nothing(error)
    if not studies:
        _sidebar(Link(), None, ())
        _nothing(StoreMissingError("the store holds no study", where=str(store_folder().root)))
    return studies


def open_study() -> Opened:
    """The study, generation and extractor the address bar asks for. Stops the page with a sentence when it cannot be."""
    studies = open_store()
    try:
        link = read_link()
        scope = resolve(warehouse(), link.study, link.as_of, link.extractor)
    except FlipbookError as error:
        _sidebar(Link(), None, studies)
        notice(error.line, "error")
        st.page_link(HOME, label="All studies", icon=":material/arrow_back:")
        st.stop()
    link = link.with_(study=scope.study.study, extractor=scope.extractor, as_of=scope.as_of)
    write_link(link)
    _sidebar(link, scope, studies)
    _label(scope, link)
    return Opened(link, scope)


def home_sidebar() -> None:
    """The side bar of the page that belongs to no study."""
    _sidebar(Link(), None, ())


def pick(label: str, options: tuple[str, ...], current: str, param: str, forget: tuple[str, ...] = ()) -> None:
    """A select box whose state is the URL parameter `param`; choosing another value drops the `forget` ones."""
    key = f"pick-{param}"
    st.session_state[key] = current

    def chosen() -> None:
        st.query_params[param] = st.session_state[key]
        for name in forget:
            st.query_params.pop(name, None)

    st.selectbox(label, options, key=key, on_change=chosen)


def _sidebar(link: Link, scope: Scope | None, studies: tuple[StudyRow, ...]) -> None:
    with st.sidebar:
        heading("Flipbook", 2)
        st.page_link(HOME, label="Studies", icon=":material/library_books:")
        if scope is None:
            return
        for path, title in STUDY_PAGES:
            st.page_link(path, label=title, query_params=link.params)
        st.divider()
        forget = ("run", "q", "a", "b", "extractor", "as_of", "layer")
        pick("Study", tuple(row.study for row in studies), scope.study.study, "study", forget)
        if scope.extractor is not None:
            pick("Scored by", scope.extractors, scope.extractor, "extractor")
        paragraph(f"Generation {scope.as_of} of {scope.newest}", "quiet")


def _label(scope: Scope, link: Link) -> None:
    if scope.study.label:
        notice(f"{scope.study.study}: {scope.study.label}")
    if scope.later_runs:
        then = f"This link shows the study as of generation {scope.as_of}."
        notice(f"{then} {scope.later_runs} runs were added since and are left out.")
        newest = link.with_(as_of=scope.newest).params
        st.page_link(_here(), label="Show the newest", icon=":material/update:", query_params=newest)


def _here() -> str:
    path = st.context.url.split("?")[0].rstrip("/").rpartition("/")[2] if st.context.url else ""
    return f"views/{path}.py" if path in ("cells", "question") else HOME


def _nothing(error: FlipbookError) -> None:
    heading("No study yet")
    notice(error.line, "error")
    paragraph("Load the two bundled studies, or your own records, then reload this page:")
    st.code(
        "flipbook demo --load-only\nflipbook ingest results.jsonl --map my-map.toml --study my-study",
        language="bash",
    )
    st.stop()
