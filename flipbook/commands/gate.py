"""`flipbook gate`, `flipbook draft-gates` and `flipbook decisions`."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click
from pydantic import TypeAdapter
from sqlalchemy import Engine

from flipbook.console import json_option, print_json, print_table, say, store_option
from flipbook.render import Form, show
from store.contract.base import Json
from store.errors import InputError, StoreError
from store.folder import Store
from store.people.database import check_people, open_people
from store.people.gates import DecisionLine, check_gate_set, decision_lines, gate_set_row, keep_decision, keep_gate_set
from store.people.gates import decisions as held_decisions
from store.people.models import GateDecision
from store.results.gate.conditions import SEEN_LATE, seen_late, utc
from store.results.gate.decide import decision_id, gate_decision
from store.results.gate.file import draft, load_gate_set
from store.results.gate.shape import Decision
from store.results.gate.tables import decision_head, decision_sections
from store.results.printing import plain
from store.results.scope import resolve
from store.results.study import study_data
from store.warehouse.open import open_warehouse

_DECISION = TypeAdapter(Decision)
NOBODY = "nobody named"
MAX_AUTHOR = 100
"""Characters of a name that are kept."""


@click.command()
@click.argument("study")
@click.argument("gate_file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("candidate")
@click.option("--as-of", type=int, help="Only runs ingested up to this generation.")
@click.option("--by", "author", envvar="USER", default=NOBODY, help="Who decides; default: $USER.")
@click.option("--dry-run", is_flag=True, help="Judge, and keep nothing in the store.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown tables.")
@store_option
@json_option
def gate(
    study: str,
    gate_file: Path,
    candidate: str,
    as_of: int | None,
    author: str,
    dry_run: bool,
    as_markdown: bool,
    root: Path,
    as_json: bool,
) -> None:
    """Judge CANDIDATE, a cell or an environment digest, by the gates of GATE_FILE.

    Exit codes: 0 pass, 1 block, 2 usage, 3 more deployments needed, 4 not evaluable. The decision is kept in the store.
    """
    gate_set = load_gate_set(gate_file)
    if gate_set.frozen_at > datetime.now(UTC):
        raise InputError(f"frozen_at: {utc(gate_set.frozen_at)} lies in the future", where=str(gate_file))
    if as_json and as_markdown:
        raise click.UsageError("--json and --markdown exclude each other")
    with _people(root) as engine:
        if engine is not None:
            check_people(engine)
            check_gate_set(engine, gate_set_row(study, gate_set))
    warehouse = open_warehouse(Store(root).warehouse)
    try:
        found = gate_decision(study_data(warehouse, resolve(warehouse, study, as_of, gate_set.extractor)), gate_set, candidate)
    finally:
        warehouse.close()
    with _although_the_pipe_closes():
        if as_json:
            click.echo(_DECISION.dump_json(found, indent=1))
        else:
            form = Form.MARKDOWN if as_markdown else Form.TEXT
            show(decision_head(found), decision_sections(found), found.findings, form, ())
    if not dry_run:
        _keep(root, found, plain(author)[:MAX_AUTHOR].strip() or NOBODY)
    raise SystemExit(found.exit_code)


@contextmanager
def _although_the_pipe_closes() -> Iterator[None]:
    """A reader that closes the pipe early, such as `head`, does not change what the command ends with."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _people(root: Path) -> Iterator[Engine | None]:
    """What people wrote in this store; null where nobody has yet."""
    if not Store(root).people.exists():
        yield None
        return
    engine = open_people(Store(root).people)
    try:
        yield engine
    finally:
        engine.dispose()


def _keep(root: Path, found: Decision, author: str) -> None:
    """Write the gate set and the decision down."""
    engine = open_people(Store(root).people)
    try:
        seen = keep_gate_set(engine, gate_set_row(found.study, found.gate_set))
        kept = keep_decision(engine, _decision_row(found, author))
    finally:
        engine.dispose()
    said = "kept" if kept.new else f"was made already by {kept.decision.author}"
    say(f"decision {kept.decision.decision_id} {said}; gate set first seen here {seen.first_seen_at:%Y-%m-%d %H:%M} UTC")
    if seen_late(found, seen.first_seen_at):
        say(f"! {SEEN_LATE}")


def _decision_row(found: Decision, author: str) -> GateDecision:
    return GateDecision(
        decision_id=decision_id(found),
        study=found.study,
        gate_set_id=found.gate_set.id,
        candidate=found.candidate.name,
        environments=" ".join(dict.fromkeys(digest for digest in found.candidate.environments if digest)),
        outcome=found.outcome,
        as_of=found.as_of,
        document=_DECISION.dump_json(found).decode(),
        author=author,
    )


@click.command("draft-gates")
@click.argument("study")
@click.argument("baseline")
@click.option("--extractor", help="Whose verdicts; default: the study's main extractor.")
@store_option
def draft_gates(study: str, baseline: str, extractor: str | None, root: Path) -> None:
    """Print a gate file for a BASELINE, with every choice left open."""
    warehouse = open_warehouse(Store(root).warehouse)
    try:
        click.echo(draft(study_data(warehouse, resolve(warehouse, study, None, extractor)), baseline), nl=False)
    finally:
        warehouse.close()


@click.command()
@click.argument("study")
@store_option
@json_option
def decisions(study: str, root: Path, as_json: bool) -> None:
    """Gate decisions of a study, the newest first."""
    with _people(root) as engine:
        lines = decision_lines(engine, study) if engine else ()
        if not lines:
            _known(root, study)  # of a removed study decisions stay; of one that never was nobody has heard
        if as_json:
            print_json([_decision_json(row) for row in (held_decisions(engine, study) if engine else ())])
            return
    if not lines:
        say("no decision yet; `flipbook gate STUDY GATE_FILE CANDIDATE` makes one")
    header = ("decided", "by", "gate set", "candidate", "outcome", "generation", "decision")
    print_table(header, [_decision_cells(line) for line in lines])


def _known(root: Path, study: str) -> None:
    """Raises UnknownStudyError on a study that is not in the store."""
    warehouse = open_warehouse(Store(root).warehouse)
    try:
        resolve(warehouse, study, None, None)
    finally:
        warehouse.close()


def _decision_cells(row: DecisionLine) -> tuple[str, ...]:
    when = f"{row.decided_at:%Y-%m-%d %H:%M}"
    return when, row.author, row.gate_set_id, row.candidate, row.outcome, str(row.as_of), row.decision_id


def _decision_json(row: GateDecision) -> Json:
    try:
        document: Json = json.loads(row.document)
    except ValueError as error:
        raise StoreError(f"decision {row.decision_id} cannot be read back ({error})", where="people.sqlite") from error
    when = row.decided_at.isoformat()
    return {"decision_id": row.decision_id, "decided_at": when, "by": row.author, "decision": document}
