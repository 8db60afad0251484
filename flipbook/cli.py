"""The `flipbook` command: a table of commands, each imported when it is called and not before."""

import errno
import importlib
import sys
import tempfile
import traceback

import click

from flipbook import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("serve:demo", "Load the bundled studies and show them in a browser."),
    "serve": ("serve:serve", "Show a store in a browser, on 127.0.0.1."),
    "ingest": ("ingest:ingest", "Load tables or bundles into a study."),
    "run": ("run:run", "Make the deployments of a study file, resumable."),
    "record": ("record:record", "Run any harness command as one fresh deployment and load its samples."),
    "capture-env": ("capture_env:capture_env", "What an engine's environment is, without running a model."),
    "plan": ("plan:plan", "What a study file asks for, yields and takes."),
    "studies": ("studies:studies", "List the studies of a store."),
    "cells": ("cells:cells", "Accuracy of every cell of a study."),
    "report": ("report:report", "Every measure of a study, with bases and intervals."),
    "compare": ("report:compare", "Two cells: the difference and the questions that are not noise."),
    "pairs": ("report:pairs", "Every pair of runs with its kind."),
    "question": ("question:question", "One question in every run."),
    "gate": ("gate:gate", "Judge a candidate by gates frozen before it ran."),
    "draft-gates": ("gate:draft_gates", "A gate file to start from."),
    "decisions": ("gate:decisions", "Gate decisions of a study."),
    "remove": ("studies:remove", "Delete a study from a store."),
    "rebuild": ("maintain:rebuild", "Build the DuckDB file anew from the sealed bundles."),
    "verify": ("maintain:verify", "Re-derive every digest in a store."),
}


class FrontDoor(click.Group):
    """Lists commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(f"flipbook.commands.{module}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=FrontDoor, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="flipbook")
def cli() -> None:
    """Browse reproducibility runs of LLM evaluations.

    Exit codes: 0 fine, 1 lines refused, a promise broken or a gate that blocks, 2 usage or a whole file refused,
    3 more deployments needed, 4 gates that cannot be judged.
    """


def main() -> None:
    """Entry point. A named error is one line on stderr; anything else is a fault of ours, kept in a file."""
    try:
        cli(prog_name="flipbook")
    except Exception as error:  # noqa: BLE001 - the outermost edge: report in one line and stop
        sys.exit(_report(error))


def _report(error: Exception) -> int:
    from store.errors import FlipbookError
    from store.results.printing import plain

    if isinstance(error, FlipbookError):
        click.echo(plain(f"flipbook: {error.line}"), err=True)
        return error.exit_code
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        click.echo("flipbook: the output cannot be written, its disk is full", err=True)
        return 2
    with tempfile.NamedTemporaryFile("w", prefix="flipbook-fault-", suffix=".txt", delete=False, encoding="utf-8") as file:
        traceback.print_exception(error, file=file)
    click.echo(f"flipbook: a fault of ours ({type(error).__name__}: {error}). Please report it with {file.name}", err=True)
    return 70
