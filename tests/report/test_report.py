"""The report on small studies: what is said, and what is not said where it cannot be known."""

import pytest

from store.analysis.divergence import token_rows
from store.contract.environment import unknown_environment
from store.contract.record import TokenLogprob
from store.contract.run import StudyRole
from store.errors import UsageError
from store.folder import Store
from store.results.report.between_tables import between_sections
from store.results.report.build import METHOD_CONVENTIONS, Asked, Note, study_report
from store.results.report.cell_shape import Cell
from store.results.report.compare import compare_cells
from store.results.report.pairs import study_pairs
from store.results.report.question import question_report
from store.results.report.question_tables import question_head
from store.results.report.sections import compare_sections, report_sections
from store.results.report.sentences import resolution
from store.results.report.tables import cell_sections
from store.results.scope import resolve
from store.sealed.rows import Question
from store.warehouse.open import open_warehouse
from tests.builders import answered, labels

SAME = {"tokenizer_digest": "tok", "input_ids_digest": "in"}


def ids(text, **known):
    """A record whose token ids are the characters of its text, so that texts and tokens agree."""
    return answered(known.pop("question", "q1"), text, output_token_ids=tuple(map(ord, text)), **(SAME | known))


def letters(word, prefix="q", **known):
    """`letters("CI?")`: questions q1, q2, … correct, incorrect, unscored; a dot is left out."""
    texts = {"C": "The final answer is 1", "I": "The final answer is 2", "?": None}
    return [answered(f"{prefix}{i}", texts[c], **known) for i, c in enumerate(word, 1) if c != "."]


@pytest.fixture
def report(study):
    def build(*runs, notes=(), partner=None, acknowledged=(), **more):
        warehouse, _ = study(*runs, **more)
        scope = resolve(warehouse, "s", None, None, acknowledged)
        return study_report(warehouse, scope, Asked(METHOD_CONVENTIONS, None, partner), notes)

    return build


def kinds(found):
    return [finding.kind for finding in found.findings]


def text_of(found, kind):
    (finding,) = [finding for finding in found.findings if finding.kind == kind]
    return finding.text


def test_one_deployment_knows_nothing_about_repeating(report):
    found = report((labels("a"), [ids("1"), ids("2", question="q2")]))
    (cell,) = found.cells
    assert (cell.accuracy.mean, cell.accuracy.sd) == (0.5, None)
    assert (cell.flips.count, cell.flips.rate, cell.flips.of, cell.flips.ci) == (None, None, 0, None)
    assert (cell.identity.identical, cell.identity_text.identical, cell.unstable.count) == (None, None, None)
    assert (cell.identical_in_all.tokens, cell.diverged.any, cell.answers.changed) == (None, None, None)
    assert (cell.funnel, cell.attenuation, cell.same_answer, cell.first_divergence) == (None,) * 4
    assert cell.zero_events == ()
    assert (found.fragile_set.count, found.fragile_set.cells) == (None, 0)
    assert "need ≥ 2 deployments: cell" in text_of(found, "one-deployment")
    assert cell_sections(found)[0].rows[0][3:6] == ("needs ≥ 2 deployments",) * 3


def test_two_deployments_by_hand(report):
    # a: 1, 2, x1; b: 1, 1, 2 with gold 1: q1 equal, q2 loss→gain, q3 text differs and verdict flips
    a = [ids("1"), ids("2", question="q2"), ids("so 1", question="q3")]
    b = [ids("1"), ids("1", question="q2"), ids("so 2", question="q3")]
    found = report((labels("a"), a), (labels("b", repeat=1), b))
    (cell,) = found.cells
    assert (cell.flips.count, cell.flips.of, cell.identity.identical, cell.identity.of) == (2, 3, 1, 3)
    assert (cell.unstable.ids, cell.unstable.chao2, cell.unstable.expected_next) == (("q2", "q3"), None, 1.0)
    assert (cell.attenuation, cell.attenuation_base.layer, cell.same_answer.of_divergent) == (1.0, "tokens", 0.0)
    # q2 parts at token 0, "so 1" and "so 2" at token 3; q1 is censored
    first = cell.first_divergence
    assert (first.median, first.diverged, first.censored, first.input_mismatch) == (1.5, 2, 1, 0)
    (pair,) = found.pairs
    assert (pair.kind, pair.flips, pair.gains, pair.losses, pair.net) == ("fresh–fresh", 2, 1, 1, 0)
    assert found.fragile_set.ids == ("q2", "q3")


def test_a_missing_and_an_unscored_record_are_never_wrong(report):
    found = report((labels("a"), letters("CC?C")), (labels("b", repeat=1), letters("C.CI")))
    (cell,) = found.cells
    assert cell.base == "on 3 of 4 common questions, 1 of them left out as unscored in some run"
    assert [(run.correct, run.of) for run in cell.accuracy.per_run] == [(2, 2), (1, 2)]
    assert (cell.flips.count, cell.flips.of, cell.flips.null_pairs) == (1, 2, 1)
    assert (cell.unstable.count, cell.unstable.of, cell.unstable.unknown) == (1, 2, 2)
    assert [(run.correct, run.of, run.unscored, run.missing) for run in found.runs] == [(3, 3, 1, 0), (2, 3, 0, 1)]
    (pair,) = found.pairs
    assert (pair.of, pair.unscored, pair.missing) == (2, 1, 1)


def test_without_any_extractor_nothing_is_scored_and_outputs_still_compare(report):
    bare = [ids("1").model_copy(update={"answers": ()})]
    found = report((labels("a"), bare), (labels("b", repeat=1), bare))
    (cell,) = found.cells
    assert (cell.accuracy.mean, cell.flips.rate, cell.identity.rate) == (None, None, 1.0)
    assert "no-extractor" in kinds(found)
    assert [zero.layer for zero in cell.zero_events] == ["tokens", "text"]


def test_other_tokenizers_make_identity_undefined_and_texts_still_compare(report):
    runs = [(labels("a"), [ids("1")]), (labels("b", repeat=1), [ids("1", tokenizer_digest="other")])]
    found = report(*runs)
    (cell,) = found.cells
    assert (cell.identity.identical, cell.identity.of) == (None, 0)
    assert (cell.identity_text.identical, cell.identity_text.of) == (1, 1)
    assert cell.first_divergence.input_mismatch == 1
    assert found.pairs[0].identical is None
    assert "2 tokenizers, so token identity between their runs is undefined" in text_of(found, "tokenizers-differ")
    assert "undefined (different tokenizers or prompts)" in cell_sections(found)[0].rows[0]


def test_other_prompts_golds_and_inputs_are_named(report):
    a = answered("q1", "1", gold="1", rendered_prompt="one?", tokenizer_digest="t", input_ids_digest="x")
    b = answered("q1", "1", gold="2", rendered_prompt="two?", tokenizer_digest="t", input_ids_digest="y")
    found = report((labels("a"), [a]), (labels("b", repeat=1), [b]))
    assert {"gold-differs", "prompt-differs", "inputs-differ"} <= set(kinds(found))
    assert text_of(found, "prompt-differs") == "asked with different prompt texts in different runs: 1 question: q1"


def test_runs_that_are_copies_of_each_other_are_named(report):
    one = [answered("q1", "1", arrival_unix_s=5.0), answered("q2", "2", arrival_unix_s=6.0)]
    other = [answered("q1", "1", arrival_unix_s=7.0), answered("q2", "2", arrival_unix_s=8.0)]
    found = report((labels("a"), one), (labels("b", repeat=1), one), (labels("c", repeat=2), other))
    (copies,) = [finding for finding in found.findings if finding.kind == "bit-identical"]
    assert copies.items == ("a", "b")
    assert "clocks included" in copies.text


def test_a_flip_with_equal_tokens_is_a_fault_of_scoring(report):
    a, b = ids("1"), ids("1", gold="2")
    found = report((labels("a"), [a]), (labels("b", repeat=1), [b]))
    assert found.cells[0].flips.count == 1
    assert "a fault of scoring: 1 question: q1" in text_of(found, "equal-tokens-flip")


def test_a_hidden_dimension_is_named_with_its_values(report):
    environments = {
        run: unknown_environment("not said", engine="vllm", driver=driver) for run, driver in (("a", "550.54"), ("b", "560.28"))
    }
    runs = [
        (labels("a"), [answered("q1", "1", temperature=0.0)]),
        (labels("b", repeat=1), [answered("q1", "1", temperature=0.7)]),
    ]
    found = report(*runs, environments=environments)
    said = text_of(found, "hidden-dimension")
    assert "driver: 550.54 in 1, 560.28 in 1 of 2 deployments" in said
    assert "temperature: 0.0 in 1, 0.7 in 1 of 2 deployments" in said


def test_thinking_keeps_a_run_out_of_its_cell_until_it_is_acknowledged(report):
    off = {"rendered_prompt": "<|assistant|>\n<think>\n\n</think>\n\n"}
    quiet, loud = answered("q1", "1", **off), answered("q1", "<think>hm</think>1", thinking_tokens=3, **off)
    runs = [(labels("a"), [quiet]), (labels("b", repeat=1), [loud])]
    found = report(*runs)
    assert [run.run for run in found.cells[0].accuracy.per_run] == ["a"]
    assert "b: 1 of 1 outputs" in text_of(found, "thinking")


def test_an_acknowledged_run_counts_and_is_still_named(report):
    off = {"rendered_prompt": "<think></think>"}
    runs = [(labels("a"), [answered("q1", "1", **off)]), (labels("b", repeat=1), [answered("q1", "<think>1", **off)])]
    found = report(*runs, acknowledged=("b",))
    assert found.cells[0].deployments == 2
    assert "acknowledged" in text_of(found, "thinking")
    assert found.options.acknowledged == ("b",)


def test_thinking_that_was_never_switched_off_is_no_finding(report):
    found = report((labels("a"), [answered("q1", "<think>hm</think>1", rendered_prompt="go")]))
    assert "thinking" not in kinds(found)


def two_cells(**of_b):
    a = [(labels(f"a{i}", cell="A", repeat=i), letters(w)) for i, w in enumerate(("CCII", "CCIC", "CCII"))]
    b = [(labels(f"b{i}", cell="B", repeat=i, arm="other"), letters(w, **of_b)) for i, w in enumerate(("ICIC", "CCIC", "ICII"))]
    return [*a, *b]


def test_two_cells_by_hand(report):
    # A: q4 split (1 of 3); B: q1 split (1 of 3), q4 split (2 of 3). Own flips: A 2 of 12, B 4 of 12
    found = report(*two_cells())
    (crossed,) = found.cross_cell
    # q1: k 3 | 1 of 3: 3*2 + 0*1 = 6; q4: k 1 | 2: 1*1 + 2*2 = 5; of 4 * 9
    assert (crossed.flips, crossed.of) == (11, 36)
    assert crossed.floor == pytest.approx((2 / 12 + 4 / 12) / 2)
    assert crossed.excess == pytest.approx(11 / 36 - 1 / 4)
    assert (crossed.differing, crossed.inside_fragile, crossed.stable_core.count) == (2, 2, 0)
    assert found.fragile_set.ids == ("q1", "q4")
    d = crossed.difference
    # right A 2, 3, 2 of 4 and B 2, 3, 1 of 4
    assert (d.mean_a, d.mean_b, d.value) == (7 / 12, 6 / 12, pytest.approx(-1 / 12))
    assert d.resolved is False
    assert "unresolved: MDE" in resolution(d)
    assert "unresolved, not shown to be equal: 1 of 1 accuracy difference: B − A = −8.33 pt" in text_of(found, "unresolved")


def test_no_table_ever_says_no_difference(report):
    found = report(*two_cells())
    said = " ".join(cell for section in report_sections(found) for row in section.rows for cell in row).lower()
    assert "no difference" not in said
    assert "not significant" not in said


def test_cells_of_one_name_in_two_arms_are_two_cells(report):
    words = {"x": ("CC", "CI"), "y": ("II", "II")}
    runs = [
        (labels(f"{arm}{i}", cell="cap8", arm=arm, repeat=i), letters(w))
        for arm, two in words.items()
        for i, w in enumerate(two)
    ]
    found = report(*runs)
    assert [(cell.cell, cell.arm, cell.unstable.ids) for cell in found.cells] == [
        ("x · cap8", "x", ("q2",)),
        ("y · cap8", "y", ()),
    ]
    assert [(pair.a, pair.b, pair.differing) for pair in found.cross_cell] == [("x · cap8", "y · cap8", 2)]


def test_single_deployments_have_no_core_and_no_re_roll(report):
    found = report((labels("a", cell="A"), letters("CI")), (labels("b", cell="B", arm="other"), letters("IC")))
    (crossed,), (arms,) = found.cross_cell, found.arms
    assert (crossed.differing, crossed.inside_fragile, crossed.stable_core, crossed.floor) == (2, None, None, None)
    assert (arms.differing, arms.reroll, arms.stable_core) == (2, None, None)
    assert found.signature_groups == ()
    assert crossed.difference.test == "exact McNemar"
    assert crossed.difference.ci_new.method == "Tango score"
    assert "needs ≥ 2 deployments of each" in resolution(crossed.difference)
    assert between_sections(found)[0].rows[0][3] == "needs ≥ 2 deployments"


def test_cells_without_a_common_question_have_no_difference(report):
    found = report((labels("a", cell="A"), letters("CC")), (labels("b", cell="B"), letters("CC", prefix="x")))
    (crossed,) = found.cross_cell
    assert (crossed.flips, crossed.of, crossed.rate, crossed.differing, crossed.difference.value) == (None, 0, None, None, None)
    assert crossed.difference.questions == 0
    assert {(pair.flips, pair.of, pair.net) for pair in found.pairs} == {(None, 0, None)}


def test_a_scorer_that_scored_nothing_knows_nothing(report):
    unscored = answered("q1", None)
    found = report((labels("a"), [unscored]), (labels("b", repeat=1), [unscored]))
    (cell,) = found.cells
    assert (cell.unstable.count, cell.unstable.of, cell.unstable.unknown) == (None, 0, 1)
    assert (cell.flips.count, cell.unstable.rarefied, cell.zero_events) == (None, None, ())
    assert (found.fragile_set.count, found.fragile_set.unknown, found.all_runs.unstable.count) == (None, 1, None)
    assert cell_sections(found)[0].rows[0][3:5] == ("no verdicts", "no verdicts, 1 pair-question left out as unscored")


def test_a_funnel_over_nothing_has_dashes_and_no_zeros(report):
    found = report(*((labels(f"r{i}", repeat=i), [answered("q1", None)]) for i in (0, 1)))
    (row,) = next(section for section in cell_sections(found) if section.title == "Funnel").rows
    assert row == ("cell", *("—",) * 6)


def test_kinds_count_grid_runs_apart_and_a_process_once(report):
    grid = [(labels(f"g{i}", repeat=i), letters("CI")) for i in (0, 1)]
    passes = [(labels(f"p{i}", role=StudyRole.PROBE, repeat=i, deployment="p"), letters("CI")) for i in (0, 1, 2)]
    found = report(*grid, *passes)
    assert [(k.kind, k.among, k.pairs) for k in found.pair_kinds] == [
        ("same-process", "other roles", 3),
        ("fresh–fresh", "grid runs", 1),
        ("fresh–fresh", "other roles", 2),
    ]


def test_empty_outputs_are_identical_and_said_to_be(report):
    found = report((labels("a"), [ids("")]), (labels("b", repeat=1), [ids("")]))
    assert (found.cells[0].identity.identical, found.cells[0].empty) == (1, 2)
    assert "empty outputs, which count as identical: cell: 2 of 2 records" in text_of(found, "empty-outputs")


def test_no_answer_found_is_an_answer_also_where_the_gold_is_missing(report):
    runs = [
        (labels(f"r{i}", repeat=i), [answered("q1", text, gold=None)]) for i, text in enumerate(("none here", "7", "nor here"))
    ]
    found = report(*runs)
    assert (found.cells[0].answers.changed, found.cells[0].answers.of) == (2, 3)


def test_disputed_golds_change_nothing_but_a_second_line(report):
    notes = (Note("q1", "disputed gold", "wrong key", "me"), Note("q2", "note", "hm", "me"))
    found = report((labels("a"), letters("CI")), (labels("b", repeat=1), letters("II")), notes=notes)
    (cell,) = found.cells
    assert cell.accuracy.mean == 0.25
    assert (cell.without_disputed.mean, cell.without_disputed.questions) == (0.0, 1)
    assert [(r.question, r.kind, r.in_fragile) for r in found.annotations] == [
        ("q1", "disputed gold", True),
        ("q2", "note", False),
    ]


def test_an_anchor_needs_a_partner_that_is_named(report):
    runs = [(labels("a"), letters("CI")), (labels("hf", cell="hf", role=StudyRole.ANCHOR), letters("CC"))]
    found = report(*runs)
    assert found.anchor is None
    assert "hf is compared with no run" in text_of(found, "no-partner")


def test_an_anchor_against_a_run_that_was_asked_for(report):
    runs = [(labels("a"), letters("CI?")), (labels("hf", cell="hf", role=StudyRole.ANCHOR), letters("CCC"))]
    found = report(*runs, partner="a")
    assert (found.anchor.flips, found.anchor.of, found.anchor.gains) == (1, 2, 1)
    assert (found.anchor.in_fragile, found.anchor.others) == (None, ())  # no cell repeats, so nobody knows what is fragile
    assert (found.anchor.partner, found.anchor.partner_named_by) == ("a", "asked for")


def test_a_partner_that_is_not_there_is_a_usage_error(report):
    with pytest.raises(UsageError, match="no complete run 'z'"):
        report((labels("a"), letters("C")), partner="z")


def test_a_study_without_a_grid_run_has_a_report(report):
    found = report((labels("p", role=StudyRole.PROBE), letters("C")), (labels("p2", role=StudyRole.PROBE), letters("C")))
    assert (found.cells, found.cross_cell, found.arms, found.verdict_map.rows) == ((), (), (), ())
    assert found.probe.passes == 2
    assert found.fragile_set.count is None
    assert report_sections(found)


def test_two_passes_of_one_process_are_a_probe_and_a_pair_of_their_own_kind(report):
    passes = [
        (labels(f"p{i}", role=StudyRole.PROBE, repeat=i, deployment="p"), [ids("1"), ids("2", question="q2")]) for i in (0, 1)
    ]
    found = report(*passes)
    assert (found.probe.identical, found.probe.of) == (2, 2)
    assert [pair.kind for pair in found.pairs] == ["same-process"]


def step(*candidates):
    return tuple(TokenLogprob(token_id=ord(t), logprob=p, rank=None) for t, p in candidates)


def captured(text, *steps, **known):
    return ids(text, topk=steps, topk_source=known.pop("source", "decode"), **known)


def test_near_ties_by_hand(report):
    # both start with x, gap 1.0 | 0.5; then A prefers 1 by 0.125 and B prefers 2 by 0.25
    a = captured("x1", step(("x", -0.5), ("y", -1.5)), step(("1", -1.0), ("2", -1.125)))
    b = captured("x2", step(("x", -0.5), ("y", -1.0)), step(("1", -1.25), ("2", -1.0)))
    found = report((labels("a"), [a]), (labels("b", repeat=1), [b]))
    (ties,) = found.near_ties
    s = ties.summary
    assert (ties.a, ties.b, ties.run_pairs, ties.questions, s.divergences) == ("cell", "cell", 1, 1, 1)
    assert (s.classes, s.swing, s.earlier_change) == ({"near-tie": 1}, 0.375, 0.5)


def test_replayed_values_are_never_near_ties(report):
    steps = (step(("1", -0.5), ("2", -1.5)),)
    runs = [
        (labels("a"), [captured("1", *steps, source="replayed")]),
        (labels("b", repeat=1), [captured("2", *steps, source="replayed")]),
    ]
    assert report(*runs).near_ties == ()


def test_a_comparison_names_the_questions_that_are_not_noise(study):
    # q1 stable and different, q2 split in A, q3 wrong in both with other answers, q4 equal
    texts = {"A": ("1", "1", "5", "1"), "B": ("2", "1", "6", "1")}
    flipped = {"A": {1: "2"}, "B": {}}
    runs = []
    for cell, row in texts.items():
        for repeat in (0, 1):
            said = [flipped[cell].get(i, text) if repeat else text for i, text in enumerate(row)]
            runs.append(
                (
                    labels(f"{cell}{repeat}", cell=cell, repeat=repeat),
                    [ids(t, question=f"q{i + 1}") for i, t in enumerate(said)],
                )
            )
    environments = {
        run: unknown_environment("not said", driver="550" if run.startswith("A") else "560") for run in ("A0", "A1", "B0", "B1")
    }
    warehouse, scope = study(*runs, environments=environments)
    found = compare_cells(warehouse, scope, "A", "B", Asked(METHOD_CONVENTIONS, None, None))
    assert [(q.question, q.layer, q.answer_a, q.answer_b, q.right) for q in found.not_noise] == [
        ("q1", "verdict", "1", "2", "a"),
        ("q3", "answer", "5", "6", "neither"),
    ]
    assert [(line.between, line.pairs, line.flips, line.flips_of) for line in found.strip] == [
        ("a–a", 1, 1, 4),
        ("a–b", 4, 4 + 2, 16),
        ("b–b", 1, 0, 4),
    ]
    (field,) = found.environment.differing
    assert (field.field, field.group, field.state) == ("driver", "declared", "differs")
    assert [(v.value, v.deployments) for v in field.b] == [("560", ("B0", "B1"))]
    assert found.environment.unknown
    assert found.sentence.startswith("B − A = −12.50 pt on 4 questions, unresolved: MDE")
    assert all(section.header for section in compare_sections(found))
    back = compare_cells(warehouse, scope, "B", "A", Asked(METHOD_CONVENTIONS, None, None))
    assert back.between.difference.value == -found.between.difference.value
    assert (back.between.difference.p, back.between.difference.p_holm) == (
        found.between.difference.p,
        found.between.difference.p_holm,
    )
    assert found.between.difference.p_holm is not None
    with pytest.raises(UsageError, match="Its cells: 'A', 'B'"):
        compare_cells(warehouse, scope, "A", "nope", Asked(METHOD_CONVENTIONS, None, None))
    with pytest.raises(UsageError, match="compared with itself"):
        compare_cells(warehouse, scope, "A", "A", Asked(METHOD_CONVENTIONS, None, None))


def test_pairs_of_one_kind(study):
    warehouse, scope = study(*two_cells())
    everything = study_pairs(warehouse, scope, None)
    assert {kind.kind: kind.pairs for kind in everything.kinds} == {"fresh–fresh": 6, "cross-arm": 9}
    assert len(everything.pairs) == 15


def test_a_question_with_its_classes_and_where_they_part(study):
    a = captured("x1", step(("x", -0.5), ("y", -1.5)), step(("1", -1.0), ("2", -1.125)))
    b = captured("x2", step(("x", -0.5), ("y", -1.0)), step(("1", -1.25), ("2", -1.0)))
    warehouse, scope = study((labels("a"), [a]), (labels("b", repeat=1), [b]), (labels("c", repeat=2), [a]))
    found = question_report(warehouse, scope, "q1", None, (("note", "look", "me"),))
    (parted,) = found.divergences
    assert (parted.run_a, parted.run_b, parted.at, parted.gap_a, parted.gap_b, parted.swing) == (
        "a",
        "b",
        1,
        0.125,
        0.25,
        0.375,
    )
    assert [(cell.correct, cell.scored, cell.unstable) for cell in found.cells] == [(2, 3, True)]
    assert found.fragile
    assert (
        question_head(found)
        == "q1: gold 1, 2 token classes, 2 answers in 3 records, in the fragile set; scored by answer-line@1"
    )


def test_a_run_of_a_later_pass_keeps_its_name(study):
    runs = [(labels(f"p{i}", role=StudyRole.PROBE, repeat=i, deployment="p"), [ids("1", pass_index=i)]) for i in (0, 1)]
    warehouse, scope = study(*runs)
    found = question_report(warehouse, scope, "q1", None, ())
    assert [record.run for record in found.records] == ["p0", "p1"]


def test_a_question_outside_the_set_has_no_cell(study):
    declared = (Question("q1", "1", None, None),)
    warehouse, scope = study((labels("a"), [ids("1"), ids("1", question="x9")]), questions=declared)
    found = question_report(warehouse, scope, "x9", None, ())
    assert (found.cells, found.divergences, found.fragile, found.position) == ((), (), None, 0)


def test_every_interval_says_its_target_its_method_and_what_it_assumes(bundled_store):
    warehouse = open_warehouse(Store(bundled_store).warehouse)
    found = study_report(warehouse, resolve(warehouse, "published", None, None), Asked(METHOD_CONVENTIONS, None, None), ())
    warehouse.close()
    assert isinstance(found.cells[0], Cell)
    intervals = [
        i for cell in found.cells for i in (cell.flips.ci, cell.flips.ci_runs, cell.identity.ci, cell.identity_text.ci)
    ]
    intervals += [i for pair in found.cross_cell for i in (pair.excess_ci, pair.difference.ci_fixed, pair.difference.ci_new)]
    known = [i for i in intervals if i is not None]
    assert len(known) > 40
    assert all(i.target in ("fixed questions", "new questions") and i.method and i.assumes and i.level == 0.95 for i in known)
    assert all(z.next_differs.assumes and z.next_differs.target for cell in found.cells for z in cell.zero_events)


def test_equal_ids_are_equal_whatever_a_record_knows_of_stops(report):
    runs = [(labels("a"), [answered("q1", "1", output_token_ids=(5, 2), **SAME)])]
    runs += [(labels("b", repeat=1), [answered("q1", "1", output_token_ids=(5, 2), stop_token_id=2, **SAME)])]
    runs += [(labels("c", repeat=2), [answered("q1", "1", output_token_ids=(5,), **SAME)])]
    found = report(*runs)
    assert (found.cells[0].identity.identical, found.cells[0].identity.of) == (3, 3)


def test_runs_that_differ_in_any_field_are_no_copies(report):
    runs = [
        (labels("a"), [answered("q1", "1", temperature=0.0)]),
        (labels("b", repeat=1), [answered("q1", "1", temperature=0.5)]),
    ]
    assert "bit-identical" not in kinds(report(*runs))


def test_a_run_is_the_first_pass_and_sample_that_it_has(report):
    mixed = [answered("q1", "1", pass_index=0, sample_index=1), answered("q2", "1", pass_index=1, sample_index=0)]
    found = report((labels("a"), mixed), (labels("b", repeat=1), letters("CC")))
    assert [(run.correct, run.of) for run in found.cells[0].accuracy.per_run] == [(1, 1), (1, 1)]
    assert "left out, a run being one pass: a: 1" in text_of(found, "shared-deployment")


def test_an_older_generation_knows_nothing_of_later_golds(study, tmp_path):
    study((labels("a"), letters("C")))
    warehouse, _ = study((labels("b", repeat=1), letters("C", gold="2")))
    asked = Asked(METHOD_CONVENTIONS, None, None)
    then, now = (study_report(warehouse, resolve(warehouse, "s", at, None), asked, ()) for at in (1, 2))
    assert ("gold-differs" in kinds(then), "gold-differs" in kinds(now)) == (False, True)


def test_captures_without_token_ids_are_no_near_ties(report):
    steps = (step(("1", -0.5), ("2", -1.5)),)
    runs = [(labels(f"r{i}", repeat=i), [answered("q1", str(i), topk=steps, topk_source="decode")]) for i in (1, 2)]
    assert report(*runs).near_ties == ()


def test_fragile_or_not_is_unknown_where_no_cell_repeats(study):
    warehouse, scope = study((labels("a"), [ids("1")]))
    found = question_report(warehouse, scope, "q1", None, ())
    assert found.fragile is None
    assert "fragile or not is unknown" in question_head(found)


def test_one_long_output_does_not_widen_all_others(report, monkeypatch):
    widest = []
    real = token_rows

    def watched(outputs):
        rows = real(outputs)
        widest.append(rows.size)
        return rows

    monkeypatch.setattr("store.results.study.token_rows", watched)
    monkeypatch.setattr("store.results.study.BUDGET", 5_000)
    long = "7" * 4_000
    a = [ids(f"a{i}", question=f"q{i}") for i in range(300)] + [ids(long, question="q300")]
    b = [ids(f"b{i}", question=f"q{i}") for i in range(300)] + [ids(long + "1", question="q300")]
    found = report((labels("a"), a), (labels("b", repeat=1), b))
    assert found.cells[0].first_divergence.diverged == 301
    assert max(widest) <= 2 * 5_000
    assert len(widest) == 2


def test_a_study_without_cells_says_why(report):
    found = report((labels("p", role=StudyRole.PROBE), letters("C")))
    assert "has the role grid" in text_of(found, "no-cells")


def test_a_grid_cell_that_loaded_its_cache_is_named(report):
    loaded = {run: unknown_environment("not said", cache_role="loaded", cache_parent="z") for run in ("a", "b")}
    found = report((labels("a"), letters("C")), (labels("b", repeat=1), letters("C")), environments=loaded)
    assert "2 of 2 deployments loaded a kernel cache and are no fresh repeats: a, b" in text_of(found, "not-fresh")
    assert found.pairs[0].kind == "loader–loader"


def test_a_deployment_in_two_cells_is_named(report):
    found = report((labels("a", cell="A", deployment="d"), letters("C")), (labels("b", cell="B", deployment="d"), letters("C")))
    assert any("several cells" in finding.text for finding in found.findings)


def test_unscored_records_have_a_second_accuracy_in_the_table(report):
    found = report((labels("a"), letters("C?CC")), (labels("b", repeat=1), letters("CCCC")))
    assert "87.50 % with unscored as incorrect" in cell_sections(found)[0].rows[0][2]
