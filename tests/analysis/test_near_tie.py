"""Near ties at first divergences, by hand."""

import math

import pytest

from store.analysis.near_tie import DivergenceClass, capture, near_tie, rank_fraction
from store.analysis.near_tie_summary import rank_test, summarise

SHARED = ([0, 1], [-0.5, -1.5])  # both chose token 0, gap 1.0


def two(a_last, b_last, *, a_step, b_step, a_shared=SHARED, b_shared=SHARED, large_gap=None):
    """Outputs that share token 0 and part at token 1."""
    a = capture((0, a_last), [a_shared[0], a_step[0]], [a_shared[1], a_step[1]])
    b = capture((0, b_last), [b_shared[0], b_step[0]], [b_shared[1], b_step[1]])
    return near_tie(a, b, 1, large_gap)


def test_gap_swing_and_the_changes_before_it():
    # METHOD: A prefers a by 0.125, B prefers b by 0.25: swing 0.375; the gaps before are 1.0 and 0.5, a change of 0.5
    found = two(7, 8, a_step=([7, 8], [-1.0, -1.125]), b_step=([7, 8], [-1.25, -1.0]), b_shared=([0, 1], [-0.5, -1.0]))
    assert (found.gap_a, found.gap_b, found.swing) == (0.125, 0.25, 0.375)
    assert found.earlier == (0.5,)
    assert found.in_top_two is True
    assert found.kind is DivergenceClass.NEAR_TIE
    assert (found.token_a, found.token_b) == (7, 8)


def test_a_swing_above_every_earlier_change_is_moderate():
    found = two(7, 8, a_step=([7, 8], [-1.0, -1.125]), b_step=([7, 8], [-1.25, -1.0]))
    assert found.earlier == (0.0,)
    assert found.kind is DivergenceClass.MODERATE


def test_an_exact_tie_is_seen_by_value_whatever_the_ranks_say():
    # the greedy token 7 is listed third of three equal ones
    found = two(7, 8, a_step=([8, 9, 7], [-1.0, -1.0, -1.0]), b_step=([7, 8], [-1.25, -1.0]))
    assert found.gap_a == 0.0
    assert found.kind is DivergenceClass.EXACT_TIE
    assert found.in_top_two is True


def test_a_token_outside_the_others_candidates_or_a_gap_above_the_threshold_is_a_large_shift():
    outside = two(7, 8, a_step=([7, 9], [-1.0, -1.125]), b_step=([7, 8], [-1.25, -1.0]))
    assert (outside.kind, outside.swing, outside.in_top_two) == (DivergenceClass.LARGE_SHIFT, None, False)
    step = ([7, 8], [-0.1, -4.0])
    assert two(7, 8, a_step=step, b_step=([7, 8], [-1.25, -1.0])).kind is DivergenceClass.MODERATE
    assert two(7, 8, a_step=step, b_step=([7, 8], [-1.25, -1.0]), large_gap=3.0).kind is DivergenceClass.LARGE_SHIFT


def test_the_first_token_has_no_scale_and_no_rank():
    a, b = capture((7,), [[7, 8]], [[-1.0, -1.125]]), capture((8,), [[7, 8]], [[-1.25, -1.0]])
    found = near_tie(a, b, 0, None)
    assert (found.kind, found.rank, found.earlier) == (DivergenceClass.NO_SCALE, None, ())


def test_stopping_against_going_on_keeps_its_gap():
    # A stopped with id 2 where B went on with 5: the step is there on both sides
    stop = capture((0, 2), [[0, 1], [2, 5]], [[-0.5, -1.5], [-0.6, -0.9]])
    on = capture((0, 5, 6), [[0, 1], [5, 2], [6, 0]], [[-0.5, -1.5], [-0.7, -0.8], [-0.1, -3.0]])
    found = near_tie(stop, on, 1, None)
    assert (found.token_a, found.token_b) == (2, 5)
    assert found.swing == pytest.approx(0.3 + 0.1)


@pytest.mark.parametrize(
    "step",
    [([], []), ([7], [-1.0])],
    ids=["no candidates", "one candidate"],
)
def test_what_was_not_captured_is_unknown_and_not_zero(step):
    found = two(7, 8, a_step=step, b_step=([7, 8], [-1.25, -1.0]))
    assert (found.kind, found.gap_a, found.swing, found.in_top_two, found.rank) == (
        DivergenceClass.UNKNOWN,
        None,
        None,
        None,
        None,
    )


def test_a_capture_that_ends_before_the_divergence_is_unknown():
    a = capture((0, 7), [[0, 1]], [[-0.5, -1.5]])
    b = capture((0, 8), [[0, 1], [7, 8]], [[-0.5, -1.5], [-1.25, -1.0]])
    assert near_tie(a, b, 1, None).kind is DivergenceClass.UNKNOWN


def test_equal_steps_count_half_in_a_rank():
    assert rank_fraction([0.5, 0.1, 0.3, 0.1]) == (0 + 2 / 2) / 4
    assert rank_fraction([1.0, 2.0, 3.0]) == (2 + 1 / 2) / 3


def test_the_base_rate_counts_all_steps_of_both_outputs():
    # gaps A 1.0, 0.125 and B 1.0, 0.25: of four steps one is no larger than the smaller gap 0.125
    found = two(7, 8, a_step=([7, 8], [-1.0, -1.125]), b_step=([7, 8], [-1.25, -1.0]))
    assert (found.smaller_steps, found.steps) == (1, 4)


def test_a_summary_counts_every_divergence_once_in_some_class():
    ties = [
        two(7, 8, a_step=([7, 8], [-1.0, -1.125]), b_step=([7, 8], [-1.25, -1.0])),
        two(7, 8, a_step=([], []), b_step=([7, 8], [-1.25, -1.0])),
    ]
    found = summarise(ties, ties[:1])
    assert sum(found.classes.values()) == found.divergences == 2
    assert (found.recorded, found.judged, found.swing_above_earlier, found.placed) == (1, 1, 1, 1)
    assert found.rank_test.n == 1
    nothing = summarise([], [])
    assert (nothing.gap, nothing.swing, nothing.rank_test.p) == (None, None, None)


def test_small_ranks_give_a_small_p_and_uniform_ones_do_not():
    low = rank_test([i / 200 for i in range(1, 21)])
    even = rank_test([(i - 0.5) / 20 for i in range(1, 21)])
    # KS distance of 20 values evenly on (0, 0.1]: 1 - 0.1 = 0.9
    assert low.statistic == pytest.approx(0.9)
    assert low.p < 1e-6 < 0.5 < even.p
    assert not math.isnan(even.p)


def test_values_of_a_broken_engine_leave_no_gap():
    huge = two(7, 8, a_step=([7, 8], [1e308, -1e308]), b_step=([7, 8], [-1e308, 1e308]))
    assert (huge.gap_a, huge.swing, huge.kind) == (None, None, DivergenceClass.UNKNOWN)
