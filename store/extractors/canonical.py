"""Canonical answers: the form in which two answers are compared (METHOD: answers and extraction)."""

import re
from decimal import Decimal, InvalidOperation
from typing import Literal

Canonical = Literal["number", "letter", "word"]

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
_LETTER = re.compile(r"^\(?\s*([A-Za-z])\s*\)?\.?$")
MAX_NUMBER_CHARS = 4_000


def number(raw: str) -> str | None:
    """Exact decimal without `$`, `,`, spaces, a trailing `.` and trailing zeros of the fraction; `12.00` is `12`.

    None when what remains is not a plain decimal. Never a float: `0.1` stays `0.1` and no digit is lost.
    """
    bare = re.sub(r"[$,\s]", "", raw).rstrip(".").replace("\u2212", "-")
    if len(bare) > MAX_NUMBER_CHARS or not _NUMBER.fullmatch(bare):
        return None
    try:
        text = format(Decimal(bare), "f")
    except InvalidOperation:
        return None
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    text = text.lstrip("+")
    return "0" if text in ("-0", "") else text


def letter(raw: str) -> str | None:
    """One choice letter, upper case, without brackets or a trailing dot; None for anything else."""
    found = _LETTER.match(raw.strip())
    return found.group(1).upper() if found else None


def word(raw: str) -> str | None:
    """Case-folded text with single spaces and without a trailing dot; None when nothing is left."""
    return " ".join(raw.casefold().split()).rstrip(".").strip() or None


def canonical(kind: Canonical, raw: str) -> str | None:
    """Canonical form of `raw` under `kind`, None when it has none."""
    match kind:
        case "number":
            return number(raw)
        case "letter":
            return letter(raw)
        case "word":
            return word(raw)
