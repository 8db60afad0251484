"""Opening the people database, brought to the newest migration first."""

from importlib.resources import files
from pathlib import Path

from alembic import command
from alembic.config import Config
from filelock import FileLock
from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session, create_engine, select

from store.people.models import Annotation

BUSY_MS = 10_000


def open_people(path: Path) -> Engine:
    """Engine on the SQLite file at `path`, created or migrated when needed. Safe to call from several processes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}")
    event.listen(engine, "connect", _pragmas)
    with FileLock(path.with_suffix(".lock")), engine.begin() as connection:
        config = migration_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
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
