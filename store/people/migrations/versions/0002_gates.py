"""Gate sets and gate decisions.

Revision: 0002, after 0001
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_TEXT = sqlmodel.sql.sqltypes.AutoString


def upgrade() -> None:
    op.create_table(
        "frozengateset",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study", _TEXT(), nullable=False),
        sa.Column("gate_set_id", _TEXT(), nullable=False),
        sa.Column("digest", _TEXT(), nullable=False),
        sa.Column("document", _TEXT(), nullable=False),
        sa.Column("first_seen_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("study", "gate_set_id", name="uq_frozengateset_study_id"),
    )
    op.create_table(
        "gatedecision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("decision_id", _TEXT(), nullable=False),
        sa.Column("study", _TEXT(), nullable=False),
        sa.Column("gate_set_id", _TEXT(), nullable=False),
        sa.Column("candidate", _TEXT(), nullable=False),
        sa.Column("environments", _TEXT(), nullable=False),
        sa.Column("outcome", _TEXT(), nullable=False),
        sa.Column("as_of", sa.Integer(), nullable=False),
        sa.Column("document", _TEXT(), nullable=False),
        sa.Column("author", _TEXT(), nullable=False),
        sa.Column("decided_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("decision_id"),
    )
    op.create_index("ix_gatedecision_study", "gatedecision", ["study"])


def downgrade() -> None:
    op.drop_index("ix_gatedecision_study", table_name="gatedecision")
    op.drop_table("gatedecision")
    op.drop_table("frozengateset")
