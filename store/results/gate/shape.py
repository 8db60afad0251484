"""A gate decision as it is printed, kept and drawn: the field names are the JSON keys (docs/schema/gate.json).

Nothing in it depends on when or by whom it was made, so that the same records under the same gate set give the same bytes.
"""

from dataclasses import dataclass
from typing import Literal

from store.analysis.decision import Outcome, Status
from store.contract.gates import GateSet
from store.results.findings import Finding
from store.results.report.environments import FieldComparison

DECISION_FORMAT: Literal["flipbook-gate/1"] = "flipbook-gate/1"


@dataclass(frozen=True, slots=True)
class Culprit:
    """What broke a gate, or kept it open: a question, some runs, or both; null and empty are "not one in particular"."""

    question: str | None
    runs: tuple[str, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a value was judged by, in the unit of its gate. level: of the two sides together."""

    low: float
    high: float
    level: float
    target: str
    method: str
    assumes: str


@dataclass(frozen=True, slots=True)
class GateResult:
    """What one gate says.

    rule: the frozen rule with its numbers and units. said: what was found, with numerator, denominator and base. value: the
    one number the rule is about, in `unit`; null where there is none. questions: how many of the set the gate applies to.
    culprits: the list that broke it, questions in the order of the set.
    """

    gate: str
    metric: str
    rule: str
    status: Status
    said: str
    value: float | None
    unit: str
    bounds: Bounds | None
    count: int | None
    of: int | None
    questions: int
    culprits: tuple[Culprit, ...]


@dataclass(frozen=True, slots=True)
class DecisionSide:
    """Baseline or candidate. name: a cell or a whole environment digest; label: the same, a digest cut short.

    environments: full digests of its deployments, null for those that record none, in run order. left_out: runs of it that
    are quarantined, broke off, or think unasked. started: when each began, ISO 8601; null where neither its environment nor a
    record says.
    """

    name: str
    label: str
    runs: tuple[str, ...]
    environments: tuple[str | None, ...]
    started: tuple[str | None, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. conditions: what has to hold for the gates to mean anything. exit_code: what the command ends with."""

    format: Literal["flipbook-gate/1"]
    study: str
    as_of: int
    data_digest: str
    gate_set: GateSet
    gate_set_digest: str
    baseline: DecisionSide
    candidate: DecisionSide
    outcome: Outcome
    exit_code: int
    sentence: str
    conditions: tuple[GateResult, ...]
    gates: tuple[GateResult, ...]
    identical: int | None
    identical_of: int
    environment: FieldComparison
    findings: tuple[Finding, ...]
    replay: str
