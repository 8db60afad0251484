"""Raw captures of vLLM deployments on a CPU, as the study scripts dumped them: lines and environments become records."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

from examples.bundling import record
from store.contract.base import compact_json
from store.contract.environment import EnvironmentRecord, unknown_environment
from store.contract.record import RequestRecord
from store.digests import canonical_digest, tokens_digest
from store.extractors.score import score
from store.extractors.shipped import ANSWER_LINE

Raw = dict[str, Any]  # a capture as it was dumped; its keys are read by name below
EOS = 2
UNCAPTURED = "not captured by the run"
WEIGHTS = ("model.safetensors", "config.json", "generation_config.json")
TOKENIZER = ("tokenizer.json", "tokenizer_config.json")


def captured_lines(path: Path) -> list[Raw]:
    """Lines of a gzipped capture."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file]


def output_fields(tokenizer: str, line: Raw) -> dict[str, object]:
    """What every capture's line says of prompt and output, whichever engine wrote it."""
    ids = line["output_token_ids"]
    return {
        "tokenizer_digest": tokenizer,
        "gold": line["gold"],
        "rendered_prompt": line["prompt"],
        "input_token_ids": line["prompt_token_ids"],
        "input_ids_digest": tokens_digest(line["prompt_token_ids"]),
        "temperature": 0.0,
        "stop_token_ids": (EOS,),
        "output_token_ids": ids,
        "raw_text": line["text"],
        "finish_reason": line["finish_reason"],
        "stop_token_id": EOS if ids and ids[-1] == EOS and line["finish_reason"] == "stop" else None,
        "topk_source": "decode",
        "topk": [[{"token_id": t, "logprob": p, "rank": r} for t, p, r in step] for step in line["logprobs"]],
        "answers": (score(ANSWER_LINE, line["text"], line["gold"], line["finish_reason"]),),
    }


def captured_record(run: str, question: str, category: str | None, env: Raw, line: Raw) -> RequestRecord:
    """One line of a capture."""
    metrics = line["metrics"]
    fields = output_fields(files_digest(env, TOKENIZER), line)
    return record(
        UNCAPTURED,
        run_id=run,
        question_id=question,
        request_id=question,
        model_digest=files_digest(env, WEIGHTS),
        chat_template_digest=files_digest(env, ("chat_template.jinja",)),
        adapter_digest="none",
        quantization_config=_quantization(env),
        attention_mask="all-ones",
        seed=0,
        max_output_tokens=env["args"]["max_tokens"],
        num_cached_tokens=line["num_cached_tokens"],
        num_preemptions=metrics["num_preemptions"],
        first_request=line["index"] == 0,
        arrival_unix_s=metrics["arrival_time"],
        queued_s=metrics["queued_ts"],
        scheduled_s=metrics["scheduled_ts"],
        first_token_s=metrics["first_token_ts"],
        last_token_s=metrics["last_token_ts"],
        first_token_latency_s=metrics["first_token_latency"],
        error_code="none",
        data_class="public",
        access_scope="public",
        category=category,
        **fields,
        null_reasons={} if fields["stop_token_id"] is not None else {"stop_token_id": "cut at max_output_tokens"},
    )


def captured_environment(env: Raw) -> EnvironmentRecord:
    """The environment of a vLLM deployment, from its dump."""
    kwargs, config = env["llm_kwargs"], env["vllm_config"]
    inductor = any("inductor" in path for path in env["cache_after"])
    role = "built" if env["cache_before"] == 0 and inductor else "none"
    return unknown_environment(
        UNCAPTURED,
        source="observed",
        engine="vllm (CPU build)",
        engine_version=env["vllm"],
        python_version=env["python"].split()[0],
        torch_version=env["torch"],
        transformers_version=env["transformers"],
        model_id=f"SmolLM2-135M-Instruct as {kwargs['model'].rpartition('/')[2]}",
        model_digest=files_digest(env, WEIGHTS),
        tokenizer_digest=files_digest(env, TOKENIZER),
        chat_template_digest=files_digest(env, ("chat_template.jinja",)),
        adapter_digest="none",
        quantization_config=_quantization(env),
        dtype=kwargs["dtype"],
        kv_cache_dtype=_configured(config, "kv_cache_dtype"),
        lora="none",
        gpus=(),
        gpu_link="none",
        all_reduce_path="none",
        cpu_model=" / ".join(env["cpu"]),
        cpu_features=env["cpu_flags"],
        driver="none",
        cuda_runtime="none",
        cuda_driver="none",
        cublas="none",
        cudnn="none",
        compilation_mode=f"{env['compilation_mode']} ({'eager' if kwargs['enforce_eager'] else 'compiled'})",
        compilation_options=f"vllm config {env['vllm_config_hash']}, backend {env['backend']}",
        cuda_graph_mode=env["cudagraph_mode"],
        cuda_graph_capture_sizes=(),
        tensor_parallel=int(_configured(config, "tensor_parallel_size")),
        pipeline_parallel=int(_configured(config, "pipeline_parallel_size")),
        data_parallel=int(_configured(config, "data_parallel_size")),
        parallel_topology="none",
        max_num_seqs=kwargs["max_num_seqs"],
        max_model_len=kwargs["max_model_len"],
        prefix_caching=kwargs["enable_prefix_caching"],
        chunked_prefill=_configured(config, "enable_chunked_prefill") == "True",
        speculative_decoding="none",
        determinism_env=compact_json(
            {k: v for k, v in env["env"].items() if k.startswith(("VLLM_", "TORCH")) and "/" not in v}
        ),
        capture_level="top-k",
        capture_top_k=env["args"]["topk"],
        cache_role=role,
        cache_families=({"family": "inductor", "rank": 0, "role": role}, {"family": "triton", "rank": 0, "role": "none"}),
        cache_parent="none",
        card="none",
        kernels_outside_flags="none",
    )


def files_digest(env: Raw, names: tuple[str, ...]) -> str:
    """Digest of some of the model folder's files, by name."""
    return canonical_digest("files1", {name: env["model_sha256"][name] for name in names if name in env["model_sha256"]})


def _quantization(env: Raw) -> str:
    method = _configured(env["vllm_config"], "quantization")
    return "none" if method == "None" else compact_json({"method": method, "scheme": "W8A8"})


def _configured(config: str, name: str) -> str:
    found = re.search(rf"\b{name}=([^,]+)", config)
    if found is None:
        raise ValueError(f"{name} is not in the captured vllm_config")
    return found.group(1).strip("'")
