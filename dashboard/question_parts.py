"""Parts of the question page that change its link."""

import streamlit as st

from dashboard.classes import class_title
from dashboard.data import cells_of, output_of, question_of, remarks_on
from dashboard.frame import CELLS, Opened, study_sidebar
from dashboard.link import Link, write_link
from dashboard.panes import show_one, show_pair
from dashboard.question_link import class_of, complete, strangers
from dashboard.safe import heading, notice, paragraph, pre
from store.analysis.classes import LAYERS, Classes, Layer
from store.errors import FlipbookError
from store.results.question import QuestionResult
from store.results.scope import Scope

LAYER_HELP = (
    "tokens: equal token ids, one trailing stop token aside. text: equal bytes."
    " answer: equal canonical answers. verdict: equal verdicts."
)


def open_question(page: Opened) -> tuple[Link, QuestionResult]:
    """The question the link asks for, and the link completed. Without `q` it is the first of the set."""
    try:
        result = question_of(page.scope, page.link.q or _first(page.scope))
    except FlipbookError as error:
        write_link(page.link)
        study_sidebar(page, page.link)
        heading(f"Question {page.link.q or ''}")
        notice(error.line, "error")
        st.page_link(CELLS, label="All questions", query_params=page.link.with_(q=None, a=None, b=None).params)
        st.stop()
    link = complete(page.link, result)
    write_link(link)
    for run in strangers(page.link, result):
        notice(f"The link names run {run}, which has no record of this question; another one is shown.", "doubt")
    return link, result


def question_bar(scope: Scope, link: Link, result: QuestionResult) -> None:
    """Heading, and the way to other questions."""
    heading(f"Question {result.question_id}")
    place = f"{result.position:,} of {result.of:,}" if result.position else "outside the question set"
    gold = " / ".join("not recorded" if gold is None else gold for gold in result.golds)
    paragraph(" · ".join(part for part in (place, result.category, f"gold answer {gold}") if part), "quiet")

    def go(question: str) -> None:
        away = link.with_(q=question, a=None, b=None)
        try:
            write_link(complete(away, question_of(scope, question)))
        except FlipbookError:
            write_link(away)  # the page itself says what is wrong with it

    def typed() -> None:
        if wanted := st.session_state["go-to"].strip():
            go(wanted)
        st.session_state["go-to"] = ""

    with st.container(horizontal=True, vertical_alignment="center"):
        for neighbour, label, icon in (
            (result.previous, "Previous", ":material/chevron_left:"),
            (result.following, "Next", ":material/chevron_right:"),
        ):
            st.button(label, icon=icon, disabled=neighbour is None, on_click=go, args=(neighbour,))
        hint = "Go to question id"
        st.text_input(hint, key="go-to", placeholder=hint, on_change=typed, width=220, label_visibility="collapsed")


def show_prompts(result: QuestionResult) -> None:
    """The question and its rendered prompts, collapsed."""
    if result.text is not None:
        pre(result.text)
    known = [prompt for prompt in result.prompts if prompt.rendered_prompt is not None]
    if not known:
        paragraph("The rendered prompt is not recorded.", "quiet")
    for prompt in known:
        with st.expander(f"Rendered prompt of {prompt.records} records"):
            pre(prompt.rendered_prompt or "")


def show_remarks(study: str, question_id: str) -> None:
    """What people wrote about the question. A people database that cannot be read is said and stops nothing."""
    try:
        remarks = remarks_on(study, question_id)
    except FlipbookError as error:
        notice(error.line, "error")
        return
    for remark in remarks:
        notice(f"{remark.kind}: {remark.text} ({remark.author}, {remark.created_at:%Y-%m-%d})", "doubt")


def choose_layer(link: Link, result: QuestionResult) -> Layer:
    """What makes two outputs equal."""
    current = link.layer or result.best_layer
    st.session_state["layer"] = current

    def chosen() -> None:
        write_link(complete(link.with_(layer=st.session_state["layer"], a=None, b=None), result))

    st.segmented_control("Equal by", LAYERS, key="layer", required=True, on_change=chosen, help=LAYER_HELP)
    return current


def side_by_side(scope: Scope, link: Link, result: QuestionResult, classes: Classes) -> None:
    """The two classes that the link names, each shown by the run that names it."""
    records = {record.label: record for record in result.records}
    titles = [class_title(one, [records[run] for run in one.runs]) for one in classes.classes]
    left, right = class_of(classes, link.a), class_of(classes, link.b)
    if left is None or link.a is None:
        return
    heading("Side by side", 2)
    if right is None or link.b is None:
        paragraph(f"All records here have the same {classes.layer}.", "quiet")
        show_one(output_of(scope, records[link.a]), f"{titles[left]} · shown from {link.a}")
        return
    columns = st.columns(2)
    for column, name, current in zip(columns, ("a", "b"), (left, right), strict=True):
        with column:
            _choose_side(name, current, link, classes, titles)
    pair = records[link.a], records[link.b]
    names = [f"{title} · shown from {record.label}" for title, record in zip((titles[left], titles[right]), pair, strict=True)]
    show_pair(output_of(scope, pair[0]), output_of(scope, pair[1]), *names)


def _choose_side(name: str, current: int, link: Link, classes: Classes, titles: list[str]) -> None:
    key = f"side-{name}"
    st.session_state[key] = current

    def chosen() -> None:
        write_link(link.with_(**{name: classes.classes[st.session_state[key]].runs[0]}))

    label = "Left" if name == "a" else "Right"
    st.selectbox(label, range(len(titles)), key=key, format_func=titles.__getitem__, on_change=chosen)


def _first(scope: Scope) -> str:
    questions = cells_of(scope).questions
    return questions[0] if questions else ""
