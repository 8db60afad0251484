"""`flipbook report`, `flipbook compare` and `flipbook pairs`."""

from pathlib import Path

import click
from pydantic import TypeAdapter

from flipbook.asking import Request, notes_of, number_options, opened
from flipbook.console import json_option, say, store_option
from flipbook.render import latex, markdown, show_section
from store.analysis.pair_kind import PairKind
from store.results.findings import Finding
from store.results.report.between_tables import kind_section, pair_section
from store.results.report.build import study_report
from store.results.report.compare import Comparison, compare_cells
from store.results.report.pairs import PairsReport, study_pairs
from store.results.report.sections import compare_sections, finding_section, report_head, report_sections
from store.results.report.shape import Report


@click.command()
@click.argument("study")
@number_options
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown tables.")
@click.option("--latex", "as_latex", is_flag=True, help="Print LaTeX tables (booktabs).")
@store_option
@json_option
def report(study: str, request: Request, as_markdown: bool, as_latex: bool, root: Path, as_json: bool) -> None:
    """Every measure of a study, each with its base and interval."""
    if as_json + as_markdown + as_latex > 1:
        raise click.UsageError("--json, --markdown and --latex exclude each other")
    with opened(root, study, request) as (warehouse, scope):
        found = study_report(warehouse, scope, request.asked, notes_of(root, study))
    if as_json:
        click.echo(TypeAdapter(Report).dump_json(found, indent=1))
        return
    sections = report_sections(found)
    if as_markdown or as_latex:
        sections = (*sections, finding_section(found.findings))
        click.echo(latex(report_head(found), sections) if as_latex else markdown(report_head(found), sections))
        return
    click.echo(report_head(found))
    for section in sections:
        show_section(section)
    _show_findings(found.findings)


@click.command()
@click.argument("study")
@click.argument("cell_a")
@click.argument("cell_b")
@number_options
@store_option
@json_option
def compare(study: str, cell_a: str, cell_b: str, request: Request, root: Path, as_json: bool) -> None:
    """Cell B against cell A: the difference, what it rests on, and the questions that are not noise."""
    with opened(root, study, request) as (warehouse, scope):
        found = compare_cells(warehouse, scope, cell_a, cell_b, request.asked)
    if as_json:
        click.echo(TypeAdapter(Comparison).dump_json(found, indent=1))
        return
    click.echo(found.sentence)
    for section in compare_sections(found):
        show_section(section)
    _show_findings(found.findings)


@click.command()
@click.argument("study")
@number_options
@click.option("--kind", type=click.Choice([kind.value for kind in PairKind]), help="Only pairs of this kind.")
@store_option
@json_option
def pairs(study: str, request: Request, kind: str | None, root: Path, as_json: bool) -> None:
    """Every pair of runs with its kind, identity, answer changes and flips."""
    with opened(root, study, request) as (warehouse, scope):
        found = study_pairs(warehouse, scope, None if kind is None else PairKind(kind))
    if as_json:
        click.echo(TypeAdapter(PairsReport).dump_json(found, indent=1))
        return
    show_section(kind_section(found.kinds))
    show_section(pair_section(found.pairs))
    if not found.pairs:
        say("no pair of complete runs" + ("" if kind is None else f" of kind {kind}"))


def _show_findings(findings: tuple[Finding, ...]) -> None:
    for finding in findings:
        say(f"! {finding.text}")
