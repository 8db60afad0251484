"""The Parquet files of a bundle: names, columns, order. docs/DATA.md prints these tables."""

import pyarrow as pa

from store.contract.record import Answer, RequestRecord

_STR, _INT, _FLOAT, _BOOL = pa.string(), pa.int64(), pa.float64(), pa.bool_()
_TEXT = pa.large_string()  # 64-bit offsets: a file may hold more than 2 GiB of text


def _schema(*columns: tuple[str, "pa.DataType"]) -> pa.Schema:
    return pa.schema([pa.field(name, kind) for name, kind in columns])


HEAVY_FIELDS = frozenset(
    {"rendered_prompt", "input_token_ids", "attention_mask", "output_token_ids", "raw_text", "topk", "answers"}
)
"""Fields of a record that live in files of their own, reached by digest."""

JSON_FIELDS = frozenset({"stop_token_ids", "stop_strings", "logit_processor_order", "null_reasons"})
"""Fields stored as canonical JSON text inside facts.parquet."""

_TYPES: dict[str, pa.DataType] = {
    "attempt": _INT, "pass_index": _INT, "sample_index": _INT, "seed": _INT, "derived_seed": _INT, "top_k": _INT,
    "max_output_tokens": _INT, "stop_token_id": _INT,
    "thinking_tokens": _INT, "reasoning_chars": _INT, "batch_size_at_step0": _INT,
    "position_in_batch": _INT, "num_cached_tokens": _INT, "num_preemptions": _INT, "first_request": _BOOL,
    "temperature": _FLOAT, "top_p": _FLOAT, "min_p": _FLOAT, "presence_penalty": _FLOAT, "frequency_penalty": _FLOAT,
    "repetition_penalty": _FLOAT, "arrival_unix_s": _FLOAT, "queued_s": _FLOAT, "scheduled_s": _FLOAT,
    "first_token_s": _FLOAT, "last_token_s": _FLOAT, "first_token_latency_s": _FLOAT,
}  # fmt: skip

NARROW_FIELDS: tuple[str, ...] = tuple(name for name in RequestRecord.model_fields if name not in HEAVY_FIELDS)
DERIVED_FIELDS: tuple[str, ...] = (
    "prompt_digest", "output_digest", "identity_digest", "text_digest",
    "logprobs_digest", "input_tokens", "output_tokens",
)  # fmt: skip

FACTS = pa.schema(
    [pa.field(name, _TYPES.get(name, _STR)) for name in NARROW_FIELDS]
    + [pa.field(name, _INT if name.endswith("_tokens") else _STR) for name in DERIVED_FIELDS]
)
"""One row per record."""

KEY: tuple[str, ...] = ("run_id", "question_id", "pass_index", "sample_index")

ANSWERS = pa.schema(
    [pa.field(name, _TYPES.get(name, _STR)) for name in KEY]
    + [pa.field(name, _INT if name.startswith("span_") else _STR) for name in Answer.model_fields]
)
"""One row per record and extractor."""

OUTPUTS = _schema(
    ("question_id", _STR),
    ("output_digest", _STR),
    ("raw_text", _TEXT),
    ("token_ids", pa.list_(pa.int32())),
)
"""One row per distinct output of a question, sorted by question."""

PROMPTS = _schema(
    ("question_id", _STR),
    ("prompt_digest", _STR),
    ("rendered_prompt", _TEXT),
    ("input_token_ids", pa.list_(pa.int32())),
    ("attention_mask", _STR),
)
"""One row per distinct prompt of a question."""

LOGPROBS = _schema(
    ("question_id", _STR),
    ("logprobs_digest", _STR),
    ("token_ids", pa.list_(pa.list_(pa.int32()))),
    ("logprobs", pa.list_(pa.list_(_FLOAT))),
    ("ranks", pa.list_(pa.list_(pa.int32()))),
)
"""One row per distinct capture: outer list the decode steps, inner list the candidates as captured."""

QUESTIONS = _schema(
    ("question_id", _STR),
    ("gold", _STR),
    ("category", _STR),
    ("question_text", _TEXT),
)
"""The declared question set; empty when none is declared."""

ENVIRONMENTS = _schema(
    ("deployment_id", _STR),
    ("declared_digest", _STR),
    ("full_digest", _STR),
    ("known_fields", _INT),
    ("digest_fields", _INT),
    ("record", _STR),
)
"""One row per deployment; `record` is the environment record as JSON."""

REFUSED = _schema(
    ("run_id", _STR),
    ("file", _STR),
    ("line", _INT),
    ("reason", _STR),
    ("raw", _TEXT),
)
"""Lines that were refused, with what stood there (at most `ingest.refused.RAW_CHARS` characters)."""

FILES: dict[str, pa.Schema] = {
    "facts": FACTS,
    "answers": ANSWERS,
    "outputs": OUTPUTS,
    "prompts": PROMPTS,
    "logprobs": LOGPROBS,
    "questions": QUESTIONS,
    "environments": ENVIRONMENTS,
    "refused": REFUSED,
}
BY_QUESTION: tuple[str, ...] = ("question_id", "run_id", "pass_index", "sample_index")
"""Equal outputs of one question stand together so, which is what makes a bundle small."""

SORTED_BY: dict[str, tuple[str, ...]] = {
    "facts": BY_QUESTION,
    "answers": (*BY_QUESTION, "extractor"),
    "outputs": ("question_id", "output_digest"),
    "prompts": ("question_id", "prompt_digest"),
    "logprobs": ("question_id", "logprobs_digest"),
    "questions": ("question_id",),
    "environments": ("deployment_id",),
    "refused": ("file", "line"),
}
