"""Parts of the question page that change its link."""

from collections.abc import Callable

import streamlit as st

from dashboard.classes import class_title
from dashboard.data import cells_of, output_of
from dashboard.frame import Opened
from dashboard.link import Link, write_link
from dashboard.panes import show_one, show_pair
from dashboard.safe import heading, notice, paragraph, pre
from store.analysis.classes import LAYERS, Classes, Layer, OutputClass
from store.errors import FlipbookError
from store.results.question import QuestionRecord, QuestionResult
from store.results.scope import Scope

HERE = "views/question.py"
LAYER_HELP = (
    "tokens: equal token ids, one trailing stop token aside. text: equal bytes."
    " answer: equal canonical answers. verdict: equal verdicts."
)


def question_bar(page: Opened, load: Callable[[Scope, str], QuestionResult]) -> tuple[Link, QuestionResult]:
    """Heading with the way to other questions. Without `q` in the link the study's first question is shown."""
    wanted = page.link.q or _first(page.scope)
    try:
        result = load(page.scope, wanted)
    except FlipbookError as error:
        notice(error.line, "error")
        st.page_link("views/cells.py", label="All questions", query_params=page.link.with_(q=None, a=None, b=None).params)
        st.stop()
    link = page.link.with_(q=result.question_id)
    heading(f"Question {result.question_id}")
    place = f"{result.position:,} of {result.of:,}" if result.position else "outside the question set"
    gold = " / ".join("not recorded" if gold is None else gold for gold in result.golds)
    paragraph(" · ".join(part for part in (place, result.category, f"gold answer {gold}") if part), "quiet")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for neighbour, label, icon in (
            (result.previous, "Previous", ":material/chevron_left:"),
            (result.following, "Next", ":material/chevron_right:"),
        ):
            params = link.with_(q=neighbour, a=None, b=None).params
            st.page_link(HERE, label=label, icon=icon, disabled=neighbour is None, query_params=params)
        _go_to(link)
    return link, result


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


def choose_layer(link: Link, result: QuestionResult) -> Layer:
    """The layer in the link, else the finest that is recorded; written into the URL either way."""
    current = link.layer or result.best_layer
    write_link(link.with_(layer=current))
    st.session_state["layer"] = current

    def chosen() -> None:
        st.query_params["layer"] = st.session_state["layer"]
        for name in ("a", "b"):
            st.query_params.pop(name, None)

    st.segmented_control("Equal by", LAYERS, key="layer", required=True, on_change=chosen, help=LAYER_HELP)
    return current


def choose_pair(scope: Scope, link: Link, result: QuestionResult, classes: Classes) -> None:
    """Two classes side by side: those the link names by one of their runs, else the two largest."""
    groups = {one.letter: one for one in classes.classes}
    records = {record.label: record for record in result.records}
    if not groups:
        return
    letters = tuple(groups)
    a = _letter_of(classes, link.a) or letters[0]
    b = _letter_of(classes, link.b) or next((letter for letter in letters if letter != a), a)
    write_link(link.with_(a=groups[a].runs[0], b=groups[b].runs[0]))
    titles = {letter: class_title(one, [records[run] for run in one.runs]) for letter, one in groups.items()}
    heading("Side by side", 2)
    if len(groups) == 1:
        paragraph(f"Every placed record has the same {classes.layer}.", "quiet")
        show_one(output_of(scope, result.question_id, records[groups[a].runs[0]].output_digest), titles[a])
        return
    columns = st.columns(2)
    for column, name, letter in zip(columns, ("a", "b"), (a, b), strict=True):
        with column:
            _side(name, letter, groups, titles)
    left, right = (output_of(scope, result.question_id, records[groups[x].runs[0]].output_digest) for x in (a, b))
    show_pair(left, right, *(_pane_title(titles[x], records[groups[x].runs[0]]) for x in (a, b)))


def _side(name: str, current: str, groups: dict[str, OutputClass], titles: dict[str, str]) -> None:
    key = f"side-{name}"
    st.session_state[key] = current

    def chosen() -> None:
        st.query_params[name] = groups[st.session_state[key]].runs[0]

    st.selectbox("Left" if name == "a" else "Right", tuple(groups), key=key, format_func=titles.__getitem__, on_change=chosen)


def _pane_title(title: str, record: QuestionRecord) -> str:
    return f"{title} · shown from {record.label}"


def _letter_of(classes: Classes, run: str | None) -> str | None:
    return next((one.letter for one in classes.classes if run in one.runs), None)


def _first(scope: Scope) -> str:
    questions = cells_of(scope).questions
    return questions[0] if questions else ""


def _go_to(link: Link) -> None:
    def chosen() -> None:
        if wanted := st.session_state["go-to"].strip():
            st.query_params.from_dict(link.with_(q=wanted, a=None, b=None).params)
        st.session_state["go-to"] = ""

    st.text_input(
        "Go to question",
        key="go-to",
        placeholder="Go to question id",
        on_change=chosen,
        width=220,
        label_visibility="collapsed",
    )
