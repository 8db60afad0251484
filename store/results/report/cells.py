"""Every measure of one cell."""

from collections.abc import Sequence

from store.analysis.accuracy import cell_accuracy
from store.analysis.funnel import attenuation, funnel, same_answer
from store.analysis.interval import Conventions
from store.analysis.panel import BoolArray, Panel
from store.analysis.rarefaction import rarefied
from store.analysis.richness import richness
from store.analysis.stability import Stability
from store.results.cells import CellResult
from store.results.report.cell_pairs import answers, diverged, first_divergence, flips, identical_in_all, identity, zero_events
from store.results.report.cell_shape import (
    Accuracy,
    Cell,
    RunCorrect,
    Unstable,
    WithoutDisputed,
)
from store.results.runs import CellRuns, RunRow
from store.results.study import StudyData

NO_CARD = "none"


def cell_report(
    data: StudyData, counted: CellResult, cell: CellRuns, plan: Conventions, rarefy_to: int | None, disputed: BoolArray
) -> Cell:
    """All measures of one cell. counted: its records. disputed: mask of questions with a disputed gold, shape (questions,)."""
    panel = data.cell_panel(cell)
    found = cell_accuracy(panel.runs, panel.verdicts)
    layer = panel.output_layer if len(panel.runs) > 1 else None
    attenuated = None if layer is None else attenuation(panel, layer)
    return Cell(
        cell=cell.cell,
        arm=cell.arm,
        deployments=len(panel.runs),
        gpus=cards(cell.runs),
        questions=found.base.common,
        scored_questions=found.base.scored,
        base=found.base.sentence,
        records=counted.records,
        truncated=counted.truncated,
        end_unknown=counted.end_unknown,
        empty=counted.empty,
        accuracy=Accuracy(
            found.mean,
            found.sd,
            found.mean_unscored_as_incorrect,
            tuple(RunCorrect(run.run, run.correct, run.of) for run in found.per_run),
        ),
        without_disputed=_without(panel, disputed),
        unstable=_unstable(panel, data.cell_stability[cell.cell], rarefy_to),
        flips=flips(panel, plan),
        identity=identity(panel, panel.token_layer, plan, data.why_no_tokens(cell)),
        identity_text=identity(panel, panel.text_layer, plan, "texts not recorded"),
        identical_in_all=identical_in_all(panel),
        diverged=diverged(panel),
        answers=answers(panel),
        funnel=funnel(panel) if len(panel.runs) > 1 else None,
        attenuation=None if attenuated is None else attenuated.ratio,
        attenuation_base=attenuated,
        same_answer=None if layer is None else same_answer(panel, layer),
        first_divergence=first_divergence(data, panel),
        zero_events=zero_events(panel, plan),
    )


def cards(runs: Sequence[RunRow]) -> int | None:
    """Distinct physical cards; null when no deployment names one."""
    named = {run.card for run in runs if run.card not in (None, NO_CARD)}
    return len(named) or None


def _without(panel: Panel, disputed: BoolArray) -> WithoutDisputed | None:
    if not disputed.any():
        return None
    found = cell_accuracy(panel.runs, panel.verdicts[:, ~disputed])
    return WithoutDisputed(found.mean, found.sd, found.base.scored)


def _unstable(panel: Panel, found: Stability, rarefy_to: int | None) -> Unstable:
    seen = richness(found)
    return Unstable(
        count=None if found.unknown.all() else int(found.unstable.sum()),
        ids=panel.ids(found.unstable),
        of=len(panel.questions) - int(found.unknown.sum()),
        unknown=int(found.unknown.sum()),
        complete=seen.of,
        chao2=seen.chao2,
        expected_next=seen.expected_next,
        rarefied=None if rarefy_to is None else rarefied(found, rarefy_to),
    )
