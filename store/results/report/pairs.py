"""Every pair of runs, with its kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from store.analysis.matrices import equal_matrix, flip_matrix, gain_matrix
from store.analysis.pair_kind import Kinship, PairKind, RunFacts, kinship
from store.analysis.panel import Panel
from store.contract.run import StudyRole
from store.results.report.between_shape import KindLine, RunPair
from store.results.runs import RunRow
from store.results.scope import Scope
from store.results.study import study_data
from store.warehouse.open import Warehouse

PAIRS_FORMAT: Literal["flipbook-pairs/1"] = "flipbook-pairs/1"


def run_pairs(panel: Panel, runs: Sequence[RunRow]) -> tuple[RunPair, ...]:
    """Pairs of the panel's rows, in its order; `runs[i]` is row i."""
    verdicts, gained = flip_matrix(panel.verdicts), gain_matrix(panel.verdicts)
    tokens = equal_matrix(panel.tokens, panel.domain)
    text = equal_matrix(panel.texts)
    answers = equal_matrix(panel.answers)
    present = panel.present
    found = []
    for i, j in combinations(range(len(runs)), 2):
        kin = kin_of(runs[i], runs[j])
        gains, losses, of = int(gained[i, j]), int(gained[j, i]), int(verdicts.of[i, j])
        both = int((present[i] & present[j]).sum())
        found.append(
            RunPair(
                a=runs[i].run_id,
                b=runs[j].run_id,
                kind=kin.kind.value,
                card=kin.card,
                build=kin.build,
                identical=_known(tokens.equal[i, j], tokens.of[i, j]),
                identical_of=int(tokens.of[i, j]),
                identical_text=_known(text.equal[i, j], text.of[i, j]),
                identical_text_of=int(text.of[i, j]),
                answers_changed=_known(answers.of[i, j] - answers.equal[i, j], answers.of[i, j]),
                answers_of=int(answers.of[i, j]),
                flips=_known(gains + losses, of),
                gains=_known(gains, of),
                losses=_known(losses, of),
                net=_known(gains - losses, of),
                of=of,
                unscored=both - of,
                missing=len(panel.questions) - both,
            )
        )
    return tuple(found)


def kin_of(a: RunRow, b: RunRow) -> Kinship:
    """Kind of a pair of runs."""
    return kinship(_facts(a), _facts(b))


@dataclass(frozen=True, slots=True)
class KindGroup:
    """Pairs of one kind; see `KindLine` for which of them enter."""

    kind: str
    among: Literal["grid runs", "other roles"]
    pairs: tuple[RunPair, ...]


def kind_groups(pairs: Sequence[RunPair], runs: Sequence[RunRow]) -> tuple[KindGroup, ...]:
    """Pairs by kind, in the order of kinds, grid runs first; groups without a pair are left out."""
    grid = {run.run_id for run in runs if run.role == StudyRole.GRID}
    first = {run.deployment_id: run.run_id for run in reversed(runs)}
    counted = {run.run_id for run in runs if first[run.deployment_id] == run.run_id}
    groups = []
    for kind in PairKind:
        of_kind = [pair for pair in pairs if pair.kind == kind.value]
        if kind is not PairKind.SAME_PROCESS:
            of_kind = [pair for pair in of_kind if pair.a in counted and pair.b in counted]
        inside = tuple(pair for pair in of_kind if pair.a in grid and pair.b in grid)
        outside = tuple(pair for pair in of_kind if pair.a not in grid or pair.b not in grid)
        groups += [KindGroup(kind.value, "grid runs", inside)] if inside else []
        groups += [KindGroup(kind.value, "other roles", outside)] if outside else []
    return tuple(groups)


def kind_lines(pairs: Sequence[RunPair], runs: Sequence[RunRow]) -> tuple[KindLine, ...]:
    """Pairs of each kind together."""
    return tuple(_kind_line(group) for group in kind_groups(pairs, runs))


def _kind_line(group: KindGroup) -> KindLine:
    pairs = group.pairs
    identical_of, of = sum(pair.identical_of for pair in pairs), sum(pair.of for pair in pairs)
    return KindLine(
        kind=group.kind,
        among=group.among,
        pairs=len(pairs),
        same_card=sum(pair.card == "same" for pair in pairs),
        other_card=sum(pair.card == "other" for pair in pairs),
        same_build=sum(pair.build == "same" for pair in pairs),
        other_build=sum(pair.build == "other" for pair in pairs),
        identical=sum(pair.identical or 0 for pair in pairs) if identical_of else None,
        identical_of=identical_of,
        flips=sum(pair.flips or 0 for pair in pairs) if of else None,
        of=of,
    )


def _facts(run: RunRow) -> RunFacts:
    role = StudyRole(run.role)
    return RunFacts(
        run.run_id, run.deployment_id, run.cell, run.arm, role, run.engine, run.cache_role, run.cache_parent, run.card
    )


def _known(count: int, of: int) -> int | None:
    return int(count) if of else None


@dataclass(frozen=True, slots=True)
class PairsReport:
    """Every pair of complete runs of a study, and the pairs of each kind together."""

    format: Literal["flipbook-pairs/1"]
    study: str
    extractor: str | None
    as_of: int
    questions: int
    kinds: tuple[KindLine, ...]
    pairs: tuple[RunPair, ...]


def study_pairs(warehouse: Warehouse, scope: Scope, kind: PairKind | None) -> PairsReport:
    """Pairs of a study, all or of one kind."""
    data = study_data(warehouse, scope)
    found = tuple(pair for pair in run_pairs(data.panel, data.complete) if kind is None or pair.kind == kind.value)
    return PairsReport(
        PAIRS_FORMAT,
        scope.study.study,
        scope.extractor,
        scope.as_of,
        len(data.questions),
        kind_lines(found, data.complete),
        found,
    )
