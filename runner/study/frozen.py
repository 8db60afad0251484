"""The frozen plan: prompts rendered and tokenised once, kept in the work folder, and what they belong to."""

import hashlib
import hmac
from pathlib import Path

from pydantic import JsonValue, ValidationError

from runner.study.model import StudyFile
from store.contract.base import Frozen
from store.contract.record import TokenId
from store.digests import canonical_digest
from store.errors import InputError, UsageError, first_error
from store.sealed.manifest import question_set_digest
from store.sealed.rows import Question

PLAN = "plan.json"
RNG = "rng-v1"


class FrozenQuestion(Frozen):
    """One question as it is asked, whichever engine asks."""

    id: str
    gold: str | None
    category: str | None
    text: str


class FrozenPrompt(Frozen):
    """A rendered prompt and its token ids."""

    prompt: str
    ids: tuple[TokenId, ...]


class Rendered(Frozen):
    """What one tokenizer made: a prompt per question, sentinels and warm-up, and what the tokenizer is."""

    prompts: tuple[FrozenPrompt, ...]
    sentinels: tuple[tuple[TokenId, ...], ...]
    warm_up: tuple[TokenId, ...]
    tokenizer_files: dict[str, str]
    chat_template: str | None
    eos_token_ids: tuple[TokenId, ...]
    think: tuple[TokenId | None, TokenId | None]


class FrozenPlan(Frozen):
    """Everything that is asked. `rendered` is by model name of the study file; `study` is the file's whole content."""

    format: str
    study: JsonValue
    questions: tuple[FrozenQuestion, ...]
    rendered: dict[str, Rendered]

    @property
    def question_set(self) -> tuple[Question, ...]:
        """The declared question set, as bundles hold it."""
        return tuple(Question(q.id, q.gold, q.category, q.text) for q in self.questions)

    @property
    def digest(self) -> str:
        """`plan1:` digest of the whole plan."""
        return canonical_digest("plan1", self.model_dump(mode="json"))

    def request_id(self, question: str) -> str:
        """Stable across environments: the question set and the question."""
        return f"{question_set_digest(self.question_set).partition(':')[2][:12]}:{question}"


def asked_of(study: StudyFile) -> JsonValue:
    """What of a study file may not change once its prompts are frozen: all but planning, launch and label."""
    return study.model_dump(mode="json", exclude={"planning", "launch", "label"})


def load_plan(work: Path, study: StudyFile) -> FrozenPlan | None:
    """The plan frozen in a work folder; null when there is none.

    Raises UsageError when it was made from another study file, InputError when it cannot be read.
    """
    path = work / PLAN
    if not path.exists():
        return None
    try:
        plan = FrozenPlan.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise InputError(f"not a plan this version reads: {first_error(error)}", where=str(path)) from error
    if plan.study != asked_of(study):
        raise UsageError(
            "the study file is not the one whose prompts were frozen here",
            where=str(work),
            fix="Put the file back, or use another work folder: runs of two plans are not one study.",
        )
    return plan


def keep_plan(work: Path, plan: FrozenPlan) -> None:
    """Write the plan, whole or not at all."""
    new = work / f"{PLAN}.new"
    new.write_text(plan.model_dump_json(indent=1), encoding="utf-8")
    new.replace(work / PLAN)


def derived_seed(seed: int, purpose: str, request_id: str, sample: int) -> int:
    """53-bit seed of one request's own stream, whatever the order of arrival (METHOD §4.6)."""
    message = "\x1f".join((RNG, purpose, request_id, str(sample)))
    whole = hmac.new(seed.to_bytes(8, "big", signed=True), message.encode(), hashlib.sha256).digest()
    return int.from_bytes(whole[:8], "big") >> 11
