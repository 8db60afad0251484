"""`flipbook rebuild` and `flipbook verify`."""

import sys
from pathlib import Path

import click

from flipbook.console import json_option, print_json, say, store_option
from store.contract.base import Json
from store.errors import StoreMissingError
from store.folder import Store
from store.results.printing import counted
from store.verify import verify_store


@click.command()
@store_option
def rebuild(root: Path) -> None:
    """Build the DuckDB file anew from the sealed bundles. Pages and links stay as they were."""
    _must_exist(root)
    say(f"built {Store(root).warehouse} from {Store(root).rebuild()} bundles")


@click.command()
@store_option
@json_option
def verify(root: Path, as_json: bool) -> None:
    """Re-derive every digest in a store: files, texts, tokens, logprobs, prompts, environments, runs, bundles.

    Exit 1 when one does not hold.
    """
    _must_exist(root)
    found = verify_store(Store(root))
    if as_json:
        problems: list[Json] = [{"where": p.where, "what": p.what} for p in found.problems]
        print_json({"bundles": found.bundles, "runs": found.runs, "records": found.records, "problems": problems})
    else:
        for problem in found.problems:
            click.echo(f"{problem.where}: {problem.what}")
        state = f"{len(found.problems)} promises do not hold" if found.problems else "every digest holds"
        click.echo(
            f"{counted(found.bundles, 'bundle')}, {counted(found.runs, 'run')}, {counted(found.records, 'record')}: {state}"
        )
    sys.exit(1 if found.problems else 0)


def _must_exist(root: Path) -> None:
    if not (root / "sealed").is_dir() and not Store(root).warehouse.exists():
        raise StoreMissingError("there is no store here", where=str(root), fix="Name one with --store, or ingest first.")
