"""Where two outputs part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.analysis.difference import DIFF_WORDS, first_divergence, text_difference

texts = st.text(alphabet=st.sampled_from("ab \n我四1\u2028"), max_size=60)


def whole(shared, pieces):
    return shared + "".join(piece.text for piece in pieces)


@given(texts, texts)
def test_prefix_and_pieces_are_the_two_texts_and_nothing_else(left, right):
    found = text_difference(left, right)
    if found.equal:
        assert left == right == found.shared
    else:
        assert whole(found.shared, found.left) == left
        assert whole(found.shared, found.right) == right


@given(texts, texts)
def test_what_is_the_same_is_the_same_on_both_sides(left, right):
    found = text_difference(left, right)
    assert [p.text for p in found.left if p.kind == "same"] == [p.text for p in found.right if p.kind == "same"]


def test_the_prefix_ends_before_the_word_that_differs():
    found = text_difference("the answer is 12 now", "the answer is 13 now")
    assert found.shared == "the answer is"
    assert [(p.kind, p.text) for p in found.left] == [("only", " 12"), ("same", " now")]
    assert [(p.kind, p.text) for p in found.right] == [("only", " 13"), ("same", " now")]


def test_text_without_spaces_is_compared_sign_by_sign():
    found = text_difference("我有三个苹果", "我有四个苹果")
    assert found.shared == "我有"
    assert [(p.kind, p.text) for p in found.left] == [("only", "三"), ("same", "个苹果")]


def test_a_word_of_a_million_letters_is_cut_where_it_differs():
    found = text_difference("x" * 1_000_000 + "1", "x" * 1_000_000 + "2")
    assert len(found.shared) == 1_000_000
    assert found.left[0].text == "1"


def test_very_long_tails_are_whole_but_not_aligned():
    left, right = "a " * (DIFF_WORDS + 5) + "end", "b " * (DIFF_WORDS + 7) + "end"
    found = text_difference(left, right)
    assert found.unaligned
    assert whole(found.shared, found.left) == left


@pytest.mark.parametrize(
    ("a", "b", "at"),
    [([1, 2, 3], [1, 9, 3], 1), ([1, 2], [1, 2, 3], 2), ([], [5], 0), ([1, 2], [1, 2], None), ([7], [8], 0)],
)
def test_first_divergence_is_zero_based_and_a_prefix_diverges_at_its_end(a, b, at):
    assert first_divergence(a, b) == at
    assert first_divergence(b, a) == at
