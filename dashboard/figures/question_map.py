"""The map of questions: rows of questions, columns of runs, verdicts by colour and by shape."""

from collections import Counter
from collections.abc import Sequence

import altair as alt
import pandas as pd

from dashboard.figures.base import WHOLE, charted, pick, room_for
from dashboard.figures.kept import Drawing
from dashboard.figures.look import INK
from dashboard.link import Shown
from store.analysis.verdicts import CORRECT, INCORRECT, MISSING, UNSCORED
from store.results.browse.question_map import QuestionMap
from store.results.study import NO_ANSWER

VERDICTS = {CORRECT: "correct", INCORRECT: "incorrect", UNSCORED: "unscored", MISSING: "no record"}
SHAPES = {"correct": "circle", "incorrect": "diamond", "unscored": "triangle-up", "no record": "M-1,-0.2L1,-0.2L1,0.2L-1,0.2Z"}
COLOURS = {"correct": "#56b4e9", "incorrect": "#d55e00", "unscored": "#e69f00", "no record": "#8a97a8"}
ANSWERS = ("gold", "other 1", "other 2", "other 3", "further", NO_ANSWER, "unknown")
ANSWER_COLOURS = ("#56b4e9", "#d55e00", "#cc79a7", "#e69f00", "#b8a600", "#5b6470", "#c3cad3")
ROW = 17
MARKS = 6_000
"""Marks one chart holds; rows beyond them are on the next page of the map."""


def map_figure(found: QuestionMap, answers: Sequence[Sequence[str | None]], show: Shown) -> Drawing:
    """One mark a record. Selection `pick` on `question` and `run`. Colour is the verdict or the answer, shape the verdict."""
    rows = [
        row for i, question in enumerate(found.rows) for row in _marks(found, i, question.question, answers[i], question.gold)
    ]
    frame = pd.DataFrame(rows, columns=["question", "run", "cell", "verdict", "answer", "gold", "group", "rank"])
    runs = [charted(column.run.run_id) for column in found.columns]
    questions = [charted(question) for question in found.ids()]
    x = alt.X(
        "run:N",
        sort=runs,
        title=None,
        scale=alt.Scale(domain=runs),
        axis=alt.Axis(
            orient="top",
            labels=len(runs) <= WHOLE,
            labelAngle=-90,
            labelAlign="left",
            labelBaseline="middle",
            labelFlush=False,
            ticks=False,
            domain=False,
            labelLimit=150,
            labelOverlap=False,
        ),
    )
    y = alt.Y(
        "question:N",
        sort=questions,
        title=None,
        scale=alt.Scale(domain=questions),
        axis=alt.Axis(ticks=False, domain=False, labelLimit=190, grid=True, labelOverlap=False, labelFlush=False),
    )
    colour = (
        alt.Color(
            "verdict:N",
            title=None,
            legend=alt.Legend(orient="top"),
            scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())),
        )
        if show == "verdict"
        else alt.Color(
            "rank:N",
            title="answer",
            legend=alt.Legend(orient="top"),
            scale=alt.Scale(domain=list(ANSWERS), range=list(ANSWER_COLOURS)),
        )
    )
    shape = alt.Shape(
        "verdict:N",
        title=None,
        legend=alt.Legend(orient="top") if show == "verdict" else None,
        scale=alt.Scale(domain=list(SHAPES), range=list(SHAPES.values())),
    )
    marks = (
        alt.Chart(frame)
        .mark_point(filled=True, opacity=1, size=62 if len(runs) <= WHOLE else 14, cursor="pointer")
        .encode(
            x=x,
            y=y,
            color=colour,
            shape=shape,
            tooltip=["question:N", "group:N", "run:N", "cell:N", "verdict:N", "answer:N", "gold:N"],
        )
        .add_params(pick("question", "run"))
    )
    layers = [_cell_lines(found), _group_lines(found), _group_names(found, runs), marks]
    return alt.layer(*layers).properties(height=ROW * len(questions) + (room_for(runs) if len(runs) <= WHOLE else 0) + 60)


def cell_map_figure(found: QuestionMap) -> Drawing:
    """One square a cell: correct of scored runs. Selection `pick` on `question`."""
    cells = list(dict.fromkeys(charted(column.cell) for column in found.columns))
    rows = []
    for i, question in enumerate(found.rows):
        for cell in cells:
            mine = [int(found.verdicts[i, j]) for j, column in enumerate(found.columns) if charted(column.cell) == cell]
            right, scored = mine.count(CORRECT), mine.count(CORRECT) + mine.count(INCORRECT)
            rate = right / scored if scored else None
            rows.append(
                (question.question, cell, rate, f"{right} of {scored} runs correct, {len(mine) - scored} without a verdict")
            )
    frame = pd.DataFrame(rows, columns=["question", "cell", "rate", "correct"])
    questions = [charted(question) for question in found.ids()]
    figure: Drawing = (
        alt.Chart(frame)
        .mark_rect(cursor="pointer")
        .encode(
            x=alt.X(
                "cell:N",
                sort=cells,
                title=None,
                axis=alt.Axis(orient="top", labelAngle=-60, labelAlign="left", labelLimit=160, labelFlush=False),
            ),
            y=alt.Y("question:N", sort=questions, title=None, axis=alt.Axis(labelLimit=190, labelOverlap=False)),
            color=alt.Color(
                "rate:Q", title="correct", scale=alt.Scale(scheme="blueorange", domain=[1, 0]), legend=alt.Legend(format="%")
            ),
            tooltip=["question:N", "cell:N", "correct:N"],
        )
        .add_params(pick("question"))
        .properties(height=ROW * len(questions) + room_for(cells) + 20)
    )
    return figure


def _marks(
    found: QuestionMap, i: int, question: str, answers: Sequence[str | None], gold: str | None
) -> list[tuple[str, str, str, str, str, str, str, str]]:
    given = zip(answers, found.verdicts[i], strict=True)
    wrong = Counter(answer for answer, verdict in given if answer not in (None, NO_ANSWER) and verdict != CORRECT)
    others = [str(answer) for answer, _ in wrong.most_common()]
    marks = []
    for j, column in enumerate(found.columns):
        code, answer = int(found.verdicts[i, j]), answers[j]
        rank = _rank(code, answer, others)
        shown = "not known" if answer is None else answer
        marks.append(
            (
                charted(question),
                charted(column.run.run_id),
                charted(column.cell),
                VERDICTS[code],
                shown,
                gold or "not recorded",
                found.rows[i].group,
                rank,
            )
        )
    return marks


def _rank(code: int, answer: str | None, others: Sequence[str]) -> str:
    if answer is None:
        return "unknown"
    if answer == NO_ANSWER:
        return NO_ANSWER
    if code == CORRECT:
        return "gold"
    place = others.index(answer)
    return f"other {place + 1}" if place < 3 else "further"


def _cell_lines(found: QuestionMap) -> Drawing:
    """A line before the first run of each cell but the first."""
    first = [
        charted(c.run.run_id) for before, c in zip(found.columns, found.columns[1:], strict=False) if before.cell != c.cell
    ]
    figure: Drawing = (
        alt.Chart(pd.DataFrame({"run": first}, dtype=object))
        .mark_rule(color=INK, opacity=0.6)
        .encode(x=alt.X("run:N", bandPosition=0))
    )
    return figure


def _group_names(found: QuestionMap, runs: Sequence[str]) -> Drawing:
    """The name of each group right of its first row."""
    heads = [
        row for before, row in zip((None, *found.rows), found.rows, strict=False) if before is None or before.group != row.group
    ]
    frame = pd.DataFrame(
        [{"run": runs[-1], "question": charted(row.question), "group": row.group} for row in heads], dtype=object
    )
    figure: Drawing = (
        alt.Chart(frame)
        .mark_text(align="left", dx=18, fontSize=11, color=INK)
        .encode(x="run:N", y="question:N", text="group:N")
    )
    return figure


def _group_lines(found: QuestionMap) -> Drawing:
    """A line above the first question of each group but the first."""
    first = [
        charted(row.question) for before, row in zip(found.rows, found.rows[1:], strict=False) if before.group != row.group
    ]
    figure: Drawing = (
        alt.Chart(pd.DataFrame({"question": first}, dtype=object))
        .mark_rule(color=INK, opacity=0.9, strokeDash=[3, 3])
        .encode(y=alt.Y("question:N", bandPosition=0))
    )
    return figure
