"""Tables of text as a terminal, Markdown or LaTeX shows them."""

import re
from collections.abc import Iterable, Sequence

from flipbook.console import print_table, say
from store.results.report.tables import Section

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "≥": r"$\geq$", "≤": r"$\leq$", "±": r"$\pm$",
    "×": r"$\times$", "∞": r"$\infty$", "≠": r"$\neq$", "–": "--", "—": "---", "→": r"$\to$", "Δ": r"$\Delta$", "…": r"\dots{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip


def show_section(section: Section) -> None:
    """A table on the terminal, its title above and its note on stderr; nothing for a table without rows."""
    if section.rows:
        print_table(section.header, section.rows, title=section.title)
        say(section.note)


def markdown(head: str, sections: Iterable[Section]) -> str:
    """GitHub-flavoured tables, each below a heading; text from data cannot end a cell or start a tag."""
    return "\n\n".join([_md(head), *(_markdown(section) for section in sections if section.rows)])


def latex(head: str, sections: Iterable[Section]) -> str:
    r"""`table` environments with booktabs rules; needs \usepackage{booktabs}."""
    return "\n\n".join([f"% {_plain(head)}", *(_latex(section) for section in sections if section.rows)])


def _markdown(section: Section) -> str:
    lines = [f"## {_md(section.title)}", "", _md_row(section.header), _md_row(["---"] * len(section.header), raw=True)]
    lines += [_md_row(row) for row in section.rows]
    return "\n".join([*lines, *(["", _md(section.note)] if section.note else [])])


def _md_row(cells: Sequence[str], raw: bool = False) -> str:
    return "| " + " | ".join(cells if raw else [_md(cell) for cell in cells]) + " |"


def _md(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|#~$!&])", r"\\\1", _plain(text))


def _latex(section: Section) -> str:
    rows = [" & ".join(map(_tex, row)) + r" \\" for row in section.rows]
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{_tex(section.title)}. {_tex(section.note)}}}",
            rf"\begin{{tabular}}{{{'l' * len(section.header)}}}",
            r"\toprule",
            " & ".join(map(_tex, section.header)) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _plain(text: str) -> str:
    """One line without characters that steer a terminal or end a comment."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _tex(text: str) -> str:
    return "".join(_LATEX.get(c, c if c.isprintable() else "?") for c in text)
