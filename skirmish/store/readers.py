"""Read-only access without the ORM: the latest battles, one game that another program plays, and
the whole content.

No file is created or changed, and no writer ever waits.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from skirmish.store import opening
from skirmish.store.errors import StoreError, damaged, translated
from skirmish.store.opening import is_ours, open_to_read, really_opened, revision_of
from skirmish.store.place import Place, find, read_only_uri
from skirmish.store.records import (
    BATTLES,
    JOURNAL,
    UNREADABLE_TEXT,
    ArmyRecord,
    BattleRecord,
    entry_of,
    record_from,
    unreadable_columns,
)
from skirmish.tabletop.journal_codec import EntryRecord

R = TypeVar("R", ArmyRecord, BattleRecord)
TABLES = {ArmyRecord: "army", BattleRecord: "battle"}

_LIST_PATIENCE = 0.05  # seconds for a lock: a late list is better than a frozen screen
_WATCH_PATIENCE = 0.2  # the next look comes soon
_BEYOND_INTEGERS = 2**63  # SQLite's integers are smaller; given a greater one, Python raises
_FROM_THE_FIRST = -(2**63)  # its least integer: no entry is before it, however damaged


# ------------------------------------------------------------------ for the home screen


def recent_battles(where: str | None, limit: int) -> list[BattleRecord] | None:
    """The `limit` battles changed last, newest first, as `Store.battles` gives them; none where
    there is no file yet. None: unknown, because the file is locked, not ours, or of another
    revision; opening the store then raises the reason."""
    try:
        path = find(where).path
        if path is None:
            return None
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            if path.is_symlink():
                return None  # it leads nowhere now, perhaps to a disk that is not connected
            return []
        if not stat.S_ISREG(mode):
            return None  # to open a pipe would wait for somebody who writes into it
        with closing(really_opened(read_only_uri(path), _LIST_PATIENCE)) as file:
            if not is_ours(file) or revision_of(file) != opening.REVISION:
                return None
            return [record_from(BattleRecord, row) for row in file.execute(BATTLES, (limit,))]
    except (OSError, sqlite3.Error, StoreError):
        return None


# ------------------------------------------------------------------ following


class News(Struct, frozen=True):
    """What a look has found. ``entries`` follow those known before or, if ``whole``, are the whole
    journal: what was known is no longer in the file."""

    title: str
    over: bool
    removed: bool
    entries: tuple[EntryRecord, ...]
    whole: bool = False


class Watch:
    """Polls battle ``number`` of the database ``where`` (as for `Store.open`); a look costs a few
    microseconds if nothing was written since the last. It belongs to the thread that looks. For a
    file that is gone, locked or replaced it raises a StoreError, and the next look tries again."""

    def __init__(self, where: str | None, number: int) -> None:
        self._where = where
        self._number = number
        self._file: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None  # the file that is open: device and inode
        self._version: int | None = None  # SQLite's, of the content seen last
        self._last: EntryRecord | None = None

    def look(self) -> News | None:
        """What is new since the last look, or None. The first look finds the whole journal.

        Raises StoreError where the file cannot be read now or holds no such battle.
        """
        try:
            return self._look()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file; the next look opens it again."""
        file = self._file
        self._file = None
        self._version = None
        if file is not None:
            file.close()

    def _look(self) -> News | None:
        place = find(self._where)
        try:
            file = self._reach(place)
            # Before the snapshot: what is written between the two is then seen by the next look.
            version: int = file.execute("PRAGMA data_version").fetchone()[0]
            if version == self._version:
                return None
            file.execute("BEGIN")  # both queries in one snapshot
            try:
                news = self._read(file)
            finally:
                file.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise translated(error, place.location) from error
        if news is None:
            raise StoreError(f"{place.location} has no battle with the number {self._number}.")
        self._version = version
        if news.entries:
            self._last = news.entries[-1]
        return news

    def _reach(self, place: Place) -> sqlite3.Connection:
        """The open file; a file that was restored under its name is opened again."""
        if place.path is None:
            raise StoreError("A battle in memory cannot be followed; only one in a file can.")
        try:
            status = os.stat(place.path)
        except OSError as error:
            raise StoreError(
                f"The database {place.location} cannot be reached ({error.strerror})."
            ) from None
        if not stat.S_ISREG(status.st_mode):
            raise StoreError(f"The database {place.location} is not a regular file.")
        device_and_inode = (status.st_dev, status.st_ino)
        if self._file is not None and device_and_inode != self._opened:
            self.close()
        if self._file is None:
            self._file = really_opened(read_only_uri(place.path), _WATCH_PATIENCE)
            self._opened = device_and_inode
            if not is_ours(self._file):
                raise damaged(place.location, "it is not a database of Skirmish")
            if revision_of(self._file) != opening.REVISION:
                raise StoreError(
                    f"The database {place.location} was written by another version of Skirmish; "
                    "start this program again."
                )
        return self._file

    def _read(self, file: sqlite3.Connection) -> News | None:
        """The battle with its new entries; None if there is no such battle."""
        number = self._number
        if abs(number) >= _BEYOND_INTEGERS:
            number = 0  # which no battle has
        battle = file.execute(
            "SELECT title, over, removed FROM battle WHERE id = ?", (number,)
        ).fetchone()
        if battle is None:
            return None
        title, over, removed = battle
        if not isinstance(title, str):
            title = UNREADABLE_TEXT
        new: list[EntryRecord] = []
        whole = True
        if self._last is not None:
            # From the last known entry on: if that is still the same, so are those before it.
            recent = entries(file, number, self._last.number)
            whole = not recent or recent[0] != self._last
            new = recent[1:]
        if whole:
            # As the game itself reads it (`Store.entries`); `db check` looks for lower numbers.
            new = entries(file, number, first=1)
        return News(title, bool(over), removed is not None, tuple(new), whole)


# ------------------------------------------------------------------ all that is stored


def entries(
    file: sqlite3.Connection, battle_id: int, first: int = _FROM_THE_FIRST
) -> list[EntryRecord]:
    """The journal of a battle, from the entry with the number ``first`` on."""
    return [entry_of(row, battle_id) for row in file.execute(JOURNAL, (battle_id, first))]


def all_records(file: sqlite3.Connection, kind: type[R]) -> Iterator[tuple[R, list[str]]]:
    """All armies or battles by number, removed or not, each with the columns whose cells are
    damaged."""
    query = f"SELECT {', '.join(kind.__struct_fields__)} FROM {TABLES[kind]} ORDER BY id"
    for row in file.execute(query).fetchall():
        yield record_from(kind, row), unreadable_columns(kind, row)


def damaged_figures(file: sqlite3.Connection) -> int:
    """How many lines of the collection, the figures that the user owns, cannot be read."""
    of_odd_types = "typeof(game) <> 'text' OR typeof(piece) <> 'text' OR typeof(count) <> 'integer'"
    (count,) = file.execute(f"SELECT count(*) FROM owned WHERE {of_odd_types}").fetchone()
    return int(count)


@contextmanager
def looking(path: Path) -> Iterator[sqlite3.Connection]:
    """A snapshot of an existing, sound file of `opening.REVISION`; writers go on meanwhile.

    Raises StoreError where the file cannot be read after all.
    """
    try:
        with closing(open_to_read(path)) as file:
            file.execute("BEGIN")
            yield file
    except sqlite3.Error as error:
        raise translated(error, Place(path).location) from error
