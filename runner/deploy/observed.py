"""Fields of an environment record that do not depend on the engine: machine, libraries, devices."""

import json
import re

from runner.deploy.pick import at, int_at, salted, text_at
from store.contract.base import Json
from store.contract.environment import Gpu

NO_STEERING = re.compile(
    r"CACHE_(DIR|ROOT)|WORKSPACE|IDENT|BUFFER_NAME|_PORT|_HOST|VISIBLE_DEVICES|LOGGING|USAGE_STATS|RPC_BASE|CUDA_(HOME|PATH)|_VERSION"
)
"""Variables that steer nothing numeric: places, names and ports, which differ in every process."""
VERSIONS = (
    ("python_version", "python"), ("torch_version", "torch"), ("triton_version", "triton"),
    ("flashinfer_version", "flashinfer"), ("transformers_version", "transformers"),
)  # fmt: skip
PACKAGE = "the package that runs here does not name its commit"


def canonical_text(value: Json) -> str:
    """Compact JSON with sorted keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def machine_fields(told: Json) -> dict[str, object]:
    """Host, processor, driver and devices of an `environment` line."""
    machine, workers = at(told, "machine"), _workers(told)
    rows = at(machine, "smi")
    gpus = None if rows is None and any(at(w, "device") is not None for w in workers) else _gpus(workers, rows)
    on_gpu = bool(gpus)
    first = at(rows, 0)
    known: dict[str, object] = {
        "host": salted(text_at(machine, "host") or ""),
        "cpu_model": text_at(machine, "cpu_model"),
        "compiler": text_at(machine, "compiler"),
        "cpu_features": text_at(machine, "cpu_flags"),
        "gpus": gpus,
        "cuda_driver": text_at(machine, "cuda_driver"),
        "determinism_env": canonical_text(steering(at(machine, "environment"))),
        "thread_count": int_at(workers[0], "threads") if workers else None,
        "deterministic_algorithms": at(workers[0], "deterministic") if workers else None,
        "batch_invariant": text_at(machine, "environment", "VLLM_BATCH_INVARIANT") == "1",
    }
    if on_gpu:
        known |= {
            "driver": text_at(first, "driver_version"),
            "cuda_runtime": text_at(workers[0], "cuda_runtime"),
            "cublas": text_at(workers[0], "cublas"),
            "cudnn": text_at(workers[0], "cudnn"),
            "card": salted(" ".join(sorted(_uuids(workers)))),
            "power_cap_w": _float(text_at(first, "power.limit")),
            "clocks": f"SM {text_at(first, 'clocks.sm')} MHz, memory {text_at(first, 'clocks.mem')} MHz",
            "vbios": text_at(first, "vbios_version"),
            "co_tenants": _co_tenants(machine),
            "gpu_link": "none" if len(workers) == 1 else text_at(machine, "link"),
        }
    elif gpus == ():
        known |= dict.fromkeys(("driver", "cuda_runtime", "cublas", "cudnn", "card", "gpu_link", "all_reduce_path"), "none")
    return known


def version_fields(told: Json) -> dict[str, object]:
    """Versions of Python and of the engine's packages."""
    versions = at(told, "versions")
    known: dict[str, object] = {field: text_at(versions, name) for field, name in VERSIONS}
    return known | {"framework_commit": text_at(versions, "commit")}


def steering(environment: Json) -> dict[str, Json]:
    """The variables that can steer numerics; a preloaded library by its name and not its place."""
    found = environment if isinstance(environment, dict) else {}
    kept = {name: value for name, value in found.items() if not NO_STEERING.search(name)}
    return {name: str(value).rpartition("/")[2] if name == "LD_PRELOAD" else value for name, value in kept.items()}


def _workers(told: Json) -> list[Json]:
    found = at(told, "engine", "workers")
    return found if isinstance(found, list) else []


def _gpus(workers: list[Json], rows: Json) -> tuple[Gpu, ...]:
    devices = [(w, at(w, "device")) for w in workers if at(w, "device") is not None]
    return tuple(
        Gpu(
            rank=int_at(worker, "rank") or 0,
            name=text_at(device, "name") or "",
            compute_capability=text_at(device, "compute_capability") or "",
            sm_count=int_at(device, "sm_count") or 0,
            memory_bytes=int_at(device, "memory_bytes") or 0,
            mig_profile=_mig(_row(rows, device)),
            ecc=text_at(_row(rows, device), "ecc.mode.current") == "Enabled",
        )
        for worker, device in devices
    )


def _row(rows: Json, device: Json) -> Json:
    """nvidia-smi's row of a device, found by UUID: torch counts only the visible ones."""
    uuid = (text_at(device, "uuid") or "").removeprefix("GPU-")
    found = rows if isinstance(rows, list) else []
    return next((row for row in found if (text_at(row, "uuid") or "").removeprefix("GPU-") == uuid), at(rows, 0))


def _mig(row: Json) -> str:
    mode = text_at(row, "mig.mode.current")
    return "none" if mode in (None, "Disabled", "[N/A]", "N/A") else "enabled"


def _uuids(workers: list[Json]) -> list[str]:
    return [text_at(worker, "device", "uuid") or "" for worker in workers]


def _co_tenants(machine: Json) -> int | None:
    """Compute processes on the devices beside the engine's own ones, as far as the driver shows them."""
    processes = at(machine, "smi_processes")
    return max(len(processes) - 1, 0) if isinstance(processes, list) else None


def _float(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
