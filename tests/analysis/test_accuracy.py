"""Accuracy of a cell, with its arithmetic written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from store.analysis.accuracy import cell_accuracy
from store.analysis.verdicts import CORRECT, INCORRECT, MISSING, UNSCORED, common_base
from tests.builders import verdicts

verdict_arrays = arrays(
    np.int8,
    st.tuples(st.integers(1, 5), st.integers(1, 12)),
    elements=st.sampled_from([CORRECT, INCORRECT, UNSCORED, MISSING]),
)


def names(count: int) -> tuple[str, ...]:
    return tuple(f"r{i}" for i in range(count))


def test_mean_and_sample_sd_over_deployments():
    # 2/4 and 3/4: mean 0.625; deviations -0.125 and +0.125; sd = sqrt(2 * 0.125^2 / (2 - 1)) = 0.17678
    found = cell_accuracy(("a", "b"), verdicts("CIIC", "CCIC"))
    assert [(run.run, run.correct, run.of) for run in found.per_run] == [("a", 2, 4), ("b", 3, 4)]
    assert found.mean == pytest.approx(0.625)
    assert found.sd == pytest.approx(0.1767767)


def test_one_deployment_has_a_mean_and_no_spread():
    found = cell_accuracy(("a",), verdicts("CIIC"))
    assert found.mean == 0.5
    assert found.sd is None


def test_equal_runs_have_a_spread_of_zero_and_not_none():
    assert cell_accuracy(("a", "b"), verdicts("CI", "IC")).sd == 0.0


def test_a_missing_record_takes_the_question_out_for_every_run():
    # question 2 is missing in run a: 3 of 4 are common; a has 2 of 3, b has C.IC without it: 2 of 3
    found = cell_accuracy(("a", "b"), verdicts("C.IC", "CCIC"))
    assert [(run.correct, run.of) for run in found.per_run] == [(2, 3), (2, 3)]
    assert found.base.sentence == "on 3 of 4 common questions"
    assert found.missing == 1


def test_an_unscored_record_is_neither_right_nor_wrong_and_a_second_mean_says_what_if():
    # question 2 unscored in run a: both runs stand on 3 questions, 2/3 each; counted as incorrect: (2 + 3) / 8
    found = cell_accuracy(("a", "b"), verdicts("C?IC", "CCIC"))
    assert [(run.correct, run.of) for run in found.per_run] == [(2, 3), (2, 3)]
    assert found.unscored == 1
    assert found.mean_unscored_as_incorrect == pytest.approx(5 / 8)
    assert found.base.sentence == "on 4 of 4 common questions, 1 of them left out as unscored in some run"


def test_nothing_scored_gives_no_number():
    found = cell_accuracy(("a",), verdicts("??"))
    assert found.mean is None
    assert found.per_run[0].rate is None
    assert found.mean_unscored_as_incorrect == 0.0


def test_no_common_question_gives_no_number():
    found = cell_accuracy(("a", "b"), verdicts("C.", ".C"))
    assert (found.mean, found.base.common) == (None, 0)


@given(verdict_arrays, st.randoms(use_true_random=False))
def test_the_order_of_questions_and_runs_never_matters(array, random):
    runs, questions = list(range(array.shape[0])), list(range(array.shape[1]))
    random.shuffle(runs)
    random.shuffle(questions)
    before = cell_accuracy(names(len(runs)), array)
    after = cell_accuracy(tuple(f"r{i}" for i in runs), array[runs][:, questions])
    assert {run.run: (run.correct, run.of) for run in before.per_run} == {
        run.run: (run.correct, run.of) for run in after.per_run
    }
    assert before.mean == pytest.approx(after.mean, nan_ok=True)


@given(verdict_arrays)
def test_every_run_of_a_cell_has_the_same_denominator(array):
    found = cell_accuracy(names(len(array)), array)
    assert {run.of for run in found.per_run} == {found.base.scored}
    assert found.base.scored <= found.base.common <= found.base.of


@given(verdict_arrays)
def test_adding_a_question_nobody_answered_changes_only_the_set(array):
    wider = np.hstack([array, np.full((len(array), 1), MISSING, dtype=np.int8)])
    before, after = cell_accuracy(names(len(array)), array), cell_accuracy(names(len(array)), wider)
    assert before.per_run == after.per_run
    assert common_base(wider).of == common_base(array).of + 1
