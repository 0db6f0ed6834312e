"""The tables as typed classes. They stay behind the store's door: see `records`."""

from typing import ClassVar

from sqlalchemy import Engine, MetaData
from sqlmodel import Field, SQLModel

from skirmish.store import schema

# Named constraints, so that a later migration can speak of them.
_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Row(SQLModel):
    """What all tables share: one set of names, apart from any other SQLModel in the process."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=_NAMES)


class ArmyRow(Row, table=True):
    """An army; `removed` is the time of a removal that can be taken back."""

    __tablename__ = "army"

    id: int | None = Field(default=None, primary_key=True)
    game: str
    name: str
    body: str
    updated: str
    removed: str | None = None


class BattleRow(Row, table=True):
    __tablename__ = "battle"

    id: int | None = Field(default=None, primary_key=True)
    game: str
    title: str
    headline: str
    over: bool
    started: str
    updated: str
    removed: str | None = None


class EntryRow(Row, table=True):
    """A journal line; battle and number together are its key, hence there is no second one."""

    __tablename__ = "entry"

    battle_id: int = Field(foreign_key="battle.id", primary_key=True)
    number: int = Field(primary_key=True)
    kind: str
    order: str
    events: str
    at: str


class OwnedRow(Row, table=True):
    """How many of a piece the player owns; no row where there is none."""

    __tablename__ = "owned"

    game: str = Field(primary_key=True)
    piece: str = Field(primary_key=True)
    count: int


_VERSION = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
    "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
)


def make(engine: Engine) -> str:
    """Give an empty file today's form, in one transaction and without Alembic; the revision that it
    bears then, since another program may have been faster."""
    with engine.connect() as connection, connection.begin():
        tables = connection.exec_driver_sql("SELECT name FROM sqlite_master").scalars().all()
        if "alembic_version" in tables:
            found = connection.exec_driver_sql("SELECT version_num FROM alembic_version")
            return str(found.scalar_one())
        connection.exec_driver_sql(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.exec_driver_sql(_VERSION)
        connection.exec_driver_sql(
            "INSERT INTO alembic_version (version_num) VALUES (?)", (schema.REVISION,)
        )
        Row.metadata.create_all(connection)
        return schema.REVISION
