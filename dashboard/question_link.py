"""Completing a link to a question: its layer and the two classes side by side are always said.

A link is completed before it is followed, so that one click is one step of the browser's history.
"""

from dashboard.link import Link
from store.analysis.classes import Classes
from store.results.question import QuestionResult


def complete(link: Link, result: QuestionResult) -> Link:
    """`link` to this question with nothing left open; what it says already and still fits is kept."""
    layer = link.layer or result.best_layer
    a, b = _pair(result, result.classes(layer), link.a, link.b)
    return link.with_(q=result.question_id, layer=layer, a=a, b=b)


def class_of(classes: Classes, run: str | None) -> int | None:
    """Index of the class that holds the run."""
    return next((i for i, one in enumerate(classes.classes) if run in one.runs), None)


def strangers(link: Link, result: QuestionResult) -> tuple[str, ...]:
    """Runs the link names that have no record of this question."""
    labels = {record.label for record in result.records}
    return tuple(run for run in (link.a, link.b) if run is not None and run not in labels)


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
