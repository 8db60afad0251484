"""What surrounds every page of a study: resolving the link, the side bar, and what to say when there is nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, NoReturn
from urllib.parse import urlencode

import streamlit as st

from dashboard.components.copy import copy_link
from dashboard.components.nav import NavChoice, NavLink, nav
from dashboard.data import scope_of, store_folder, trouble_with_people, warehouse
from dashboard.link import Link, PageName, read_link, write_link
from dashboard.safe import heading, notice, paragraph
from dashboard.words import explain
from store.errors import FlipbookError, StoreMissingError
from store.results.printing import counted
from store.results.scope import Scope, StudyRow, list_studies

HOME, WORDS = "views/studies.py", "views/words.py"
PAGES: dict[PageName, tuple[str, str, str]] = {
    "cells": ("views/cells.py", "Overview", ":material/scatter_plot:"),
    "compare": ("views/compare.py", "Compare", ":material/compare_arrows:"),
    "pairs": ("views/pairs.py", "Pairs", ":material/grid_on:"),
    "fragile": ("views/fragile.py", "Fragile set", ":material/apps:"),
    "question": ("views/question.py", "Question", ":material/difference:"),
    "gates": ("views/gates.py", "Gates", ":material/rule:"),
}
"""File, name and icon of every page of a study."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A page that may go on: what its link says, and the scope its numbers belong to."""

    name: PageName
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


def open_study(name: PageName) -> Opened:
    """The study, generation and extractor the address bar asks for. Stops the page with a sentence when it cannot be."""
    studies = open_store()
    try:
        link = read_link()
        scope = scope_of(link.study, link.as_of, link.extractor)
    except FlipbookError as error:
        home_sidebar()
        heading("This link cannot be opened")
        notice(error.line, "error")
        st.page_link(HOME, label="All studies", icon=":material/arrow_back:")
        st.stop()
    return Opened(name, link.with_(study=scope.study.study, extractor=scope.extractor, as_of=scope.as_of), scope, studies)


def go(page: PageName, link: Link) -> None:
    """From a click: open another page with its whole state at the start of the next run."""
    _leave_for(PAGES[page][0], link.on(page).params)


def _leave_for(file: str, params: dict[str, str]) -> None:
    st.session_state["go-to"] = (file, params)


def follow_click() -> None:
    """Change to the page that a click asked for. Called by the entry, before any page runs."""
    if wanted := st.session_state.pop("go-to", None):
        file, params = wanted
        st.switch_page(file, query_params=params)


def home_sidebar(here: Literal["studies", "words"] | None = None) -> None:
    """The side bar of a page that belongs to no study."""
    with st.sidebar:
        nav([_house(here)], _open_house)


def _house(here: str | None) -> tuple[str, list[NavLink]]:
    studies = NavLink("studies", "Studies", "library_books", "/", here == "studies")
    return "Flipbook", [studies, NavLink("words", "Words", "menu_book", "words", here == "words")]


def _open_house(name: str) -> None:
    _leave_for(HOME if name == "studies" else WORDS, {})


def study_sidebar(page: Opened, link: Link) -> None:
    """The side bar of a study's page, and above the page what the reader must know of the study as a whole."""
    with st.sidebar:
        _navigation(page, link)
    _label(page.scope, link)


def title(text: str, measure: str, *, ends: str = "") -> None:
    """The page's heading with its copy button, and the sentence that says what is measured."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        heading(text)
        copy_link()
    explain(measure, ends)


def stopped(page: Opened, link: Link, text: str, error: FlipbookError, controls: Callable[[], None]) -> NoReturn:
    """End a page whose link asks for what is not there. controls: what the reader can choose instead."""
    study_sidebar(page, link)
    heading(text)
    notice(error.line, "error")
    controls()
    start = Link(study=link.study, extractor=link.extractor, as_of=link.as_of)
    st.page_link(PAGES["cells"][0], label="Overview of the study", query_params=start.params)
    st.stop()


def _navigation(page: Opened, link: Link) -> None:
    pages = [
        NavLink(name, label, icon.strip(":").removeprefix("material/"), link.href(name), name == page.name)
        for name, (_, label, icon) in PAGES.items()
    ]
    scope = page.scope

    def opened(name: str) -> None:
        page_name = next((known for known in PAGES if known == name), None)
        if page_name is None:
            _open_house(name)
        else:
            go(page_name, link)

    def other_study(name: str) -> None:
        there = scope_of(name, None, None)
        go("cells", Link(study=there.study.study, extractor=there.extractor, as_of=there.as_of))

    choices = [NavChoice("Study", tuple(row.study for row in page.studies), scope.study.study, other_study)]
    if scope.extractor is not None and page.name != "gates":  # gates say themselves by whom they are scored
        other = partial(_other_extractor, link)
        choices.append(NavChoice("Scored by", scope.extractors, scope.extractor, other))
    note = f"Generation {scope.as_of} of {scope.newest}"
    nav([_house(None), ("Pages of the study", pages)], opened, choices, note, f"?{urlencode(link.params)}")


def _other_extractor(link: Link, name: str) -> None:
    write_link(link.with_(extractor=name))


def _label(scope: Scope, link: Link) -> None:
    if scope.study.label:
        notice(f"{scope.study.study}: {scope.study.label}")
    if scope.later_runs:
        then = f"This link shows the study as of generation {scope.as_of}."
        notice(f"{then} Added since and left out: {counted(scope.later_runs, 'run')}.")
        st.button("Show the newest", icon=":material/update:", on_click=write_link, args=(link.with_(as_of=scope.newest),))
    if trouble := trouble_with_people():
        notice(trouble, "doubt")


def _nothing(error: FlipbookError) -> NoReturn:
    home_sidebar()
    heading("No study here")
    notice(f"{error.what}. {error.fix}".strip(), "error")  # the store's folder is nobody's business but its owner's
    paragraph("Load the two bundled studies, or your own records, then reload this page:")
    st.code(
        "flipbook demo --load-only\nflipbook ingest results.jsonl --map my-map.toml --study my-study",
        language="bash",
    )
    st.stop()
