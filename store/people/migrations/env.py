"""Alembic's environment: runs on the connection that `store.people.database` passes in."""

from alembic import context
from sqlmodel import SQLModel

from store.people import models as models  # its tables become part of the metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
