"""What people write survives, migrates, and is never edited in place."""

import json
import threading
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

from store.contract.gates import GateSet
from store.errors import StoreError, UsageError
from store.people.database import annotate, annotations, check_people, migration_config, open_people
from store.people.gates import decisions, gate_set_row, gate_sets, keep_decision, keep_gate_set, stored_gate_set
from store.people.models import Annotation, AnnotationKind, GateDecision


@pytest.fixture
def engine(tmp_path):
    engine = open_people(tmp_path / "people.sqlite")
    yield engine
    engine.dispose()


def remark(text, **more):
    values = {"study": "s", "question_id": "q", "kind": AnnotationKind.NOTE, "text": text, "author": "me"}
    return Annotation(**(values | more))


def test_the_migrations_make_exactly_the_models(engine):
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_down_and_up_again(engine):
    with engine.begin() as connection:
        config = migration_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        command.upgrade(config, "head")
    annotate(engine, remark("still works"))
    assert [row.text for row in annotations(engine, "s", "q")] == ["still works"]


def test_a_file_from_before_there_were_gates_keeps_its_remarks(engine):
    annotate(engine, remark("old"))
    with engine.begin() as connection:
        config = migration_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
    again = open_people(Path(engine.url.database))
    assert [row.text for row in annotations(again, "s", "q")] == ["old"]
    assert gate_sets(again, "s") == decisions(again, "s") == ()
    again.dispose()


def frozen(reason="first", study="s", name="set"):
    """A gate set as it is written down."""
    gates = {
        "format": "flipbook-gates/1", "id": name, "author": "me", "reason": reason, "frozen_at": "2026-01-01T00:00:00Z",
        "mode": "statistical", "target": "new questions", "extractor": "answer-line@1", "baseline": "old",
        "question_set": "qs1:" + "0" * 64, "incomplete_runs": "fail", "min_deployments": {"baseline": 1, "candidate": 1},
        "gates": [{"id": "critical", "metric": "all correct", "questions": "all"}],
    }  # fmt: skip
    return gate_set_row(study, GateSet.model_validate_json(json.dumps(gates)))


def decided(decision_id, **more):
    values = {"study": "s", "gate_set_id": "set", "candidate": "new", "environments": "", "outcome": "block", "as_of": 1}
    return GateDecision(**(values | {"decision_id": decision_id, "document": "{}", "author": "me"} | more))


def test_a_gate_set_is_written_down_once_per_study(engine):
    first = keep_gate_set(engine, frozen())
    assert keep_gate_set(engine, frozen()).first_seen_at == first.first_seen_at
    with pytest.raises(UsageError, match="held with other content"):
        keep_gate_set(engine, frozen("softer"))
    keep_gate_set(engine, frozen("softer", study="t"))
    keep_gate_set(engine, frozen(name="later"))
    assert [row.gate_set_id for row in gate_sets(engine, "s")] == ["later", "set"]


def test_a_decision_is_kept_once_whoever_makes_it_again(engine):
    assert keep_decision(engine, decided("decision1:a")).new
    again = keep_decision(engine, decided("decision1:a", author="you"))
    assert (again.new, again.decision.author) == (False, "me")
    keep_decision(engine, decided("decision1:b"))
    assert [row.decision_id for row in decisions(engine, "s")] == ["decision1:b", "decision1:a"]


def test_many_who_decide_at_once_keep_one_decision(engine):
    kept = []
    makers = [threading.Thread(target=lambda: kept.append(keep_decision(engine, decided("decision1:a")).new)) for _ in range(8)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()
    assert sorted(kept) == [False] * 7 + [True]


def test_where_nothing_can_be_written_it_is_still_read(engine, monkeypatch):
    keep_decision(engine, decided("decision1:a"))
    path = Path(engine.url.database)
    engine.dispose()  # closing the last connection writes the log back into the file
    monkeypatch.setattr("os.access", lambda *_: False)
    found = open_people(path)
    assert [row.decision_id for row in decisions(found, "s")] == ["decision1:a"]
    with pytest.raises(StoreError, match="Mend that and try again"):
        keep_decision(found, decided("decision1:b"))
    found.dispose()


def test_a_file_that_lost_a_table_or_is_damaged_inside_is_one_clear_error(engine):
    keep_decision(engine, decided("decision1:a", document="x" * 50_000))
    check_people(engine)
    path = Path(engine.url.database)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE frozengateset")
    with pytest.raises(StoreError, match="no such table: frozengateset"):
        check_people(engine)
    engine.dispose()
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"garbage " * ((len(whole) - 8192) // 8))
    damaged = open_people(path)
    with pytest.raises(StoreError, match="malformed"):
        check_people(damaged)
    damaged.dispose()


@pytest.mark.parametrize(
    ("document", "said"),
    [("{}", "cannot be read back"), (frozen("softer").document, "does not have the digest it was kept under")],
)
def test_a_document_that_is_not_the_gate_set_is_one_clear_error(document, said):
    row = frozen()
    row.document = document
    with pytest.raises(StoreError, match=f"gate set 'set' {said}"):
        stored_gate_set(row)


def test_a_later_remark_replaces_an_earlier_one_without_deleting_it(engine):
    annotate(engine, remark("first"))
    first = annotations(engine, "s", "q")[0]
    annotate(engine, remark("second", supersedes=first.id))
    annotate(engine, remark("elsewhere", question_id="other"))
    assert [row.text for row in annotations(engine, "s", "q")] == ["second"]


def test_a_file_that_is_no_database_or_of_a_newer_version_is_one_clear_error(tmp_path):
    path = tmp_path / "people.sqlite"
    path.write_bytes(b"no database" * 100)
    with pytest.raises(
        StoreError,
        match=r"annotations and decisions cannot be read .*people.sqlite|people.sqlite: annotations and decisions cannot be read",
    ):
        open_people(path)
    path.unlink()
    engine = open_people(path)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(StoreError, match="annotations and decisions cannot be read"):
        open_people(path)


def test_many_writers_at_once(tmp_path):
    path = tmp_path / "people.sqlite"

    def write(number):
        engine = open_people(path)
        for _ in range(5):
            annotate(engine, remark(f"{number}"))
        engine.dispose()

    threads = [threading.Thread(target=write, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    engine = open_people(path)
    assert len(annotations(engine, "s", "q")) == 20
    engine.dispose()
