"""Running a study: every planned deployment that is not there yet, one at a time per device, resumable by whole runs."""

import errno
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from runner.caches.layout import lay_out
from runner.deploy.deployment import Tried, next_try, policies, tries_of
from runner.deploy.freeze import freeze
from runner.deploy.job import Desk, run_job, write_job
from runner.deploy.pack import pack_instrument
from runner.deploy.process import Silence, run_process
from runner.deploy.sealing import Sealed, seal
from runner.deploy.told import Tail
from runner.study.frozen import FrozenPlan, load_plan
from runner.study.grid import PlannedRun, deployments
from runner.study.model import sources_of
from store.errors import StoreError, UsageError
from store.sealed.manifest import load_manifest


@dataclass(frozen=True, slots=True)
class Step:
    """How far a deployment is: phase, answers so far of all it will give."""

    deployment: str
    phase: str
    answers: int
    of: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """How a study stands: deployments that are sealed and complete, of how many.

    A sentence for each that broke off, and for each that waits for the cache of one that is not complete.
    """

    complete: int
    of: int
    broken: tuple[str, ...]
    waiting: tuple[str, ...]


@dataclass(slots=True)
class Runner:
    """Executes a study. The callbacks come from the threads that watch deployments, one at a time.

    on_sealed is told of every bundle that is made, and at the start of every one that there is.
    """

    desk: Desk
    created_by: str
    say: Callable[[str], None]
    on_step: Callable[[Step], None]
    on_sealed: Callable[[Sealed], None]
    stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, only: Sequence[str]) -> Outlook:
        """Make what is missing, `only` these deployments where some are named; then seal the whole study.

        A deployment that broke off stays as an incomplete run and is tried once more per call; one that loads from it
        is not begun. Raises a named error when nothing can be started, and UsageError when another runner holds the
        work folder.
        """
        work = self.desk.work
        work.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(work / ".lock", timeout=1):
                pack_instrument(work / "instrument.pyz")
                wanted = self._wanted(only)
                plan = load_plan(work, self.desk.study) or freeze(self.desk, self.say, self.stop)
                return self._outlook() if plan is None else self._all(plan, wanted)
        except Timeout as error:
            raise UsageError("another runner works in this folder", where=str(work)) from error
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            fix = "Free some space and run the same command again: what was answered is kept."
            raise StoreError("the disk is full", where=str(work), fix=fix) from error

    def _wanted(self, only: Sequence[str]) -> list[tuple[PlannedRun, ...]]:
        planned = list(deployments(self.desk.study))
        names = {runs[0].deployment_id for runs in planned}
        if strange := sorted(set(only) - names):
            raise UsageError(f"no deployment {strange[0]!r} in the plan", fix=f"Planned: {', '.join(sorted(names))}.")
        return [runs for runs in planned if not only or runs[0].deployment_id in only]

    def _all(self, plan: FrozenPlan, wanted: list[tuple[PlannedRun, ...]]) -> Outlook:
        self._take_leftovers(plan)
        devices: queue.Queue[str] = queue.Queue()
        for device in self.desk.study.launch.devices:
            devices.put(device)
        # builders first: what loads from them cannot be laid out before
        for stage in _stages(self.desk, wanted):
            missing = [runs for runs in stage if not self._complete(runs) and not self._absent(runs)]
            with ThreadPoolExecutor(devices.qsize()) as pool:
                list(pool.map(lambda runs: self._deploy(plan, runs, devices), missing))
        made = [tried for runs in deployments(self.desk.study) for tried in tries_of(self.desk.work, runs)]
        if made and not self.stop.is_set():
            seal(self.desk, plan, made, self._builders(), self.desk.work / "study", self.created_by)
        return self._outlook()

    def _deploy(self, plan: FrozenPlan, runs: tuple[PlannedRun, ...], devices: "queue.Queue[str]") -> None:
        if self.stop.is_set():
            return
        device = devices.get()
        try:
            tried = next_try(self.desk.work, runs, len(tries_of(self.desk.work, runs)) + 1)
            self._attempt(plan, tried, device)
        finally:
            devices.put(device)

    def _attempt(self, plan: FrozenPlan, tried: Tried, device: str) -> None:
        cell, job = self.desk.cell(tried.runs[0].entry), tried.folder / "job.json"
        command = self.desk.command(self.desk.study.engines[cell.engine], device, tried.deployment_id, job)
        tried.folder.mkdir(parents=True)
        lay_out(tried.roots, policies(cell.cache, self._builders()), self.desk.work / "shared")
        write_job(job, run_job(self.desk, plan, tried.runs, tried.roots, device, tried.lines))
        launch = self.desk.study.launch
        tail, wanted = Tail(tried.lines), len(plan.questions) * self.desk.study.sampling.samples * len(tried.runs)

        def grown() -> str:
            told = tail.follow()
            with self._lock:
                self.on_step(Step(tried.deployment_id, told.phase, len(told.records), wanted))
            return told.phase

        silence = Silence(launch.start_limit_s, launch.silence_limit_s)
        ended = run_process(command, tried.log, tried.lines, silence, self.stop, grown)
        tried.verdict.write_text(ended.why or f"the process ended with {ended.code}", encoding="utf-8")
        self._seal(plan, tried)

    def _seal(self, plan: FrozenPlan, tried: Tried) -> None:
        with self._lock:
            sealed = seal(self.desk, plan, [tried], self._builders(), _bundle(tried), self.created_by)
            self.on_sealed(sealed)

    def _take_leftovers(self, plan: FrozenPlan) -> None:
        """Seal and hand on what an earlier runner could not: killed, or its disk was full."""
        for runs in deployments(self.desk.study):
            for tried in tries_of(self.desk.work, runs):
                folder = _bundle(tried)
                if folder.exists():
                    self.on_sealed(Sealed(folder, load_manifest(folder)))
                else:
                    self.say(f"{tried.deployment_id}: sealed as it was left")
                    self._seal(plan, tried)

    def _complete(self, runs: tuple[PlannedRun, ...]) -> bool:
        return any(_bundle(tried).exists() and not tried.trouble() for tried in tries_of(self.desk.work, runs))

    def _builders(self) -> dict[str, Tried]:
        """Per cell that others load from: the complete try of its first deployment."""
        sources = {name for cell in self.desk.study.cells for name in sources_of(cell)}
        found: dict[str, Tried] = {}
        for runs in deployments(self.desk.study):
            if runs[0].entry in sources and runs[0].entry not in found:
                whole = [tried for tried in tries_of(self.desk.work, runs) if not tried.trouble()]
                found |= {runs[0].entry: whole[0]} if whole else {}
        return found

    def _absent(self, runs: tuple[PlannedRun, ...]) -> list[str]:
        """Cells whose caches a deployment is to load and that have no complete one."""
        builders = self._builders()
        return [name for name in sources_of(self.desk.cell(runs[0].entry)) if name not in builders]

    def _outlook(self) -> Outlook:
        planned = list(deployments(self.desk.study))
        unmade = [runs for runs in planned if not self._complete(runs)]
        broken = [
            f"{tried.deployment_id}: {tried.trouble()}" for runs in unmade for tried in tries_of(self.desk.work, runs)[-1:]
        ]
        waiting = [
            f"{runs[0].deployment_id}: {absent[0]} has no complete deployment to load from"
            for runs in unmade
            if (absent := self._absent(runs))
        ]
        return Outlook(len(planned) - len(unmade), len(planned), tuple(broken), tuple(waiting))


def _bundle(tried: Tried) -> Path:
    return tried.folder / "bundle"


def _stages(desk: Desk, wanted: list[tuple[PlannedRun, ...]]) -> Iterator[list[tuple[PlannedRun, ...]]]:
    """Deployments in groups: a group loads only from those before it."""
    done: set[str] = set()
    left = list(wanted)
    names = {runs[0].entry for runs in wanted}
    while left:
        ready = [runs for runs in left if set(sources_of(desk.cell(runs[0].entry))) & names <= done]
        yield ready
        left = [runs for runs in left if runs not in ready]
        done |= {runs[0].entry for runs in ready} - {runs[0].entry for runs in left}
