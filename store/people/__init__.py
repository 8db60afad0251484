"""What people write: SQLModel tables in SQLite (or any URL a team points it at), migrated by Alembic."""
