"""Annotations on questions.

Revision: 0001, the first
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "annotation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("question_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum("DISPUTED_GOLD", "AMBIGUOUS", "EXTRACTOR_FAULT", "NOTE", name="annotationkind"),
            nullable=False,
        ),
        sa.Column("text", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("author", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("supersedes", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["supersedes"], ["annotation.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_annotation_study_question", "annotation", ["study", "question_id"])


def downgrade() -> None:
    op.drop_index("ix_annotation_study_question", table_name="annotation")
    op.drop_table("annotation")
