"""Ingest of any table through a mapping file."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ingest.assemble import (
    BadLine,
    environment_of,
    environment_values,
    labels_of,
    missing_column,
    record_of,
)
from ingest.declared import declared_questions
from ingest.mapping import Mapping
from ingest.members import Member, Patterns, Skipped, damaged, list_files, members
from ingest.rows import BadRow, Row, read_rows
from store.contract.environment import EnvironmentRecord, unknown_environment
from store.contract.run import SourceFile
from store.digests import file_sha256
from store.errors import InputError, MappingError
from store.sealed.flatten import flatten
from store.sealed.rows import Refused
from store.sealed.runbook import RunBook, RunLabels, Taken
from store.sealed.write import BundleHead, BundleWriter

NO_ENVIRONMENT = "the source records no environment"
RAW_CHARS = 2_000
"""Characters of a refused line that are kept."""


@dataclass(slots=True)
class TableReader:
    """Reads files into a bundle writer and a run book. One instance per ingest."""

    mapping: Mapping
    environment: EnvironmentRecord | None
    writer: BundleWriter
    book: RunBook
    refused: list[Refused] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def read(self, paths: tuple[Path, ...], progress: Callable[[int], None]) -> tuple[SourceFile, ...]:
        """Read every file; gives what the records came from.

        Empty when the patterns skip every file. Raises InputError or MappingError when a whole file is refused.
        """
        patterns = Patterns(self.mapping.files.include, self.mapping.files.exclude)
        sources = []
        for path, name in list_files(paths):
            taken = 0
            for member in members(path, name, patterns, progress):
                if isinstance(member, Skipped):
                    self.skipped.append(member.name)
                else:
                    self._member(member)
                    taken += 1
            if taken:
                sources.append(_source_file(path, name, self.mapping.name))
        return tuple(sources)

    def head(self, study: str, sources: tuple[SourceFile, ...], folder: Path, created_by: str) -> BundleHead:
        """Head of the bundle; the declared question set is read beside the mapping in `folder`."""
        return BundleHead(
            study=study,
            label=self.mapping.label,
            main_extractor=self.mapping.main_extractor,
            extractors=() if self.mapping.spec is None else (self.mapping.spec,),
            declared_questions=declared_questions(self.mapping, folder),
            sources=sources,
            created_by=created_by,
        )

    def _member(self, member: Member) -> None:
        rows, understood = 0, 0
        lacking: MappingError | None = None
        with damaged(member.name):
            for row in read_rows(member, self.mapping.files.records):
                rows += 1
                if isinstance(row, BadRow):
                    self._refuse(None, member, row.line, row.reason, row.raw)
                    continue
                if not understood and lacking is None and (missing := missing_column(self.mapping, row)):
                    lacking = _wrong_column(*missing, row, member)
                understood += self._row(row, member)
        if not rows:
            raise InputError("holds no record", where=member.name, fix="Leave the file out, or fetch it again.")
        if not understood:
            first = self.refused[-rows]
            said = f"not one of {rows:,} lines could be read; line {first.line}: {first.reason}"
            raise lacking or InputError(said, where=member.name)

    def _row(self, row: Row, member: Member) -> bool:
        """Take one row; False when it was refused."""
        run_id: str | None = None
        try:
            labels = labels_of(self.mapping, row, member.name)
            run_id = labels.run_id
            self._note_environment(labels, row, member)
            flat = flatten(record_of(self.mapping, row, member.name, run_id))
            if contradiction := self.book.open(labels):
                raise BadLine(contradiction)
        except BadLine as bad:
            self._refuse(run_id, member, row.line, str(bad), repr(row.values))
            return False
        taken = self.book.take(flat)
        if taken is Taken.NEW:
            self.writer.add(flat)
        elif taken is Taken.CONFLICT:
            reason = f"question {flat.record.question_id!r} is in run {run_id!r} already, with other content"
            self._refuse(run_id, member, row.line, reason, repr(row.values))
            return False
        return True

    def _note_environment(self, labels: RunLabels, row: Row, member: Member) -> None:
        said = environment_values(self.mapping, row, member.name)
        try:
            if self.book.knows_environment(labels.deployment_id, said):
                return
        except ValueError as error:
            raise BadLine(str(error)) from error
        given = self.environment or unknown_environment(NO_ENVIRONMENT)
        self.book.note_environment(labels.deployment_id, environment_of(said) if said else given, said)

    def _refuse(self, run_id: str | None, member: Member, line: int, reason: str, raw: str) -> None:
        shown = raw[:RAW_CHARS].encode("utf-8", "backslashreplace").decode()
        refused = Refused(run_id, member.name, line, reason, shown)
        self.refused.append(refused)
        self.writer.refuse(refused)
        self.book.refuse(run_id)


def _source_file(path: Path, name: str, mapping: str) -> SourceFile:
    return SourceFile(name=name, sha256=file_sha256(path), bytes=path.stat().st_size, mapping=mapping)


def _wrong_column(key: str, column: str, row: Row, member: Member) -> MappingError:
    fix = f"Columns here: {', '.join(row.values)}."
    return MappingError(f"mapping key {key} reads {column!r}, which is not here", where=member.name, fix=fix)
