"""`flipbook cells`."""

from pathlib import Path

import click

from flipbook.console import json_option, print_json, print_table, say, store_option
from store.analysis.accuracy import ONE_DEPLOYMENT, SD_CONVENTION
from store.contract.base import Json
from store.folder import Store
from store.results.cells import CellResult, StudyCells, study_cells
from store.results.printing import NOTHING, fraction, percent, points
from store.results.scope import resolve
from store.warehouse.open import open_warehouse


@click.command()
@click.argument("study")
@click.option("--extractor", help="Whose verdicts; default: the study's main extractor.")
@click.option("--as-of", type=int, help="Only runs ingested up to this generation.")
@store_option
@json_option
def cells(study: str, extractor: str | None, as_of: int | None, root: Path, as_json: bool) -> None:
    """Accuracy of every cell: mean and sample sd over deployments, and each run's count."""
    warehouse = open_warehouse(Store(root).warehouse)
    result = study_cells(warehouse, resolve(warehouse, study, as_of, extractor))
    if as_json:
        print_json(cells_json(result))
        return
    if not result.cells:
        say(result.no_cells)
    header = ("cell", "arm", "accuracy", "sd", "deployments", "correct per run", "truncated", "base")
    print_table(header, [_row(cell) for cell in result.cells])
    say(f"scored by {result.scope.extractor}; sd: {SD_CONVENTION}")
    for finding in result.findings:
        say(f"! {finding.text}")


def cells_json(result: StudyCells) -> Json:
    """The result as the documented JSON (docs/DATA.md)."""
    return {
        "study": result.scope.study.study,
        "as_of": result.scope.as_of,
        "extractor": result.scope.extractor,
        "question_set": len(result.questions),
        "sd_convention": SD_CONVENTION,
        "cells": [_cell_json(cell) for cell in result.cells],
        "findings": [{"kind": f.kind, "text": f.text, "items": [*f.items]} for f in result.findings],
    }


def _cell_json(cell: CellResult) -> Json:
    a = cell.accuracy
    return {
        "cell": cell.cell,
        "arm": cell.arm,
        "deployments": cell.deployments,
        "questions": a.base.common,
        "scored_questions": a.base.scored,
        "unscored": a.unscored,
        "truncated": cell.truncated,
        "end_unknown": cell.end_unknown,
        "records": cell.records,
        "accuracy": {
            "mean": a.mean,
            "sd": a.sd,
            "mean_unscored_as_incorrect": a.mean_unscored_as_incorrect,
            "per_run": [{"run": run.run, "correct": run.correct, "of": run.of} for run in a.per_run],
        },
    }


def _row(cell: CellResult) -> tuple[str, ...]:
    a = cell.accuracy
    counts = ", ".join(f"{run.correct:,}" for run in a.per_run)
    cut = NOTHING if cell.truncated is None else fraction(cell.truncated, cell.records - cell.end_unknown)
    sd = ONE_DEPLOYMENT if cell.deployments < 2 else points(a.sd)
    return (
        cell.cell,
        cell.arm,
        percent(a.mean),
        sd,
        str(cell.deployments),
        f"{counts} of {a.base.scored:,}",
        cut,
        a.base.sentence,
    )
