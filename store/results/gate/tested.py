"""Gates that test: accuracy not worse by a margin, first divergence not earlier by a ratio."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from store.analysis.decision import Status, above
from store.analysis.detectable import repeats_needed
from store.analysis.divergence import EQUAL
from store.analysis.interval import Conventions, Interval, Target
from store.analysis.noninferior import difference_bounds, noise_rate, repeats_for_new_questions
from store.analysis.pairs_within import comparable
from store.analysis.panel import BoolArray, FloatArray, IntArray, Panel
from store.analysis.restricted_mean import Partings, is_known, mean_ratio, watched_until
from store.analysis.verdicts import CORRECT, INCORRECT, VerdictArray
from store.contract.gates import AccuracyGate, FirstDivergenceGate
from store.results.gate.result import result, unless_partial
from store.results.gate.shape import Bounds, Culprit, GateResult
from store.results.gate.sides import Compared
from store.results.printing import counted, fraction, level_text, signed_points
from store.results.report.difference import FIXED_SPREAD, with_t_penalty
from store.results.study import StudyData

POINTS = 100


def accuracy_gate(sides: Compared, gate: AccuracyGate, asked: BoolArray) -> GateResult:
    """Candidate less baseline, on the questions asked that are scored in every run of both."""
    base = np.logical_and.reduce([asked, *(sides.old.verdicts >= INCORRECT), *(sides.new.verdicts >= INCORRECT)])
    old, new = (np.asarray(panel.verdicts[:, base]) for panel in (sides.old, sides.new))
    n, questions = int(base.sum()), int(asked.sum())
    target, margin = sides.gate_set.target, gate.margin_points / POINTS
    sides_level = level_text(1 - gate.alpha)
    rule = f"candidate − baseline above −{gate.margin_points:.12g} pt: its one-sided {sides_level} lower bound, for {target}"
    if n == 0:
        return result(gate, rule, questions, Status.NOT_EVALUABLE, "no question is scored in every run of both")
    value = float((new == CORRECT).mean() - (old == CORRECT).mean())
    on = f"on {n:,} questions" if n == questions else f"on {n:,} of {questions:,} questions"
    counts = [fraction(int((side == CORRECT).sum()), side.size) for side in (new, old)]
    said = f"{signed_points(value)} {on}: {counts[0]} correct against {counts[1]}"
    bounds = difference_bounds(old, new, margin, gate.alpha, target)
    if bounds is None:
        status = Status.INCONCLUSIVE
        said += "; no bound: fixed questions need ≥ 2 deployments on each side"
    else:
        status = above(bounds.low, bounds.high, -margin)
        said += f"; one-sided {sides_level} bounds {signed_points(bounds.low)} and {signed_points(bounds.high)}"
    if status is Status.INCONCLUSIVE:
        said += _more(old, new, gate, target)
    status = unless_partial(status, questions - n)
    return result(
        gate, rule, questions, status, said, value=POINTS * value, unit="points", bounds=_in_points(bounds),
        base=(int((new == CORRECT).sum()), new.size), culprits=_lost(sides, base),
    )  # fmt: skip


def _in_points(bounds: Interval | None) -> Bounds | None:
    if bounds is None:
        return None
    low, high = POINTS * bounds.low, POINTS * bounds.high
    return Bounds(low, high, bounds.level, bounds.target, bounds.method, bounds.assumes)


def _more(old: VerdictArray, new: VerdictArray, gate: AccuracyGate, target: Target) -> str:
    """How many deployments would settle it, if the two sides were equally good."""
    have = f"there are {len(old)} and {len(new)}"
    if min(len(old), len(new)) < 2:
        return "; how many deployments would settle it is not known from one"
    needed = _needed(old, new, gate, target)
    if needed is None:
        return f"; no number of deployments settles it on so few questions; {have}"
    if needed <= min(len(old), len(new)):
        return f"; by the plan {needed} per side would do, and {have}: the difference lies too close to the margin"
    settle = f"{counted(needed, 'deployment')} per side settle it with a power of {gate.power:g}"
    return f"; if both are equally good, {settle}; {have}"


def _needed(old: VerdictArray, new: VerdictArray, gate: AccuracyGate, target: Target) -> int | None:
    margin = gate.margin_points / POINTS
    if target == "new questions":
        return with_t_penalty(repeats_for_new_questions(old, new, margin, gate.alpha, gate.power))
    rates = [noise_rate(side, gate.alpha) or 0.0 for side in (old, new)]
    plan = Conventions(0.5, 2 * gate.alpha, gate.power)  # the size is one-sided, a plan's is two-sided
    return with_t_penalty(repeats_needed(rates[0], rates[1], old.shape[1], margin, FIXED_SPREAD, plan))


def _lost(sides: Compared, base: BoolArray) -> list[Culprit]:
    """Questions that the candidate gets right less often, the largest loss first."""
    old, new = (panel.verdicts[:, base] == CORRECT for panel in (sides.old, sides.new))
    loss = old.mean(axis=0) - new.mean(axis=0)
    ids = [sides.data.questions[q] for q in np.flatnonzero(base)]
    order = sorted(np.flatnonzero(loss > 0).tolist(), key=lambda q: (-loss[q], q))
    culprits = []
    for q in order:
        runs = tuple(sides.new.runs[r] for r in np.flatnonzero(~new[:, q]))
        had, has = fraction(int(old[:, q].sum()), len(old)), fraction(int(new[:, q].sum()), len(new))
        culprits.append(Culprit(ids[q], runs, f"correct in {has} candidate deployments, {had} of the baseline"))
    return culprits


def first_divergence_gate(sides: Compared, gate: FirstDivergenceGate, asked: BoolArray) -> GateResult:
    """New against old beside old against old: mean tokens to the first divergence, equal outputs censored at their end."""
    target, horizon, questions = sides.gate_set.target, gate.horizon_tokens, int(asked.sum())
    level = level_text(1 - gate.alpha)
    rule = (
        f"mean first divergence up to token {horizon:,}, candidate from baseline over baseline from itself, above"
        f" {gate.ratio_above:.12g}: its one-sided {level} lower bound, for {target}"
    )
    if len(sides.old.runs) < 2:
        return result(gate, rule, questions, Status.INCONCLUSIVE, "needs ≥ 2 baseline deployments to compare with each other")
    cross, within = _cross(sides, asked), _within(sides, asked)
    unknown = cross.unknown + within.unknown
    if short := [group.partings for group in (cross, within) if not is_known(group.partings, horizon)]:
        until = min(watched_until(group) for group in short)
        said = f"no pair-question is watched up to token {horizon:,}; the last equal ones end at {until:,}"
        said = "no pair-question has tokens that can be compared" if until < 0 else said
        return result(gate, rule, questions, Status.NOT_EVALUABLE, said)
    runs = len(sides.old.runs), len(sides.new.runs)
    try:
        found = mean_ratio(cross.partings, within.partings, runs, horizon, gate.ratio_above, gate.alpha, target)
    except ValueError as error:
        return result(gate, rule, questions, Status.NOT_EVALUABLE, str(error))
    said = (
        f"ratio {found.ratio:.3f}: {found.cross:.1f} tokens over {len(cross.partings.time):,} pair-questions,"
        f" against {found.within:.1f} over {len(within.partings.time):,} within the baseline"
    )
    said += f"; {unknown:,} pair-questions cannot be compared" if unknown else ""
    status, bounds = Status.INCONCLUSIVE, None
    if found.low is None or found.high is None:
        said += f"; {found.why}"
    else:
        status = above(found.low, found.high, gate.ratio_above)
        said += f"; one-sided {level} bounds {found.low:.3f} and {found.high:.3f}"
        bounds = Bounds(found.low, found.high, 1 - 2 * gate.alpha, target, found.method, found.assumes)
    sooner = _sooner(sides, cross.partings, within.partings, horizon)
    return result(
        gate, rule, questions, unless_partial(status, unknown), said,
        value=found.ratio, unit="ratio", bounds=bounds, culprits=sooner,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Group:
    """Partings of one group of run pairs, and how many of its pair-questions cannot be compared."""

    partings: Partings
    unknown: int


def _cross(sides: Compared, asked: BoolArray) -> _Group:
    return _group(sides.data, sides.old, sides.new, product(range(len(sides.old.runs)), range(len(sides.new.runs))), asked)


def _within(sides: Compared, asked: BoolArray) -> _Group:
    return _group(sides.data, sides.old, sides.old, combinations(range(len(sides.old.runs)), 2), asked)


def _group(data: StudyData, one: Panel, two: Panel, pairs: Iterable[tuple[int, int]], asked: BoolArray) -> _Group:
    """First divergences of run pairs (row of `one`, row of `two`) on the questions asked."""
    parts: list[tuple[IntArray, ...]] = []
    unknown = 0
    for i, j in pairs:
        panel = data.panel.rows([one.runs[i], two.runs[j]])
        base = asked & comparable(panel.tokens, panel.domain, 0, 1)
        unknown += int((asked & ~base).sum())
        at = np.flatnonzero(base)
        parted = data.tokens.divergences(at, panel.tokens[0, at], panel.tokens[1, at])
        ends = data.tokens.lengths[data.tokens.row_of[at, panel.tokens[0, at]]]
        time = np.where(parted == EQUAL, ends, parted)
        parts.append((at, np.full(len(at), i), np.full(len(at), j), time, parted != EQUAL))
    question, left, right, time, parted = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _Group(Partings(question, left, right, time, parted.astype(np.bool_)), unknown)


def _sooner(sides: Compared, cross: Partings, within: Partings, horizon: int) -> list[Culprit]:
    """Questions on which the candidate parts sooner than the baseline does from itself, the largest loss of tokens first."""
    means = [_mean_by_question(group, len(sides.data.questions), horizon) for group in (cross, within)]
    loss = means[1] - means[0]
    order = sorted(np.flatnonzero(loss > 0).tolist(), key=lambda q: (-loss[q], q))
    return [
        Culprit(
            sides.data.questions[q],
            tuple(sides.new.runs[r] for r in np.unique(cross.right[(cross.question == q) & cross.parted])),
            f"equal for {means[0][q]:.1f} tokens on average, {means[1][q]:.1f} within the baseline",
        )
        for q in order
    ]


def _mean_by_question(group: Partings, questions: int, horizon: int) -> FloatArray:
    """Mean of min(first divergence or end, horizon) of each question; NaN without a pair."""
    counts = np.bincount(group.question, minlength=questions)
    total = np.bincount(group.question, np.minimum(group.time, horizon), minlength=questions)
    mean: FloatArray = np.divide(total, counts, out=np.full(questions, np.nan), where=counts > 0)
    return mean
