"""Parts of the page of pairs: the matrices, and one pair opened."""

import streamlit as st

from dashboard.choosers import leads_to, segments
from dashboard.components.controls import controls
from dashboard.components.reveal import reveal
from dashboard.components.table import data_table
from dashboard.data import matrix_of, pair_of, report_of, side_matrix_of, study_of
from dashboard.figures.base import WHOLE, clickable, draw
from dashboard.figures.divergence import divergence_histogram, gap_histogram, survival_figure
from dashboard.figures.kept import kept
from dashboard.figures.kinds import kind_figure
from dashboard.figures.matrix import NOUN, cell_figure, run_figure, run_width
from dashboard.frame import Opened, go
from dashboard.link import By, Link, write_link
from dashboard.parts import open_question_of
from dashboard.rows import pairs as rows
from dashboard.safe import heading, notice, paragraph
from dashboard.words import explain
from store.errors import FlipbookError
from store.results.browse.matrix import AMONG, GROUPS, MATRIX_LAYERS, RUN_ORDERS, matrix_runs, matrix_sides
from store.results.browse.pair import OpenPair
from store.results.printing import counted, fraction, percent
from store.results.report.pairs import kind_groups
from store.results.scope import Scope


def complete(page: Opened) -> Link:
    """The link with everything said: the layer, the order, which runs, and whether by run or by cell."""
    link, data = page.link.on("pairs"), study_of(page.scope)
    among = link.among or "grid"
    runs = matrix_runs(data, among)
    grain = link.grain or ("runs" if len(runs) <= WHOLE else "cells")
    layer = link.matrix or next(
        (layer for layer in MATRIX_LAYERS[:4] if matrix_of(page.scope, layer, among, "cell")[0].known), "tokens"
    )
    return link.with_(matrix=layer, order=link.order or "cell", among=among, grain=grain, group=link.group or "cell")


def choose_matrix(link: Link, runs: int) -> None:
    """Layer, order and runs of the matrix."""
    names = {"verdict": "verdict flips", "divergence": "first divergence", "grid": "grid runs", "all": "every role"}
    controls(
        "matrix",
        link,
        segments("Layer", "matrix", MATRIX_LAYERS, link, lambda value: names.get(value, value)),
        segments("Order by", "order", RUN_ORDERS, link),
        segments("Runs", "among", AMONG, link, lambda value: names.get(value, value)),
        *([segments("Matrix of", "grain", ("cells", "runs"), link)] if runs > WHOLE else []),
    )


def run_matrix(scope: Scope, link: Link) -> None:
    """Run × run, or why there is none."""
    if link.matrix is None or link.order is None or link.among is None:
        return
    matrix, order = matrix_of(scope, link.matrix, link.among, link.order)
    if not matrix.known:
        notice(f"No pair of runs has {NOUN[link.matrix]} to compare: the layer is not recorded, or there is one run.", "info")
        return
    figure = kept(scope, "runs", (link.matrix, link.among, link.order), lambda: run_figure(matrix, order))
    clickable(
        "runs", figure, f"{NOUN[link.matrix]} of every pair of {len(order)} runs", ["a", "b"],
        lambda picked: write_link(link.with_(pair_a=picked["a"], pair_b=picked["b"])),
        run_width([run.run_id for run in matrix.runs]),
    )  # fmt: skip


def group_matrix(scope: Scope, link: Link) -> None:
    """Cell × cell, or digest × digest: the floor on the diagonal, the excess beside it; a click compares the two."""
    if link.matrix is None or link.group is None:
        return
    layer, group, data = link.matrix, link.group, study_of(scope)
    what = "cell" if group == "cell" else "digest"
    heading("Cells against each other" if group == "cell" else f"Environments against each other, by {group} digest", 2)
    if any(matrix_sides(data, kind) for kind in GROUPS if kind != "cell"):
        names = {"declared": "declared digest", "full": "full digest"}
        controls("group", link, segments("Grouped by", "group", GROUPS, link, lambda value: names.get(value, value)))
    pairs = side_matrix_of(scope, layer, group)
    if all(pair.value is None for pair in pairs):
        paragraph(f"No pair of runs has {NOUN[layer]} to compare.", "quiet")
        return
    said = (
        f"On the diagonal a {what}'s own flip rate, elsewhere the excess over the floor in points; hover for the interval."
        if layer == "verdict"
        else f"{NOUN[layer].capitalize()} over all run pairs of a {what}, and between two."
    )
    left_out = sum(len(cell.runs) for cell in data.grid.cells) - sum(len(side.runs) for side in matrix_sides(data, group))
    rest = f" {counted(left_out, 'run')} without a recorded environment left out." if left_out else ""
    paragraph(f"{said} Click the square of two {what}s to compare them.{rest}", "quiet")

    def opened(picked: dict[str, str]) -> None:
        if picked["a"] != picked["b"]:
            by: By = "cell" if group == "cell" else "environment"
            go("compare", link.with_(by=by, side_a=picked["a"], side_b=picked["b"]))

    figure = kept(scope, "cells", (layer, group), lambda: cell_figure(pairs, layer))
    clickable("cells", figure, f"{NOUN[layer]} of every pair of {what}s", ["a", "b"], opened)


def kinds(scope: Scope, link: Link) -> None:
    """Pair kinds with the reference median."""
    report, data = report_of(scope), study_of(scope)
    if not report.pairs:
        return
    heading("Kinds of pairs", 2)
    explain("kinds")
    found = kind_figure(kind_groups(report.pairs, data.complete))
    figure = kept(scope, "kinds", (), lambda: found.chart)
    known = found.reference is not None
    said = f"reference median {percent(found.reference)}" if known else "no fresh–fresh pair of grid runs, so no reference"
    if found.single:
        clickable(
            "kinds", figure, f"identity of every pair by kind, {said}", ["a", "b"],
            lambda picked: write_link(link.with_(pair_a=picked["a"], pair_b=picked["b"])),
        )  # fmt: skip
    else:
        draw("kinds", figure, f"range and median of identity by kind of pair, {said}")
    paragraph(f"{said[0].upper()}{said[1:]}.", "quiet")
    data_table("kinds", "pairs of each kind together", rows.KIND_COLUMNS, rows.kind_rows(report.pair_kinds), link)


def open_pair(scope: Scope, link: Link) -> None:
    """The pair the link names, above everything else."""
    if link.pair_a is None or link.pair_b is None:
        if one := link.pair_a or link.pair_b:
            notice(f"The link names one run of a pair, {one}; click a square for a pair.", "doubt")
        return
    try:
        found = pair_of(scope, link.pair_a, link.pair_b)
    except FlipbookError as error:
        notice(error.line, "error")
        return
    c = found.counts
    reveal(f"{link.pair_a} {link.pair_b}")
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            heading(f"{found.b.run_id} against {found.a.run_id}", 2)
            controls("pair", link, leads_to("Close", "close", link.with_(pair_a=None, pair_b=None)))
        explain("pair")
        same = (
            "token identity undefined" if c.identical is None else f"identical tokens {fraction(c.identical, c.identical_of)}"
        )
        flips = "flips not known: no question is scored in both" if c.flips is None else f"flips {fraction(c.flips, c.of)}"
        paragraph(f"{c.kind} · {same} · {flips} · {c.unscored:,} unscored, {c.missing:,} missing on a side.")
        if c.of:
            data_table("two-by-two", f"verdicts of both on {c.of:,} questions", *rows.two_by_two(found), link)
        if found.changes:
            there = link.with_(within="pair", a=found.a.run_id, b=found.b.run_id)
            data_table(
                "changes", "gains and losses", rows.change_columns(found), rows.change_rows(found, there), link,
                lambda question: open_question_of(scope, there.with_(q=question)),
            )  # fmt: skip
        _divergence(scope, found)
        with st.expander("Statistics"):
            data_table("pair-statistics", "statistics of the pair", rows.STATISTIC_COLUMNS, rows.statistic_rows(found), link)


def _divergence(scope: Scope, found: OpenPair) -> None:
    if found.divergence is None:
        paragraph("First divergence is unknown: the runs have no comparable token ids.", "quiet")
        return
    d = found.divergence
    same = f"{d.censored:,} questions have equal tokens, {d.input_mismatch:,} other inputs"
    if not found.at:
        paragraph(f"No divergence: {same}.", "quiet")
        return
    paragraph(f"{counted(d.diverged, 'question')} part, half of them by token {d.median:g}; {same}.")
    pair = (found.a.run_id, found.b.run_id)
    left, right = st.columns(2)
    with left:
        draw(
            "divergence",
            kept(scope, "divergence", pair, lambda: divergence_histogram(found.at)),
            "first differing token of each question that differs",
        )
    with right:
        draw(
            "survival",
            kept(scope, "survival", pair, lambda: survival_figure(d)),
            "share of questions still equal behind each token",
        )
    if found.near is None or found.ties is None:
        paragraph("Gap classes are unknown: no log-probabilities were captured in both.", "quiet")
        return
    paragraph("Gap classes: " + ", ".join(f"{kind} {n:,}" for kind, n in found.near.classes.items()) + ".")
    ties = found.ties
    gaps = kept(scope, "pair-gaps", pair, lambda: gap_histogram([tie.tie for tie in ties]))
    draw("pair-gaps", gaps, "gaps and swings at the first divergence, in nats")
