"""Rows of a bundle's files that are not facts: outputs, prompts, captures, questions, environments, refused lines."""

from dataclasses import dataclass
from typing import TypeAlias

from store.contract.environment import EnvironmentRecord
from store.contract.record import RequestRecord
from store.env_digest import environment_digest

Value: TypeAlias = bool | int | float | str | list[int] | list[list[int]] | list[list[float]] | list[list[int | None]] | None
SealedRow: TypeAlias = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a declared set."""

    question_id: str
    gold: str | None
    category: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that was not taken: where it stood, why, and what it was. `run_id` is null when unreadable."""

    run_id: str | None
    file: str
    line: int
    reason: str
    raw: str


def _output_row(digest: str, record: RequestRecord) -> SealedRow:
    ids = None if record.output_token_ids is None else list(record.output_token_ids)
    return {"question_id": record.question_id, "output_digest": digest, "raw_text": record.raw_text, "token_ids": ids}


def _prompt_row(digest: str, record: RequestRecord) -> SealedRow:
    return {
        "question_id": record.question_id,
        "prompt_digest": digest,
        "rendered_prompt": record.rendered_prompt,
        "input_token_ids": None if record.input_token_ids is None else list(record.input_token_ids),
        "attention_mask": record.attention_mask,
    }


def _logprobs_row(digest: str, record: RequestRecord) -> SealedRow:
    steps = record.topk or ()
    return {
        "question_id": record.question_id,
        "logprobs_digest": digest,
        "token_ids": [[c.token_id for c in step] for step in steps],
        "logprobs": [[c.logprob for c in step] for step in steps],
        "ranks": [[c.rank for c in step] for step in steps],
    }


HEAVY_ROWS = {"outputs": _output_row, "prompts": _prompt_row, "logprobs": _logprobs_row}


def refused_row(refused: Refused) -> SealedRow:
    """Row of refused.parquet."""
    return {
        "run_id": refused.run_id,
        "file": refused.file,
        "line": refused.line,
        "reason": refused.reason,
        "raw": refused.raw,
    }


def question_row(question: Question) -> SealedRow:
    """Row of questions.parquet."""
    return {
        "question_id": question.question_id,
        "gold": question.gold,
        "category": question.category,
        "question_text": question.text,
    }


def environment_row(deployment_id: str, record: EnvironmentRecord) -> SealedRow:
    """Row of environments.parquet, its digests derived here."""
    digest = environment_digest(record)
    return {
        "deployment_id": deployment_id,
        "declared_digest": digest.declared,
        "full_digest": digest.full,
        "known_fields": digest.known,
        "digest_fields": digest.of,
        "record": record.model_dump_json(),
    }
