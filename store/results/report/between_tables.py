"""Tables between cells, arms and runs, and of what stands beside the grid."""

from collections.abc import Sequence

from store.results.printing import NOTHING, counted, fraction, percent, signed_points
from store.results.report.between_shape import Core, CrossCell, KindLine, RunPair
from store.results.report.sentences import NEEDS_TWO, interval_text, rate_text, resolution
from store.results.report.shape import Anchor, NearTies, ProbeLine, Report, ScorerPair
from store.results.report.tables import Section

UNDEFINED = "undefined"
_ARMS = "Differing: some run of one arm and some run of the other disagree. Re-roll: new deployments alone could do that."


def between_sections(report: Report) -> tuple[Section, ...]:
    """Tables between cells and between arms."""
    crossed = tuple(
        (
            f"{pair.b} − {pair.a}",
            rate_text(pair.flips, pair.of, pair.rate),
            percent(pair.floor),
            excess_text(pair),
            identical_text(pair.identical, pair.identical_of),
            NEEDS_TWO if pair.inside_fragile is None else fraction(pair.inside_fragile, pair.differing or 0),
            NEEDS_TWO if pair.stable_core is None else str(pair.stable_core.count),
        )
        for pair in report.cross_cell
    )
    arms = tuple(
        (
            f"{pair.a} | {pair.b}",
            str(pair.differing),
            NEEDS_TWO if pair.reroll is None else rate_text(pair.reroll, pair.differing, pair.reroll_share, digits=1),
            NEEDS_TWO if pair.stable_core is None else _core_text(pair.stable_core),
            {True: "yes", False: "no", None: NOTHING}[pair.same_core],
        )
        for pair in report.arms
    )
    groups = tuple((group.label, str(group.count), ", ".join(group.ids)) for group in report.signature_groups)
    return (
        Section(
            "Flips between cells",
            ("cells", "flips", "floor", "excess in points", "identical tokens", "re-roll of differing", "stable core"),
            crossed,
            "Floor: the mean of both cells' own flip rates. At the floor only if the interval of the excess covers 0."
            " Re-roll: differing questions that lie in the fragile set; the stable core is what is left.",
        ),
        difference_section(report),
        Section(
            "Arms, their cells pooled",
            ("arms", "differing questions", "re-roll", "stable core", "same core in every pair of cells"),
            arms,
            _ARMS,
        ),
        Section(
            "Signature groups",
            ("arms", "questions", "ids"),
            groups,
            "Outside the fragile set, constant in every run of each arm.",
        ),
    )


def difference_section(report: Report) -> Section:
    """Accuracy differences of all cell pairs, with both targets."""
    rows = []
    for pair in report.cross_cell:
        d = pair.difference
        rows.append(
            (
                f"{pair.b} − {pair.a}",
                signed_points(d.value),
                f"{d.questions:,} of {report.questions:,} questions",
                interval_text(d.ci_fixed),
                interval_text(d.ci_new),
                NOTHING if d.p is None else f"{d.p:.3f} / {d.p_holm:.3f} / {d.p_bh:.3f}",
                resolution(d),
            )
        )
    level = percent(report.options.level, 0)
    note = (
        f"In points, {level} intervals. Fixed questions: Welch on run accuracies, for new deployments. New questions: paired by"
        f" question (Tango with one run each). p of {counted(len(rows), 'cell pair')}: raw / Holm / Benjamini–Hochberg."
        " Unresolved is not equal."
    )
    header = ("cells", "difference", "base", "fixed questions", "new questions", "p", "seen")
    return Section("Accuracy differences", header, tuple(rows), note)


def kind_section(kinds: Sequence[KindLine]) -> Section:
    """Pairs of each kind together."""
    rows = tuple(
        (
            kind.kind,
            kind.among,
            f"{kind.pairs:,}",
            f"{kind.same_card:,} / {kind.other_card:,}",
            f"{kind.same_build:,} / {kind.other_build:,}",
            identical_text(kind.identical, kind.identical_of),
            flip_text(kind.flips, kind.of),
        )
        for kind in kinds
    )
    header = ("kind", "among", "pairs", "same / other card", "same / other build", "identical tokens", "flips")
    return Section("Pair kinds", header, rows, "Only fresh–fresh pairs of grid runs measure how far a cell repeats itself.")


def pair_section(pairs: Sequence[RunPair]) -> Section:
    """Single pairs of runs."""
    rows = tuple(
        (
            f"{pair.a} | {pair.b}",
            pair.kind,
            identical_text(pair.identical, pair.identical_of),
            identical_text(pair.identical_text, pair.identical_text_of),
            NOTHING if pair.answers_changed is None else fraction(pair.answers_changed, pair.answers_of),
            flip_text(pair.flips, pair.of),
            NOTHING if pair.gains is None else f"+{pair.gains:,} −{pair.losses:,}",
            pair.card,
        )
        for pair in pairs
    )
    header = ("runs", "kind", "identical tokens", "identical texts", "answers changed", "flips", "gains, losses", "card")
    return Section("Pairs of runs", header, rows, "Gains and losses read from the first run to the second.")


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
            tuple((r.question, r.kind, r.text, r.author, "yes" if r.in_fragile else "no") for r in report.annotations),
            _disputed_note(report),
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
        NOTHING if a.flips is None else f"{a.in_fragile} of {a.flips}",
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
        str(pair.in_fragile),
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
                NOTHING if s.swing is None else f"{s.swing:.3g} against {s.earlier_change or 0:.3g}",
                f"{s.swing_above_earlier} of {s.judged}",
                rate_text(s.smaller_steps, s.steps, s.smaller_steps / s.steps if s.steps else None, digits=1),
                f"{s.in_top_two} of {s.placed}",
                NOTHING if s.rank_test.p is None else f"{s.rank_test.p:.2g} (n = {s.rank_test.n})",
            )
        )
    header = (
        "cells", "divergences", "classes", "gap", "swing, earlier change", "swing above all earlier", "steps with such a gap",
        "in the other's top two", "rank test",
    )  # fmt: skip
    note = (
        "Nats. Gap: median [quartiles] over both sides; swing: median, against the median change of a gap at earlier steps."
        " Rank test: one divergence per question, p that gaps there rank no lower than gaps before it."
    )
    return Section("Near ties", header, tuple(rows), note)


def identical_text(count: int | None, of: int) -> str:
    """Identity with its base, or that it is undefined."""
    return UNDEFINED if count is None else rate_text(count, of, count / of if of else None, digits=1)


def _core_text(core: Core) -> str:
    rest = f", {core.undecided} undecided for want of a verdict" if core.undecided else ""
    rest += f", {core.split} on which cells of one arm disagree" if core.split else ""
    return f"{core.count}: " + ", ".join(f"{side} right on {n}" for side, n in core.right.items()) + rest


def flip_text(flips: int | None, of: int) -> str:
    """Flips with their base; a dash where nothing is scored on both sides."""
    return NOTHING if flips is None else rate_text(flips, of, flips / of if of else None)


def excess_text(pair: CrossCell) -> str:
    """Excess over the floor with its interval, in points."""
    return NEEDS_TWO if pair.excess is None else f"{signed_points(pair.excess)} {interval_text(pair.excess_ci)}"


def _disputed_note(report: Report) -> str:
    second = [cell for cell in report.cells if cell.without_disputed is not None]
    if not second:
        return "Remarks change no verdict and no denominator."
    said = "; ".join(
        f"{cell.cell} {percent(cell.without_disputed.mean)} on {cell.without_disputed.questions:,}"
        for cell in second
        if cell.without_disputed is not None
    )
    return f"Remarks change no verdict and no denominator. Second line, without questions of disputed gold: {said}."
