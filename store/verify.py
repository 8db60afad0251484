"""Re-deriving everything a store promises: bundles, generations, and the DuckDB file against a fresh build."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

from store.errors import InputError, StoreError
from store.folder import Store
from store.sealed.manifest import load_manifest
from store.sealed.verify import Problem, verify_bundle
from store.warehouse.build import SealedBundle, build_warehouse
from store.warehouse.open import built_from, open_warehouse


@dataclass(frozen=True, slots=True)
class TableDifference:
    """One table of the DuckDB file against a fresh build of it. strays: rows that the fresh build does not have."""

    name: str
    rows: int
    fresh_rows: int
    strays: int


@dataclass(frozen=True, slots=True)
class Verified:
    """What was checked and what does not hold."""

    bundles: int
    runs: int
    records: int
    problems: tuple[Problem, ...]


def verify_store(store: Store) -> Verified:
    """Check every bundle, and every row of the DuckDB file against a file built anew from the bundles."""
    problems: list[Problem] = []
    bundles: list[SealedBundle] = []
    for folder in store.bundle_folders():
        try:
            bundles.append(SealedBundle(folder, load_manifest(folder)))
        except InputError as error:
            problems.append(Problem(str(folder), error.what))
    try:
        store.removals()
    except StoreError as error:
        problems.append(Problem(error.where, error.what))
    for bundle in bundles:
        problems += verify_bundle(bundle.folder, bundle.manifest)
    problems += _generation_problems(bundles)
    if not problems:
        problems += _warehouse_problems(store, bundles)
    runs = [run for bundle in bundles for run in bundle.manifest.runs]
    return Verified(len(bundles), len(runs), sum(run.counts.records for run in runs), tuple(problems))


def _generation_problems(bundles: list[SealedBundle]) -> Iterator[Problem]:
    seen: set[int | None] = set()
    for bundle in bundles:
        generation = bundle.manifest.generation
        if generation is None or generation in seen:
            yield Problem(str(bundle.folder), f"generation {generation} is missing or given twice")
        seen.add(generation)


def _warehouse_problems(store: Store, bundles: list[SealedBundle]) -> Iterator[Problem]:
    where = str(store.warehouse)
    if not bundles and not store.warehouse.exists():
        return
    sealed = {(b.manifest.study, b.manifest.content_digest, b.manifest.generation) for b in bundles}
    if built_from(store.warehouse) != sealed:
        yield Problem(where, "was built from other bundles than are sealed here; run `flipbook rebuild`")
        return
    try:
        differences = _against_fresh_build(store, bundles)
    except StoreError as error:
        yield Problem(where, error.what)
        return
    for table in differences:
        if table.strays or table.rows != table.fresh_rows:
            what = (
                f"{table.name}: {table.strays:,} of {table.rows:,} rows do not follow from the bundles; run `flipbook rebuild`"
            )
            yield Problem(where, what)


def _against_fresh_build(store: Store, bundles: list[SealedBundle]) -> tuple[TableDifference, ...]:
    try:
        with tempfile.TemporaryDirectory() as folder:
            fresh = Path(folder) / "fresh.duckdb"
            build_warehouse(fresh, bundles, store.generation())
            warehouse = open_warehouse(store.warehouse, fresh)
            try:
                return warehouse.records("differences", TableDifference)
            finally:
                warehouse.close()
    except (OSError, duckdb.Error) as error:
        reason = str(error).splitlines()[0]
        raise StoreError(f"no file to compare with can be built ({reason})", where=tempfile.gettempdir()) from error
