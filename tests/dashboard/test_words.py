"""Every page explains what it measures, in words the glossary has."""

import pytest

from dashboard.words import SENTENCES, glossary


@pytest.mark.parametrize("measure", list(SENTENCES))
def test_the_words_of_a_measure_are_in_the_glossary(measure):
    sentence, words = SENTENCES[measure]
    assert sentence.endswith(".") or sentence.endswith("?")
    assert set(words) <= {word.name for word in glossary()}


def test_the_glossary_has_a_meaning_for_each_word_once():
    names = [word.name for word in glossary()]
    assert len(names) == len(set(names)) > 40
    assert all(word.meaning for word in glossary())
