"""What gates rest on: outcomes, one-sided bounds, prediction intervals, restricted means, log-probability errors."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.duration.survfunc import SurvfuncRight

from store.analysis.decision import EXIT_CODES, Outcome, Status, above, decide
from store.analysis.detectable import repeats_needed
from store.analysis.interval import Conventions
from store.analysis.logprob_error import Listed, logprob_error
from store.analysis.near_tie import capture
from store.analysis.noninferior import difference_bounds, noise_rate, repeats_for_new_questions
from store.analysis.prediction import family_level, next_share, next_value
from store.analysis.restricted_mean import Partings, is_known, mean_ratio, restricted_mean
from tests.builders import verdicts

P, F, OPEN, N = Status.PASS, Status.FAIL, Status.INCONCLUSIVE, Status.NOT_EVALUABLE


@pytest.mark.parametrize(
    ("conditions", "gates", "equal", "outcome", "code"),
    [
        ([P], [P, P], True, Outcome.RELEASE, 0),
        ([P], [P, P], False, Outcome.RELEASE_STATISTICAL_ONLY, 0),
        ([P], [P, F, OPEN, N], False, Outcome.BLOCK, 1),
        ([P], [P, OPEN, N], False, Outcome.NOT_EVALUABLE, 4),
        ([P], [P, OPEN], False, Outcome.NEED_MORE_REPEATS, 3),
        ([OPEN], [P], True, Outcome.NEED_MORE_REPEATS, 3),
        ([F], [P], True, Outcome.BLOCK, 1),
        ([N], [F], False, Outcome.NOT_EVALUABLE, 4),  # a gate frozen too late decides nothing, not even a block
        ([N, F], [P], False, Outcome.NOT_EVALUABLE, 4),
    ],
)
def test_the_outcome_is_the_worst_that_can_be_said(conditions, gates, equal, outcome, code):
    assert decide(conditions, gates, equal) is outcome
    assert EXIT_CODES[outcome] == code


def test_a_limit_that_is_met_exactly_is_not_passed():
    assert [above(-0.5, 0.1, -0.5), above(-0.4, 0.1, -0.5), above(-0.9, -0.6, -0.5), above(-0.9, -0.5, -0.5)] == [
        OPEN,
        P,
        F,
        OPEN,
    ]


def test_fixed_questions_take_welch_one_sided():
    # right per run: a 2, 3 of 4; b 4, 3 of 4. d = 3.5/4 − 2.5/4 = 0.25; se² = (0.5/2 + 0.5/2)/16, 2 degrees of freedom
    a, b = verdicts("CCII", "CCCI"), verdicts("CCCC", "CCCI")
    half = stats.t.ppf(0.95, 2) * math.sqrt(0.5) / 4
    found = difference_bounds(a, b, 0.1, 0.05, "fixed questions")
    assert (found.low, found.high) == (pytest.approx(0.25 - half), pytest.approx(min(1.0, 0.25 + half)))
    assert (found.level, found.target) == (pytest.approx(0.9), "fixed questions")
    assert difference_bounds(a[:1], b, 0.1, 0.05, "fixed questions") is None


def test_no_flip_seen_is_not_no_noise():
    # 4 questions in 2 deployments, none flips: u = 1 − 0.05^(1/8); ± 1.645·sqrt(2·u(1 − u)/8)
    a, b = verdicts("CCCI", "CCCI"), verdicts("CCCC", "CCCC")
    u = 1 - 0.05 ** (1 / 8)
    found = difference_bounds(a, b, 0.1, 0.05, "fixed questions")
    assert 0.25 - found.low == pytest.approx(stats.norm.ppf(0.95) * math.sqrt(2 * u * (1 - u) / 8))
    assert noise_rate(a, 0.05) == pytest.approx(2 * u * (1 - u))
    assert noise_rate(a[:1], 0.05) is None
    assert noise_rate(verdicts("CI", "CC"), 0.05) == 0.5


def test_equal_counts_of_different_questions_are_noise():
    # each run has eight right, but not the same ones: the counts have no spread, the verdicts have
    flipping, calm = verdicts("CI" * 8, "IC" + "CI" * 7), verdicts("CI" * 8, "CI" * 8)
    wide, narrow = (difference_bounds(side, side, 0.1, 0.05, "fixed questions") for side in (flipping, calm))
    assert wide.high - wide.low > narrow.high - narrow.low > 0


def test_new_questions_pair_by_question_and_take_tango_with_one_run_each():
    # 100 questions, d_q = 0.5 on 30 of them and −1 on 30
    a, b = verdicts("C" * 60 + "I" * 40, "I" * 30 + "C" * 30 + "I" * 40), verdicts("C" * 30 + "I" * 70, "C" * 30 + "I" * 70)
    found = difference_bounds(a, b, 0.1, 0.05, "new questions")
    half = stats.norm.ppf(0.95) * math.sqrt(np.var([0.5] * 30 + [-1] * 30 + [0] * 40, ddof=1) / 100)
    assert (found.low, found.high) == (pytest.approx(-0.15 - half), pytest.approx(-0.15 + half))
    single = difference_bounds(verdicts("CICI"), verdicts("CICC"), 0.1, 0.05, "new questions")
    assert single.method == "Tango score"
    assert difference_bounds(verdicts("", ""), verdicts("", ""), 0.1, 0.05, "new questions") is None


def test_losses_that_luck_kept_few_do_not_look_precise():
    # a difference of the margin, 10 points, has a spread of 0.1·0.9 by itself; one loss in one run shows 0.25/20
    same, one_loss = verdicts("C" * 20, "C" * 20), verdicts("C" * 20, "C" * 19 + "I")
    found = difference_bounds(same, one_loss, 0.1, 0.05, "new questions")
    assert found.low == pytest.approx(-0.025 - stats.norm.ppf(0.95) * math.sqrt(0.09 / 20))


def test_copies_of_a_run_tell_nothing_new_of_questions():
    one, two = verdicts("CCCI" * 5), verdicts("CCCC" + "CCCI" * 4)
    single = difference_bounds(one, two, 0.1, 0.05, "new questions")
    copied = difference_bounds(np.repeat(one, 5, axis=0), np.repeat(two, 3, axis=0), 0.1, 0.05, "new questions")
    assert single == copied
    assert single.method == "Tango score"


@pytest.mark.parametrize(("questions", "margin", "gained"), [(300, 0.02, 0.0), (75, 0.01, 0.005), (300, 0.01, 0.005)])
def test_the_accuracy_gate_holds_its_size_for_new_questions(questions, margin, gained):
    """At a true difference of exactly the margin about alpha passes; by Wald's interval it was a tenth to a fifth."""
    rng, passed = np.random.default_rng(5), 0
    for _ in range(600):
        change = rng.choice([-1, 0, 1], questions, p=[margin + gained, 1 - margin - 2 * gained, gained])
        a, b = (np.repeat((change != sign).astype(np.int8)[None], 3, axis=0) for sign in (1, -1))
        passed += above(difference_bounds(a, b, margin, 0.05, "new questions").low, 1.0, -margin) is P
    assert passed / 600 < 0.075


def test_a_plan_for_new_questions_agrees_with_the_bound():
    # 268 equal questions and a margin of one point: equal sides pass, so the plan must not say that nothing settles it
    same = verdicts("C" * 268, "C" * 268)
    assert above(difference_bounds(same, same, 0.01, 0.05, "new questions").low, 1.0, -0.01) is P
    assert repeats_for_new_questions(same, same, 0.01, 0.05, 0.8) == 1
    assert repeats_for_new_questions(verdicts("C" * 20, "C" * 20), verdicts("C" * 20, "C" * 20), 0.01, 0.05, 0.8) is None
    assert repeats_for_new_questions(same[:1], same, 0.01, 0.05, 0.8) is None
    # f_A = 0, f_B = 0.1, ω² = 0, δ = 0.1, n = 40: by the formula at m = 2 0.1183 > 0.1, at m = 3 0.1073, at m = 4 0.1007, at m = 5 0.0975
    flipping = verdicts("C" * 40, "C" * 36 + "I" * 4)
    wanted = next(
        m
        for m in range(1, 99)
        if stats.norm.ppf(0.95) * math.sqrt(max(0.05 / m, 0.09) / 40) + stats.norm.ppf(0.8) * math.sqrt(0.05 / m / 40) <= 0.1
    )
    assert repeats_for_new_questions(verdicts("C" * 40, "C" * 40), flipping, 0.1, 0.05, 0.8) == wanted


def test_prediction_intervals_are_the_oracles(oracle):
    seen = [101.5, 99.25, 100.0, 103.125, 98.0, 100.5, 101.0, 99.0]
    found = next_value(seen, 0.95)
    assert (found.low, found.high) == pytest.approx(oracle.prediction_interval_t(seen, 0.95))
    assert found.history == 8
    share = next_share([3] * 8, 1000, 0.95)
    assert (share.low * 1000, share.high * 1000) == pytest.approx(oracle.refusal_prediction(24, 8000, 1000, 0.95))


def test_the_plan_of_an_open_gate_is_the_oracles(oracle):
    needed = repeats_needed(0.008, 0.004, 1319, 0.005, 0.0, Conventions(0.5, 0.1, 0.8))
    assert needed == oracle.repeats_needed(0.008, 0.004, 1319, 0.005, alpha=0.05, power=0.8, sided=1)


def test_the_next_value_needs_two_and_takes_equal_ones_at_their_word():
    # 1, 3: mean 2, s = sqrt(2), t(0.975; 1) = 12.706: ± 12.706·sqrt(2)·sqrt(1.5)
    found = next_value([1, 3], 0.95)
    assert found.high - 2 == pytest.approx(12.7062047 * math.sqrt(3), rel=1e-6)
    assert next_value([1], 0.95) is None
    same = next_value([0.1] * 9, 0.95)
    assert (same.low, same.high, same.knows_spread) == (0.1, 0.1, False)
    assert family_level(0.95, 2) == pytest.approx(0.9025)


def test_no_refusal_seen_is_not_no_refusal_ever():
    # 0 of 50 in each of 8 deployments: beta-binomial of 50 with 0.5 and 400.5; its 97.5 % quantile is 1
    found = next_share([0] * 8, 50, 0.95)
    law = stats.betabinom(50, 0.5, 400.5)
    assert (found.low, found.high) == (law.ppf(0.025) / 50, law.ppf(0.975) / 50) == (0.0, 0.02)
    assert found.knows_spread
    assert next_share([0] * 24, 75, 0.95).knows_spread  # [0, 0], and still an interval: one refusal lies outside
    varying = next_share([0, 1, 2, 1, 0, 1, 2, 1], 50, 0.95)
    assert varying == next_value([0, 0.02, 0.04, 0.02, 0, 0.02, 0.04, 0.02], 0.95)


def partings(*rows):
    """(question, left, right, time, parted) of each pair-question."""
    columns = [np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)]
    return Partings(*columns[:4], columns[4].astype(bool))


def test_a_restricted_mean_by_hand_and_by_another_estimator():
    # one parts at 1, one is equal up to its end at 2, one parts at 3. Still equal: behind 0 1, behind 1 2/3, behind 2 2/3, behind 3 0
    group = partings((0, 0, 0, 1, 1), (1, 0, 0, 2, 0), (2, 0, 0, 3, 1))
    assert restricted_mean(group, 3) == pytest.approx(1 + 2 / 3 + 2 / 3)
    assert restricted_mean(group, 4) == pytest.approx(1 + 2 / 3 + 2 / 3 + 0)
    rng = np.random.default_rng(7)
    time, parted = rng.integers(0, 50, 400), rng.random(400) < 0.6
    many = partings(*((i, 0, 0, int(t), int(p)) for i, (t, p) in enumerate(zip(time, parted, strict=True))))
    curve = SurvfuncRight(time + 1, parted.astype(int))
    at = np.searchsorted(curve.surv_times, np.arange(40) + 1, side="right") - 1
    survival = np.where(at >= 0, curve.surv_prob[at], 1.0)
    assert restricted_mean(many, 40) == pytest.approx(survival.sum())


def made_up(seed, baselines, candidates, questions, within, cross):
    """Pair-questions of a design with given chances to part at each token."""
    rng = np.random.default_rng(seed)

    def rows(pairs, chance):
        return [
            (q, i, j, min(t, 30), int(t < 30))
            for i, j in pairs
            for q in range(questions)
            for t in [int(rng.geometric(chance)) - 1]
        ]

    inner = [(i, j) for i in range(baselines) for j in range(i + 1, baselines)]
    outer = [(i, j) for i in range(baselines) for j in range(candidates)]
    return partings(*rows(outer, cross)), partings(*rows(inner, within))


def test_the_ratio_has_the_bounds_of_brute_force_jackknives():
    cross, within = made_up(3, 4, 3, 12, 0.05, 0.08)

    def ratio(keep_cross, keep_within):
        kept = [
            Partings(*(column[mask] for column in (g.question, g.left, g.right, g.time, g.parted)))
            for g, mask in ((cross, keep_cross), (within, keep_within))
        ]
        return restricted_mean(kept[0], 20) / restricted_mean(kept[1], 20)

    def spread(values):
        return (len(values) - 1) / len(values) * np.square(np.array(values) - np.mean(values)).sum()

    by_question = spread([ratio(cross.question != q, within.question != q) for q in range(12)])
    baselines = [ratio(cross.left != r, (within.left != r) & (within.right != r)) for r in range(4)]
    candidates = [ratio(cross.right != r, within.question >= 0) for r in range(3)]
    by_run = spread(baselines) + spread(candidates)
    by_question = max(by_question, 0.8 * 0.2 / 12)
    half = max(stats.norm.ppf(0.95) * math.sqrt(by_question), stats.t.ppf(0.95, 2) * math.sqrt(by_run))
    found = mean_ratio(cross, within, (4, 3), 20, 0.8, 0.05, "fixed questions")
    assert found.ratio == pytest.approx(found.cross / found.within)
    assert (found.low, found.high) == (pytest.approx(found.ratio - half), pytest.approx(found.ratio + half))


def test_the_ratio_says_what_it_cannot_bound():
    cross, within = made_up(4, 2, 2, 6, 0.1, 0.1)
    few = mean_ratio(cross, within, (2, 2), 20, 0.8, 0.05, "fixed questions")
    assert (few.low, few.high) == (None, None)
    assert mean_ratio(cross, within, (2, 2), 20, 0.8, 0.05, "new questions").low is not None
    at_once = partings((0, 0, 1, 0, 1))
    with pytest.raises(ValueError, match="part at the first token"):
        mean_ratio(at_once, at_once, (2, 1), 5, 0.8, 0.05, "new questions")


def test_a_mean_is_known_when_watched_to_the_horizon_or_when_all_have_parted():
    ends, parts = partings((0, 0, 0, 3, 0), (1, 0, 0, 2, 1)), partings((0, 0, 0, 3, 1), (1, 0, 0, 2, 0))
    assert [is_known(ends, horizon) for horizon in (4, 5)] == [True, False]
    assert is_known(parts, 100)  # the last one parted: behind 3 nobody is equal
    assert restricted_mean(parts, 100) == pytest.approx(3)
    assert not is_known(partings((0, 0, 0, 3, 1), (1, 0, 0, 3, 0)), 100)


def test_where_questions_stand_in_the_set_changes_nothing():
    cross, within = made_up(3, 4, 3, 12, 0.05, 0.08)
    moved = [Partings(g.question * 5 + 40, g.left, g.right, g.time, g.parted) for g in (cross, within)]
    assert mean_ratio(cross, within, (4, 3), 20, 0.8, 0.05, "new questions") == mean_ratio(
        *moved, (4, 3), 20, 0.8, 0.05, "new questions"
    )


def test_one_question_or_one_deployment_bounds_nothing():
    one = partings(*((7, i, j, 9, 0) for i in range(3) for j in range(3)))
    found = mean_ratio(one, one, (3, 3), 8, 0.8, 0.05, "fixed questions")
    assert (found.low, found.why) == (None, "one question has no spread")
    # baseline run 2 parts from everyone at once: without the pair of 0 and 1 nothing is left of the baseline
    outer = partings(*((q, i, j, 9 if i < 2 else 0, int(i == 2)) for q in range(4) for i in range(3) for j in range(3)))
    inner = partings(*((q, i, j, 9 if j < 2 else 0, int(j == 2)) for q in range(4) for i in range(3) for j in range(i + 1, 3)))
    found = mean_ratio(outer, inner, (3, 3), 8, 0.8, 0.05, "fixed questions")
    assert (found.low, found.why) == (None, "the ratio rests on a single deployment")


def test_outputs_that_never_part_have_the_ratio_one_and_bounds_that_narrow_with_the_questions():
    for n in (5, 100):
        equal = partings(*((q, i, j, 9, 0) for q in range(n) for i in range(3) for j in range(3)))
        found = mean_ratio(equal, equal, (3, 3), 8, 0.8, 0.05, "fixed questions")
        # the variance of a ratio of 0.8 among n questions that part at once or never: 0.8·0.2/n
        assert (found.ratio, found.low) == (1.0, pytest.approx(1 - stats.norm.ppf(0.95) * math.sqrt(0.16 / n)))


def test_more_questions_that_part_at_once_never_raise_the_lower_bound():
    within = partings(*((q, i, j, 4, 0) for q in range(60) for i in range(3) for j in range(i + 1, 3)))
    lows = []
    for k in range(8):
        cross = partings(*((q, i, j, 0 if q < k else 4, int(q < k)) for q in range(60) for i in range(3) for j in range(2)))
        lows.append(mean_ratio(cross, within, (3, 2), 4, 0.955, 0.05, "fixed questions").low)
    assert lows == sorted(lows, reverse=True)


def listed(ids, logprobs, least=None):
    """A capture; its k-th values are the least ones unless the test says otherwise."""
    return Listed(capture((), ids, logprobs), least or [min(values) for values in logprobs])


def test_log_probabilities_compare_by_token_and_only_before_the_divergence():
    # step 0: token 1 −0.1 | −0.3, token 2 −2 | −2.5; step 1: token 3 −0.2 | not listed, whose least is −1 (0.8 above)
    a = listed([(1, 2), (3, 4), (5, 6)], [(-0.1, -2.0), (-0.2, -3.0), (-0.1, -9.0)])
    b = listed([(2, 1), (4, 7), (6, 5)], [(-2.5, -0.3), (-0.9, -1.0), (-0.1, -9.0)])
    found = logprob_error(a, b, 2)
    # step 1: token 4 −3.0 | −0.9 differs by 2.1, token 3 by at least 0.8, token 7 by at least 0 (−1 is above a's least, −3, by 2)
    assert (found.largest, found.step) == (pytest.approx(2.1), 1)
    assert (found.compared, found.censored, found.steps) == (5, 2, 2)
    assert logprob_error(a, b, 1).largest == pytest.approx(0.5)
    assert logprob_error(a, b, 0).largest is None


def test_a_token_on_one_side_only_counts_from_the_others_least():
    a, b = listed([(1, 2)], [(-0.1, -3.0)]), listed([(1, 3)], [(-0.1, -4.0)])
    found = logprob_error(a, b, 1)
    # token 2: −3 lies 1 above −4, so it moved by 1 at least; token 3: −4 lies below −3, so nothing is known: 0
    assert (found.largest, found.compared, found.censored) == (pytest.approx(1.0), 3, 2)


def test_values_that_are_not_finite_are_no_small_difference():
    a, b = listed([(1,)], [(-math.inf,)]), listed([(1,)], [(-0.5,)])
    assert logprob_error(a, b, 1).largest == math.inf
    assert logprob_error(a, a, 1).largest == 0


def test_a_chosen_token_from_further_down_does_not_count_as_the_least_listed():
    # b lists its two best and, beside them, the chosen token 5 of rank 50: what is not listed lies below −2, not below −9
    a, b = listed([(1, 4)], [(-0.25, -2.02)]), listed([(1, 9, 5)], [(-0.25, -2.0, -9.0)], least=[-2.0])
    assert logprob_error(a, b, 1).largest == pytest.approx(0.02, abs=1e-9) or logprob_error(a, b, 1).largest == pytest.approx(
        0.02
    )
