"""What a plan will yield and take: pairs by kind, differences that can be seen, time and cost. All of it reckoned."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from runner.study.grid import PlannedRun, deployments, grid
from runner.study.model import LOAD, Cell, StudyFile, sources_of
from store.analysis.detectable import detectable_difference
from store.analysis.interval import Conventions
from store.analysis.pair_kind import LOADED, PairKind, RunFacts, Shared, kinship
from store.contract.run import StudyRole

LEVEL = 0.95
"""Of intervals. No number here is one, but conventions are whole."""


@dataclass(frozen=True, slots=True)
class PairCount:
    """How many pairs of runs of one kind there will be between two cells, or within one (a == b).

    build: whether one build of the kernel cache served both, known of pairs with a loader only.
    """

    kind: PairKind
    build: Shared
    a: str
    b: str
    n: int


@dataclass(frozen=True, slots=True)
class Within:
    """What one grid cell can say of itself. Its rates need two deployments; below that pairs is 0."""

    cell: str
    deployments: int
    pairs: int


@dataclass(frozen=True, slots=True)
class Detectable:
    """Least difference in accuracy between two grid cells that would be seen, a fraction, and what it rests on."""

    a: str
    b: str
    deployments_a: int
    deployments_b: int
    questions: int
    flip_rate: float
    alpha: float
    power: float
    difference: float


@dataclass(frozen=True, slots=True)
class DeploymentTime:
    """`start_s + passes · questions · samples · tokens_per_question / tokens_per_s`."""

    deployment: str
    start_s: float
    passes: int
    questions: int
    samples: int
    tokens_per_question: float
    tokens_per_s: float

    @property
    def seconds(self) -> float:
        """From launch to the last answer."""
        tokens = self.passes * self.questions * self.samples * self.tokens_per_question
        return self.start_s + tokens / self.tokens_per_s


@dataclass(frozen=True, slots=True)
class Estimate:
    """Time and cost of a study.

    seconds: as a clock would show them, deployments running on `devices` devices at once. A device counts while a
    deployment holds it: `cost = device_hours · price_per_device_hour`.
    """

    deployments: tuple[DeploymentTime, ...]
    devices: int
    seconds: float
    price_per_device_hour: float
    currency: str

    @property
    def device_hours(self) -> float:
        """Sum over deployments."""
        return sum(one.seconds for one in self.deployments) / 3600

    @property
    def cost(self) -> float:
        """In `currency`, unrounded."""
        return self.device_hours * self.price_per_device_hour


@dataclass(frozen=True, slots=True)
class Expected:
    """Everything reckoned of a plan; detectable is empty and estimate null while no number of questions is known."""

    pairs: tuple[PairCount, ...]
    within: tuple[Within, ...]
    detectable: tuple[Detectable, ...]
    estimate: Estimate | None


def expected(study: StudyFile, questions: int | None) -> Expected:
    """Reckon a study on this many questions. Raises UsageError where `grid` does."""
    return Expected(
        pairs=pair_counts(study),
        within=tuple(Within(c.name, c.repeats, c.repeats * (c.repeats - 1) // 2) for c in _grid_cells(study)),
        detectable=() if questions is None else detectable(study, questions),
        estimate=None if questions is None else estimate(study, questions),
    )


def pair_counts(study: StudyFile) -> tuple[PairCount, ...]:
    """Pairs of all planned runs, by kind in the order of PairKind, then by cells in the order of the grid.

    What really happens decides afterwards: a loader that fails to load is one that built.
    """
    runs = [planned_facts(study, run) for run in grid(study)]
    counts: Counter[tuple[PairKind, Shared, str, str]] = Counter()
    for a, b in combinations(runs, 2):
        kin = kinship(a, b)
        counts[kin.kind, kin.build, a.cell, b.cell] += 1
    kinds = list(PairKind)
    return tuple(PairCount(*key, n) for key, n in sorted(counts.items(), key=lambda item: kinds.index(item[0][0])))


def planned_facts(study: StudyFile, run: PlannedRun) -> RunFacts:
    """A run as it will be if everything goes as asked: who loads has loaded, nobody knows the card.

    With a shared cache that chooses kernels, a cell's first deployment is taken to build and the others to load. A
    server is taken as an engine of its own, since what runs behind it is not known before it is asked.
    """
    parent = _parent(run)
    return RunFacts(
        run=run.run_id,
        deployment=run.deployment_id,
        cell=run.cell,
        arm=run.arm,
        role=run.role,
        engine=study.engines[run.engine].kind,
        cache_role="built" if parent is None else LOADED,
        cache_parent="none" if parent is None else parent,
        card=None,
    )


def _parent(run: PlannedRun) -> str | None:
    """Deployment whose kernel choices are loaded. Just-in-time builds choose nothing, so they make no parent."""
    policies = (run.cache.inductor, run.cache.triton, run.cache.flashinfer_autotune)
    first = f"{run.entry}.0"
    for policy in policies:
        if policy.startswith(LOAD):
            return f"{policy.removeprefix(LOAD)}.0"
    return first if "shared" in policies and run.deployment_id != first else None


def detectable(study: StudyFile, questions: int) -> tuple[Detectable, ...]:
    """Every two grid cells, in the file's order, on fixed questions; the planned flip rate holds for both."""
    p = study.planning
    conventions = Conventions(LEVEL, p.alpha, p.power)

    def between(a: str, b: str, m_a: int, m_b: int) -> Detectable:
        difference = detectable_difference(p.flip_rate, p.flip_rate, m_a, m_b, questions, 0.0, conventions)
        return Detectable(a, b, m_a, m_b, questions, p.flip_rate, p.alpha, p.power, difference)

    return tuple(between(a.name, b.name, a.repeats, b.repeats) for a, b in combinations(_grid_cells(study), 2))


def estimate(study: StudyFile, questions: int) -> Estimate:
    """Time and cost on this many questions."""
    p = study.planning
    times = tuple(
        DeploymentTime(
            deployment=runs[0].deployment_id,
            start_s=p.start_s,
            passes=len(runs),
            questions=questions,
            samples=study.sampling.samples,
            tokens_per_question=p.tokens_per_question,
            tokens_per_s=p.tokens_per_s,
        )
        for runs in deployments(study)
    )
    return Estimate(times, len(study.launch.devices), _clock(study, times), p.price_per_device_hour, p.currency)


def _clock(study: StudyFile, times: tuple[DeploymentTime, ...]) -> float:
    """Seconds until the last one ends: each in turn takes the device that is free first, a loader after its builder."""
    free = [0.0] * len(study.launch.devices)
    sources = {cell.name: sources_of(cell) for cell in study.cells}
    ends: dict[str, float] = {}
    for one, runs in zip(times, deployments(study), strict=True):
        device = free.index(min(free))
        begin = max(free[device], *(ends[f"{source}.0"] for source in sources[runs[0].entry]), 0.0)
        free[device] = ends[one.deployment] = begin + one.seconds
    return max(free)


def _grid_cells(study: StudyFile) -> list[Cell]:
    return [cell for cell in study.cells if cell.role is StudyRole.GRID]
