"""Checking a database, copying it, even while programs have it open, and restoring a copy.

A copy is a single file, which is complete or does not exist. Nothing is replaced before there is a
backup of the old file beside it. The ORM is not needed, since files are copied as a whole.
"""

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct

from skirmish.store import opening
from skirmish.store.connection import connected
from skirmish.store.errors import LOCKED, Damaged, StoreError, kind_of, kind_of_code, translated
from skirmish.store.files import part_name, remove_stale_parts
from skirmish.store.opening import (
    NO_REVISION,
    NOT_SQLITE,
    PATIENCE,
    begins_as_sqlite,
    inspect,
    is_ours,
    open_to_read,
    revision_of,
)
from skirmish.store.place import Place

_RESTORE_PATIENCE = 1.0
"""Seconds to wait for a lock: long enough for a program that is just closing the file."""
_ALL_PAGES = -1
"""What SQLite takes for all pages of a file in one step."""
_LOG_ENDINGS = ("-wal", "-shm", "-journal")
"""The endings of the files that SQLite adds beside one in use: the write-ahead log, its index, and
the older journal."""


class Examined(Struct, frozen=True):
    """What `examine` found in a file. Removed armies and games are not counted."""

    faults: tuple[str, ...]
    """Each is the end of a sentence about the file: ``it is damaged``."""
    revision: str | None = None
    """The version of the tables; None if there is none or it was not read. Then there is always a
    fault."""
    battles: int = 0
    """How many games there are, of every kind."""
    armies: int = 0
    battles_by_game: dict[str, int] = {}
    """How many games there are of each kind, by its id."""

    @property
    def newer(self) -> bool:
        """Whether a later version of Skirmish wrote the file."""
        return self.revision is not None and not opening.is_known(self.revision)


def examine(path: Path) -> Examined:
    """Check a whole file: whether it is sound and ours, has a revision, and no row lacks the row
    that it belongs to.

    Raises StoreError where this cannot be found out, because the file is missing, no regular file,
    not readable or locked.
    """
    location = Place(path).location
    try:
        if not path.exists():
            raise StoreError(f"There is no file {location}.")
        if not path.is_file():
            raise StoreError(f"{location} is not a regular file.")
        if not begins_as_sqlite(path):
            return Examined((NOT_SQLITE,))
    except OSError as error:
        raise StoreError(f"{location} cannot be read ({error.strerror}).") from None
    try:
        with closing(open_to_read(path)) as file:
            file.execute("BEGIN")
            return _examined(file)
    except sqlite3.Error as error:
        # Only errors that SQLite itself reports have a code.
        code = getattr(error, "sqlite_errorcode", None)
        # A locked file may be sound. So may a file beside which the disk has no room for the index
        # of its log.
        if kind_of(error) in LOCKED or code == sqlite3.SQLITE_IOERR_SHMSIZE:
            raise translated(error, location) from error
        return Examined((f"it cannot be read to its end ({error})",))


def _examined(file: sqlite3.Connection) -> Examined:
    """What is in an open file that begins like an SQLite file."""
    if not is_ours(file):
        return Examined(("it is not a database of Skirmish",))
    messages = []
    for (message,) in file.execute("PRAGMA integrity_check"):
        messages.append(" ".join(str(message).split()))  # on one line
    if messages != ["ok"]:
        return Examined(tuple(f"it is damaged: {message}" for message in messages))
    faults = []
    for table, row, parent, _ in file.execute("PRAGMA foreign_key_check"):
        faults.append(f"row {row} of the table {table} belongs to a {parent} that does not exist")
    revision = revision_of(file)
    if revision is None:
        return Examined((*faults, NO_REVISION))
    (armies,) = file.execute("SELECT count(*) FROM army WHERE removed IS NULL").fetchone()
    counts = "SELECT game, count(*) FROM battle WHERE removed IS NULL GROUP BY game"
    by_game = dict(file.execute(counts).fetchall())
    battles = sum(by_game.values())
    return Examined(tuple(faults), revision, battles, armies, battles_by_game=by_game)


# ------------------------------------------------------------------ copies


def free_name(path: Path, occasion: str) -> Path:
    """A free name for a backup of `path`, in its folder: `<name>.<occasion>.bak`, or
    `<name>.<occasion>-2.bak` and so on if that is taken. `occasion` is a word for the file's name,
    such as `before-restore`."""
    free = path.with_name(f"{path.name}.{occasion}.bak")
    number = 1
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}.{occasion}-{number}.bak")
    return free


def copy(source: sqlite3.Connection, target: Path) -> None:
    """Write what is committed in `source` to a single file `target`, completely or not at all.

    An existing file is replaced. Raises OSError or sqlite3.Error; then `target` is
    unchanged, and no part of a copy is left.
    """
    remove_stale_parts(target)
    part = part_name(target)
    try:
        with closing(connected(part, isolation_level=None)) as file:
            _copy_pages(source, file)
            # Without a log beside it, the copy is a single file, which can be carried about.
            file.execute("PRAGMA journal_mode = DELETE")
        os.replace(part, target)
    finally:
        for ending in ("", *_LOG_ENDINGS):
            with suppress(OSError):
                part.with_name(part.name + ending).unlink()


def back_up(place: Place, target: Path, *, overwrite: bool = False) -> Examined:
    """Copy the database to `target`, even while programs have it open. Returns what is in the copy.

    Raises StoreError where there is nothing to copy, it is not sound, `target` is no place for it,
    or SQLite cannot write it; FileExistsError where `target` exists and `overwrite` is false;
    another OSError where the finished copy cannot take that place.
    """
    path = existing_file(place)
    _check_target(target, path, overwrite=overwrite)
    try:
        examined = examine(path)
        if examined.faults:
            raise StoreError(
                f"No backup was made: {place.location} is damaged, {examined.faults[0]}. "
                "`skirmish db check` lists every fault."
            )
        with closing(open_to_read(path)) as source:
            copy(source, target)
    except sqlite3.Error as error:
        location = Place(target).location
        raise StoreError(f"The backup could not be written to {location} ({error}).") from error
    return examined


def _check_target(target: Path, path: Path, *, overwrite: bool) -> None:
    """Refuse a file that a backup of the database at `path` may not be written to. Raises
    StoreError; FileExistsError where `target` exists and `overwrite` is false."""
    location = Place(target).location
    if target.exists() and target.samefile(path):
        raise StoreError(f"{location} is the database itself; choose another file for the backup.")
    if in_use(target):
        raise StoreError(
            f"{location} is in use by another program, or was left unfinished by one "
            "(its log is still there); choose another file for the backup."
        )
    # A device or a pipe would be replaced by the backup, with --force as well.
    if target.exists() and not target.is_file():
        raise StoreError(f"{location} is not a regular file; choose another one for the backup.")
    # A symbolic link without a file behind it counts, too: it would be replaced.
    if not overwrite and os.path.lexists(target):
        raise FileExistsError
    if not target.parent.is_dir():
        raise StoreError(
            f"The folder {Place(target.parent).location} does not exist; create it first."
        )


def restore(source: Path, place: Place) -> Path | None:
    """Replace the database with the copy `source`. If the program is killed on the way, the
    database is the old one or the new one, never something between them.

    Returns the backup of the old database; None if there was no old one. Raises StoreError where
    `source` is not sound or of an unknown revision, where another program has the database open,
    and where a file cannot be written. The database is then unchanged.
    """
    path = place.path
    if path is None:
        raise StoreError("The database is in memory only; set SKIRMISH_DATABASE to a file.")
    _check_source(source, path)
    try:
        old_revision = inspect(place)
    except Damaged:
        # SQLite cannot write to a damaged file: another file takes its place.
        return _replace_file(source, path, place)
    # Without a revision there is no file yet, or nothing in it to back up.
    return _overwrite_content(source, path, place, backup=old_revision is not None)


def _check_source(source: Path, path: Path) -> None:
    """Refuse a file that cannot replace the database at `path`. Raises StoreError."""
    examined = examine(source)
    location = Place(source).location
    if path.exists() and path.samefile(source):
        raise StoreError(f"{location} is the database itself; choose a backup of it.")
    # Without a revision there is always a fault: the second question is for the type checker.
    if examined.faults or examined.revision is None:
        raise StoreError(
            f"{location} cannot be restored, {examined.faults[0]}. Nothing was changed."
        )
    if examined.newer:
        raise StoreError(
            f"{location} cannot be restored, it {opening.newer_words(examined.revision)}. "
            "Nothing was changed; update Skirmish first."
        )


def existing_file(place: Place) -> Path:
    """The existing file of the database. Raises StoreError where there is none yet."""
    path = file_of(place)
    if not path.exists():
        raise StoreError(f"There is no database yet; the app will create it at {place.location}.")
    return path


def file_of(place: Place) -> Path:
    """Where the database is or will be. Raises StoreError for one in memory."""
    if place.path is None:
        raise StoreError("The database is in memory only and has no file.")
    return place.path


def in_use(path: Path) -> bool:
    """Whether there is a log beside the file, which SQLite removes when the last program closes
    it."""
    # Only these two hold changes; the index of a log holds none.
    for ending in ("-wal", "-journal"):
        with suppress(OSError):
            if path.with_name(path.name + ending).stat().st_size > 0:
                return True
    return False


def _overwrite_content(source: Path, path: Path, place: Place, *, backup: bool) -> Path | None:
    """Copy `source` into the database in one transaction, with every other program locked out.
    Returns the path of the backup, if one is to be made."""
    backup_path = None
    try:
        with closing(connected(path, timeout=_RESTORE_PATIENCE, isolation_level=None)) as file:
            # A program that uses the write-ahead log holds a lock as long as it has the file open.
            # While there is such a program, SQLite refuses to switch to another journal mode, and
            # raises an error here. With the exclusive locking mode, the lock of the empty
            # transaction stays ours until the file is closed.
            file.execute("PRAGMA locking_mode = EXCLUSIVE")
            file.execute("PRAGMA journal_mode = DELETE")
            file.execute("PRAGMA synchronous = FULL")
            file.execute("BEGIN EXCLUSIVE")
            file.execute("COMMIT")
            if backup:
                backup_path = free_name(path, "before-restore")
                copy(file, backup_path)
            with closing(open_to_read(source)) as sound_file:
                _copy_pages(sound_file, file)
    except sqlite3.Error as error:
        if kind_of(error) in LOCKED:
            raise StoreError(
                f"The database {place.location} is open in another program; "
                "close that program first, then restore again. Nothing was changed."
            ) from error
        raise translated(error, place.location) from error
    except OSError as error:
        raise StoreError(
            f"The present database {place.location} could not be backed up first "
            f"({error.strerror}); nothing was changed."
        ) from error
    return backup_path


def _replace_file(source: Path, path: Path, place: Place) -> Path:
    """Put a copy of `source` in the place of a damaged file, which Skirmish does not open.
    Returns the backup of the damaged file."""
    backup_path = free_name(path, "before-restore")
    new_file = part_name(path)
    try:
        with closing(open_to_read(source)) as sound_file:
            copy(sound_file, new_file)
        try:
            # The old file's logs go first: SQLite would take them for logs of the new file.
            for ending in _LOG_ENDINGS:
                log = path.with_name(path.name + ending)
                if log.exists():
                    os.replace(log, backup_path.with_name(backup_path.name + ending))
            # Copied, not moved, so that at every moment there is a file in its place.
            shutil.copyfile(path, backup_path)
            os.replace(new_file, path)
        finally:
            new_file.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"{place.location} could not be replaced ({error}); the old file is unchanged, "
            f"or beside it as {backup_path.name}."
        ) from error
    return backup_path


def _copy_pages(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copy all pages in one transaction of `target`. Waits for a lock no longer than `PATIENCE`."""
    deadline = time.monotonic() + PATIENCE

    def give_up_in_time(code: int, _pages_left: int, _pages: int) -> None:
        """Called after each attempt, with its result. Python itself would go on trying for as long
        as there is a lock."""
        if kind_of_code(code) in LOCKED and time.monotonic() > deadline:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error

    source.backup(target, pages=_ALL_PAGES, progress=give_up_in_time)
