"""Parts of the page that compares two sides."""

from collections.abc import Sequence

import streamlit as st

from dashboard.choosers import leads_to, segments, select, whole
from dashboard.components.controls import controls
from dashboard.components.copy import copy_text
from dashboard.components.table import data_table
from dashboard.data import compared_pairs_of, comparison_of, study_of
from dashboard.figures.base import draw
from dashboard.figures.divergence import gap_histogram
from dashboard.figures.kept import kept
from dashboard.figures.strip import strip_figures
from dashboard.frame import Opened, stopped
from dashboard.link import By, Link
from dashboard.parts import findings
from dashboard.rows.overview import DIFFERENCE_COLUMNS, difference_rows
from dashboard.safe import heading, paragraph
from dashboard.words import explain
from store.errors import FlipbookError, UsageError
from store.results.printing import counted, percent
from store.results.report.compare import Comparison
from store.results.report.markdown import markdown
from store.results.report.sections import compare_sections, finding_section
from store.results.report.side import SHORT, environment_sides, side_named
from store.results.scope import Scope
from store.results.study import StudyData


def open_comparison(page: Opened) -> tuple[Link, Comparison]:
    """What the link compares, and the link completed: without sides the first two that have no run in common."""
    link, data = page.link.on("compare"), study_of(page.scope)
    cells = [cell.cell for cell in data.grid.cells]
    link = link.with_(by=link.by or _kind_of(link, cells))
    digests = [side.digest for side in environment_sides(data)]
    names = cells if link.by == "cell" else digests
    what = "cell" if link.by == "cell" else "environment digest"
    try:
        for side in (link.side_a, link.side_b):
            if side is not None and not any(name == side or (link.by != "cell" and name.startswith(side)) for name in names):
                raise UsageError(f"{side!r} is no {what} of this study")
        a, b = whole(link.side_a, names) or next(iter(names), None), whole(link.side_b, names)
        if a is not None and b is None:
            b = next((name for name in names if _disjoint(data, a, name)), None)
        link = link.with_(side_a=a, side_b=b)
        if a is None or b is None:
            raise UsageError(
                f"a comparison needs two of a kind without a run in common; this study has {counted(len(names), what)}"
            )
        return link, comparison_of(page.scope, a, b)
    except FlipbookError as error:
        stopped(page, link, "Compare", error, lambda: choose_sides(page.scope, link))


def _kind_of(link: Link, cells: Sequence[str]) -> By:
    return "environment" if any(side not in (None, *cells) for side in (link.side_a, link.side_b)) else "cell"


def _disjoint(data: StudyData, a: str, b: str) -> bool:
    one, two = ({run.run_id for run in side_named(data, name).runs} for name in (a, b))
    return not one & two


def choose_sides(scope: Scope, link: Link) -> None:
    """What is compared, and a button that turns it round."""
    data = study_of(scope)
    sides = {side.digest: side for side in environment_sides(data)}
    names = [cell.cell for cell in data.grid.cells] if link.by == "cell" else list(sides)

    def said(name: str) -> str:
        side = sides.get(name)
        if side is None:
            return name
        known = "" if side.known == side.of else f" · incomplete ({side.known} of {side.of} fields)"
        where = f"{counted(side.deployments, 'deployment')} of {', '.join(side.cells)}"
        return f"{side.digest[:SHORT]} · {side.kind} · {where}{known}"

    controls(
        "sides",
        link,
        segments("Compare by", "by", ("cell", "environment"), link, side_a=None, side_b=None),
        select("A", "side_a", names, link, said),
        select("B", "side_b", names, link, said),
        leads_to("Swap", "swap", link.with_(side_a=link.side_b, side_b=link.side_a)),
    )
    if link.by == "environment" and link.side_a in sides and link.side_b in sides:
        paragraph(f"A: {said(link.side_a)}. B: {said(link.side_b)}.", "quiet")


def sentence(found: Comparison) -> None:
    """The one sentence, what it stands on, and its doubts."""
    paragraph(found.sentence, "lead")
    paragraph(_needed(found), "quiet")
    sections = [s for s in (*compare_sections(found), finding_section(found.findings)) if s.rows]
    copy_text("Copy Markdown", markdown(found.sentence, sections), "The whole comparison as Markdown tables", "copy-markdown")
    findings(found.findings)


def _needed(found: Comparison) -> str:
    needed = found.between.difference.needed
    said = "not known" if needed is None else f"{needed:,}"
    return f"Deployments per side that would resolve a difference of this size: {said}. Unresolved is not equal."


def unknown_fields(found: Comparison) -> None:
    """Names of the fields that neither side recorded; kernel state among them is what differs without being seen."""
    if names := found.environment.unknown:
        with st.expander(f"{counted(len(names), 'field')} known on neither side"):
            paragraph(", ".join(names), "quiet")


def strips(scope: Scope, link: Link, found: Comparison) -> None:
    """Flips and identity within A, between, within B."""
    pairs = compared_pairs_of(scope, link.side_a or "", link.side_b or "")
    flips, identity = strip_figures(found, [(where, pair) for where, pair in pairs.pairs])
    said = "; ".join(
        f"{line.between.replace('a', 'A').replace('b', 'B')} {percent(line.flip_rate)} of {line.flips_of:,}"
        for line in found.strip
    )
    draw("flips", kept(scope, "strip-flips", (link.side_a, link.side_b), lambda: flips), f"flips: {said}")
    if identity is None:
        paragraph("Identity is unknown: neither tokens nor texts can be compared.", "quiet")
    else:
        strip = identity
        figure = kept(scope, "strip-identity", (link.side_a, link.side_b), lambda: strip)
        draw("identity", figure, "identity within A, between A and B, within B")


def gaps(scope: Scope, link: Link, found: Comparison) -> None:
    """Gaps and swings where outputs of A and B part."""
    heading("Gap and swing at the first divergence", 2)
    explain("gaps")
    ties = compared_pairs_of(scope, link.side_a or "", link.side_b or "").ties
    if ties is None or found.near_ties is None:
        why = "no log-probabilities were captured" if ties is None else _why_no_divergence(found)
        paragraph(f"Not known: {why}.", "quiet")
        return
    s = found.near_ties.summary
    kinds = ", ".join(f"{kind} {n:,}" for kind, n in s.classes.items())
    paragraph(f"{s.divergences:,} divergences on {counted(found.near_ties.questions, 'question')}: {kinds}.")
    draw(
        "gaps",
        kept(scope, "gaps", (link.side_a, link.side_b), lambda: gap_histogram(ties)),
        "gaps and swings at the first divergence, in nats",
    )


def _why_no_divergence(found: Comparison) -> str:
    if not found.between.identical_of:
        return "the outputs of A and B have no comparable token ids"
    return f"all {found.between.identical_of:,} comparable pair-questions between A and B have equal tokens"


def statistics(found: Comparison, link: Link) -> None:
    """The difference with both targets."""
    with st.expander("Statistics"):
        data_table("difference", "accuracy difference", DIFFERENCE_COLUMNS, difference_rows((found.between,), link), link)
