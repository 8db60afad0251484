"""`flipbook studies` and `flipbook remove`."""

from dataclasses import asdict
from pathlib import Path

import click

from flipbook.console import json_option, print_json, print_table, say, store_option
from store.folder import Store
from store.results.scope import StudyRow, list_studies
from store.warehouse.open import open_warehouse


@click.command()
@store_option
@json_option
def studies(root: Path, as_json: bool) -> None:
    """List the studies of a store."""
    rows = list_studies(open_warehouse(Store(root).warehouse))
    if as_json:
        print_json({"studies": [asdict(row) for row in rows]})
        return
    header = ("study", "cells", "runs", "deployments", "questions", "records", "generation", "note")
    print_table(header, [_row(row) for row in rows])


def _row(row: StudyRow) -> tuple[str, ...]:
    counts = (row.cells, row.runs, row.deployments, row.questions, row.records, row.generation)
    return (row.study, *(f"{count:,}" for count in counts), row.label)


@click.command()
@click.argument("study")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
def remove(study: str, yes: bool, root: Path) -> None:
    """Delete a study's sealed runs. Annotations stay."""
    if not yes:
        click.confirm(f"Delete every sealed run of {study!r} in {root}?", abort=True, err=True)
    removal = Store(root).remove(study)
    say(f"removed {study}: {len(removal.runs)} runs (generation {removal.generation})")
