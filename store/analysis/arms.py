"""Two arms, each the pool of its cells: where they differ, what new deployments alone explain, and what is left."""

from dataclasses import dataclass

import numpy as np

from store.analysis.panel import BoolArray, CodeArray
from store.analysis.stability import Stability


@dataclass(frozen=True, slots=True)
class ArmDifference:
    """Masks of shape (questions,).

    differing: some run of one arm and some run of the other have different verdicts; it falls apart into four.
    reroll: in the fragile set, which new deployments alone could produce. core: outside it, each arm scored in
    every run with one verdict, and the two verdicts differ. undecided: outside it and a run lacks a verdict. split:
    the rest, where cells of one arm contradict each other. right_a: of the core, where arm A is correct.
    """

    differing: BoolArray
    reroll: BoolArray
    core: BoolArray
    undecided: BoolArray
    split: BoolArray
    right_a: BoolArray


def arm_difference(a: Stability, b: Stability, fragile: BoolArray) -> ArmDifference:
    """Difference of two pooled arms, given the study's fragile set."""
    counts = a.right * (b.scored - b.right) + (a.scored - a.right) * b.right
    differing = np.asarray(counts > 0)
    stable = differing & ~fragile
    complete = a.complete & b.complete
    core = stable & a.constant & b.constant
    return ArmDifference(
        differing=differing,
        reroll=differing & fragile,
        core=core,
        undecided=stable & ~complete,
        split=stable & complete & ~core,
        right_a=core & (a.right > 0),
    )


@dataclass(frozen=True, slots=True)
class SignatureGroup:
    """Questions outside the fragile set with one pattern of equal and different arms.

    blocks: arms that agree, largest block first, ties in the order of the arms. differing_from_first: how
    many arms differ from the first. questions: mask of shape (questions,).
    """

    blocks: tuple[tuple[str, ...], ...]
    differing_from_first: tuple[int, ...]
    questions: BoolArray

    @property
    def label(self) -> str:
        """`FP8 = INT4 ≠ BF16`."""
        return " ≠ ".join(" = ".join(block) for block in self.blocks)


def signature_groups(arms: tuple[str, ...], values: CodeArray, usable: BoolArray) -> tuple[SignatureGroup, ...]:
    """Groups of `usable` questions by which arms agree.

    values: shape (arms, questions), each arm's one constant output as a code, -1 where the arm is not constant
    or not fully known; those questions are in no group, nor are those on which all arms agree. Order: most
    arms differing from the first arm first, then in the order of the arms.
    """
    found: dict[tuple[int, ...], list[int]] = {}
    for q in np.flatnonzero(usable & (values >= 0).all(axis=0)):
        column = values[:, q].tolist()
        pattern = tuple(column.index(code) for code in column)
        if any(pattern):
            found.setdefault(pattern, []).append(int(q))
    groups = []
    for pattern, members in found.items():
        mask = np.zeros(values.shape[1], dtype=np.bool_)
        mask[members] = True
        differing = tuple(i for i, block in enumerate(pattern) if block != 0)
        groups.append(SignatureGroup(_blocks(arms, pattern), differing, mask))
    return tuple(sorted(groups, key=lambda g: (-len(g.differing_from_first), g.differing_from_first, g.blocks)))


def _blocks(arms: tuple[str, ...], pattern: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    blocks: dict[int, list[str]] = {}
    for arm, first in zip(arms, pattern, strict=True):
        blocks.setdefault(first, []).append(arm)
    return tuple(tuple(block) for block in sorted(blocks.values(), key=lambda block: (-len(block), arms.index(block[0]))))
