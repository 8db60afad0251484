"""The record contract: unknown is null with a reason, never absent, never silently filled in."""

import pytest
from pydantic import ValidationError

from store.contract.environment import EnvironmentRecord, unknown_environment
from store.contract.record import Answer, RequestRecord, UnscoredReason, Verdict
from store.contract.schema import MODELS, schema_text
from store.digests import tokens_digest
from store.results.schema import RESULTS, result_schema
from tests.builders import record
from tests.conftest import ROOT

ANSWER = {
    "extractor": "x@1", "extracted": None, "answer": None, "extraction_path": "none", "verdict": "incorrect",
    "unscored_reason": None, "span_start": None, "span_end": None,
}  # fmt: skip


def test_a_null_needs_a_reason():
    values = record().model_dump()
    values["null_reasons"].pop("gold")
    with pytest.raises(ValidationError, match="null without a reason in null_reasons: gold"):
        RequestRecord.model_validate(values)


def test_a_blank_reason_is_no_reason():
    values = record().model_dump()
    values["null_reasons"]["gold"] = "  "
    with pytest.raises(ValidationError, match="gold"):
        RequestRecord.model_validate(values)


def test_a_reason_for_a_value_that_is_known_is_refused():
    values = record(gold="1").model_dump()
    values["null_reasons"]["gold"] = "lost"
    with pytest.raises(ValidationError, match="not null"):
        RequestRecord.model_validate(values)


@pytest.mark.parametrize("model", [RequestRecord, EnvironmentRecord])
def test_no_field_may_be_left_out(model):
    full = record().model_dump() if model is RequestRecord else unknown_environment("x").model_dump()
    for name in model.model_fields:
        with pytest.raises(ValidationError):
            model.model_validate({key: value for key, value in full.items() if key != name})


def test_unknown_fields_and_nan_are_refused():
    values = record().model_dump()
    with pytest.raises(ValidationError, match="extra"):
        RequestRecord.model_validate(values | {"surprise": 1})
    values["null_reasons"].pop("temperature")
    with pytest.raises(ValidationError, match="finite"):
        RequestRecord.model_validate(values | {"temperature": float("nan")})


def test_records_are_immutable():
    with pytest.raises(ValidationError, match="frozen"):
        record().gold = "2"


def test_an_unscored_answer_says_why_and_no_other_does():
    with pytest.raises(ValidationError, match="unscored_reason"):
        Answer.model_validate(ANSWER | {"verdict": "unscored"})
    with pytest.raises(ValidationError, match="unscored_reason"):
        Answer.model_validate(ANSWER | {"unscored_reason": "gold missing"})
    assert {reason.value for reason in UnscoredReason} == {
        "request failed", "extractor crashed", "gold missing", "not scored by the harness",
    }  # fmt: skip
    assert {verdict.value for verdict in Verdict} == {"correct", "incorrect", "unscored"}


def test_one_extractor_answers_once():
    with pytest.raises(ValidationError, match="same extractor"):
        record(answers=(ANSWER, ANSWER))


def test_an_input_digest_must_follow_from_the_ids_but_may_stand_alone():
    assert record(input_ids_digest="declared").input_ids_digest == "declared"
    assert record(input_token_ids=(1, 2), input_ids_digest=tokens_digest([1, 2])).input_token_ids == (1, 2)
    with pytest.raises(ValidationError, match="does not follow"):
        record(input_token_ids=(1, 2), input_ids_digest="declared")


@pytest.mark.parametrize("name", MODELS)
def test_the_schema_in_docs_is_the_contract(name):
    written = (ROOT / "docs" / "schema" / name).read_text(encoding="utf-8")
    assert written == schema_text(MODELS[name]), "stale: run `python -m store.contract.schema docs/schema`"


@pytest.mark.parametrize("name", RESULTS)
def test_the_schema_of_every_result_is_fresh(name):
    written = (ROOT / "docs" / "schema" / name).read_text(encoding="utf-8")
    assert written == result_schema(name), "stale: run `python -m store.results.schema docs/schema`"
