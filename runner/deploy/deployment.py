"""One deployment in its folder: what was tried, what it left, and what that amounts to."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.caches.kernel_choice import kernel_choices
from runner.caches.layout import Fresh, LoadedFrom, Policy, Shared
from runner.caches.manifest import Manifest, files_digest, read_manifest
from runner.caches.roles import cache_families
from runner.caches.roots import FAMILIES, CacheRoots, Family
from runner.deploy.environment import Declared, Kernels, Sight, environment_record
from runner.deploy.fingerprint import fingerprint
from runner.deploy.job import Desk
from runner.deploy.told import Told, told_in
from runner.study.frozen import FrozenPlan
from runner.study.grid import PlannedRun
from runner.study.model import LOAD, Caches, Cell, Server
from store.contract.environment import EnvironmentRecord
from store.errors import InputError


@dataclass(frozen=True, slots=True)
class Tried:
    """One try at a planned deployment, in `folder`. The first try has the planned id, the second `….try2`."""

    runs: tuple[PlannedRun, ...]
    number: int
    folder: Path

    @property
    def suffix(self) -> str:
        """What distinguishes ids of later tries."""
        return "" if self.number == 1 else f".try{self.number}"

    @property
    def deployment_id(self) -> str:
        """The deployment this try is."""
        return self.runs[0].deployment_id + self.suffix

    @property
    def roots(self) -> CacheRoots:
        """Its cache folders."""
        return CacheRoots(self.folder / "caches")

    @property
    def lines(self) -> Path:
        """What its instrument writes."""
        return self.folder / "lines.jsonl"

    @property
    def log(self) -> Path:
        """Standard output and error of everything in its process group."""
        return self.folder / "log.txt"

    @property
    def verdict(self) -> Path:
        """Written when it is over: how it ended."""
        return self.folder / "ended.txt"

    def told(self) -> Told:
        """What its instrument wrote."""
        return told_in(self.lines)

    def trouble(self) -> str:
        """Why it is not complete; empty when it is."""
        told = self.told()
        if told.ended:
            return ""
        ended = self.verdict.read_text(encoding="utf-8") if self.verdict.exists() else ""
        return f"{told.failure or ended or 'the runner ended first'} (phase {told.phase or 'launch'})"


def tries_of(work: Path, runs: Sequence[PlannedRun]) -> tuple[Tried, ...]:
    """Every try at a planned deployment so far, in order."""
    found: list[Tried] = []
    while (tried := next_try(work, runs, len(found) + 1)).folder.exists():
        found.append(tried)
    return tuple(found)


def next_try(work: Path, runs: Sequence[PlannedRun], number: int) -> Tried:
    """The try of a number, whether or not it was made."""
    suffix = "" if number == 1 else f".try{number}"
    return Tried(tuple(runs), number, work / "deployments" / (runs[0].deployment_id + suffix))


def policies(cache: Caches, builders: dict[str, Tried]) -> dict[Family, Policy]:
    """What to lay out. Raises InputError when a builder has no complete deployment to load from."""
    return {family: _policy(getattr(cache, family), builders) for family in FAMILIES}


def environment_of(desk: Desk, plan: FrozenPlan, tried: Tried, builders: dict[str, Tried]) -> EnvironmentRecord:
    """The environment of a try, as far as it got."""
    told, cell = tried.told(), desk.cell(tried.runs[0].entry)
    capture, rendered = cell.capture or desk.study.capture, plan.rendered[cell.model]
    declared = Declared(
        engine=desk.study.engines[cell.engine].kind,
        model_id=_model_id(desk, cell),
        chat_template=rendered.chat_template,
        capture_level=capture.level,
        capture_k=capture.k,
        wrapper=desk.study.launch.wrapper,
        sight=_sight(desk.study.engines[cell.engine].server),
    )
    mark = fingerprint(told.sentinels, len(rendered.sentinels))
    clock = (told.started_unix_s, told.ended_unix_s)
    return environment_record(
        told.environment, told.artifacts, declared, _kernels(tried, told, cell.cache, builders), mark, clock
    )


def _sight(server: Server | None) -> Sight:
    if server is None:
        return "process"
    if server.command is None:
        return "nothing"
    return "process" if any("{python}" in word for word in server.command) else "machine"


def _model_id(desk: Desk, cell: Cell) -> str:
    """Its pin; the name that a server knows it by where the pin is empty."""
    model, server = desk.study.models[cell.model], desk.study.engines[cell.engine].server
    if not model.path and server is not None:
        return server.name
    return model.path if model.revision is None else f"{model.path}@{model.revision}"


def manifest_of(tried: Tried) -> Manifest:
    """The last list of cache files that a try wrote."""
    looks = tried.told().looks
    last = looks.get("end") or looks.get("warm") or looks.get("before")
    return () if last is None else read_manifest(last.files)


def _policy(said: str, builders: dict[str, Tried]) -> Policy:
    if said == "fresh":
        return Fresh()
    if said == "shared":
        return Shared()
    source = builders.get(said.removeprefix(LOAD))
    if source is None:
        raise InputError(f"{said!r}: that cell has no complete deployment yet", fix="Run the study again once it has.")
    return LoadedFrom(source.roots, manifest_of(source))


def _kernels(tried: Tried, told: Told, cache: Caches, builders: dict[str, Tried]) -> Kernels | None:
    before, after = told.looks.get("before"), told.looks.get("end") or told.looks.get("warm")
    if before is None or after is None:
        return None
    log = tried.log.read_text(encoding="utf-8", errors="replace") if tried.log.exists() else ""
    last = read_manifest(after.files)
    parents = [builders[name].deployment_id for name in sources_of_caches(cache) if name in builders]
    return Kernels(
        choices=kernel_choices(tried.roots, last),
        roles=cache_families(read_manifest(before.files), last, after.read, after.mapped, log),
        files_digest=files_digest(last),
        parent=" ".join(parents) or "none",
    )


def sources_of_caches(cache: Caches) -> tuple[str, ...]:
    """Cells that a cell's caches are loaded from."""
    policies_said = (getattr(cache, family) for family in FAMILIES)
    return tuple(dict.fromkeys(said.removeprefix(LOAD) for said in policies_said if said.startswith(LOAD)))
