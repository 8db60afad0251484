"""Opening the people database, brought to the newest migration first."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from filelock import FileLock
from sqlalchemy import Engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session, SQLModel, create_engine, select

from store.errors import StoreError
from store.people.models import Annotation

BUSY_MS = 10_000


def open_people(path: Path) -> Engine:
    """Engine on the SQLite file at `path`, created or migrated when needed. Safe to call from several processes.

    Where the folder cannot be written it is opened as it is, to be read only. Raises StoreError when the file is none, comes
    from a newer version, or cannot be written.
    """
    if path.exists() and not os.access(path.parent, os.W_OK):
        return create_engine(f"sqlite:///file:{quote(str(path))}?immutable=1&uri=true")
    engine = create_engine(f"sqlite:///{path}")
    event.listen(engine, "connect", _pragmas)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock")), _not_emptied(path), engine.begin() as connection:
            config = migration_config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except (OSError, SQLAlchemyError, CommandError) as error:
        engine.dispose()
        raise _trouble(path, error) from error
    return engine


@contextmanager
def _not_emptied(path: Path) -> Iterator[None]:
    """Under the lock a file of no bytes is no new one: whoever makes one fills it before the lock is free."""
    if path.exists() and path.stat().st_size == 0:
        raise OSError("the file is empty, so it is damaged: malformed")
    yield


@contextmanager
def people_session(engine: Engine) -> Iterator[Session]:
    """A session in which a fault of the file, or of a row in it, is a StoreError.

    An IntegrityError passes: something is there already.
    """
    try:
        with Session(engine, expire_on_commit=False) as session:
            yield session
    except IntegrityError:
        raise
    except SQLAlchemyError as error:
        raise _trouble(Path(str(engine.url.database)), error) from error
    except (ValueError, TypeError, LookupError) as error:  # a value that its column cannot hold
        raise _trouble(Path(str(engine.url.database)), ValueError(f"malformed row: {error}")) from error


def check_people(engine: Engine) -> None:
    """Raises StoreError when the file is damaged or a table is gone, which opening it need not notice."""
    with people_session(engine) as session:
        verdict = session.connection().execute(text("PRAGMA quick_check(1)")).scalar_one()
        for table in SQLModel.metadata.tables.values():
            session.connection().execute(table.select().limit(1)).first()
    if verdict != "ok":
        raise _trouble(Path(str(engine.url.database)), ValueError(f"malformed: {verdict}"))


def _trouble(path: Path, error: Exception) -> StoreError:
    """What is wrong with the file, in one line, and what can be done without losing what it holds."""
    reason = str(error).splitlines()[0].removeprefix("(sqlite3.OperationalError) ").removeprefix("(sqlite3.DatabaseError) ")
    damaged = any(sign in reason for sign in ("not a database", "malformed", "no such", "Can't locate revision"))
    fix = "Put back a copy of it, or move it aside to go on without what it holds." if damaged else "Mend that and try again."
    return StoreError(f"annotations and decisions cannot be read or written ({reason})", where=str(path), fix=fix)


def migration_config() -> Config:
    """Alembic's configuration, without a file: the scripts travel with the package."""
    config = Config()
    config.set_main_option("script_location", str(files("store").joinpath("people", "migrations")).replace("%", "%%"))
    return config


def annotations(engine: Engine, study: str, question_id: str) -> tuple[Annotation, ...]:
    """Remarks on one question that no later one replaces, oldest first."""
    with people_session(engine) as session:
        found = session.exec(
            select(Annotation)
            .where(Annotation.study == study, Annotation.question_id == question_id)
            .order_by("created_at", "id")
        ).all()
    replaced = {row.supersedes for row in found}
    return tuple(row for row in found if row.id not in replaced)


def study_annotations(engine: Engine, study: str) -> tuple[Annotation, ...]:
    """Remarks on all questions of a study that no later one replaces, oldest first."""
    with people_session(engine) as session:
        found = session.exec(select(Annotation).where(Annotation.study == study).order_by("created_at", "id")).all()
    replaced = {row.supersedes for row in found}
    return tuple(row for row in found if row.id not in replaced)


def annotate(engine: Engine, annotation: Annotation) -> None:
    """Write one remark."""
    with people_session(engine) as session:
        session.add(annotation)
        session.commit()


def _pragmas(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()
