"""Parts of the page of the fragile set: its size, its filters, and the map."""

from collections import Counter

from dashboard.choosers import leads_to, segments, select, switch, words
from dashboard.components.controls import controls
from dashboard.components.table import Column, Row, data_table, number, text
from dashboard.data import map_of, report_of, study_of
from dashboard.figures.base import WHOLE, clickable
from dashboard.figures.kept import kept
from dashboard.figures.question_map import MARKS, cell_map_figure, map_figure
from dashboard.frame import Opened, stopped
from dashboard.link import Link, Shown
from dashboard.parts import open_question_of
from dashboard.safe import heading, notice, paragraph
from store.analysis.accuracy import ONE_DEPLOYMENT
from store.errors import FlipbookError
from store.results.browse.question_map import QuestionMap, answer_texts, part
from store.results.printing import NOTHING, counted, fraction
from store.results.report.shape import Report
from store.results.scope import Scope

LEAST_ROWS = 20
RICHNESS_COLUMNS = (
    Column("cell or arm"),
    Column("deployments", right=True),
    Column("unstable", "questions on which its own runs disagree", right=True),
    Column("of", "questions with two verdicts or more", right=True),
    Column("at least", "Chao2: a lower bound of what unlimited deployments would find", right=True),
    Column("in fewer deployments", "rarefied: unstable questions expected in as many as the smallest cell has", right=True),
)


def open_map(page: Opened) -> tuple[Link, QuestionMap]:
    """The map under the link's filter, and the link completed."""
    link = page.link.on("fragile")
    link = link.with_(show=link.show or "verdict", top=link.top or 0)
    try:
        found = map_of(page.scope, link.cell, link.arm, link.category, link.core is not None, link.find)
    except FlipbookError as error:
        stopped(page, link, "Fragile set", error, lambda: choose_filter(page.scope, link))
    link = link.with_(grain=link.grain or ("runs" if len(found.columns) <= WHOLE else "cells"))
    return link, found


def size(scope: Scope, link: Link) -> None:
    """How many there are, of how many, and how many more there may be."""
    report = report_of(scope)
    f = report.fragile_set
    if f.count is None:
        why = f"{ONE_DEPLOYMENT} of a cell" if not f.cells else "no cell has two verdicts on any question"
        paragraph(f"Fragile set not known: {why}.", "lead")
    else:
        unknown = f", {f.unknown:,} not known" if f.unknown else ""
        paragraph(
            f"{fraction(f.count, f.of)} questions are unstable in at least one of {counted(f.cells, 'cell')} with two"
            f" deployments or more{unknown}; a lower bound.",
            "lead",
        )
    if any(cell.deployments > 1 for cell in report.cells):
        heading("How many more there may be", 2)
        paragraph("Estimates stand by cell and by arm: cells are not exchangeable, so there is none for their union.", "quiet")
        data_table("richness", "unstable questions seen and expected", RICHNESS_COLUMNS, _richness_rows(report), link)
    heading("The map", 2)


def choose_filter(scope: Scope, link: Link) -> None:
    """Cell, arm, category, stable core, text, and what is shown."""
    data = study_of(scope)
    categories = sorted({row.category for row in data.asked if row.category is not None})
    many = len(data.grid_panel.runs) > WHOLE
    controls(
        "filter",
        link,
        segments("Show", "show", ("verdict", "answer"), link),
        select("Cell", "cell", [cell.cell for cell in data.grid.cells], link, empty="every cell", top=0),
        select("Arm", "arm", list(data.arms), link, empty="every arm", top=0),
        *([select("Category", "category", categories, link, empty="every category", top=0)] if categories else []),
        words("Text matches", "find", link, "regular expression", top=0),
        switch("Stable core only", "core", link, "Only questions that are constant in each arm and differ between arms", top=0),
        *([segments("Columns", "grain", ("cells", "runs"), link, top=0)] if many else []),
    )


def draw_map(scope: Scope, link: Link, found: QuestionMap) -> None:
    """The rows that fit, and a way to the others."""
    filtered = fraction(len(found.rows), found.of_all)
    if not found.columns:
        notice(f"No run of arm {link.arm} is in cell {link.cell}.", "info")
        return
    if not found.rows:
        known = report_of(scope).all_runs.unstable.count is not None
        none = f"No question fits: {filtered} questions on which runs disagree."
        notice(none if known else "Not known: no question has a verdict in two runs.", "info")
        return
    groups = Counter(row.group for row in found.rows)
    said = "; ".join(f"{label}: {count}" for label, count in groups.items())
    size = f"{filtered} questions on which runs disagree, in {counted(len(found.columns), 'run')}."
    paragraph(f"{size} {said}. Click a mark to read the answer.", "quiet")
    columns = len(found.columns) if link.grain == "runs" else len({column.cell for column in found.columns})
    room = max(LEAST_ROWS, MARKS // max(columns, 1))
    top = min(link.top or 0, max(0, len(found.rows) - room))
    shown = part(found, top, top + room)
    if top or len(found.rows) > room:
        _walk(link, top, room, len(found.rows))
    show: Shown = link.show or "verdict"
    if link.grain == "cells":
        by_cell = kept(scope, "cell-map", (*said_of(link), top), lambda: cell_map_figure(shown))
        clickable(
            "cell-map", by_cell, "correct runs of every question by cell", ["question"],
            lambda picked: open_question_of(scope, link.with_(q=picked["question"], within="map")),
        )  # fmt: skip
        return
    if link.show == "answer":
        paragraph(
            "Colour is the answer, shape the verdict: a disc is correct, a diamond incorrect, a triangle unscored.", "quiet"
        )
    texts = answer_texts(study_of(scope), shown)
    clickable(
        "map", kept(scope, "map", (*said_of(link), top), lambda: map_figure(shown, texts, show)),
        f"{link.show} of {len(shown.rows)} questions in {len(shown.columns)} runs", ["question", "run"],
        lambda picked: open_question_of(scope, link.with_(q=picked["question"], within="map", a=picked["run"])),
    )  # fmt: skip


def said_of(link: Link) -> tuple[str | None, ...]:
    """What the map depends on beside the study."""
    return (link.show, link.cell, link.arm, link.category, link.core, link.find)


def map_table(scope: Scope, link: Link, found: QuestionMap) -> None:
    """The same questions as a list."""
    if not found.rows:
        return
    heading("As a list", 2)
    some = any(row.category for row in found.rows)
    columns = (
        Column("question"),
        *([Column("category")] if some else []),
        Column("gold"),
        Column("group", "signature group, or the fragile set"),
        Column("unstable in", "cells whose own runs disagree"),
        Column("correct", "runs shown", right=True),
        Column("scored", "runs shown", right=True),
    )
    rows = []
    for row, right, scored in found.counts():
        values = (
            text(row.question),
            *([text(row.category)] if some else []),
            text(row.gold, unknown="not recorded"),
            text(row.group),
            text(", ".join(row.unstable_in) or None),
            number(str(right), right, f"{right} of {scored} runs with a verdict"),
            number(str(scored), scored, f"{scored} of {len(found.columns)} runs have a verdict"),
        )
        rows.append(Row(values, row.question, link.with_(q=row.question, within="map").href("question")))
    data_table(
        "map", "questions on which runs disagree", columns, rows, link,
        lambda question: open_question_of(scope, link.with_(q=question, within="map")),
    )  # fmt: skip


def _walk(link: Link, top: int, room: int, of: int) -> None:
    controls(
        "rows",
        link,
        leads_to("Rows before", "before", link.with_(top=max(0, top - room)), top > 0),
        leads_to("Rows after", "after", link.with_(top=top + room), top + room < of),
    )
    paragraph(f"Rows {top + 1:,} to {min(top + room, of):,} of {of:,}.", "quiet")


def _richness_rows(report: Report) -> list[Row]:
    rows = []
    for cell in report.cells:
        u, r = cell.unstable, cell.unstable.rarefied
        fewer = NOTHING if r is None else f"{r.expected:.1f} in {r.to}"
        rows.append(
            Row(
                (
                    text(cell.cell),
                    number(str(cell.deployments), cell.deployments, f"fresh deployments of {cell.cell}"),
                    number(NOTHING if u.count is None else f"{u.count:,}", u.count, f"of {u.of:,} questions"),
                    number(f"{u.of:,}", u.of, "questions with two verdicts or more"),
                    number(NOTHING if u.chao2 is None else f"{u.chao2:.1f}", u.chao2, f"over {u.complete:,} questions"),
                    number(fewer, None if r is None else r.expected, "" if r is None else f"over {r.of:,} questions"),
                )
            )
        )
    return rows + [
        Row(
            (
                text(f"{pool.arm} (all its cells)"),
                number(str(pool.deployments), pool.deployments, ", ".join(pool.cells)),
                number(NOTHING if pool.unstable is None else f"{pool.unstable:,}", pool.unstable, f"of {pool.of:,}"),
                number(f"{pool.of:,}", pool.of, "questions with two verdicts or more"),
                number(NOTHING if pool.chao2 is None else f"{pool.chao2:.1f}", pool.chao2, "cells of the arm pooled"),
                text(None),
            )
        )
        for pool in report.arm_pools
        if pool.deployments > 1 and len(pool.cells) > 1
    ]
