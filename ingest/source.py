"""Where one value comes from: a column, a nested path, the file's name, a constant or a template."""

import json
import re
import string
from typing import Self

from pydantic import Field, field_validator, model_validator

from ingest.rows import Row
from store.contract.base import Frozen, Json

ORIGINS = ("column", "path", "filename", "constant", "template")


class MissingColumn(Exception):
    """The row has no such column; `column` is the name that was looked for."""

    def __init__(self, column: str) -> None:
        self.column = column
        super().__init__(column)


class NoValue(Exception):
    """The place is there and does not hold what the mapping expects; the text says why."""


class Source(Frozen):
    """One origin, and what is done with what stands there.

    Exactly one of `column`, `path`, `filename`, `constant`, `template` is given. `pattern` keeps
    group 1 of its first match. `values` translates what is left. `optional` makes a missing place or
    a pattern without a match null instead of a refused line.
    """

    column: str | None = Field(default=None, min_length=1)
    path: str | None = Field(default=None, min_length=1, description="Nested: `output[0].text`.")
    filename: str | None = Field(default=None, description="Regular expression with one group, searched in the member's name.")
    constant: str | int | float | bool | None = None
    template: str | None = Field(default=None, description="`{task}/{rubric_id}`: columns in braces.")
    pattern: str | None = None
    values: dict[str, str] | None = None
    optional: bool = False

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        given = [name for name in ("column", "path", "filename", "constant", "template") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"give exactly one of column, path, filename, constant, template; given: {', '.join(given) or 'none'}"
            )
        return self

    @field_validator("filename", "pattern")
    @classmethod
    def _one_group(cls, pattern: str | None) -> str | None:
        if pattern is None:
            return None
        try:
            groups = re.compile(pattern).groups
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from error
        if groups != 1:
            raise ValueError(f"the pattern needs exactly one group, it has {groups}")
        return pattern

    @field_validator("path")
    @classmethod
    def _names_a_place(cls, path: str | None) -> str | None:
        if path is not None and (not (steps := _steps(path)) or not isinstance(steps[0], str)):
            raise ValueError("a path begins with a name, as in output[0].text")
        return path

    @field_validator("template")
    @classmethod
    def _names_columns(cls, template: str | None) -> str | None:
        if template is None:
            return None
        try:
            parts = list(string.Formatter().parse(template))
        except ValueError as error:
            raise ValueError(f"not a template: {error}") from error
        if any(name == "" or spec or conversion for _, name, spec, conversion in parts):
            raise ValueError("braces hold a column's name and nothing else, as in {task}/{id}")
        return template

    @property
    def columns(self) -> tuple[str, ...]:
        """Top-level columns this source reads."""
        if self.column is not None:
            return (self.column,)
        if self.path is not None:
            return (str(_steps(self.path)[0]),)
        if self.template is not None:
            return tuple(name for _, name, _, _ in string.Formatter().parse(self.template) if name)
        return ()

    def get(self, row: Row, member: str) -> Json:
        """The value for one row of `member`.

        Raises MissingColumn or NoValue; with `optional` both give null.
        """
        try:
            value = self._translated(self._picked(self._found(row, member)))
        except (MissingColumn, NoValue):
            if self.optional:
                return None
            raise
        return value

    def _found(self, row: Row, member: str) -> Json:
        if self.column is not None:
            return _lookup(row.values, self.column)
        if self.path is not None:
            return _walk(row.values, self.path)
        if self.template is not None:
            return "".join(
                text + (shown(_lookup(row.values, name)) if name else "")
                for text, name, _, _ in string.Formatter().parse(self.template)
            )
        if self.filename is not None:
            match = re.search(self.filename, member)
            if match is None:
                raise NoValue(f"the file name {member!r} does not match {self.filename!r}")
            return match.group(1)
        return self.constant

    def _picked(self, value: Json) -> Json:
        if self.pattern is None or value is None:
            return value
        match = re.search(self.pattern, shown(value))
        if match is None:
            raise NoValue(f"{shown(value)[:80]!r} does not match {self.pattern!r}")
        return match.group(1)

    def _translated(self, value: Json) -> Json:
        if self.values is None or value is None:
            return value
        if (key := shown(value)) not in self.values:
            raise NoValue(f"{key[:80]!r} is not among the mapped values: {', '.join(self.values)}")
        return self.values[key]


def _lookup(values: dict[str, Json], column: str) -> Json:
    if column not in values:
        raise MissingColumn(column)
    return values[column]


def _walk(values: dict[str, Json], path: str) -> Json:
    here: Json = values
    for number, step in enumerate(_steps(path)):
        if isinstance(step, int) and isinstance(here, list):
            if step >= len(here):
                raise NoValue(f"{path}: the list has {len(here)} items")
            here = here[step]
        elif isinstance(step, str) and isinstance(here, dict) and step in here:
            here = here[step]
        elif number == 0:
            raise MissingColumn(str(step))
        else:
            here_is = f"keys there: {', '.join(here)}" if isinstance(here, dict) else "there is no object with keys"
            raise NoValue(f"{path}: nothing at {step!r}; {here_is}")
    return here


def _steps(path: str) -> list[str | int]:
    parts = re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)
    return [int(index) if index else name for index, name in parts]


def shown(value: Json) -> str:
    """A value as text: true and false in lower case, whole numbers without a fraction, lists and objects as JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value)
