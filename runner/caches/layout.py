"""Laying out a deployment's cache folders before its engine starts."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from runner.caches.manifest import CacheFile, Manifest
from runner.caches.roots import FAMILIES, CacheRoots, Family
from store.digests import file_sha256
from store.errors import InputError, UsageError


@dataclass(frozen=True, slots=True)
class Fresh:
    """The family starts empty."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The family uses the study's one folder in place, with whatever earlier deployments left there."""


@dataclass(frozen=True, slots=True)
class LoadedFrom:
    """The family starts with a verified copy of what a builder left.

    `manifest` is the builder's last one; only its files of this family are copied.
    """

    source: CacheRoots
    manifest: Manifest


Policy: TypeAlias = Fresh | Shared | LoadedFrom


def lay_out(roots: CacheRoots, policies: Mapping[Family, Policy], shared: Path) -> None:
    """Create the folders of every family below `roots.base`; shared ones link to `shared/<family>/<n>`.

    Raises UsageError when a family has no policy. Raises InputError when the base holds anything,
    when the builder left nothing in a family, and, naming the file, when a source file is gone or a
    copy differs from the builder's manifest. What was laid out up to then stays: the base is not
    usable any more.
    """
    if missing := [family for family in FAMILIES if family not in policies]:
        raise UsageError(f"no cache policy for {', '.join(missing)}", fix="Name one for every family.")
    if roots.base.exists() and (not roots.base.is_dir() or any(roots.base.iterdir())):
        raise InputError("the cache folder is not empty", where=str(roots.base), fix="Every deployment needs a new one.")
    for family in FAMILIES:
        match policies[family]:
            case Shared():
                _link(roots, family, shared)
            case Fresh():
                _make(roots, family)
            case LoadedFrom(source, manifest):
                _make(roots, family)
                _copy(roots, family, source, manifest)


def _make(roots: CacheRoots, family: Family) -> None:
    for folder in roots.folders(family):
        folder.mkdir(parents=True, exist_ok=True)


def _link(roots: CacheRoots, family: Family, shared: Path) -> None:
    for number, folder in enumerate(roots.folders(family)):
        target = (shared / family / str(number)).absolute()
        target.mkdir(parents=True, exist_ok=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.symlink_to(target, target_is_directory=True)


def _copy(roots: CacheRoots, family: Family, source: CacheRoots, manifest: Manifest) -> None:
    files = [file for file in manifest if roots.family_of(file.path) == family]
    if not files:
        raise InputError(f"the builder left nothing in the {family} cache", where=str(source.base))
    for file in files:
        _copy_one(source.base / file.path, roots.base / file.path, file)


def _copy_one(origin: Path, copy: Path, file: CacheFile) -> None:
    if not origin.is_file():
        raise InputError("the builder's manifest names this cache file, and it is gone", where=str(origin))
    copy.parent.mkdir(parents=True, exist_ok=True)
    # Times and modes too: ninja rebuilds what looks older than its source, and libraries stay executable.
    try:
        shutil.copy2(origin, copy)
    except OSError as error:
        raise InputError(f"this cache file cannot be copied: {error.strerror}", where=str(origin)) from error
    # The copy is what the engine will read. Checking it alone also finds a source that has changed.
    if copy.stat().st_size != file.size or file_sha256(copy) != file.sha256:
        raise InputError("this cache file is not the one in the builder's manifest", where=str(origin))
