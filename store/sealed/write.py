"""Writing a bundle: rows are appended to part files, then sorted, sealed and described by a manifest."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from store.contract.environment import EnvironmentRecord
from store.contract.record import RequestRecord
from store.contract.run import BundleManifest, QuestionSet, RunManifest, SealedFile, SourceFile
from store.digests import file_sha256
from store.sealed.columns import FILES, SORTED_BY
from store.sealed.flatten import FlatRecord
from store.sealed.manifest import bundle_content_digest, fsync, question_set_digest, write_manifest
from store.sealed.rows import HEAVY_ROWS, Question, Refused, SealedRow, environment_row, question_row, refused_row

FLUSH_ROWS = 4_000
ROW_GROUP = 16_384


@dataclass(frozen=True, slots=True)
class BundleHead:
    """What the manifest says beside its runs and files."""

    study: str
    label: str
    main_extractor: str | None
    declared_questions: tuple[Question, ...]
    sources: tuple[SourceFile, ...]
    created_by: str


@dataclass(slots=True)
class BundleWriter:
    """Appends records to part files in `folder`, then seals the runs that are kept.

    Outputs, prompts and captures are written once per question and digest. Raises OSError when the
    disk is full; the folder is then the caller's to remove.
    """

    folder: Path
    _rows: dict[str, list[SealedRow]] = field(default_factory=lambda: {name: [] for name in FILES})
    _parts: dict[str, pq.ParquetWriter] = field(default_factory=dict)
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def add(self, flat: FlatRecord) -> None:
        """Append one record."""
        self._append("facts", dict(flat.fact))
        for answer in flat.answers:
            self._append("answers", dict(answer))
        record = flat.record
        self._once("outputs", str(flat.fact["output_digest"]), record)
        self._once("prompts", str(flat.fact["prompt_digest"]), record)
        if record.topk is not None:
            self._once("logprobs", str(flat.fact["logprobs_digest"]), record)

    def refuse(self, refused: Refused) -> None:
        """Append one refused line."""
        self._append("refused", refused_row(refused))

    def seal(
        self, head: BundleHead, runs: Iterable[RunManifest], environments: Iterable[tuple[str, EnvironmentRecord]]
    ) -> BundleManifest:
        """Sort and write the final files for `runs`, and the manifest; part files are removed."""
        kept = tuple(sorted(runs, key=lambda run: run.run_id))
        for deployment_id, environment in environments:
            self._append("environments", environment_row(deployment_id, environment))
        for question in head.declared_questions:
            self._append("questions", question_row(question))
        self._close_parts()
        run_ids = pa.array([run.run_id for run in kept], pa.string())
        facts = self._sealed_table("facts", run_ids, "run_id")
        files = [self._write("facts", facts)]
        files.append(self._write("answers", self._sealed_table("answers", run_ids, "run_id")))
        for name, column in (("outputs", "output_digest"), ("prompts", "prompt_digest"), ("logprobs", "logprobs_digest")):
            files.append(
                self._write(name, self._sealed_table(name, pc.unique(facts[column].combine_chunks()).drop_null(), column))
            )
        files.extend(self._write(name, self._sealed_table(name, None, "")) for name in ("questions", "environments", "refused"))
        for part in self.folder.glob("*.part"):
            part.unlink()
        return write_manifest(self.folder, _manifest(head, kept, tuple(files)))

    def _append(self, name: str, row: SealedRow) -> None:
        rows = self._rows[name]
        rows.append(row)
        if len(rows) >= FLUSH_ROWS:
            self._flush(name)

    def _once(self, name: str, digest: str, record: RequestRecord) -> None:
        if (record.question_id, digest) not in self._seen:
            self._seen.add((record.question_id, digest))
            self._append(name, HEAVY_ROWS[name](digest, record))

    def _flush(self, name: str) -> None:
        if rows := self._rows[name]:
            if name not in self._parts:
                self._parts[name] = pq.ParquetWriter(self.folder / f"{name}.part", FILES[name], compression="zstd")
            self._parts[name].write_table(pa.Table.from_pylist(rows, schema=FILES[name]))
            rows.clear()

    def _close_parts(self) -> None:
        for name in FILES:
            self._flush(name)
        for part in self._parts.values():
            part.close()

    def _sealed_table(self, name: str, keep: pa.Array[Any] | None, column: str) -> pa.Table:
        part = self.folder / f"{name}.part"
        table = pq.read_table(part, schema=FILES[name]) if part.exists() else FILES[name].empty_table()
        if keep is not None:
            table = table.filter(pc.is_in(table[column], value_set=keep))
        return table.sort_by([(key, "ascending") for key in SORTED_BY[name]])

    def _write(self, name: str, table: pa.Table) -> SealedFile:
        path = self.folder / f"{name}.parquet"
        pq.write_table(table, path, compression="zstd", compression_level=15, row_group_size=ROW_GROUP)
        fsync(path)
        return SealedFile(name=path.name, sha256=file_sha256(path), bytes=path.stat().st_size, rows=table.num_rows)


def _manifest(head: BundleHead, runs: tuple[RunManifest, ...], files: tuple[SealedFile, ...]) -> BundleManifest:
    questions = head.declared_questions
    bare = BundleManifest(
        format="flipbook-bundle/1",
        study=head.study,
        label=head.label,
        main_extractor=head.main_extractor,
        question_set=QuestionSet(declared=bool(questions), count=len(questions), digest=question_set_digest(questions)),
        runs=runs,
        files=files,
        sources=head.sources,
        created_by=head.created_by,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        content_digest="",
        generation=None,
    )
    return bare.model_copy(update={"content_digest": bundle_content_digest(bare)})
