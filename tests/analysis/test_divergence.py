"""First divergences, their summary and their survival curve."""

import numpy as np
import pytest
from statsmodels.duration.survfunc import SurvfuncRight

from store.analysis.divergence import EQUAL, divergence_summary, first_divergences, survival, token_rows


def test_the_index_counts_from_zero_and_a_prefix_parts_at_its_end():
    # METHOD: [5, 8, 13, 21] and [5, 8, 34]: 2; [5, 8] and [5, 8, 13]: 2; [7, 8] and [5, 8]: 0
    a = token_rows([[5, 8, 13, 21], [5, 8], [7, 8], [4], []])
    b = token_rows([[5, 8, 34], [5, 8, 13], [5, 8], [4], []])
    width = max(a.shape[1], b.shape[1])
    a, b = (np.pad(rows, ((0, 0), (0, width - rows.shape[1])), constant_values=-1) for rows in (a, b))
    assert first_divergences(a, b).tolist() == [2, 2, 0, EQUAL, EQUAL]


def test_outputs_without_a_token_are_equal():
    empty = token_rows([[], []])
    assert first_divergences(empty, empty).tolist() == [EQUAL, EQUAL]


def test_the_median_says_what_it_leaves_out():
    found = divergence_summary(np.array([103, 110, 8]), np.full(7, 120), input_mismatch=2)
    assert (found.median, found.q1, found.q3) == (103.0, 55.5, 106.5)
    assert (found.diverged, found.censored, found.input_mismatch) == (3, 7, 2)
    nothing = divergence_summary(np.array([], dtype=np.int64), np.full(5, 9), 0)
    assert (nothing.median, nothing.diverged, nothing.censored) == (None, 0, 5)


def test_equal_pairs_are_censored_in_the_survival_curve():
    # divergences at 0 and 2, one pair equal for 2 tokens and one for 5: 4 at risk at 0, then 3 of them at 2
    found = survival(np.array([0, 2]), np.array([2, 5]))
    assert [(s.token, round(s.still_equal, 12), s.at_risk) for s in found] == [(0, 0.75, 4), (2, 0.5, 3)]
    assert survival(np.array([], dtype=np.int64), np.array([3])) == ()


def test_the_curve_of_freireichs_patients():
    # 6-MP arm, remission in weeks: the Kaplan-Meier estimate behind week 10 is 0.7529 (Freireich 1963, as in every textbook)
    weeks = [6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35]
    event = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    at = np.array([w for w, e in zip(weeks, event, strict=True) if e])
    until = np.array([w for w, e in zip(weeks, event, strict=True) if not e])
    found = {step.token: step.still_equal for step in survival(at, until)}
    assert found[10] == pytest.approx(0.7529, abs=5e-5)
    assert found[23] == pytest.approx(0.4482, abs=5e-5)
    assert len(found) == len(SurvfuncRight(np.array(weeks), np.array(event)).surv_times)
