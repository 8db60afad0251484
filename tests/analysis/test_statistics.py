"""Statistics against answers that were published or computed by hand, and against the shared reference code."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from store.analysis.cross import cross_flips
from store.analysis.detectable import detectable_difference, repeats_needed
from store.analysis.interval import Conventions
from store.analysis.jackknife import run_jackknife
from store.analysis.matrices import flip_matrix
from store.analysis.mcnemar import exact_mcnemar
from store.analysis.multiple import adjusted
from store.analysis.paired import paired_by_question
from store.analysis.rarefaction import rarefied
from store.analysis.rate_interval import clustered_interval
from store.analysis.richness import chao2, richness
from store.analysis.stability import stability
from store.analysis.tango import tango_interval, tango_noninferior
from store.analysis.welch import welch
from store.analysis.zero_events import next_differs
from tests.builders import verdicts

PLAN = Conventions(level=0.95, alpha=0.05, power=0.80)


def columns(*questions):
    """One string per question, one letter per run."""
    return verdicts(*("".join(run) for run in zip(*questions, strict=True)))


def flips_of(found):
    return found.right * (found.scored - found.right), found.scored * (found.scored - 1) // 2


@pytest.fixture(scope="module")
def random_cells():
    draw = np.random.default_rng(7)
    p = np.r_[np.zeros(60), np.ones(120), draw.beta(0.5, 0.5, 40)]
    return [(draw.random((m, len(p))) < p).astype(np.int8) for m in (2, 3, 4, 5, 10)]


def test_exact_mcnemar_has_fays_answer():
    # exact2x2's vignette: discordant 9 and 2, p = 0.06543
    found = exact_mcnemar(9, 2)
    assert found.p == pytest.approx(0.06543, abs=1e-5)
    assert found.test == "exact McNemar"
    assert found.target == "new questions"
    assert exact_mcnemar(0, 0).p == 1.0
    assert exact_mcnemar(3, 3).p == 1.0


def test_tango_has_fagerlands_answer():
    # Bentur 2009 (1, 1; 7, 12) of 21 as given by Fagerland 2013: first less second is -0.517 to -0.026
    found = tango_interval(7, 1, 21, 0.95)
    assert (round(found.low, 3), round(found.high, 3)) == (0.026, 0.517)
    assert "Tango" in found.method
    assert tango_interval(0, 0, 0, 0.95) is None


def test_tango_at_no_margin_is_mcnemars_z():
    # (12 - 5) / sqrt(12 + 5)
    assert tango_noninferior(12, 5, 100, 1e-12).p == pytest.approx(stats.norm.sf(7 / math.sqrt(17)), abs=1e-6)


@pytest.mark.parametrize(("gains", "losses", "of"), [(0, 0, 20), (5, 0, 20), (0, 20, 20), (20, 0, 20), (3, 4, 7), (1, 0, 1)])
def test_tango_is_an_interval_around_the_difference(gains, losses, of):
    found = tango_interval(gains, losses, of, 0.95)
    assert -1 <= found.low <= (gains - losses) / of <= found.high <= 1
    mirrored = tango_interval(losses, gains, of, 0.95)
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low), abs=1e-6)


def test_benjamini_hochberg_1995_rejects_four_and_holm_three():
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    found = adjusted(p)
    assert sum(one.bh <= 0.05 for one in found) == 4
    assert sum(one.holm <= 0.05 for one in found) == 3
    assert [one.raw for one in found] == p
    assert adjusted([]) == ()


def test_chao2_has_vegans_answer():
    # specpool on BCI: 225 seen, 21 once, 19 twice, 50 plots: 236.3732
    assert chao2(225, 21, 19, 50) == pytest.approx(236.3732, abs=1e-4)
    assert chao2(3, 3, 0, 5) == pytest.approx(3 + 4 / 5 * 3)  # no doubletons: q1(q1-1)/2


def test_folded_minority_counts_keep_chao2_a_lower_bound():
    p = np.linspace(0, 1, 1001)
    q = 1 - p
    assert ((p**3 + q**3) ** 2 <= p**5 + q**5 + 1e-15).all()


@pytest.mark.parametrize(
    ("splits", "runs", "observed", "bound", "following"),
    [
        # the published cells: (questions with one minority run, with two)
        ((16, 0), 3, 16, None, 16 / 3),
        ((15, 10), 5, 25, 25 + 0.8 * 225 / 20, 3.0),
        ((11, 11), 5, 22, 26.4, 2.2),
        ((19, 15), 5, 34, 34 + 0.8 * 361 / 30, 3.8),
        # four runs: a 2-2 split is seen once and counts twice: 4 + 3/4 * 2²/(2*4) = 4.375
        ((2, 2), 4, 4, 4.375, 0.5),
    ],
)
def test_richness_of_the_published_cells(splits, runs, observed, bound, following):
    once, twice = splits
    cell = columns(*(["I" + "C" * (runs - 1)] * once), *(["II" + "C" * (runs - 2)] * twice), *["C" * runs] * 5)
    found = richness(stability(cell))
    assert found.observed == observed
    assert found.chao2 == (None if bound is None else pytest.approx(bound))
    assert found.expected_next == pytest.approx(following)


def test_nothing_is_extrapolated_from_no_unstable_question_or_one_run():
    assert richness(stability(columns("CCCCC", "IIIII"))).chao2 is None
    assert richness(stability(columns("CCCCC", "IIIII"))).expected_next is None
    assert richness(stability(columns("C", "I"))).expected_next is None


def test_rarefaction_by_hand():
    # k = 1, 4, 2, 3 of 5 runs, drawing 3: 1 - C(4,3)/C(5,3) = 0.6 twice, 1 - C(3,3)/10 = 0.9 twice
    cell = columns("CIIII", "CCCCI", "CCIII", "CCCII", "CCCCC")
    found = rarefied(stability(cell), 3)
    assert found.expected == pytest.approx(0.6 + 0.6 + 0.9 + 0.9)
    assert (found.to, found.of) == (3, 5)
    assert rarefied(stability(cell), 6) is None
    assert rarefied(stability(cell), 1) is None


def test_zero_events_speak_of_deployments():
    # five equal deployments: 1 - 0.05^(1/4); one match: 0.95; 59 matches are the first below 5 %
    assert next_differs(4, 0.95).upper == pytest.approx(1 - 0.05 ** (1 / 4))
    assert next_differs(1, 0.95).upper == pytest.approx(0.95)
    assert next_differs(59, 0.95).upper < 0.05 < next_differs(58, 0.95).upper
    assert next_differs(0, 0.95) is None


def test_detectable_difference_and_repeats_are_inverse():
    m = repeats_needed(0.0083, 0.0083, 1319, 0.005, 0.0, PLAN)
    assert detectable_difference(0.0083, 0.0083, m, m, 1319, 0.0, PLAN) <= 0.005
    assert detectable_difference(0.0083, 0.0083, m - 1, m - 1, 1319, 0.0, PLAN) > 0.005
    # METHOD: f = 0.008 in both, m = 5, n = 1,000: 0.35 points
    assert detectable_difference(0.008, 0.008, 5, 5, 1000, 0.0, PLAN) == pytest.approx(0.0035, abs=5e-5)


@pytest.mark.parametrize(("rates", "points"), [((110, 110), 0.32), ((110, 0), 0.22), ((110, 166), 0.35), ((166, 166), 0.39)])
def test_detectable_differences_of_the_published_arms(rates, points):
    a, b = (flips / 13_190 for flips in rates)
    assert 100 * detectable_difference(a, b, 5, 5, 1319, 0.0, PLAN) == pytest.approx(points, abs=0.005)


def test_questions_can_make_a_difference_unreachable():
    assert repeats_needed(0.008, 0.008, 1319, 0.005, 0.0127, PLAN) is None
    assert repeats_needed(0.0, 0.0, 1319, 0.005, 0.0, PLAN) == 1


def test_a_flip_interval_by_hand():
    # METHOD: d = 0, 2/3, 0, 2/3 over four questions: f = 1/3, sd(d)/sqrt(4) = 0.385/2
    found = clustered_interval(*flips_of(stability(columns("CCCC", "CIIC", "IIII", "CCII"))), 0.95)
    assert (found.low, found.high) == (0.0, pytest.approx(1 / 3 + 1.959964 * 0.3849 / 2, abs=1e-4))
    assert found.target == "fixed questions"
    assert "question" in found.assumes


def test_no_interval_where_nothing_varies():
    assert clustered_interval(*flips_of(stability(columns("CCC", "III"))), 0.95) is None
    assert clustered_interval(*flips_of(stability(columns("CCI", "CII", "ICC"))), 0.95) is None  # all split alike
    assert run_jackknife(*_matrix(columns("CCC", "III")), 0.95) is None
    assert run_jackknife(*_matrix(columns("CI", "IC")), 0.95) is None


def _matrix(cell):
    found = flip_matrix(cell)
    return found.flips, found.of


def test_flip_intervals_are_the_oracles(oracle, random_cells):
    for cell in random_cells:
        theirs = oracle.flip_ci(cell.T)
        mine = clustered_interval(*flips_of(stability(cell)), 0.95)
        assert (mine.low, mine.high) == pytest.approx(theirs["ci_question"])
        runs = run_jackknife(*_matrix(cell), 0.95)
        assert (runs is None) == (theirs["ci_run"] is None)
        if runs is not None:
            assert (runs.low, runs.high) == pytest.approx(theirs["ci_run"])


def test_richness_and_rarefaction_are_the_oracles(oracle, random_cells):
    for cell in random_cells:
        theirs, mine = oracle.fragile_richness(cell.T), richness(stability(cell))
        assert (mine.observed, mine.q1, mine.expected_next) == (theirs["observed"], theirs["q1"], theirs["new_in_next_run"])
        assert mine.chao2 == (None if theirs["chao2_lower_bound"] is None else pytest.approx(theirs["chao2_lower_bound"]))
        k = cell.sum(axis=0)
        assert rarefied(stability(cell), 2).expected == pytest.approx(oracle.rarefied_unstable(k, len(cell), 2))


def test_differences_are_the_oracles(oracle, random_cells):
    for a, b in pairwise(random_cells):
        theirs = oracle.cell_difference(a.T, b.T)
        n = a.shape[1]
        interval, p = welch(tuple(a.sum(axis=1).tolist()), tuple(b.sum(axis=1).tolist()), n, 0.95)
        assert (interval.low, interval.high) == pytest.approx(theirs["ci_fixed"])
        assert p.p == pytest.approx(stats.ttest_ind(b.mean(axis=1), a.mean(axis=1), equal_var=False).pvalue)
        paired, _ = paired_by_question(a.mean(axis=0), b.mean(axis=0), 0.95)
        assert (paired.low, paired.high) == pytest.approx(theirs["ci_super"])
        assert (interval.target, paired.target) == ("fixed questions", "new questions")


def test_tango_and_planning_are_the_oracles(oracle):
    for gains, losses, of in ((7, 1, 21), (8, 7, 1319), (3, 0, 50), (0, 4, 60)):
        low, high = oracle.tango_ci(gains, losses, of)
        mine = tango_interval(gains, losses, of, 0.95)
        assert (mine.low, mine.high) == pytest.approx((low, high), abs=1e-6)
        assert tango_noninferior(gains, losses, of, 0.05).p == pytest.approx(
            oracle.tango_noninferior_p(gains, losses, of, 0.05)
        )
    mine = detectable_difference(0.0083, 0.0126, 5, 3, 1319, 0.002, PLAN)
    assert mine == pytest.approx(oracle.mde(0.0083, 0.0126, 5, 3, 1319, omega2=0.002))


def test_welch_needs_two_deployments_and_takes_a_cell_without_spread_at_its_word():
    assert welch((10,), (9, 8), 20, 0.95) is None
    assert welch((10, 10), (9, 9), 20, 0.95) is None
    interval, _ = welch((1256,) * 5, (1257, 1255, 1253, 1251, 1255), 1319, 0.95)
    assert "4.0 degrees of freedom" in interval.method
    assert interval.low < (6271 - 6280) / 6595 < interval.high


def test_cross_cell_flips_by_hand():
    # METHOD: one question, A CCC, B CI: (3*1 + 0*1)/6 = 1/2; A's own rate 0, B's own 1, floor 1/2, no excess
    found = cross_flips(stability(columns("CCC")), stability(columns("CI")), 0.95)
    assert (found.flips, found.of, found.rate, found.floor, found.excess) == (3, 6, 0.5, 0.5, 0.0)
    assert found.excess_interval is None
    alone = cross_flips(stability(columns("C")), stability(columns("II")), 0.95)
    assert (alone.flips, alone.of, alone.floor, alone.excess) == (2, 2, None, None)


def test_floor_and_cross_rate_stand_on_the_same_questions():
    # q2 is scored in A only: own flips of A there do not enter the floor
    a, b = columns("CC", "CI"), verdicts("C.", "I.")
    found = cross_flips(stability(a), stability(b), 0.95)
    assert (found.flips, found.of, found.floor) == (2, 4, (0 + 1) / 2)


def test_unstable_questions_without_a_full_row_of_verdicts_stay_in_the_lower_bound():
    # six complete questions: 3 once, 1 twice (doubled at four runs): 3/4 * 9/4 unseen; two more are unstable but incomplete
    cell = columns("ICCC", "CICC", "CCIC", "IICC", "CCCC", "IIII", "CI?C", "?CIC")
    found = richness(stability(cell))
    assert (found.observed, found.of, found.q1, found.q2) == (6, 6, 3, 1)
    assert found.chao2 == pytest.approx(6 + 3 / 4 * 9 / 4)


def test_a_difference_that_is_the_same_everywhere_has_no_interval():
    assert paired_by_question(np.array([0.25, 0.25]), np.array([1.0, 1.0]), 0.95) is None


def test_the_interval_of_an_excess_follows_a_bootstrap_of_questions():
    draw = np.random.default_rng(3)
    p = np.r_[np.zeros(200), np.ones(300), draw.beta(0.5, 0.5, 100)]
    a, b = ((draw.random((m, len(p))) < p).astype(np.int8) for m in (4, 6))
    found = cross_flips(stability(a), stability(b), 0.95).excess_interval
    again = []
    for _ in range(400):
        q = draw.integers(0, len(p), len(p))
        again.append(cross_flips(stability(a[:, q]), stability(b[:, q]), 0.95).excess)
    width = 2 * 1.959964 * float(np.std(again))
    assert found.high - found.low == pytest.approx(width, rel=0.15)


def test_conventions_are_fractions():
    for wrong in ({"level": 95}, {"level": float("nan")}, {"power": 0.1}, {"alpha": 0.9}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} lies between"):
            Conventions(**({"level": 0.95, "alpha": 0.05, "power": 0.8} | wrong))
