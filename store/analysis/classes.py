"""Which runs gave the same output to one question, on one layer."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

Layer = Literal["tokens", "text", "answer", "verdict"]
LAYERS: tuple[Layer, ...] = ("tokens", "text", "answer", "verdict")


@dataclass(frozen=True, slots=True)
class Given:
    """What one record gave, as the layers see it. Null means not known.

    comparable: what must be equal before token ids may be compared (tokenizer and input digests). read: an
    extractor looked for an answer, so that none found is an answer of its own.
    """

    run: str
    comparable: tuple[str, str] | None
    identity: str | None
    text: str | None
    answer: str | None
    verdict: str | None
    read: bool


@dataclass(frozen=True, slots=True)
class OutputClass:
    """Runs that are equal on the layer, in the order given; `runs[0]` names the class in a link."""

    letter: str
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Classes:
    """Partition of the records of one question.

    classes: largest first, ties by first run. unknown: runs the layer cannot place, never a class of
    their own. undefined: those of them whose token ids are known but not their tokenizer and prompt,
    so that equal ids would say nothing. incomparable: token ids come from more than one tokenizer or prompt, so classes of
    different ones are not "different outputs" but undefined against each other.
    """

    layer: Layer
    classes: tuple[OutputClass, ...]
    unknown: tuple[str, ...]
    undefined: tuple[str, ...]
    incomparable: bool


def output_classes(given: tuple[Given, ...], layer: Layer) -> Classes:
    """Classes of equal output on `layer`.

    tokens: equal ids less one trailing stop id, within one tokenizer and one prompt. text: equal
    UTF-8 bytes. answer: equal canonical answers, "no answer" in a scored output being one answer. verdict: equal verdicts.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    unknown: list[str] = []
    for record in given:
        key = _key(record, layer)
        if key is None:
            unknown.append(record.run)
        else:
            groups.setdefault(key, []).append(record.run)
    order = {record.run: position for position, record in reversed(list(enumerate(given)))}
    ranked = sorted(groups.values(), key=lambda runs: (-len(runs), order[runs[0]]))
    domains = Counter(record.comparable for record in given if record.identity is not None and record.comparable is not None)
    return Classes(
        layer=layer,
        classes=tuple(OutputClass(letter(i), tuple(runs)) for i, runs in enumerate(ranked)),
        unknown=tuple(unknown),
        undefined=tuple(r.run for r in given if layer == "tokens" and r.identity is not None and r.comparable is None),
        incomparable=layer == "tokens" and len(domains) > 1,
    )


def letter(index: int) -> str:
    """A, B, …, Z, AA, AB, … for 0, 1, …."""
    head, tail = divmod(index, 26)
    return (letter(head - 1) if head else "") + chr(ord("A") + tail)


def _key(record: Given, layer: Layer) -> tuple[str, ...] | None:
    match layer:
        case "tokens":
            return None if record.identity is None or record.comparable is None else (*record.comparable, record.identity)
        case "text":
            return None if record.text is None else (record.text,)
        case "answer":
            if record.answer is not None:
                return ("answer", record.answer)
            return ("none",) if record.read else None
        case "verdict":
            return None if record.verdict is None else (record.verdict,)
