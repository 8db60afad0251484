"""What an extractor is: an ordered list of steps, tried one after another, and a canonical form."""

import json
import re
from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Literal

from pydantic import Field, field_validator

from store.contract.base import Frozen
from store.contract.record import ExtractorName
from store.extractors.canonical import Canonical

MAX_OBJECTS = 200
"""Opening braces that are tried: a text of nothing but braces would else take time by the square of its length."""


@dataclass(frozen=True, slots=True)
class Found:
    """A string found in a text and where it stood (character offsets)."""

    raw: str
    start: int
    end: int


class RegexStep(Frozen):
    """Group 1 of the first or last match; the whole match when the pattern has no group."""

    kind: Literal["regex"]
    path: str = Field(min_length=1, description="Name recorded as extraction_path when this step finds something.")
    pattern: str
    which: Literal["first", "last"]
    ignore_case: bool

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from error
        return pattern

    def find(self, text: str) -> Found | None:
        flags = re.IGNORECASE if self.ignore_case else re.NOFLAG
        if self.which == "first":
            match = re.search(self.pattern, text, flags)
        else:
            match = next(iter(deque(re.finditer(self.pattern, text, flags), maxlen=1)), None)
        if match is None:
            return None
        group = 1 if match.re.groups else 0
        if match.group(group) is None:
            return None
        return Found(match.group(group), match.start(group), match.end(group))


class JsonFieldStep(Frozen):
    """A field of the first JSON object in the text that holds it, then `pattern` on its value.

    The object may stand in a fenced block or in prose; a text whose object is broken finds nothing.
    """

    kind: Literal["json-field"]
    path: str = Field(min_length=1)
    field: str = Field(min_length=1)
    pattern: str = Field(description="Applied to the field's value; group 1 of the first match.")

    _compiles = field_validator("pattern")(RegexStep._compiles.__func__)  # type: ignore[attr-defined]

    def find(self, text: str) -> Found | None:
        decoder = json.JSONDecoder(strict=False)
        for start in (m.start() for m in islice(re.finditer(r"\{", text), MAX_OBJECTS)):
            try:
                value, end = decoder.raw_decode(text, start)
            except (ValueError, RecursionError):  # broken, too deep, or a number of thousands of digits
                continue
            if isinstance(value, dict) and self.field in value:
                return self._within(text, start, end, value[self.field])
        return None

    def _within(self, text: str, start: int, end: int, value: object) -> Found | None:
        shown = value if isinstance(value, str) else json.dumps(value)
        match = re.search(self.pattern, shown)
        if match is None:
            return None
        raw = match.group(1 if match.re.groups else 0).encode("utf-8", "backslashreplace").decode()
        # offsets point at the raw string's last appearance inside the object, else at the object
        at = text.rfind(raw, start, end)
        return Found(raw, at, at + len(raw)) if at >= 0 else Found(raw, start, end)


Step = Annotated[RegexStep | JsonFieldStep, Field(discriminator="kind")]


class ExtractorSpec(Frozen):
    """An extractor. Two specs of one name are the same extractor and must be equal."""

    name: ExtractorName
    canonical: Canonical
    steps: tuple[Step, ...] = Field(min_length=1)
