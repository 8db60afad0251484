"""Parts of the question page that change its link."""

import streamlit as st

from dashboard.components.controls import Control, controls
from dashboard.components.walk import walk
from dashboard.data import notes_of, question_of, study_of
from dashboard.frame import PAGES, Opened, go, stopped, title
from dashboard.link import Link, PageName, write_link
from dashboard.question_link import complete, neighbours, strangers
from dashboard.safe import chips, notice, paragraph, pre
from store.analysis.classes import LAYERS, Layer
from store.errors import FlipbookError
from store.results.printing import counted
from store.results.question import QuestionResult
from store.results.scope import Scope

LAYER_HELP = (
    "tokens: equal token ids, one trailing stop token aside. text: equal bytes."
    " answer: equal canonical answers. verdict: equal verdicts."
)
LIST_OF: dict[str, tuple[PageName, str]] = {
    "all": ("cells", "of the question set"),
    "overview": ("cells", "of the question set, least agreed on first"),
    "map": ("fragile", "on the map of questions, as filtered"),
    "compare": ("compare", "that are not noise"),
    "pair": ("pairs", "gained or lost by the pair"),
    "gate": ("gates", "that the gate names"),
}
"""Where a list of questions comes from, and what it holds."""


def open_question(page: Opened) -> tuple[Link, QuestionResult]:
    """The question the link asks for, and the link completed. Without `q` it is the first of its list."""
    link = page.link.on("question")
    try:
        result = question_of(page.scope, link.q or _first(page.scope))
    except FlipbookError as error:
        stopped(page, link, f"Question {link.q or ''}", error, lambda: _go_to(page.scope, link))
    whole = complete(link, result)
    for run in strangers(link, result):
        notice(f"The link names run {run}, which has no record of this question; another one is shown.", "doubt")
    return whole, result


def question_bar(scope: Scope, link: Link, result: QuestionResult) -> None:
    """Heading, and the way to other questions of the list the reader comes from."""
    title(f"Question {result.question_id}", "question")
    near = neighbours(scope, link, result)
    page, what = LIST_OF[near.name]
    if near.name != link.within:
        notice("The list this link names cannot be made here; previous and next walk the question set.", "doubt")
    place = f"{near.position:,} of {len(near.ids):,} {what}" if near.position else f"not among the {len(near.ids):,} {what}"
    gold = " / ".join("not recorded" if gold is None else gold for gold in result.golds)
    paragraph(" · ".join(part for part in (f"gold answer {gold}", result.category, place) if part))
    _marks(scope, result.question_id)
    label = PAGES[page][1]
    walk(
        near.position,
        len(near.ids),
        lambda position: _go(scope, link, near.at(position)),
        lambda words: _typed(scope, link, words),
        (f"Back to {label}", link.href(page), lambda: go(page, link)),
    )


def _marks(scope: Scope, question_id: str) -> None:
    """What is known of the question as a whole: fragile or stable, and what people wrote of it."""
    fragile = study_of(scope).is_fragile(question_id)
    known = {
        True: ("in the fragile set", "doubt"),
        False: ("stable in every cell", "none"),
        None: ("stability not known", "none"),
    }
    kinds = tuple(dict.fromkeys(note.kind for note in notes_of(scope.study.study) if note.question == question_id))
    chips([known[fragile], *((kind, "label") for kind in kinds)])


def _go_to(scope: Scope, link: Link) -> None:
    """Only the line for the id of any question."""
    walk(0, 0, lambda _: None, lambda words: _typed(scope, link, words))


def _typed(scope: Scope, link: Link, words: str) -> None:
    _go(scope, link, words if words in study_of(scope).questions else words.strip())


def _go(scope: Scope, link: Link, question: str) -> None:
    kept = {} if link.within in ("compare", "pair", "gate") else {"a": None, "b": None}  # two sides stay what is compared
    away = link.with_(q=question, c=None, **kept)
    try:
        write_link(complete(away, question_of(scope, question)))
    except FlipbookError:
        write_link(away)  # the page itself says what is wrong with it


def show_prompts(result: QuestionResult) -> None:
    """The question, whether every run was asked the same, and the rendered prompts, collapsed."""
    if result.text is not None:
        pre(result.text)
    asked: dict[str, int] = {}
    for prompt in result.prompts:
        if prompt.rendered_prompt is not None:
            asked[prompt.rendered_prompt] = asked.get(prompt.rendered_prompt, 0) + prompt.records
    untold = sum(prompt.records for prompt in result.prompts) - sum(asked.values())
    rest = f"; of {counted(untold, 'record')} it is not recorded" if untold else ""
    if not asked:
        paragraph("The rendered prompt is not recorded.", "quiet")
    elif len(asked) == 1:
        paragraph(f"✓ {counted(sum(asked.values()), 'record')} were asked with the same rendered prompt{rest}.", "quiet")
    else:
        paragraph(f"✗ {len(asked)} different rendered prompts{rest}.")
    for prompt_text, records in asked.items():
        with st.expander(f"Rendered prompt of {counted(records, 'record')}"):
            pre(prompt_text)


def show_remarks(scope: Scope, question_id: str) -> None:
    """What people wrote of the question."""
    for note in notes_of(scope.study.study):
        if note.question == question_id:
            notice(f"{note.kind}: {note.text} ({note.author})", "doubt")


def choose_layer(link: Link, result: QuestionResult) -> Layer:
    """What makes two outputs equal."""
    current = link.layer or result.best_layer

    def chosen(before: Link, layer: str) -> Link:
        return complete(before.with_(layer=layer, a=None, b=None, c=None), result)

    options = tuple((layer, layer) for layer in LAYERS)
    controls("layer", link, Control("segments", "Equal by", "layer", current, chosen, options, LAYER_HELP))
    return current


def _first(scope: Scope) -> str:
    questions = study_of(scope).questions
    return questions[0] if questions else ""
