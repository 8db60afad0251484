"""Opening the people database, brought to the newest migration first."""

from importlib.resources import files
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from filelock import FileLock
from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session, create_engine, select

from store.errors import StoreError
from store.people.models import Annotation

BUSY_MS = 10_000


def open_people(path: Path) -> Engine:
    """Engine on the SQLite file at `path`, created or migrated when needed. Safe to call from several processes.

    Raises StoreError when the file is none, comes from a newer version, or cannot be written.
    """
    engine = create_engine(f"sqlite:///{path}")
    event.listen(engine, "connect", _pragmas)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock")), engine.begin() as connection:
            config = migration_config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except (OSError, SQLAlchemyError, CommandError) as error:
        engine.dispose()
        reason = str(error).splitlines()[0]
        fix = "Move it aside to go on without what it holds."
        raise StoreError(f"annotations and decisions cannot be read ({reason})", where=str(path), fix=fix) from error
    return engine


def migration_config() -> Config:
    """Alembic's configuration, without a file: the scripts travel with the package."""
    config = Config()
    config.set_main_option("script_location", str(files("store").joinpath("people", "migrations")).replace("%", "%%"))
    return config


def annotations(engine: Engine, study: str, question_id: str) -> tuple[Annotation, ...]:
    """Remarks on one question that no later one replaces, oldest first."""
    with Session(engine) as session:
        found = session.exec(
            select(Annotation)
            .where(Annotation.study == study, Annotation.question_id == question_id)
            .order_by("created_at", "id")
        ).all()
    replaced = {row.supersedes for row in found}
    return tuple(row for row in found if row.id not in replaced)


def study_annotations(engine: Engine, study: str) -> tuple[Annotation, ...]:
    """Remarks on all questions of a study that no later one replaces, oldest first."""
    with Session(engine) as session:
        found = session.exec(select(Annotation).where(Annotation.study == study).order_by("created_at", "id")).all()
    replaced = {row.supersedes for row in found}
    return tuple(row for row in found if row.id not in replaced)


def annotate(engine: Engine, annotation: Annotation) -> None:
    """Write one remark."""
    with Session(engine) as session:
        session.add(annotation)
        session.commit()


def _pragmas(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()
