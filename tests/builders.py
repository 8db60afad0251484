"""Small inputs for tests: verdicts as letters, records and runs with everything unsaid filled in."""

import json
from pathlib import Path

import numpy as np

from store.analysis.verdicts import CORRECT, INCORRECT, MISSING, UNSCORED, VerdictArray
from store.contract.environment import EnvironmentRecord, unknown_environment
from store.contract.record import NULLABLE_FIELDS, RequestRecord
from store.contract.run import BundleManifest, StudyRole
from store.extractors.score import score
from store.extractors.shipped import ANSWER_LINE
from store.sealed.flatten import flatten
from store.sealed.rows import Question
from store.sealed.runbook import RunBook, RunLabels, Taken
from store.sealed.write import BundleHead, BundleWriter

LETTERS = {"C": CORRECT, "I": INCORRECT, "?": UNSCORED, ".": MISSING}


def verdicts(*runs: str) -> VerdictArray:
    """`verdicts("CIIC", "CCIC")`: one row per run; C correct, I incorrect, ? unscored, a dot missing."""
    return np.array([[LETTERS[letter] for letter in run] for run in runs], dtype=np.int8)


def record(**known: object) -> RequestRecord:
    """A record of run r, question q1; the rest is null because the test does not say it."""
    values: dict[str, object] = dict.fromkeys(NULLABLE_FIELDS)
    values |= {"run_id": "r", "question_id": "q1", "attempt": 0, "pass_index": 0, "sample_index": 0, "answers": ()}
    values |= known
    reasons = {name: "the test does not say" for name in NULLABLE_FIELDS if values[name] is None}
    return RequestRecord.model_validate(values | {"null_reasons": reasons})


def answered(question: str, text: str | None, gold: str | None = "1", **known: object) -> RequestRecord:
    """A record whose answer is scored by answer-line@1."""
    finish = known.get("finish_reason")
    scored = score(ANSWER_LINE, text, gold, finish if isinstance(finish, str) else None)
    return record(question_id=question, raw_text=text, gold=gold, answers=(scored,), **known)


def labels(run: str = "r", cell: str = "cell", repeat: int = 0, role: StudyRole = StudyRole.GRID, **more: str) -> RunLabels:
    """Labels of a run that is a deployment of its own."""
    return RunLabels(run, cell, more.get("arm", "arm"), repeat, more.get("deployment", run), role)


def seal(
    folder: Path,
    *runs: tuple[RunLabels, list[RequestRecord]],
    study: str = "s",
    questions: tuple[Question, ...] = (),
    label: str = "",
    environments: dict[str, EnvironmentRecord] | None = None,
) -> BundleManifest:
    """A sealed bundle in `folder`; deployments without an environment get one that knows nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    book, writer = RunBook(ANSWER_LINE.name), BundleWriter(folder)
    for head, records in runs:
        assert book.open(head) is None
        unknown = unknown_environment("the test does not say")
        book.note_environment(head.deployment_id, (environments or {}).get(head.deployment_id, unknown))
        for one in records:
            flat = flatten(one.model_copy(update={"run_id": head.run_id}))
            if book.take(flat) is Taken.NEW:
                writer.add(flat)
    bundle = BundleHead(study, label, ANSWER_LINE.name, (ANSWER_LINE,), questions, (), "a test")
    return writer.seal(bundle, book.manifests(), book.environments().items())


def lines(path: Path, *rows: object) -> Path:
    """A JSON lines file; a string row is written as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8")
    return path


MAP = """
format = "flipbook-map/1"
name = "test"
extractor = "answer-line@1"

[files]
include = ["*"]

[run]
id = { column = "run" }
cell = { constant = "cell" }
arm = { constant = "arm" }
repeat = { constant = 0 }
deployment = { column = "run" }
role = { constant = "grid" }

[record]
question_id = { column = "id" }
gold = { column = "gold" }
raw_text = { column = "text" }
"""


def mapping_file(path: Path, text: str = MAP) -> Path:
    """A mapping file."""
    path.write_text(text, encoding="utf-8")
    return path
