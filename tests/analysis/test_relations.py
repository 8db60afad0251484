"""Kinds of pairs, kinds of disagreement, arms and the order of the verdict map."""

import numpy as np
import pytest

from store.analysis.arms import arm_difference, signature_groups
from store.analysis.disagreement import DisagreementKind, Scored, disagreement_kind
from store.analysis.map_order import map_rows
from store.analysis.pair_kind import PairKind, RunFacts, kinship
from store.analysis.stability import stability
from store.contract.run import StudyRole
from tests.builders import verdicts


def facts(run="a", **known):
    values = {
        "deployment": run, "cell": "cap8", "arm": "BF16", "role": StudyRole.GRID, "engine": "vllm", "cache_role": "built",
        "cache_parent": "none", "card": f"GPU-{run}",
    }  # fmt: skip
    return RunFacts(run, **(values | known))


LOADED = {"cache_role": "loaded", "cache_parent": "a"}


@pytest.mark.parametrize(
    ("a", "b", "kind", "card", "build"),
    [
        (facts(), facts("b"), PairKind.FRESH_FRESH, "other", "unknown"),
        (facts(), facts("b", card="GPU-a"), PairKind.FRESH_FRESH, "same", "unknown"),
        (facts(), facts("b", card=None), PairKind.FRESH_FRESH, "unknown", "unknown"),
        (facts("p0", deployment="p"), facts("p1", deployment="p", card="GPU-p0"), PairKind.SAME_PROCESS, "same", "unknown"),
        (facts(), facts("b", **LOADED), PairKind.BUILDER_LOADER, "other", "same"),
        (facts(), facts("b", cell="warm", **LOADED), PairKind.BUILDER_LOADER, "other", "same"),
        (facts("x"), facts("b", **LOADED), PairKind.BUILDER_LOADER, "other", "other"),
        (facts("x", cell="other"), facts("b", **LOADED), PairKind.CROSS_CELL, "other", "unknown"),
        (facts("b", **LOADED), facts("c", **LOADED), PairKind.LOADER_LOADER, "other", "same"),
        (facts("b", **LOADED), facts("c", **(LOADED | {"cache_parent": "z"})), PairKind.LOADER_LOADER, "other", "other"),
        (facts("b", **LOADED), facts("c", **(LOADED | {"cache_parent": None})), PairKind.LOADER_LOADER, "other", "unknown"),
        (facts(), facts("b", cell="cap1"), PairKind.CROSS_CELL, "other", "unknown"),
        (facts(), facts("b", arm="FP8", cell="fp8"), PairKind.CROSS_ARM, "other", "unknown"),
        (facts(), facts("b", engine="transformers", cell="hf"), PairKind.CROSS_BACKEND, "other", "unknown"),
        # no environment says what became of the cache: the study role does
        (
            facts(role=StudyRole.BUILDER, cache_role=None),
            facts("b", role=StudyRole.LOADER, cache_role=None, cache_parent="a"),
            PairKind.BUILDER_LOADER,
            "other",
            "same",
        ),
        # asked to load and rebuilt: what happened counts
        (facts(), facts("b", cache_role="load failed and rebuilt", cache_parent="a"), PairKind.FRESH_FRESH, "other", "unknown"),
    ],
)
def test_the_kind_of_a_pair(a, b, kind, card, build):
    assert kinship(a, b) == kinship(b, a)
    found = kinship(a, b)
    assert (found.kind, found.card, found.build) == (kind, card, build)


K = DisagreementKind


@pytest.mark.parametrize(
    ("ours", "theirs", "gold", "text", "truncated", "kind"),
    [
        ("12", "12.00", "12", None, False, K.DECIMAL),
        ("110.00", "110.00", "110", None, False, K.DECIMAL),
        ("1200", "1,200", "1200", None, False, K.THOUSANDS),
        ("12", "$12", "12", None, False, K.CURRENCY),
        ("12", "12 apples", "12", None, False, K.CURRENCY),
        ("12", "12.", "12", None, False, K.PUNCTUATION),
        ("-8", "8", "8", None, False, K.SIGN),
        ("12", "[invalid]", "12", None, False, K.NO_MATCH_B),
        ("12", None, "12", None, False, K.NO_MATCH_B),
        (None, "12", "12", None, False, K.NO_MATCH_A),
        (("36", "last_number"), "12", "12", None, False, K.FALLBACK),
        ("36", "12", "12", "The answer is 36. No, the answer is 12.", False, K.MULTIPLE),
        ("36", "12", "12", "36 12", True, K.TRUNCATED),
        ("1200", "1200", "1,200", None, False, K.GOLD),
        ("36", "12", "12", "36 12", False, K.OTHER),
        ("B", "b", "B", None, False, K.OTHER),
    ],
)
def test_why_two_scorers_disagree(ours, theirs, gold, text, truncated, kind):
    raw, path = ours if isinstance(ours, tuple) else (ours, "regex")
    found = disagreement_kind(Scored(raw, path), Scored(theirs, "lm_eval/strict"), gold, text, truncated)
    assert found is kind


def test_re_roll_core_and_undecided():
    # questions: 1 differs and is fragile, 2 differs stably, 3 is the same, 4 differs but one verdict is missing
    a, b = verdicts("CCCC", "ICCC"), verdicts("IIC.", "IICI")
    found = arm_difference(stability(a), stability(b), np.array([True, False, False, False]))
    assert found.differing.tolist() == [True, True, False, True]
    assert found.reroll.tolist() == [True, False, False, False]
    assert found.core.tolist() == [False, True, False, False]
    assert found.undecided.tolist() == [False, False, False, True]
    assert found.right_a.tolist() == [False, True, False, False]


def test_an_arm_whose_cells_contradict_each_other_has_no_constant():
    # arm A pools a cell that is always right and one that is always wrong; B is always right: a split, no core
    found = arm_difference(stability(verdicts("C", "C", "I", "I")), stability(verdicts("C", "C")), np.array([False]))
    assert (found.core.tolist(), found.split.tolist(), found.right_a.tolist()) == ([False], [True], [False])


def test_signature_groups_put_what_differs_from_most_arms_first():
    arms = ("BF16", "FP8", "INT4")
    # per question: FP8 alone, INT4 alone, both against BF16, all equal, BF16 not constant, fragile
    values = np.array([[1, 0, 1, 1, -1, 1], [0, 0, 0, 1, 0, 0], [1, 1, 0, 1, 1, 1]], dtype=np.int32)
    usable = np.array([True, True, True, True, True, False])
    found = signature_groups(arms, values, usable)
    assert [(g.label, np.flatnonzero(g.questions).tolist()) for g in found] == [
        ("FP8 = INT4 ≠ BF16", [2]),
        ("BF16 = INT4 ≠ FP8", [0]),
        ("BF16 = FP8 ≠ INT4", [1]),
    ]


def test_answers_allow_more_groups_than_verdicts():
    values = np.array([[1], [2], [3]], dtype=np.int32)
    assert signature_groups(("A", "B", "C"), values, np.array([True]))[0].label == "A ≠ B ≠ C"


def test_the_verdict_map_has_one_order():
    groups = (np.array([False, True, True, False, False, False]), np.array([True, False, False, False, False, False]))
    right = np.array([False, False, True, False, False, False])
    fragile = np.array([False, False, False, True, True, True])
    unstable_cells = np.array([0, 0, 0, 1, 2, 1])
    means = np.array([[0, 0, 0, 0.5, 0.1, 0.5], [0, 0, 0, 0.2, 0.1, np.nan]])
    assert map_rows(groups, right, fragile, unstable_cells, means) == (2, 1, 0, 4, 3, 5)
