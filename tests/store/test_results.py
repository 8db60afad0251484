"""Which runs make up a cell, and what is said beside the numbers."""

import pytest

from store.contract.run import StudyRole
from store.errors import UnknownStudyError, UsageError
from store.results.cells import study_cells
from store.results.order import natural
from store.results.printing import fraction, percent, points
from store.results.question import output, question_result
from store.results.scope import resolve
from store.sealed.rows import Question
from tests.builders import answered, labels


def two(right="1"):
    return [answered("q1", right), answered("q2", "2")]


def test_only_grid_runs_enter_cells(study):
    roles = [StudyRole.GRID, StudyRole.PROBE, StudyRole.BUILDER, StudyRole.LOADER, StudyRole.ANCHOR]
    warehouse, scope = study(*((labels(role.value, role=role), two()) for role in roles))
    found = study_cells(warehouse, scope)
    assert [[run.run for run in cell.accuracy.per_run] for cell in found.cells] == [["grid"]]


def test_two_passes_of_one_deployment_are_one_repeat(study):
    runs = [(labels("a", deployment="d"), two()), (labels("b", repeat=1, deployment="d"), two("0"))]
    found = study_cells(*study(*runs))
    assert found.cells[0].deployments == 1
    assert found.cells[0].accuracy.sd is None
    assert [(f.kind, f.items) for f in found.findings] == [("shared-deployment", ("b",))]


def test_a_quarantined_run_is_counted_nowhere_and_named(study):
    conflicting = [answered("q1", "1"), answered("q1", "2"), answered("q2", "2")]
    found = study_cells(*study((labels("good"), two()), (labels("bad", repeat=1), conflicting)))
    assert [run.run for run in found.cells[0].accuracy.per_run] == ["good"]
    assert [(f.kind, f.items) for f in found.findings] == [("quarantined", ("bad",))]
    assert "conflicting duplicates on q1" in found.findings[0].text


def test_a_run_with_fewer_questions_says_so_and_lowers_the_base(study):
    found = study_cells(*study((labels("a"), two()), (labels("b", repeat=1), two()[:1])))
    assert [(r.correct, r.of) for r in found.cells[0].accuracy.per_run] == [(1, 1), (1, 1)]
    assert [f.text for f in found.findings] == ["cell: on 1 of 2 common questions; b has 1 of 2"]


def test_golds_that_differ_between_runs_are_a_finding_and_each_record_keeps_its_own(study):
    found = study_cells(*study((labels("a"), [answered("q1", "1")]), (labels("b", repeat=1), [answered("q1", "1", gold="2")])))
    assert [r.correct for r in found.cells[0].accuracy.per_run] == [1, 0]
    assert [(f.kind, f.items) for f in found.findings] == [("gold-differs", ("q1",))]


def test_cells_stand_in_the_order_people_count(study):
    found = study_cells(*study(*((labels(f"r{n}", cell=f"cap{n}"), two()) for n in (32, 8, 1))))
    assert [cell.cell for cell in found.cells] == ["cap1", "cap8", "cap32"]
    assert sorted(["q10", "q9", "Q1", "q01"], key=natural) == ["Q1", "q01", "q9", "q10"]


def test_a_question_knows_its_neighbours_its_classes_and_its_outputs(study):
    warehouse, scope = study((labels("a"), two()), (labels("b", repeat=1), two("0")))
    found = question_result(warehouse, scope, "q1")
    assert (found.position, found.of, found.previous, found.following) == (1, 2, None, "q2")
    assert [one.runs for one in found.classes("text").classes] == [("a",), ("b",)]
    assert found.best_layer == "text"
    assert found.classes("tokens").unknown == ("a", "b")
    assert output(warehouse, scope, found.records[1]).raw_text == "0"
    with pytest.raises(UsageError, match="has no question 'q9'.*It has 2 from q1 to q2"):
        question_result(warehouse, scope, "q9")


def test_what_is_asked_for_and_not_there_is_named(study):
    warehouse, scope = study((labels("a"), two()))
    with pytest.raises(UnknownStudyError, match="Studies held: s"):
        resolve(warehouse, "nope", None, None)
    with pytest.raises(UsageError, match="Extractors here: answer-line@1"):
        resolve(warehouse, "s", None, "nope@1")
    with pytest.raises(UsageError, match="first ingested at generation 1"):
        resolve(warehouse, "s", 0, None)
    with pytest.raises(UsageError, match="this store is at generation 1, generation 99 was asked for"):
        resolve(warehouse, "s", 99, None)
    assert resolve(warehouse, "s", 1, None) == scope


def test_numbers_are_rounded_half_to_even_and_nothing_is_a_dash():
    assert [percent(0.00125), percent(0.00135), percent(1.0), percent(None)] == ["0.12 %", "0.14 %", "100.00 %", "—"]
    assert points(0.0017) == "0.17 pt"
    assert fraction(1254, 1319) == "1,254 / 1,319"


def test_what_is_outside_the_declared_set_enters_no_count(study):
    declared = tuple(Question(f"q{i}", "1", None, None) for i in (1, 2))
    records = [answered("q1", "1"), answered("q2", "1", finish_reason="stop"), answered("x9", "1", finish_reason="length")]
    cell = study_cells(*study((labels("a"), records), questions=declared)).cells[0]
    assert (cell.records, cell.truncated, cell.end_unknown) == (2, 0, 1)


def test_a_run_is_its_first_pass_and_the_rest_is_named(study):
    # pass 0: q1 C, q2 I; pass 1: q2 without a text, q3 C. Pass 0 alone counts: 1 of 2 common with b's C, C
    mixed = [answered("q1", "1"), answered("q2", "2"), answered("q2", None, pass_index=1), answered("q3", "1", pass_index=1)]
    plain = [answered(f"q{i}", "1") for i in (1, 2, 3)]
    found = study_cells(*study((labels("a"), mixed), (labels("b", repeat=1), plain)))
    cell = found.cells[0]
    assert [(r.correct, r.of) for r in cell.accuracy.per_run] == [(1, 2), (2, 2)]
    assert (cell.records, cell.accuracy.unscored) == (5, 0)
    assert ("shared-deployment", ("a",)) in [(f.kind, f.items) for f in found.findings]
    assert "left out, a run being one pass: a: 2" in found.findings[0].text


def test_no_answer_is_one_of_the_answers_and_a_failed_request_is_none(study):
    texts = ["5", "no digits", None]
    found = study_cells(*study(*((labels(f"r{i}", repeat=i), [answered("q1", text)]) for i, text in enumerate(texts))))
    assert found.answers == (2,)
    assert found.outputs == (2,)


def test_outputs_are_counted_by_tokens_or_by_texts_and_never_by_both(study):
    known = {"tokenizer_digest": "tok", "input_ids_digest": "in"}
    every = [
        answered("q1", "same", output_token_ids=(5, 6, 2), **known),
        answered("q1", "same", output_token_ids=(5, 6), **known),
    ]
    runs = [(labels(f"r{i}", repeat=i), [record]) for i, record in enumerate(every)]
    assert study_cells(*study(*runs)).outputs == (2,)
    without = (labels("r2", repeat=2), [answered("q1", "same")])
    assert study_cells(*study(without)).outputs == (1,)  # one run has no tokens, so texts are counted
