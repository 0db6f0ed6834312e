"""Reading without the ORM: the latest battles for the home screen, which must not wait for the ORM
to load, and all that is stored for a check. No file is created or changed, and no writer ever
waits."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from skirmish.store import opening
from skirmish.store.errors import StoreError, translated
from skirmish.store.opening import is_ours, open_to_read, really_opened, revision_of
from skirmish.store.place import Place, find, read_only_uri
from skirmish.store.records import (
    BATTLES,
    JOURNAL,
    ArmyRecord,
    BattleRecord,
    entry_of,
    record_from,
    unreadable_columns,
)
from skirmish.tabletop.journal_codec import EntryRecord

Record = TypeVar("Record", ArmyRecord, BattleRecord)
TABLES = {ArmyRecord: "army", BattleRecord: "battle"}
"""The tables of the database by the records that are made of their rows."""

_LIST_PATIENCE = 0.05
"""Seconds to wait for a lock: a list that comes late is better than a screen that stands still."""
_LEAST_INTEGER = -(2**63)
"""The least integer of SQLite: however damaged the number of an entry is, it is not lower."""


# ------------------------------------------------------------------ for the home screen


def recent_battles(where: str | None, limit: int) -> list[BattleRecord] | None:
    """The battles that changed last, at most `limit`, as `Store.battles` returns them; no battles
    where there is no file yet. None: they are unknown, because the file is locked, not ours, or of
    another revision (the error of opening the store then has the reason), or because the database
    is in memory."""
    try:
        path = find(where).path
        if path is None:
            return None
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            if path.is_symlink():
                return None  # the link is broken: perhaps its disk is not connected
            return []
        if not stat.S_ISREG(mode):
            return None  # opening a pipe would wait until somebody writes to it
        with closing(really_opened(read_only_uri(path), _LIST_PATIENCE)) as connection:
            if not is_ours(connection) or revision_of(connection) != opening.REVISION:
                return None
            return [record_from(BattleRecord, row) for row in connection.execute(BATTLES, (limit,))]
    except (OSError, sqlite3.Error, StoreError):
        return None


# ------------------------------------------------------------------ all that is stored


def entries(
    connection: sqlite3.Connection, battle_id: int, first: int = _LEAST_INTEGER
) -> list[EntryRecord]:
    """The journal of a battle, from the entry with the number ``first`` on. Raises Unreadable."""
    return [entry_of(row, battle_id) for row in connection.execute(JOURNAL, (battle_id, first))]


class CheckedRecord(NamedTuple, Generic[Record]):
    """An army or a battle, with the names of its columns that cannot be read."""

    record: Record
    damaged_columns: list[str]


def all_records(
    connection: sqlite3.Connection, kind: type[Record]
) -> Iterator[CheckedRecord[Record]]:
    """All armies or battles in the order of their numbers, also those that were removed."""
    columns = ", ".join(kind.__struct_fields__)
    query = f"SELECT {columns} FROM {TABLES[kind]} ORDER BY id"
    for row in connection.execute(query).fetchall():
        yield CheckedRecord(record_from(kind, row), unreadable_columns(kind, row))


def damaged_figures(connection: sqlite3.Connection) -> int:
    """How many rows of the collection, the figures that the user owns, cannot be read."""
    has_a_wrong_type = (
        "typeof(game) <> 'text' OR typeof(piece) <> 'text' OR typeof(count) <> 'integer'"
    )
    (count,) = connection.execute(f"SELECT count(*) FROM owned WHERE {has_a_wrong_type}").fetchone()
    return int(count)


@contextmanager
def open_snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """A snapshot of an existing, sound file of `opening.REVISION`, which stays as it is while
    others write.

    Raises StoreError where the file cannot be read after all.
    """
    try:
        with closing(open_to_read(path)) as connection:
            connection.execute("BEGIN")
            yield connection
    except sqlite3.Error as error:
        raise translated(error, Place(path).location) from error
