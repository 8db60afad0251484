"""Re-deriving everything a store promises: bundles, generations, and the DuckDB file against the bundles."""

from collections.abc import Iterator
from dataclasses import dataclass

from store.errors import FlipbookError
from store.folder import Store
from store.sealed.verify import Problem, verify_bundle
from store.warehouse.build import SealedBundle
from store.warehouse.open import open_warehouse


@dataclass(frozen=True, slots=True)
class Built:
    """A bundle as the DuckDB file knows it."""

    study: str
    content_digest: str
    generation: int


@dataclass(frozen=True, slots=True)
class TableCount:
    """Rows of one table of the DuckDB file."""

    name: str
    rows: int


@dataclass(frozen=True, slots=True)
class Verified:
    """What was checked and what does not hold."""

    bundles: int
    runs: int
    records: int
    problems: tuple[Problem, ...]


def verify_store(store: Store) -> Verified:
    """Check every bundle and the DuckDB file. Raises InputError when a manifest cannot be read at all."""
    bundles = store.bundles()
    problems = [problem for bundle in bundles for problem in verify_bundle(bundle.folder, bundle.manifest)]
    problems += [*_generation_problems(bundles), *_warehouse_problems(store, bundles)]
    runs = [run for bundle in bundles for run in bundle.manifest.runs]
    return Verified(len(bundles), len(runs), sum(run.counts.records for run in runs), tuple(problems))


def _generation_problems(bundles: tuple[SealedBundle, ...]) -> Iterator[Problem]:
    seen: dict[int | None, SealedBundle] = {}
    for bundle in bundles:
        generation = bundle.manifest.generation
        if generation is None or generation in seen:
            yield Problem(str(bundle.folder), f"generation {generation} is missing or given twice")
        seen[generation] = bundle


def _warehouse_problems(store: Store, bundles: tuple[SealedBundle, ...]) -> Iterator[Problem]:
    where = str(store.warehouse)
    if not bundles and not store.warehouse.exists():
        return
    try:
        warehouse = open_warehouse(store.warehouse)
    except FlipbookError as error:
        yield Problem(where, error.what)
        return
    built = {(b.study, b.content_digest, b.generation) for b in warehouse.records("bundle_digests", Built)}
    sealed = {(b.manifest.study, b.manifest.content_digest, b.manifest.generation) for b in bundles}
    if built != sealed:
        yield Problem(where, "was built from other bundles than are sealed here; run `flipbook rebuild`")
    else:
        for count in warehouse.records("table_counts", TableCount):
            rows = sum(file.rows for b in bundles for file in b.manifest.files if file.name == f"{count.name}.parquet")
            if rows != count.rows:
                yield Problem(where, f"{count.name} has {count.rows:,} rows, the bundles have {rows:,}; run `flipbook rebuild`")
    warehouse.close()
