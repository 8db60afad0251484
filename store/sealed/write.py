"""Writing a bundle: rows are appended to part files, then sorted, sealed and described by a manifest."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from store.contract.environment import EnvironmentRecord
from store.contract.record import RequestRecord
from store.contract.run import BundleManifest, QuestionSet, RunManifest, SealedFile, SourceFile
from store.digests import file_sha256
from store.extractors.spec import ExtractorSpec
from store.sealed.columns import FILES, SORTED_BY
from store.sealed.flatten import FlatRecord
from store.sealed.manifest import bundle_content_digest, fsync, question_set_digest, write_manifest
from store.sealed.rows import HEAVY_ROWS, Question, Refused, SealedRow, environment_row, question_row, refused_row

FLUSH_ROWS = 4_000
ROW_GROUP = 131_072
COMPRESSION_LEVEL = 15


@dataclass(frozen=True, slots=True)
class BundleHead:
    """What the manifest says beside its runs and files."""

    study: str
    label: str
    main_extractor: str | None
    extractors: tuple[ExtractorSpec, ...]
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
        for deployment_id, environment in environments:
            self._append("environments", environment_row(deployment_id, environment))
        for question in head.declared_questions:
            self._append("questions", question_row(question))
        self._close_parts()
        manifest = seal_tables(self.folder, self._table, head, runs)
        for part in self.folder.glob("*.part"):
            part.unlink()
        return manifest

    def abandon(self) -> None:
        """Give up the part files, without the last writes that a full disk would refuse again."""
        for part in self._parts.values():
            with suppress(OSError):
                part.close()
            part.is_open = False
        self._parts.clear()

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
        self._parts.clear()

    def _table(self, name: str) -> pa.Table:
        part = self.folder / f"{name}.part"
        return pq.read_table(part, schema=FILES[name]) if part.exists() else FILES[name].empty_table()


def seal_tables(
    folder: Path, table: Callable[[str], pa.Table], head: BundleHead, runs: Iterable[RunManifest]
) -> BundleManifest:
    """Write the sorted final files of `runs` into `folder`, and the manifest.

    `table` gives each file's rows by name; rows of other runs, and outputs, prompts, captures and
    environments that only they used, are left out.
    """
    kept = tuple(sorted(runs, key=lambda run: run.run_id))
    facts = _only(table("facts"), "run_id", [run.run_id for run in kept])
    tables = {name: table(name) for name in FILES if name != "facts"} | {"facts": facts}
    tables["answers"] = _only(tables["answers"], "run_id", [run.run_id for run in kept])
    tables["refused"] = _not_of(tables["refused"], set(table("facts")["run_id"].to_pylist()) - {run.run_id for run in kept})
    tables["environments"] = _only(tables["environments"], "deployment_id", [run.deployment_id for run in kept])
    for name, column in (("outputs", "output_digest"), ("prompts", "prompt_digest"), ("logprobs", "logprobs_digest")):
        tables[name] = _only(tables[name], column, facts[column].unique().drop_null().to_pylist())
    return write_manifest(folder, _manifest(head, kept, tuple(_write(folder, name, tables[name]) for name in FILES)))


def _only(table: pa.Table, column: str, wanted: Sequence[str | None]) -> pa.Table:
    return table.filter(pc.is_in(table[column], value_set=pa.array(wanted, pa.string())))


def _not_of(refused: pa.Table, left_out: set[str | None]) -> pa.Table:
    """Refused lines less those of runs that are left out; a run without one good record has its lines only here."""
    theirs = pc.is_in(refused["run_id"], value_set=pa.array(sorted(filter(None, left_out)), pa.string()))
    return refused.filter(pc.invert(theirs))


def _write(folder: Path, name: str, table: pa.Table) -> SealedFile:
    path = folder / f"{name}.parquet"
    ordered = table.sort_by([(key, "ascending") for key in SORTED_BY[name]])
    # lists are left plain: outputs of one question share long prefixes, which zstd finds and a dictionary hides
    flat = [column.name for column in FILES[name] if not pa.types.is_list(column.type)]
    pq.write_table(
        ordered,
        path,
        compression="zstd",
        compression_level=COMPRESSION_LEVEL,
        row_group_size=ROW_GROUP,
        use_dictionary=flat,  # type: ignore[arg-type]  # the stubs know only bool
    )
    fsync(path)
    return SealedFile(name=path.name, sha256=file_sha256(path), bytes=path.stat().st_size, rows=table.num_rows)


def _manifest(head: BundleHead, runs: tuple[RunManifest, ...], files: tuple[SealedFile, ...]) -> BundleManifest:
    questions = head.declared_questions
    bare = BundleManifest(
        format="flipbook-bundle/1",
        study=head.study,
        label=head.label,
        main_extractor=head.main_extractor,
        extractors=head.extractors,
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
