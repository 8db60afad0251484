"""Tables of what stands beside the grid: probe, anchor, scorers, annotations, near ties."""

from collections.abc import Sequence

from store.results.printing import NOTHING, counted, fraction, percent, points
from store.results.report.between_tables import identical_text
from store.results.report.sentences import rate_text
from store.results.report.shape import Anchor, NearTies, ProbeLine, Report, ScorerPair
from store.results.report.tables import Section

_YES = {True: "yes", False: "no", None: NOTHING}


def side_sections(report: Report) -> tuple[Section, ...]:
    """Probe, anchors, scorers, annotations and near ties; a study without them gets tables without rows."""
    anchors = (*([] if report.anchor is None else [report.anchor]), *report.further_anchors)
    return (
        Section(
            "In-process probe",
            ("deployment", "passes", "identical in all", "runs"),
            tuple(_probe_row(line) for line in (report.probe.deployments if report.probe else ())),
            "Questions with equal tokens in all passes of one process. Passes are not repeats.",
        ),
        Section(
            "Backend anchor",
            ("anchor | partner", "flips", "in the fragile set", "others", "identical tokens", "accuracy"),
            tuple(_anchor_row(anchor) for anchor in anchors),
            "One pair each, so there is no variance.",
        ),
        Section(
            "Scorers",
            ("run", "scorers", "disagree", "right by one only", "kinds", "in the fragile set"),
            tuple(_scorer_row(pair) for pair in report.extractors),
            "Same outputs, two scorers: nothing here is inference.",
        ),
        Section(
            "Annotations",
            ("question", "kind", "remark", "author", "fragile"),
            tuple((r.question, r.kind, r.text, r.author, _YES[r.in_fragile]) for r in report.annotations),
            "Remarks change no verdict and no denominator.",
        ),
        Section(
            "Accuracy without disputed golds",
            ("cell", "accuracy", "base"),
            tuple(
                (
                    cell.cell,
                    f"{percent(cell.without_disputed.mean)} ± {points(cell.without_disputed.sd)}",
                    f"{cell.without_disputed.questions:,} questions",
                )
                for cell in report.cells
                if cell.without_disputed is not None
            ),
            "A second line beside the accuracy above, which counts every question.",
        ),
        near_tie_section(report.near_ties),
    )


def _probe_row(line: ProbeLine) -> tuple[str, ...]:
    return (line.deployment, str(len(line.passes)), identical_text(line.identical, line.of), ", ".join(line.passes))


def _anchor_row(a: Anchor) -> tuple[str, ...]:
    accuracies = [percent(right / a.of if a.of else None) for right in (a.correct, a.partner_correct)]
    return (
        f"{a.run} | {a.partner}",
        NOTHING if a.flips is None else fraction(a.flips, a.of),
        NOTHING if a.in_fragile is None else f"{a.in_fragile} of {a.flips}",
        ", ".join(a.others) or "none",
        identical_text(a.identical, a.identical_of),
        f"{' | '.join(accuracies)} ({a.correct:,} | {a.partner_correct:,} of {a.of:,})",
    )


def _scorer_row(pair: ScorerPair) -> tuple[str, ...]:
    return (
        pair.run,
        f"{pair.a} | {pair.b}",
        rate_text(pair.disagree, pair.of, pair.rate),
        f"{pair.right_a_only} | {pair.right_b_only}",
        ", ".join(f"{kind} {n}" for kind, n in pair.kinds.items()) or "none",
        NOTHING if pair.in_fragile is None else str(pair.in_fragile),
    )


def near_tie_section(ties: Sequence[NearTies]) -> Section:
    """Gaps and swings at first divergences."""
    rows = []
    for tie in ties:
        s = tie.summary
        rows.append(
            (
                tie.a if tie.a == tie.b else f"{tie.a} | {tie.b}",
                f"{counted(s.divergences, 'divergence')} on {counted(tie.questions, 'question')}",
                ", ".join(f"{kind} {n}" for kind, n in s.classes.items()),
                NOTHING if s.gap is None else f"{s.gap[1]:.3g} [{s.gap[0]:.3g}, {s.gap[2]:.3g}]",
                NOTHING
                if s.swing is None
                else f"{s.swing:.3g} against {NOTHING if s.earlier_change is None else format(s.earlier_change, '.3g')}",
                f"{s.swing_above_earlier} of {s.judged}",
                rate_text(s.smaller_steps, s.steps, s.smaller_steps / s.steps if s.steps else None, digits=1),
                f"{s.in_top_two} of {s.placed}",
                NOTHING if s.rank_test.p is None else f"{s.rank_test.p:.2g} (n = {s.rank_test.n})",
            )
        )
    header = (
        "cells", "divergences", "classes", "gap", "swing, earlier change", "swing above all earlier", "steps with as"
        " small a gap",
        "in the other's top two", "rank test",
    )  # fmt: skip
    note = (
        "Nats. Gap: median [quartiles] over both sides; swing: median, against the median change of a gap at earlier"
        " steps. As small:"
        " no larger than the smaller of both sides' gaps. Rank test: one divergence per question, those at the first"
        " token left out;"
        " p that gaps there rank no lower than gaps before it."
    )
    return Section("Near ties", header, tuple(rows), note)
