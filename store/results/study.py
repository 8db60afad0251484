"""A study as the measures need it: its question set, its runs, and their dense arrays, read once."""

import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from store.analysis.divergence import EQUAL, first_divergences, token_rows
from store.analysis.pairs_within import comparable
from store.analysis.panel import UNKNOWN, BoolArray, IntArray, Panel
from store.analysis.stability import Stability, stability
from store.contract.base import Json
from store.contract.run import RunState
from store.digests import without_trailing_stop
from store.results.panel import layer_rows, panel_of
from store.results.question import Asked, asked_questions
from store.results.runs import CellRuns, Grid, RunRow, grid, list_runs
from store.results.scope import Scope
from store.sealed.flatten import stop_ids_of, stops_from_json
from store.warehouse.open import Warehouse

NO_ANSWER = "no answer found"
"""The answer class of outputs that were read and held none."""

BUDGET = 8_000_000
"""Tokens compared at a time, to bound memory: pairs of long outputs go in small groups."""


@dataclass(frozen=True, slots=True)
class TokenTable:
    """Token ids of every distinct output, less one trailing stop.

    outputs: one array each. lengths: shape (outputs,). row_of[q, c]: position of class c of question q, `UNKNOWN`
    where there is none.
    """

    outputs: tuple[npt.NDArray[np.int32], ...]
    lengths: IntArray
    row_of: npt.NDArray[np.int32]

    def divergences(self, question: IntArray, a: IntArray, b: IntArray) -> IntArray:
        """First divergence of classes a and b of each question, three arrays of one length; `EQUAL` if equal."""
        found = np.full(len(question), EQUAL, dtype=np.int64)
        left, right = self.row_of[question, a], self.row_of[question, b]
        longest = np.maximum(self.lengths[left], self.lengths[right])
        order = np.argsort(longest, kind="stable")
        start = 0
        while start < len(order):
            stop = start + 1
            while stop < len(order) and (stop + 1 - start) * longest[order[stop]] <= BUDGET:
                stop += 1
            part = order[start:stop]
            rows = token_rows([self.outputs[i] for i in (*left[part], *right[part])])
            found[part] = first_divergences(rows[: len(part)], rows[len(part) :])
            start = stop
        return found


@dataclass(frozen=True)
class StudyData:
    """A study at a generation. `panel` holds every complete run, whatever its role; questions are the set's ids."""

    warehouse: Warehouse
    scope: Scope
    asked: tuple[Asked, ...]
    runs: tuple[RunRow, ...]
    grid: Grid
    rows: pd.DataFrame

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """Ids of the question set, in order."""
        return tuple(row.question_id for row in self.asked)

    @cached_property
    def complete(self) -> tuple[RunRow, ...]:
        """Runs that are neither quarantined nor incomplete."""
        return tuple(run for run in self.runs if run.state == RunState.COMPLETE)

    @cached_property
    def panel(self) -> Panel:
        """Every complete run on every question."""
        return panel_of(self.rows, tuple(run.run_id for run in self.complete), self.questions)

    @cached_property
    def grid_panel(self) -> Panel:
        """The runs that make up the cells, in the order of cells."""
        return self.panel.rows([run.run_id for cell in self.grid.cells for run in cell.runs])

    def cell_panel(self, cell: CellRuns) -> Panel:
        """The runs of one cell."""
        return self.panel.rows([run.run_id for run in cell.runs])

    def why_no_tokens(self, cell: CellRuns) -> str:
        """Why token identity is undefined in a cell in which it is."""
        mine = self.rows[self.rows["run_id"].isin([run.run_id for run in cell.runs])]
        if mine["identity"].isna().all():
            return "token ids not recorded"
        return "tokenizer or prompt not recorded" if mine["domain"].isna().all() else "different tokenizers or prompts"

    @cached_property
    def cell_stability(self) -> dict[str, Stability]:
        """Stability of each cell by its name."""
        return {cell.cell: stability(self.cell_panel(cell).verdicts) for cell in self.grid.cells}

    def stability_of(self, side: CellRuns) -> Stability:
        """Stability of a cell, or of any other group of runs."""
        known = any(side is cell for cell in self.grid.cells)
        return self.cell_stability[side.cell] if known else stability(self.cell_panel(side).verdicts)

    @cached_property
    def fragile(self) -> BoolArray:
        """The fragile set as a mask of shape (questions,): unstable in at least one cell."""
        masks = [found.unstable for found in self.cell_stability.values()]
        return np.logical_or.reduce(masks) if masks else np.zeros(len(self.questions), dtype=np.bool_)

    def is_fragile(self, question_id: str) -> bool | None:
        """Whether a question is in the fragile set; null when no cell has two verdicts on it, or it is outside the set."""
        at = self._position.get(question_id)
        return None if at is None or self.unknown_everywhere[at] else bool(self.fragile[at])

    @cached_property
    def _position(self) -> dict[str, int]:
        return {question: i for i, question in enumerate(self.questions)}

    @cached_property
    def unknown_everywhere(self) -> BoolArray:
        """Questions that no cell has two verdicts on, so that nobody knows whether they are stable; shape (questions,)."""
        masks = [found.unknown for found in self.cell_stability.values()]
        return np.logical_and.reduce(masks) if masks else np.ones(len(self.questions), dtype=np.bool_)

    @cached_property
    def repeated(self) -> frozenset[str]:
        """Cells with two deployments or more; of the others nothing is known to be stable or unstable."""
        return frozenset(cell.cell for cell in self.grid.cells if len(cell.runs) >= 2)

    @cached_property
    def arms(self) -> dict[str, tuple[CellRuns, ...]]:
        """Cells of each arm, in the order of arms."""
        found: dict[str, tuple[CellRuns, ...]] = {}
        for cell in self.grid.cells:
            found[cell.arm] = (*found.get(cell.arm, ()), cell)
        return found

    @cached_property
    def answer_texts(self) -> dict[tuple[str, int], str]:
        """Canonical answer of each answer class, by question and code; "no answer" has none."""
        rows = self.rows[["question_id", "answer", "canonical"]].dropna().drop_duplicates()
        return {(question, int(code)): text for question, code, text in rows.itertuples(index=False)}

    @cached_property
    def request_rows(self) -> pd.DataFrame:
        """Rows of read/request_settings.sql."""
        return self.warehouse.frame("request_settings", study=self.scope.study.study, as_of=self.scope.as_of)

    @cached_property
    def environment_records(self) -> dict[str, dict[str, Json]]:
        """Environment record of every deployment, as the JSON object it is stored as."""
        rows = self.warehouse.frame("environments", study=self.scope.study.study, as_of=self.scope.as_of)
        return {
            deployment: json.loads(record) for deployment, record in zip(rows["deployment_id"], rows["record"], strict=True)
        }

    def answer_text(self, question: str, code: int) -> str | None:
        """The canonical answer of an answer class, or `NO_ANSWER`; null where the answer is not known."""
        return None if code == UNKNOWN else self.answer_texts.get((question, code), NO_ANSWER)

    def arm_panel(self, arm: str) -> Panel:
        """All grid runs of an arm."""
        return self.panel.rows([run.run_id for cell in self.arms[arm] for run in cell.runs])

    @cached_property
    def tokens(self) -> TokenTable:
        """Token ids of every distinct output of the study."""
        frame = self.warehouse.frame("token_outputs", study=self.scope.study.study, as_of=self.scope.as_of)
        position = {question: i for i, question in enumerate(self.questions)}
        frame = frame[frame["question_id"].isin(position)]
        outputs = [
            without_trailing_stop(ids.tolist(), stop_ids_of(stops_from_json(stops), None if pd.isna(hit) else int(hit)))
            for ids, stops, hit in zip(frame["token_ids"], frame["stop_token_ids"], frame["stop_token_id"], strict=True)
        ]
        row_of = np.full((len(self.questions), int(frame["identity"].max() if len(frame) else 0) + 1), UNKNOWN, dtype=np.int32)
        row_of[frame["question_id"].map(position).to_numpy(np.intp), frame["identity"].to_numpy(np.intp)] = np.arange(
            len(frame)
        )
        arrays = tuple(np.asarray(ids, dtype=np.int32) for ids in outputs)
        return TokenTable(arrays, np.array([len(ids) for ids in arrays], dtype=np.int64), row_of)

    def pair_divergences(self, panel: Panel, i: int, j: int) -> IntArray:
        """First divergence of rows i and j of a panel on the questions on which their tokens differ."""
        differ = np.flatnonzero(comparable(panel.tokens, panel.domain, i, j) & (panel.tokens[i] != panel.tokens[j]))
        return self.tokens.divergences(differ, panel.tokens[i, differ], panel.tokens[j, differ])


def study_data(warehouse: Warehouse, scope: Scope) -> StudyData:
    """Read a study."""
    runs = list_runs(warehouse, scope)
    return StudyData(
        warehouse, scope, asked_questions(warehouse, scope), runs, grid(runs, scope.acknowledged), layer_rows(warehouse, scope)
    )
