"""Fields of an environment record that do not depend on the engine: machine, libraries, devices."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from runner.deploy.pick import at, int_at, salted, text_at
from store.contract.base import Json, compact_json
from store.contract.environment import Gpu

NO_STEERING = re.compile(
    r"CACHE_(DIR|ROOT)|WORKSPACE|IDENT|BUFFER_NAME|_PORT|_HOST|VISIBLE_DEVICES|LOGGING|USAGE_STATS|RPC_BASE|CUDA_(HOME|PATH)|_VERSION"
)
"""Variables that steer nothing numeric: places, names and ports, which differ in every process."""
VERSIONS = (
    ("python_version", "python"), ("torch_version", "torch"), ("triton_version", "triton"),
    ("flashinfer_version", "flashinfer"), ("transformers_version", "transformers"),
)  # fmt: skip
DEVICES = (
    "gpus", "gpu_link", "all_reduce_path", "cuda_runtime", "cublas", "cudnn", "card", "power_cap_w", "clocks", "vbios",
    "co_tenants",
)  # fmt: skip
"""What only a process on the devices can say."""
BY_DRIVER = ("power_cap_w", "clocks", "vbios", "co_tenants")
PACKAGE = "the package that runs here does not name its commit"


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields of an environment record that are known, and why some others are not."""

    known: Mapping[str, object]
    reasons: Mapping[str, str]

    def __or__(self, other: "Fields") -> "Fields":
        """Both; of a field that both tell, the other's."""
        return Fields({**self.known, **other.known}, {**self.reasons, **other.reasons})


def machine_fields(told: Json) -> Fields:
    """Host, processor, driver and devices of an `environment` line; nothing is claimed of one that was not written."""
    if told is None:
        return Fields({}, {})
    machine, workers = at(told, "machine"), _workers(told)
    devices = _device_fields(told)
    known: dict[str, object] = {
        "host": salted(text_at(machine, "host") or ""),
        "cpu_model": text_at(machine, "cpu_model"),
        "compiler": text_at(machine, "compiler"),
        "cpu_features": text_at(machine, "cpu_flags"),
        "cuda_driver": text_at(machine, "cuda_driver"),
        "determinism_env": compact_json(steering(at(machine, "environment"))),
        "thread_count": int_at(workers, 0, "threads"),
        "deterministic_algorithms": at(workers, 0, "deterministic"),
        "batch_invariant": text_at(machine, "environment", "VLLM_BATCH_INVARIANT") == "1",
    }
    return Fields(known, {}) | devices


def _device_fields(told: Json) -> Fields:
    """What the processes on the devices say of them; no process on a device was asked when only the driver tells of it."""
    machine, workers = at(told, "machine"), _workers(told)
    rows, used = at(machine, "smi"), [worker for worker in workers if at(worker, "device") is not None]
    hidden = "" if workers or at(told, "devices") == [] else _hidden_devices(machine)
    if hidden:
        known: dict[str, object] = {"driver": text_at(rows, 0, "driver_version")}
        reasons = dict.fromkeys(DEVICES, f"{hidden}; no process on it was asked")
        return Fields(known, reasons | {"driver": "nvidia-smi does not say"})
    if not used:
        none = dict.fromkeys(("cuda_runtime", "cublas", "cudnn", "card", "gpu_link", "all_reduce_path"), "none")
        driver = text_at(rows, 0, "driver_version") or "none"
        return Fields({**none, "gpus": (), "driver": driver}, dict.fromkeys(BY_DRIVER, "there is no GPU"))
    row = _row(rows, at(used, 0, "device"))
    return Fields(
        {
            "gpus": None if rows is None else _gpus(used, rows),
            "driver": text_at(row, "driver_version"),
            "cuda_runtime": text_at(used, 0, "cuda_runtime"),
            "cublas": text_at(used, 0, "cublas"),
            "cudnn": text_at(used, 0, "cudnn"),
            "card": salted(" ".join(sorted(_uuids(used)))),
            "power_cap_w": _float(text_at(row, "power.limit")),
            "clocks": None if row is None else f"SM {text_at(row, 'clocks.sm')} MHz, memory {text_at(row, 'clocks.mem')} MHz",
            "vbios": text_at(row, "vbios_version"),
            "co_tenants": _co_tenants(machine),
            "gpu_link": "none" if len(used) == 1 else text_at(machine, "link"),
        },
        dict.fromkeys(("gpus", "driver", *BY_DRIVER), "nvidia-smi is not there or fails") if rows is None else {},
    )


def _hidden_devices(machine: Json) -> str:
    """What shows that there is a GPU, although nobody on it was asked; empty when nothing does."""
    rows = at(machine, "smi")
    if isinstance(rows, list) and rows:
        return f"nvidia-smi lists {', '.join(text_at(row, 'name') or 'a device without a name' for row in rows)}"
    return "" if text_at(machine, "cuda_driver") == "none" else "a CUDA driver is loaded"


def version_fields(told: Json) -> Fields:
    """Versions of Python and of the engine's packages."""
    versions = at(told, "versions")
    known: dict[str, object] = {field: text_at(versions, name) for field, name in VERSIONS}
    return Fields(
        known | {"framework_commit": text_at(versions, "commit")}, {} if told is None else {"framework_commit": PACKAGE}
    )


def steering(environment: Json) -> dict[str, Json]:
    """The variables that can steer numerics; a preloaded library by its name and not its place."""
    found = environment if isinstance(environment, dict) else {}
    kept = {name: value for name, value in found.items() if not NO_STEERING.search(name)}
    return {name: str(value).rpartition("/")[2] if name == "LD_PRELOAD" else value for name, value in kept.items()}


def _workers(told: Json) -> list[Json]:
    """What the engine's workers say; where there is no engine, what torch says of each device that it sees."""
    found = at(told, "engine", "workers") if at(told, "engine") is not None else at(told, "devices")
    return found if isinstance(found, list) else []


def _gpus(workers: list[Json], rows: Json) -> tuple[Gpu, ...]:
    devices = [(worker, at(worker, "device")) for worker in workers]
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
