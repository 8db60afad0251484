"""Two or three outputs of a question side by side: where they part, what was read in them, token by token."""

from dataclasses import dataclass

import streamlit as st

from dashboard.components.controls import Control, controls
from dashboard.components.table import data_table
from dashboard.data import captures_of, output_of, readings_of
from dashboard.link import Link
from dashboard.panes import HEAD_CHARS, Pane, show_panes
from dashboard.question_link import class_of
from dashboard.rows.question import READING_COLUMNS, class_title, reading_rows, step_columns, step_rows
from dashboard.safe import heading, paragraph
from store.analysis.classes import Classes
from store.analysis.difference import first_divergence
from store.results.browse.trace import Reading, Step, is_first, steps_around
from store.results.question import Output, QuestionRecord, QuestionResult
from store.results.report.near import Captures
from store.results.scope import Scope

KEYS = {"a": "Left", "b": "Right", "c": "Third"}
"""Keys of the link that name a class, and what their choosers are called."""


@dataclass(frozen=True, slots=True)
class Side:
    """One output shown: the letter of its class, the record that names it, and what that holds."""

    name: str
    title: str
    record: QuestionRecord
    output: Output
    readings: tuple[Reading, ...]


def side_by_side(scope: Scope, link: Link, result: QuestionResult, classes: Classes) -> None:
    """The classes that the link names, each shown by the run that names it."""
    records = {record.label: record for record in result.records}
    titles = [class_title(one, [records[run] for run in one.runs]) for one in classes.classes]
    if class_of(classes, link.a) is None:
        return
    heading("Side by side", 2)
    if len(classes.classes) > 1:
        _choose(link, classes, titles)
    else:
        paragraph(f"All records here have the same {classes.layer}.", "quiet")
    sides = [_side(scope, name, records[run], titles[at]) for name, run, at in _named(link, classes)]
    _where_they_part(scope, sides)
    show_panes([_pane(scope, side, sides[0] if side is not sides[0] else sides[-1]) for side in sides])
    _whole_texts(sides)
    heading("What was read in them", 2)
    data_table(
        "readings", "what each extractor read in the outputs shown", READING_COLUMNS,
        reading_rows([(f"class {side.name}", reading) for side in sides for reading in side.readings]), link,
    )  # fmt: skip
    _tokens(scope, sides, link)


def _named(link: Link, classes: Classes) -> list[tuple[str, str, int]]:
    found = []
    for key in KEYS:
        run = getattr(link, key)
        at = class_of(classes, run)
        if run is not None and at is not None:
            found.append((classes.classes[at].letter, run, at))
    return found


def _side(scope: Scope, name: str, record: QuestionRecord, title: str) -> Side:
    return Side(name, title, record, output_of(scope, record), readings_of(scope, record))


def _pane(scope: Scope, side: Side, other: Side) -> Pane:
    read = next((r for r in side.readings if r.extractor == scope.extractor), None)
    span = None if read is None or read.span_start is None or read.span_end is None else (read.span_start, read.span_end)
    return Pane(side.title, side.output.raw_text, _divergence(other, side), span, f"shown from {side.record.label}")


def _divergence(a: Side, b: Side) -> int | None:
    """First differing token; null when the ids are equal, not recorded, or of different tokenizers or prompts."""
    ids_a, ids_b = a.output.token_ids, b.output.token_ids
    if (
        ids_a is None
        or ids_b is None
        or a.record.given.comparable is None
        or a.record.given.comparable != b.record.given.comparable
    ):
        return None
    return first_divergence(ids_a, ids_b)


def _where_they_part(scope: Scope, sides: list[Side]) -> None:
    """For every further output against the first: the token, the gaps on both sides, the swing and its class."""
    first = sides[0]
    for side in sides[1:]:
        ids = (first.output.token_ids, side.output.token_ids)
        if None in ids or first.record.given.comparable is None:
            paragraph(
                f"{first.name} | {side.name}: first divergence not known, token ids or their tokenizer are not recorded.",
                "quiet",
            )
            continue
        at = _divergence(first, side)
        if at is None:
            paragraph(f"{first.name} | {side.name}: no divergence, the token ids are equal or cannot be compared.", "quiet")
            continue
        parted = f"{at:,} identical tokens, then {_chosen(first, at)} and {_chosen(side, at)}"
        paragraph(f"{first.name} | {side.name}: {parted}. {_closeness(scope, first, side, at)}")


def _closeness(scope: Scope, a: Side, b: Side, at: int) -> str:
    taken = captures_of(scope, a.record.question_id)
    if taken is None or not (is_first(a.record) and is_first(b.record)):
        why = "no log-probabilities were captured" if taken is None else "captures are kept of a run's first pass only"
        return f"How close it was is not known: {why}."
    tie = taken.judge(a.record.run_id, b.record.run_id, a.record.question_id, at, None)
    gaps = [f"{gap:.4g}" if gap is not None else "not captured" for gap in (tie.gap_a, tie.gap_b)]
    swing = "not known" if tie.swing is None else f"{tie.swing:.4g}"
    return f"Gap {a.name} {gaps[0]}, {b.name} {gaps[1]}; swing {swing} nats: {tie.kind.value}."


def _chosen(side: Side, at: int) -> str:
    ids = side.output.token_ids or ()
    return f"{side.name} goes on with token {ids[at]}" if at < len(ids) else f"{side.name} stops"


def _tokens(scope: Scope, sides: list[Side], link: Link) -> None:
    """Token ids around the first divergence, or the first ones where there is none."""
    known = [side for side in sides if side.output.token_ids is not None]
    with st.expander("Tokens around the divergence"):
        if not known:
            paragraph("Token ids are not recorded.", "quiet")
            return
        parted = {at for side in sides[1:] if (at := _divergence(sides[0], side)) is not None}
        taken = captures_of(scope, sides[0].record.question_id)
        steps = [_steps(taken, side, parted or {0}) for side in known]
        names = [side.name for side in known]
        data_table("tokens", "output tokens around the divergence", step_columns(names), step_rows(steps, parted), link)


def _steps(taken: Captures | None, side: Side, places: set[int]) -> tuple[Step, ...]:
    """Steps around every place at which some output parts from the first."""
    found = [step for at in places for step in steps_around(taken, side.record, side.output.token_ids or (), at)]
    return tuple({step.index: step for step in found}.values())


def _whole_texts(sides: list[Side]) -> None:
    """Long texts open head first; the whole is one click away."""
    for side in sides:
        text = side.output.raw_text
        if text is not None and len(text) > HEAD_CHARS:
            label = f"Whole text of {side.name} ({len(text):,} characters)"
            st.download_button(
                label, text, file_name=f"{side.name}.txt", mime="text/plain", key=f"whole-{side.name}", on_click="ignore"
            )


def _choose(link: Link, classes: Classes, titles: list[str]) -> None:
    """A choice for each output; a class is named by its first run, which means the same in every other question."""
    named = [(one.runs[0], title) for one, title in zip(classes.classes, titles, strict=True)]

    def choice(key: str) -> Control:
        at = class_of(classes, getattr(link, key))
        nothing = [("", "none")] if key == "c" or at is None else []
        value = "" if at is None else named[at][0]

        def chosen(before: Link, run: str) -> Link:
            return before.with_(**{key: run or None})

        return Control("select", KEYS[key], key, value, chosen, (*nothing, *named))

    controls("classes", link, *(choice(key) for key in list(KEYS)[: 3 if len(titles) > 2 else 2]))
