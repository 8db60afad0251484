"""The store folder: sealed bundles, the DuckDB file built from them, and what people wrote.

    sealed/<study>/<digest>/   bundles, immutable
    removals/<generation>.json one tombstone per removed study
    warehouse.duckdb           built from the bundles, replaced at once
    people.sqlite              annotations
    staging/                   work in progress, never read

Every change holds the lock, builds the new file beside the old one, and then moves both into place.
"""

import errno
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb
from filelock import FileLock, Timeout
from pydantic import ValidationError

from store.contract.base import Frozen
from store.contract.run import BundleManifest
from store.errors import StoreError, UnknownStudyError
from store.sealed.manifest import is_bundle, load_manifest, write_manifest
from store.warehouse.build import SealedBundle, build_warehouse
from store.warehouse.open import built_from

LOCK_SECONDS = 600


class Removal(Frozen):
    """Tombstone of a removed study: keeps generations from being given twice."""

    study: str
    generation: int
    removed_at: str
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Store:
    """A store folder. Creating the object touches nothing on disk."""

    root: Path

    def __post_init__(self) -> None:
        # absolute, because DuckDB would read a leading ~ as a home folder
        object.__setattr__(self, "root", self.root.absolute())

    @property
    def warehouse(self) -> Path:
        return self.root / "warehouse.duckdb"

    @property
    def people(self) -> Path:
        return self.root / "people.sqlite"

    def bundles(self) -> tuple[SealedBundle, ...]:
        """Every sealed bundle, by generation. Raises InputError when a manifest is missing or cannot be read."""
        return _in_order(SealedBundle(folder, load_manifest(folder)) for folder in self.bundle_folders())

    def bundle_folders(self) -> tuple[Path, ...]:
        """Folders of sealed bundles, whether or not they are whole."""
        return tuple(sorted(path for path in (self.root / "sealed").glob("*/*") if path.is_dir()))

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

    def of_study(self, study: str) -> tuple[SealedBundle, ...]:
        """Bundles of one study, by generation."""
        return tuple(bundle for bundle in self.bundles() if bundle.manifest.study == study)

    def is_current(self) -> bool:
        """Whether the DuckDB file was built from exactly the bundles that are sealed here."""
        sealed = {(b.manifest.study, b.manifest.content_digest, b.manifest.generation) for b in self.bundles()}
        return built_from(self.warehouse) == sealed

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """Hold the lock and give an empty staging folder, removed afterwards whatever happens.

        What a killed process left in staging is cleared first. An error of the disk or of DuckDB
        becomes a StoreError: nothing is moved into place before everything is written.
        """
        if "?" in str(self.root.resolve()):
            raise StoreError("DuckDB cannot write below a folder with a ? in its name", where=str(self.root))
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            with FileLock(self.root / ".lock", timeout=LOCK_SECONDS):
                shutil.rmtree(self.root / "staging", ignore_errors=True)
                (self.root / "staging").mkdir()
                with tempfile.TemporaryDirectory(dir=self.root / "staging", ignore_cleanup_errors=True) as staging:
                    yield Path(staging)
        except Timeout as error:
            raise StoreError("another ingest has held the store for ten minutes", where=str(self.root)) from error
        except (OSError, duckdb.Error) as error:
            raise _disk_error(self.root, error) from error

    def bring_up_to_date(self, staging: Path) -> None:
        """Rebuild the DuckDB file when it is behind the bundles, as after a crash between two moves."""
        if not self.is_current():
            self._rebuild(staging)

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
        """Delete a study's bundles, damaged ones included. Its annotations stay.

        Raises UnknownStudyError when it is not here.
        """
        home = self.root / "sealed" / study
        known = sorted({folder.parent.name for folder in self.bundle_folders()})
        if study not in known:
            held = ", ".join(known) or "none"
            raise UnknownStudyError(f"no study {study!r} here", where=str(self.root), fix=f"Studies held: {held}.")
        with self.writing() as staging:
            aside = staging / "removed"
            removal = self._removal(study, home)
            tombstone = self.root / "removals" / f"{removal.generation}.json"
            tombstone.parent.mkdir(exist_ok=True)
            new = staging / "tombstone.json"
            new.write_text(removal.model_dump_json(indent=1), encoding="utf-8")
            new.replace(tombstone)  # first, so that no crash can give its generation again
            try:
                home.rename(aside)
                self._rebuild(staging)
            except BaseException:
                # staging is deleted on the way out, so the bundles go home first
                if aside.exists():
                    aside.rename(home)
                tombstone.unlink()
                raise
            return removal

    def _removal(self, study: str, home: Path) -> Removal:
        whole = [SealedBundle(folder, load_manifest(folder)) for folder in self.bundle_folders() if is_bundle(folder)]
        given = [b.manifest.generation or 0 for b in whole] + [removal.generation for removal in self.removals()]
        given += [generation or 0 for _, _, generation in built_from(self.warehouse)]  # of a bundle too damaged to say
        runs = tuple(sorted(run.run_id for b in whole if b.folder.parent == home for run in b.manifest.runs))
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return Removal(study=study, generation=max(given, default=0) + 1, removed_at=now, runs=runs)

    def _rebuild(self, staging: Path) -> int:
        bundles = self.bundles()
        if not bundles:
            self.warehouse.unlink(missing_ok=True)
            return 0
        build_warehouse(staging / "warehouse.duckdb", bundles, self.generation())
        (staging / "warehouse.duckdb").replace(self.warehouse)
        return len(bundles)


def _in_order(bundles: Iterable[SealedBundle]) -> tuple[SealedBundle, ...]:
    return tuple(sorted(bundles, key=lambda b: (b.manifest.generation or 0, b.manifest.content_digest)))


def _disk_error(root: Path, error: OSError | duckdb.Error) -> StoreError:
    if getattr(error, "errno", None) == errno.ENOSPC or "No space left" in str(error):
        what, fix = "the disk is full; the store is as it was before", "Free some space and run the same command again."
        return StoreError(what, where=str(root), fix=fix)
    reason = str(error).splitlines()[0]
    if isinstance(error, duckdb.Error):
        what, fix = f"the DuckDB file cannot be built ({reason})", "Run `flipbook verify` to see what is damaged."
        return StoreError(f"{what}; the store is as it was before", where=str(root), fix=fix)
    return StoreError(f"cannot be written ({reason}); the store is as it was before", where=str(root))
