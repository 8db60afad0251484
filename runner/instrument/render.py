"""Prompts rendered and tokenised once, when the plan is made."""

from __future__ import annotations

from .job import Job, Json
from .lines import Lines
from .retrieve import folder_of, retrieve


def render(job: Job, lines: Lines) -> None:
    """One `rendered` line per text, in the plan's order, after one that tells of tokenizer and template.

    With `chat` every text becomes a user's message and goes through the model's template; else it is the prompt.
    """
    from transformers import AutoTokenizer

    wanted: Json = job["render"]
    model = job["model"]
    tokenizer = AutoTokenizer.from_pretrained(folder_of(model["tokenizer"], model["tokenizer_revision"]))
    ends: list[int] = [tokenizer.eos_token_id] if tokenizer.eos_token_id is not None else []
    lines.write(
        {
            "kind": "tokenizer",
            "artifacts": retrieve(job),
            "chat_template": tokenizer.chat_template if wanted["chat"] else None,
            "eos_token_ids": ends,
            "think": [_only_id(tokenizer, "<think>"), _only_id(tokenizer, "</think>")],
        }
    )
    for text in wanted["texts"]:
        prompt = _prompt(tokenizer, text, wanted)
        ids = tokenizer(prompt, add_special_tokens=not wanted["chat"])["input_ids"]
        lines.write({"kind": "rendered", "prompt": prompt, "ids": ids})
    for text in wanted["plain"]:
        lines.write({"kind": "plain", "ids": tokenizer(text, add_special_tokens=False)["input_ids"]})


def _prompt(tokenizer: Json, text: str, wanted: dict[str, Json]) -> str:
    if not wanted["chat"]:
        return text
    messages = [{"role": "system", "content": wanted["system"]}] if wanted["system"] else []
    messages.append({"role": "user", "content": text})
    return str(
        tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **wanted["template_arguments"])
    )


def _only_id(tokenizer: Json, token: str) -> Json:
    ids = tokenizer(token, add_special_tokens=False)["input_ids"]
    return ids[0] if len(ids) == 1 else None
