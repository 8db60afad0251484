"""The declared question set of a mapping: a file beside it."""

from pathlib import Path

from ingest.assemble import MAX_NAME, BadLine, find_surrogate
from ingest.mapping import Mapping, QuestionsPart
from ingest.members import Member, Patterns, members
from ingest.rows import BadRow, Row, read_rows
from ingest.source import MissingColumn, NoValue, Source, shown
from store.errors import InputError, MappingError
from store.sealed.rows import Question


def declared_questions(mapping: Mapping, folder: Path) -> tuple[Question, ...]:
    """Questions of the set that the mapping declares, empty when it declares none.

    Raises MappingError when the file is missing and InputError when a line of it cannot be used: a
    question set with a hole would change every denominator.
    """
    part = mapping.questions
    if part is None:
        return ()
    path = folder / part.file
    if not path.is_file():
        raise MappingError(f"[questions] file = {part.file!r} is not beside the mapping", where=str(folder))
    found = [_question(part, row, path.name) for row in _rows(path)]
    ids = [question.question_id for question in found]
    if len(set(ids)) < len(ids):
        twice = next(i for i in ids if ids.count(i) > 1)
        raise InputError(f"question {twice!r} is declared twice", where=path.name)
    return tuple(found)


def _rows(path: Path) -> list[Row]:
    rows: list[Row] = []
    for member in members(path, path.name, Patterns(("*",), ()), lambda _: None):
        if isinstance(member, Member):
            for row in read_rows(member, None):
                if isinstance(row, BadRow):
                    raise InputError(row.reason, where=f"{path.name}:{row.line}")
                rows.append(row)
    return rows


def _question(part: QuestionsPart, row: Row, name: str) -> Question:
    where = f"{name}:{row.line}"
    try:
        values = [_value(source, row, name) for source in (part.question_id, part.gold, part.category, part.text)]
    except MissingColumn as error:
        raise MappingError(f"no column {error.column!r}", where=where, fix=f"Columns here: {', '.join(row.values)}.") from error
    except (NoValue, BadLine) as error:
        raise InputError(str(error), where=where) from error
    question_id = values[0]
    if not question_id or len(question_id) > MAX_NAME:
        raise InputError(f"question_id needs a value of at most {MAX_NAME} characters", where=where)
    return Question(question_id, *values[1:])


def _value(source: Source | None, row: Row, name: str) -> str | None:
    value = None if source is None else source.get(row, name)
    if isinstance(value, list | dict):
        raise BadLine(f"expected a text or a number, found {shown(value)[:60]}")
    if problem := find_surrogate(value, "questions"):
        raise BadLine(problem)
    return None if value is None or value == "" else shown(value)
