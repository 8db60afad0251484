"""Completing a link to a question: its layer and the two classes side by side are always said.

A link is completed before it is followed, so that one click is one step of the browser's history.
"""

from dashboard.link import Link
from store.analysis.classes import Classes
from store.results.question import QuestionResult


def complete(link: Link, result: QuestionResult) -> Link:
    """`link` to this question with nothing left open; what it says already and still fits is kept."""
    layer = link.layer or result.best_layer
    a, b = _pair(result.classes(layer), link.a, link.b)
    return link.with_(q=result.question_id, layer=layer, a=a, b=b)


def class_of(classes: Classes, run: str | None) -> int | None:
    """Index of the class that holds the run."""
    return next((i for i, one in enumerate(classes.classes) if run in one.runs), None)


def _pair(classes: Classes, a: str | None, b: str | None) -> tuple[str | None, str | None]:
    """Runs that name the two classes: the asked ones where they are placed, else the largest two."""
    firsts = [one.runs[0] for one in classes.classes]
    if not firsts:
        return None, None
    left = a if class_of(classes, a) is not None else firsts[0]
    if class_of(classes, b) is not None:
        return left, b
    other = (run for i, run in enumerate(firsts) if i != class_of(classes, left))
    return left, next(other, None)
