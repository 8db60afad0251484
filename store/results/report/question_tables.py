"""One question as tables of text."""

from store.analysis.classes import Classes
from store.results.printing import NOTHING, counted
from store.results.report.question import CellStability, QuestionReport
from store.results.report.tables import Section

_FRAGILE = {True: "in the fragile set", False: "not in the fragile set", None: "fragile or not is unknown"}
_STATES = {None: "unknown: fewer than two verdicts", True: "unstable", False: "stable"}


def question_head(found: QuestionReport) -> str:
    """`539: gold 35, 3 token classes, 2 answers in 30 records, not fragile`."""
    gold = " / ".join(NOTHING if gold is None else gold for gold in found.golds)
    layers = {one.layer: len(one.classes) for one in found.classes}
    number, layer = (layers["tokens"], "token") if layers["tokens"] else (layers["text"], "text")
    outputs = f"{number:,} {layer} {'class' if number == 1 else 'classes'}"
    fragile = _FRAGILE[found.fragile]
    return (
        f"{found.question}: gold {gold}, {outputs}, {counted(layers['answer'], 'answer')} in"
        f" {counted(len(found.records), 'record')}, {fragile}; scored by {found.extractor or 'nobody'}"
    )


def question_sections(found: QuestionReport) -> tuple[Section, ...]:
    """Cells, classes, divergences and records of one question."""
    return (
        Section(
            "Cells",
            ("cell", "correct of scored runs", "state"),
            tuple(_cell_row(cell) for cell in found.cells),
            "Unstable: the scored runs of the cell do not agree.",
        ),
        Section(
            "Classes of equal outputs",
            ("layer", "class", "runs"),
            tuple(row for layer in found.classes for row in _class_rows(layer)),
            "Runs of one class are equal on that layer; runs a layer knows nothing of are named as unknown.",
        ),
        Section(
            "First divergence",
            ("classes", "token", "gap", "swing", "near-tie class"),
            tuple(
                (
                    f"{d.a} ({d.run_a}) | {d.b} ({d.run_b})",
                    str(d.at),
                    f"{_nats(d.gap_a)} | {_nats(d.gap_b)}",
                    _nats(d.swing),
                    d.kind.value,
                )
                for d in found.divergences
            ),
            "Token index from 0. Gap: best less second-best log-probability on either side, in nats.",
        ),
        Section(
            "Records",
            ("run", "cell", "role", "answer", "found by", "verdict", "ended by", "tokens"),
            tuple(
                (
                    r.run,
                    r.cell,
                    r.role if r.state == "complete" else f"{r.role}, {r.state}",
                    r.answer or "none",
                    r.extraction_path or NOTHING,
                    r.verdict or "not scored",
                    r.finish_reason or NOTHING,
                    NOTHING if r.output_tokens is None else f"{r.output_tokens:,}",
                )
                for r in found.records
            ),
            f"Scored by {found.extractor or 'nobody'}.",
        ),
    )


def _cell_row(cell: CellStability) -> tuple[str, ...]:
    return (cell.cell, f"{cell.correct} of {cell.scored} ({counted(cell.deployments, 'deployment')})", _STATES[cell.unstable])


def _class_rows(layer: Classes) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [(layer.layer, one.letter, ", ".join(one.runs)) for one in layer.classes]
    return rows + ([(layer.layer, "unknown", ", ".join(layer.unknown))] if layer.unknown else [])


def _nats(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.4g}"
