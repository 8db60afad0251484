"""A mapping file: how any table becomes records. docs/DATA.md describes it for users."""

import tomllib
from pathlib import Path
from typing import Literal, Self, get_args

from pydantic import Field, ValidationError, field_validator, model_validator

from ingest.source import Source
from store.contract.base import Frozen
from store.contract.environment import EnvironmentRecord
from store.contract.record import ExtractorName, RequestRecord
from store.errors import MappingError
from store.extractors.shipped import SHIPPED
from store.extractors.spec import ExtractorSpec, JsonFieldStep, RegexStep

RECORD_KEYS: tuple[str, ...] = tuple(
    name for name in RequestRecord.model_fields if name not in ("run_id", "answers", "null_reasons")
)
ENVIRONMENT_KEYS: tuple[str, ...] = tuple(
    name for name in EnvironmentRecord.model_fields if name not in ("source", "null_reasons")
)


class FilesPart(Frozen):
    """Which members count, and where in a JSON document the list of records is."""

    include: tuple[str, ...] = Field(min_length=1)
    exclude: tuple[str, ...] = ()
    records: str | None = None


class RunPart(Frozen):
    """What a run is. Nothing here has a default: which runs are repeats of which cell is a scientific choice."""

    id: Source
    cell: Source
    arm: Source
    repeat: Source
    deployment: Source
    role: Source


class HarnessPart(Frozen):
    """A verdict that the table holds already; it is kept as it is, beside ours."""

    name: ExtractorName
    verdict: Source
    correct: tuple[str, ...] = Field(min_length=1)
    incorrect: tuple[str, ...] = Field(min_length=1)
    answer: Source | None = None


class QuestionsPart(Frozen):
    """The declared question set: a file beside the mapping."""

    file: str
    question_id: Source
    gold: Source | None = None
    category: Source | None = None
    text: Source | None = None


class Mapping(Frozen):
    """One mapping file."""

    format: Literal["flipbook-map/1"]
    name: str = Field(min_length=1)
    label: str = ""
    files: FilesPart
    run: RunPart
    record: dict[str, Source]
    environment: dict[str, Source] = Field(default_factory=dict)
    extractor: ExtractorSpec | str | None = None
    harness: HarnessPart | None = None
    questions: QuestionsPart | None = None

    @field_validator("record")
    @classmethod
    def _known_record_keys(cls, record: dict[str, Source]) -> dict[str, Source]:
        _check_keys(record, RECORD_KEYS)
        if "question_id" not in record:
            raise ValueError("question_id is needed: records are paired by it, never by position")
        return record

    @field_validator("environment")
    @classmethod
    def _known_environment_keys(cls, environment: dict[str, Source]) -> dict[str, Source]:
        _check_keys(environment, ENVIRONMENT_KEYS)
        return environment

    @field_validator("extractor")
    @classmethod
    def _shipped_by_name(cls, extractor: ExtractorSpec | str | None) -> ExtractorSpec | None:
        if not isinstance(extractor, str):
            return extractor
        if extractor not in SHIPPED:
            raise ValueError(f"no extractor {extractor!r} is shipped; there is {', '.join(SHIPPED)}")
        return SHIPPED[extractor]

    @model_validator(mode="after")
    def _scored_somehow(self) -> Self:
        if self.extractor is None and self.harness is None:
            raise ValueError("give [extractor] or [harness]: without either no record has a verdict")
        if isinstance(self.extractor, ExtractorSpec) and self.harness and self.extractor.name == self.harness.name:
            raise ValueError("extractor and harness need different names")
        return self

    @property
    def spec(self) -> ExtractorSpec | None:
        """The extractor that scores these records, if one does."""
        return self.extractor if isinstance(self.extractor, ExtractorSpec) else None

    @property
    def main_extractor(self) -> str:
        """Ours where there is one, else the harness's own verdict."""
        if self.spec is not None:
            return self.spec.name
        return self.harness.name if self.harness else ""

    def sources(self) -> dict[str, Source]:
        """Every source with the key it has in the file, for messages."""
        run = {f"run.{name}": getattr(self.run, name) for name in RunPart.model_fields}
        record = {f"record.{name}": source for name, source in self.record.items()}
        environment = {f"environment.{name}": source for name, source in self.environment.items()}
        harness = {"harness.verdict": self.harness.verdict} if self.harness else {}
        if self.harness and self.harness.answer:
            harness["harness.answer"] = self.harness.answer
        return run | record | environment | harness


def load_mapping(path: Path) -> Mapping:
    """Read a mapping file. Raises MappingError naming the key that is wrong and the keys that exist."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MappingError(f"the mapping file cannot be read ({error.strerror})", where=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MappingError(f"not TOML: {error}", where=str(path)) from error
    try:
        return Mapping.model_validate(data)
    except ValidationError as error:
        raise MappingError(
            _explained(error), where=str(path), fix="docs/DATA.md describes each part, docs/schema the fields."
        ) from error


def _explained(error: ValidationError) -> str:
    found = error.errors()
    first = next((e for e in found if e["type"] == "extra_forbidden"), found[0])  # a typo explains what is missing
    key = ".".join(str(part) for part in first["loc"] if part not in ("ExtractorSpec", "str", "regex", "json-field"))
    if first["type"] == "extra_forbidden":
        return f"unknown key {key}; keys here: {', '.join(_siblings(first['loc']))}"
    if first["type"] == "missing":
        return f"key {key} is missing"
    message = first["msg"].removeprefix("Value error, ")
    return f"key {key}: {message}" if key else message


_STEPS: dict[str, type[Frozen]] = {"regex": RegexStep, "json-field": JsonFieldStep, "ExtractorSpec": ExtractorSpec}


def _siblings(loc: tuple[int | str, ...]) -> tuple[str, ...]:
    """Keys of the innermost part of the file that `loc` leads into."""
    model: type[Frozen] = Mapping
    for part in loc[:-1]:
        if part in _STEPS:
            model = _STEPS[str(part)]
        elif (field := model.model_fields.get(str(part))) is not None:
            options = (field.annotation, *get_args(field.annotation))
            model = next((o for o in options if isinstance(o, type) and issubclass(o, Frozen)), Source)
    return tuple(model.model_fields)


def _check_keys(given: dict[str, Source], known: tuple[str, ...]) -> None:
    if unknown := sorted(set(given) - set(known)):
        raise ValueError(f"unknown key {unknown[0]}; keys here: {', '.join(known)}")
