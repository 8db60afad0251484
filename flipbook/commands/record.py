"""`flipbook record`."""

import itertools
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click

from flipbook import __version__
from flipbook.console import say, store_option
from flipbook.recording import Order, SealedRecording, labelled, seal_recording
from flipbook.samples import Watched
from ingest.ingest import Request
from ingest.ingest import ingest as run_ingest
from ingest.mapping import load_mapping
from runner.record.interpreter import Interpreter, interpreter_of
from runner.record.recorded import Deployment, Recorded
from store.contract.run import RunState, StudyRole
from store.errors import FlipbookError, InputError, UsageError
from store.folder import Store
from store.results.printing import counted

DEFAULT_WORK = "flipbook-runs"
INTERRUPTED = 130
SHOWN = 5
CREATED_BY = f"flipbook {__version__} record"


@click.command()
@click.argument("command", nargs=-1, required=True)
@click.option("--study", required=True, help="Study to load into.")
@click.option("--map", "map_file", required=True, type=click.Path(path_type=Path), help="How its samples become records.")
@click.option("--samples", multiple=True, help="Pattern of the sample files, ** for any folder; default: the mapping's own.")
@click.option("--run", "run_id", help="Run id, instead of the mapping's.")
@click.option("--cell", help="Cell, instead of the mapping's.")
@click.option("--arm", help="Arm, instead of the mapping's.")
@click.option("--repeat", type=click.IntRange(min=0), help="Repeat, instead of the mapping's.")
@click.option("--deployment", help="Deployment id, instead of the mapping's.")
@click.option("--role", type=click.Choice([role.value for role in StudyRole]), help="Study role, instead of the mapping's.")
@click.option("--python", help="The Python the command runs in; default: the one its script names, else python3.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help=f"New folder; default {DEFAULT_WORK}/record-STUDY-N."
)
@store_option
def record(
    command: tuple[str, ...],
    study: str,
    map_file: Path,
    samples: tuple[str, ...],
    run_id: str | None,
    cell: str | None,
    arm: str | None,
    repeat: int | None,
    deployment: str | None,
    role: str | None,
    python: str | None,
    out: Path | None,
    root: Path,
) -> None:
    """Run any harness command as one fresh deployment, and load the samples it writes.

    Write the command after `--`. It gets empty kernel caches; its environment is looked at before and
    after; its output passes through and is kept. Its standard output stays its own: all of ours is on
    stderr. Exit 1 when it failed, lines were refused or its environment changed, 130 when stopped.
    """
    mapping = labelled(load_mapping(map_file), id=run_id, cell=cell, arm=arm, repeat=repeat, deployment=deployment, role=role)
    order, store = Order(study, mapping, map_file.parent, CREATED_BY), Store(root)
    order.check(store)
    interpreter = interpreter_of(command) if python is None else Interpreter(python, "--python")
    folder = _new_folder(out, study)
    made = Deployment(command, interpreter.path, folder)
    watched = Watched(mapping, samples, (folder, root))
    say(f"environment of {interpreter.path} ({interpreter.how}); everything is kept in {folder}")
    with _stoppable() as stop:
        recorded = made.run(stop)
        if recorded.environment is None:
            say(f"stopped: {recorded.ended.why}; nothing was sealed, what the command wrote is where it wrote it")
            sys.exit(INTERRUPTED)
        if recorded.changed:
            say(f"doubt: {recorded.changed}")
        sealed = _sealed(order, watched, made, recorded)
    sys.exit(_load(store, sealed))


def _sealed(order: Order, watched: Watched, made: Deployment, recorded: Recorded) -> SealedRecording:
    """Collect and seal. A named error also says how the command ended and where its output is."""
    samples = made.folder / "samples"
    try:
        watched.keep(samples)
        return seal_recording(order, recorded, samples, made.folder / "bundle")
    except FlipbookError as error:
        ended = f"the command ended with exit code {recorded.ended.code}"
        raise InputError(f"{error.line.rstrip('.')} ({ended}; its output is in {made.log})") from error


def _load(store: Store, sealed: SealedRecording) -> int:
    """Load a sealed recording and say what it is; gives the exit code."""
    say(f"sealed in {sealed.folder}")
    report = run_ingest(store, Request((sealed.folder,), None, None, None, None, CREATED_BY), lambda _: None)
    for run in sealed.manifest.runs:
        counts = run.counts
        said = f"{counted(counts.records, 'record')}, {counts.correct} of {counts.scored} correct, {counts.unscored} unscored"
        say(f"{run.run_id}: {run.state.value}, {said} {run.state_reason}".rstrip())
    for finding in sealed.findings:
        say(f"doubt: {finding}")
    for refused in sealed.refused[:SHOWN]:
        say(f"refused {refused.file}:{refused.line}: {refused.reason}")
    if len(sealed.refused) > SHOWN:
        say(f"… and {len(sealed.refused) - SHOWN:,} more lines refused; the bundle keeps them all")
    held = "held already" if report.generation is None else f"loaded as generation {report.generation}"
    say(f"{report.study}: {counted(len(sealed.manifest.runs), 'run')} {held} in {store.root}")
    whole = all(run.state is RunState.COMPLETE for run in sealed.manifest.runs)
    return 0 if whole and not sealed.refused else 1


def _new_folder(out: Path | None, study: str) -> Path:
    """A folder of its own: `out`, which must be new or empty, or the first number that is free."""
    if out is not None:
        if out.exists() and any(out.iterdir()):
            raise UsageError("the folder is not empty", where=str(out), fix="Every recording needs a new one.")
        out.mkdir(parents=True, exist_ok=True)
        return out
    for number in itertools.count(1):
        folder = Path(DEFAULT_WORK) / f"record-{study}-{number}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise AssertionError


@contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """An event that SIGINT and SIGTERM set, instead of ending us."""
    stop = threading.Event()

    def told_to_stop(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, told_to_stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
