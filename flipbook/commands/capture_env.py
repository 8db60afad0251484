"""`flipbook capture-env`."""

import json

import click

from flipbook.console import json_option, print_json
from runner.record.capture import capture
from store.contract.environment import EnvironmentRecord
from store.results.printing import plain


@click.command()
@click.option("--python", required=True, help="The engine's Python.")
@json_option
def capture_env(python: str, as_json: bool) -> None:
    """Print the environment record of any engine environment, without running a model.

    Nothing is installed or changed there. With --json it is what `flipbook ingest --env` takes.
    """
    record = capture(python, {})
    if as_json:
        print_json(record.model_dump(mode="json"))
    else:
        click.echo(_text(record))


def _text(record: EnvironmentRecord) -> str:
    """What is known, a field a line, then what is not, with the reasons."""
    values = record.model_dump(mode="json", exclude={"null_reasons"})
    known = [f"{name}: {_shown(value)}" for name, value in values.items() if value is not None]
    unknown = [f"{name}: {reason}" for name, reason in record.null_reasons.items()]
    return "\n".join(plain(line) if line else "" for line in (*known, "", "not known:", *unknown))


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
