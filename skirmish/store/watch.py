"""One battle looked at again and again while another program fights it.

A look costs a few microseconds where nothing was written since the last. It only reads, in the
write-ahead log's own snapshot, and holds on to nothing: whoever writes never waits for it. A file
that is gone, locked or replaced by another is told in words, and the next look tries again.
"""

import os
import sqlite3
from typing import Any

from msgspec import Struct

from skirmish.store import schema
from skirmish.store.errors import StoreError, damaged, translated
from skirmish.store.place import Place, find, read_only_uri
from skirmish.store.records import LOST, as_text, entry_of
from skirmish.tabletop.exported import EntryRecord

_PATIENCE = 0.2  # seconds to wait for a lock: there will be another look soon

_NUMBERS = 2**63  # SQLite's

_BATTLE = "SELECT title, over, removed FROM battle WHERE id = ?"
_ENTRIES = """
    SELECT number, kind, "order", events, at FROM entry
    WHERE battle_id = ? AND number >= ? ORDER BY number
"""


class News(Struct, frozen=True):
    """What a look has found. ``entries`` follow those known before or, if ``anew``, are the whole
    journal: what was known is no longer in the file."""

    title: str
    over: bool
    removed: bool
    entries: tuple[EntryRecord, ...]
    anew: bool = False


class Watch:
    """Looks at battle ``number`` of the database ``where`` (as for `Store.open`). It belongs to
    the thread that looks."""

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
        """Let go of the file; a later look opens it again."""
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
            file.execute("BEGIN")  # both questions of one moment
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
        """The open file; another one under its name, put there by a restore, is opened anew."""
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
            uri = read_only_uri(place.path)
            file = sqlite3.connect(uri, uri=True, timeout=_PATIENCE, isolation_level=None)
            file.text_factory = as_text
            self._file, self._opened = file, here
            _check(file, place)
        return self._file

    def _read(self, file: sqlite3.Connection) -> News | None:
        number = self._number if abs(self._number) < _NUMBERS else 0
        battle = file.execute(_BATTLE, (number,)).fetchone()
        if battle is None:
            return None
        title, over, removed = battle
        known = self._last
        found = self._entries(file, known.number if known else 1)
        anew = known is None or not found or found[0] != known
        if anew and known is not None:
            found = self._entries(file, 1)
        entries = tuple(found if anew else found[1:])
        shown = title if isinstance(title, str) else LOST
        return News(shown, bool(over), removed is not None, entries, anew)

    def _entries(self, file: sqlite3.Connection, first: int) -> list[EntryRecord]:
        rows: list[Any] = file.execute(_ENTRIES, (self._number, first)).fetchall()
        return [entry_of(row, self._number) for row in rows]


def _check(file: sqlite3.Connection, place: Place) -> None:
    """Raises StoreError for a file that is not ours or that another version keeps."""
    if file.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION_ID:
        raise damaged(place.location, "it is not a database of Skirmish")
    stored = file.execute("SELECT version_num FROM alembic_version").fetchall()
    if stored != [(schema.REVISION,)]:
        raise StoreError(
            f"The database {place.location} was written by another version of Skirmish; "
            "start this program again."
        )
