"""Building the DuckDB file from sealed bundles. It holds nothing that the bundles do not."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from store.contract.run import BundleManifest, RunManifest
from store.warehouse.sql import statement

SCHEMA_VERSION = 2
PARQUET_TABLES = ("facts", "answers", "outputs", "prompts", "logprobs", "environments", "refused", "questions")
"""In build order: `questions` reads `facts`."""


@dataclass(frozen=True, slots=True)
class SealedBundle:
    """A bundle in a folder; its manifest carries the generation."""

    folder: Path
    manifest: BundleManifest


def build_warehouse(path: Path, bundles: Sequence[SealedBundle], generation: int) -> None:
    """Write a new DuckDB file at `path`, which must not exist. Raises duckdb.Error or OSError on a full disk."""
    with duckdb.connect(str(path)) as con:
        con.execute(statement("build/tables"))
        con.execute(
            "INSERT INTO meta VALUES (?, ?, ?)", [SCHEMA_VERSION, generation, datetime.now(UTC).isoformat(timespec="seconds")]
        )
        for bundle in sorted(bundles, key=lambda b: b.manifest.generation or 0):
            _insert_manifest(con, bundle)
        for table in PARQUET_TABLES:
            con.execute(statement(f"build/{table}"), {table: [f"{b.folder}/{table}.parquet" for b in bundles]})
        for derived in ("classes", "thinking"):
            con.execute(statement(f"build/{derived}"))
        con.execute("ALTER TABLE bundles DROP COLUMN folder")  # a staging path by now
        con.execute("CHECKPOINT")


def _insert_manifest(con: duckdb.DuckDBPyConnection, bundle: SealedBundle) -> None:
    m = bundle.manifest
    head = [m.study, m.content_digest, m.generation, m.label, m.main_extractor, m.question_set.declared]
    con.execute(
        "INSERT INTO bundles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [*head, m.created_at, m.created_by, str(bundle.folder)]
    )
    con.executemany(
        "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [_run_row(m, run) for run in m.runs],
    )
    for spec in m.extractors:  # one name is one rule in a study, so a second bundle says the same
        con.execute(
            "INSERT INTO extractors SELECT ?, ?, ? WHERE NOT EXISTS (FROM extractors WHERE study = ? AND extractor = ?)",
            [m.study, spec.name, spec.model_dump_json(), m.study, spec.name],
        )
    for source in m.sources:
        con.execute(
            "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?)",
            [m.study, m.generation, source.name, source.sha256, source.bytes, source.mapping],
        )


def _run_row(m: BundleManifest, run: RunManifest) -> list[str | int | None]:
    c = run.counts
    labels = [m.study, run.run_id, run.cell, run.arm, run.role.value, run.repeat, run.deployment_id]
    counts = [c.records, c.scored, c.correct, c.unscored, c.truncated, c.end_unknown, c.duplicates, c.refused]
    return [*labels, run.state.value, run.state_reason, *counts, run.content_digest, m.generation]
