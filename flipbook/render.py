"""Tables of text as a terminal, Markdown or LaTeX shows them."""

import re
from collections.abc import Sequence
from enum import StrEnum

import click

from flipbook.console import print_table, say
from store.errors import UsageError
from store.results.findings import Finding
from store.results.printing import plain
from store.results.report.markdown import markdown
from store.results.report.sections import finding_section
from store.results.report.tables import Section

BEYOND_LATEX = 0x250
"""Characters from here on have no glyph in LaTeX's usual fonts; those without a spelling above become a question mark."""

WIDE = 36
"""Characters from which a LaTeX column is set as a paragraph."""

_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "≥": r"$\geq$", "≤": r"$\leq$", "±": r"$\pm$",
    "×": r"$\times$", "∞": r"$\infty$", "≠": r"$\neq$", "–": "--", "—": "---", "→": r"$\to$", "Δ": r"$\Delta$", "…": r"\dots{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "·": r"$\cdot$",
}  # fmt: skip


class Form(StrEnum):
    """How tables are printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    LATEX = "latex"


def show(head: str, sections: Sequence[Section], findings: Sequence[Finding], form: Form, only: Sequence[str]) -> None:
    """Print tables: results to stdout, notes and findings of the text form to stderr.

    only: words of titles that are wanted, none for all. Tables without rows are left out. Raises UsageError when a
    word is in no title.
    """
    everything = [*sections, finding_section(tuple(findings))] if form is not Form.TEXT else list(sections)
    chosen = [section for section in _chosen(everything, only) if section.rows]
    if form is not Form.TEXT:
        click.echo(markdown(head, chosen) if form is Form.MARKDOWN else latex(head, chosen))
        return
    click.echo(plain(head))
    for section in chosen:
        print_table(section.header, section.rows, title=section.title)
        say(section.note)
    for finding in findings:
        say(f"! {finding.text}")


def latex(head: str, sections: Sequence[Section]) -> str:
    r"""`table*` environments with booktabs rules and a label each; notes stand below the table."""
    return "\n\n".join([f"% {plain(head)}\n% needs \\usepackage{{booktabs}}", *map(_latex, sections)])


def _chosen(sections: Sequence[Section], only: Sequence[str]) -> list[Section]:
    titles = ", ".join(repr(section.title) for section in sections)
    for word in only:
        if not any(word.casefold() in section.title.casefold() for section in sections):
            raise UsageError(f"no table has {word!r} in its title", fix=f"Titles: {titles}.")
    return [s for s in sections if not only or any(word.casefold() in s.title.casefold() for word in only)]


def _latex(section: Section) -> str:
    label = re.sub(r"[^a-z0-9]+", "-", section.title.casefold()).strip("-")
    return "\n".join(
        [
            r"\begin{table*}",
            r"\centering\small",
            rf"\caption{{{_tex(section.title)}.}}\label{{tab:{label}}}",
            rf"\begin{{tabular}}{{{_columns(section)}}}",
            r"\toprule",
            "{}" + " & ".join(map(_tex, section.header)) + r" \\",
            r"\midrule",
            # {} because a row that begins with [ or * would be read as an argument of the line end before it
            *("{}" + " & ".join(map(_tex, row)) + r" \\" for row in section.rows),
            r"\bottomrule",
            r"\end{tabular}",
            *([rf"\par\smallskip\footnotesize {_tex(section.note)}"] if section.note else []),
            r"\end{table*}",
        ]
    )


def _columns(section: Section) -> str:
    """`l` for names, `r` for numbers, a paragraph of a fair share of the width for long text."""
    widths = [max(len(row[i]) for row in (section.header, *section.rows)) for i in range(len(section.header))]
    wide = sum(width > WIDE for width in widths)
    share = 0.6 / max(wide, 1)
    kinds = []
    for i, width in enumerate(widths):
        number = all(row[i][:1].isdigit() or row[i][:1] in "+−—" for row in section.rows)
        kinds.append(rf"p{{{share:.2f}\linewidth}}" if width > WIDE else "r" if number else "l")
    return "".join(kinds)


def _tex(text: str) -> str:
    return "".join(_LATEX.get(c, c if c.isprintable() and ord(c) < BEYOND_LATEX else "?") for c in text)
