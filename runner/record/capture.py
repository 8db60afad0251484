"""The environment record of any Python, looked at by the instrument without running a model."""

import json
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from threading import Event

from runner.deploy.environment import NO_MODEL, Kernels, environment_record
from runner.deploy.pack import pack_instrument
from runner.deploy.process import Silence, run_process
from runner.deploy.told import told_in
from store.contract.base import Json
from store.contract.environment import EnvironmentRecord
from store.errors import InputError

LIMIT_S = 300.0
LOG_LINES = 4


def capture(python: str, variables: Mapping[str, str]) -> EnvironmentRecord:
    """The environment of `python` with further environment `variables`, as it is now.

    Raises InputError when there is no such Python, or when the instrument fails in it.
    """
    began = time.time()
    return as_record(observe(python, variables), NO_MODEL, None, (began, time.time()))


def observe(python: str, variables: Mapping[str, str]) -> Json:
    """The instrument's `environment` line; nothing is left behind. Raises InputError as `capture` does."""
    found = shutil.which(python)
    if found is None:
        raise InputError(f"there is no Python {python!r} here", fix="Name another with --python.")
    with tempfile.TemporaryDirectory(prefix="flipbook-") as name:
        folder = Path(name)
        instrument, job, lines, log = (folder / n for n in ("instrument.pyz", "job.json", "lines.jsonl", "log.txt"))
        pack_instrument(instrument)
        asked = {"task": "observe", "lines": str(lines), "environment": dict(variables)}
        job.write_text(json.dumps(asked), encoding="utf-8")
        command = [found, str(instrument), str(job)]
        try:
            ended = run_process(command, log, lines, Silence(LIMIT_S, LIMIT_S), Event(), lambda: "")
        except OSError as error:
            raise InputError(f"cannot be started ({error.strerror})", where=found) from error
        told = told_in(lines)
        if not told.ended or told.environment is None:
            said = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:]
            why = told.failure or ended.why or f"it ended with {ended.code}: {' / '.join(line.strip() for line in said)}"
            raise InputError(f"the environment could not be looked at: {why}", where=found, fix="It needs Python 3.8 or newer.")
        return told.environment


def as_record(told: Json, why: str, kernels: Kernels | None, clock: tuple[float, float]) -> EnvironmentRecord:
    """The record of an `environment` line without an engine; `why` is the reason of what only a model would show."""
    record = environment_record(told, None, None, kernels, None, clock)
    reasons = {name: why if reason == NO_MODEL else reason for name, reason in record.null_reasons.items()}
    return record.model_copy(update={"null_reasons": reasons})
