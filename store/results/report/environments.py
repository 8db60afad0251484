"""Which environment fields and request settings two cells do not share."""

import json
from dataclasses import dataclass
from typing import Literal

from store.env_digest import ENV1_DECLARED, ENV1_KERNEL_STATE
from store.results.runs import CellRuns
from store.results.study import StudyData

Group = Literal["kernel state", "declared", "request"]
State = Literal["differs", "unknown on one side", "unknown in some"]


@dataclass(frozen=True, slots=True)
class SideValue:
    """One value of a field and the deployments (for a request setting: runs) of a side that have it."""

    value: str
    deployments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field on which two sides are not known to agree; deployments that do not say are counted as unknown."""

    field: str
    group: Group
    state: State
    a: tuple[SideValue, ...]
    b: tuple[SideValue, ...]
    unknown_a: int
    unknown_b: int


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """differing: kernel state first, then declared fields, then request settings. same: fields known and equal in all
    deployments of both sides. unknown: fields that neither side knows, so that nothing can be said of them.
    """

    differing: tuple[FieldDifference, ...]
    same: int
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Side:
    values: dict[str, dict[str, list[str]]]
    size: int

    def known(self, field: str) -> tuple[SideValue, ...]:
        return tuple(SideValue(value, tuple(who)) for value, who in sorted(self.values.get(field, {}).items()))

    def unknown(self, field: str) -> int:
        return self.size - len({who for found in self.values.get(field, {}).values() for who in found})


def compare_fields(data: StudyData, a: CellRuns, b: CellRuns) -> FieldComparison:
    """Fields of the environment digests and request settings, cell a against cell b."""
    differing: list[FieldDifference] = []
    unknown: list[str] = []
    same = 0
    settings = [_Side(request_settings(data, [run.run_id for run in side.runs]), len(side.runs)) for side in (a, b)]
    environments = [_environment_side(data, side) for side in (a, b)]
    names: list[tuple[str, Group, list[_Side]]] = [(name, "kernel state", environments) for name in ENV1_KERNEL_STATE]
    names += [(name, "declared", environments) for name in ENV1_DECLARED]
    names += [(n, "request", settings) for n in sorted({*settings[0].values, *settings[1].values} - set(ENV1_DECLARED))]
    for field, group, (left, right) in names:
        one, two = left.known(field), right.known(field)
        if not one and not two:
            unknown.append(field)
        elif not one or not two:
            differing.append(
                FieldDifference(field, group, "unknown on one side", one, two, left.unknown(field), right.unknown(field))
            )
        elif {v.value for v in one} != {v.value for v in two} or len(one) > 1:
            differing.append(FieldDifference(field, group, "differs", one, two, left.unknown(field), right.unknown(field)))
        elif left.unknown(field) or right.unknown(field):
            differing.append(
                FieldDifference(field, group, "unknown in some", one, two, left.unknown(field), right.unknown(field))
            )
        else:
            same += 1
    return FieldComparison(tuple(differing), same, tuple(unknown))


def request_settings(data: StudyData, runs: list[str]) -> dict[str, dict[str, list[str]]]:
    """Request settings of some runs: name → value → runs that have it, in the order of runs."""
    rows = data.request_rows
    found: dict[str, dict[str, list[str]]] = {}
    for run, name, value, _ in rows[rows["run_id"].isin(runs)].itertuples(index=False):
        found.setdefault(name, {}).setdefault(value, []).append(run)
    return found


def environment_values(data: StudyData, cell: CellRuns) -> dict[str, dict[str, list[str]]]:
    """Digest fields of a cell's deployments: name → value as canonical text → deployments; null is in none of them."""
    found: dict[str, dict[str, list[str]]] = {}
    for run in cell.runs:
        for name in (*ENV1_KERNEL_STATE, *ENV1_DECLARED):
            value = data.environment_records.get(run.deployment_id, {}).get(name)
            if value is not None:
                text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
                found.setdefault(name, {}).setdefault(text, []).append(run.deployment_id)
    return found


def _environment_side(data: StudyData, cell: CellRuns) -> _Side:
    return _Side(environment_values(data, cell), len(cell.runs))
