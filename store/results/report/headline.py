"""The study in one sentence: what fresh deployments of one cell differ in, and how far cells lie apart."""

from store.results.printing import counted, percent
from store.results.report.cell_shape import Cell
from store.results.report.sentences import rate_text
from store.results.report.shape import Report


def headline(report: Report) -> str | None:
    """Outputs and verdicts that differ, over all run pairs within cells, and the span of mean accuracies.

    Outputs are token sequences where any are comparable, else texts. Null when no cell has two deployments with a verdict.
    """
    repeated = [cell for cell in report.cells if cell.flips.count is not None and cell.flips.of]
    if not repeated:
        return None
    flips, of = sum(cell.flips.count or 0 for cell in repeated), sum(cell.flips.of for cell in repeated)
    verdicts, outputs = rate_text(flips, of, flips / of), _outputs(repeated)
    said = f"{outputs}, verdicts in {verdicts}" if outputs else f"verdicts differ in {verdicts}"
    means = [cell.accuracy.mean for cell in repeated if cell.accuracy.mean is not None]
    span = f" Mean accuracy of {counted(len(means), 'cell')}: {percent(min(means))} to {percent(max(means))}." if means else ""
    return f"Between two fresh deployments of one cell {said} of pair-questions.{span}"


def _outputs(cells: list[Cell]) -> str | None:
    for what, found in (("token sequences", [c.identity for c in cells]), ("texts", [c.identity_text for c in cells])):
        known = [identity for identity in found if identity.identical is not None and identity.of]
        if known:
            of = sum(identity.of for identity in known)
            differ = of - sum(identity.identical or 0 for identity in known)
            return f"{what} differ in {rate_text(differ, of, differ / of)}"
    return None
