"""Extractors: exact decimals, the answer-line rule, and when a record is scored at all."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from store.extractors.canonical import canonical, letter, number, word
from store.extractors.score import score
from store.extractors.shipped import ANSWER_LINE
from store.extractors.spec import ExtractorSpec, JsonFieldStep, RegexStep


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("12.00", "12"), ("12", "12"), ("$1,200", "1200"), ("1,200.50", "1200.5"), ("5.", "5"), ("+7", "7"), ("-0.0", "0"),
        ("0.10", "0.1"), (".5", "0.5"), (" 3 ", "3"), ("\u22128", "-8"), ("1e3", None), ("abc", None), ("", None),
        ("1.2.3", None),
        ("12345678901234567890.10", "12345678901234567890.1"), ("007", "7"), ("--3", None), ("1" * 5000, None),
    ],
)  # fmt: skip
def test_numbers_are_exact_decimals(raw, expected):
    assert number(raw) == expected


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**12), max_value=10**12))
def test_a_canonical_number_is_its_own_canonical_form(value):
    once = number(format(value, "f"))
    assert once is not None
    assert number(once) == once


@pytest.mark.parametrize(
    ("raw", "expected"), [("(A)", "A"), ("b", "B"), ("C.", "C"), (" ( d ) ", "D"), ("AB", None), ("", None)]
)
def test_letters(raw, expected):
    assert letter(raw) == expected


def test_words_fold_case_and_spaces():
    assert word("  Not  Sure. ") == "not sure"
    assert word("...") is None
    assert canonical("word", "YES") == "yes"


@pytest.mark.parametrize(
    ("text", "path", "answer"),
    [
        ("The final answer is 7", "regex", "7"),
        ("the final answer is 3. No: THE FINAL ANSWER IS $1,234.00.", "regex", "1234"),
        ("The final answer is: -8", "regex", "-8"),
        ("It costs 5, so 6 in all", "last_number", "6"),
        ("The final answer is unknown, perhaps 4", "last_number", "4"),
        ("no digits here", "none", None),
        ("", "none", None),
    ],
)
def test_answer_line_takes_the_last_line_else_the_last_number(text, path, answer):
    found = score(ANSWER_LINE, text, "0", "stop")
    assert (found.extraction_path, found.answer) == (path, answer)


def test_the_span_points_at_the_extracted_string():
    text = "First 1. The final answer is 1,000!"
    found = score(ANSWER_LINE, text, "1000", "stop")
    assert text[found.span_start : found.span_end] == found.extracted == "1,000"
    assert found.verdict == "correct"


@pytest.mark.parametrize(
    ("text", "gold", "finish", "verdict", "why"),
    [
        ("12.00", "12", "stop", "correct", None),
        ("13", "12", "stop", "incorrect", None),
        ("no digits", "12", "stop", "incorrect", None),  # no answer found in a finished output is incorrect
        ("12", "12", "length", "correct", None),  # cut off, scored as it stands
        ("12", "12", None, "correct", None),
        (None, "12", "stop", "unscored", "request failed"),
        ("12", "12", "error", "unscored", "request failed"),
        ("12", "12", "abort", "unscored", "request failed"),
        ("12", "12", "repetition", "unscored", "request failed"),
        ("12", None, "stop", "unscored", "gold missing"),
        (None, None, None, "unscored", "request failed"),
    ],
)
def test_what_is_scored_and_what_is_not(text, gold, finish, verdict, why):
    found = score(ANSWER_LINE, text, gold, finish)
    assert (found.verdict, found.unscored_reason) == (verdict, why)


def spec(*steps, canonical_form="word"):
    return ExtractorSpec(name="t@1", canonical=canonical_form, steps=steps)


def regex(pattern, which="last"):
    return RegexStep(kind="regex", path="p", pattern=pattern, which=which, ignore_case=False)


def test_first_and_last_match():
    text = "answer is Yes, no: answer is No"
    assert score(spec(regex("answer is (Yes|No)", "first")), text, "yes", None).verdict == "correct"
    assert score(spec(regex("answer is (Yes|No)", "last")), text, "no", None).verdict == "correct"


def test_a_group_that_took_no_part_finds_nothing():
    assert score(spec(regex("a(b)?")), "a", "b", None).extraction_path == "none"


def test_a_json_field_is_found_in_prose_and_in_a_fence_and_a_broken_object_finds_nothing():
    step = JsonFieldStep(kind="json-field", path="json", field="answer", pattern=r"(\d+)")
    fenced = 'Sure:\n```json\n{"reasoning": "a {b} 9", "answer": "42 apples"}\n```'
    found = score(spec(step), fenced, "42", None)
    assert (found.answer, found.extraction_path, fenced[found.span_start : found.span_end]) == ("42", "json", "42")
    assert score(spec(step), '{"answer": 42}', "42", None).answer == "42"
    assert score(spec(step), '{"answer": "42', "42", None).extraction_path == "none"
    assert score(spec(step), "{" * 2_000, "42", None).extraction_path == "none"


@pytest.mark.parametrize("pattern", ["(", "[a"])
def test_a_pattern_that_does_not_compile_is_refused_when_it_is_written(pattern):
    with pytest.raises(ValidationError, match="not a regular expression"):
        regex(pattern)


def test_an_extractor_has_a_name_and_a_version():
    with pytest.raises(ValidationError):
        ExtractorSpec(name="nameless", canonical="word", steps=(regex("a"),))


@pytest.mark.parametrize(
    "text", ["the final answer is" + "\n" * 50_000 + "x", "the final answer is " * 20_000, "$ " * 50_000, "1," * 50_000]
)
def test_the_answer_line_takes_time_by_the_length_of_a_looping_output(text):
    start = time.perf_counter()
    score(ANSWER_LINE, text, "1", None)
    assert time.perf_counter() - start < 2  # the square of this length would be minutes


@pytest.mark.parametrize("text", ["{x" * 200_000, '{"a":"' + "{x" * 200_000, '{"answer":' * 50_000])
def test_a_text_of_braces_does_too(text):
    step = JsonFieldStep(kind="json-field", path="json", field="answer", pattern="(.*)")
    start = time.perf_counter()
    score(spec(step), text, "1", None)
    assert time.perf_counter() - start < 4


def test_what_a_model_writes_into_its_json_never_stops_an_ingest():
    step = JsonFieldStep(kind="json-field", path="json", field="answer", pattern="(.+)")
    assert score(spec(step), '{"answer": ' + "9" * 5_000 + "}", "1", None).extraction_path == "none"
    found = score(spec(step), '{"answer": "\\ud800 5"}', "1", None)
    assert found.extracted == "\\ud800 5"
