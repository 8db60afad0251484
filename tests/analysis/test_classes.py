"""Classes of equal output on each layer."""

from store.analysis.classes import Given, letter, output_classes

SAME = ("tokenizer", "inputs")


def given(
    run: str, tokens: str | None, text: str | None = "t", answer: str | None = "1", verdict: str | None = "correct", of=SAME
):
    return Given(run, of, tokens, text, answer, verdict, verdict in ("correct", "incorrect"))


def runs(classes):
    return [one.runs for one in classes.classes]


def test_largest_class_first_then_the_one_met_first():
    found = output_classes((given("a", "x"), given("b", "y"), given("c", "z"), given("d", "z")), "tokens")
    assert runs(found) == [("c", "d"), ("a",), ("b",)]
    assert [one.letter for one in found.classes] == ["A", "B", "C"]


def test_a_record_without_tokens_is_unknown_and_not_a_class():
    found = output_classes((given("a", "x"), given("b", None)), "tokens")
    assert runs(found) == [("a",)]
    assert found.unknown == ("b",)


def test_token_identity_needs_one_tokenizer_and_one_prompt():
    found = output_classes((given("a", "x"), given("b", "x", of=("other", "inputs"))), "tokens")
    assert runs(found) == [("a",), ("b",)]
    assert found.incomparable
    unknown = output_classes((given("a", "x", of=None), given("b", None, of=None)), "tokens")
    assert (unknown.classes, unknown.unknown, unknown.undefined) == ((), ("a", "b"), ("a",))


def test_different_texts_can_have_one_answer():
    records = (given("a", "x", "long", "7"), given("b", "y", "short", "7"))
    assert len(output_classes(records, "text").classes) == 2
    assert runs(output_classes(records, "answer")) == [("a", "b")]


def test_no_answer_found_is_an_answer_of_its_own_and_not_the_word_none():
    records = (
        given("a", "x", answer=None, verdict="incorrect"),
        given("b", "y", answer="none"),
        given("c", "z", answer=None, verdict="incorrect"),
        given("d", None, answer=None, verdict="unscored"),
    )
    found = output_classes(records, "answer")
    assert runs(found) == [("a", "c"), ("b",)]
    assert found.unknown == ("d",)  # a failed request gave no answer that could be compared


def test_a_record_the_extractor_did_not_score_is_unknown_on_answers_and_verdicts():
    records = (given("a", "x", answer=None, verdict=None),)
    assert output_classes(records, "answer").unknown == ("a",)
    assert output_classes(records, "verdict").unknown == ("a",)


def test_letters_go_on_after_z():
    assert [letter(i) for i in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]
