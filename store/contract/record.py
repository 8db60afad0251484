"""The request record: one answer to one question in one run."""

from enum import StrEnum
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, StringConstraints, model_validator

from store.contract.base import Frozen, Reasoned
from store.digests import tokens_digest

Name = Annotated[str, StringConstraints(min_length=1, max_length=512)]
ExtractorName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_./+-]+@[A-Za-z0-9_.+-]+$", max_length=200)]


TokenId = Annotated[int, Field(strict=True, ge=0, lt=2**31)]
Int64 = Annotated[int, Field(ge=-(2**63), lt=2**63)]


class Verdict(StrEnum):
    """What a scorer said of one answer."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNSCORED = "unscored"


class UnscoredReason(StrEnum):
    """The only four ways to be unscored; "no answer found in a finished output" is incorrect instead."""

    REQUEST_FAILED = "request failed"
    EXTRACTOR_CRASHED = "extractor crashed"
    GOLD_MISSING = "gold missing"
    NOT_SCORED = "not scored by the harness"


FinishReason = Literal["stop", "length", "repetition", "abort", "error"]
SCORING_FINISHES: frozenset[str] = frozenset({"stop", "length"})


class Answer(Frozen):
    """What one extractor or harness made of one output.

    `extracted` is the raw string, `answer` its canonical form; both are null when `extraction_path`
    is ``none``. A harness that gives a verdict without saying what it read has the path ``harness``.
    """

    extractor: ExtractorName = Field(description="name@version")
    extracted: str | None = Field(description="The string as found in the output.")
    answer: str | None = Field(description="Canonical form, the one that is compared.")
    extraction_path: str = Field(description="Which step found it, `none` when no step did, `harness` for a foreign verdict.")
    verdict: Verdict
    unscored_reason: UnscoredReason | None
    span_start: int | None = Field(description="Character offset of `extracted` in raw_text.", ge=0)
    span_end: int | None = Field(description="Offset behind its last character.", ge=0)

    @model_validator(mode="after")
    def _unscored_says_why(self) -> Self:
        if (self.verdict is Verdict.UNSCORED) != (self.unscored_reason is not None):
            raise ValueError("unscored_reason is given exactly when the verdict is unscored")
        return self


class TokenLogprob(Frozen):
    """One candidate token of one decode step. Rank 1 need not be the arg max: exact ties exist."""

    token_id: TokenId
    logprob: float = Field(description="Natural logarithm, unrounded.")
    rank: Annotated[int, Field(ge=0, lt=2**31)] | None


class RequestRecord(Reasoned):
    """One request and everything known of it.

    Key: (run_id, question_id, pass_index, sample_index). `request_id` and `question_id` are stable
    across environments. Clocks are kept apart: fields in `_unix_s` are wall-clock seconds, the others
    ending in `_s` belong to the engine's own monotonic clock and are only comparable with each other.
    """

    run_id: Name
    question_id: Name
    request_id: Name | None
    attempt: Int64 = Field(ge=0, description="0 for the first try.")
    pass_index: Int64 = Field(ge=0, description="Which pass over the question set within one deployment.")
    sample_index: Int64 = Field(ge=0, description="Which of several samples of one question.")

    model_digest: str | None = Field(description="Digest of all weight files, sorted manifest.")
    tokenizer_digest: str | None
    adapter_digest: str | None = Field(description="`none` when no adapter was loaded.")
    quantization_config: str | None = Field(description="Canonical JSON; `none` when not quantised.")
    chat_template_digest: str | None

    gold: str | None
    rendered_prompt: str | None
    input_token_ids: tuple[TokenId, ...] | None
    input_ids_digest: str | None = Field(
        description="`tok1:` digest of input_token_ids; declared where the ids themselves are not kept."
    )
    attention_mask: str | None = Field(description="`all-ones`, or one character 0 or 1 per input token.")

    seed: Int64 | None
    rng_scheme: str | None
    derived_seed: Int64 | None = Field(description="53-bit stream seed of this request.", ge=0, lt=2**53)
    temperature: float | None
    top_p: float | None
    top_k: Int64 | None
    min_p: float | None
    presence_penalty: float | None
    frequency_penalty: float | None
    repetition_penalty: float | None
    max_output_tokens: Int64 | None
    stop_token_ids: tuple[TokenId, ...] | None
    stop_strings: tuple[str, ...] | None
    logit_processor_order: tuple[str, ...] | None = Field(description="processor@version in the order applied.")

    output_token_ids: tuple[TokenId, ...] | None
    raw_text: str | None
    finish_reason: FinishReason | None
    stop_token_id: Int64 | None = Field(description="The stop token that ended the output, if one did.")
    thinking_tokens: Int64 | None = Field(description="Output tokens inside a think block; 0 when looked for and absent.", ge=0)
    reasoning_chars: Int64 | None = Field(
        description="Characters of separate reasoning content; 0 when looked for and absent.", ge=0
    )
    topk: tuple[tuple[TokenLogprob, ...], ...] | None = Field(description="Candidates per decode step, as captured.")
    topk_source: Literal["decode", "replayed"] | None = Field(description="`replayed` values went through the prefill path.")
    logprob_dtype: str | None
    answers: tuple[Answer, ...] = Field(description="One per extractor; untouched originals of a harness included.")

    batch_size_at_step0: Int64 | None
    position_in_batch: Int64 | None
    scheduler_trace: str | None = Field(description="Canonical JSON of the batch composition per step.")
    num_cached_tokens: Int64 | None
    num_preemptions: Int64 | None
    first_request: bool | None = Field(description="True for the request that carried the engine's warm-up.")
    arrival_unix_s: float | None
    queued_s: float | None
    scheduled_s: float | None
    first_token_s: float | None
    last_token_s: float | None
    first_token_latency_s: float | None
    error_code: str | None = Field(description="`none` when the request did not fail.")

    data_class: str | None
    retention_until: str | None = Field(description="ISO 8601 date.")
    access_scope: str | None
    category: str | None = Field(description="Tag of the question, e.g. `long-context`.")

    @model_validator(mode="after")
    def _input_digest_follows_from_ids(self) -> Self:
        if self.input_token_ids is not None and self.input_ids_digest != tokens_digest(self.input_token_ids):
            raise ValueError("input_ids_digest does not follow from input_token_ids")
        return self

    @model_validator(mode="after")
    def _one_answer_per_extractor(self) -> Self:
        names = [a.extractor for a in self.answers]
        if len(names) != len(set(names)):
            raise ValueError("two answers by the same extractor")
        return self


NULLABLE_FIELDS: tuple[str, ...] = tuple(
    name for name, info in RequestRecord.model_fields.items() if type(None) in get_args(info.annotation)
)
"""Fields of a record that may be unknown, in the contract's order."""
