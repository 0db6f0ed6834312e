"""Inspecting a database before touching it, and opening it with the pragmas of this store. Neither
the ORM nor Alembic is loaded for that."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from skirmish.store.connection import connected
from skirmish.store.errors import (
    LOCKED,
    Damaged,
    StoreError,
    damaged,
    kind_of,
    quoted,
    translated,
)
from skirmish.store.place import Place, bare_uri, read_only_uri, repairing_uri
from skirmish.store.records import as_text
from skirmish.tabletop.typed import plain

# The newest migration (a test compares it with Alembic's head); such a file needs no Alembic.
REVISION = "0002"

# "Skir" in the file's header marks our files. The first migration sets it.
APPLICATION_ID = 0x536B6972

MIGRATIONS = Path(__file__).with_name("migrations")

PATIENCE = 5.0  # seconds to wait for another program's write

# The ends of sentences about a file.
STRANGE = "it does not begin like an SQLite file"
NO_REVISION = "it does not record which version wrote it"

_SMALLEST = 512  # bytes: a database is at least one page

# The first bytes of a write-ahead log: the byte order of its checksums is in the last of them.
_LOG_BEGINS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")

# A file left in the middle of a write must be rolled back before it can be read at all.
_NEEDS_REPAIR = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}


def is_known(revision: str) -> bool:
    """Whether this program can migrate a file of that revision: they are numbered from 0001."""
    return revision in {f"{number:04}" for number in range(1, int(REVISION) + 1)}


def newer_words(revision: str) -> str:
    """The end of a sentence about a file of a revision that is not known."""
    return (
        f"was written by a newer Skirmish (its revision is {quoted(revision)}, "
        f"this program knows up to “{REVISION}”)"
    )


def inspect(place: Place) -> str | None:
    """The revision of the file, or None where there is nothing yet.

    Creates the missing folder of a new file; changes no file. Raises StoreError for a place that
    cannot hold the database and for a file that is not ours or not sound.
    """
    path = place.path
    if path is None:
        return None
    try:
        status = path.stat()
        _check_kind(path, status.st_mode)
        if status.st_size == 0:
            return None
        if not begins_as_sqlite(path):
            raise damaged(place.location, STRANGE)
        with closing(open_to_read(path)) as file:
            return _stored_revision(file, place)
    except FileNotFoundError:
        _make_folder(path)
        return None
    except OSError as error:
        raise StoreError(
            f"The database {place.location} cannot be reached ({error.strerror}); "
            "set SKIRMISH_DATABASE to a file that you can read and write."
        ) from None
    except sqlite3.Error as error:
        raise translated(error, place.location) from error


def _stored_revision(file: sqlite3.Connection, place: Place) -> str | None:
    """The revision of an open file; None if nothing was ever written to it. Raises StoreError for
    one that is not ours or not sound."""
    (tables,) = file.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not tables and file.execute("PRAGMA application_id").fetchone() == (0,):
        return None
    if not is_ours(file):
        raise StoreError(
            f"The file {place.location} belongs to another program; set SKIRMISH_DATABASE "
            "to a file of Skirmish, or to one that does not exist yet."
        )
    (verdict,) = file.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise damaged(place.location, " ".join(verdict.split()))
    revision = revision_of(file)
    if revision is None:
        raise damaged(place.location, NO_REVISION)
    return revision


def _make_folder(path: Path) -> None:
    """Create the folder of a database that does not exist yet. Raises StoreError."""
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The folder {plain(str(folder))} for the database cannot be created "
            f"({error.strerror}); create it yourself, or set SKIRMISH_DATABASE to a file in a "
            "folder of your own."
        ) from None
    _check_folder(path)


def _check_folder(path: Path) -> None:
    """Raises StoreError if nothing can be written beside the database."""
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise StoreError(
            f"The folder {plain(str(path.parent))} is not writable, and the database needs to "
            "write beside its file; make it writable, or set SKIRMISH_DATABASE to a file in a "
            "folder of your own."
        )


def _check_kind(path: Path, mode: int) -> None:
    """Raises StoreError if this is no file that can be read and written; ``mode`` is that of
    ``os.stat``."""
    location = plain(str(path))
    wrong = _wrong_with_kind(path, mode, location)
    if wrong:
        raise StoreError(f"The database {location} is {wrong}.")
    _check_folder(path)


def _wrong_with_kind(path: Path, mode: int, location: str) -> str:
    """The end of a sentence on what is wrong with a file of this ``mode`` as a database; empty if
    nothing is."""
    if stat.S_ISDIR(mode):
        return f"a folder; choose a file in it, such as {location}/skirmish.db"
    if not stat.S_ISREG(mode):
        return "not a regular file; set SKIRMISH_DATABASE to one that is"
    # The mode counts besides the permission: root may write, but the user asked for read only.
    is_readable = mode & 0o444 and os.access(path, os.R_OK)
    if not is_readable:
        return "not readable; make it readable, or set SKIRMISH_DATABASE to another file"
    is_writable = mode & 0o222 and os.access(path, os.W_OK)
    if not is_writable:
        return "read-only; make it writable, or set SKIRMISH_DATABASE to another file"
    return ""


def begins_as_sqlite(path: Path) -> bool:
    """Whether the file itself is a database, whatever its log says. SQLite treats a very short file
    of any kind as an empty database and overwrites it. Raises OSError."""
    if path.stat().st_size < _SMALLEST:
        return False
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    # SQLite looks, not we: closing the file would take away the locks of all connections that this
    # process has to it, and another program could remove the log that they write to.
    try:
        with closing(connected(bare_uri(path), uri=True)) as file:
            file.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        return kind_of(error) != sqlite3.SQLITE_NOTADB
    return True


def is_ours(file: sqlite3.Connection) -> bool:
    """Whether this program made the database: it signs each of its files."""
    return bool(file.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,))


def revision_of(file: sqlite3.Connection) -> str | None:
    """The revision of a database of ours; None where it has none."""
    rows = file.execute("SELECT version_num FROM alembic_version").fetchall()
    if len(rows) != 1:
        return None
    (revision,) = rows[0]
    return str(revision)


def open_to_read(path: Path) -> sqlite3.Connection:
    """A read-only connection, which waits `PATIENCE` for a lock.

    No content is changed, but what a killed program left half written is rolled back, as by any
    opening. Raises sqlite3.Error where the file is missing, locked or not a database.
    """
    try:
        return really_opened(read_only_uri(path))
    except sqlite3.Error as error:
        if kind_of(error) not in _NEEDS_REPAIR:
            raise
    return really_opened(repairing_uri(path))


def really_opened(uri: str, patience: float = PATIENCE) -> sqlite3.Connection:
    """A connection that has really read its file: SQLite opens it only for the first query."""
    file = connected(uri, uri=True, timeout=patience, isolation_level=None)
    file.text_factory = as_text
    try:
        file.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error:
        file.close()
        raise
    return file


class SeenFile(NamedTuple):
    """What tells a file on the disk from another, and from itself after a write."""

    device: int
    number: int
    size: int
    time: int

    @classmethod
    def look(cls, path: str) -> SeenFile | None:
        """The file now; None if it is gone or cannot be reached."""
        try:
            status = os.stat(path)
        except OSError:
            return None
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)

    def is_same(self, before: SeenFile) -> bool:
        """Whether it is the same file on the disk, written or not."""
        return (self.device, self.number) == (before.device, before.number)

    def is_unwritten(self, before: SeenFile) -> bool:
        """Whether it was not written meanwhile, as far as its size and its time show."""
        return (self.size, self.time) == (before.size, before.time)


class SeenDatabase(NamedTuple):
    """The file, its log and the log's index; all None for a database in memory."""

    file: SeenFile | None = None
    log: SeenFile | None = None
    log_index: SeenFile | None = None

    def is_same(self, before: SeenDatabase) -> bool:
        """Whether the same files are there, and none besides."""
        for file, file_before in zip(self, before, strict=True):
            if file is None or file_before is None:
                if file is not file_before:
                    return False
            elif not file.is_same(file_before):
                return False
        return True


class Custody:
    """Checks that an open database is still the file that was opened.

    SQLite does not notice that its file was cut off, overwritten or replaced, or that its log is
    gone: it goes on writing to where nothing can be read again.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._seen_before = self._look()

    def check(self) -> None:
        """Call it before a transaction, and after it before anything is shown. Raises StoreError.

        Takes a few microseconds, unless the file was written since the last check (usually SQLite
        moving its log there): then the file is read through.
        """
        seen = self._look()
        if not seen.is_same(self._seen_before):
            raise StoreError(
                f"The database {self._place.location}, or the log beside it, was moved, removed or "
                "replaced while it was open. Put it back, or close Skirmish and start it again."
            )
        file, log = seen.file, seen.log
        if file and log:
            if log.size and not self._begins_as_log():
                raise self._overwritten("its log was overwritten")
            if self._was_written(file, log):
                self._read_through(file.size)
        elif file and file.size == 0:  # on a disk that has no log
            raise self._overwritten("it is empty")
        self._seen_before = seen

    def _was_written(self, file: SeenFile, log: SeenFile) -> bool:
        """Whether the file itself was written since the last check, or its log cut off. That the
        log has grown is an ordinary write."""
        file_before, log_before = self._seen_before.file, self._seen_before.log
        if file_before is None or log_before is None:
            return True
        return not file.is_unwritten(file_before) or log.size < log_before.size

    def _look(self) -> SeenDatabase:
        """The files of the database now."""
        path = self._place.path
        if path is None:
            return SeenDatabase()
        return SeenDatabase(
            SeenFile.look(f"{path}"), SeenFile.look(f"{path}-wal"), SeenFile.look(f"{path}-shm")
        )

    def _begins_as_log(self) -> bool:
        """Whether the log is still one of SQLite's."""
        # The log may be opened beside SQLite. The file and the index may not: closing them would
        # take SQLite's own locks away.
        try:
            with open(f"{self._place.path}-wal", "rb", buffering=0) as file:
                return file.read(4) in _LOG_BEGINS
        except OSError:
            return False

    def _read_through(self, size: int) -> None:
        """Read the whole file, which has so many bytes. Raises Damaged if it is not sound."""
        assert self._place.path is not None
        if size == 0:  # SQLite would take its log for a stray one, and delete it
            raise self._overwritten("it is empty")
        try:
            with closing(open_to_read(self._place.path)) as file:
                ours = is_ours(file)
                (verdict,) = file.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.Error as error:
            if kind_of(error) in LOCKED:
                raise translated(error, self._place.location) from error
            raise self._overwritten(str(error)) from error
        if not ours or verdict != "ok":
            raise self._overwritten(" ".join(str(verdict).split()))

    def _overwritten(self, detail: str) -> Damaged:
        return Damaged(
            f"Another program has damaged the database {self._place.location} while it was open "
            f"({detail}). Close Skirmish and run `skirmish db check`; "
            "`skirmish db restore FILE` brings back a backup."
        )


def connect(place: Place, patience: float) -> sqlite3.Connection:
    """An open connection: transactions by hand, write-ahead log, full sync, foreign keys on."""
    try:
        # isolation_level=None: Python begins no transactions of its own.
        file = connected(place.path or ":memory:", timeout=patience, isolation_level=None)
    except sqlite3.Error as error:
        raise translated(error, place.location) from error
    file.text_factory = as_text
    try:
        _write_ahead(file, patience)
        file.execute("PRAGMA synchronous = FULL")
        file.execute("PRAGMA schema_version").fetchone()  # its log exists from here on
        file.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error as error:
        file.close()
        raise translated(error, place.location) from error
    return file


def _write_ahead(file: sqlite3.Connection, patience: float) -> None:
    """Turn on the write-ahead log, which outlives the connection.

    SQLite does not wait for a lock here as it does elsewhere, and two programs may create the file
    together, so we wait. A disk that does not support the log uses the old journal, which is as
    safe and only slower.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            if file.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                file.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if kind_of(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
