"""What became of each kernel cache: the role as it happened, not as it was asked for (METHOD P2)."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from runner.caches.manifest import CacheFile, Manifest
from runner.caches.roots import FAMILIES, Family, family_of, rank_of
from runner.caches.winners import maker_of
from store.contract.environment import CacheFamily, CacheRole

# vllm/compilation/decorators.py; both name the artefact, and so the rank.
LOAD_FAILED = re.compile(r"Compiling model again due to a load failure from (.+?), reason: ")
LOADED_AOT = re.compile(r"Directly load AOT compilation from path (.+)")
# vllm/compilation/backends.py, where AOT compilation is off; it names no rank.
LOADED_GRAPHS = re.compile(r"Directly load the compiled graph\(s\) for compile range ")

BOOKKEEPING = (".lock", ".log", ".ninja_log", ".ninja_deps")
"""A deployment that only loads takes locks and appends to build logs; that is no cache content."""

CHOOSING: tuple[Family, ...] = ("inductor", "triton", "flashinfer_autotune")
"""FlashInfer's JIT output is compiled code without choices, shared between deployments by design."""


@dataclass(frozen=True, slots=True)
class Roles:
    """One role per family and rank, sorted; None with a reason when any of them is not known."""

    families: tuple[CacheFamily, ...] | None
    reason: str


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to one family's files at one rank. Paths relative to the cache base."""

    before: frozenset[str]
    added: frozenset[str]
    changed: frozenset[str]
    removed: frozenset[str]

    @property
    def kept(self) -> frozenset[str]:
        """Preloaded files whose bytes are the same at the end."""
        return self.before - self.changed - self.removed


def cache_families(before: Manifest, after: Manifest, read: Collection[str] | None, mapped: Collection[str], log: str) -> Roles:
    """The roles from the manifests before the engine started and after the last request.

    `read`: preloaded files that were read, None where access times are not kept. `mapped`: files below
    the base that the process mapped. `log`: the deployment's stderr.

    | before | what happened                                                         | role                    |
    |--------|-----------------------------------------------------------------------|-------------------------|
    | empty  | nothing written                                                       | none                    |
    | empty  | files written                                                         | built                   |
    | filled | the log tells of a load failure (Inductor)                            | load failed and rebuilt |
    | filled | a preloaded winner file changed, or one came beside preloads in use   | re-tuned                |
    | filled | other files came or changed, preloads in use                          | mixed                   |
    | filled | files came or changed, preloads not used                              | built                   |
    | filled | nothing written, preloads in use                                      | loaded                  |
    | filled | nothing written, preloads not used                                    | none                    |

    In use: the log says so (Inductor), or a preloaded file *that kept its bytes* was read or mapped; a
    file written anew has fresh access times and proves nothing. Where access times are not kept and
    nothing else shows use, the last rows cannot be told apart, and the roles are not known. A load
    failure counts at the rank its path names. Every family has rank 0 at least.
    """
    rows: list[CacheFamily] = []
    for family in FAMILIES:
        old, new = _of(before, family), _of(after, family)
        for rank in sorted({0, *(rank_of(file.path) for file in (*old, *new))}):
            change = _change((f for f in old if rank_of(f.path) == rank), (f for f in new if rank_of(f.path) == rank))
            in_use = _in_use(family, rank, change.kept, read, mapped, log)
            failed = family == "inductor" and rank in _ranks(LOAD_FAILED, log)
            role = _role(change, in_use, failed)
            if role is None:
                return Roles(families=None, reason=_unclear(family, rank))
            rows.append(CacheFamily(family=family, rank=rank, role=role))
    return Roles(families=tuple(rows), reason="")


def overall_role(families: Iterable[CacheFamily]) -> CacheRole:
    """One role for the deployment, over the caches that choose kernels (Inductor, Triton, FlashInfer autotune).

    A load that failed anywhere wins. Otherwise the one role that is not `none`; `none` when there is
    no other; `mixed` when there are several.
    """
    roles = {row.role for row in families if row.family in CHOOSING} - {"none"}
    if "load failed and rebuilt" in roles:
        return "load failed and rebuilt"
    if len(roles) > 1:
        return "mixed"
    return roles.pop() if roles else "none"


def _role(change: Change, in_use: bool | None, failed: bool) -> CacheRole | None:
    written = change.added | change.changed
    if not change.before:
        return "built" if written else "none"
    if failed:
        return "load failed and rebuilt"
    if any(maker_of(path) for path in change.changed):
        return "re-tuned"
    if in_use is None:
        return None
    if not in_use:
        return "built" if written else "none"
    if any(maker_of(path) for path in change.added):
        return "re-tuned"
    return "mixed" if written else "loaded"


def _in_use(
    family: Family, rank: int, kept: frozenset[str], read: Collection[str] | None, mapped: Collection[str], log: str
) -> bool | None:
    """None when nothing shows use and access times, which alone could deny it, are not kept."""
    if family == "inductor" and (rank in _ranks(LOADED_AOT, log) or LOADED_GRAPHS.search(log)):
        return True
    if not kept.isdisjoint(mapped):
        return True
    return None if read is None else not kept.isdisjoint(read)


def _change(old: Iterable[CacheFile], new: Iterable[CacheFile]) -> Change:
    was = {file.path: file.sha256 for file in old}
    now = {file.path: file.sha256 for file in new}
    return Change(
        before=frozenset(was),
        added=frozenset(now.keys() - was.keys()),
        changed=frozenset(path for path in was.keys() & now.keys() if was[path] != now[path]),
        removed=frozenset(was.keys() - now.keys()),
    )


def _of(manifest: Manifest, family: Family) -> list[CacheFile]:
    return [f for f in manifest if family_of(f.path) == family and not PurePosixPath(f.path).name.endswith(BOOKKEEPING)]


def _ranks(sentence: re.Pattern[str], log: str) -> set[int]:
    return {rank_of(path) for path in sentence.findall(log)}


def _unclear(family: Family, rank: int) -> str:
    return (
        f"{family}, rank {rank}: files were preloaded, the file system does not keep access times, "
        "and neither the log nor a mapped file shows whether they were used"
    )
