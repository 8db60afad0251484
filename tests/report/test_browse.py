"""What a reader browses, on studies small enough to count by hand."""

import numpy as np
import pytest

from store.analysis.similarity import similarity_order
from store.contract.environment import unknown_environment
from store.contract.record import TokenLogprob
from store.errors import UsageError
from store.results.browse.compared import compared_pairs
from store.results.browse.divergences import divergence_table
from store.results.browse.matrix import MATRIX_LAYERS, matrix_runs, matrix_sides, order_of, run_matrix, side_matrix
from store.results.browse.pair import open_pair
from store.results.browse.question_map import FRAGILE, OTHER, MapFilter, part, question_map
from store.results.browse.search import matching
from store.results.browse.trace import readings, steps_around
from store.results.cells import study_cells
from store.results.question import output, question_result
from store.results.report.build import METHOD_CONVENTIONS, Asked
from store.results.report.compare import compare_sides, ranked_noise
from store.results.report.near import captures
from store.results.report.side import environment_sides, side_named
from store.results.study import study_data
from tests.builders import answered, labels

ASKED = Asked(METHOD_CONVENTIONS, None, None)
EVERYTHING = MapFilter(None, None, None, False, None)
TOKENIZER, INPUTS = "files1:" + "0" * 64, "tok1:" + "1" * 64


def told(run, letters, **known):
    """Records q0, q1, … of one run: C correct, I incorrect, ? unscored (no gold), a dot missing."""
    records = []
    for i, letter in enumerate(letters):
        if letter != ".":
            text = "The final answer is 1" if letter in "C?" else "The final answer is 2"
            records.append(answered(f"q{i}", text, gold=None if letter == "?" else "1", **known))
    return records


def run(name, letters, arm="A", **known):
    return labels(name, cell=name[0], repeat=int(name[1]), arm=arm), told(name, letters, **known)


def tokens(question, *ids, tokenizer=TOKENIZER, text="The final answer is 1"):
    return answered(question, text, output_token_ids=ids, tokenizer_digest=tokenizer, input_ids_digest=INPUTS)


def test_matrix_counts_what_both_have_and_leaves_the_rest_out(study):
    # q0: C I; q1: C C; q2: unscored in x0, so neither flip nor base; q3: missing in x1
    data = study_data(*study(run("x0", "CC?C"), run("x1", "ICC.")))
    matrix = run_matrix(data, matrix_runs(data, "grid"), "verdict")
    assert (matrix.count[0, 1], matrix.of[0, 1], matrix.value[0, 1]) == (1, 2, 0.5)
    text = run_matrix(data, matrix_runs(data, "grid"), "text")
    assert (text.count[0, 1], text.of[0, 1]) == (2, 3)  # q1 and q2 of q0, q1, q2
    assert not run_matrix(data, matrix_runs(data, "grid"), "tokens").known
    assert np.isnan(run_matrix(data, matrix_runs(data, "grid"), "tokens").value[0, 1])


def test_first_divergence_is_the_median_over_questions_that_differ_and_never_across_tokenizers(study):
    other = "files1:" + "2" * 64
    data = study_data(
        *study(
            (labels("x0", cell="x"), [tokens("q0", 1, 2, 3), tokens("q1", 1, 2), tokens("q2", 5, 6), tokens("q3", 1)]),
            (
                labels("x1", cell="x", repeat=1),
                [tokens("q0", 1, 9, 3), tokens("q1", 1, 2, 7), tokens("q2", 5, 6), tokens("q3", 2, tokenizer=other)],
            ),
        )
    )
    matrix = run_matrix(data, matrix_runs(data, "grid"), "divergence")
    # q0 parts at 1, q1 at 2 (one is the beginning of the other), q2 is equal, q3 cannot be compared
    assert (matrix.count[0, 1], matrix.of[0, 1], matrix.value[0, 1]) == (2, 3, 1.5)
    table = divergence_table(data, ("x0", "x1"))
    assert table.of(0, 1).tolist() == table.of(1, 0).tolist() == [1, 2]
    (pair,) = side_matrix(data, data.grid.cells, "divergence", 0.95)
    assert (pair.count, pair.of, pair.value, pair.pairs) == (2, 3, 1.5, 1)


def test_the_divergence_table_agrees_with_pairwise_comparison(study):
    rng = np.random.default_rng(3)
    runs = [
        (
            labels(f"x{r}", cell="x", repeat=r),
            [tokens(f"q{q}", *rng.integers(0, 2, rng.integers(0, 5)).tolist()) for q in range(40)],
        )
        for r in range(6)
    ]
    data = study_data(*study(*runs))
    names = tuple(f"x{r}" for r in range(6))
    table, panel = divergence_table(data, names), data.panel.rows(names)
    for i in range(6):
        for j in range(6):
            if i != j:
                assert table.of(i, j).tolist() == data.pair_divergences(panel, i, j).tolist()


def test_cells_have_their_own_rate_on_the_diagonal_and_the_excess_elsewhere(study):
    # within x: 1 flip of 4; within y: 0 of 4; between: q0 C,I against I,I is 2 of 4, q1 4 of 4, q2 and q3 0 of 8
    data = study_data(*study(run("x0", "CCCC"), run("x1", "ICCC"), run("y0", "IICC"), run("y1", "IICC")))
    own_x, between, own_y = side_matrix(data, data.grid.cells, "verdict", 0.95)
    assert (own_x.count, own_x.of, own_y.count, own_y.of) == (1, 4, 0, 4)
    assert (between.count, between.of, between.pairs) == (2 * 1 + 4, 16, 4)
    assert between.floor == (1 / 4 + 0) / 2
    assert between.excess == 6 / 16 - 1 / 8
    assert own_x.excess is None


def test_orders_are_the_same_every_time_and_put_like_next_to_like(study):
    data = study_data(*study(run("a0", "CCCC"), run("b0", "IIII"), run("c0", "CCCI"), run("d0", "IIIC")))
    runs = matrix_runs(data, "grid")
    order = order_of(data, runs, "similarity")
    names = [runs[i].run_id for i in order]
    assert {frozenset(names[:2]), frozenset(names[2:])} == {frozenset({"a0", "c0"}), frozenset({"b0", "d0"})}
    assert order == order_of(data, runs, "similarity")
    assert order_of(data, runs, "cell") == (0, 1, 2, 3)
    assert similarity_order(np.full((3, 3), np.nan)) in {(0, 1, 2), (2, 1, 0), (1, 0, 2), (2, 0, 1), (0, 2, 1), (1, 2, 0)}
    assert similarity_order(np.zeros((0, 0))) == ()


def test_a_pair_has_its_two_by_two_table_its_gains_and_its_losses(study):
    data = study_data(*study(run("x0", "CCIIC?"), run("y0", "CICIC.")))
    found = open_pair(data, None, "x0", "y0", 0.95)
    c = found.counts
    assert (found.both_right, c.losses, c.gains, found.both_wrong, c.of) == (2, 1, 1, 1, 5)
    assert [(change.question, change.direction) for change in found.changes] == [("q2", "gain"), ("q1", "loss")]
    assert [(change.answer_a, change.answer_b) for change in found.changes] == [("2", "1"), ("1", "2")]
    assert found.test is not None
    assert found.test.p == 1.0  # one against one
    assert (c.missing, c.unscored) == (1, 0)
    assert found.divergence is None
    assert found.at == ()
    with pytest.raises(UsageError, match="has no complete run 'z'"):
        open_pair(data, None, "x0", "z", 0.95)
    with pytest.raises(UsageError, match="compared with itself"):
        open_pair(data, None, "x0", "x0", 0.95)


def test_the_map_holds_every_question_on_which_runs_disagree_once(study):
    # q0 unstable in x; q1 constant in each arm and different; q2 the same everywhere; q3: one verdict each, a run of y is unscored
    data = study_data(*study(run("x0", "CCCC"), run("x1", "ICCC"), run("y0", "CICI", arm="B"), run("y1", "CIC?", arm="B")))
    found = question_map(data, EVERYTHING)
    assert [(row.question, row.group) for row in found.rows] == [("q1", "A ≠ B"), ("q0", FRAGILE), ("q3", OTHER)]
    assert [row.unstable_in for row in found.rows] == [(), ("x",), ()]
    assert [(right, scored) for _, right, scored in found.counts()] == [(2, 4), (3, 4), (2, 3)]
    assert found.verdicts.shape == (3, 4)
    assert part(found, 1, 2).ids() == ("q0",)


@pytest.mark.parametrize(
    ("asked", "rows", "columns"),
    [
        (MapFilter("x", None, None, False, None), ("q0",), 2),
        (MapFilter("y", None, None, False, None), (), 2),
        (MapFilter(None, "B", None, False, None), (), 2),
        (MapFilter(None, None, None, True, None), ("q1",), 4),
        (MapFilter(None, None, None, False, frozenset({"q0"})), ("q0",), 4),
        (MapFilter("x", "B", None, False, None), (), 0),
        (MapFilter(None, "B", None, True, None), ("q1",), 2),
    ],
)
def test_filters_of_the_map(study, asked, rows, columns):
    data = study_data(*study(run("x0", "CC"), run("x1", "IC"), run("y0", "CI", arm="B"), run("y1", "CI", arm="B")))
    found = question_map(data, asked)
    assert found.ids() == rows
    assert len(found.columns) == columns
    assert found.of_all == 2


def test_search_reads_outputs_and_says_what_is_no_pattern(study):
    warehouse, scope = study(run("x0", "CI"), run("x1", "CI"))
    assert [(hit.question_id, hit.records) for hit in matching(warehouse, scope, r"answer is 2$")] == [("q1", 2)]
    assert matching(warehouse, scope, "no such") == ()
    with pytest.raises(UsageError, match="is no regular expression: missing"):
        matching(warehouse, scope, "(")
    with pytest.raises(UsageError, match="at most 300"):
        matching(warehouse, scope, "x" * 301)


def test_a_record_is_read_by_every_extractor_with_its_span(study):
    warehouse, scope = study(run("x0", "C"))
    (record,) = question_result(warehouse, scope, "q0").records
    (reading,) = readings(warehouse, scope, record)
    text = output(warehouse, scope, record).raw_text
    assert text is not None
    assert text[reading.span_start : reading.span_end].strip() == "1" == reading.answer


def test_steps_without_a_capture_have_ids_and_nothing_else(study):
    warehouse, scope = study((labels("x0"), [tokens("q0", *range(20))]))
    (record,) = question_result(warehouse, scope, "q0").records
    steps = steps_around(None, record, tuple(range(20)), 10)
    assert [step.index for step in steps] == list(range(6, 15))
    assert all(step.gap is None and step.candidates == () for step in steps)


def test_sides_are_cells_or_the_beginning_of_one_digest(study):
    data = study_data(*study(run("x0", "CC"), run("x1", "CC"), run("y0", "II"), run("y1", "IC")))
    assert [c.run_id for c in side_named(data, "x").runs] == ["x0", "x1"]
    assert environment_sides(data) == ()  # nothing is known of any environment
    with pytest.raises(UsageError, match="has no cell 'z', nor one environment digest"):
        side_named(data, "z")
    found = compare_sides(data, None, "x", "y", ASKED)
    assert [(q.question, q.right) for q in ranked_noise(found)] == [("q0", "a")]
    pairs = compared_pairs(data, None, "x", "y")
    assert [where for where, _ in pairs.pairs] == ["a–a", "a–b", "a–b", "a–b", "a–b", "b–b"]
    for line in found.strip:
        of = [pair.of for where, pair in pairs.pairs if where == line.between]
        flips = [pair.flips for where, pair in pairs.pairs if where == line.between]
        assert (line.pairs, line.flips_of, line.flips) == (len(of), sum(of), sum(flips))


@pytest.mark.parametrize("layer", MATRIX_LAYERS)
def test_cell_totals_are_the_sums_of_their_run_pairs(study, layer):
    runs = [
        (labels(f"{cell}{i}", cell=cell, repeat=i), [tokens("q0", 1, i), tokens("q1", 2), tokens("q2", ord(cell), 3)])
        for cell in "xy"
        for i in range(2)
    ]
    data = study_data(*study(*runs))
    matrix = run_matrix(data, matrix_runs(data, "grid"), layer)
    blocks = {("x", "x"): [(0, 1)], ("x", "y"): [(0, 2), (0, 3), (1, 2), (1, 3)], ("y", "y"): [(2, 3)]}
    for pair in side_matrix(data, data.grid.cells, layer, 0.95):
        at = blocks[pair.a, pair.b]
        assert (pair.count, pair.of) == (sum(matrix.count[i, j] for i, j in at), sum(matrix.of[i, j] for i, j in at))


def engine(names, **known):
    """Environments of which only some fields are known."""
    return {name: unknown_environment("the test does not say", **known) for name in names}


def test_captures_are_of_the_first_pass_and_not_shown_beside_another(study):
    step = ((TokenLogprob(token_id=5, logprob=-0.1, rank=None), TokenLogprob(token_id=7, logprob=-2.0, rank=None)),)
    first = tokens("q0", 5).model_copy(update={"topk": step, "topk_source": "decode"})
    warehouse, scope = study((labels("x0"), [first, tokens("q0", 7).model_copy(update={"pass_index": 1})]))
    taken = captures(warehouse, scope, "q0")
    one, two = question_result(warehouse, scope, "q0").records
    assert steps_around(taken, one, (5,), 0)[0].gap == pytest.approx(1.9)
    assert steps_around(taken, two, (7,), 0)[0].gap is None


def test_one_answer_with_two_verdicts_is_not_stable(study):
    data = study_data(
        *study(
            (labels("a0", cell="a"), [answered("q1", "1")]),
            (labels("a1", cell="a", repeat=1), [answered("q1", "1", gold="2")]),
            *((labels(f"b{i}", cell="b", repeat=i), [answered("q1", "3")]) for i in range(2)),
        )
    )
    assert compare_sides(data, None, "a", "b", ASKED).not_noise == ()


def test_sides_by_environment_know_nothing_of_stability_where_no_cell_repeats(study):
    names = ("a0", "a1", "b0", "b1")
    runs = ((labels(n, cell=n), [answered("q1", "1" if n[0] == "a" else "2")]) for n in names)
    environments = engine(names[:2], engine="vllm") | engine(names[2:], engine="sglang")
    data = study_data(*study(*runs, environments=environments))
    declared = [side for side in environment_sides(data) if side.kind == "declared"]
    assert [(side.deployments, side.known) for side in declared] == [(2, 1), (2, 1)]
    found = compare_sides(data, None, declared[0].digest, declared[1].digest[:13], ASKED)
    assert [(q.question, q.in_fragile) for q in found.not_noise or ()] == [("q1", None)]
    assert [(finding.kind, len(finding.items)) for finding in found.findings] == [("hidden-dimension", 2)] * 2
    assert [field.field for field in found.environment.differing] == ["engine"]


def test_a_field_that_one_deployment_of_a_side_does_not_say_is_no_equal_field(study):
    names = ("a0", "a1", "b0", "b1")
    environments = engine(names[:1], engine="v") | engine(names[1:], engine="v", driver="550")
    data = study_data(
        *study(*((labels(n, cell=n[0], repeat=int(n[1])), [answered("q1", "1")]) for n in names), environments=environments)
    )
    (field,) = compare_sides(data, None, "a", "b", ASKED).environment.differing
    assert (field.field, field.state, field.unknown_a, field.unknown_b) == ("driver", "unknown in some", 1, 0)


def test_strip_dots_and_totals_stand_on_the_questions_both_sides_have(study):
    data = study_data(
        *study(
            *(
                (labels(f"a{i}", cell="a", repeat=i), [answered(f"q{k}", "1" if i or k < 2 else "2") for k in range(4)])
                for i in range(2)
            ),
            *((labels(f"b{i}", cell="b", repeat=i), [answered(f"q{k}", "1") for k in range(2)]) for i in range(2)),
        )
    )
    found, pairs = compare_sides(data, None, "a", "b", ASKED), compared_pairs(data, None, "a", "b")
    assert (found.strip[0].flips, found.strip[0].flips_of) == (0, 2)
    assert (pairs.pairs[0][1].flips, pairs.pairs[0][1].of) == (0, 2)


def test_an_unrecorded_prompt_is_unknown_and_not_another_prompt(study):
    warehouse, scope = study(
        (labels("a0"), [answered("q1", "1", rendered_prompt="p")]),
        (labels("a1", repeat=1), [answered("q1", "1")]),
        (labels("a2", repeat=2), [answered("q1", "1", rendered_prompt="p", input_ids_digest=INPUTS)]),
    )
    assert [f.kind for f in question_result(warehouse, scope, "q1").findings] == []


@pytest.mark.parametrize(
    ("third", "outputs"),
    [((), 2), ((labels("a2", repeat=2), [answered("q0", "another text")]), 2)],  # two domains; two texts: one run has no tokens
)
def test_outputs_are_counted_on_one_layer_and_inside_one_tokenizer(study, third, outputs):
    other = "files1:" + "2" * 64
    two = [(labels("a0"), [tokens("q0", 5)]), (labels("a1", repeat=1), [tokens("q0", 5, tokenizer=other)])]
    assert study_cells(*study(*two, *([third] if third else []))).outputs == (outputs,)


def test_digests_put_together_what_cells_keep_apart_and_leave_out_what_is_not_recorded(study):
    # x and y have one environment, z0 another, w0 none that is known
    runs = [run("x0", "CC"), run("x1", "CI"), run("y0", "IC"), run("z0", "II"), run("w0", "CC")]
    data = study_data(*study(*runs, environments=engine(("x0", "x1", "y0"), max_num_seqs=8) | engine(("z0",), max_num_seqs=1)))
    sides = matrix_sides(data, "declared")
    assert [[r.run_id for r in side.runs] for side in sides] == [["x0", "x1", "y0"], ["z0"]]
    assert [side.cell for side in matrix_sides(data, "cell")] == ["w", "x", "y", "z"]
    own, between, alone = side_matrix(data, sides, "verdict", 0.95)
    # q0: C C I within, q1: C I C within: 2 of 3 pairs flip on each; against I I of z0: 2 of 3 flip on each
    assert (own.pairs, own.count, own.of) == (3, 4, 6)
    assert (between.pairs, between.count, between.of) == (3, 4, 6)
    assert (alone.pairs, alone.count, alone.of, alone.value) == (0, 0, 0, None)
    assert side_named(data, sides[0].cell).runs == sides[0].runs
