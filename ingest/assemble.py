"""From a row to a record, as a mapping says."""

import json
import types
from dataclasses import dataclass
from typing import Union, get_args, get_origin

from pydantic import ValidationError

from ingest.mapping import Mapping
from ingest.rows import Row
from ingest.source import MissingColumn, NoValue, Source
from ingest.topk import read_topk
from store.contract.base import Json
from store.contract.environment import EnvironmentRecord, unknown_environment
from store.contract.record import NULLABLE_FIELDS, Answer, RequestRecord, UnscoredReason, Verdict
from store.contract.run import StudyRole
from store.digests import tokens_digest
from store.extractors.score import score

NOT_IN_SOURCE = "not in the source"
NULL_IN_SOURCE = "null in the source"


class BadLine(Exception):
    """The row gives no record; the text says why."""


@dataclass(frozen=True, slots=True)
class RunLabels:
    """What a row says of its run."""

    run_id: str
    cell: str
    arm: str
    repeat: int
    deployment_id: str
    role: StudyRole


def labels_of(mapping: Mapping, row: Row, member: str) -> RunLabels:
    """Labels of the row's run. Raises BadLine."""
    text = {
        name: _needed(f"run.{name}", getattr(mapping.run, name), row, member) for name in ("id", "cell", "arm", "deployment")
    }
    repeat = _needed("run.repeat", mapping.run.repeat, row, member)
    role = _needed("run.role", mapping.run.role, row, member)
    if not repeat.isdecimal():
        raise BadLine(f"run.repeat: {repeat!r} is not a whole number")
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
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise BadLine(f"record.{key}: {first['msg'].removeprefix('Value error, ')}") from error


def environment_of(mapping: Mapping, row: Row, member: str) -> EnvironmentRecord | None:
    """The environment the row tells of, null when the mapping says nothing of it. Raises BadLine."""
    if not mapping.environment:
        return None
    known = {name: _got(f"environment.{name}", source, row, member) for name, source in mapping.environment.items()}
    try:
        return unknown_environment(NOT_IN_SOURCE, **known)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadLine(f"environment.{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def check_columns(mapping: Mapping, row: Row) -> tuple[tuple[str, str], ...]:
    """(key, column) of every mapped column that the row does not have, optional ones aside."""
    return tuple(
        (key, column)
        for key, source in mapping.sources().items()
        if not source.optional
        for column in source.columns
        if column not in row.values
    )


def find_surrogate(value: Json, where: str) -> str | None:
    """A sentence on the first lone surrogate in a value, which no UTF-8 file can hold; null when there is none."""
    if isinstance(value, str):
        at = next((i for i, sign in enumerate(value) if 0xD800 <= ord(sign) <= 0xDFFF), None) if not value.isascii() else None
        if at is None:
            return None
        if 0xDC80 <= ord(value[at]) <= 0xDCFF:
            return f"{where}: byte 0x{ord(value[at]) - 0xDC00:02X} at character {at + 1} is not UTF-8"
        return f"{where}: lone surrogate U+{ord(value[at]):04X} at character {at + 1} is not valid Unicode"
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return next((found for key, item in items if (found := find_surrogate(item, f"{where}.{key}"))), None)


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
    if value is None or isinstance(value, list | dict) or _text(value) == "":
        raise BadLine(f"{key}: needs a value, found {json.dumps(value)[:80]}")
    return _text(value)


def _fitted(name: str, value: Json) -> object:
    """A source value in the shape the contract's field wants; what does not fit is left for the contract to refuse."""
    if name == "topk":
        return None if value is None else read_topk(value)
    wants = _wanted(name)
    if value is None or (value == "" and wants is not str):
        return None
    if wants is str:
        return value if isinstance(value, list | dict) else _text(value)
    if wants is tuple and isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError as error:
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
    elif _text(value) in harness.correct:
        verdict, why = Verdict.CORRECT, None
    elif _text(value) in harness.incorrect:
        verdict, why = Verdict.INCORRECT, None
    else:
        known = ", ".join((*harness.correct, *harness.incorrect))
        raise BadLine(f"harness.verdict: {_text(value)[:60]!r} is neither correct nor incorrect in the mapping ({known})")
    shown = None if said is None else _text(said)
    return Answer(
        extractor=harness.name,
        extracted=shown,
        answer=shown,
        extraction_path="harness",
        verdict=verdict,
        unscored_reason=why,
        span_start=None,
        span_end=None,
    )


def _input_digest(ids: object) -> str | None:
    whole = isinstance(ids, list) and all(isinstance(i, int) for i in ids)
    return tokens_digest(ids) if whole and isinstance(ids, list) else None


def _or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _text(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)
