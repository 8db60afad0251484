"""Gate sets as files: reading one, and a draft to start from."""

import json
import tomllib
from datetime import date, datetime, time
from pathlib import Path

from pydantic import ValidationError

from store.contract.gates import GateSet
from store.errors import InputError, first_error
from store.results.gate.conditions import questions_digest
from store.results.report.side import side_named
from store.results.study import StudyData

DOCS = "docs/GATES.md describes every key."


def load_gate_set(path: Path) -> GateSet:
    """Read a TOML file. Raises InputError naming the key that is wrong."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"the gate file cannot be read ({error.strerror})", where=str(path)) from error
    except (ValueError, RecursionError) as error:  # TOML's own, bad UTF-8, a number of thousands of digits
        raise InputError(f"not TOML: {error}", where=str(path), fix=DOCS) from error
    try:
        return GateSet.model_validate_json(json.dumps(data, default=_in_json))
    except ValidationError as error:
        raise InputError(first_error(error), where=str(path), fix=DOCS) from error


def _in_json(value: object) -> str:
    """TOML's dates and times as JSON has them."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    raise TypeError(f"TOML has no {type(value).__name__}")


def draft(data: StudyData, baseline: str) -> str:
    """A gate file for a baseline of the study, with every choice left to its owner: it cannot be read before they are made.

    Raises UsageError on a baseline that is no cell and no environment digest of it.
    """
    side_named(data, baseline)
    return _DRAFT.format(
        extractor=_quoted(data.scope.extractor or ""), question_set=questions_digest(data), baseline=_quoted(baseline)
    )


def _quoted(text: str) -> str:
    """A TOML basic string."""
    signs = {"\\": "\\\\", '"': '\\"'}
    return '"' + "".join(signs.get(c, c if c.isprintable() else f"\\U{ord(c):08X}") for c in text) + '"'


_DRAFT = """\
# Choose every value that is left open, before the first candidate deployment starts.
format = "flipbook-gates/1"
id =                    # letters, digits, . _ -, at most 64; a changed gate set gets another one
author =                # who chose these gates
reason =                # why, or what changed
frozen_at =             # before the candidate starts, with its offset: 2026-12-01T09:00:00Z
mode =                  # "statistical", or "token exact": any differing token blocks
target =                # "fixed questions", or "new questions": questions like these
extractor = {extractor}
question_set = "{question_set}"
baseline = {baseline}
incomplete_runs =       # "fail", or "leave out": deployments that broke off

[min_deployments]
baseline =
candidate =

# One part for each gate. questions: "all", {{ categories = ["..."] }} or {{ ids = ["..."] }}
[[gates]]
id = "critical"
metric = "all correct"
questions =

[[gates]]
id = "accuracy"
metric = "accuracy"
questions = "all"
margin_points =         # percentage points that the accuracy may fall by at most
alpha =                 # one-sided size, such as 0.05
power =                 # of the number of deployments that an open result asks for, such as 0.8
"""
