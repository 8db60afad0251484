"""Finding questions by what was asked or answered."""

from dataclasses import dataclass

from store.errors import StoreError, UsageError
from store.results.scope import Scope
from store.warehouse.open import Warehouse

MAX_PATTERN = 300
"""Characters of a pattern; longer ones are a mistake of copying."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A question that matches, and how many of its records do; 0 when only its own text does."""

    question_id: str
    records: int


@dataclass(frozen=True, slots=True)
class Usable:
    """A pattern was understood."""

    usable: bool


def matching(warehouse: Warehouse, scope: Scope, pattern: str) -> tuple[Hit, ...]:
    """Questions whose text or outputs match a regular expression (RE2: no look-around, time linear in the text).

    Raises UsageError on a pattern that is none, or is longer than `MAX_PATTERN`.
    """
    check_pattern(warehouse, pattern)
    return warehouse.records("search", Hit, study=scope.study.study, as_of=scope.as_of, pattern=pattern)


def check_pattern(warehouse: Warehouse, pattern: str) -> None:
    """Raises UsageError on a pattern that is none, or is longer than `MAX_PATTERN`."""
    if len(pattern) > MAX_PATTERN:
        raise UsageError(f"a pattern has at most {MAX_PATTERN} characters, this one {len(pattern):,}")
    try:
        warehouse.records("pattern", Usable, pattern=pattern)
    except StoreError as error:
        reason = str(error.__cause__).splitlines()[0].removeprefix("Invalid Input Error: ")
        raise UsageError(
            f"{pattern!r} is no regular expression: {reason}", fix="Patterns are RE2's, without look-around."
        ) from error
