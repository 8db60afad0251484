"""The kernel choice digest: which configuration autotuning chose, and nothing else (METHOD P1)."""

import hashlib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from runner.caches.manifest import CacheFile, Manifest
from runner.caches.roots import CacheRoots, family_of
from runner.caches.winners import Winner, maker_of, read_winners
from store.contract.base import Json
from store.digests import canonical_digest

NONE: Final = "none"

GPU_CODE = {".ttir", ".ttgir", ".llir", ".ptx", ".cubin", ".hsaco", ".amdgcn", ".spv"}
READABLE = GPU_CODE | {".py", ".cpp", ".h", ".so", ".o", ".json", ".lock"}
"""Suffixes in Inductor's folders that are source, code or notes: none can carry a hidden choice of configuration.
Everything else (`model`, `fxgraph/…`, `aotautograd/…`, vLLM's `artifact_…`) is a pickle that can."""

TRITON_SOURCE = (b"async_compile.triton", b"triton_heuristics")
"""How Inductor's generated Python names a Triton kernel."""


@dataclass(frozen=True, slots=True)
class KernelChoices:
    """`kchoice1:…`, or `none` when it was observed that nothing was chosen, or None (not known) with a reason.

    `reason` is empty unless the digest is None. `winners` counts the distinct choices in the digest.
    """

    digest: str | None
    reason: str
    winners: int


def kernel_choices(roots: CacheRoots, manifest: Manifest) -> KernelChoices:
    """The winners in the files of `manifest`, which must still be as they were when it was taken.

    The digest covers the set of (maker, rank, kernel, shape bucket, choice). Timings, folders, the
    names of wrappers and the bytes of compiled code do not enter; equal winners in two folders count once.

    Not known: a winner file that is missing, changed or broken, and a compile whose opaque artefacts may
    hold winners while no readable file does. `none`: no cache file that chooses, among them a compile
    with C++ kernels alone, where Inductor tunes nothing but matmul templates and writes those choices down.
    Triton's choices leave a file only with TRITON_CACHE_AUTOTUNING=1, which vLLM sets, and some never do.
    """
    files = [file for file in manifest if family_of(file.path)]
    winners: set[Winner] = set()
    for file in files:
        if maker := maker_of(file.path):
            try:
                winners |= read_winners(file.path, maker, _as_listed(roots, file))
            except ValueError as error:
                return _not_known(error)
    if winners:
        rows: list[Json] = [[w.maker, w.rank, w.kernel, w.key, w.choice] for w in sorted(winners)]
        return KernelChoices(digest=canonical_digest("kchoice1", rows), reason="", winners=len(rows))
    opaque = sorted(file.path for file in files if _is_opaque(file.path))
    if not opaque:
        return KernelChoices(digest=NONE, reason="", winners=0)
    try:
        if _compiles_cpp_alone(roots, files):
            return KernelChoices(digest=NONE, reason="", winners=0)
    except ValueError as error:
        return _not_known(error)
    hidden = f"{opaque[0]}: a compiled artefact that may hold winners, and no readable file names any"
    return KernelChoices(digest=None, reason=hidden, winners=0)


def _is_opaque(path: str) -> bool:
    return family_of(path) == "inductor" and not maker_of(path) and PurePosixPath(path).suffix not in READABLE


def _compiles_cpp_alone(roots: CacheRoots, files: list[CacheFile]) -> bool:
    """Inductor alone wrote, and wrote C++ kernels: nothing anywhere is or names a Triton kernel."""
    if any(family_of(file.path) != "inductor" or PurePosixPath(file.path).suffix in GPU_CODE for file in files):
        return False
    sources = [_as_listed(roots, file) for file in files if file.path.endswith(".py")]
    if any(mark in source for source in sources for mark in TRITON_SOURCE):
        return False
    return any(file.path.endswith(".cpp") for file in files)


def _as_listed(roots: CacheRoots, file: CacheFile) -> bytes:
    try:
        data = (roots.base / file.path).read_bytes()
    except OSError as error:
        raise ValueError(f"{file.path}: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise ValueError(f"{file.path}: changed since the manifest was taken")
    return data


def _not_known(why: ValueError) -> KernelChoices:
    return KernelChoices(digest=None, reason=str(why), winners=0)
