"""One harness command as one fresh deployment, and what became of it."""

import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from runner.caches.kernel_choice import kernel_choices
from runner.caches.layout import Fresh, lay_out
from runner.caches.manifest import files_digest, list_files
from runner.caches.roles import cache_families
from runner.caches.roots import FAMILIES, CacheRoots
from runner.deploy.environment import Kernels
from runner.deploy.process import Ended
from runner.record.capture import as_record, observe
from runner.record.launch import STOPPED, run_command
from store.contract.environment import EnvironmentRecord
from store.env_digest import SCHEMES, environment_digest
from store.errors import InputError

INSIDE = "the command's own process was not looked into"
BEFORE, AFTER = "environment-before.json", "environment.json"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A command that is over. `changed`: why its environment is in doubt, empty when it is not. environment: the
    one afterwards, with what became of the caches; null when the command was stopped."""

    ended: Ended
    environment: EnvironmentRecord | None
    changed: str


@dataclass(frozen=True, slots=True)
class Deployment:
    """A command, the Python whose environment it runs in, and the folder where its traces stay."""

    command: tuple[str, ...]
    python: str
    folder: Path

    @property
    def roots(self) -> CacheRoots:
        """Its cache folders."""
        return CacheRoots(self.folder / "caches")

    @property
    def log(self) -> Path:
        """Its standard output and error."""
        return self.folder / "log.txt"

    def run(self, stop: Event) -> Recorded:
        """Run it with empty cache folders. The environment is looked at before and afterwards, and kept in the folder.

        Raises InputError when the command or its Python is not here; then nothing was started.
        """
        if shutil.which(self.command[0]) is None:
            raise InputError(f"there is no command {self.command[0]!r} here", fix="Give its path.")
        lay_out(self.roots, dict.fromkeys(FAMILIES, Fresh()), self.folder / "shared")
        variables = self.roots.environment()
        began = time.time()
        before = as_record(observe(self.python, variables), INSIDE, None, (began, began))
        _keep(self.folder / BEFORE, before)
        if stop.is_set():
            return Recorded(Ended(0, f"{STOPPED} before the command started"), None, "")
        ended = run_command(self.command, {**os.environ, **variables}, self.log, stop)
        if ended.why:
            return Recorded(ended, None, "")
        return self._looked_at(ended, before, variables, (began, time.time()))

    def _looked_at(
        self, ended: Ended, before: EnvironmentRecord, variables: Mapping[str, str], clock: tuple[float, float]
    ) -> Recorded:
        try:
            told = observe(self.python, variables)
        except InputError as error:
            return Recorded(ended, before, f"the environment could not be looked at again afterwards: {error.what}")
        changed = _changes(before, as_record(told, INSIDE, None, clock))
        environment = as_record(told, INSIDE, self._kernels(), clock)
        _keep(self.folder / AFTER, environment)
        return Recorded(ended, environment, changed)

    def _kernels(self) -> Kernels:
        """Every family began empty, so files that are there were built by this command."""
        files = list_files(self.roots.base)
        roles = cache_families((), files, None, (), self.log.read_text(encoding="utf-8", errors="replace"))
        return Kernels(kernel_choices(self.roots, files), roles, files_digest(files), "none")


def _changes(before: EnvironmentRecord, after: EnvironmentRecord) -> str:
    """A sentence on the fields of the digest that differ; empty when the digests are equal."""
    old, new = environment_digest(before).full, environment_digest(after).full
    if old == new:
        return ""
    was, now = before.model_dump(mode="json"), after.model_dump(mode="json")
    fields = [name for part in SCHEMES[new.partition(":")[0]] for name in part]
    said = "; ".join(f"{name} was {was[name]}, then {now[name]}" for name in fields if was[name] != now[name])
    return f"the environment changed while the command ran: {said}"


def _keep(path: Path, record: EnvironmentRecord) -> None:
    path.write_text(record.model_dump_json(indent=1), encoding="utf-8")
