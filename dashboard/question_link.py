"""Completing a link to a question: its layer and the classes side by side are always said.

A link is completed before it is followed, so that one click is one step of the browser's history.
"""

from dataclasses import dataclass

from dashboard.data import cells_result_of, comparison_of, map_of, pair_of, study_of
from dashboard.gate_data import judged_of, listed
from dashboard.link import Link, ListName
from store.analysis.classes import Classes
from store.errors import FlipbookError
from store.results.cells import least_agreed
from store.results.question import QuestionResult
from store.results.report.compare import ranked_noise
from store.results.scope import Scope


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The list a question is looked at in. position is 1-based, 0 when the question is not in it."""

    name: ListName
    ids: tuple[str, ...]
    position: int

    def at(self, position: int) -> str:
        """The question at a position; the nearest end for one that is not there."""
        return self.ids[min(max(position, 1), len(self.ids)) - 1]


def complete(link: Link, result: QuestionResult) -> Link:
    """`link` to this question with nothing left open; what it says already and still fits is kept."""
    layer = link.layer or result.best_layer
    classes = result.classes(layer)
    a, b = _pair(result, classes, link.a, link.b)
    third = class_of(classes, link.c)
    c = link.c if third is not None and third not in (class_of(classes, a), class_of(classes, b)) else None
    return link.with_(q=result.question_id, layer=layer, a=a, b=b, c=c, within=link.within or "all")


def class_of(classes: Classes, run: str | None) -> int | None:
    """Index of the class that holds the run."""
    return next((i for i, one in enumerate(classes.classes) if run in one.runs), None)


def strangers(link: Link, result: QuestionResult) -> tuple[str, ...]:
    """Runs the link names that have no record of this question."""
    labels = {record.label for record in result.records}
    return tuple(run for run in (link.a, link.b, link.c, link.run) if run is not None and run not in labels)


def neighbours(scope: Scope, link: Link, result: QuestionResult) -> Neighbours:
    """What comes before and after in the list that the link names; in the question set where that list cannot be made."""
    whole = Neighbours("all", study_of(scope).questions, result.position)
    if link.within in (None, "all"):
        return whole
    try:
        ids = _ids(scope, link)
    except FlipbookError:
        return whole
    position = ids.index(result.question_id) + 1 if result.question_id in ids else 0
    return Neighbours(link.within or "all", ids, position)


def _ids(scope: Scope, link: Link) -> tuple[str, ...]:
    if link.within == "overview":
        counts = cells_result_of(scope)
        return tuple(counts.questions[i] for i in least_agreed(counts))
    if link.within == "map":
        return map_of(scope, link.cell, link.arm, link.category, link.core is not None, link.find).ids()
    if link.within == "compare":
        return tuple(q.question for q in ranked_noise(comparison_of(scope, link.side_a or "", link.side_b or "")))
    if link.within == "gate":
        return listed(judged_of(scope, link.gates or "", link.candidate or "").decision, link.gate)
    return tuple(change.question for change in pair_of(scope, link.pair_a or "", link.pair_b or "").changes)


def _pair(result: QuestionResult, classes: Classes, a: str | None, b: str | None) -> tuple[str | None, str | None]:
    """Runs that name the two classes: the asked ones where they are placed, else the largest and its best contrast."""
    left = a if class_of(classes, a) is not None else None
    right = b if class_of(classes, b) is not None else None
    if left is None:
        left = _contrast(result, classes, right) if right else next((one.runs[0] for one in classes.classes), None)
    return left, right or _contrast(result, classes, left)


def _contrast(result: QuestionResult, classes: Classes, run: str | None) -> str | None:
    """First run of the largest class with another verdict than `run`'s, else another answer, else any other class."""
    records = {record.label: record for record in result.records}
    mine = class_of(classes, run)
    others = [records[one.runs[0]] for i, one in enumerate(classes.classes) if i != mine]
    if run is None or not others:
        return None
    here = records[run]
    ranked = sorted(others, key=lambda there: (there.verdict == here.verdict, there.answer == here.answer))
    return ranked[0].label
