"""Run × run matrices, and counts over the pairs of a cell."""

import numpy as np

from store.analysis.matrices import equal_matrix, flip_matrix, gain_matrix
from store.analysis.pairs_within import equal_totals, pair_totals, spread
from store.analysis.panel import UNKNOWN, OutputLayer
from tests.builders import verdicts


def codes(*runs):
    """`codes("AAB.")`: one row per run; equal letters in a column are equal outputs, a dot is unknown."""
    return np.array([[UNKNOWN if letter == "." else ord(letter) for letter in run] for run in runs], dtype=np.int32)


def test_gains_losses_and_what_is_scored_in_both():
    # a CIIC, b CCII: question 2 is a gain, question 4 a loss; c has two verdicts, C and I: only a loss
    cell = verdicts("CIIC", "CCII", "C?.I")
    found, gained = flip_matrix(cell), gain_matrix(cell)
    assert gained[0].tolist() == [0, 1, 0]
    assert gained[:, 0].tolist() == [0, 1, 1]
    assert found.flips[0].tolist() == [0, 2, 1]
    assert found.of.tolist() == [[4, 4, 2], [4, 4, 2], [2, 2, 2]]


def test_unknown_outputs_are_equal_to_nothing_and_not_in_the_denominator():
    found = equal_matrix(codes("AA.", "AB.", "A.."))
    assert found.equal.tolist() == [[2, 1, 1], [1, 2, 1], [1, 1, 1]]
    assert found.of.tolist() == [[2, 2, 1], [2, 2, 1], [1, 1, 1]]


def test_equal_ids_of_two_tokenizers_are_not_compared():
    # METHOD: four runs in classes 2, 1, 1, the second run with another tokenizer: its three pairs are undefined
    tokens, domain = codes("A", "A", "B", "C"), codes("X", "Y", "X", "X")
    found = equal_matrix(tokens, domain)
    totals = equal_totals(("a", "b", "c", "d"), found)
    assert (totals.count, totals.of) == (0, 3)
    assert spread(OutputLayer("tokens", tokens, domain)).complete == 0
    assert spread(OutputLayer("tokens", tokens, domain)).of == 1


def test_one_question_in_classes_of_two_one_and_one():
    # METHOD: 1 of 6 pairs is identical, churn 83.3 %, D = 5
    totals = equal_totals(("a", "b", "c", "d"), equal_matrix(codes("A", "A", "B", "C")))
    assert (totals.count, totals.of, round(totals.rate, 3)) == (1, 6, 0.167)


def test_rates_of_pairs_are_added_never_averaged():
    # one pair agrees on 2 of 4 questions, another on 3 of 3: 5/7 and not 75 %
    counts, of = np.array([[0, 2, 3], [2, 0, 0], [3, 0, 0]]), np.array([[0, 4, 3], [4, 0, 0], [3, 0, 0]])
    totals = pair_totals(("a", "b", "c"), counts, of)
    assert totals.rate == 5 / 7
    assert (totals.median_pair, totals.least, totals.most) == (0.75, 0.5, 1.0)
    assert [(p.a, p.b, p.count, p.of) for p in totals.per_pair] == [("a", "b", 2, 4), ("a", "c", 3, 3), ("b", "c", 0, 0)]


def test_diverged_in_any_pair_and_in_every_pair():
    found = spread(OutputLayer("text", codes("AAA.", "AABB", "AACC"), None))
    assert (found.all_equal, found.complete, found.any, found.every, found.of) == (2, 3, 2, 2, 4)


def test_a_single_run_has_no_pairs():
    totals = equal_totals(("a",), equal_matrix(codes("AB")))
    assert (totals.count, totals.of, totals.rate, totals.per_pair) == (0, 0, None, ())
