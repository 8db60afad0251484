"""What pages read, cached per generation of the store's file."""

import os
from pathlib import Path

import streamlit as st
from sqlalchemy import Engine

from store.folder import Store
from store.people.database import annotations, open_people
from store.people.models import Annotation
from store.results.cells import StudyCells, study_cells
from store.results.question import Output, QuestionRecord, QuestionResult, output, question_result
from store.results.scope import Scope
from store.warehouse.open import FileKey, Warehouse, file_key, open_warehouse


def store_folder() -> Store:
    """The store this server shows: $FLIPBOOK_STORE, else ./flipbook-store."""
    return Store(Path(os.environ.get("FLIPBOOK_STORE") or "flipbook-store"))


def warehouse() -> Warehouse:
    """The file as it is now. Raises StoreMissingError or StoreError."""
    return _open(file_key(store_folder().warehouse))


def cells_of(scope: Scope) -> StudyCells:
    """`study_cells`, computed once per generation and scope."""
    return _cells(file_key(store_folder().warehouse), scope)


def question_of(scope: Scope, question_id: str) -> QuestionResult:
    """`question_result` on the file as it is now."""
    return question_result(warehouse(), scope, question_id)


def output_of(scope: Scope, record: QuestionRecord) -> Output:
    """What a record answered."""
    return output(warehouse(), scope, record)


def remarks_on(study: str, question_id: str) -> tuple[Annotation, ...]:
    """Annotations of a question; none when nobody has written one in this store yet."""
    path = store_folder().people
    return annotations(_people(str(path)), study, question_id) if path.exists() else ()


def _close(opened: Warehouse) -> None:
    opened.close()


@st.cache_resource(max_entries=2, on_release=_close, show_spinner=False)
def _open(key: FileKey) -> Warehouse:
    return open_warehouse(Path(key.path))


@st.cache_resource(show_spinner=False)
def _people(path: str) -> Engine:
    return open_people(Path(path))


@st.cache_data(max_entries=16, show_spinner=False)
def _cells(key: FileKey, scope: Scope) -> StudyCells:
    return study_cells(_open(key), scope)
