"""`flipbook question`."""

import click
from pydantic import TypeAdapter

from flipbook.asking import Request, gap_option, notes_of, opened, request_options
from flipbook.render import show
from store.results.report.question import QuestionReport, question_report
from store.results.report.question_tables import question_head, question_sections


@click.command()
@click.argument("study")
@click.argument("question_id", metavar="ID")
@request_options
@gap_option
def question(study: str, question_id: str, request: Request) -> None:
    """One question in every run: classes of equal outputs, where they part, and what each run answered."""
    remarks = tuple((n.kind, n.text, n.author) for n in notes_of(request.root, study) if n.question == question_id)
    with opened(study, request) as (warehouse, scope):
        found = question_report(warehouse, scope, question_id, request.asked.large_gap, remarks)
    if request.as_json:
        click.echo(TypeAdapter(QuestionReport).dump_json(found, indent=1))
        return
    show(question_head(found), question_sections(found), found.findings, request.form, request.only)
