"""Making the frozen plan: every model's tokenizer, in its engine's own Python, renders every prompt once."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

from runner.deploy.job import Desk, base_job, write_job
from runner.deploy.process import Silence, run_process
from runner.deploy.told import read_lines
from runner.sentinels import SENTINELS, WARM_UP
from runner.study.frozen import FrozenPlan, FrozenPrompt, FrozenQuestion, Rendered, asked_of, keep_plan
from runner.study.questions import load_questions, question_file
from store.contract.base import Json
from store.errors import InputError
from store.sealed.rows import Question

LOG_LINES = 12
THINK, UNTHINK = "<think>", "</think>"


def freeze(desk: Desk, say: Callable[[str], None], stop: Event) -> FrozenPlan | None:
    """Render, tokenise and keep the plan in the work folder; null, and nothing kept, when `stop` is set before the end.

    Raises InputError when an instrument fails.
    """
    part = desk.study.questions
    file = question_file(part, desk.folder)
    if file is None:
        fix = f"Fetch it first: hf download --repo-type dataset --revision {part.revision} {part.hub} {part.path}"
        raise InputError(f"the hub file {part.path!r} is not in the hub's cache", where=str(part.hub), fix=fix)
    questions = load_questions(part, file)
    rendered: dict[str, Rendered] = {}
    for cell in desk.study.cells:
        if cell.model not in rendered:
            say(f"rendering {len(questions)} prompts with the tokenizer of {cell.model}")
            made = _render(desk, cell.model, cell.engine, questions, stop)
            if made is None:
                return None
            rendered[cell.model] = made
    plan = FrozenPlan(
        format="flipbook-plan/1",
        study=asked_of(desk.study),
        questions=tuple(
            FrozenQuestion(id=q.question_id, gold=q.gold, category=q.category, text=q.text or "") for q in questions
        ),
        rendered=rendered,
    )
    keep_plan(desk.work, plan)
    return plan


def _render(desk: Desk, model: str, engine_name: str, questions: tuple[Question, ...], stop: Event) -> Rendered | None:
    folder = desk.work / "render" / model
    folder.mkdir(parents=True, exist_ok=True)
    lines, log, prompt = folder / "lines.jsonl", folder / "log.txt", desk.study.prompt
    for old in (lines, log):
        old.unlink(missing_ok=True)
    engine = desk.study.engines[engine_name]
    wanted: dict[str, Json] = {
        "texts": [prompt.template.replace("{question}", q.text or "") for q in questions],
        "plain": [*SENTINELS, WARM_UP],
        "chat": prompt.chat,
        "system": prompt.system,
        "template_arguments": {**prompt.template_arguments},
    }
    job: dict[str, Json] = {
        **base_job(desk, engine, desk.study.models[model], lines),
        "task": "render",
        "render": wanted,
    }
    write_job(folder / "job.json", job)
    command = desk.command(engine, desk.study.launch.devices[0], "render", folder / "job.json")
    limit = desk.study.launch.start_limit_s
    ended = run_process(command, log, lines, Silence(limit, limit), stop, lambda: "")
    if stop.is_set():
        return None
    found = [line for line in read_lines(lines) if isinstance(line, dict)]
    if not found or found[-1]["kind"] != "end":
        raise InputError(_why(found, ended.why, log), where=f"rendering with {model}", fix=f"{log} has the whole log.")
    rendered = _rendered(found)
    if desk.study.prompt.thinking == "off" and rendered.think[0] is not None and not all(map(_closed, rendered.prompts)):
        raise InputError(
            "thinking is to be off, and a prompt does not close a think block",
            where=f"rendering with {model}",
            fix="See what the chat template takes for it, and put that into template_arguments.",
        )
    return rendered


def _closed(prompt: FrozenPrompt) -> bool:
    """Whether the prompt holds a think block and closed its last one: the template was told not to think."""
    return -1 < prompt.prompt.rfind(THINK) < prompt.prompt.rfind(UNTHINK)


def _rendered(lines: list[dict[str, Json]]) -> Rendered:
    told = next(line for line in lines if line["kind"] == "tokenizer")
    plain = [line["ids"] for line in lines if line["kind"] == "plain"]
    files = told["artifacts"]
    assert isinstance(files, dict)
    values = {
        "prompts": [
            FrozenPrompt.model_validate({"prompt": x["prompt"], "ids": x["ids"]}) for x in lines if x["kind"] == "rendered"
        ],
        "sentinels": plain[:-1],
        "warm_up": plain[-1],
        "tokenizer_files": {**_names(files["tokenizer"]), **_names(files["template"])},
        "chat_template": told["chat_template"],
        "eos_token_ids": told["eos_token_ids"],
        "think": told["think"],
    }
    return Rendered.model_validate(values)


def _names(files: Json) -> dict[str, Json]:
    return files if isinstance(files, dict) else {}


def _why(lines: list[dict[str, Json]], ended: str, log: Path) -> str:
    failed = next((line for line in lines if line["kind"] == "failed"), None)
    if failed is not None:
        return f"{failed['error']}: {failed['text']}"
    tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:] if log.exists() else []
    return f"{ended or 'the instrument ended without a word'}: " + " / ".join(line.strip() for line in tail)
