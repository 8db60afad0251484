"""From a row to a record, as a mapping says."""

import json
import types
from typing import Union, get_args, get_origin

from pydantic import ValidationError

from ingest.mapping import Mapping
from ingest.rows import Row
from ingest.source import MissingColumn, NoValue, Source, shown
from ingest.topk import read_topk
from store.contract.base import Json
from store.contract.environment import EnvironmentRecord, unknown_environment
from store.contract.record import NULLABLE_FIELDS, Answer, RequestRecord, UnscoredReason, Verdict
from store.contract.run import StudyRole
from store.digests import tokens_digest
from store.errors import first_error
from store.extractors.score import score
from store.sealed.runbook import RunLabels

NOT_IN_SOURCE = "not in the source"
NULL_IN_SOURCE = "null in the source"
MAX_NAME = 512
MAY_BE_EMPTY = ("raw_text", "rendered_prompt")
"""Fields in which an empty text is a value; elsewhere it stands for "not there"."""


class BadLine(Exception):
    """The row gives no record; the text says why."""


def labels_of(mapping: Mapping, row: Row, member: str) -> RunLabels:
    """Labels of the row's run. Raises BadLine."""
    text = {
        name: _needed(f"run.{name}", getattr(mapping.run, name), row, member) for name in ("id", "cell", "arm", "deployment")
    }
    repeat = _needed("run.repeat", mapping.run.repeat, row, member)
    role = _needed("run.role", mapping.run.role, row, member)
    if not (repeat.isascii() and repeat.isdecimal() and len(repeat) < 10):
        raise BadLine(f"run.repeat: {repeat[:40]!r} is not a whole number below a billion")
    if role not in set(StudyRole):
        raise BadLine(f"run.role: {role!r} is none of {', '.join(StudyRole)}")
    return RunLabels(text["id"], text["cell"], text["arm"], int(repeat), text["deployment"], StudyRole(role))


def record_of(mapping: Mapping, row: Row, member: str, run_id: str) -> RequestRecord:
    """The row's record with its answers. Raises BadLine."""
    values: dict[str, object] = {"run_id": run_id, "attempt": 0, "pass_index": 0, "sample_index": 0}
    reasons = dict.fromkeys(NULLABLE_FIELDS, NOT_IN_SOURCE)
    for name, source in mapping.record.items():
        value = _got(f"record.{name}", source, row, member)
        values[name] = _fitted(name, value)
        reasons[name] = NULL_IN_SOURCE
    for name in NULLABLE_FIELDS:
        values.setdefault(name, None)
    if values["input_ids_digest"] is None:
        values["input_ids_digest"] = _input_digest(values["input_token_ids"])
    values["null_reasons"] = {name: reason for name, reason in reasons.items() if values[name] is None}
    values["answers"] = _answers(mapping, row, member, values)
    try:
        return RequestRecord.model_validate(values)
    except ValidationError as error:
        raise BadLine(f"record.{first_error(error)}") from error


def environment_values(mapping: Mapping, row: Row, member: str) -> dict[str, Json]:
    """What the row says of its deployment's environment, by field; empty when the mapping says nothing. Raises BadLine."""
    return {name: _got(f"environment.{name}", source, row, member) for name, source in mapping.environment.items()}


def environment_of(known: dict[str, Json]) -> EnvironmentRecord:
    """The record of these values, the rest null. Raises BadLine where a value does not fit its field."""
    try:
        return unknown_environment(NOT_IN_SOURCE, **known)
    except ValidationError as error:
        raise BadLine(f"environment.{first_error(error)}") from error


def missing_column(mapping: Mapping, row: Row) -> tuple[str, str] | None:
    """(key, column) of the first mapped column that the row does not have, optional ones aside."""
    absent = (
        (key, column)
        for key, source in mapping.sources().items()
        if not source.optional
        for column in source.columns
        if column not in row.values
    )
    return next(absent, None)


def find_surrogate(value: Json, where: str) -> str | None:
    """A sentence on the first lone surrogate in a value, which no UTF-8 file can hold; null when there is none."""
    waiting: list[tuple[str, Json]] = [(where, value)]
    while waiting:
        place, here = waiting.pop()
        if isinstance(here, str):
            at = None if here.isascii() else next((i for i, sign in enumerate(here) if "\ud800" <= sign <= "\udfff"), None)
            if at is not None:
                return _surrogate_sentence(place, here[at], at)
        elif isinstance(here, dict):
            waiting.extend((f"{place}.{key}", item) for key, item in reversed(here.items()))
        elif isinstance(here, list):
            waiting.extend((f"{place}.{i}", item) for i, item in reversed(list(enumerate(here))))
    return None


def _surrogate_sentence(place: str, sign: str, at: int) -> str:
    if "\udc80" <= sign <= "\udcff":
        return f"{place}: byte 0x{ord(sign) - 0xDC00:02X} at character {at + 1} is not UTF-8"
    return f"{place}: lone surrogate U+{ord(sign):04X} at character {at + 1} is not valid Unicode"


def _got(key: str, source: Source, row: Row, member: str) -> Json:
    try:
        value = source.get(row, member)
    except NoValue as error:
        raise BadLine(f"{key}: {error}") from error
    except MissingColumn as error:
        raise BadLine(f"{key}: this row has no {error.column!r}") from error
    if problem := find_surrogate(value, key):
        raise BadLine(problem)
    return value


def _needed(key: str, source: Source, row: Row, member: str) -> str:
    value = _got(key, source, row, member)
    text = "" if value is None or isinstance(value, list | dict) else shown(value)
    if not text or len(text) > MAX_NAME:
        found = json.dumps(value)[:80] if not text else f"{len(text):,} characters"
        raise BadLine(f"{key}: needs a value of at most {MAX_NAME} characters, found {found}")
    return text


def _fitted(name: str, value: Json) -> object:
    """A source value in the shape the contract's field wants; what does not fit is left for the contract to refuse."""
    if name == "topk":
        return None if value is None else read_topk(value)
    wants = _wanted(name)
    if value is None or (value == "" and name not in MAY_BE_EMPTY):
        return None
    if wants is str:
        return value if isinstance(value, list | dict) else shown(value)
    if wants is tuple and isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError) as error:
            raise BadLine(f"record.{name}: expected a JSON list, found {value[:60]!r}") from error
    return value


def _wanted(name: str) -> type:
    annotation = RequestRecord.model_fields[name].annotation
    options = get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,)
    first = options[0]
    origin = get_origin(first)
    if origin is tuple:
        return tuple
    return first if isinstance(first, type) else str


def _answers(mapping: Mapping, row: Row, member: str, values: dict[str, object]) -> tuple[Answer, ...]:
    text, gold, finish = values["raw_text"], values["gold"], values["finish_reason"]
    answers = []
    if mapping.spec is not None:
        answers.append(score(mapping.spec, _or_none(text), _or_none(gold), _or_none(finish)))
    if mapping.harness is not None:
        answers.append(_harness_answer(mapping, row, member))
    return tuple(answers)


def _harness_answer(mapping: Mapping, row: Row, member: str) -> Answer:
    harness = mapping.harness
    assert harness is not None
    value = _got("harness.verdict", harness.verdict, row, member)
    said = None if harness.answer is None else _got("harness.answer", harness.answer, row, member)
    if value is None or value == "":
        verdict, why = Verdict.UNSCORED, UnscoredReason.NOT_SCORED
    elif shown(value) in harness.correct:
        verdict, why = Verdict.CORRECT, None
    elif shown(value) in harness.incorrect:
        verdict, why = Verdict.INCORRECT, None
    else:
        known = ", ".join((*harness.correct, *harness.incorrect))
        raise BadLine(f"harness.verdict: {shown(value)[:60]!r} is neither correct nor incorrect in the mapping ({known})")
    text = None if said is None else shown(said)
    return Answer(
        extractor=harness.name,
        extracted=text,
        answer=text,
        extraction_path="harness",
        verdict=verdict,
        unscored_reason=why,
        span_start=None,
        span_end=None,
    )


def _input_digest(ids: object) -> str | None:
    if not isinstance(ids, list) or not all(type(i) is int and 0 <= i < 2**31 for i in ids):
        return None  # the contract refuses the ids themselves, by name
    return tokens_digest(ids)


def _or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None
