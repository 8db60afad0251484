"""What the two runs of a pair have in common, and so what a difference between them can mean."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from store.contract.run import StudyRole


class PairKind(StrEnum):
    """METHOD: study roles and pair kinds."""

    SAME_PROCESS = "same-process"
    FRESH_FRESH = "fresh–fresh"
    BUILDER_LOADER = "builder–loader"
    LOADER_LOADER = "loader–loader"
    CROSS_CELL = "cross-cell"
    CROSS_ARM = "cross-arm"
    CROSS_BACKEND = "cross-backend"


Shared = Literal["same", "other", "unknown"]
LOADED = "loaded"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What decides a pair's kind. Null is not known.

    cache_role: as it happened in the deployment. cache_parent: the deployment whose cache was loaded.
    """

    run: str
    deployment: str
    cell: str
    arm: str
    role: StudyRole
    engine: str | None
    cache_role: str | None
    cache_parent: str | None
    card: str | None

    @property
    def loaded(self) -> bool:
        """Whether it really loaded a cache; what was only asked for does not count (METHOD Part 5, P2).

        Where the environment does not say, the study role does.
        """
        return self.cache_role == LOADED if self.cache_role is not None else self.role == StudyRole.LOADER


@dataclass(frozen=True, slots=True)
class Kinship:
    """Kind of a pair, and its attributes: one physical card or two, one build of the kernel cache or two.

    build is `unknown` for other kinds than builder–loader and loader–loader, and where a builder is not known.
    """

    kind: PairKind
    card: Shared
    build: Shared


def kinship(a: RunFacts, b: RunFacts) -> Kinship:
    """Kind of one pair; symmetric. The first rule that fits decides.

    One deployment: same-process. Two engines: cross-backend. Two arms: cross-arm. Both loaded a cache, in one
    cell or from one build: loader–loader. One loaded what the other built, or one loaded and one did not in one
    cell: builder–loader, `build` saying whose cache it was. One cell: fresh–fresh. Otherwise cross-cell.
    """
    kind = _kind(a, b)
    cached = kind in (PairKind.BUILDER_LOADER, PairKind.LOADER_LOADER)
    return Kinship(kind, _shared(a.card, b.card), _build(a, b) if cached else "unknown")


def _kind(a: RunFacts, b: RunFacts) -> PairKind:
    if a.deployment == b.deployment:
        return PairKind.SAME_PROCESS
    if a.engine is not None and b.engine is not None and a.engine != b.engine:
        return PairKind.CROSS_BACKEND
    if a.arm != b.arm:
        return PairKind.CROSS_ARM
    one_cell = a.cell == b.cell
    if a.loaded and b.loaded and (one_cell or _build(a, b) == "same"):
        return PairKind.LOADER_LOADER
    if _built_for(a, b) or _built_for(b, a) or (one_cell and a.loaded != b.loaded):
        return PairKind.BUILDER_LOADER
    return PairKind.FRESH_FRESH if one_cell else PairKind.CROSS_CELL


def _built_for(builder: RunFacts, loader: RunFacts) -> bool:
    return loader.loaded and loader.cache_parent == builder.deployment


def _build(a: RunFacts, b: RunFacts) -> Shared:
    """Whether one build of the cache served both: its builder's deployment stands for a build."""
    if not (a.loaded or b.loaded):
        return "unknown"
    return _shared(*(run.cache_parent if run.loaded else run.deployment for run in (a, b)))


def _shared(a: str | None, b: str | None) -> Shared:
    if a is None or b is None or "none" in (a, b):
        return "unknown"
    return "same" if a == b else "other"
