"""Backups: copies made while programs write to the database, and put back in its place; and whether
a file is sound.

A copy is one file that stands there whole or not at all. Nothing is replaced before what was there
is kept beside it. Nothing here needs the ORM; what bodies and journals mean only the games know.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from msgspec import Struct

from skirmish.store import opening
from skirmish.store.errors import Damaged, StoreError, quoted, translated
from skirmish.store.files import part_name, sweep
from skirmish.store.opening import (
    NO_REVISION,
    PATIENCE,
    STRANGE,
    begins_as_sqlite,
    inspect,
    is_ours,
    open_to_read,
    revision_of,
)
from skirmish.store.place import Place

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_MOMENT = 1.0  # seconds: long enough for a program that is just closing the file
_LOGS = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a file in use


class Examined(Struct, frozen=True):
    """What `examine` found: every fault as the end of a sentence about the file, none if sound."""

    faults: tuple[str, ...]
    revision: str | None = None
    battles: int = 0  # of every game; removed ones are not counted
    armies: int = 0
    of_game: dict[str, int] = {}  # how many of the battles are of which game

    @property
    def newer(self) -> bool:
        return self.revision is not None and not opening.is_known(self.revision)


def examine(path: Path) -> Examined:
    """Look the whole file over: SQLite's own check, whose it is, its revision, lost references.

    Raises StoreError where it cannot be looked at: it is missing, no ordinary file, may not be
    read, or is locked.
    """
    shown = Place(path).location
    try:
        if not path.is_file():
            there = path.exists()
            raise StoreError(
                f"{shown} is not a regular file." if there else f"There is no file {shown}."
            )
        if not begins_as_sqlite(path):
            return Examined((STRANGE,))
    except OSError as error:
        raise StoreError(f"{shown} cannot be read ({error.strerror}).") from None
    try:
        with closing(open_to_read(path)) as file:
            file.execute("BEGIN")
            return _examined(file)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY:
            raise translated(error, shown) from error
        return Examined((f"it cannot be read to its end ({error})",))


def _examined(file: sqlite3.Connection) -> Examined:
    if not is_ours(file):
        return Examined(("it is not a database of Skirmish",))
    told = [" ".join(str(line).split()) for (line,) in file.execute("PRAGMA integrity_check")]
    if told != ["ok"]:
        return Examined(tuple(f"it is damaged: {line}" for line in told))
    faults = [
        f"row {row} of the table {table} belongs to a {parent} that does not exist"
        for table, row, parent, _ in file.execute("PRAGMA foreign_key_check")
    ]
    if (revision := revision_of(file)) is None:
        return Examined((*faults, NO_REVISION))
    (armies,) = file.execute("SELECT count(*) FROM army WHERE removed IS NULL").fetchone()
    counts = "SELECT game, count(*) FROM battle WHERE removed IS NULL GROUP BY game"
    of_game = dict(file.execute(counts).fetchall())
    return Examined(tuple(faults), revision, sum(of_game.values()), armies, of_game=of_game)


def newer(revision: str) -> str:
    return (
        f"was written by a newer Skirmish (its revision is {quoted(revision)}, "
        f"this program knows up to “{opening.REVISION}”)"
    )


# ------------------------------------------------------------------ copies


def free_name(path: Path, why: str) -> Path:
    """`<name>.<why>.bak` in the folder of `path`, with a number where that is taken."""
    names = (f"{path.name}.{why}{'' if n == 1 else f'-{n}'}.bak" for n in count(1))
    return next(path.with_name(name) for name in names if not path.with_name(name).exists())


def copy(source: sqlite3.Connection, target: Path) -> None:
    """Write what is committed in `source` as a single file `target`, whole or not at all.

    A file of that name is replaced. Raises OSError or sqlite3.Error; then nothing is left behind.
    """
    sweep(target)
    part = part_name(target)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as file:
            _pour(source, file)
            # One file, without a log beside it: so it can be carried about and read anywhere.
            file.execute("PRAGMA journal_mode = DELETE")
        os.replace(part, target)
    finally:
        for tail in ("", *_LOGS):
            with suppress(OSError):
                part.with_name(part.name + tail).unlink()


def back_up(place: Place, target: Path, *, overwrite: bool = False) -> Examined:
    """Copy the database to `target`, also while programs have it open; says what is in the copy.

    Raises StoreError where there is nothing to copy, it is not sound, or `target` cannot be
    written; FileExistsError where `target` is there and is not to be overwritten.
    """
    path = there(place)
    shown = Place(target).location
    if target.exists() and target.samefile(path):
        raise StoreError(f"{shown} is the database itself; choose another file for the backup.")
    if in_use(target):
        raise StoreError(
            f"{shown} is in use by another program, or was left unfinished by one "
            "(its log is still there); choose another file for the backup."
        )
    if not overwrite and os.path.lexists(target):
        raise FileExistsError
    if not target.parent.is_dir():
        raise StoreError(
            f"The folder {Place(target.parent).location} does not exist; create it first."
        )
    try:
        found = examine(path)
        if found.faults:
            raise StoreError(
                f"No backup was made: {place.location} is damaged, {found.faults[0]}. "
                "`skirmish db check` lists every fault."
            )
        with closing(open_to_read(path)) as source:
            copy(source, target)
    except sqlite3.Error as error:
        raise StoreError(f"The backup could not be written to {shown} ({error}).") from error
    return found


def restore(source: Path, place: Place) -> Path | None:
    """Put the copy `source` in the place of the database, in one step that a kill cannot halve.

    What was there is kept beside it first; says where, or None if there was nothing. Raises
    StoreError where `source` is not sound or of an unknown version, where another program has the
    database open, and for whatever the place will not do; then the database is as it was.
    """
    path = place.path
    if path is None:
        raise StoreError("The database is in memory only; set SKIRMISH_DATABASE to a file.")
    found = examine(source)
    shown = Place(source).location
    if path.exists() and path.samefile(source):
        raise StoreError(f"{shown} is the database itself; choose a backup of it.")
    if found.faults or found.revision is None:
        raise StoreError(f"{shown} cannot be restored, {found.faults[0]}. Nothing was changed.")
    if found.newer:
        raise StoreError(
            f"{shown} cannot be restored, it {newer(found.revision)}. Nothing was changed; "
            "update Skirmish first."
        )
    try:
        was = inspect(place)
    except Damaged:
        return _replace(source, path, place)
    return _overwrite(source, path, place, keep=was is not None)


def there(place: Place) -> Path:
    """The file of a database that is there. Raises StoreError where there is none yet."""
    if place.path is None:
        raise StoreError("The database is in memory only and has no file.")
    if not place.path.exists():
        raise StoreError(f"There is no database yet; the app will create it at {place.location}.")
    return place.path


def in_use(path: Path) -> bool:
    for tail in ("-wal", "-journal"):
        with suppress(OSError):
            if path.with_name(path.name + tail).stat().st_size > 0:
                return True
    return False


def _overwrite(source: Path, path: Path, place: Place, *, keep: bool) -> Path | None:
    """Pour the copy into the database in one transaction, with everybody else locked out."""
    kept: Path | None = None
    try:
        with closing(sqlite3.connect(path, timeout=_MOMENT, isolation_level=None)) as file:
            # A program with a write-ahead log holds a lock as long as it has the file open, so
            # leaving the log is refused while one is there. Once held, the lock stays ours.
            file.execute("PRAGMA locking_mode = EXCLUSIVE")
            file.execute("PRAGMA journal_mode = DELETE")
            file.execute("PRAGMA synchronous = FULL")
            file.execute("BEGIN EXCLUSIVE")
            file.execute("COMMIT")
            if keep:
                kept = free_name(path, "before-restore")
                copy(file, kept)
            with closing(open_to_read(source)) as good:
                _pour(good, file)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY:
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
    return kept


def _replace(source: Path, path: Path, place: Place) -> Path:
    """Put the copy where a damaged file is, which nobody can have open; that one is set aside."""
    kept = free_name(path, "before-restore")
    fresh = part_name(path)
    try:
        with closing(open_to_read(source)) as good:
            copy(good, fresh)
        try:
            # Its logs go first: SQLite would take them for logs of the new file.
            for tail in _LOGS:
                log = path.with_name(path.name + tail)
                if log.exists():
                    os.replace(log, kept.with_name(kept.name + tail))
            shutil.copyfile(path, kept)
            os.replace(fresh, path)
        finally:
            fresh.unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"{place.location} could not be replaced ({error}); the old file is unchanged, "
            f"or beside it as {kept.name}."
        ) from error
    return kept


def _pour(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copy all pages in one transaction of `target`; never waits longer than `PATIENCE`."""
    source.backup(target, pages=-1, progress=_patient())


def _patient() -> Callable[[int, int, int], None]:
    end = time.monotonic() + PATIENCE

    def look(status: int, _left: int, _total: int) -> None:
        # Python itself would wait for a lock for ever.
        if status & 0xFF in _BUSY and time.monotonic() > end:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error

    return look
