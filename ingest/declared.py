"""The declared question set of a mapping: a file beside it."""

from pathlib import Path

from ingest.mapping import Mapping, QuestionsPart
from ingest.members import Member, Patterns, members
from ingest.rows import BadRow, Row, read_rows
from ingest.source import MissingColumn, NoValue, Source
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
    try:
        question_id = _value(part.question_id, row, name)
        if question_id is None:
            raise InputError("question_id is null", where=f"{name}:{row.line}")
        return Question(question_id, *(_value(source, row, name) for source in (part.gold, part.category, part.text)))
    except MissingColumn as error:
        where = f"{name}:{row.line}"
        raise MappingError(f"no column {error.column!r}", where=where, fix=f"Columns here: {', '.join(row.values)}.") from error
    except NoValue as error:
        raise InputError(str(error), where=f"{name}:{row.line}") from error


def _value(source: Source | None, row: Row, name: str) -> str | None:
    value = None if source is None else source.get(row, name)
    return None if value is None else str(value)
