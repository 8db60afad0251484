"""Numbers as people read them: rounded half to even, from unrounded values, a dash for what is not there."""

from decimal import ROUND_HALF_EVEN, Decimal

NOTHING = "—"


def percent(rate: float | None, digits: int = 2) -> str:
    """0.95086 as `95.09 %`."""
    return NOTHING if rate is None else f"{_rounded(rate * 100, digits)} %"


def points(rate: float | None, digits: int = 2) -> str:
    """A spread or difference of rates in percentage points: 0.0017 as `0.17 pt`."""
    return NOTHING if rate is None else f"{_rounded(rate * 100, digits)} pt"


def level_text(level: float) -> str:
    """0.95 as `95 %`, 0.975 as `97.5 %`: as many digits as it has."""
    return f"{100 * level:.6g} %"


def p_text(p: float | None) -> str:
    """A p-value with three decimals, never 0."""
    return NOTHING if p is None else "< 0.001" if p < 0.0005 else f"{p:.3f}"


def signed_points(rate: float | None, digits: int = 2) -> str:
    """A difference with its sign: `+0.14 pt`, `−0.02 pt`."""
    if rate is None:
        return NOTHING
    return f"{'−' if rate < 0 else '+'}{points(abs(rate), digits)}"


def counted(number: int, noun: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def fraction(part: int, whole: int) -> str:
    """`1,254 / 1,319`."""
    return f"{part:,} / {whole:,}"


def plain(text: str) -> str:
    """Text from data on one line, without characters that would steer a terminal, hide or turn text."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _rounded(value: float, digits: int) -> str:
    return str(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN))
