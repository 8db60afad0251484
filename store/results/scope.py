"""What a page, a link or a command is about: a study, as of a generation, scored by an extractor."""

from dataclasses import dataclass

from store.errors import UnknownStudyError, UsageError
from store.warehouse.open import Warehouse


@dataclass(frozen=True, slots=True)
class StudyRow:
    """One study as the store holds it now. `questions` is the size of its question set."""

    study: str
    label: str
    main_extractor: str | None
    declared: bool
    first_generation: int
    generation: int
    questions: int
    runs: int
    grid_runs: int
    quarantined: int
    cells: int
    arms: int
    deployments: int
    records: int
    unscored: int
    refused: int


@dataclass(frozen=True, slots=True)
class Scope:
    """Resolved: everything a number depends on. `later_runs` came after `as_of` and are left out.

    acknowledged: runs that enter their cell although they think unasked.
    """

    study: StudyRow
    as_of: int
    newest: int
    extractor: str | None
    extractors: tuple[str, ...]
    later_runs: int
    acknowledged: tuple[str, ...]


def list_studies(warehouse: Warehouse) -> tuple[StudyRow, ...]:
    """Every study, in the order of first ingest."""
    return warehouse.records("studies", StudyRow)


@dataclass(frozen=True, slots=True)
class Meta:
    """What the file says of itself."""

    schema_version: int
    generation: int
    built_at: str


@dataclass(frozen=True, slots=True)
class ScoredBy:
    """An extractor and the number of answers it gave."""

    extractor: str
    answers: int


def newest_generation(warehouse: Warehouse) -> int:
    """The generation of the newest ingest this file knows."""
    return warehouse.records("meta", Meta)[0].generation


def resolve(
    warehouse: Warehouse, study: str | None, as_of: int | None, extractor: str | None, acknowledged: tuple[str, ...] = ()
) -> Scope:
    """Scope for what was asked; null asks for the first study, the newest generation, the main extractor.

    Raises UnknownStudyError on a study that is not here (or not yet, at `as_of`), and UsageError on
    an extractor that scored nothing in it.
    """
    studies = list_studies(warehouse)
    found = next((row for row in studies if study is None or row.study == study), None)
    names = ", ".join(row.study for row in studies)
    if found is None:
        raise UnknownStudyError(f"no study {study!r} in this store", fix=f"Studies held: {names}.")
    newest = newest_generation(warehouse)
    at = newest if as_of is None else as_of
    if at > newest:
        fix = "The link was made on another store. Leave as_of out to see the study as it is here."
        raise UsageError(f"this store is at generation {newest}, generation {at} was asked for", fix=fix)
    if at < found.first_generation:
        raise UsageError(
            f"study {found.study!r} was first ingested at generation {found.first_generation}, not by {as_of}",
            fix="Leave as_of out to see it as it is now.",
        )
    extractors = tuple(row.extractor for row in warehouse.records("extractors", ScoredBy, study=found.study, as_of=at))
    if extractor is not None and extractor not in extractors:
        known = ", ".join(extractors) or "none"
        raise UsageError(f"no record of study {found.study!r} is scored by {extractor!r}", fix=f"Extractors here: {known}.")
    now, then = (set(warehouse.frame("runs", study=found.study, as_of=generation)["run_id"]) for generation in (newest, at))
    if strangers := sorted(set(acknowledged) - now):
        raise UsageError(f"study {found.study!r} has no run {strangers[0]!r} to acknowledge")
    return Scope(found, at, newest, extractor or _main(found, extractors), extractors, len(now - then), acknowledged)


def _main(study: StudyRow, extractors: tuple[str, ...]) -> str | None:
    return study.main_extractor if study.main_extractor in extractors else next(iter(extractors), None)
