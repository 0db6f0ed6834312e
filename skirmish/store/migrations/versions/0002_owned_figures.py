"""The figures that a player owns."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "owned",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("piece", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game", "piece", name="pk_owned"),
    )
