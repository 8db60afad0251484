"""The questions of a comparison that new deployments alone do not explain."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from store.analysis.panel import UNKNOWN, CodeArray, Panel
from store.analysis.verdicts import CORRECT, INCORRECT
from store.results.study import StudyData


@dataclass(frozen=True, slots=True)
class NotNoise:
    """A question on which both cells are stable and different.

    layer: `verdict` when the verdicts differ, `answer` when only the answers do. right: the side that is correct.
    answer_a, answer_b: canonical, or `no answer found`; null where that side gives no one answer. in_fragile: unstable in
    some cell of the study, so that new deployments may explain it all the same; null when no cell has two verdicts on it.
    """

    question: str
    category: str | None
    gold: str | None
    layer: Literal["verdict", "answer"]
    answer_a: str | None
    answer_b: str | None
    right: Literal["a", "b", "both", "neither"]
    in_fragile: bool | None


def not_noise(data: StudyData, a: Panel, b: Panel) -> tuple[NotNoise, ...]:
    """Questions on which two sides are stable and different, in the order of the set."""
    verdict_a, verdict_b = (_one(panel, panel.verdicts.astype(np.int32)) for panel in (a, b))
    answer_a, answer_b = (_one(panel, panel.answers) for panel in (a, b))
    by_verdict = (verdict_a != UNKNOWN) & (verdict_b != UNKNOWN) & (verdict_a != verdict_b)
    by_answer = (answer_a != UNKNOWN) & (answer_b != UNKNOWN) & (answer_a != answer_b) & ~by_verdict
    by_answer &= (verdict_a != UNKNOWN) & (verdict_b != UNKNOWN)  # one answer with two verdicts is not stable
    found = []
    for q in np.flatnonzero(by_verdict | by_answer).tolist():
        asked = data.asked[q]
        right_a, right_b = verdict_a[q] == CORRECT, verdict_b[q] == CORRECT
        found.append(
            NotNoise(
                question=asked.question_id,
                category=asked.category,
                gold=asked.gold,
                layer="verdict" if by_verdict[q] else "answer",
                answer_a=data.answer_text(asked.question_id, int(answer_a[q])),
                answer_b=data.answer_text(asked.question_id, int(answer_b[q])),
                right=("both" if right_b else "a") if right_a else ("b" if right_b else "neither"),
                in_fragile=data.is_fragile(asked.question_id),
            )
        )
    return tuple(found)


def _one(panel: Panel, values: CodeArray) -> CodeArray:
    """The cell's one value of each question; unknown where a run lacks a verdict or the runs do not agree."""
    same = (panel.verdicts >= INCORRECT).all(axis=0) & (values == values[0]).all(axis=0)
    return np.where(same, values[0], UNKNOWN).astype(np.int32)
