"""transformers, one prompt at a time: the anchor that has no scheduler and no kernels of a serving engine."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from .job import Job, Json, Reply, Request
from .observe import torch_state


class TransformersEngine:
    """`generate` with batch 1. Engine arguments: `dtype`, `device`, `deterministic`; others go to `from_pretrained`."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def start(self) -> None:
        """Load the model. With `deterministic` an operator that has no deterministic form raises RuntimeError later."""
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        arguments = dict(self._job["engine_arguments"])
        self._dtype, self._device = arguments.pop("dtype"), arguments.pop("device")
        if arguments.pop("deterministic"):
            torch.use_deterministic_algorithms(True)
            torch.backends.cudnn.benchmark = False
        if "threads" in arguments:
            torch.set_num_threads(arguments.pop("threads"))
        model = self._job["model"]
        self._tokenizer = AutoTokenizer.from_pretrained(model["tokenizer"], revision=model["tokenizer_revision"])
        self._model = AutoModelForCausalLM.from_pretrained(
            model["path"], revision=model["revision"], dtype=getattr(torch, self._dtype), **arguments
        ).to(self._device)
        self._model.eval()

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """One after another."""
        for request in requests:
            yield self._one(request)

    def _one(self, request: Request) -> Reply:
        import torch

        asked, arrived, began = request["sampling"], time.time(), time.monotonic()
        ids = torch.tensor([request["ids"]], device=self._device)
        ends = sorted({*asked["stop_token_ids"], *_list(self._model.generation_config.eos_token_id)})
        sampled = asked["temperature"] > 0
        if request["seed"] is not None:
            torch.manual_seed(request["seed"])
        more = {"temperature": asked["temperature"], "top_p": asked["top_p"], "top_k": asked["top_k"]} if sampled else {}
        first = _FirstToken()
        with torch.inference_mode():
            done = self._model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=asked["max_tokens"],
                do_sample=sampled,
                num_beams=1,
                repetition_penalty=asked["repetition_penalty"],
                eos_token_id=ends or None,
                stop_strings=asked["stop"] or None,
                tokenizer=self._tokenizer,
                return_dict_in_generate=True,
                output_logits=asked["logprobs"] is not None,
                streamer=first,
                **more,
            )
        output = done.sequences[0, ids.shape[1] :].tolist()
        stopped = bool(output) and output[-1] in ends
        return {
            "key": request["key"],
            "prompt_ids": request["ids"],
            "ids": output,
            "text": self._tokenizer.decode(output, skip_special_tokens=True),
            "finish": "stop" if stopped else "length",
            "stop": output[-1] if stopped and output[-1] in asked["stop_token_ids"] else None,
            "topk": None if asked["logprobs"] is None else _topk(done.logits, output, asked["logprobs"]),
            "cached": 0,
            "reasoning_chars": 0,
            "metrics": {
                "arrival_time": arrived,
                "queued_ts": began,
                "scheduled_ts": began,
                "first_token_ts": first.at,
                "last_token_ts": time.monotonic(),
                "first_token_latency": None if first.at is None else first.at - began,
                "num_preemptions": 0,
            },
            "effective": {
                "temperature": asked["temperature"],
                "top_p": asked["top_p"] if sampled else 1.0,
                "top_k": asked["top_k"] if sampled else 0,
                "min_p": 0.0,
                "presence_penalty": 0.0,
                "frequency_penalty": 0.0,
                "repetition_penalty": asked["repetition_penalty"],
            },
            "error": None,
        }

    def observe(self) -> dict[str, Json]:
        """Configuration of model and torch."""
        config = self._model.config
        return {
            "kind": "transformers",
            "attention": config._attn_implementation,
            "dtype": self._dtype,
            "max_model_len": config.max_position_embeddings,
            "experts": any("expert" in name for name, _ in self._model.named_modules()),
            "quantized_layers": 0 if getattr(config, "quantization_config", None) is None else None,
            "workers": [torch_state()],
        }

    def stop(self) -> None:
        """Nothing to let go of but the model."""
        del self._model


class _FirstToken:
    """A streamer that notes when the first token came. The prompt is put first, before any token."""

    def __init__(self) -> None:
        self.at: Json = None
        self._prompt_seen = False

    def put(self, _: Json) -> None:
        if self._prompt_seen and self.at is None:
            self.at = time.monotonic()
        self._prompt_seen = True

    def end(self) -> None:
        pass


def _topk(logits: Json, output: Json, k: int) -> Json:
    """[token, log-probability, rank] of the k best and of the chosen token per step, as vLLM lists them: chosen first."""
    import torch

    steps = []
    for step, token in zip(logits, output):
        logprobs = torch.log_softmax(step[0].float(), dim=-1)
        chosen = logprobs[token]
        rank = int((logprobs > chosen).sum()) + 1
        values, tokens = torch.topk(logprobs, k) if k else ([], [])
        best = [[int(t), float(v), n] for n, (t, v) in enumerate(zip(tokens, values), start=1) if int(t) != token]
        steps.append([[token, float(chosen), rank], *best])
    return steps


def _list(value: Json) -> Json:
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]
