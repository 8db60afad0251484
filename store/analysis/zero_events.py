"""What "never seen" is worth: a bound in deployments, not in pair-questions."""

from statsmodels.stats.proportion import proportion_confint

from store.analysis.interval import Bound

ASSUMES = "deployments are exchangeable; each further one matched the first as a whole"


def next_differs(matches: int, level: float) -> Bound | None:
    """Upper bound of the chance that the next deployment differs, after `matches` that all matched the first.

    `1 − (1 − level)^(1/matches)`, the exact one-sided limit for 0 of `matches`. Null without a match.
    """
    if matches < 1:
        return None
    _, upper = proportion_confint(0, matches, alpha=2 * (1 - level), method="beta")
    return Bound(float(upper), level, "fixed questions", f"exact binomial, 0 of {matches} differed", ASSUMES)
