"""Gates on what one new deployment's value may be: output length, and the share of outputs that match a pattern."""

import numpy as np

from store.analysis.decision import Status
from store.analysis.panel import BoolArray, FloatArray
from store.analysis.prediction import family_level, next_value
from store.contract.gates import MatchingTextsGate, OutputLengthGate
from store.results.browse.search import check_pattern
from store.results.gate.result import result, unless_partial
from store.results.gate.shape import Bounds, Culprit, GateResult
from store.results.gate.sides import Compared
from store.results.gate.spread import spread_out
from store.results.printing import counted, level_text, percent


def output_length_gate(sides: Compared, gate: OutputLengthGate, asked: BoolArray) -> GateResult:
    """Mean output tokens of each deployment; truncated outputs count with the length they were cut at."""
    values = [spread_out(sides.data.rows, "output_tokens", panel.runs, panel.questions) for panel in (sides.old, sides.new)]
    return _history(sides, gate, asked, (values[0], values[1]), "mean output tokens", "tokens")


def matching_texts_gate(sides: Compared, gate: MatchingTextsGate, asked: BoolArray) -> GateResult:
    """Share of texts that match, of each deployment. Raises UsageError on a pattern that is none."""
    check_pattern(sides.data.warehouse, gate.pattern)
    scope = sides.data.scope
    frame = sides.data.warehouse.frame("matching_texts", study=scope.study.study, as_of=scope.as_of, pattern=gate.pattern)
    values = [spread_out(frame, "matches", panel.runs, panel.questions) for panel in (sides.old, sides.new)]
    return _history(sides, gate, asked, (values[0], values[1]), f"share of outputs that match {gate.pattern}", "share")


def _history(
    sides: Compared,
    gate: OutputLengthGate | MatchingTextsGate,
    asked: BoolArray,
    values: tuple[FloatArray, FloatArray],
    what: str,
    unit: str,
) -> GateResult:
    old, new = (side[:, asked] for side in values)
    questions, history = int(asked.sum()), len(old)
    rule = (
        f"{what} of every candidate deployment inside the {level_text(gate.level)} prediction interval of the baseline,"
        f" from ≥ {gate.history_min} deployments"
    )
    unknown = int(np.isnan(old).sum() + np.isnan(new).sum())
    if unknown:
        said = f"not known for {unknown:,} of {old.size + new.size:,} records"
        return result(gate, rule, questions, Status.NOT_EVALUABLE, said)
    if history < gate.history_min:
        said = f"needs ≥ {gate.history_min} baseline deployments, there {'is' if history == 1 else 'are'} {history}"
        return result(gate, rule, questions, Status.INCONCLUSIVE, said)
    seen, met = ([float(value) for value in side.mean(axis=1)] for side in (old, new))
    interval = next_value(seen, gate.level)
    if interval is None:
        return result(gate, rule, questions, Status.INCONCLUSIVE, "one deployment has no spread")
    outside = [i for i, value in enumerate(met) if not interval.low <= value <= interval.high]
    culprits = [Culprit(None, (sides.new.runs[i],), f"{_value(met[i], unit)}, outside") for i in outside]
    worst = max(met, key=lambda value: max(interval.low - value, value - interval.high))
    lies = "outside" if outside else "inside"
    said = (
        f"{len(outside)} of {counted(len(met), 'candidate deployment')} outside [{_value(interval.low, unit)},"
        f" {_value(interval.high, unit)}]; the farthest, {_value(worst, unit)}, is {lies}."
        f" {counted(len(met), 'good deployment')} would all be inside with a chance of"
        f" {percent(family_level(gate.level, len(met)), 0)}"
    )
    status = unless_partial(Status.FAIL if outside else Status.PASS, unknown)
    bounds = Bounds(interval.low, interval.high, gate.level, "the next deployment", interval.method, interval.assumes)
    return result(gate, rule, questions, status, said, value=worst, unit=unit, bounds=bounds, culprits=culprits)


def _value(value: float, unit: str) -> str:
    return percent(value) if unit == "share" else f"{value:,.2f}"
