"""The store folder: sealed bundles, the DuckDB file built from them, and what people wrote.

    sealed/<study>/<digest>/   bundles, immutable
    removals/<generation>.json one tombstone per removed study
    warehouse.duckdb           built from the bundles, replaced at once
    people.sqlite              annotations
    staging/                   work in progress, never read

Every change holds the lock, builds the new file beside the old one, and then moves both into place.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from store.contract.base import Frozen
from store.contract.run import BundleManifest
from store.errors import StoreError, UnknownStudyError
from store.sealed.manifest import load_manifest, write_manifest
from store.warehouse.build import SealedBundle, build_warehouse

LOCK_SECONDS = 600


class Removal(Frozen):
    """Tombstone of a removed study: keeps generations from being given twice."""

    study: str
    generation: int
    removed_at: str
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeldRun:
    """A run that the store holds already."""

    content_digest: str
    generation: int


@dataclass(frozen=True, slots=True)
class Store:
    """A store folder. Creating the object touches nothing on disk."""

    root: Path

    @property
    def warehouse(self) -> Path:
        return self.root / "warehouse.duckdb"

    @property
    def people(self) -> Path:
        return self.root / "people.sqlite"

    def bundles(self) -> tuple[SealedBundle, ...]:
        """Every sealed bundle, by generation. Raises InputError when a manifest cannot be read."""
        folders = sorted(path.parent for path in (self.root / "sealed").glob("*/*/manifest.json"))
        found = (SealedBundle(folder, load_manifest(folder)) for folder in folders)
        return tuple(sorted(found, key=lambda b: (b.manifest.generation or 0, b.manifest.content_digest)))

    def removals(self) -> tuple[Removal, ...]:
        """Tombstones, by generation."""
        paths = (self.root / "removals").glob("*.json")
        try:
            found = [Removal.model_validate_json(path.read_text(encoding="utf-8")) for path in paths]
        except (ValidationError, UnicodeDecodeError) as error:
            raise StoreError("a removal record cannot be read", where=str(self.root / "removals")) from error
        return tuple(sorted(found, key=lambda removal: removal.generation))

    def generation(self) -> int:
        """The highest generation ever given, 0 for an empty store."""
        given = [b.manifest.generation or 0 for b in self.bundles()] + [r.generation for r in self.removals()]
        return max(given, default=0)

    def held_runs(self, study: str) -> dict[str, HeldRun]:
        """Runs of `study` that are sealed here, by run id."""
        return {
            run.run_id: HeldRun(run.content_digest, bundle.manifest.generation or 0)
            for bundle in self.bundles()
            if bundle.manifest.study == study
            for run in bundle.manifest.runs
        }

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """Hold the lock and give an empty staging folder, removed afterwards whatever happens."""
        if "?" in str(self.root.resolve()):
            raise StoreError("DuckDB cannot write below a folder with a ? in its name", where=str(self.root))
        self.root.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self.root / ".lock", timeout=LOCK_SECONDS):
                (self.root / "staging").mkdir(exist_ok=True)
                with tempfile.TemporaryDirectory(dir=self.root / "staging", ignore_cleanup_errors=True) as staging:
                    yield Path(staging)
        except Timeout as error:
            raise StoreError("another ingest has held the store for ten minutes", where=str(self.root)) from error

    def admit(self, staged: Path, manifest: BundleManifest, staging: Path) -> BundleManifest:
        """Move a staged bundle into the store under the next generation and rebuild the DuckDB file.

        To be called inside `writing`. On any error the store is as it was.
        """
        numbered = write_manifest(staged, manifest.model_copy(update={"generation": self.generation() + 1}))
        new = staging / "warehouse.duckdb"
        home = self.root / "sealed" / numbered.study / numbered.content_digest.partition(":")[2][:16]
        build_warehouse(new, (*self.bundles(), SealedBundle(staged, numbered)), numbered.generation or 0)
        home.parent.mkdir(parents=True, exist_ok=True)
        staged.rename(home)
        try:
            new.replace(self.warehouse)
        except OSError:
            home.rename(staged)
            raise
        return numbered

    def rebuild(self) -> int:
        """Build the DuckDB file anew from the sealed bundles; gives their number."""
        with self.writing() as staging:
            return self._rebuild(staging)

    def remove(self, study: str) -> Removal:
        """Delete a study's bundles. Its annotations stay. Raises UnknownStudyError when it is not here."""
        with self.writing() as staging:
            mine = [b for b in self.bundles() if b.manifest.study == study]
            if not mine:
                known = ", ".join(sorted({b.manifest.study for b in self.bundles()})) or "none"
                raise UnknownStudyError(f"no study {study!r} here", where=str(self.root), fix=f"Studies held: {known}.")
            removal = Removal(
                study=study,
                generation=self.generation() + 1,
                removed_at=datetime.now(UTC).isoformat(timespec="seconds"),
                runs=tuple(sorted(run.run_id for b in mine for run in b.manifest.runs)),
            )
            self._carry_out(removal, staging)
            return removal

    def _carry_out(self, removal: Removal, staging: Path) -> None:
        home, aside = self.root / "sealed" / removal.study, staging / "removed"
        tombstone = self.root / "removals" / f"{removal.generation}.json"
        tombstone.parent.mkdir(exist_ok=True)
        tombstone.write_text(removal.model_dump_json(indent=1), encoding="utf-8")
        home.rename(aside)
        try:
            self._rebuild(staging)
        except BaseException:
            # staging is deleted on the way out, so the bundles go home first
            aside.rename(home)
            tombstone.unlink()
            raise

    def _rebuild(self, staging: Path) -> int:
        bundles = self.bundles()
        if not bundles:
            self.warehouse.unlink(missing_ok=True)
            return 0
        build_warehouse(staging / "warehouse.duckdb", bundles, self.generation())
        (staging / "warehouse.duckdb").replace(self.warehouse)
        return len(bundles)
