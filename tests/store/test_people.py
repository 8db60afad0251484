"""What people write survives, migrates, and is never edited in place."""

import threading

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

from store.errors import StoreError
from store.people.database import annotate, annotations, migration_config, open_people
from store.people.models import Annotation, AnnotationKind


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
        StoreError, match=r"annotations cannot be read .*people.sqlite|people.sqlite: annotations cannot be read"
    ):
        open_people(path)
    path.unlink()
    engine = open_people(path)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(StoreError, match="annotations cannot be read"):
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
