"""A connection whose failures are all errors of SQLite. Python cannot decode a message in which
SQLite quotes a damaged name, and raises UnicodeDecodeError in its place: for a file with one wrong
byte in a name of its schema, at the first query."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NOT_TEXT = "a name in it is not text"
"""What such an error says in place of the message that cannot be decoded."""


def connected(path: Path | str, **options: Any) -> sqlite3.Connection:
    """A connection as by `sqlite3.connect`, whose failures are all errors of SQLite."""
    return sqlite3.connect(path, factory=_Connection, **options)


@contextmanager
def _errors_of_sqlite() -> Iterator[None]:
    """Turns a message that cannot be decoded into the error that SQLite meant: a damaged file."""
    try:
        yield
    except UnicodeDecodeError as error:
        corrupt = sqlite3.DatabaseError(NOT_TEXT)
        corrupt.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        corrupt.sqlite_errorname = "SQLITE_CORRUPT"
        raise corrupt from error


class _Cursor(sqlite3.Cursor):
    """A cursor whose failures are all errors of SQLite."""

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
    """A connection whose failures, and those of its cursors, are all errors of SQLite."""

    def cursor(self, factory: Any = _Cursor) -> Any:
        return super().cursor(factory)

    def execute(self, statement: str, values: Any = ()) -> Any:
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
