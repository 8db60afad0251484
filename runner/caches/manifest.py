"""The list of cache files of one deployment, as the instrument inside the engine's process saw it."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from runner.caches.roots import family_of
from store.contract.base import Json
from store.digests import canonical_digest, file_sha256
from store.errors import InputError

SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class CacheFile:
    """One file: path relative to the cache base with forward slashes, size in bytes, hex SHA-256 of its bytes."""

    path: str
    size: int
    sha256: str


Manifest: TypeAlias = tuple[CacheFile, ...]
"""One moment's files, sorted by path, each path once. Files outside the families may be among them."""


def read_manifest(rows: Sequence[Json]) -> Manifest:
    """A manifest from the instrument's rows `[path, size, sha256]`.

    Raises InputError naming the row on any other form, on a path that leaves the base and on a
    path listed twice.
    """
    files = [_file(number, row) for number, row in enumerate(rows, start=1)]
    files.sort(key=lambda file: file.path)
    for one, next_one in itertools.pairwise(files):
        if one.path == next_one.path:
            raise InputError(f"cache manifest lists {one.path} twice")
    return tuple(files)


def list_files(base: Path) -> Manifest:
    """What lies below `base` now; for a deployment that is over, since its own instrument lists what it sees."""
    paths = sorted(path for path in base.rglob("*") if path.is_file())
    found = (CacheFile(path.relative_to(base).as_posix(), path.stat().st_size, file_sha256(path)) for path in paths)
    return tuple(sorted(found, key=lambda file: file.path))


def files_digest(manifest: Manifest) -> str:
    """`kfiles1:` over the sorted [path, size, sha256] of the files that belong to a cache family.

    Evidence, not identity (METHOD P1): compiled files carry random names and addresses, so two
    deployments that compute the same can differ here.
    """
    rows: list[Json] = [
        [file.path, file.size, file.sha256] for file in sorted(manifest, key=lambda f: f.path) if family_of(file.path)
    ]
    return canonical_digest("kfiles1", rows)


def _file(number: int, row: Json) -> CacheFile:
    match row:
        case [str(path), int(size), str(sha256)] if _is_inside(path) and _is_size(size) and SHA256.fullmatch(sha256):
            return CacheFile(path=path, size=size, sha256=sha256)
    raise InputError(f"row {number} of the cache manifest is not [path below the base, size, sha256]: {row!r:.120}")


def _is_inside(path: str) -> bool:
    return bool(path) and not path.startswith("/") and ".." not in PurePosixPath(path).parts


def _is_size(size: int) -> bool:
    return not isinstance(size, bool) and size >= 0
