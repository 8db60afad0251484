"""Numbers in words: the number first, then its base, then its interval."""

from store.analysis.accuracy import ONE_DEPLOYMENT
from store.analysis.interval import Interval
from store.results.printing import NOTHING, fraction, percent, points, signed_points
from store.results.report.between_shape import CrossCell, Difference


def difference_sentence(pair: CrossCell, question_set: int) -> str:
    """`INT4 − BF16 = +0.14 pt on 1,319 questions, unresolved: MDE 0.22 pt at 5 × 5 deployments`."""
    d = pair.difference
    if d.value is None:
        return f"{pair.b} − {pair.a}: not known, no question is scored in every run of both"
    base = f"{d.questions:,} questions" if d.questions == question_set else f"{d.questions:,} of {question_set:,} questions"
    return f"{pair.b} − {pair.a} = {signed_points(d.value)} on {base}, {resolution(d)}"


def resolution(d: Difference) -> str:
    """What the deployments were able to see; never "no difference"."""
    if d.value is None:
        return NOTHING
    design = f"at {d.deployments_a} × {d.deployments_b} deployments"
    if min(d.deployments_a, d.deployments_b) < 2:
        return f"not resolvable {design}: {ONE_DEPLOYMENT} of each"
    if d.mde is None:
        return f"not resolvable {design}: no flip within either cell, so their noise is not measured"
    if d.ci_fixed is None:
        return f"not resolvable {design}: no spread of run accuracies in either cell; MDE {points(d.mde)}"
    if d.resolved:
        return f"resolved: MDE {points(d.mde)} {design}"
    covers = ", but Welch's interval covers 0" if abs(d.value) >= d.mde else ""
    return f"unresolved: MDE {points(d.mde)} {design}{covers}"


def rate_text(count: int | None, of: int, rate: float | None, interval: Interval | None = None, digits: int = 2) -> str:
    """`0.83 % (110 / 13,190) [0.48, 1.19]`; a dash where nothing is counted."""
    if count is None or rate is None:
        return NOTHING
    text = f"{percent(rate, digits)} ({fraction(count, of)})"
    return text if interval is None else f"{text} {interval_text(interval, digits)}"


def interval_text(interval: Interval | None, digits: int = 2) -> str:
    """`[0.48, 1.19]` in percent or points, without the unit; a dash for none."""
    if interval is None:
        return NOTHING
    low, high = (percent(value, digits).removesuffix(" %").replace("-", "−") for value in (interval.low, interval.high))
    return f"[{low}, {high}]"
