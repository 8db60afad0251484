"""From tries to a sealed bundle: every run of them, complete or not, with its environment."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.deploy.deployment import Tried, environment_of
from runner.deploy.job import Desk
from runner.deploy.performance import performance_of
from runner.deploy.records import Asked, record_of
from runner.deploy.told import Told
from runner.study.frozen import FrozenPlan
from runner.study.grid import PlannedRun
from store.contract.environment import EnvironmentRecord
from store.contract.record import RequestRecord
from store.contract.run import BundleManifest, RunState, SourceFile
from store.digests import file_sha256
from store.sealed.flatten import flatten
from store.sealed.runbook import RunBook, RunLabels, Taken
from store.sealed.write import BundleHead, BundleWriter


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed bundle."""

    folder: Path
    manifest: BundleManifest


def seal(
    desk: Desk, plan: FrozenPlan, tries: Sequence[Tried], builders: dict[str, Tried], target: Path, created_by: str
) -> Sealed:
    """Seal tries into one bundle at `target`, replacing an older one there; whole or not at all.

    Raises OSError when the disk is full; what the instruments wrote stays, so that it can be sealed later.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    for left in target.parent.glob(f".{target.name}.*"):  # by a runner that was killed
        shutil.rmtree(left)
    staging = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        manifest = _seal_into(staging, desk, plan, tries, builders, created_by)
        old = target.with_name(f".{target.name}.old")
        if target.exists():
            target.rename(old)
        staging.rename(target)
        shutil.rmtree(old, ignore_errors=True)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    return Sealed(target, manifest)


def _seal_into(
    folder: Path, desk: Desk, plan: FrozenPlan, tries: Sequence[Tried], builders: dict[str, Tried], created_by: str
) -> BundleManifest:
    spec = desk.study.spec
    book, writer = RunBook(spec.name), BundleWriter(folder)
    try:
        for tried in tries:
            told, environment = tried.told(), environment_of(desk, plan, tried, builders)
            for run in tried.runs:
                _add(desk, plan, tried, told, environment, run, book, writer)
        sources = tuple(_source(tried.lines, tried.deployment_id) for tried in tries if tried.lines.exists())
        head = BundleHead(desk.study.study, desk.study.label, spec.name, (spec,), plan.question_set, sources, created_by)
        return writer.seal(head, book.manifests(), book.environments().items())
    finally:
        writer.abandon()


def _add(
    desk: Desk,
    plan: FrozenPlan,
    tried: Tried,
    told: Told,
    environment: EnvironmentRecord,
    run: PlannedRun,
    book: RunBook,
    writer: BundleWriter,
) -> None:
    run_id = run.run_id + tried.suffix
    book.open(RunLabels(run_id, run.cell, run.arm, run.repeat, tried.deployment_id, run.role))
    book.note_environment(tried.deployment_id, environment)
    records = list(_records(desk, plan, told, environment, run, run_id))
    distinct = 0
    for record in records:
        flat = flatten(record)
        if book.take(flat) is Taken.NEW:
            distinct += 1
            writer.add(flat)
    book.note_performance(run_id, performance_of(told, records, run.pass_index, desk.study.planning))
    state, why = _state(desk, plan, tried, distinct)
    if state is not RunState.COMPLETE:
        book.mark(run_id, state, why)


def _records(
    desk: Desk, plan: FrozenPlan, told: Told, environment: EnvironmentRecord, run: PlannedRun, run_id: str
) -> Iterator[RequestRecord]:
    asked = Asked(
        plan=plan,
        rendered=plan.rendered[desk.cell(run.entry).model],
        sampling=desk.study.sampling,
        spec=desk.study.spec,
        model_digest=environment.model_digest,
        tokenizer_digest=environment.tokenizer_digest,
        quantization=environment.quantization_config,
        governance=desk.study.questions.model_dump(include={"data_class", "access_scope", "retention_until"}),
    )
    places = {question.id: place for place, question in enumerate(plan.questions)}
    for reply in told.records:
        if reply.key[1] == run.pass_index:
            yield record_of(asked, run_id, run.pass_index, places[str(reply.key[0])], reply)


def _state(desk: Desk, plan: FrozenPlan, tried: Tried, answers: int) -> tuple[RunState, str]:
    """Incomplete when its deployment broke off, even after the last answer: a successor will stand beside it."""
    wanted = len(plan.questions) * desk.study.sampling.samples
    if (trouble := tried.trouble()) or answers < wanted:
        return RunState.INCOMPLETE, f"{answers} of {wanted} answers: {trouble or 'the rest was not given'}"
    return RunState.COMPLETE, ""


def _source(path: Path, name: str) -> SourceFile:
    return SourceFile(name=f"{name}.jsonl", sha256=file_sha256(path), bytes=path.stat().st_size, mapping="flipbook run")
