"""Shared by the scripts that build the bundled studies: records in, a sealed bundle out."""

from collections.abc import Iterable
from pathlib import Path

from flipbook import __version__
from store.contract.environment import EnvironmentRecord
from store.contract.record import NULLABLE_FIELDS, RequestRecord
from store.contract.run import BundleManifest, SourceFile
from store.digests import file_sha256
from store.extractors.shipped import ANSWER_LINE
from store.sealed.flatten import flatten
from store.sealed.rows import Question
from store.sealed.runbook import RunBook, RunLabels, Taken
from store.sealed.write import BundleHead, BundleWriter

MAIN = "answer-line@1"


def record(why_null: str, **known: object) -> RequestRecord:
    """A record in which `known` is known and every other nullable field is null because of `why_null`."""
    values: dict[str, object] = dict.fromkeys(NULLABLE_FIELDS) | {"attempt": 0, "pass_index": 0, "sample_index": 0} | known
    reasons = {name: why_null for name in NULLABLE_FIELDS if values[name] is None}
    return RequestRecord.model_validate(values | {"null_reasons": reasons | (known.get("null_reasons") or {})})  # type: ignore[operator]


def seal_study(
    folder: Path,
    study: str,
    label: str,
    runs: Iterable[tuple[RunLabels, EnvironmentRecord, Iterable[RequestRecord]]],
    questions: tuple[Question, ...],
    sources: Iterable[Path],
) -> BundleManifest:
    """Write the sealed bundle of a study into `folder`, which must not exist."""
    folder.mkdir(parents=True)
    book, writer = RunBook(MAIN), BundleWriter(folder)
    for labels, environment, records in runs:
        if contradiction := book.open(labels):
            raise ValueError(contradiction)
        book.note_environment(labels.deployment_id, environment)
        for one in records:
            flat = flatten(one)
            if book.take(flat) is not Taken.NEW:
                raise ValueError(f"two records of {flat.key}")
            writer.add(flat)
    files = tuple(_source(path, study) for path in sources)
    head = BundleHead(study, label, MAIN, (ANSWER_LINE,), questions, files, f"flipbook {__version__}")
    return writer.seal(head, book.manifests(), book.environments().items())


def _source(path: Path, study: str) -> SourceFile:
    return SourceFile(name=path.name, sha256=file_sha256(path), bytes=path.stat().st_size, mapping=f"examples/build_{study}")
