"""Near ties at the divergences of grid runs, where candidates were captured while decoding."""

from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pandas as pd

from store.analysis.near_tie import Capture, NearTie, capture, near_tie
from store.analysis.near_tie_summary import summarise
from store.analysis.pairs_within import comparable
from store.results.report.shape import NearTies
from store.results.runs import CellRuns
from store.results.scope import Scope
from store.results.study import StudyData
from store.warehouse.open import Parameter, Warehouse

NOTHING = capture((), (), ())


@dataclass(slots=True)
class Captures:
    """Captures of a study by run and question; each distinct one is built once, each distinct divergence judged once."""

    keys: dict[tuple[str, str], tuple[str, str, int | None]]
    outputs: dict[tuple[str, str], tuple[int, ...]]
    steps: dict[tuple[str, str], tuple[list[list[int]], list[list[float]]]]
    _built: dict[tuple[str, tuple[str, str, int | None]], Capture] = field(default_factory=dict)
    _judged: dict[tuple[str, str, str, str, str, int, float | None], NearTie] = field(default_factory=dict)

    def of(self, run: str, question: str) -> Capture:
        """What a run generated and considered on a question; an empty capture where none was taken."""
        key = self.keys.get((run, question))
        if key is None:
            return NOTHING
        if (question, key) not in self._built:
            output, digest, stop = key
            chosen = self.outputs[question, output]
            if stop is not None and chosen[-1:] != (stop,):
                chosen = (*chosen, stop)  # an engine that does not return its stop token still chose it
            self._built[question, key] = capture(chosen, *self.steps[question, digest])
        return self._built[question, key]

    def judge(self, a: str, b: str, question: str, at: int, large_gap: float | None) -> NearTie:
        """The divergence of two runs on a question."""
        one, two = self.keys.get((a, question), ("", "", None)), self.keys.get((b, question), ("", "", None))
        key = (question, one[0], one[1], two[0], two[1], at, large_gap)
        if key not in self._judged:
            self._judged[key] = near_tie(self.of(a, question), self.of(b, question), at, large_gap)
        return self._judged[key]


def captures(warehouse: Warehouse, scope: Scope, question: str | None) -> Captures | None:
    """Captures of the study, or of one question of it; null when nobody took one."""
    where: dict[str, Parameter] = {"study": scope.study.study, "q": question}
    frame = warehouse.frame("captures", as_of=scope.as_of, **where)
    if frame.empty:
        return None
    stops = [None if pd.isna(stop) else int(stop) for stop in frame["stop_token_id"]]
    keys = zip(frame["output_digest"], frame["logprobs_digest"], stops, strict=True)
    outputs = warehouse.frame("capture_outputs", **where)
    steps = warehouse.frame("capture_steps", **where)
    return Captures(
        keys=dict(zip(zip(frame["run_id"], frame["question_id"], strict=True), keys, strict=True)),
        outputs={
            (question, digest): tuple(ids.tolist()) if isinstance(ids, np.ndarray) else ()  # ids may be unknown
            for question, digest, ids in outputs.itertuples(index=False)
        },
        steps={
            (question, digest): ([step.tolist() for step in ids], [step.tolist() for step in values])
            for question, digest, ids, values in steps.itertuples(index=False)
        },
    )


def near_ties(data: StudyData, large_gap: float | None) -> tuple[NearTies, ...]:
    """Near ties within each cell and between each two, where runs diverged; none without captures."""
    taken = captures(data.warehouse, data.scope, None)
    if taken is None:
        return ()
    found = []
    for a, b in combinations_with_replacement(data.grid.cells, 2):
        if (lines := cell_near_ties(data, taken, a, b, large_gap)) is not None:
            found.append(lines)
    return tuple(found)


def cell_near_ties(data: StudyData, taken: Captures, a: CellRuns, b: CellRuns, large_gap: float | None) -> NearTies | None:
    """Near ties over all run pairs of two cells, or of one with itself; null when nothing diverged."""
    pairs = between_runs(a, b)
    ties = [tie for one, two in pairs for tie in pair_ties(data, taken, one, two, large_gap)]
    if not ties:
        return None
    first_of_question: dict[str, NearTie] = {}
    for tie in ties:
        first_of_question.setdefault(tie.question, tie.tie)
    summary = summarise([tie.tie for tie in ties], list(first_of_question.values()))
    return NearTies(a.cell, b.cell, len(pairs), len(first_of_question), summary)


def between_runs(a: CellRuns, b: CellRuns) -> list[tuple[str, str]]:
    """Run pairs of two cells, or of one with itself."""
    left, right = ([run.run_id for run in side.runs] for side in (a, b))
    return list(combinations(left, 2)) if a is b else list(product(left, right))


@dataclass(frozen=True, slots=True)
class QuestionTie:
    """The divergence of two runs on one question."""

    question: str
    tie: NearTie


def pair_ties(data: StudyData, taken: Captures, a: str, b: str, large_gap: float | None) -> tuple[QuestionTie, ...]:
    """Divergences of two runs by question, in the order of the set."""
    panel = data.panel.rows([a, b])
    differ = np.flatnonzero(comparable(panel.tokens, panel.domain, 0, 1) & (panel.tokens[0] != panel.tokens[1]))
    found = []
    for at, token in zip(differ.tolist(), data.pair_divergences(panel, 0, 1).tolist(), strict=True):
        question = data.questions[at]
        found.append(QuestionTie(question, taken.judge(a, b, question, token, large_gap)))
    return tuple(found)
