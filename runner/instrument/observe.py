"""What this machine, these libraries and these devices are, asked of themselves and never of a declaration."""

from __future__ import annotations

import csv
import ctypes
import os
import platform
import re
import subprocess
import sys
from importlib import metadata

from .job import Json

PACKAGES = ("vllm", "torch", "transformers", "triton", "flashinfer")
SMI_FIELDS = (
    "index", "uuid", "name", "memory.total", "driver_version", "compute_cap", "mig.mode.current", "ecc.mode.current",
    "power.limit", "clocks.sm", "clocks.mem", "vbios_version",
)  # fmt: skip
CPU_FLAGS = ("avx", "avx2", "fma", "f16c", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "amx_bf16", "amx_int8")
STEERING = re.compile(r"VLLM_|TORCH|CUBLAS|CUDA_|NCCL_|FLASHINFER_|TRITON_|OMP_|MKL_|NVIDIA_TF32|PYTORCH_|LD_PRELOAD|MALLOC")


def machine() -> dict[str, Json]:
    """Processor, host, NVIDIA devices as the driver lists them, and the variables that steer numerics."""
    return {
        "host": platform.node(),
        "cpu_model": _cpu_model(),
        "cpu_flags": _cpu_flags(),
        "compiler": _compiler(),
        "smi": _smi(["--query-gpu=" + ",".join(SMI_FIELDS)]),
        "smi_processes": _smi(["--query-compute-apps=pid"]),
        "link": _link(),
        "cuda_driver": _cuda_driver(),
        "environment": {name: value for name, value in sorted(os.environ.items()) if STEERING.match(name)},
        "in_container": os.path.exists("/.dockerenv") or os.path.exists("/run/.containerenv"),
        "container_digest": os.environ.get("FLIPBOOK_CONTAINER_DIGEST"),
    }


def engine_versions() -> dict[str, Json]:
    """Versions of Python and of the engine's packages by import name; `none` for one that is not installed."""
    owners = metadata.packages_distributions()
    found: dict[str, Json] = {"python": platform.python_version()}
    for package in PACKAGES:
        names = owners.get(package)
        found[package] = metadata.version(names[0]) if names else "none"
        if package == "vllm":
            found["distribution"] = names[0] if names else "none"
    found["commit"] = _commit()
    return found


def worker_state(worker: Json) -> dict[str, Json]:
    """Run inside every vLLM worker: its device, threads, attention backends and layers that are really quantised."""
    runner = worker.model_runner
    backends = sorted({group.backend.get_name() for groups in runner.attn_groups for group in groups})
    methods = [type(m.quant_method).__name__ for m in runner.model.modules() if getattr(m, "quant_method", None) is not None]
    quantized = [name for name in methods if "Unquantized" not in name and "KVCache" not in name]
    return {**torch_state(), "rank": worker.rank, "attention": backends, "quantized_layers": len(quantized)}


def torch_state() -> dict[str, Json]:
    """torch in this process: threads, flags, device, and the CUDA libraries that are really loaded."""
    import torch

    state: dict[str, Json] = {
        "rank": 0,
        "threads": torch.get_num_threads(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "default_dtype": str(torch.get_default_dtype()),
        "device": None,
        "peak_device_bytes": None,
        "cublas": None,
        "cuda_runtime": None,
        "cudnn": None,
    }
    if torch.cuda.is_available():
        index = torch.cuda.current_device()
        state.update(_device(index))
        state["peak_device_bytes"] = torch.cuda.max_memory_allocated(index)
    return state


def devices() -> list[dict[str, Json]] | None:
    """What torch says of every device that this process may see, by ordinal; null where there is no torch to say it."""
    try:
        import torch
    except (ImportError, OSError):
        return None
    if not torch.cuda.is_available():
        return []
    return [{"rank": index, **_device(index)} for index in range(torch.cuda.device_count())]


def _device(index: int) -> dict[str, Json]:
    import torch

    shown = torch.cuda.get_device_properties(index)
    return {
        "device": {
            "index": index,
            "uuid": str(getattr(shown, "uuid", "")),
            "name": shown.name,
            "sm_count": shown.multi_processor_count,
            "memory_bytes": shown.total_memory,
            "compute_capability": f"{shown.major}.{shown.minor}",
        },
        "cublas": _loaded("libcublasLt.so", "cublasLtGetVersion"),
        "cuda_runtime": str(torch.version.cuda),
        "cudnn": str(torch.backends.cudnn.version()),
    }


def _cpu_model() -> str | None:
    names = _cpuinfo("model name")
    kind = "/".join(next(iter(_cpuinfo(key)), "?") for key in ("cpu family", "model", "stepping"))
    return f"{names[0]} (family/model/stepping {kind})" if names else None


def _cpu_flags() -> str | None:
    lines = _cpuinfo("flags")
    return " ".join(flag for flag in CPU_FLAGS if flag in lines[0].split()) if lines else None


def _cpuinfo(key: str) -> list[str]:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            pairs = [line.partition(":") for line in file]
    except OSError:
        return []
    return [value.strip() for name, _, value in pairs if name.strip() == key]


def _compiler() -> str | None:
    """First line of what the C++ compiler says of itself: kernels for processors are compiled by it."""
    try:
        command = [os.environ.get("CXX") or "g++", "--version"]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()[0]
    except (OSError, subprocess.SubprocessError, IndexError):
        return None


def _smi(arguments: list[str]) -> list[dict[str, str]] | None:
    """Rows of nvidia-smi by field; null where there is no such command or it fails."""
    try:
        command = ["nvidia-smi", *arguments, "--format=csv,noheader,nounits"]
        text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    fields = arguments[0].partition("=")[2].split(",")
    return [dict(zip(fields, (cell.strip() for cell in row))) for row in csv.reader(text.splitlines())]


def _link() -> str | None:
    try:
        done = subprocess.run(["nvidia-smi", "topo", "-m"], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def _cuda_driver() -> str | None:
    """CUDA version that the driver speaks; `none` without a driver."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "none"
    version = ctypes.c_int()
    if library.cuDriverGetVersion(ctypes.byref(version)) != 0:
        return None
    return f"{version.value // 1000}.{version.value % 1000 // 10}"


def _loaded(name: str, function: str) -> str | None:
    """Version that a library mapped into this process says it has."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
        paths = {line.split(maxsplit=5)[-1].strip() for line in file if name in line}
    for path in sorted(paths):
        call = getattr(ctypes.CDLL(path), function)
        call.restype = ctypes.c_size_t
        return str(call())
    return None


def _commit() -> str | None:
    module = sys.modules.get("vllm")
    return None if module is None else getattr(getattr(module, "_version", None), "__commit_id__", None)
