"""`flipbook run`."""

import contextlib
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import click

from flipbook import __version__
from flipbook.console import say, store_option
from ingest.ingest import Request
from ingest.ingest import ingest as run_ingest
from runner.deploy.job import Desk
from runner.deploy.run import Outlook, Runner, Step
from runner.deploy.sealing import Sealed
from runner.study.grid import deployments
from runner.study.load import load_study
from runner.study.model import StudyFile
from store.contract.run import Performance, RunState
from store.folder import Store
from store.live import LiveDeployment, be_silent, tell
from store.results.printing import counted

DEFAULT_WORK = "flipbook-runs"
INTERRUPTED = 130


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--work", type=click.Path(path_type=Path, file_okay=False), help=f"Work folder; default {DEFAULT_WORK}/STUDY.")
@click.option("--python", help="The engines' Python, instead of those in the file.")
@click.option("--only", multiple=True, help="Only this deployment, CELL.REPEAT; may be given more than once.")
@store_option
def run(file: Path, work: Path | None, python: str | None, only: tuple[str, ...], root: Path) -> None:
    """Make every deployment of a study file that is not there yet, and load it into the store.

    May be stopped and called again at any time: finished deployments stay, a broken one stays as an
    incomplete run beside its successor. Exit 1 when a deployment broke off, waits for one
    that did, or the store quarantines a run; 130 when stopped.
    """
    study = load_study(file)
    desk = Desk(study, file.parent, work or Path(DEFAULT_WORK) / study.study, python)
    watch = Watch(study, Store(root))
    runner = Runner(desk, f"flipbook {__version__}", say, watch.step, watch.sealed)

    def told_to_stop(number: int, frame: FrameType | None) -> None:
        runner.stop.set()

    before = {number: signal.signal(number, told_to_stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        outlook = runner.run(only)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        be_silent(root, study.study)
    sys.exit(_report(outlook, desk, watch, stopped=runner.stop.is_set()))


@dataclass(slots=True)
class Watch:
    """Tells the terminal and the store how far the study is, and loads what is sealed."""

    study: StudyFile
    store: Store
    quarantined: list[str] = field(default_factory=list)
    _shown: dict[str, tuple[str, int]] = field(default_factory=dict)
    _at_work: dict[str, LiveDeployment] = field(default_factory=dict)
    _done: int = 0
    _hours: float = 0.0

    def step(self, step: Step) -> None:
        """A deployment went on; the terminal hears of every phase and every tenth of the answers."""
        self._at_work[step.deployment] = LiveDeployment(
            deployment=step.deployment, phase=step.phase, answers=step.answers, of=step.of
        )
        self._tell()
        tenth = step.answers * 10 // max(step.of, 1)
        if self._shown.get(step.deployment) != (step.phase, tenth):
            self._shown[step.deployment] = (step.phase, tenth)
            say(f"{step.deployment}: {step.phase or 'launch'}, {step.answers} of {counted(step.of, 'answer')}")

    def sealed(self, sealed: Sealed) -> None:
        """A deployment is over: load its runs, unless the store holds them."""
        self.quarantined += [run.run_id for run in sealed.manifest.runs if run.state is RunState.QUARANTINED]
        held = {run.content_digest for bundle in self.store.of_study(self.study.study) for run in bundle.manifest.runs}
        if held.issuperset(run.content_digest for run in sealed.manifest.runs):
            return
        report = run_ingest(
            self.store, Request((sealed.folder,), None, None, None, None, f"flipbook {__version__}"), lambda _: None
        )
        for manifest in sealed.manifest.runs:
            self._at_work.pop(manifest.deployment_id, None)
            counts = manifest.counts
            said = f"{counts.correct} of {counts.scored} correct, {counts.truncated} cut, {counts.unscored} unscored"
            said += _speed(manifest.performance)
            say(f"{manifest.run_id}: {manifest.state.value}, {said} {manifest.state_reason}".rstrip())
        self._done += 1
        first = sealed.manifest.runs[0].performance if sealed.manifest.runs else None
        self._hours += (first.device_hours or 0.0) if first else 0.0
        self._tell()
        if report.generation is not None:
            say(f"loaded into {self.store.root} as generation {report.generation}")

    @property
    def cost(self) -> str:
        """Device hours of the deployments made by this call, and their price."""
        planning = self.study.planning
        return f"{self._hours:.2f} device hours, {self._hours * planning.price_per_device_hour:.2f} {planning.currency}"

    def _tell(self) -> None:
        with contextlib.suppress(OSError):  # a full disk is told when runs are loaded, and breaks no deployment off
            of, at_work = len(list(deployments(self.study))), tuple(self._at_work.values())
            tell(self.store.root, self.study.study, self._done, of, at_work)


def _speed(performance: Performance | None) -> str:
    if performance is None or not performance.generation_s:
        return ""
    return f", {performance.output_tokens:,} tokens in {performance.generation_s:.0f} s"


def _report(outlook: Outlook, desk: Desk, watch: Watch, *, stopped: bool) -> int:
    click.echo(f"{desk.study.study}: {outlook.complete} of {counted(outlook.of, 'deployment')} complete; all in {desk.work}")
    say(f"this call: {watch.cost}")
    for broken in outlook.broken:
        say(f"broke off: {broken}")
    for waiting in outlook.waiting:
        say(f"not begun: {waiting}")
    if stopped:
        say("stopped; the same command goes on")
        return INTERRUPTED
    for run_id in watch.quarantined:
        say(f"quarantined: {run_id}; `flipbook report` says why")
    return 1 if outlook.broken or outlook.waiting or watch.quarantined else 0
