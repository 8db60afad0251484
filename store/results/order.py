"""The one order in which labels are listed: digits by value, so that cap8 stands before cap32."""

import re

_DIGITS = re.compile(r"(\d+)")


def natural(label: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key of a label; total and deterministic for any two strings."""
    parts = _DIGITS.split(label)
    return (*((1, int(p), "") if p.isdecimal() else (0, 0, p.casefold()) for p in parts), (2, 0, label))
