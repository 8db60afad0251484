"""The environment record: what one deployment ran on, as observed."""

from typing import Annotated, Literal

from pydantic import Field

from store.contract.base import Frozen, Reasoned

SafeInt = Annotated[int, Field(ge=-(2**53) + 1, le=2**53 - 1)]
"""Integers that have a canonical JSON form."""

CacheRole = Literal["built", "loaded", "load failed and rebuilt", "re-tuned", "mixed", "none"]


class Gpu(Frozen):
    """One rank's device. A SKU is more than its name, so all of it enters the digest."""

    rank: SafeInt
    name: str
    compute_capability: str
    sm_count: SafeInt
    memory_bytes: SafeInt
    mig_profile: str = Field(description="`none` when MIG is off.")
    ecc: bool


class CacheFamily(Frozen):
    """What became of one kernel cache in this deployment, as it happened and not as it was asked for."""

    family: Literal["inductor", "triton", "flashinfer_jit", "flashinfer_autotune"]
    rank: SafeInt
    role: CacheRole


class Artifact(Frozen):
    """A blob that was fetched and re-hashed: the proof of level 1."""

    name: str
    digest: str
    retrieved_at: str = Field(description="ISO 8601, UTC.")


class EnvironmentRecord(Reasoned):
    """One deployment's environment. Which fields enter which digest is fixed in `store.env_digest`.

    `none`, 0 and an empty list are observations ("no GPU", "no adapter"); null is "not known".
    """

    source: Literal["observed", "declared", "foreign"] = Field(
        description="Who says so: the driver and engine, a config, another tool's log."
    )

    # engine and libraries
    engine: str | None = Field(description="vllm, transformers, a hosted API, …")
    engine_version: str | None
    framework_commit: str | None
    container_digest: str | None
    python_version: str | None
    torch_version: str | None
    triton_version: str | None
    flashinfer_version: str | None
    transformers_version: str | None
    compiler: str | None
    # model
    model_id: str | None
    model_digest: str | None
    tokenizer_digest: str | None
    adapter_digest: str | None
    chat_template_digest: str | None
    quantization_config: str | None = Field(description="Canonical JSON; `none` when not quantised.")
    quantized_layers: SafeInt | None = Field(description="Layers that were really quantised.")
    dtype: str | None
    kv_cache_dtype: str | None
    logits_dtype: str | None
    lora: str | None
    expert_routing_digest: str | None
    # hardware
    gpus: tuple[Gpu, ...] | None
    gpu_link: str | None = Field(description="NVLink, PCIe, …; `none` on one device.")
    all_reduce_path: str | None
    cpu_model: str | None
    cpu_features: str | None
    thread_count: SafeInt | None
    driver: str | None
    cuda_runtime: str | None = Field(description="Toolkit runtime, as loaded.")
    cuda_driver: str | None = Field(description="CUDA version of the driver.")
    cublas: str | None
    cudnn: str | None
    # engine configuration, resolved
    attention_backend: str | None
    compilation_mode: str | None
    compilation_options: str | None
    cuda_graph_mode: str | None
    cuda_graph_capture_sizes: tuple[SafeInt, ...] | None
    tensor_parallel: SafeInt | None
    pipeline_parallel: SafeInt | None
    data_parallel: SafeInt | None
    expert_parallel: SafeInt | None
    parallel_topology: str | None = Field(description="Which rank sits on which device and node; `none` on one device.")
    max_num_seqs: SafeInt | None
    max_num_batched_tokens: SafeInt | None
    max_model_len: SafeInt | None
    kv_block_size: SafeInt | None = Field(description="Tokens per KV-cache block.")
    prefix_caching: bool | None
    chunked_prefill: bool | None
    async_scheduling: bool | None
    speculative_decoding: str | None = Field(description="Method and draft digest; `none` when off.")
    # determinism and capture
    deterministic_algorithms: bool | None
    determinism_env: str | None = Field(description="Canonical JSON of the variables that steer determinism.")
    batch_invariant: bool | None
    v1_multiprocessing: bool | None
    capture_level: Literal["none", "chosen", "top-k"] | None
    capture_top_k: SafeInt | None
    logprobs_mode: str | None
    # kernel state (enters the full digest only)
    kernel_choice_digest: str | None = Field(description="Winners of autotuning only; timings and paths stripped.")
    cache_role: CacheRole | None
    cache_families: tuple[CacheFamily, ...] | None
    kv_blocks: SafeInt | None
    # recorded beside the digests
    kernel_files_digest: str | None = Field(description="Manifest of cache files: evidence, not identity.")
    cache_parent: str | None = Field(description="Deployment that built the loaded cache; `none` when nothing was loaded.")
    card: str | None = Field(description="Salted hash of the device's UUID, or a label given to it.")
    host: str | None = Field(description="Salted hash of the host's name.")
    fingerprint: str | None = Field(description="Digest of the sentinel prompts' unrounded logprobs.")
    memory_plan: str | None
    preemptions: SafeInt | None
    power_cap_w: float | None
    clocks: str | None
    vbios: str | None
    co_tenants: SafeInt | None
    kernels_outside_flags: str | None = Field(description="Custom kernels that the determinism flag cannot reach.")
    artifacts: tuple[Artifact, ...] | None
    started_at: str | None = Field(description="ISO 8601, UTC.")
    ended_at: str | None = Field(description="ISO 8601, UTC.")


def unknown_environment(reason: str, **known: object) -> EnvironmentRecord:
    """An environment in which only `known` is known, and `reason` says why the rest is not.

    Raises pydantic's ValidationError on a field that does not exist or does not fit.
    """
    fields = [name for name in EnvironmentRecord.model_fields if name not in ("source", "null_reasons")]
    values: dict[str, object] = dict.fromkeys(fields) | {"source": "foreign"} | known
    reasons = {name: reason for name in fields if values[name] is None}
    return EnvironmentRecord.model_validate(values | {"null_reasons": reasons})
