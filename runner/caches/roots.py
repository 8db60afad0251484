"""Where the kernel caches of one deployment lie: every family below one base folder."""

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, Literal, get_args

Family = Literal["inductor", "triton", "flashinfer_jit", "flashinfer_autotune"]
"""The cache families of `store.contract.environment.CacheFamily`, with the same words."""

FAMILIES: Final[tuple[Family, ...]] = get_args(Family)

FOLDERS: Final[dict[Family, tuple[str, ...]]] = {
    "inductor": ("vllm/torch_compile_cache", "inductor"),
    "triton": ("triton",),
    "flashinfer_jit": ("flashinfer_jit",),
    "flashinfer_autotune": ("flashinfer_autotune",),
}
"""Folders of a family, relative to the base.

While it compiles, vLLM sends Inductor's own cache below `torch_compile_cache`; eager mode and what
runs before use TORCHINDUCTOR_CACHE_DIR. Both belong to one family.
"""

RANK = re.compile(r"(?:^|[/_])rank_?(\d+)(?:_\d+)?(?=[/._]|$)")


@dataclass(frozen=True, slots=True)
class CacheRoots:
    """The cache folders of one deployment. `base` need not exist yet."""

    base: Path

    def environment(self) -> dict[str, str]:
        """Variables for the engine's process, name to absolute path.

        XDG_CACHE_HOME is left alone: every compiler cache has a variable of its own, and moving
        XDG_CACHE_HOME would hide the model hub's downloads as well. FlashInfer appends
        `.cache/flashinfer` to its workspace base by itself. Its managed winners
        (FLASHINFER_AUTOTUNE_CACHE_DIR) would lie in that workspace, among compiled code, so they
        are sent to where vLLM's autotune file is.
        """
        base = self.base.absolute()
        return {
            "VLLM_CACHE_ROOT": str(base / "vllm"),
            "TORCHINDUCTOR_CACHE_DIR": str(base / "inductor"),
            "TRITON_CACHE_DIR": str(base / "triton"),
            "FLASHINFER_WORKSPACE_BASE": str(base / "flashinfer_jit"),
            "VLLM_FLASHINFER_AUTOTUNE_CACHE_DIR": str(base / "flashinfer_autotune"),
            "FLASHINFER_AUTOTUNE_CACHE_DIR": str(base / "flashinfer_autotune"),
        }

    def folders(self, family: Family) -> tuple[Path, ...]:
        """The folders of one family, in a fixed order: entry n of one base answers entry n of another."""
        return tuple(self.base / folder for folder in FOLDERS[family])

    def family_of(self, relative_path: str) -> Family | None:
        """The family a file belongs to, by its path relative to the base.

        None for what is no kernel cache (vLLM's `modelinfos`, its start-up plan) and for a path
        that leaves the base.
        """
        return family_of(relative_path)


def family_of(relative_path: str) -> Family | None:
    """`CacheRoots.family_of` without a base: the layout is the same below every base."""
    path = PurePosixPath(relative_path)
    if path.is_absolute() or ".." in path.parts:
        return None
    for family in FAMILIES:
        if any(PurePosixPath(folder) in path.parents for folder in FOLDERS[family]):
            return family
    return None


def rank_of(path: str) -> int:
    """The rank named in a cache path: `rank_1_0/model` (vLLM) and `…_dp0_rank1.json` (autotune) are 1.

    0 when no part names one; a folder that all ranks share counts as rank 0's. Data-parallel
    replicas of one rank are not told apart.
    """
    named = RANK.findall(path)
    return int(named[-1]) if named else 0
