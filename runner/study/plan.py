"""Everything that `flipbook plan` says of a study file."""

from dataclasses import dataclass
from pathlib import Path

from runner.study.expected import Expected, expected
from runner.study.grid import PlannedRun, grid
from runner.study.load import load_study
from runner.study.missing import missing_here, not_looked_for
from runner.study.model import StudyFile
from runner.study.questions import load_questions, question_file
from store.digests import file_sha256
from store.errors import InputError


@dataclass(frozen=True, slots=True)
class Plan:
    """A study before it is run.

    questions: how many the file here holds, null when it is not here or is not the one that was pinned; sha256: as
    pinned, else as found here, else null; planned: what is reckoned with while questions is null.
    """

    study: str
    questions: int | None
    sha256: str | None
    planned: int | None
    runs: tuple[PlannedRun, ...]
    expected: Expected
    missing: tuple[str, ...]
    notes: tuple[str, ...]


def plan_of(path: Path) -> Plan:
    """The plan of a study file. Raises InputError for a file that is none, UsageError for cells in a circle."""
    study, folder = load_study(path), path.parent
    count = _count(study, folder)
    planned = study.planning.questions
    return Plan(
        study=study.study,
        questions=count,
        sha256=study.questions.sha256 or _digest(study, folder),
        planned=planned,
        runs=grid(study),
        expected=expected(study, planned if count is None else count),
        missing=missing_here(study, folder),
        notes=not_looked_for(study),
    )


def _count(study: StudyFile, folder: Path) -> int | None:
    """Why it is null is among what is missing."""
    path = question_file(study.questions, folder)
    try:
        return None if path is None else len(load_questions(study.questions, path))
    except InputError:
        return None


def _digest(study: StudyFile, folder: Path) -> str | None:
    path = question_file(study.questions, folder)
    return None if path is None else file_sha256(path)
