"""Runs beside the grid: in-process probes and backend anchors."""

from store.analysis.matrices import equal_matrix, gain_matrix
from store.analysis.pairs_within import spread
from store.analysis.verdicts import CORRECT, INCORRECT
from store.contract.run import StudyRole
from store.errors import UsageError
from store.results.findings import Finding
from store.results.report.shape import Anchor, Probe, ProbeLine
from store.results.runs import RunRow
from store.results.study import StudyData


def probe(data: StudyData) -> Probe | None:
    """Probes: questions that are equal in all passes of one process. Null when the study has none."""
    deployments: dict[str, list[RunRow]] = {}
    for run in data.complete:
        if run.role == StudyRole.PROBE:
            deployments.setdefault(run.deployment_id, []).append(run)
    lines = tuple(_line(data, name, runs) for name, runs in deployments.items())
    if not lines:
        return None
    known = [line for line in lines if line.of]
    return Probe(
        passes=sum(len(line.passes) for line in lines),
        identical=sum(line.identical or 0 for line in known) if known else None,
        of=sum(line.of for line in known),
        deployments=lines,
    )


def _line(data: StudyData, deployment: str, runs: list[RunRow]) -> ProbeLine:
    passes = tuple(run.run_id for run in runs)
    panel = data.panel.rows(passes)
    tokens, text = spread(panel.token_layer), spread(panel.text_layer)
    several = len(passes) > 1
    return ProbeLine(
        deployment=deployment,
        passes=passes,
        identical=tokens.all_equal if several and tokens.complete else None,
        of=tokens.complete if several else 0,
        identical_text=text.all_equal if several and text.complete else None,
        text_of=text.complete if several else 0,
    )


def anchors(data: StudyData, partner: str | None) -> tuple[tuple[Anchor, ...], tuple[Finding, ...]]:
    """Every anchor run against its partner, and a finding for those without one.

    The partner is `partner` where it is given. Otherwise it is the first pass of the arm's probe deployment,
    when the arm has exactly one: a run outside the grid, so that no cell's run is preferred to its neighbours.
    Raises UsageError when `partner` is no complete run of the study.
    """
    complete = {run.run_id: run for run in data.complete}
    if partner is not None and partner not in complete:
        raise UsageError(f"study {data.scope.study.study!r} has no complete run {partner!r} to compare anchors with")
    found, doubts = [], []
    for run in data.complete:
        if run.role == StudyRole.ANCHOR:
            other = complete[partner] if partner is not None else _probe_of(data, run.arm)
            if other is None or other.run_id == run.run_id:
                text = f"anchor {run.run_id} is compared with no run: arm {run.arm} has no single probe; --partner names one"
                doubts.append(Finding("no-partner", text, (run.run_id,)))
            else:
                found.append(_anchor(data, run, other, "asked for" if partner is not None else "the arm's probe"))
    return tuple(found), tuple(doubts)


def _probe_of(data: StudyData, arm: str) -> RunRow | None:
    runs = [run for run in data.complete if run.role == StudyRole.PROBE and run.arm == arm]
    return runs[0] if len({run.deployment_id for run in runs}) == 1 else None


def _anchor(data: StudyData, run: RunRow, partner: RunRow, named_by: str) -> Anchor:
    panel = data.panel.rows([partner.run_id, run.run_id])
    gained, tokens = gain_matrix(panel.verdicts), equal_matrix(panel.tokens, panel.domain)
    scored = (panel.verdicts >= INCORRECT).all(axis=0)
    flip = scored & (panel.verdicts[0] != panel.verdicts[1])
    return Anchor(
        run=run.run_id,
        partner=partner.run_id,
        partner_named_by=named_by,
        flips=int(flip.sum()) if scored.any() else None,
        of=int(scored.sum()),
        gains=int(gained[0, 1]) if scored.any() else None,
        losses=int(gained[1, 0]) if scored.any() else None,
        in_fragile=int((flip & data.fragile).sum()) if scored.any() and data.repeated else None,
        others=panel.ids(flip & ~data.fragile) if data.repeated else (),
        identical=int(tokens.equal[0, 1]) if tokens.of[0, 1] else None,
        identical_of=int(tokens.of[0, 1]),
        correct=int((panel.verdicts[1, scored] == CORRECT).sum()),
        partner_correct=int((panel.verdicts[0, scored] == CORRECT).sum()),
    )
