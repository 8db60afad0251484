"""Where two texts or token lists part, and how they differ from there on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

DIFF_WORDS = 2_000
"""Words per side that are aligned; what lies behind is shown whole and unaligned."""

BACK_OFF = 60
"""A word longer than this is cut where it differs."""

_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"  # scripts written without spaces: each sign is a word
_CJK = re.compile(f"[{_WIDE}]")
_WORD = re.compile(rf"\s*(?:[{_WIDE}]|[^\s{_WIDE}]+)|\s+$")
_UNFINISHED = re.compile(rf"(?:^|(?<=[{_WIDE}])|\s+)[^\s{_WIDE}]+\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one side. `same` stands on both sides, `only` on this one."""

    kind: Literal["same", "only"]
    text: str


@dataclass(frozen=True, slots=True)
class TextDifference:
    """Two texts split at their first difference.

    shared: the common prefix, cut back to a word boundary. left, right: what follows, word by word.
    equal: the texts are the same. unaligned: a side was longer than `DIFF_WORDS` words behind the prefix.
    """

    shared: str
    left: tuple[Piece, ...]
    right: tuple[Piece, ...]
    equal: bool
    unaligned: bool


def first_divergence(a: Sequence[int], b: Sequence[int]) -> int | None:
    """0-based index of the first differing token; the shorter length when one is a prefix of the other.

    None when both are equal.
    """
    for index, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return index
    return None if len(a) == len(b) else min(len(a), len(b))


def text_difference(left: str, right: str) -> TextDifference:
    """Word diff of two texts from their first difference on; words carry their leading space."""
    if left == right:
        return TextDifference(left, (), (), equal=True, unaligned=False)
    cut = _word_boundary(left, right)
    a, b = _WORD.findall(left[cut:]), _WORD.findall(right[cut:])
    unaligned = max(len(a), len(b)) > DIFF_WORDS
    matcher = SequenceMatcher(None, a[:DIFF_WORDS], b[:DIFF_WORDS], autojunk=False)
    lefts: list[Piece] = []
    rights: list[Piece] = []
    for tag, i, j, k, m in matcher.get_opcodes():
        kind: Literal["same", "only"] = "same" if tag == "equal" else "only"
        lefts += [Piece(kind, "".join(a[i:j]))] if j > i else []
        rights += [Piece(kind, "".join(b[k:m]))] if m > k else []
    if unaligned:
        lefts += [Piece("only", "".join(a[DIFF_WORDS:]))] if len(a) > DIFF_WORDS else []
        rights += [Piece("only", "".join(b[DIFF_WORDS:]))] if len(b) > DIFF_WORDS else []
    return TextDifference(left[:cut], tuple(lefts), tuple(rights), equal=False, unaligned=unaligned)


def _word_boundary(left: str, right: str) -> int:
    """Length of the common prefix, cut back to where its unfinished word begins, `BACK_OFF` characters at most."""
    shared = _common_prefix(left, right)
    start = _UNFINISHED.search(left, max(0, shared - BACK_OFF), shared)
    return start.start() if start and _continues(left, right, shared) else shared


def _common_prefix(left: str, right: str) -> int:
    """Number of equal leading characters, by halving: slices compare at memory speed."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _continues(left: str, right: str, at: int) -> bool:
    """Whether the first difference stands inside a word of either side."""
    return any(at < len(side) and not side[at].isspace() and not _CJK.match(side[at]) for side in (left, right))
