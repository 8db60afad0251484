"""From a reply to the record of a request."""

from dataclasses import dataclass

from runner.deploy.told import Reply
from runner.study.frozen import RNG, FrozenPlan, FrozenPrompt, FrozenQuestion, Rendered, derived_seed
from runner.study.model import Sampling
from store.contract.record import NULLABLE_FIELDS, RequestRecord, TokenLogprob
from store.digests import text_digest, tokens_digest
from store.extractors.score import score
from store.extractors.spec import ExtractorSpec

FINISHES = ("stop", "length", "repetition", "abort", "error")
NOT_GIVEN = "the engine does not give it per request"
NO_CLASS = "the study file does not say"
THINK, UNTHINK = "<think>", "</think>"


@dataclass(frozen=True, slots=True)
class Asked:
    """What every record of a run shares."""

    plan: FrozenPlan
    rendered: Rendered
    sampling: Sampling
    spec: ExtractorSpec
    model_digest: str | None
    tokenizer_digest: str | None
    quantization: str | None
    governance: dict[str, str | None]


def record_of(asked: Asked, run_id: str, pass_index: int, place: int, reply: Reply) -> RequestRecord:
    """The record of one reply to the question at `place` of the plan."""
    question, prompt = asked.plan.questions[place], asked.rendered.prompts[place]
    inputs = reply.prompt_ids if reply.prompt_ids is not None else prompt.ids
    values: dict[str, object] = {
        **_identity(asked, question, prompt, run_id, pass_index, reply),
        "input_token_ids": inputs,
        "input_ids_digest": tokens_digest(inputs),
        **_sampling(asked, question, reply),
        **_output(asked, question, prompt, reply),
        **_times(reply),
        "first_request": False,  # the warm-up was a request of its own
    }
    reasons = _reasons(reply)
    for name in NULLABLE_FIELDS:
        values.setdefault(name, None)
    values["null_reasons"] = {name: reasons.get(name, NOT_GIVEN) for name in NULLABLE_FIELDS if values[name] is None}
    return RequestRecord.model_validate(values)


def thinking_tokens(asked: Asked, prompt: str, ids: tuple[int, ...] | None, text: str | None) -> int | None:
    """Output tokens inside a think block: between its two tokens, or from the start where the prompt left one open.

    0 when looked for and absent. Null without token ids, or where the tokenizer has no such tokens and the text has a block.
    """
    start, end = asked.rendered.think
    if start is None or end is None:
        return 0 if text is not None and THINK not in text and UNTHINK not in text else None
    if ids is None:
        return None
    inside, count = prompt.rfind(THINK) > prompt.rfind(UNTHINK), 0
    for token in ids:
        if token == start:
            inside = True
        elif token == end:
            inside = False
        else:
            count += inside
    return count


def _identity(
    asked: Asked, question: FrozenQuestion, prompt: FrozenPrompt, run_id: str, pass_index: int, reply: Reply
) -> dict[str, object]:
    template = asked.rendered.chat_template
    return {
        **asked.governance,
        "run_id": run_id,
        "question_id": question.id,
        "request_id": asked.plan.request_id(question.id),
        "attempt": 0,
        "pass_index": pass_index,
        "sample_index": int(reply.key[2]),
        "model_digest": asked.model_digest,
        "tokenizer_digest": asked.tokenizer_digest,
        "adapter_digest": "none",
        "quantization_config": asked.quantization,
        "chat_template_digest": "none" if template is None else text_digest(template),
        "gold": question.gold,
        "category": question.category,
        "rendered_prompt": prompt.prompt,
        "attention_mask": "all-ones",
    }


def _sampling(asked: Asked, question: FrozenQuestion, reply: Reply) -> dict[str, object]:
    sampling, effective = asked.sampling, reply.effective
    return {
        "seed": sampling.seed,
        "rng_scheme": RNG,
        "derived_seed": derived_seed(sampling.seed, "sampling", asked.plan.request_id(question.id), int(reply.key[2])),
        **{name: effective.get(name) for name in ("temperature", "top_p", "min_p")},
        **{name: effective.get(name) for name in ("presence_penalty", "frequency_penalty", "repetition_penalty")},
        "top_k": None if effective.get("top_k") is None else max(int(effective["top_k"] or 0), 0),
        "max_output_tokens": sampling.max_tokens,
        "stop_token_ids": tuple(sorted({*sampling.stop_token_ids, *asked.rendered.eos_token_ids})),
        "stop_strings": sampling.stop,
        "logit_processor_order": (),
    }


def _output(asked: Asked, question: FrozenQuestion, prompt: FrozenPrompt, reply: Reply) -> dict[str, object]:
    finish = reply.finish if reply.finish in FINISHES else "error" if reply.error or reply.finish else None
    text = None if reply.error else reply.text
    stops = {*asked.sampling.stop_token_ids, *asked.rendered.eos_token_ids}
    last = reply.ids[-1] if reply.ids else None
    topk = None if reply.topk is None else tuple(_step(step) for step in reply.topk)
    return {
        "output_token_ids": reply.ids,
        "raw_text": text,
        "finish_reason": finish,
        "stop_token_id": last if finish == "stop" and last in stops else None,
        "thinking_tokens": thinking_tokens(asked, prompt.prompt, reply.ids, text),
        "reasoning_chars": reply.reasoning_chars,
        "topk": topk,
        "topk_source": None if topk is None else "decode",
        "logprob_dtype": None if topk is None else "float32",
        "answers": (score(asked.spec, text, question.gold, finish),),
        "error_code": (reply.error or f"finish reason {reply.finish}")[:500] if finish == "error" else "none",
    }


def _step(step: tuple[tuple[int, float, int | None], ...]) -> tuple[TokenLogprob, ...]:
    return tuple(TokenLogprob(token_id=token, logprob=logprob, rank=rank) for token, logprob, rank in step)


def _times(reply: Reply) -> dict[str, object]:
    times = reply.metrics
    preempted = times.get("num_preemptions")
    return {
        "num_cached_tokens": reply.cached,
        "num_preemptions": None if preempted is None else int(preempted),
        "arrival_unix_s": times.get("arrival_time"),
        "queued_s": times.get("queued_ts"),
        "scheduled_s": times.get("scheduled_ts"),
        "first_token_s": times.get("first_token_ts"),
        "last_token_s": times.get("last_token_ts"),
        "first_token_latency_s": times.get("first_token_latency"),
    }


def _reasons(reply: Reply) -> dict[str, str]:
    failed = {"raw_text": "the request failed", "output_token_ids": "the request failed"} if reply.error else {}
    stopped = "cut at max_output_tokens" if reply.finish == "length" else "no stop token stands at the end"
    governance = dict.fromkeys(("data_class", "retention_until", "access_scope", "category"), NO_CLASS)
    capture = dict.fromkeys(("topk", "topk_source", "logprob_dtype"), "not captured, or not given by token id")
    return {**governance, **capture, "stop_token_id": stopped, "gold": "the question has none", **failed}
