"""Armies, battles and their journals."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    # The mark by which this program knows its own files: the bytes of "Skir" as a number. It is
    # `opening.APPLICATION_ID`, but a migration must never change, so it has its own copy.
    op.execute("PRAGMA application_id = 1399548274")
    op.create_table(
        "army",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("updated", sa.String(), nullable=False),
        sa.Column("removed", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_army"),
    )
    op.create_table(
        "battle",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("headline", sa.String(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("started", sa.String(), nullable=False),
        sa.Column("updated", sa.String(), nullable=False),
        sa.Column("removed", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_battle"),
    )
    op.create_table(
        "entry",
        sa.Column("battle_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("order", sa.String(), nullable=False),
        sa.Column("events", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battle.id"], name="fk_entry_battle_id"),
        sa.PrimaryKeyConstraint("battle_id", "number", name="pk_entry"),
    )
