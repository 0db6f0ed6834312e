"""Transactions begun by hand, and their failures in words."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, StaticPool, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError

from skirmish.store.errors import StoreError
from skirmish.store.place import Place
from skirmish.store.trouble import explained

_OPTION = "skirmish_begin"


def engine_over(file: sqlite3.Connection) -> Engine:
    """An engine that works over this one connection and begins each transaction as a writer.

    A writer takes the lock at once, so that what it reads is still true when it writes. SQLAlchemy
    left to itself would begin late or, for changes of tables, not at all.
    """
    engine = create_engine("sqlite+pysqlite://", creator=lambda: file, poolclass=StaticPool)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        connection.exec_driver_sql(str(options.get(_OPTION, "BEGIN IMMEDIATE")))

    return engine


def reading(engine: Engine) -> Engine:
    """The same engine for transactions that only read, and so never wait for a writer."""
    return engine.execution_options(**{_OPTION: "BEGIN"})


@contextmanager
def in_words(place: Place) -> Iterator[None]:
    """Failures of the file, the disk or the text become StoreErrors; our own mistakes do not."""
    try:
        yield
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.Error) and not isinstance(error, IntegrityError):
            sentence = explained(error.orig, place.location)
            if sentence is not None:
                raise sentence from error
        raise
    except UnicodeEncodeError as error:
        raise StoreError(
            "The text contains a character that is not valid, perhaps from a file name; "
            "type it again without that character."
        ) from error
