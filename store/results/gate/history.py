"""Gates on what one new deployment's value may be: output length, and the share of outputs that match a pattern."""

from dataclasses import dataclass

import numpy as np

from store.analysis.decision import Status
from store.analysis.panel import UNKNOWN, BoolArray, FloatArray, Panel
from store.analysis.prediction import Prediction, family_level, next_share, next_value
from store.contract.gates import MatchingTextsGate, OutputLengthGate
from store.errors import UsageError
from store.results.browse.search import check_pattern
from store.results.gate.result import result, unless_partial
from store.results.gate.shape import Bounds, Culprit, GateResult
from store.results.gate.sides import Compared
from store.results.gate.spread import spread_out
from store.results.printing import counted, fraction, level_text, percent
from store.results.study import StudyData


@dataclass(frozen=True, slots=True)
class _Measure:
    """One value per record, shape (runs, questions), NaN where it is not known."""

    what: str
    unit: str
    old: FloatArray
    new: FloatArray

    def predict(self, level: float) -> Prediction | None:
        """Where the next deployment's value will lie, from the baseline's."""
        if self.unit == "share":
            return next_share([int(row.sum()) for row in self.old], self.old.shape[1], level)
        return next_value([float(row.mean()) for row in self.old], level)

    def text(self, value: float) -> str:
        return percent(value) if self.unit == "share" else f"{value:,.2f}"


def output_length_gate(sides: Compared, gate: OutputLengthGate, asked: BoolArray) -> GateResult:
    """Mean output tokens of each deployment, less one trailing stop; truncated outputs count as long as they were cut."""
    old, new = (_lengths(sides.data, panel)[:, asked] for panel in (sides.old, sides.new))
    return _history(sides, gate, asked, _Measure("mean output tokens", "tokens", old, new))


def _lengths(data: StudyData, panel: Panel) -> FloatArray:
    """Output tokens by identity class; a stop token that one engine returns and another does not is no difference."""
    identity = spread_out(data.rows, "identity", panel.runs, panel.questions)
    known = ~np.isnan(identity)
    lengths: FloatArray = np.full(identity.shape, np.nan)
    row = data.tokens.row_of[np.nonzero(known)[1], identity[known].astype(np.intp)]
    lengths[known] = np.where(row == UNKNOWN, np.nan, data.tokens.lengths[row])
    return lengths


def matching_texts_gate(sides: Compared, gate: MatchingTextsGate, asked: BoolArray) -> GateResult:
    """Share of texts that match, of each deployment. Raises UsageError on a pattern that is none."""
    try:
        check_pattern(sides.data.warehouse, gate.pattern)
    except UsageError as error:
        raise UsageError(error.what, where=f"gate {gate.id}, pattern", fix=error.fix) from error
    scope = sides.data.scope
    frame = sides.data.warehouse.frame("matching_texts", study=scope.study.study, as_of=scope.as_of, pattern=gate.pattern)
    old, new = (spread_out(frame, "matches", panel.runs, panel.questions)[:, asked] for panel in (sides.old, sides.new))
    return _history(sides, gate, asked, _Measure(f"share of outputs that match “{gate.pattern}”", "share", old, new))


def _history(sides: Compared, gate: OutputLengthGate | MatchingTextsGate, asked: BoolArray, measure: _Measure) -> GateResult:
    questions, history = int(asked.sum()), len(measure.old)
    rule = (
        f"{measure.what} of every candidate deployment inside the {level_text(gate.level)} prediction interval of the"
        f" baseline, from ≥ {gate.history_min} deployments"
    )
    if unknown := int(np.isnan(measure.old).sum()):
        said = f"not known for {fraction(unknown, measure.old.size)} records of the baseline"
        return result(gate, rule, questions, Status.NOT_EVALUABLE, said)
    if history < gate.history_min:
        said = f"needs ≥ {gate.history_min} baseline deployments, there {'is' if history == 1 else 'are'} {history}"
        return result(gate, rule, questions, Status.INCONCLUSIVE, said)
    interval = measure.predict(gate.level)
    known = ~np.isnan(measure.new).any(axis=1)
    met = {sides.new.runs[i]: float(measure.new[i].mean()) for i in np.flatnonzero(known)}
    if interval is None or not met:
        return result(gate, rule, questions, Status.NOT_EVALUABLE, "known whole for no candidate deployment")
    return _held_against(gate, rule, questions, measure, interval, met, len(measure.new) - len(met))


def _held_against(
    gate: OutputLengthGate | MatchingTextsGate,
    rule: str,
    questions: int,
    measure: _Measure,
    interval: Prediction,
    met: dict[str, float],
    unknown: int,
) -> GateResult:
    """Every candidate deployment that is known against the interval; one that is not known cannot pass."""
    outside = {run: value for run, value in met.items() if not interval.low <= value <= interval.high}
    far = Status.FAIL if interval.knows_spread else Status.INCONCLUSIVE
    status = unless_partial(far if outside else Status.PASS, unknown)
    worst = max(met.values(), key=lambda value: max(interval.low - value, value - interval.high))
    said = (
        f"{len(outside)} of {counted(len(met), 'candidate deployment')} outside [{measure.text(interval.low)},"
        f" {measure.text(interval.high)}]; the farthest, {measure.text(worst)}, is {'outside' if outside else 'inside'}."
    )
    if interval.knows_spread:
        inside = percent(family_level(gate.level, len(met)), 0)
        said += f" {counted(len(met), 'good deployment')} would all be inside with a chance of {inside}"
    else:
        said += f" All {interval.history} baseline deployments have this value: how far a next one may lie is not known"
    if unknown:
        said += f"; {counted(unknown, 'candidate deployment')} not known whole"
    culprits = [Culprit(None, (run,), f"{measure.text(value)}, outside") for run, value in outside.items()]
    target = "the next deployment"
    bounds = Bounds(interval.low, interval.high, gate.level, target, interval.method, interval.assumes)
    return result(gate, rule, questions, status, said, value=worst, unit=measure.unit, bounds=bounds, culprits=culprits)
