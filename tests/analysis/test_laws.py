"""Laws that hold for any verdicts and outputs."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from store.analysis.accuracy import cell_accuracy
from store.analysis.arms import arm_difference
from store.analysis.cross import cross_flips
from store.analysis.divergence import EQUAL, first_divergences, token_rows
from store.analysis.funnel import attenuation, broken_chain, funnel, same_answer
from store.analysis.matrices import equal_matrix, flip_matrix, gain_matrix
from store.analysis.near_tie import capture, near_tie
from store.analysis.pairs_within import pair_totals
from store.analysis.panel import UNKNOWN, Panel
from store.analysis.stability import stability
from store.analysis.verdicts import CORRECT, INCORRECT, MISSING, UNSCORED

LAYERS = ("verdicts", "domain", "tokens", "texts", "answers")


SOME_RUNS, SOME_QUESTIONS = st.integers(1, 6), st.integers(1, 12)


@st.composite
def verdict_arrays(draw, runs=SOME_RUNS, questions=SOME_QUESTIONS):
    shape = draw(runs), draw(questions)
    flat = draw(st.lists(st.sampled_from([1, 1, 0, 0, -1, -2]), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    return np.array(flat, dtype=np.int8).reshape(shape)


@st.composite
def panels(draw):
    """A cell scored by a deterministic rule: tokens decide the answer, the answer decides the verdict."""
    m, n = draw(st.integers(2, 5)), draw(st.integers(1, 8))
    tokens = np.array(draw(st.lists(st.integers(-1, 4), min_size=m * n, max_size=m * n)), dtype=np.int32).reshape(m, n)
    answers = np.where(tokens == UNKNOWN, UNKNOWN, tokens // 2).astype(np.int32)
    scored = np.where(answers == 0, CORRECT, INCORRECT)
    verdicts = np.where(tokens == UNKNOWN, draw(st.sampled_from([MISSING, UNSCORED])), scored).astype(np.int8)
    domain = np.where(tokens == UNKNOWN, UNKNOWN, 0).astype(np.int32)
    return Panel(tuple(f"r{i}" for i in range(m)), tuple(f"q{i}" for i in range(n)), verdicts, domain, tokens, tokens, answers)


def permuted(panel, order, questions):
    layers = (getattr(panel, name)[np.ix_(order, questions)] for name in LAYERS)
    return Panel(tuple(panel.runs[i] for i in order), tuple(panel.questions[i] for i in questions), *layers)


@given(panels(), st.randoms())
def test_the_order_of_runs_and_questions_never_matters(panel, random):
    order, questions = list(range(len(panel.runs))), list(range(len(panel.questions)))
    random.shuffle(order)
    random.shuffle(questions)
    other = permuted(panel, order, questions)
    assert funnel(other) == funnel(panel)
    assert attenuation(other, other.token_layer) == attenuation(panel, panel.token_layer)
    assert same_answer(other, other.token_layer) == same_answer(panel, panel.token_layer)
    mine, theirs = cell_accuracy(panel.runs, panel.verdicts), cell_accuracy(other.runs, other.verdicts)
    assert (mine.mean, mine.base.scored) == (theirs.mean, theirs.base.scored)
    assert {r.run: r.correct for r in mine.per_run} == {r.run: r.correct for r in theirs.per_run}
    assert set(panel.ids(stability(panel.verdicts).unstable)) == set(other.ids(stability(other.verdicts).unstable))


@given(verdict_arrays(runs=st.just(2)))
def test_reversal_swaps_gains_and_losses_and_net_is_the_accuracy_difference(two):
    forward, gained, reversed_gains = flip_matrix(two), gain_matrix(two), gain_matrix(two[::-1])
    assert (gained[0, 1], gained[1, 0]) == (reversed_gains[1, 0], reversed_gains[0, 1])
    assert forward.flips[0, 1] == gained[0, 1] + gained[1, 0] == flip_matrix(two[::-1]).flips[0, 1]
    both = (two >= INCORRECT).all(axis=0)
    net = int(gained[0, 1] - gained[1, 0])
    assert net == int((two[1, both] == CORRECT).sum()) - int((two[0, both] == CORRECT).sum())
    assert forward.of[0, 1] == both.sum()


@given(verdict_arrays(), verdict_arrays(runs=st.just(1)))
def test_adding_a_run_never_shrinks_the_unstable_questions(cell, more):
    width = min(cell.shape[1], more.shape[1])
    before, after = stability(cell[:, :width]), stability(np.vstack([cell[:, :width], more[:, :width]]))
    assert (after.unstable | ~before.unstable).all()


@given(panels(), st.data())
def test_masking_a_question_changes_nothing_else(panel, data):
    gone = data.draw(st.integers(0, len(panel.questions) - 1))
    hidden = Panel(panel.runs, panel.questions, *(getattr(panel, name).copy() for name in LAYERS))
    hidden.verdicts[:, gone] = MISSING
    for layer in (hidden.domain, hidden.tokens, hidden.texts, hidden.answers):
        layer[:, gone] = UNKNOWN
    kept = [i for i in range(len(panel.questions)) if i != gone]
    without = permuted(panel, list(range(len(panel.runs))), kept)
    assert funnel(hidden) == funnel(without) or not (without.tokens != UNKNOWN).any()
    assert (flip_matrix(hidden.verdicts).flips == flip_matrix(without.verdicts).flips).all()
    assert (equal_matrix(hidden.tokens, hidden.domain).of == equal_matrix(without.tokens, without.domain).of).all()
    found, alone = stability(hidden.verdicts), stability(without.verdicts)
    assert found.unstable[kept].tolist() == alone.unstable.tolist()
    assert not found.unstable[gone]
    assert found.unknown[gone]


@given(panels())
def test_flips_are_answer_changes_and_answer_changes_are_divergences(panel):
    found = funnel(panel)
    if found.tokens is not None:
        assert found.verdict <= found.answer <= found.tokens <= found.of
    broken = broken_chain(panel)
    assert not (broken.flip_with_equal_tokens | broken.flip_with_equal_answer | broken.answer_change_with_equal_tokens).any()
    share, layer = same_answer(panel, panel.token_layer), attenuation(panel, panel.token_layer)
    if share.of_divergent is not None and layer.ratio is not None:
        assert share.of_divergent <= 1 - 1 / layer.ratio + 1e-12  # a flip is an answer change


@given(verdict_arrays())
def test_matrices_count_what_a_loop_counts(cell):
    found, gained = flip_matrix(cell), gain_matrix(cell)
    for i, a in enumerate(cell):
        for j, b in enumerate(cell):
            pairs = [(x, y) for x, y in zip(a, b, strict=True) if x >= 0 and y >= 0]
            assert found.of[i, j] == len(pairs)
            assert gained[i, j] == sum(x == 0 and y == 1 for x, y in pairs)
            assert found.flips[i, j] == sum(x != y for x, y in pairs)


@given(st.data())
def test_equal_outputs_are_what_a_loop_counts(data):
    m, n = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 6))
    draw = st.lists(st.integers(-1, 2), min_size=m * n, max_size=m * n)
    codes, domain = (np.array(data.draw(draw), dtype=np.int32).reshape(m, n) for _ in range(2))
    codes = np.where(domain == UNKNOWN, UNKNOWN, codes).astype(np.int32)
    found = equal_matrix(codes, domain)
    for i in range(m):
        for j in range(m):
            both = (codes[i] != UNKNOWN) & (codes[j] != UNKNOWN) & (domain[i] == domain[j])
            assert found.of[i, j] == both.sum()
            assert found.equal[i, j] == (both & (codes[i] == codes[j])).sum()


@given(verdict_arrays())
def test_the_flip_rate_is_the_mean_over_questions_when_all_is_scored(cell):
    scored = np.where(cell < 0, 0, cell).astype(np.int8)
    m = len(scored)
    if m < 2:
        return
    matrix = flip_matrix(scored)
    k = scored.sum(axis=0)
    by_question = float(np.mean(2 * k * (m - k) / (m * (m - 1))))
    assert abs(pair_totals(tuple(map(str, range(m))), matrix.flips, matrix.of).rate - by_question) < 1e-12


@given(verdict_arrays(), verdict_arrays())
def test_cross_flips_are_symmetric_and_equal_the_pairs(one, two):
    width = min(one.shape[1], two.shape[1])
    a, b = one[:, :width], two[:, :width]
    forward, back = cross_flips(stability(a), stability(b), 0.95), cross_flips(stability(b), stability(a), 0.95)
    assert (forward.flips, forward.of, forward.floor) == (back.flips, back.of, back.floor)
    both = flip_matrix(np.vstack([a, b]))
    assert forward.flips == both.flips[: len(a), len(a) :].sum()
    assert forward.of == both.of[: len(a), len(a) :].sum()


@given(verdict_arrays(), verdict_arrays(), st.data())
def test_differing_questions_are_re_roll_core_undecided_or_split(one, two, data):
    width = min(one.shape[1], two.shape[1])
    fragile = np.array(data.draw(st.lists(st.booleans(), min_size=width, max_size=width)))
    found = arm_difference(stability(one[:, :width]), stability(two[:, :width]), fragile)
    assert (found.reroll.astype(int) + found.core + found.undecided + found.split == found.differing).all()
    assert not (found.core & fragile).any()


tokens = st.lists(st.integers(0, 3), max_size=6)


@given(st.lists(st.tuples(tokens, tokens), min_size=1, max_size=5))
def test_first_divergence_is_symmetric_and_the_prefix_is_shared(pairs):
    rows = token_rows([ids for pair in pairs for ids in pair])
    a, b = rows[::2], rows[1::2]
    at = first_divergences(a, b)
    assert at.tolist() == first_divergences(b, a).tolist()
    for (left, right), index in zip(pairs, at.tolist(), strict=True):
        if index == EQUAL:
            assert left == right
        else:
            assert left[:index] == right[:index]
            assert left[index : index + 1] != right[index : index + 1]


@settings(max_examples=60)
@given(st.data())
def test_a_near_tie_is_the_same_seen_from_either_side(data):
    steps = data.draw(st.integers(1, 4))
    at = steps - 1

    def output(last):
        values = [data.draw(st.lists(st.floats(-8, 0), min_size=2, max_size=3)) for _ in range(steps)]
        return capture((*[0] * at, last), [list(range(len(v))) for v in values], values)

    one, two = output(0), output(1)
    forward, back = near_tie(one, two, at, None), near_tie(two, one, at, None)
    assert (forward.gap_a, forward.gap_b, forward.kind) == (back.gap_b, back.gap_a, back.kind)
    assert (forward.swing is None) == (back.swing is None)
    assert forward.swing is None or abs(forward.swing - back.swing) < 1e-12
    assert (forward.earlier, forward.rank) == (back.earlier, back.rank)
