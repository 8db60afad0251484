"""What pages read, cached per generation of the store's file. Results are frozen, so one copy serves every session."""

import os
from pathlib import Path

import streamlit as st
from sqlalchemy import Engine

from store.errors import FlipbookError
from store.folder import Store
from store.people.database import check_people, open_people, study_annotations
from store.results.browse.compared import ComparedPairs, compared_pairs
from store.results.browse.matrix import (
    Among,
    CellPair,
    Group,
    MatrixLayer,
    RunMatrix,
    RunOrder,
    matrix_runs,
    matrix_sides,
    order_of,
    run_matrix,
    side_matrix,
)
from store.results.browse.pair import OpenPair, open_pair
from store.results.browse.question_map import MapFilter, QuestionMap, question_map
from store.results.browse.search import matching
from store.results.browse.trace import Reading, readings
from store.results.cells import StudyCells, cells_of
from store.results.question import Output, QuestionRecord, QuestionResult, output, question_result
from store.results.report.build import METHOD_CONVENTIONS, Asked, Note, study_report
from store.results.report.compare import Comparison, compare_sides
from store.results.report.near import Captures, captures
from store.results.report.shape import Report
from store.results.scope import Scope, resolve
from store.results.study import StudyData, study_data
from store.warehouse.open import FileKey, Warehouse, file_key, open_warehouse

ASKED = Asked(METHOD_CONVENTIONS, None, None)
"""Pages show METHOD's conventions; the command line takes others."""


def store_folder() -> Store:
    """The store this server shows: $FLIPBOOK_STORE, else ./flipbook-store."""
    return Store(Path(os.environ.get("FLIPBOOK_STORE") or "flipbook-store"))


def warehouse() -> Warehouse:
    """The file as it is now. Raises StoreMissingError or StoreError."""
    return _open(_key())


def scope_of(study: str | None, as_of: int | None, extractor: str | None) -> Scope:
    """`resolve`, once for each link of a generation. Raises what it raises."""
    return _scope(_key(), study, as_of, extractor)


def study_of(scope: Scope) -> StudyData:
    """The study's arrays, read once per generation and scope."""
    return _study(_key(), scope)


def report_of(scope: Scope) -> Report:
    """`study_report` of a study, with what people wrote of its questions."""
    return _report(_key(), scope, notes_of(scope.study.study))


def cells_result_of(scope: Scope) -> StudyCells:
    """Every question in every cell, for lists."""
    return _cells(_key(), scope)


def comparison_of(scope: Scope, side_a: str, side_b: str) -> Comparison:
    """`compare_sides`. Raises UsageError on a side the study does not have."""
    return _comparison(_key(), scope, side_a, side_b)


def compared_pairs_of(scope: Scope, side_a: str, side_b: str) -> ComparedPairs:
    """The run pairs behind a comparison."""
    return _compared(_key(), scope, side_a, side_b)


def matrix_of(scope: Scope, layer: MatrixLayer, among: Among, order: RunOrder) -> tuple[RunMatrix, tuple[int, ...]]:
    """A matrix of runs and the positions of its rows in an order."""
    return _matrix(_key(), scope, layer, among, order)


def side_matrix_of(scope: Scope, layer: MatrixLayer, group: Group) -> tuple[CellPair, ...]:
    """A matrix of cells, or of environment digests."""
    return _side_matrix(_key(), scope, layer, group)


def pair_of(scope: Scope, run_a: str, run_b: str) -> OpenPair:
    """One pair of runs. Raises UsageError on a run the study does not have."""
    return _pair(_key(), scope, run_a, run_b)


def map_of(scope: Scope, cell: str | None, arm: str | None, category: str | None, core: bool, find: str | None) -> QuestionMap:
    """The map of questions under a filter. Raises UsageError on a pattern or a name that cannot be."""
    return _map(_key(), scope, cell, arm, category, core, find)


def captures_of(scope: Scope, question_id: str | None) -> Captures | None:
    """Log-probabilities captured while decoding, of one question or of all; null when nobody took any."""
    return _captures(_key(), scope, question_id)


def question_of(scope: Scope, question_id: str) -> QuestionResult:
    """`question_result` on the file as it is now. Raises UsageError on a question nobody asked."""
    return _question(_key(), scope, question_id)


def output_of(scope: Scope, record: QuestionRecord) -> Output:
    """What a record answered."""
    return output(warehouse(), scope, record)


def readings_of(scope: Scope, record: QuestionRecord) -> tuple[Reading, ...]:
    """What every extractor read in a record."""
    return readings(warehouse(), scope, record)


def people() -> Engine | None:
    """What people wrote in this store; null when nobody has yet, or it cannot be read (see `trouble_with_people`)."""
    path = store_folder().people
    return _people(str(path)) if path.exists() and trouble_with_people() is None else None


def notes_of(study: str) -> tuple[Note, ...]:
    """Annotations of a study as a report takes them."""
    engine = people()
    found = () if engine is None else study_annotations(engine, study)
    return tuple(Note(a.question_id, a.kind.value, a.text, a.author) for a in found)


def trouble_with_people() -> str | None:
    """Why what people wrote cannot be read; null when it can, or there is nothing."""
    path = store_folder().people
    try:
        if path.exists():
            _check(file_key(path))
    except FlipbookError as error:
        return error.line
    return None


def version() -> FileKey:
    """What the store's file is now; caches of pages key on it."""
    return _key()


def _key() -> FileKey:
    return file_key(store_folder().warehouse)


def _close(opened: Warehouse) -> None:
    opened.close()


@st.cache_resource(max_entries=2, on_release=_close, show_spinner=False)
def _open(key: FileKey) -> Warehouse:
    return open_warehouse(Path(key.path))


@st.cache_resource(show_spinner=False)
def _people(path: str) -> Engine:
    return open_people(Path(path))


@st.cache_resource(max_entries=4, show_spinner=False)
def _check(key: FileKey) -> None:
    """Once for each state of the file; an error is not kept."""
    check_people(_people(key.path))


@st.cache_resource(max_entries=64, show_spinner=False)
def _scope(key: FileKey, study: str | None, as_of: int | None, extractor: str | None) -> Scope:
    return resolve(_open(key), study, as_of, extractor)


@st.cache_resource(max_entries=4, show_spinner=False)
def _study(key: FileKey, scope: Scope) -> StudyData:
    return study_data(_open(key), scope)


@st.cache_resource(max_entries=4, show_spinner="Counting …")
def _report(key: FileKey, scope: Scope, notes: tuple[Note, ...]) -> Report:
    return study_report(_open(key), scope, ASKED, notes)


@st.cache_resource(max_entries=4, show_spinner=False)
def _cells(key: FileKey, scope: Scope) -> StudyCells:
    return cells_of(_study(key, scope))


@st.cache_resource(max_entries=32, show_spinner="Comparing …")
def _comparison(key: FileKey, scope: Scope, side_a: str, side_b: str) -> Comparison:
    return compare_sides(_study(key, scope), _captures(key, scope, None), side_a, side_b, ASKED)


@st.cache_resource(max_entries=32, show_spinner=False)
def _compared(key: FileKey, scope: Scope, side_a: str, side_b: str) -> ComparedPairs:
    return compared_pairs(_study(key, scope), _captures(key, scope, None), side_a, side_b)


@st.cache_resource(max_entries=32, show_spinner="Counting …")
def _matrix(key: FileKey, scope: Scope, layer: MatrixLayer, among: Among, order: RunOrder) -> tuple[RunMatrix, tuple[int, ...]]:
    data = _study(key, scope)
    runs = matrix_runs(data, among)
    return run_matrix(data, runs, layer), order_of(data, runs, order)


@st.cache_resource(max_entries=16, show_spinner="Counting …")
def _side_matrix(key: FileKey, scope: Scope, layer: MatrixLayer, group: Group) -> tuple[CellPair, ...]:
    data = _study(key, scope)
    return side_matrix(data, matrix_sides(data, group), layer, ASKED.plan.level)


@st.cache_resource(max_entries=32, show_spinner=False)
def _pair(key: FileKey, scope: Scope, run_a: str, run_b: str) -> OpenPair:
    data = _study(key, scope)
    return open_pair(data, _captures(key, scope, None), run_a, run_b, ASKED.plan.level)


@st.cache_resource(max_entries=32, show_spinner="Searching …")
def _map(
    key: FileKey, scope: Scope, cell: str | None, arm: str | None, category: str | None, core: bool, find: str | None
) -> QuestionMap:
    hits = None if find is None else frozenset(hit.question_id for hit in matching(_open(key), scope, find))
    return question_map(_study(key, scope), MapFilter(cell, arm, category, core, hits))


@st.cache_resource(max_entries=32, show_spinner=False)
def _captures(key: FileKey, scope: Scope, question_id: str | None) -> Captures | None:
    return captures(_open(key), scope, question_id)


@st.cache_resource(max_entries=128, show_spinner=False)
def _question(key: FileKey, scope: Scope, question_id: str) -> QuestionResult:
    return question_result(_open(key), scope, question_id)
