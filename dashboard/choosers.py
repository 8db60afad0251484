"""Controls whose choice is a key of the link. Each is set from the link and writes it, so that Back and Forward move them."""

from collections.abc import Callable, Sequence

from dashboard.components.controls import Control
from dashboard.link import Link
from store.results.report.side import SHORT

Changed = str | int | None
"""What a further key of the link becomes with the choice."""


def segments(
    label: str, key: str, options: Sequence[str], link: Link, names: Callable[[str], str] = str, **also: Changed
) -> Control:
    """A choice of a few, side by side."""
    return Control("segments", label, key, _said(link, key), _change(key, also), tuple((o, names(o)) for o in options))


def select(
    label: str,
    key: str,
    options: Sequence[str],
    link: Link,
    names: Callable[[str], str] = str,
    empty: str | None = None,
    **also: Changed,
) -> Control:
    """A choice from a list. empty: the name of "no choice", where that is one."""
    nothing = [("", f"({empty or 'choose'})")] if empty is not None or _said(link, key) not in options else []
    shown = (*nothing, *((option, names(option)) for option in options))
    return Control("select", label, key, _said(link, key), _change(key, also), shown)


def words(label: str, key: str, link: Link, hint: str, **also: Changed) -> Control:
    """A line of text."""
    change = _change(key, also)
    return Control("words", label, key, _said(link, key), lambda before, value: change(before, value.strip()), hint=hint)


def switch(label: str, key: str, link: Link, hint: str, **also: Changed) -> Control:
    """Yes, or not said."""
    return Control("switch", label, key, _said(link, key), _change(key, also), hint=hint)


def leads_to(label: str, key: str, there: Link, possible: bool = True) -> Control:
    """A button that follows a link."""
    return Control("button", label, key, "" if possible else "off", lambda _, __: there)


def whole(side: str | None, names: Sequence[str]) -> str | None:
    """The one name that the beginning of a digest stands for, `SHORT` characters or more; else what was said."""
    if side is None or side in names or len(side) < SHORT:
        return side
    fitting = [name for name in names if name.startswith(side)]
    return fitting[0] if len(fitting) == 1 else side


def _said(link: Link, key: str) -> str:
    value = getattr(link, key)
    return "" if value is None else str(value)


def _change(key: str, also: dict[str, Changed]) -> Callable[[Link, str], Link]:
    return lambda before, value: before.with_(**{key: value or None}, **also)
