"""What each page measures, in a sentence, and where the word is defined; docs/GLOSSARY.md is the one source of meanings."""

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from dashboard.safe import text_html, unbroken

HERE = Path(__file__).parent
GLOSSARY = (HERE / "glossary.md", HERE.parent / "docs" / "GLOSSARY.md")
"""In a wheel, and in the source tree."""

SENTENCES: dict[str, tuple[str, tuple[str, ...]]] = {
    "overview": (
        "Accuracy of a cell is the mean over its fresh deployments. What it hides is how many questions change their verdict"
        " between two deployments of the same configuration: its flips.",
        ("cell", "deployment", "flip"),
    ),
    "funnel": (
        "Of all pair-questions within a cell, how many differ in tokens, in text, in the answer, in the verdict: most"
        " differences die on the way.",
        ("attenuation", "pair-question"),
    ),
    "compare": (
        "Two sides are compared with what each differs by from itself: B − A in accuracy, flips between them beside flips"
        " within them, and the questions that new deployments alone do not explain.",
        ("floor", "excess", "minimal detectable difference (MDE)"),
    ),
    "environment": (
        "What was recorded to differ between the deployments of the two sides, kernel state first. A difference is no cause.",
        ("environment digest", "kernel choice digest"),
    ),
    "not noise": (
        "Every deployment of A gives one answer, every deployment of B another.",
        ("not noise", "unstable"),
    ),
    "gaps": (
        "At the first differing token: the gap from the best token to the runner-up on either side, and how far the two"
        " tokens swung against each other.",
        ("gap", "swing", "near tie"),
    ),
    "pairs": (
        "Every run against every other. Two runs of one cell are the same configuration started afresh, so what differs there"
        " is the floor for everything else.",
        ("identity", "flip", "pair kind"),
    ),
    "kinds": (
        "What the two runs of a pair share decides what a difference between them can mean; the dashed line is the median of"
        " fresh–fresh pairs.",
        ("pair kind", "cache role"),
    ),
    "pair": (
        "The second run against the first, on the questions both have a verdict on.",
        ("flip", "first divergence"),
    ),
    "fragile": (
        "Questions on which runs disagree. A signature group is constant in each arm and differs between arms; the fragile set"
        " is unstable within at least one cell.",
        ("fragile set", "signature group", "stable core"),
    ),
    "question": (
        "Every run's answer to one question, gathered into classes of equal output.",
        ("identity", "first divergence", "near tie", "extractor"),
    ),
    "gates": (
        "A candidate is judged by gates that were written down before it ran: each passes, fails, or says what keeps it open.",
        ("gate", "gate set", "decision"),
    ),
    "studies": (
        "A study asks the same questions of many fresh deployments. Same weights, same seed: how often do they agree?",
        ("study", "deployment"),
    ),
}


@dataclass(frozen=True, slots=True)
class Word:
    """One entry of the glossary; the meaning is our own Markdown."""

    name: str
    meaning: str


@cache
def glossary() -> tuple[Word, ...]:
    """Every word in the glossary's order."""
    source = next(path for path in GLOSSARY if path.exists()).read_text(encoding="utf-8")
    entries = re.split(r"^### ", source, flags=re.MULTILINE)[1:]
    return tuple(Word(name.strip(), meaning.strip()) for name, _, meaning in (entry.partition("\n") for entry in entries))


def explain(measure: str, ends: str = "") -> None:
    """The sentence of a measure, `ends` added to it, with links to the words it stands on."""
    sentence, words = SENTENCES[measure]
    links = ", ".join(f'<a href="words?word={escape(word, quote=True)}" target="_self">{escape(word)}</a>' for word in words)
    more = f" {unbroken(text_html(ends))}" if ends else ""
    st.html(f'<p class="fb-quiet">{escape(sentence)}{more} <span class="fb-words">Words: {links}.</span></p>')
