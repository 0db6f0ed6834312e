"""The tables of the database, as the ORM knows them, and their creation in a new file."""

from typing import ClassVar

from sqlalchemy import Engine, MetaData
from sqlmodel import Field, SQLModel

from skirmish.store import opening

# Names for all constraints and indexes, so that a later migration can refer to them.
_CONSTRAINT_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class StoreRow(SQLModel):
    """The base of all tables. Their metadata is their own, so that they are not mixed with the
    tables of any other SQLModel in the process."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=_CONSTRAINT_NAMES)


# Everywhere below, ``game`` is the id of a game, and times are UTC in ISO form with microseconds.
# ``body``, ``order`` and ``events`` are JSON that only the game reads.


class ArmyRow(StoreRow, table=True):
    """An army; `removed` is the time of its removal, which can be undone."""

    __tablename__ = "army"

    id: int | None = Field(default=None, primary_key=True)
    game: str
    name: str
    body: str
    updated: str
    removed: str | None = None


class BattleRow(StoreRow, table=True):
    """A stored game of any kind, as lists show it; its journal is in the table ``entry``. `removed`
    is the time of its removal, as for an army."""

    __tablename__ = "battle"

    id: int | None = Field(default=None, primary_key=True)
    game: str
    title: str
    headline: str
    over: bool
    started: str
    updated: str
    removed: str | None = None


class EntryRow(StoreRow, table=True):
    """A journal entry, whose key is its battle and its number in the journal. Its fields are those
    of ``EntryRecord``; ``kind`` is one of ``journal.KINDS``."""

    __tablename__ = "entry"

    battle_id: int = Field(foreign_key="battle.id", primary_key=True)
    number: int = Field(primary_key=True)
    kind: str
    order: str
    events: str
    at: str


class OwnedRow(StoreRow, table=True):
    """How many of a piece the player owns; a piece of which he owns none has no row."""

    __tablename__ = "owned"

    game: str = Field(primary_key=True)
    piece: str = Field(primary_key=True)
    count: int


_CREATE_VERSION_TABLE = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
    "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
)
"""Creates the table in which Alembic looks for the revision, as Alembic itself creates it."""


def create_tables(engine: Engine) -> str:
    """Create the tables in an empty file, in one transaction and without Alembic, which loads
    slowly. Returns the file's revision: another program may have been faster, even one of an
    earlier version."""
    with engine.connect() as connection, connection.begin():
        tables = connection.exec_driver_sql("SELECT name FROM sqlite_master").scalars().all()
        if "alembic_version" in tables:
            result = connection.exec_driver_sql("SELECT version_num FROM alembic_version")
            return str(result.scalar_one())
        connection.exec_driver_sql(f"PRAGMA application_id = {opening.APPLICATION_ID}")
        connection.exec_driver_sql(_CREATE_VERSION_TABLE)
        connection.exec_driver_sql(
            "INSERT INTO alembic_version (version_num) VALUES (?)", (opening.REVISION,)
        )
        StoreRow.metadata.create_all(connection)
        return opening.REVISION
