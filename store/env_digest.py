"""Environment digests: which fields enter, how complete they are, and how to verify an old one.

The *declared* digest holds the configuration; the *full* digest adds the kernel state: what the
autotuner chose, whether caches were built or loaded, and the KV-cache size. Grouping is by full
digest with roll-up to declared. The lists below are frozen per scheme: a new field of the record
makes `env2`, and digests tagged `env1` are still re-derived from their own list.
"""

from dataclasses import dataclass

from store.contract.base import Json
from store.contract.environment import EnvironmentRecord
from store.digests import canonical_digest
from store.errors import InputError

ENV1_DECLARED: tuple[str, ...] = (
    "engine", "engine_version", "framework_commit", "container_digest", "python_version", "torch_version",
    "triton_version", "flashinfer_version", "transformers_version", "compiler",
    "model_id", "model_digest", "tokenizer_digest", "adapter_digest", "chat_template_digest", "quantization_config",
    "quantized_layers", "dtype", "kv_cache_dtype", "logits_dtype", "lora", "expert_routing_digest",
    "gpus", "gpu_link", "all_reduce_path", "cpu_model", "cpu_features", "thread_count", "driver",
    "cuda_runtime", "cuda_driver", "cublas", "cudnn",
    "attention_backend", "compilation_mode", "compilation_options", "cuda_graph_mode", "cuda_graph_capture_sizes",
    "tensor_parallel", "pipeline_parallel", "data_parallel",
    "expert_parallel", "parallel_topology", "max_num_seqs", "max_num_batched_tokens",
    "max_model_len", "kv_block_size", "prefix_caching", "chunked_prefill", "async_scheduling", "speculative_decoding",
    "deterministic_algorithms", "determinism_env", "batch_invariant", "v1_multiprocessing",
    "capture_level", "capture_top_k", "logprobs_mode",
)  # fmt: skip
ENV1_KERNEL_STATE: tuple[str, ...] = ("kernel_choice_digest", "cache_role", "cache_families", "kv_blocks")
OUTSIDE: tuple[str, ...] = (
    "kernel_files_digest", "cache_parent", "card", "host", "fingerprint", "memory_plan", "preemptions", "power_cap_w",
    "clocks", "vbios", "co_tenants", "kernels_outside_flags", "artifacts", "started_at", "ended_at",
    "source", "null_reasons",
)  # fmt: skip

SCHEMES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {"env1": (ENV1_DECLARED, ENV1_KERNEL_STATE)}
CURRENT = "env1"


@dataclass(frozen=True, slots=True)
class EnvironmentDigest:
    """Both digests of one record and how much of it is known.

    known, of: fields of the full digest that are not null, and how many there are. An incomplete
    digest groups runs but proves nothing above level 1.
    """

    declared: str
    full: str
    known: int
    of: int

    @property
    def status(self) -> str:
        return "complete" if self.known == self.of else f"incomplete ({self.known} of {self.of} fields)"


def environment_digest(record: EnvironmentRecord, scheme: str = CURRENT) -> EnvironmentDigest:
    """Digests of `record` under `scheme`. Raises InputError when this version does not know the scheme."""
    if scheme not in SCHEMES:
        raise InputError(f"unknown digest scheme {scheme!r}", fix="Upgrade flipbook-repro; known here: " + ", ".join(SCHEMES))
    declared, kernel_state = SCHEMES[scheme]
    values: dict[str, Json] = record.model_dump(mode="json")
    full = (*declared, *kernel_state)
    return EnvironmentDigest(
        declared=_digest(scheme, "declared", values, declared),
        full=_digest(scheme, "full", values, full),
        known=sum(values[name] is not None for name in full),
        of=len(full),
    )


def verify_environment(record: EnvironmentRecord, declared: str, full: str) -> bool:
    """Whether both stored digests follow from the record, each under the scheme its own tag names."""
    redone = environment_digest(record, full.partition(":")[0])
    return (redone.declared, redone.full) == (declared, full)


def _digest(scheme: str, kind: str, values: dict[str, Json], fields: tuple[str, ...]) -> str:
    return canonical_digest(scheme, {"kind": kind, "fields": {name: values[name] for name in fields}})
