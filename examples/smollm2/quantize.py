"""A W8A8 int8 copy of a bfloat16 model folder: python quantize.py SOURCE_BF16 TARGET

Writes the compressed-tensors layout that vLLM reads: the weights of every linear layer as int8, symmetric, one scale
per output channel; activations are quantized by vLLM while it runs, per token. The embedding, to which lm_head is
tied, and the norms stay as they are. No calibration data, so the result depends on the weights alone.
"""

import argparse
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

LARGEST = 127  # -128 is left unused, so that zero stays in the middle
LINEAR = "_proj.weight"  # q, k, v, o, gate, up and down: all linear layers a Llama has besides lm_head
ALIKE = ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "generation_config.json")


@dataclass(frozen=True)
class Int8Rows:
    """A matrix as `values` (int8) times `scale` (float32, one per row, shape (rows, 1))."""

    values: torch.Tensor
    scale: torch.Tensor


def int8_rows(weight: torch.Tensor) -> Int8Rows:
    """scale = max |row| / 127; value = round_half_even(row / scale). A row of zeros has scale 1, lest it become NaN."""
    rows = weight.to(torch.float32)
    scale = rows.abs().amax(dim=1, keepdim=True) / LARGEST
    scale = torch.where(scale == 0, torch.ones_like(scale), scale)
    return Int8Rows(torch.round(rows / scale).clamp(-LARGEST, LARGEST).to(torch.int8), scale)


def quantized(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """All tensors, each linear layer's `weight` replaced by its int8 `weight` and `weight_scale`."""
    result: dict[str, torch.Tensor] = {}
    for name, tensor in tensors.items():
        if name.endswith(LINEAR):
            rows = int8_rows(tensor)
            result[name], result[f"{name}_scale"] = rows.values, rows.scale
        else:
            result[name] = tensor
    return result


def quantization_config() -> dict[str, Any]:
    """What vLLM's compressed-tensors reader takes for CompressedTensorsW8A8Int8 with scales made per token at run time."""
    int8 = {"num_bits": 8, "type": "int", "symmetric": True}
    return {
        "quant_method": "compressed-tensors",
        "format": "int-quantized",
        "quantization_status": "compressed",
        "ignore": ["lm_head"],
        "kv_cache_scheme": None,
        "config_groups": {
            "group_0": {
                "targets": ["Linear"],
                "weights": {**int8, "strategy": "channel", "dynamic": False},
                "input_activations": {**int8, "strategy": "token", "dynamic": True},
            }
        },
    }


def write_model(source: Path, target: Path) -> None:
    """A complete folder; tokenizer and chat template are copied byte for byte, so that prompts stay the same token ids."""
    target.mkdir(parents=True, exist_ok=True)
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    config["quantization_config"] = quantization_config()
    (target / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8", newline="\n")
    save_file(quantized(load_file(source / "model.safetensors")), target / "model.safetensors", metadata={"format": "pt"})
    for name in ALIKE:
        shutil.copyfile(source / name, target / name)


def main() -> None:
    """Read the command line and write the folder."""
    parser = argparse.ArgumentParser(description="A W8A8 int8 copy of a bfloat16 model folder")
    parser.add_argument("source", type=Path, metavar="SOURCE_BF16")
    parser.add_argument("target", type=Path, metavar="TARGET")
    given = parser.parse_args()
    write_model(given.source, given.target)


if __name__ == "__main__":
    main()
