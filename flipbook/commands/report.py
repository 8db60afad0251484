"""`flipbook report`, `flipbook compare` and `flipbook pairs`."""

import click
from pydantic import TypeAdapter

from flipbook.asking import Request, gap_option, notes_of, opened, partner_option, plan_options, request_options
from flipbook.console import say
from flipbook.render import show
from store.analysis.pair_kind import PairKind
from store.errors import UsageError
from store.results.printing import counted
from store.results.report.between_tables import kind_section, pair_section
from store.results.report.build import study_report
from store.results.report.compare import Comparison, compare_cells
from store.results.report.pairs import PairsReport, study_pairs
from store.results.report.sections import compare_head, compare_sections, report_head, report_sections
from store.results.report.shape import Report

KINDS = {kind.value.replace("–", "-"): kind for kind in PairKind}
"""Pair kinds as a keyboard writes them."""


@click.command()
@click.argument("study")
@request_options
@plan_options
@gap_option
@partner_option
def report(study: str, request: Request) -> None:
    """Every measure of a study, each with its base and interval."""
    with opened(study, request) as (warehouse, scope):
        found = study_report(warehouse, scope, request.asked, notes_of(request.root, study))
    if request.as_json:
        click.echo(TypeAdapter(Report).dump_json(found, indent=1))
        return
    show(report_head(found), report_sections(found), found.findings, request.form, request.only)


@click.command()
@click.argument("study")
@click.argument("cell_a")
@click.argument("cell_b")
@request_options
@plan_options
@gap_option
def compare(study: str, cell_a: str, cell_b: str, request: Request) -> None:
    """Cell B against cell A: the difference, what it rests on, and the questions that are not noise."""
    with opened(study, request) as (warehouse, scope):
        found = compare_cells(warehouse, scope, cell_a, cell_b, request.asked)
    if request.as_json:
        click.echo(TypeAdapter(Comparison).dump_json(found, indent=1))
        return
    show(compare_head(found), compare_sections(found), found.findings, request.form, request.only)


@click.command()
@click.argument("study")
@request_options
@click.option("--kind", metavar="KIND", help=f"Only pairs of this kind: {', '.join(KINDS)}.")
def pairs(study: str, request: Request, kind: str | None) -> None:
    """Every pair of runs with its kind, identity, answer changes and flips."""
    with opened(study, request) as (warehouse, scope):
        found = study_pairs(warehouse, scope, None if kind is None else _kind(kind))
    if request.as_json:
        click.echo(TypeAdapter(PairsReport).dump_json(found, indent=1))
        return
    head = f"{found.study}: {counted(len(found.pairs), 'pair')} of complete runs, scored by {found.extractor or 'nobody'}"
    show(head, (kind_section(found.kinds), pair_section(found.pairs)), (), request.form, request.only)
    if not found.pairs:
        say("no pair of complete runs" + ("" if kind is None else f" of kind {kind}"))


def _kind(name: str) -> PairKind:
    """The kind as it is printed or as a keyboard writes it."""
    found = KINDS.get(name.replace("–", "-"))
    if found is None:
        raise UsageError(f"no pair kind {name!r}", fix=f"Kinds: {', '.join(KINDS)}.")
    return found
