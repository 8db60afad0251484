"""Every digest of the project: a tag that names the recipe, a colon, 64 hex digits.

A recipe never changes. A new recipe gets a new tag, and the old one stays verifiable.
"""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import rfc8785

from store.contract.base import Json

CHUNK = 1 << 20


def canonical_digest(tag: str, value: Json) -> str:
    """`tag:` + SHA-256 of the RFC 8785 form of `value`.

    Raises ValueError on NaN, infinity, an integer beyond 2^53 or a lone surrogate.
    """
    return f"{tag}:{hashlib.sha256(rfc8785.dumps(value)).hexdigest()}"


def text_digest(text: str) -> str:
    """`txt1:` + SHA-256 of the exact UTF-8 bytes; nothing is trimmed or normalised."""
    return f"txt1:{hashlib.sha256(text.encode()).hexdigest()}"


def tokens_digest(token_ids: Sequence[int]) -> str:
    """`tok1:` + SHA-256 of the ids as little-endian 32-bit integers, in order."""
    return f"tok1:{hashlib.sha256(np.asarray(token_ids, dtype='<i4').tobytes()).hexdigest()}"


def without_trailing_stop(token_ids: Sequence[int], stop_ids: Iterable[int]) -> Sequence[int]:
    """The ids less one trailing stop id, if there is one (METHOD: identity and output classes).

    A backend that returns its end-of-sequence token and one that does not are equal so.
    """
    return token_ids[:-1] if token_ids and token_ids[-1] in set(stop_ids) else token_ids


def set_digest(tag: str, header: Json, members: Iterable[bytes]) -> str:
    """`tag:` + SHA-256 of a canonical header followed by the sorted SHA-256 digests in `members`.

    Sorting makes it independent of the order in which records arrived.
    """
    whole = hashlib.sha256(rfc8785.dumps(header))
    for member in sorted(members):
        whole.update(member)
    return f"{tag}:{whole.hexdigest()}"


def file_sha256(path: Path) -> str:
    """Plain hex SHA-256 of a file's bytes, read in pieces."""
    whole = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            whole.update(piece)
    return whole.hexdigest()
