"""Gates on studies small enough to count by hand, and on the bundled ones."""

import json
import re
from dataclasses import replace

import pytest
from pydantic import TypeAdapter, ValidationError

from store.analysis.decision import Outcome, Status
from store.contract.environment import unknown_environment
from store.contract.gates import GateSet
from store.contract.record import TokenLogprob
from store.contract.run import StudyRole
from store.errors import UsageError
from store.folder import Store
from store.results.gate.conditions import questions_digest
from store.results.gate.decide import decision_id, gate_decision
from store.results.gate.shape import Decision
from store.results.scope import resolve
from store.results.study import study_data
from store.warehouse.open import open_warehouse
from tests.builders import MAP, answered, labels, lines
from tests.command.test_command import flipbook

TOKENIZER, INPUTS = "files1:" + "0" * 64, "tok1:" + "1" * 64
LATER = unknown_environment("the test does not say", started_at="2026-02-01T00:00:00Z")
TOKENS = {"id": "g", "metric": "tokens", "questions": "all"}
CORRECT = {"id": "g", "metric": "all correct", "questions": "all"}
FOUND = {"id": "g", "metric": "answers found", "questions": "all"}
ACCURACY = {"id": "g", "metric": "accuracy", "questions": "all", "margin_points": 10.0, "alpha": 0.05, "power": 0.8}
LENGTH = {"id": "g", "metric": "output length", "questions": "all", "level": 0.95, "history_min": 8}
MATCHING = {"id": "g", "metric": "matching texts", "questions": "all", "pattern": "sorry", "level": 0.95, "history_min": 8}
LOGPROBS = {"id": "g", "metric": "log-probability error", "questions": "all", "at_most_nats": 0.5}
DIVERGENCE = {
    "id": "g", "metric": "first divergence", "questions": "all", "horizon_tokens": 3, "ratio_above": 0.8, "alpha": 0.05,
}  # fmt: skip


def gates(data, *found, **changes):
    """A gate set for baseline `old`, frozen long ago."""
    said = {
        "format": "flipbook-gates/1",
        "id": "set",
        "author": "a test",
        "reason": "a test",
        "frozen_at": "2026-01-01T00:00:00Z",
        "mode": "statistical",
        "target": "fixed questions",
        "extractor": "answer-line@1",
        "question_set": questions_digest(data),
        "baseline": "old",
        "incomplete_runs": "fail",
        "min_deployments": {"baseline": 1, "candidate": 1},
        "gates": found or (CORRECT,),
    }
    return GateSet.model_validate_json(json.dumps(said | changes))


def text(letter):
    return {"C": "The final answer is 1", "I": "The final answer is 2", "-": "sorry, I cannot", "x": None}[letter]


def told(letters, **known):
    """Records q0, q1, …: C correct, I incorrect, - no answer found, ? unscored, a dot missing."""
    return [
        answered(
            f"q{i}",
            text("C" if letter == "?" else letter),
            gold=None if letter == "?" else "1",
            category="even" if i % 2 == 0 else "odd",
            **known,
        )
        for i, letter in enumerate(letters)
        if letter != "."
    ]


def side(cell, *letters):
    """One deployment of a cell for each string of letters."""
    return [(labels(f"{cell}{i}", cell=cell, repeat=i), told(answers)) for i, answers in enumerate(letters)]


def loaded(study, *runs, **more):
    """The data of a study whose deployments all began after the gates were frozen."""
    environments = {head.deployment_id: LATER for head, _ in runs} | more.pop("environments", {})
    return study_data(*study(*runs, environments=environments, **more))


def judged(data, *found, candidate="new", **changes):
    return gate_decision(data, gates(data, *found, **changes), candidate)


def only(found):
    (gate,) = found.gates
    return gate


def condition(found, name):
    return next(one for one in found.conditions if one.gate == name)


def test_everything_right_is_a_release(study):
    found = judged(loaded(study, *side("old", "CCI", "CCI"), *side("new", "CCC", "CCC")), CORRECT, FOUND | {"id": "found"})
    assert (found.outcome, found.exit_code) == (Outcome.RELEASE_STATISTICAL_ONLY, 0)
    assert [gate.said for gate in found.gates] == [
        "3 / 3 questions correct in every candidate deployment (6 / 6 verdicts)",
        "answers found in 6 / 6 candidate records, 6 / 6 of the baseline; newly missing on 0 / 3 questions",
    ]
    assert found.sentence == "PASS: 2 of 2 gates passed, on statistical grounds only, outputs are not known to be equal"


def test_a_critical_question_that_one_deployment_misses_blocks_and_is_named(study):
    found = judged(loaded(study, *side("old", "CC"), *side("new", "CC", "CI")))
    gate = only(found)
    assert (found.outcome, gate.status, gate.count, gate.of) == (Outcome.BLOCK, Status.FAIL, 3, 4)
    assert [(c.question, c.runs, c.said) for c in gate.culprits] == [
        ("q1", ("new1",), "incorrect in 1 of 2; the baseline is correct in 1 of 1")
    ]


def test_unscored_and_missing_are_failures_of_a_critical_question_and_of_the_records(study):
    found = judged(loaded(study, *side("old", "CCC"), *side("new", "C?C", "CC.")))
    gate = only(found)
    assert [(c.question, c.said) for c in gate.culprits] == [
        ("q1", "unscored in 1 of 2; the baseline is correct in 1 of 1"),
        ("q2", "missing in 1 of 2; the baseline is correct in 1 of 1"),
    ]
    records = condition(found, "records")
    assert records.status is Status.FAIL
    assert [(c.question, c.runs, c.said) for c in records.culprits] == [
        ("q2", ("new1",), "missing"),
        ("q1", ("new0",), "unscored"),
    ]
    assert (
        records.said
        == "baseline: 3 / 3 records scored, 0 outputs truncated; candidate: 4 / 6 records scored, 0 outputs truncated, missing (listed: 1), unscored (listed: 1)"
    )


def test_a_fault_of_the_baseline_is_no_fault_of_the_candidate(study):
    found = judged(loaded(study, *side("old", "C.", "CC"), *side("new", "CC")))
    assert (found.outcome, condition(found, "records").status) == (Outcome.NOT_EVALUABLE, Status.NOT_EVALUABLE)


def test_an_equal_duplicate_blocks(study):
    runs = [*side("old", "CC"), *side("new", "CC")]
    runs[1][1].append(runs[1][1][0])
    found = judged(loaded(study, *runs))
    assert [(c.runs, c.said) for c in condition(found, "records").culprits] == [(("new0",), "1 equal duplicate")]
    assert found.outcome is Outcome.BLOCK


def test_a_quarantined_run_of_the_candidate_blocks(study):
    runs = [*side("old", "CC"), *side("new", "CC", "CC")]
    runs[2][1].append(answered("q0", "The final answer is 7", gold="1", category="even"))
    found = judged(loaded(study, *runs))
    (culprit, *_) = condition(found, "records").culprits
    assert culprit.runs == ("new1",)
    assert "quarantined" in culprit.said
    assert found.candidate.left_out == ("new1",)
    assert found.outcome is Outcome.BLOCK


@pytest.mark.parametrize(
    ("started", "status"),
    [
        ("2026-01-01T00:00:01Z", Status.PASS),
        ("2026-01-01T00:00:00Z", Status.NOT_EVALUABLE),
        (None, Status.NOT_EVALUABLE),
        ("yesterday", Status.NOT_EVALUABLE),
    ],
)
def test_gates_are_frozen_before_the_candidate_began_or_decide_nothing(study, started, status):
    known = {} if started is None else {"started_at": started}
    data = loaded(study, *side("old", "C"), *side("new", "I"), environments={"new0": unknown_environment("a test", **known)})
    found = judged(data)
    assert condition(found, "frozen-in-time").status is status
    assert found.outcome is (Outcome.BLOCK if status is Status.PASS else Outcome.NOT_EVALUABLE)
    assert only(found).status is Status.FAIL  # what the gates would say is said all the same


def test_the_first_request_tells_when_a_deployment_began_where_nothing_else_does(study):
    runs = [*side("old", "C"), (labels("new0", cell="new"), told("C", arrival_unix_s=1_767_225_601.0))]  # one second into 2026
    found = judged(study_data(*study(*runs)))
    assert found.candidate.started == ("2026-01-01T00:00:01+00:00",)
    assert condition(found, "frozen-in-time").status is Status.PASS


def test_other_questions_are_not_those_the_gates_were_frozen_for(study):
    data = loaded(study, *side("old", "C"), *side("new", "C"))
    found = judged(data, question_set="qs1:" + "0" * 64)
    assert found.outcome is Outcome.NOT_EVALUABLE
    assert questions_digest(data) in condition(found, "question-set").culprits[0].said


def test_too_few_deployments_leave_it_open(study):
    found = judged(loaded(study, *side("old", "C"), *side("new", "C")), min_deployments={"baseline": 1, "candidate": 2})
    assert (found.outcome, found.exit_code) == (Outcome.NEED_MORE_REPEATS, 3)
    assert condition(found, "deployments").said == "baseline 1, candidate 1"


def test_a_gate_on_questions_that_are_gone_is_no_pass(study):
    data = loaded(study, *side("old", "CI"), *side("new", "CI"))
    for wanted, said in (
        ({"ids": ["q0", "q7", "q8"]}, "the question set has no question 'q7', nor 1 other it names"),
        ({"categories": ["even", "critical"]}, "the question set has no category 'critical'"),
    ):
        found = judged(data, CORRECT | {"questions": wanted})
        assert (only(found).status, only(found).said) == (Status.NOT_EVALUABLE, said)
    assert only(judged(data, CORRECT | {"questions": {"categories": ["even"]}})).status is Status.PASS
    assert only(judged(data, CORRECT | {"questions": {"ids": ["q1"]}})).questions == 1


def test_accuracy_passes_fails_or_says_what_would_settle_it(study):
    # 40 questions; Welch needs spread: old 20, 21, 20 right
    old = side("old", "C" * 20 + "I" * 20, "C" * 21 + "I" * 19, "C" * 20 + "I" * 20)
    counts = {"good": (20, 21, 21), "bad": (10, 11, 10), "open": (18, 14, 18)}
    new = [run for cell, rights in counts.items() for run in side(cell, *("C" * n + "I" * (40 - n) for n in rights))]
    data = loaded(study, *old, *new)
    found = {cell: only(judged(data, ACCURACY, candidate=cell)) for cell in counts}
    assert [gate.status for gate in found.values()] == [Status.PASS, Status.FAIL, Status.INCONCLUSIVE]
    for cell, gate in found.items():
        assert f"{sum(counts[cell]):,} / 120 correct against 61 / 120" in gate.said
        assert ("there are 3 and 3" in gate.said) == (cell == "open")
    near = only(judged(data, ACCURACY | {"margin_points": 2.0}, candidate="open"))
    assert re.search(
        r"if both are equally good, \d+ deployments per side settle it with a power of 0.8; there are 3 and 3", near.said
    )
    (first, *_) = found["bad"].culprits
    assert (first.question, first.said) == ("q11", "correct in 0 / 3 candidate deployments, 3 / 3 of the baseline")


def test_accuracy_on_part_of_the_questions_cannot_pass(study):
    runs = [*side("old", "CC?C", "CCCC"), *side("new", "CCCC", "CCCC")]
    gate = only(judged(loaded(study, *runs), ACCURACY | {"margin_points": 99.0}))
    assert gate.status is Status.NOT_EVALUABLE
    assert "on 3 of 4 questions" in gate.said


def test_an_answer_newly_missing_blocks_though_none_is_fewer(study):
    found = judged(loaded(study, *side("old", "CC-", "CC-"), *side("new", "C-C", "C-C")), FOUND)
    assert only(found).status is Status.FAIL
    assert [(c.question, c.said) for c in only(found).culprits] == [
        ("q1", "answer found in 0 / 2 candidate deployments, 2 / 2 of the baseline")
    ]


def tokens(question, ids, logprobs=None, **known):
    known = {"output_token_ids": tuple(ids), "tokenizer_digest": TOKENIZER, "input_ids_digest": INPUTS} | known
    steps = (
        None
        if logprobs is None
        else tuple(tuple(TokenLogprob(token_id=t, logprob=v, rank=None) for t, v in step.items()) for step in logprobs)
    )
    return answered(question, "The final answer is 1", topk=steps, topk_source="decode" if steps else None, **known)


def outputs(cell, *runs, **known):
    """One deployment for each list of token id lists."""
    return [
        (labels(f"{cell}{i}", cell=cell, repeat=i), [tokens(f"q{q}", ids, **known) for q, ids in enumerate(run)])
        for i, run in enumerate(runs)
    ]


def test_equal_tokens_release_and_say_what_equality_is_worth(study):
    data = loaded(study, *outputs("old", [[1, 2]]), *outputs("new", [[1, 2]], [[1, 2]]))
    found = judged(data, TOKENS, mode="token exact")
    assert found.outcome is Outcome.RELEASE
    assert (found.identical, found.identical_of) == (2, 2)
    assert "0 / 2 comparable pair-questions differ" in only(found).said
    assert "with a chance of up to 78 %" in only(found).said  # 1 − 0.05^(1/2) = 0.776


def test_a_differing_token_blocks_with_its_place(study):
    data = loaded(study, *outputs("old", [[1, 2], [5]]), *outputs("new", [[1, 9], [5]], [[1, 2], [5]]))
    gate = only(judged(data, TOKENS))
    assert (gate.status, gate.count, gate.of) == (Status.FAIL, 1, 4)
    assert [(c.question, c.runs, c.said) for c in gate.culprits] == [
        ("q0", ("new0",), "differs in 1 / 2 pairs, first at token 1")
    ]


def test_another_prompt_blocks_and_unknown_tokens_are_no_pass(study):
    other = loaded(study, *outputs("old", [[1]]), *outputs("new", [[1]], input_ids_digest="tok1:" + "2" * 64))
    assert only(judged(other, TOKENS)).culprits[0].said == "differs in 1 / 1 pairs, in prompt or tokenizer"


def test_tokens_that_nobody_recorded_are_no_pass(study):
    gate = only(judged(loaded(study, *side("old", "C"), *side("new", "C")), TOKENS))
    assert (gate.status, gate.said) == (
        Status.NOT_EVALUABLE,
        "0 / 0 comparable pair-questions differ in tokens; 1 cannot be compared",
    )


def test_log_probabilities_are_held_to_their_limit(study):
    old = outputs("old", [[1, 2]], logprobs=[{1: -0.1, 3: -2.0}, {2: -0.2, 3: -2.0}])
    near = outputs("new", [[1, 2]], logprobs=[{1: -0.2, 3: -2.4}, {2: -0.2, 3: -2.5}])
    data = loaded(study, *old, *near)
    assert only(judged(data, LOGPROBS)).status is Status.PASS  # exactly 0.5 is not more than 0.5
    gate = only(judged(data, LOGPROBS | {"at_most_nats": 0.45}))
    assert (gate.status, gate.value) == (Status.FAIL, pytest.approx(0.5))
    assert [(c.question, c.said) for c in gate.culprits] == [("q0", "0.5 nats at token 1")]


def test_log_probabilities_in_part_are_no_pass(study):
    old = outputs("old", [[1], [2]], logprobs=[{1: -0.1, 2: -2.0}])
    new = outputs("new", [[1], [2]], logprobs=[{1: -0.1, 2: -2.0}])
    new[0][1][1] = tokens("q1", [2])
    gate = only(judged(loaded(study, *old, *new), LOGPROBS))
    assert gate.status is Status.NOT_EVALUABLE
    assert "1 of 2 pair-questions are not known whole" in gate.said


def test_length_is_held_against_eight_deployments_and_more(study):
    old = outputs("old", *([[*range(10 + i % 3)], [*range(12)]] for i in range(8)))
    inside, outside = ([[*range(n)], [*range(12)]] for n in (11, 30))
    data = loaded(study, *old, *outputs("new", inside, outside))
    gate = only(judged(data, LENGTH))
    # means of the baseline: 11, 11.5, 12, 11, 11.5, 12, 11, 11.5; the candidates' are 11.5 and 21
    assert gate.status is Status.FAIL
    assert gate.value == 21
    assert [(c.question, c.runs, c.said) for c in gate.culprits] == [(None, ("new1",), "21.00, outside")]
    assert "1 of 2 candidate deployments outside" in gate.said
    few = only(judged(data, LENGTH | {"history_min": 9}))
    assert (few.status, few.said) == (Status.INCONCLUSIVE, "needs ≥ 9 baseline deployments, there are 8")


def test_refusals_are_a_pattern_counted_per_deployment(study):
    data = loaded(study, *side("old", *(["CCCC", "CCC-"] * 4)), *side("new", "CC-C"), *side("refusing", "----"))
    for cell, share, status in (("new", 0.25, Status.PASS), ("refusing", 1.0, Status.FAIL)):
        gate = only(judged(data, MATCHING, candidate=cell))
        assert (gate.status, gate.value, gate.unit) == (status, share, "share")


def test_a_pattern_that_is_none_is_an_error_and_not_a_verdict(study):
    data = loaded(study, *side("old", "C"), *side("new", "C"))
    with pytest.raises(UsageError, match="no regular expression"):
        judged(data, MATCHING | {"pattern": "(?=x)"})


def test_first_divergence_needs_a_baseline_that_can_differ_from_itself(study):
    same = [[1, 2, 3, 4], [5, 6, 7, 8]]
    many = loaded(study, *outputs("old", same, same, same), *outputs("new", same, same), *outputs("single", same))
    assert only(judged(many, DIVERGENCE, baseline="single")).status is Status.INCONCLUSIVE
    # nothing parted: the variance is that of the limit, 0.8·0.2/2, so the lower bound is 1 − 1.645·sqrt(0.08) = 0.5348
    gate = only(judged(many, DIVERGENCE))
    assert (gate.status, gate.value, round(gate.bounds.low, 4)) == (Status.INCONCLUSIVE, 1.0, 0.5348)
    assert only(judged(many, DIVERGENCE | {"ratio_above": 0.2})).status is Status.PASS
    far = only(judged(many, DIVERGENCE | {"horizon_tokens": 9}))
    assert (far.status, far.said) == (
        Status.NOT_EVALUABLE,
        "no pair-question is watched up to token 9; the last equal ones end at 4",
    )


def test_a_candidate_that_has_parted_everywhere_before_the_horizon_fails(study):
    same, other = [[1, 2, 3, 4], [5, 6, 7, 8]], [[1, 9, 3, 4], [5, 9, 7, 8]]
    data = loaded(study, *outputs("old", same, same, same), *outputs("new", other, other))
    gate = only(judged(data, DIVERGENCE | {"horizon_tokens": 4, "ratio_above": 0.999}))
    assert (gate.status, gate.value) == (Status.FAIL, 0.25)
    assert "1.0 tokens" in gate.said


def test_parting_sooner_fails_and_names_the_questions(study):
    same, early = [[1, 2, 3, 4], [5, 6, 7, 8]], [[9, 2, 3, 4], [5, 6, 7, 8]]
    data = loaded(study, *outputs("old", same, same, same), *outputs("new", early, early))
    gate = only(judged(data, DIVERGENCE))
    # q0 parts at 0 in all six pairs, q1 never: the mean up to 3 is 1.5 against 3
    assert (gate.value, [c.question for c in gate.culprits]) == (0.5, ["q0"])
    assert gate.culprits[0].said == "equal for 0.0 tokens on average, 3.0 within the baseline"


def test_the_same_records_give_the_same_bytes_and_another_candidate_others(study):
    data = loaded(study, *side("old", "CC", "CI"), *side("new", "CC", "CC"), *side("other", "CC", "CC"))
    first, again = (gate_decision(data, gates(data, CORRECT, ACCURACY | {"id": "a"}), "new") for _ in range(2))
    assert TypeAdapter(Decision).dump_json(first) == TypeAdapter(Decision).dump_json(again)
    assert decision_id(first) == decision_id(again)
    assert decision_id(first) != decision_id(gate_decision(data, gates(data, CORRECT, ACCURACY | {"id": "a"}), "other"))
    json.loads(TypeAdapter(Decision).dump_json(first))


def test_a_side_that_is_not_there_or_is_its_own_baseline_is_an_error(study):
    data = loaded(study, *side("old", "C"), *side("new", "C"))
    with pytest.raises(UsageError, match="has no cell 'newer'"):
        gate_decision(data, gates(data), "newer")
    with pytest.raises(UsageError, match="share 1 run"):
        gate_decision(data, gates(data), "old")
    with pytest.raises(UsageError, match=r"gates are for boxed@1, the study is scored by answer-line@1"):
        gate_decision(data, gates(data, extractor="boxed@1"), "new")


def test_only_grid_runs_are_judged(study):
    probe = (labels("p0", cell="new", repeat=9, role=StudyRole.PROBE), told("II"))
    found = judged(loaded(study, *side("old", "CC"), *side("new", "CC"), probe))
    assert (found.candidate.runs, found.outcome) == (("new0",), Outcome.RELEASE_STATISTICAL_ONLY)


@pytest.mark.parametrize(("target", "low"), [("fixed questions", -0.03), ("new questions", -0.39)])
def test_the_published_example_of_the_accuracy_gate(bundled_store, target, low):
    """BF16 cap32 → FP8 with a margin of 0.5 points: lower bounds −0.03 and −0.39 points, a pass under both targets."""
    warehouse = open_warehouse(bundled_store / "warehouse.duckdb")
    data = study_data(warehouse, resolve(warehouse, "published", None, "answer-line@1"))
    found = gate_decision(
        data, gates(data, ACCURACY | {"margin_points": 0.5}, baseline="BF16 cap32", target=target), "FP8 cap32"
    )
    gate = only(found)
    assert gate.status is Status.PASS
    assert round(gate.bounds.low, 2) == low
    assert gate.value == pytest.approx(100 * (6280 - 6271) / 6595)
    assert found.outcome is Outcome.NOT_EVALUABLE  # nobody recorded when these deployments began
    warehouse.close()


def test_a_refused_line_that_names_no_run_is_held_against_the_candidate_of_its_ingest(tmp_path):
    rows = [
        {"run": run, "cell": run[:3], "id": q, "text": "The final answer is 1", "gold": "1"}
        for run in ("old0", "new0")
        for q in ("q0", "q1")
    ]
    cells = MAP.replace('cell = { constant = "cell" }', 'cell = { column = "cell" }')
    (tmp_path / "map.toml").write_text(cells, encoding="utf-8")
    for name, found in (("a", rows[:2]), ("b", [*rows[2:], '{"id": "q0", "resp'])):
        table = lines(tmp_path / f"{name}.jsonl", *found)
        flipbook("ingest", table, "--study", "s", "--map", tmp_path / "map.toml", "--store", tmp_path / "store")
    warehouse = open_warehouse(Store(tmp_path / "store").warehouse)
    records = condition(judged(study_data(warehouse, resolve(warehouse, "s", None, None))), "records")
    assert (records.status, records.culprits[0].said) == (
        Status.FAIL,
        "1 refused line of b.jsonl without a run, the first is line 3",
    )
    warehouse.close()


def test_a_time_without_its_offset_or_no_time_at_all_is_no_start(study):
    said = {"new0": "2026-02-01T00:00:00", "new1": "9999-12-31T23:59:59-12:00"}
    environments = {run: unknown_environment("a test", started_at=at) for run, at in said.items()}
    found = judged(loaded(study, *side("old", "C"), *side("new", "C", "C"), environments=environments))
    assert found.candidate.started == (None, None)
    assert condition(found, "frozen-in-time").status is Status.NOT_EVALUABLE


def test_an_arrival_counts_only_where_every_record_has_one_and_is_a_time(study):
    part = told("CC", arrival_unix_s=1.8e9)
    part[0] = told("C")[0]
    runs = [
        *side("old", "CC"),
        (labels("new0", cell="new"), part),
        (labels("far0", cell="far"), told("CC", arrival_unix_s=1.8e12)),
    ]
    data = study_data(*study(*runs))
    for cell in ("new", "far"):
        assert judged(data, candidate=cell).candidate.started == (None,)


def test_a_candidate_of_which_nothing_can_be_counted_blocks(study):
    runs = [*side("old", "CC"), *side("new", "CC")]
    runs[1][1].append(answered("q0", "The final answer is 7", gold="1", category="even"))
    found = judged(loaded(study, *runs))
    assert (found.outcome, found.candidate.runs, found.candidate.left_out) == (Outcome.BLOCK, (), ("new0",))
    assert (only(found).status, only(found).said) == (Status.NOT_EVALUABLE, "no deployment of the candidate can be counted")


def test_a_stop_token_that_one_engine_returns_is_no_length(study):
    stop = {"stop_token_ids": (99,), "stop_token_id": 99}
    old = outputs("old", *([[[1, 2, 99], [3, 4, 5, 99]]] * 8), **stop)
    new = outputs("new", [[1, 2], [3, 4, 5]], **stop)
    data = loaded(study, *old, *new)
    assert only(judged(data, TOKENS)).status is Status.PASS
    assert (only(judged(data, LENGTH)).status, only(judged(data, LENGTH)).value) == (Status.PASS, 2.5)


def test_without_any_spread_another_length_is_open_and_not_failed(study):
    data = loaded(study, *outputs("old", *([[[1, 2]]] * 8)), *outputs("new", [[1, 2, 3]]))
    gate = only(judged(data, LENGTH))
    assert gate.status is Status.INCONCLUSIVE
    assert "All 8 baseline deployments have this value" in gate.said


def test_one_deployment_outside_fails_though_another_is_not_known(study):
    old = outputs("old", *([[*range(10 + i % 3)]] for i in range(8)))
    new = outputs("new", [[*range(500)]], [[*range(11)]])
    new[1][1][0] = answered("q0", "The final answer is 1")
    gate = only(judged(loaded(study, *old, *new), LENGTH))
    assert (gate.status, [c.runs for c in gate.culprits]) == (Status.FAIL, [("new0",)])
    assert "1 candidate deployment not known whole" in gate.said


def test_a_capture_that_stops_early_is_no_pass(study):
    three = [{1: -0.1, 2: -2.0}, {2: -0.1, 3: -2.0}, {3: -0.1, 4: -2.0}]
    data = loaded(study, *outputs("old", [[1, 2, 3]], logprobs=three), *outputs("new", [[1, 2, 3]], logprobs=three[:1]))
    assert only(judged(data, LOGPROBS)).status is Status.NOT_EVALUABLE


def test_a_baseline_that_lacks_records_cannot_show_that_answers_are_found_as_often(study):
    data = loaded(study, *side("old", "CCCC.", "CC-C."), *side("new", "CCCCC"))
    assert only(judged(data, FOUND)).status is Status.NOT_EVALUABLE


def test_fewer_answers_without_one_newly_missing_name_where_they_are_fewer(study):
    data = loaded(study, *side("old", "CC", "C-", "CC"), *side("new", "C-", "C-", "CC"))
    gate = only(judged(data, FOUND))
    assert gate.status is Status.FAIL
    assert [(c.question, c.runs, c.said) for c in gate.culprits] == [
        ("q1", ("new0", "new1"), "answer found in 1 / 3 candidate deployments, 2 / 3 of the baseline")
    ]


def test_equal_tokens_with_other_verdicts_are_an_alarm(study):
    old, new = outputs("old", [[1, 2]]), outputs("new", [[1, 2]])
    new[0][1][0] = new[0][1][0].model_copy(update={"answers": told("I")[0].answers})
    found = judged(loaded(study, *old, *new), TOKENS)
    (alarm,) = [finding for finding in found.findings if finding.kind == "equal-tokens-flip"]
    assert alarm.items == ("q0",)


def test_an_ingest_of_another_study_and_another_way_to_say_a_digest_change_no_decision(study):
    known = unknown_environment("a test", started_at="2026-02-01T00:00:00Z", engine="vllm")
    data = loaded(study, *side("old", "CC"), *side("new", "CC"), environments={"new0": known})
    digest = next(run.full_digest for run in data.runs if run.run_id == "new0")
    found = [gate_decision(data, gates(data), name) for name in (digest, digest[:13], digest[:20])]
    assert len({decision_id(one) for one in found}) == 1
    assert (found[1].candidate.name, found[1].candidate.label) == (digest, digest[:13])
    later = replace(found[0], as_of=found[0].as_of + 1)
    assert decision_id(later) == decision_id(found[0])


def test_a_gate_may_not_be_called_like_a_condition(study):
    data = loaded(study, *side("old", "C"), *side("new", "C"))
    with pytest.raises(ValidationError, match="'records' is the name of a condition"):
        gates(data, CORRECT | {"id": "records"})
