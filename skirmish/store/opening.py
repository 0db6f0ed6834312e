"""Inspecting a database before anything in it is changed, and opening it with the pragmas of this
store. Neither the ORM nor Alembic is needed for that."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path

from skirmish.store.connection import connected
from skirmish.store.errors import StoreError, damaged, kind_of, quoted, translated
from skirmish.store.place import Place, bare_uri, read_only_uri, repairing_uri
from skirmish.store.records import text_or_bytes
from skirmish.tabletop.typed import plain

REVISION = "0002"
"""The revision of the newest migration, with which new files begin. A test compares it with
Alembic's newest, so that a file of this revision can be opened without Alembic."""
APPLICATION_ID = 0x536B6972
"""``Skir``, which marks our files in their header. The first migration sets it."""
MIGRATIONS = Path(__file__).with_name("migrations")
"""The folder of the migrations, which Alembic reads."""
PATIENCE = 5.0
"""Seconds to wait for another program's write."""

# Details of a message about a damaged file.
NOT_SQLITE = "it does not begin like an SQLite file"
NO_REVISION = "it does not record which version wrote it"

_SMALLEST = 512
"""Bytes that a database has at least: the smallest page of SQLite."""
_NEEDS_REPAIR = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
"""Kinds of errors when a file is opened read-only that was left in the middle of a write: the write
must be rolled back before anything can be read, and for that the file must be opened to write."""


def is_known(revision: str) -> bool:
    """Whether this program can open a file of that revision, or migrate it: they are numbered from
    ``0001`` to ``REVISION``."""
    return revision in {f"{number:04}" for number in range(1, int(REVISION) + 1)}


def newer_words(revision: str) -> str:
    """The end of a sentence about a file whose revision is not known."""
    return (
        f"was written by a newer Skirmish (its revision is {quoted(revision)}, "
        f"this program knows up to “{REVISION}”)"
    )


def inspect(place: Place) -> str | None:
    """The revision of the file, or None where nothing is stored yet.

    Changes no file, but creates the folder of a new one where it is missing. Raises StoreError for
    a place that cannot hold the database, and for a file that is not ours or not sound.
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
            raise damaged(place.location, NOT_SQLITE)
        with closing(open_to_read(path)) as connection:
            return _stored_revision(connection, place)
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


def _stored_revision(connection: sqlite3.Connection, place: Place) -> str | None:
    """The revision of an open database; None if nothing was ever written to it. Raises StoreError
    for one that is not ours or not sound."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    if tables == 0 and application_id == 0:
        return None
    if not is_ours(connection):
        raise StoreError(
            f"The file {place.location} belongs to another program; set SKIRMISH_DATABASE "
            "to a file of Skirmish, or to one that does not exist yet."
        )
    # 1: stop at the first fault.
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise damaged(place.location, " ".join(verdict.split()))  # on one line
    revision = revision_of(connection)
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
    # `os.access` alone is not enough: root may write any file, also one that was made read-only on
    # purpose. So the mode must give the permission to somebody, too: its owner, group or others.
    may_be_read = mode & 0o444 != 0
    if not (may_be_read and os.access(path, os.R_OK)):
        return "not readable; make it readable, or set SKIRMISH_DATABASE to another file"
    may_be_written = mode & 0o222 != 0
    if not (may_be_written and os.access(path, os.W_OK)):
        return "read-only; make it writable, or set SKIRMISH_DATABASE to another file"
    return ""


def begins_as_sqlite(path: Path) -> bool:
    """Whether the file itself is a database, whatever its log says. Raises OSError."""
    # SQLite takes a very short file of any kind for an empty database, and overwrites it.
    if path.stat().st_size < _SMALLEST:
        return False
    # SQLite's error for a file that may not be read would count as that of a database below.
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    # We leave the reading to SQLite: if we opened and closed the file, all connections of this
    # process to it would lose their locks, and another program could remove the log that they write
    # to.
    try:
        with closing(connected(bare_uri(path), uri=True)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        # Any other error, such as one of the disk, is that of a file which may be a database.
        return kind_of(error) != sqlite3.SQLITE_NOTADB
    return True


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether Skirmish made the database: it signs each of its files."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    return bool(application_id == APPLICATION_ID)


def revision_of(connection: sqlite3.Connection) -> str | None:
    """The revision of a database of ours; None where it has none."""
    rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    if len(rows) != 1:
        return None
    (revision,) = rows[0]
    return str(revision)


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection for reading, which waits `PATIENCE` for a lock.

    Nothing stored is changed; but what a killed program left half written is rolled back, as
    whenever SQLite opens a file. Raises sqlite3.Error where the file is missing, locked or not a
    database.
    """
    try:
        return really_opened(read_only_uri(path))
    except sqlite3.Error as error:
        if kind_of(error) not in _NEEDS_REPAIR:
            raise
    return really_opened(repairing_uri(path))


def really_opened(uri: str, patience: float = PATIENCE) -> sqlite3.Connection:
    """A connection that has read from its file: SQLite itself opens a file only for the first
    query, which would then raise what is wrong with it."""
    connection = connected(uri, uri=True, timeout=patience, isolation_level=None)
    connection.text_factory = text_or_bytes
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def connect(place: Place, patience: float) -> sqlite3.Connection:
    """A connection for the store, with a write-ahead log and foreign keys; each transaction is on
    the disk when it ends. Raises StoreError."""
    try:
        # isolation_level=None: Python begins no transactions of its own, since the store does.
        connection = connected(place.path or ":memory:", timeout=patience, isolation_level=None)
    except sqlite3.Error as error:
        raise translated(error, place.location) from error
    connection.text_factory = text_or_bytes
    try:
        _write_ahead(connection, patience)
        connection.execute("PRAGMA synchronous = FULL")
        # SQLite creates the log for the first query. `Custody` must find it there.
        connection.execute("PRAGMA schema_version").fetchone()
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error as error:
        connection.close()
        raise translated(error, place.location) from error
    return connection


def _write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Turn on the write-ahead log; the file keeps this setting.

    Two programs may create the file at the same time. SQLite does not wait for a lock here as it
    does elsewhere, so we do. On a disk that does not support the log, SQLite goes on with its older
    journal, which is as safe, only slower.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            (journal_mode,) = connection.execute("PRAGMA journal_mode").fetchone()
            if journal_mode != "wal":
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if kind_of(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
