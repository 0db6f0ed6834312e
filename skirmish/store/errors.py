"""The errors of the store, each one sentence for the user."""

import re
import sqlite3

from skirmish.tabletop.typed import plain

LONGEST_QUOTE = 80
"""The most characters of a text that a sentence quotes. Our choice."""
LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
"""Kinds of failures (see `kind_of`) that mean that another program uses the database."""

# Our statements fit the tables that we create. So these messages of SQLite do not mean a mistake in
# a statement, but that the file has other tables.
_OTHER_TABLES = re.compile(r"no such (table|column)|has no column|malformed")


class StoreError(Exception):
    """Its text is a sentence that says what is wrong, where, and what to do."""


class Damaged(StoreError):  # noqa: N818 (the name of a state)
    """The file is not a sound database; a copy can be restored in its place."""


class Unreadable(StoreError):  # noqa: N818 (the name of a state)
    """One row is damaged in a database that is otherwise sound."""


class Outrun(StoreError):  # noqa: N818 (the name of an event)
    """Another program wrote this entry first: read the battle again and decide again."""


def quoted(text: str) -> str:
    """A text as a sentence quotes it: on one line, without control characters, shortened."""
    line = plain(text)
    if len(line) > LONGEST_QUOTE:
        ellipsis = "…"
        line = line[: LONGEST_QUOTE - len(ellipsis)] + ellipsis
    return f"“{line}”"


def kind_of(error: sqlite3.Error) -> int:
    """The kind of a failure, such as ``sqlite3.SQLITE_BUSY``; 0 for an error that Python's module
    raised without SQLite."""
    return kind_of_code(getattr(error, "sqlite_errorcode", 0))


def kind_of_code(code: int) -> int:
    """The kind that an error code of SQLite belongs to: its low byte. The higher bits are
    details."""
    return code & 0xFF


def explained(error: sqlite3.Error, location: str) -> StoreError | None:
    """The error to show for a failure of the file or the disk; None for a mistake in our own
    code."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    if _OTHER_TABLES.search(str(error)):
        return damaged(location, str(error))
    # The disk has no room for the index of the log, which takes 32 KB.
    if code == sqlite3.SQLITE_IOERR_SHMSIZE:
        return StoreError(
            f"The disk that holds {location} is full, so the database cannot be opened; "
            "free some space, then try again."
        )
    match kind_of(error):
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
    """The error to show for a failure with a file that may be no database of ours. A failure that
    would be a mistake in our code if the file were ours shows that the file is damaged."""
    return explained(error, location) or damaged(location, str(error))


def damaged(location: str, detail: str) -> Damaged:
    """The error to show for a file that SQLite cannot read; ``detail`` is what shows the damage."""
    return Damaged(
        f"The file {location} is damaged or is not a database ({detail}). It was not changed; "
        "restore a backup (`skirmish db restore FILE`), or set SKIRMISH_DATABASE to another file."
    )
