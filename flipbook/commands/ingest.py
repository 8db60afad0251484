"""`flipbook ingest`."""

import sys
from pathlib import Path

import click

from flipbook import __version__
from flipbook.console import json_option, print_json, say, store_option
from ingest.ingest import Request, load_environment
from ingest.ingest import ingest as run_ingest
from ingest.mapping import load_mapping
from ingest.members import list_files
from ingest.report import IngestReport
from store.contract.base import Json
from store.folder import Store
from store.results.printing import counted

SHOWN = 5
"""Refused lines, runs and skipped names that are printed; the rest is counted."""


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--study", help="Study to load into; needed for tables, optional for bundles.")
@click.option("--map", "map_file", type=click.Path(path_type=Path), help="Mapping file: where each value comes from.")
@click.option("--env", "env_file", type=click.Path(path_type=Path), help="Environment record for runs that carry none.")
@store_option
@json_option
def ingest(
    paths: tuple[Path, ...], study: str | None, map_file: Path | None, env_file: Path | None, root: Path, as_json: bool
) -> None:
    """Load tables (CSV, JSON, JSON lines, Parquet, plain or in .gz, .tgz, .tar, .zip) or sealed bundles.

    All or nothing: a file that cannot be read leaves the store as it was. The same content twice is a
    no-op. Exit 1 when lines were refused or a run was quarantined.
    """
    request = Request(
        paths=paths,
        study=study,
        mapping=load_mapping(map_file) if map_file else None,
        mapping_folder=map_file.parent if map_file else None,
        environment=load_environment(env_file) if env_file else None,
        created_by=f"flipbook {__version__}",
    )
    size = sum(path.stat().st_size for path, _ in list_files(paths))
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=max(size, 1), label="Reading", file=sys.stderr, hidden=hidden) as bar:
        report = run_ingest(Store(root), request, bar.update)
    if as_json:
        print_json(_json(report))
    else:
        click.echo(_summary(report))
    _remarks(report)
    sys.exit(report.exit_code)


def _summary(report: IngestReport) -> str:
    if report.generation is None and not report.unchanged:
        return f"{report.study}: nothing to load, the mapping's patterns skip all {len(report.skipped)} files"
    if report.generation is None:
        return f"{report.study}: nothing new, {counted(len(report.unchanged), 'run')} held already with the same content"
    records = sum(run.counts.records for run in report.runs)
    what = f"{counted(len(report.runs), 'run')}, {counted(records, 'record')} on {counted(report.questions, 'question')}"
    text = f"{report.study}: {what} (generation {report.generation})"
    text += f"; {counted(len(report.unchanged), 'run')} held already" if report.unchanged else ""
    return text + (f"; {counted(len(report.refused), 'line')} refused" if report.refused else "")


def _remarks(report: IngestReport) -> None:
    duplicates = sum(run.counts.duplicates for run in report.runs)
    if report.skipped:
        names = ", ".join(name.rpartition("/")[2] for name in report.skipped[:SHOWN])
        say(f"skipped by pattern: {len(report.skipped)} files ({names}{', …' if len(report.skipped) > SHOWN else ''})")
    if duplicates:
        say(f"equal duplicates kept once: {duplicates:,}")
    for run_id, answered in sorted(report.short.items())[:SHOWN]:
        say(f"run {run_id} answered {answered:,} of the set's {report.questions:,} questions")
    if len(report.short) > SHOWN:
        say(f"… and {len(report.short) - SHOWN} more runs with fewer questions than the set")
    for run in report.quarantined:
        say(f"run {run.run_id} is quarantined: {run.state_reason}")
    for refused in report.refused[:SHOWN]:
        say(f"refused {refused.file}:{refused.line}: {refused.reason}")
    if len(report.refused) > SHOWN:
        say(f"… and {len(report.refused) - SHOWN:,} more lines refused; the store keeps them all")


def _json(report: IngestReport) -> Json:
    return {
        "study": report.study,
        "generation": report.generation,
        "questions": report.questions,
        "runs": [
            {"run": run.run_id, "cell": run.cell, "state": run.state.value, **run.counts.model_dump()} for run in report.runs
        ],
        "unchanged": [*report.unchanged],
        "refused": [{"file": r.file, "line": r.line, "run": r.run_id, "reason": r.reason} for r in report.refused],
        "skipped": [*report.skipped],
        "short": {**report.short},
    }
