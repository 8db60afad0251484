"""Copies of the real cache trees, and the manifest the instrument would take of them."""

import os
import shutil
from pathlib import Path

from runner.caches.manifest import CacheFile
from runner.caches.roots import CacheRoots
from store.digests import file_sha256

DATA = Path(__file__).parent / "data"
AOT = "vllm/torch_compile_cache/torch_aot_compile/d60e6cca552214a109ce0b66d557ac9c6d1ace5d35337431f2fafafc52983bf9"


def tree(name, to):
    """A copy of `data/<name>` below the new folder `to`."""
    shutil.copytree(DATA / name, to, dirs_exist_ok=True)
    return CacheRoots(to)


def manifest(roots):
    """Every file below the base, symlinked folders followed."""
    paths = [Path(folder) / name for folder, _, names in os.walk(roots.base, followlinks=True) for name in names]
    files = [CacheFile(path.relative_to(roots.base).as_posix(), path.stat().st_size, file_sha256(path)) for path in paths]
    return tuple(sorted(files, key=lambda file: file.path))


def write(roots, path, text):
    """One file below the base."""
    at = roots.base / path
    at.parent.mkdir(parents=True, exist_ok=True)
    at.write_text(text)
    return at
