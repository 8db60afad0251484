"""Tables between cells, arms and runs."""

from collections.abc import Sequence

from store.analysis.accuracy import ONE_DEPLOYMENT
from store.results.printing import NOTHING, fraction, level_text, p_text, percent, signed_points
from store.results.report.between_shape import Core, CrossCell, KindLine, RunPair, Signature
from store.results.report.sentences import interval_text, rate_text, resolution
from store.results.report.shape import Report
from store.results.report.tables import Section

UNDEFINED = "undefined"


def between_sections(report: Report) -> tuple[Section, ...]:
    """Tables between cells and between arms."""
    crossed = tuple(
        (
            f"{pair.b} − {pair.a}",
            rate_text(pair.flips, pair.of, pair.rate),
            percent(pair.floor),
            excess_text(pair),
            identical_text(pair.identical, pair.identical_of),
            ONE_DEPLOYMENT if pair.inside_fragile is None else fraction(pair.inside_fragile, pair.differing or 0),
            ONE_DEPLOYMENT if pair.stable_core is None else _core_size(pair.stable_core),
        )
        for pair in report.cross_cell
    )
    arms = tuple(
        (
            f"{pair.a} | {pair.b}",
            NOTHING if pair.differing is None else fraction(pair.differing, pair.common),
            ONE_DEPLOYMENT if pair.reroll is None else rate_text(pair.reroll, pair.differing or 0, pair.reroll_share, digits=1),
            ONE_DEPLOYMENT if pair.stable_core is None else _core_text(pair.stable_core),
            {True: "yes", False: "no", None: NOTHING}[pair.same_core],
        )
        for pair in report.arms
    )
    pools = tuple(
        (
            pool.arm,
            ", ".join(pool.cells),
            str(pool.deployments),
            NOTHING if pool.unstable is None else fraction(pool.unstable, pool.of),
            NOTHING if pool.chao2 is None else f"{pool.chao2:.1f}",
        )
        for pool in report.arm_pools
        if pool.deployments > 1
    )
    return (
        Section(
            "Flips between cells",
            ("cells", "flips", "floor", "excess in points", "identical tokens", "re-roll of differing", "stable core"),
            crossed,
            "Floor: the mean of both cells' own flip rates. At the floor only if the interval of the excess covers 0."
            " Re-roll: differing questions that lie in the fragile set; stable core: the others on which both cells"
            " are constant.",
        ),
        difference_section(report),
        Section(
            "Arms",
            ("arm", "cells", "deployments", "unstable over all its runs", "at least"),
            pools,
            "Cells of an arm pooled, although they may differ by more than luck; at least: Chao2, a lower bound.",
        ),
        Section(
            "Arms against each other",
            ("arms", "differing questions", "re-roll", "stable core", "same core in every pair of cells"),
            arms,
            "Differing: some run of one arm and some run of the other disagree. Re-roll: those in the fragile set, which new"
            " deployments alone could do. Core: outside it, each arm constant in all its runs.",
        ),
        _group_section("Signature groups", report.signature_groups, report.signature_undecided),
        _group_section("Signature groups by answer", report.answer_signature_groups, report.signature_undecided),
    )


def _group_section(title: str, groups: Sequence[Signature], undecided: int) -> Section:
    rows = tuple((group.label, str(group.count), ", ".join(group.ids)) for group in groups)
    left = f" In no group for want of a verdict in some run: {undecided:,}." if undecided else ""
    note = f"Outside the fragile set, constant in every run of each arm.{left}"
    return Section(title, ("arms", "questions", "ids"), rows, note)


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
                NOTHING if d.p is None else " / ".join(p_text(p) for p in (d.p, d.p_holm, d.p_bh)),
                resolution(d),
                NOTHING if d.needed is None else f"{d.needed:,}",
            )
        )
    level = level_text(report.options.level)
    tested = sum(pair.difference.p is not None for pair in report.cross_cell)
    note = (
        f"In points, {level} intervals. Fixed questions: Welch on run accuracies, for new deployments. New questions:"
        " paired by question"
        f" (Tango with one run each). p: Welch (exact McNemar with one run each), raw / Holm / Benjamini–Hochberg over"
        f" {tested} pairs."
        " Resolved speaks of one pair alone and takes a cell that never varied at its word; for a claim over all pairs"
        " read the adjusted p."
        " Unresolved is not equal. Needed: deployments per cell that would resolve a difference of this size."
    )
    header = ("cells", "difference", "base", "fixed questions", "new questions", "p", "seen", "deployments needed")
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
    note = (
        "Only fresh–fresh pairs of grid runs measure how far a cell repeats itself. Other roles: a probe, builder,"
        " loader or anchor is"
        " in the pair. Of a deployment with several passes the first counts, but for same-process pairs."
    )
    return Section("Pair kinds", header, rows, note)


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


def identical_text(count: int | None, of: int) -> str:
    """Identity with its base, or that it is undefined."""
    return UNDEFINED if count is None else rate_text(count, of, count / of if of else None, digits=1)


def _core_size(core: Core) -> str:
    return f"{core.count}, {core.undecided} undecided for want of a verdict" if core.undecided else str(core.count)


def _core_text(core: Core) -> str:
    rest = f", {core.undecided} undecided for want of a verdict" if core.undecided else ""
    rest += f", {core.split} on which cells of one arm disagree" if core.split else ""
    return f"{core.count}: " + ", ".join(f"{side} right on {n}" for side, n in core.right.items()) + rest


def flip_text(flips: int | None, of: int) -> str:
    """Flips with their base; a dash where nothing is scored on both sides."""
    return NOTHING if flips is None else rate_text(flips, of, flips / of if of else None)


def excess_text(pair: CrossCell) -> str:
    """Excess over the floor with its interval, in points."""
    if pair.rate is None:
        return NOTHING
    return ONE_DEPLOYMENT if pair.excess is None else f"{signed_points(pair.excess)} {interval_text(pair.excess_ci)}"
