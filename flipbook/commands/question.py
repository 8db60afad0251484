"""`flipbook question`."""

from pathlib import Path

import click
from pydantic import TypeAdapter

from flipbook.asking import Request, notes_of, number_options, opened
from flipbook.console import json_option, say, store_option
from flipbook.render import show_section
from store.results.report.question import QuestionReport, question_report
from store.results.report.question_tables import question_head, question_sections


@click.command()
@click.argument("study")
@click.argument("question_id", metavar="ID")
@number_options
@store_option
@json_option
def question(study: str, question_id: str, request: Request, root: Path, as_json: bool) -> None:
    """One question in every run: classes of equal outputs, where they part, and what each run answered."""
    remarks = tuple((n.kind, n.text, n.author) for n in notes_of(root, study) if n.question == question_id)
    with opened(root, study, request) as (warehouse, scope):
        found = question_report(warehouse, scope, question_id, request.large_gap, remarks)
    if as_json:
        click.echo(TypeAdapter(QuestionReport).dump_json(found, indent=1))
        return
    click.echo(question_head(found))
    for section in question_sections(found):
        show_section(section)
    for remark in found.annotations:
        say(f"{remark.kind}: {remark.text} ({remark.author})")
    for finding in found.findings:
        say(f"! {finding.text}")
