"""SQLite's failures, turned into sentences."""

import re
import sqlite3

from skirmish.store.errors import Damaged, StoreError

# Our statements are right for the tables that we make: where SQLite says so, these are others.
_OTHER_TABLES = re.compile(r"no such (table|column)|has no column|malformed")


def explained(error: sqlite3.Error, location: str) -> StoreError | None:
    """The sentence for a failure of the file or the disk; None for a mistake in our own code."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    if _OTHER_TABLES.search(str(error)):
        return damaged(location, str(error))
    match code & 0xFF:  # the higher bits say how it failed; the lowest say what
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreError(
                f"The database {location} is locked by another program; "
                "close that program, or wait a moment, then try again."
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(location, str(error))
        case sqlite3.SQLITE_FULL:
            return StoreError(
                f"The disk that holds {location} is full, so the last change was not saved; "
                "free some space, then try again."
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return StoreError(
                f"The database {location} cannot be written ({error}); "
                "make it writable, or set SKIRMISH_DATABASE to another file."
            )
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR:
            return StoreError(
                f"The database {location} cannot be reached ({error}); "
                "check that its disk is connected and its folder is writable, then try again."
            )
        case sqlite3.SQLITE_ERROR | sqlite3.SQLITE_MISUSE | sqlite3.SQLITE_RANGE:
            return None
        case _:
            return StoreError(f"The database {location} refused the change ({error}).")


def translated(error: sqlite3.Error, location: str) -> StoreError:
    """The sentence for a failure with a file that may not be what it claims to be."""
    return explained(error, location) or damaged(location, str(error))


def damaged(location: str, detail: str) -> Damaged:
    """The sentence for a file that is no sound database."""
    return Damaged(
        f"The file {location} is damaged or is not a database ({detail}). It was not changed; "
        "restore a backup (`skirmish db restore FILE`), or set SKIRMISH_DATABASE to another file."
    )
