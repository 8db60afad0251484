"""vLLM in this process, token prompts in, replies as each request finishes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .children import watch_children
from .job import Job, Json, Reply, Request
from .observe import worker_state


class VllmEngine:
    """The offline engine. The order of requests and the engine's steps are those of `LLM.generate`."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def start(self) -> None:
        """Load the model."""
        from vllm import LLM

        model = self._job["model"]
        self._llm = LLM(
            model=model["path"],
            revision=model["revision"],
            tokenizer=model["tokenizer"],
            tokenizer_revision=model["tokenizer_revision"],
            disable_log_stats=False,  # else no request carries its times
            **self._job["engine_arguments"],
        )
        watch_children("VLLM::")

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """All requests are handed over, then the engine steps; a finished one is given out at once."""
        engine, keys, effective = self._llm.llm_engine, {}, {}
        for number, request in enumerate(requests):
            name, params = f"{number}", _params(request)
            engine.add_request(name, {"prompt_token_ids": request["ids"]}, params)
            keys[name], effective[name] = request["key"], _effective(params)
        while engine.has_unfinished_requests():
            for output in engine.step():
                if output.finished:
                    yield _reply(output, keys[output.request_id], effective[output.request_id])

    def observe(self) -> dict[str, Json]:
        """Resolved configuration of the engine and the state of every worker."""
        from pydantic import TypeAdapter
        from vllm.config import VllmConfig

        config = self._llm.llm_engine.vllm_config
        dumped = TypeAdapter(VllmConfig).dump_python(config, mode="json", fallback=str)
        return {"kind": "vllm", "config": dumped, "workers": self._llm.collective_rpc(worker_state)}

    def stop(self) -> None:
        """Shut the engine's processes down."""
        core = getattr(self._llm.llm_engine, "engine_core", None)
        if core is not None:
            core.shutdown()


def _params(request: Request) -> Json:
    from vllm import SamplingParams
    from vllm.sampling_params import RequestOutputKind

    asked = request["sampling"]
    return SamplingParams(
        temperature=asked["temperature"],
        top_p=asked["top_p"],
        top_k=asked["top_k"],
        min_p=asked["min_p"],
        presence_penalty=asked["presence_penalty"],
        frequency_penalty=asked["frequency_penalty"],
        repetition_penalty=asked["repetition_penalty"],
        max_tokens=asked["max_tokens"],
        stop_token_ids=asked["stop_token_ids"],
        stop=asked["stop"],
        logprobs=asked["logprobs"],
        seed=request["seed"],
        output_kind=RequestOutputKind.FINAL_ONLY,
    )


def _effective(params: Json) -> dict[str, Json]:
    names = ("temperature", "top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty", "repetition_penalty")
    return {name: getattr(params, name) for name in names}


def _reply(output: Json, key: list[Json], effective: dict[str, Json]) -> Reply:
    done, metrics = output.outputs[0], output.metrics
    names = ("arrival_time", "queued_ts", "scheduled_ts", "first_token_ts", "last_token_ts", "first_token_latency")
    return {
        "key": key,
        "prompt_ids": list(output.prompt_token_ids),
        "ids": list(done.token_ids),
        "text": done.text,
        "finish": done.finish_reason,
        "stop": done.stop_reason,
        "topk": None if done.logprobs is None else [_step(step) for step in done.logprobs],
        "cached": output.num_cached_tokens,
        "reasoning_chars": 0,
        "metrics": {name: getattr(metrics, name, None) for name in (*names, "num_preemptions")},
        "effective": effective,
        "error": None,
    }


def _step(step: dict[int, Json]) -> list[list[Json]]:
    return [[token, entry.logprob, entry.rank] for token, entry in step.items()]
