"""`python instrument.pyz JOB.json`: one task, then exit 0; a failure is a line of its own and exit 1."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback

from . import lifeline
from .job import Job
from .lines import Lines


def main() -> None:
    """Run the job and leave. Told from outside whether it went well by the last line and by the exit status."""
    with open(sys.argv[1], encoding="utf-8") as file:
        job: Job = json.load(file)
    lifeline.watch()
    os.environ.update(job["environment"])
    lines = Lines(job["lines"])
    lines.write({"kind": "started", "pid": os.getpid(), "python": sys.executable})
    code = 1
    try:
        _run(job, lines)
        lines.write({"kind": "end"})
        code = 0
    except BaseException as error:  # noqa: BLE001 - the outermost edge: told in the file, then over
        with contextlib.suppress(OSError):
            traceback.print_exc()
        lines.write({"kind": "failed", "error": type(error).__name__, "text": str(error)[:4000]})
    finally:  # even when nothing can be written any more
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)  # an engine may hold threads that never end


def _run(job: Job, lines: Lines) -> None:
    if job["task"] == "render":
        from .render import render

        render(job, lines)
    elif job["task"] == "observe":
        from .observe import devices, engine_versions, machine

        told = {"machine": machine(), "versions": engine_versions(), "engine": None, "devices": devices()}
        lines.write({"kind": "environment", **told})
    else:
        from .drive import drive

        drive(job, lines)
