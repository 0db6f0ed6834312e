"""Connections that raise no error but those of SQLite, so that whoever uses one has only these to
handle. Python's own connections also raise UnicodeDecodeError: where a name in the schema of a file
is damaged, SQLite quotes it in its message, and Python cannot decode that."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NOT_TEXT = "a name in it is not text"
"""The message of the error that is raised in place of a UnicodeDecodeError."""


def connected(path: Path | str, **options: Any) -> sqlite3.Connection:
    """A connection as from `sqlite3.connect`, with the same options."""
    return sqlite3.connect(path, factory=_Connection, **options)


@contextmanager
def _errors_of_sqlite() -> Iterator[None]:
    """Turns a message that cannot be decoded into the error that it stands for: the file is
    damaged."""
    try:
        yield
    except UnicodeDecodeError as error:
        corrupt = sqlite3.DatabaseError(NOT_TEXT)
        corrupt.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        corrupt.sqlite_errorname = "SQLITE_CORRUPT"
        raise corrupt from error


class _Cursor(sqlite3.Cursor):
    """A cursor that raises no error but those of SQLite."""

    def execute(self, statement: str, values: Any = ()) -> _Cursor:
        with _errors_of_sqlite():
            super().execute(statement, values)
        return self

    def executemany(self, statement: str, values: Any) -> _Cursor:
        with _errors_of_sqlite():
            super().executemany(statement, values)
        return self

    def fetchone(self) -> Any:
        with _errors_of_sqlite():
            return super().fetchone()

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        with _errors_of_sqlite():
            return super().fetchmany(size)

    def fetchall(self) -> list[Any]:
        with _errors_of_sqlite():
            return super().fetchall()

    def __next__(self) -> Any:
        with _errors_of_sqlite():
            return super().__next__()


class _Connection(sqlite3.Connection):
    """A connection that, like its cursors, raises no error but those of SQLite."""

    def cursor(self, factory: Any = _Cursor) -> Any:
        return super().cursor(factory)

    def execute(self, statement: str, values: Any = ()) -> Any:
        # SQLite's own makes a plain cursor. The program calls neither ``executemany`` nor
        # ``executescript`` of a connection.
        return self.cursor().execute(statement, values)

    def commit(self) -> None:
        with _errors_of_sqlite():
            super().commit()

    def rollback(self) -> None:
        with _errors_of_sqlite():
            super().rollback()

    def backup(self, target: sqlite3.Connection, **options: Any) -> None:
        with _errors_of_sqlite():
            super().backup(target, **options)
