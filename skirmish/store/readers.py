"""Read-only access without the ORM: the latest battles, one game that another program plays, and
the whole content.

No file is created or changed, and no writer ever waits.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from skirmish.store import opening
from skirmish.store.errors import StoreError, damaged, translated
from skirmish.store.opening import is_ours, open_to_read, revision_of, touched
from skirmish.store.place import Place, find, read_only_uri
from skirmish.store.records import (
    BATTLES,
    LOST,
    UNKNOWN,
    ArmyRecord,
    BattleRecord,
    entry_of,
    listed,
    minute,
    odd_cells,
)
from skirmish.tabletop.exported import EntryRecord

R = TypeVar("R", ArmyRecord, BattleRecord)

_LIST_PATIENCE = 0.05  # seconds for a lock: a late list is better than a frozen screen
_WATCH_PATIENCE = 0.2  # the next look comes soon
_NUMBERS = 2**63  # SQLite's

_ENTRY = 'SELECT number, kind, "order", events, at FROM entry WHERE battle_id = ?'


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
            path.lstat()
        except FileNotFoundError:
            return []
        with closing(touched(read_only_uri(path), _LIST_PATIENCE)) as file:
            if not is_ours(file) or revision_of(file) != opening.REVISION:
                return None
            return [listed(BattleRecord, row) for row in file.execute(BATTLES, (limit,))]
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
        file, self._file, self._version = self._file, None, None
        if file is not None:
            file.close()

    def _look(self) -> News | None:
        place = find(self._where)
        try:
            file = self._reach(place)
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
            found = os.stat(place.path)
        except OSError as error:
            raise StoreError(
                f"The database {place.location} cannot be reached ({error.strerror})."
            ) from None
        here = (found.st_dev, found.st_ino)
        if self._file is not None and here != self._opened:
            self.close()
        if self._file is None:
            self._file, self._opened = touched(read_only_uri(place.path), _WATCH_PATIENCE), here
            if not is_ours(self._file):
                raise damaged(place.location, "it is not a database of Skirmish")
            if revision_of(self._file) != opening.REVISION:
                raise StoreError(
                    f"The database {place.location} was written by another version of Skirmish; "
                    "start this program again."
                )
        return self._file

    def _read(self, file: sqlite3.Connection) -> News | None:
        number = self._number if abs(self._number) < _NUMBERS else 0
        battle = file.execute(
            "SELECT title, over, removed FROM battle WHERE id = ?", (number,)
        ).fetchone()
        if battle is None:
            return None
        title, over, removed = battle
        known = self._last
        found = self._entries(file, known.number if known else 1)
        whole = known is None or not found or found[0] != known
        if whole and known is not None:
            found = self._entries(file, 1)
        entries = tuple(found if whole else found[1:])
        shown = title if isinstance(title, str) else LOST
        return News(shown, bool(over), removed is not None, entries, whole)

    def _entries(self, file: sqlite3.Connection, first: int) -> list[EntryRecord]:
        query = f"{_ENTRY} AND number >= ? ORDER BY number"
        return [entry_of(row, self._number) for row in file.execute(query, (self._number, first))]


# ------------------------------------------------------------------ all that is stored


class Contents:
    """A snapshot of everything stored, removed or not."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file

    def armies(self) -> list[tuple[ArmyRecord, list[str]]]:
        """All armies, by number, each with the columns whose cells are damaged."""
        return self._with_faults(ArmyRecord, "army")

    def battles(self) -> list[tuple[BattleRecord, list[str]]]:
        """All battles, by number, each with the columns whose cells are damaged."""
        return self._with_faults(BattleRecord, "battle")

    def odd_figures(self) -> int:
        wrong = "typeof(game) <> 'text' OR typeof(piece) <> 'text' OR typeof(count) <> 'integer'"
        found: int = self._file.execute(f"SELECT count(*) FROM owned WHERE {wrong}").fetchone()[0]
        return found

    def _with_faults(self, kind: type[R], table: str) -> list[tuple[R, list[str]]]:
        query = f"SELECT {', '.join(kind.__struct_fields__)} FROM {table} ORDER BY id"
        rows = self._file.execute(query).fetchall()
        return [(listed(kind, row), odd_cells(kind, row) + _odd_dates(kind, row)) for row in rows]

    def entries(self, battle_id: int) -> list[EntryRecord]:
        rows = self._file.execute(f"{_ENTRY} ORDER BY number", (battle_id,))
        return [entry_of(row, battle_id) for row in rows]


@contextmanager
def looking(path: Path) -> Iterator[Contents]:
    """The contents of an existing, sound file of `opening.REVISION`; writers go on meanwhile.

    Raises StoreError where the file cannot be read after all.
    """
    try:
        with closing(open_to_read(path)) as file:
            file.execute("BEGIN")
            yield Contents(file)
    except sqlite3.Error as error:
        raise translated(error, Place(path).location) from error


def _odd_dates(kind: type[Struct], row: Sequence[object]) -> list[str]:
    cells = dict(zip(kind.__annotations__, row, strict=True))
    dates = [name for name in ("started", "updated") if isinstance(cells.get(name), str)]
    return [name for name in dates if minute(str(cells[name])) == UNKNOWN]
