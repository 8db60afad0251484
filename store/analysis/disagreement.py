"""Two scorers of one output: why their verdicts differ (METHOD: scorer disagreement)."""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from store.extractors.canonical import number

FALLBACK = "last_number"
_NUMBERS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_ANSWER_LINE = re.compile(r"answer is", re.IGNORECASE)


class DisagreementKind(StrEnum):
    """Computed from what both read; the first that fits counts, in this order."""

    DECIMAL = "format-decimal"
    THOUSANDS = "format-thousands"
    CURRENCY = "format-currency/unit"
    PUNCTUATION = "format-punctuation"
    SIGN = "sign"
    NO_MATCH_B = "no-match-harness"
    NO_MATCH_A = "no-match-ours"
    FALLBACK = "fallback-picked-other-number"
    MULTIPLE = "multiple-answers"
    TRUNCATED = "truncated"
    GOLD = "gold-format"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Scored:
    """What one scorer read: the string as found (null when nothing was) and the step that found it."""

    extracted: str | None
    path: str


def disagreement_kind(ours: Scored, theirs: Scored, gold: str | None, text: str | None, truncated: bool) -> DisagreementKind:
    """Why `ours` and `theirs` gave different verdicts on one output.

    The format kinds need numerically equal readings: spelled differently by the two, or read alike in another
    spelling than the canonical one. `gold-format`: read alike and canonical, the gold is not. `sign`: equal magnitudes.
    """
    a, b = _read(ours.extracted), _read(theirs.extracted)
    if a is not None and b is not None:
        x, y = _value(a), _value(b)
        if x is not None and x == y:
            return _spelling(a, b, gold)
        if x is not None and y is not None and x == -y and x != 0:
            return DisagreementKind.SIGN
    if b is None and a is not None:
        return DisagreementKind.NO_MATCH_B
    if a is None and b is not None:
        return DisagreementKind.NO_MATCH_A
    if a is not None and b is not None and a.strip() != b.strip():
        if FALLBACK in (ours.path, theirs.path) or "flexible" in theirs.path:
            return DisagreementKind.FALLBACK
        if text is not None and len(_ANSWER_LINE.findall(text)) > 1:
            return DisagreementKind.MULTIPLE
    if truncated:
        return DisagreementKind.TRUNCATED
    return DisagreementKind.OTHER


def _read(extracted: str | None) -> str | None:
    """Null for what harnesses write when they found nothing."""
    return None if extracted is None or extracted.strip() in ("", "[invalid]") else extracted


def _value(raw: str) -> Decimal | None:
    """Numeric value; units around a single number are ignored, since they are one of the kinds."""
    plain = number(raw)
    if plain is None:
        inside = _NUMBERS.findall(raw)
        plain = number(inside[0]) if len(inside) == 1 else None
        if plain is not None and raw[: raw.find(inside[0])].rstrip(" $").endswith(("-", "\u2212")):
            plain = f"-{plain}"
    return None if plain is None else Decimal(plain)


def _spelling(a: str, b: str, gold: str | None) -> DisagreementKind:
    """Why numerically equal readings are scored differently."""
    plain = number(a)
    if a.strip() != b.strip():
        return _format(a, b)
    if plain is not None and plain != a.strip():
        return _format(a, plain)
    return DisagreementKind.GOLD if gold is not None and number(gold) != gold.strip() else DisagreementKind.OTHER


def _format(a: str, b: str) -> DisagreementKind:
    bare_a, bare_b = (side.strip().rstrip(".,;:!").strip() for side in (a, b))
    if bare_a == bare_b:
        return DisagreementKind.PUNCTUATION
    plain_a, plain_b = (re.sub(r"[^\d.,+\-\u2212]", "", side).strip(".") for side in (bare_a, bare_b))
    if plain_a == plain_b:
        return DisagreementKind.CURRENCY
    no_commas = plain_a.replace(",", ""), plain_b.replace(",", "")
    return DisagreementKind.THOUSANDS if no_commas[0] == no_commas[1] else DisagreementKind.DECIMAL
