"""The tables as typed classes. They stay behind the store's door: see `records`."""

from typing import ClassVar

from sqlalchemy import MetaData
from sqlmodel import Field, SQLModel

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
    """A battle; what happened in it is in its entries."""

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
