"""Tables as GitHub-flavoured Markdown, for a review or a paper."""

import re
from collections.abc import Sequence

from store.results.printing import plain
from store.results.report.tables import Section


def markdown(head: str, sections: Sequence[Section]) -> str:
    """Tables below a heading each; text from data cannot end a cell or start a tag."""
    return "\n\n".join([escaped(head), *map(_table, sections)])


def escaped(text: str) -> str:
    """Text that Markdown shows as it is: no tag, no emphasis, no address that becomes a link by itself."""
    shown = re.sub(r"([\\`*_\[\]<>|#~$!&@])", r"\\\1", plain(text))
    return shown.replace("://", "\\://").replace("www.", "www\\.")


def _table(section: Section) -> str:
    lines = [f"## {escaped(section.title)}", "", _row(section.header), _row(["---"] * len(section.header), raw=True)]
    lines += [_row(row) for row in section.rows]
    return "\n".join([*lines, *(["", escaped(section.note)] if section.note else [])])


def _row(cells: Sequence[str], raw: bool = False) -> str:
    return "| " + " | ".join(cells if raw else [escaped(cell) for cell in cells]) + " |"
