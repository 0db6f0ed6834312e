"""Following a game that another program plays: polling the database without the ORM. No file is
created or changed, and no writer ever waits."""

import os
import sqlite3
import stat

from msgspec import Struct

from skirmish.store import opening
from skirmish.store.errors import StoreError, damaged, translated
from skirmish.store.opening import is_ours, really_opened, revision_of
from skirmish.store.place import Place, find, read_only_uri
from skirmish.store.readers import entries
from skirmish.store.records import UNREADABLE_TEXT
from skirmish.tabletop.journal_codec import EntryRecord

_WATCH_PATIENCE = 0.2
"""Seconds to wait for a lock: so few, since the next look comes soon."""
_BEYOND_INTEGERS = 2**63
"""SQLite's integers are smaller; given one as large as this, Python raises an error of its own."""


class News(Struct, frozen=True):
    """What a look at a battle found. The ``entries`` follow those of the looks before or, if
    ``whole``, are the whole journal: this is the first look, or what was known before is no longer
    in the file."""

    title: str
    over: bool
    removed: bool
    entries: tuple[EntryRecord, ...]
    whole: bool = False


class Watch:
    """Polls the battle with a number, in the database ``where`` (as for `Store.open`). A look takes
    a few microseconds if nothing was written since the last. A watch belongs to the thread that
    looks."""

    def __init__(self, where: str | None, number: int) -> None:
        self._where = where
        self._number = number
        self._connection: sqlite3.Connection | None = None
        self._device_and_inode: tuple[int, int] | None = None
        """Those of the file that is open."""
        self._version: int | None = None
        """SQLite's number of the content at the last look."""
        self._last: EntryRecord | None = None
        """The last entry that a look returned."""

    def look(self) -> News | None:
        """What is new since the last look, or None. The first look finds the whole journal.

        Raises StoreError where the file is gone or locked, cannot be read or has no such battle;
        the next look tries again.
        """
        try:
            return self._look()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file; the next look opens it again."""
        connection = self._connection
        self._connection = None
        self._version = None
        if connection is not None:
            connection.close()

    def _look(self) -> News | None:
        """What ``look`` returns; after an error the file may still be open."""
        place = find(self._where)
        try:
            connection = self._open_connection(place)
            # The version is read before the snapshot: what is written between the two changes it,
            # so that the next look reads again.
            (version,) = connection.execute("PRAGMA data_version").fetchone()
            if version == self._version:
                return None
            connection.execute("BEGIN")  # one snapshot for the battle and its journal
            try:
                news = self._news(connection)
            finally:
                connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise translated(error, place.location) from error
        if news is None:
            raise StoreError(f"{place.location} has no battle with the number {self._number}.")
        self._version = version
        if news.entries:
            self._last = news.entries[-1]
        return news

    def _open_connection(self, place: Place) -> sqlite3.Connection:
        """The connection to the file, opened if it is not open yet; opened again if another file
        has its place now, such as a restored backup."""
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
        if self._connection is not None and device_and_inode != self._device_and_inode:
            self.close()
        if self._connection is None:
            self._connection = really_opened(read_only_uri(place.path), _WATCH_PATIENCE)
            self._device_and_inode = device_and_inode
            if not is_ours(self._connection):
                raise damaged(place.location, "it is not a database of Skirmish")
            if revision_of(self._connection) != opening.REVISION:
                raise StoreError(
                    f"The database {place.location} was written by another version of Skirmish; "
                    "start this program again."
                )
        return self._connection

    def _news(self, connection: sqlite3.Connection) -> News | None:
        """The state of the battle and its new entries; None if there is no such battle."""
        number = self._number
        if abs(number) >= _BEYOND_INTEGERS:
            number = 0  # which no battle has
        battle = connection.execute(
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
            # If the last known entry is still the same, so are those before it.
            last_and_new = entries(connection, number, first=self._last.number)
            whole = not last_and_new or last_and_new[0] != self._last
            new = last_and_new[1:]
        if whole:
            # The game itself, too, is read from 1 on (`Store.entries`). Only `skirmish db check`
            # also looks for lower numbers, which are damaged.
            new = entries(connection, number, first=1)
        return News(title, bool(over), removed is not None, tuple(new), whole)
