"""Fields of an environment record that an engine says of itself, as resolved and not as asked for."""

from runner.deploy.pick import at, bool_at, int_at, text_at
from store.contract.base import Json, compact_json

COMPILE_MODES = {0: "none", 1: "stock torch.compile", 2: "dynamo trace once", 3: "vllm compile"}
COMPILE_KEYS = (
    "backend", "custom_ops", "splitting_ops", "compile_sizes", "inductor_compile_config", "pass_config",
    "use_inductor_graph_partition", "dynamic_shapes_config",
)  # fmt: skip


def vllm_fields(engine: Json) -> dict[str, object]:
    """From a resolved vLLM configuration, told by the engine or by a server of it; empty when there is none."""
    config = at(engine, "config") if at(engine, "config") is not None else at(engine, "info", "vllm_config")
    if not isinstance(config, dict):
        return {}
    workers = at(engine, "workers")
    compilation, parallel, cache = config.get("compilation_config"), config.get("parallel_config"), config.get("cache_config")
    scheduler, model = config.get("scheduler_config"), config.get("model_config")
    sizes = at(compilation, "cudagraph_capture_sizes")
    ranks = len(workers) if isinstance(workers, list) else 0
    mode = int_at(compilation, "mode")
    return {
        "dtype": (text_at(model, "dtype") or "").removeprefix("torch.") or None,
        "quantization_config": _quantization(model),
        "quantized_layers": int_at(workers, 0, "quantized_layers"),
        "kv_cache_dtype": text_at(cache, "cache_dtype"),
        "lora": "none" if config.get("lora_config") is None else compact_json(config["lora_config"]),
        "expert_routing_digest": "none" if bool_at(parallel, "is_moe_model") is False else None,
        "attention_backend": _backends(workers),
        "compilation_mode": None if mode is None else COMPILE_MODES.get(mode, str(mode)),
        "compilation_options": compact_json({key: at(compilation, key) for key in COMPILE_KEYS}),
        "cuda_graph_mode": compact_json(at(compilation, "cudagraph_mode")).strip('"'),
        "cuda_graph_capture_sizes": tuple(sizes) if isinstance(sizes, list) else (),
        "tensor_parallel": int_at(parallel, "tensor_parallel_size"),
        "pipeline_parallel": int_at(parallel, "pipeline_parallel_size"),
        "data_parallel": int_at(parallel, "data_parallel_size"),
        "expert_parallel": _expert_parallel(parallel),
        "parallel_topology": "none" if ranks == 1 else compact_json([at(w, "device", "index") for w in _list(workers)]),
        "all_reduce_path": "none" if ranks == 1 else _all_reduce(parallel),
        "max_num_seqs": int_at(scheduler, "max_num_seqs"),
        "max_num_batched_tokens": int_at(scheduler, "max_num_batched_tokens"),
        "max_model_len": int_at(model, "max_model_len"),
        "kv_block_size": int_at(cache, "block_size"),
        "kv_blocks": int_at(cache, "num_gpu_blocks"),
        "prefix_caching": bool_at(cache, "enable_prefix_caching"),
        "chunked_prefill": bool_at(scheduler, "enable_chunked_prefill"),
        "async_scheduling": bool_at(scheduler, "async_scheduling"),
        "speculative_decoding": "none"
        if config.get("speculative_config") is None
        else compact_json(config["speculative_config"]),
        "v1_multiprocessing": text_at(parallel, "distributed_executor_backend") != "uni" if ranks else None,
        "logprobs_mode": text_at(model, "logprobs_mode"),
        "memory_plan": compact_json({key: at(cache, key) for key in ("kv_cache_memory_bytes", "kv_cache_size_tokens")}),
    }


def transformers_fields(engine: Json) -> dict[str, object]:
    """From the transformers engine: one request at a time, so what schedules is off or one; empty when it did not start."""
    if engine is None:
        return {}
    return {
        "dtype": text_at(engine, "dtype"),
        "quantization_config": "none" if int_at(engine, "quantized_layers") == 0 else None,
        "quantized_layers": int_at(engine, "quantized_layers"),
        "lora": "none",
        "attention_backend": text_at(engine, "attention"),
        "compilation_mode": "none",
        "compilation_options": "none",
        "cuda_graph_mode": "none",
        "cuda_graph_capture_sizes": (),
        "tensor_parallel": 1,
        "pipeline_parallel": 1,
        "data_parallel": 1,
        "expert_parallel": 1,
        "parallel_topology": "none",
        "all_reduce_path": "none",
        "max_num_seqs": 1,
        "max_num_batched_tokens": 0,
        "kv_block_size": 0,
        "kv_blocks": 0,
        "kv_cache_dtype": text_at(engine, "dtype"),
        "v1_multiprocessing": False,
        "memory_plan": "none",
        "expert_routing_digest": None if bool_at(engine, "experts") is not False else "none",
        "max_model_len": int_at(engine, "max_model_len"),
        "prefix_caching": False,
        "chunked_prefill": False,
        "async_scheduling": False,
        "speculative_decoding": "none",
        "logprobs_mode": "raw_logprobs",
    }


def _quantization(model: Json) -> str | None:
    method = at(model, "quantization")
    return "none" if method is None else compact_json({"method": method})


def _backends(workers: Json) -> str | None:
    names = sorted({str(name) for worker in _list(workers) for name in _list(at(worker, "attention"))})
    return ", ".join(names) or None


def _expert_parallel(parallel: Json) -> int | None:
    on = bool_at(parallel, "enable_expert_parallel")
    return None if on is None else (int_at(parallel, "tensor_parallel_size") if on else 1)


def _all_reduce(parallel: Json) -> str | None:
    off = bool_at(parallel, "disable_custom_all_reduce")
    return None if off is None else "NCCL" if off else "custom"


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
