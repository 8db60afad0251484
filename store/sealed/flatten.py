"""From a record to the rows of a bundle's files, and the digests that tie them together."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from store.contract.base import compact_json
from store.contract.record import RequestRecord, TokenLogprob
from store.digests import canonical_digest, text_digest, tokens_digest, without_trailing_stop
from store.sealed.columns import ANSWERS, DERIVED_FIELDS, FACTS, HEAVY_FIELDS, JSON_FIELDS, KEY

Cell: TypeAlias = bool | int | float | str | None
Row: TypeAlias = dict[str, Cell]
Steps: TypeAlias = tuple[tuple[TokenLogprob, ...], ...]


@dataclass(frozen=True, slots=True)
class FlatRecord:
    """One record taken apart: a narrow fact row, its answer rows, and a line that digests both."""

    record: RequestRecord
    fact: Row
    answers: tuple[Row, ...]

    @property
    def key(self) -> tuple[str, str, int, int]:
        r = self.record
        return (r.run_id, r.question_id, r.pass_index, r.sample_index)

    @property
    def digest(self) -> bytes:
        """SHA-256 of the record's canonical line: equal for equal records."""
        return record_sha256(self.fact, self.answers)


def flatten(record: RequestRecord) -> FlatRecord:
    """Rows of `record`. Raises UnicodeEncodeError where a text holds a lone surrogate."""
    narrow = record.model_dump(mode="json", exclude=set(HEAVY_FIELDS))
    fact: Row = {
        name: compact_json(value) if name in JSON_FIELDS and value is not None else value for name, value in narrow.items()
    }
    fact.update(_derived(record))
    key = {name: fact[name] for name in KEY}
    answers = tuple(key | answer.model_dump(mode="json") for answer in record.answers)
    return FlatRecord(record, fact, answers)


def record_sha256(fact: Row, answers: Sequence[Row]) -> bytes:
    """SHA-256 of one record's canonical line, columns in the schema's order, answers by extractor."""
    columns = [fact[name] for name in FACTS.names]
    scored = [[row[name] for name in ANSWERS.names] for row in sorted(answers, key=lambda row: str(row["extractor"]))]
    line = json.dumps([columns, scored], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(line.encode()).digest()


def output_digest(token_ids: list[int] | tuple[int, ...] | None, text: str | None) -> str:
    """`out1:` digest of an output: its token ids and its text, each possibly unknown."""
    return canonical_digest("out1", [_tokens(token_ids), _text(text)])


def prompt_digest(text: str | None, token_ids: list[int] | tuple[int, ...] | None, mask: str | None) -> str:
    """`prompt1:` digest of a prompt: rendered text, input ids and attention mask, each possibly unknown."""
    return canonical_digest("prompt1", [_text(text), _tokens(token_ids), mask])


def logprobs_digest(steps: Steps) -> str:
    """`lp1:` digest of a capture over unrounded values: step lengths, ids, logprobs, ranks (-1 unknown)."""
    flat = [candidate for step in steps for candidate in step]
    whole = hashlib.sha256(np.asarray([len(step) for step in steps], dtype="<i4").tobytes())
    whole.update(np.asarray([c.token_id for c in flat], dtype="<i4").tobytes())
    whole.update(np.asarray([c.logprob for c in flat], dtype="<f8").tobytes())
    whole.update(np.asarray([-1 if c.rank is None else c.rank for c in flat], dtype="<i4").tobytes())
    return f"lp1:{whole.hexdigest()}"


def identity_digest(token_ids: list[int] | tuple[int, ...], stop_ids: list[int] | tuple[int, ...]) -> str:
    """`tok1:` digest of the ids less one trailing stop id: what token identity compares."""
    return tokens_digest(without_trailing_stop(token_ids, stop_ids))


def stop_ids_of(stop_token_ids: list[int] | tuple[int, ...] | None, stop_token_id: int | None) -> tuple[int, ...]:
    """Every id that counts as a stop for one record: the configured ones and the one that was hit."""
    return tuple(stop_token_ids or ()) + (() if stop_token_id is None else (stop_token_id,))


def stops_from_json(stops: str | None) -> tuple[int, ...]:
    """The configured stop ids as facts.parquet holds them; none when they are not known."""
    return tuple(json.loads(stops)) if stops else ()


def _derived(record: RequestRecord) -> Row:
    ids, inputs = record.output_token_ids, record.input_token_ids
    stops = stop_ids_of(record.stop_token_ids, record.stop_token_id)
    values: tuple[Cell, ...] = (
        prompt_digest(record.rendered_prompt, inputs, record.attention_mask),
        output_digest(ids, record.raw_text),
        None if ids is None else identity_digest(ids, stops),
        _text(record.raw_text),
        None if record.topk is None else logprobs_digest(record.topk),
        None if inputs is None else len(inputs),
        None if ids is None else len(ids),
    )
    return dict(zip(DERIVED_FIELDS, values, strict=True))


def _tokens(ids: list[int] | tuple[int, ...] | None) -> str | None:
    return None if ids is None else tokens_digest(ids)


def _text(text: str | None) -> str | None:
    return None if text is None else text_digest(text)
