"""Migration of a database to the current revision: a backup, then all steps in one transaction.

Imported only for a file of another revision, because Alembic loads slowly.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from skirmish.store import opening
from skirmish.store.backups import copy, free_name
from skirmish.store.errors import StoreError, explained
from skirmish.store.opening import open_to_read
from skirmish.store.place import Place
from skirmish.tabletop.typed import plain


def migrate(sqlite_connection: sqlite3.Connection, engine: Engine, place: Place) -> None:
    """Migrate the database to `opening.REVISION`; `engine` must use `sqlite_connection` alone.

    If the program is killed or fails on the way, the file is unchanged. An existing database is
    first copied to `<name>.before-<revision>.bak` in its folder. Raises StoreError where the copy
    or a step fails, and the errors of the file and the disk, such as a lock, which the caller
    explains.
    """
    # A step that rebuilds a table drops the old one. Foreign keys are off meanwhile, so that this
    # does not delete the rows of other tables that belong to it. Inside a transaction, SQLite
    # ignores this switch.
    sqlite_connection.execute("PRAGMA foreign_keys = OFF")
    try:
        with engine.connect() as connection, connection.begin():
            # The revision is read again under the write lock: another program may have been faster.
            revision = MigrationContext.configure(connection).get_current_revision()
            if revision == opening.REVISION:
                return
            is_new = revision is None
            if not is_new and place.path is not None:
                _back_up(place.path)
            config = Config()
            # Alembic reads % as the beginning of a reference to another option, and %% as a %.
            config.set_main_option("script_location", str(opening.MIGRATIONS).replace("%", "%%"))
            # The migrations run on this connection, which their ``env.py`` takes from here.
            config.attributes["connection"] = connection
            _run_steps(config, place)
            orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
            if orphans:
                raise StoreError(
                    f"The database {place.location} could not be upgraded to revision "
                    f"{opening.REVISION}: {len(orphans)} of its rows would have lost the row "
                    "that they belong to. It was not changed; please report this."
                )
    finally:
        sqlite_connection.execute("PRAGMA foreign_keys = ON")


def _run_steps(config: Config, place: Place) -> None:
    """Run the migrations that the file lacks. Raises StoreError for whatever a step raises, except
    for errors of the file and the disk."""
    try:
        command.upgrade(config, opening.REVISION)
    except Exception as error:
        if _is_explained(error, place):
            raise
        raise StoreError(
            f"The database {place.location} could not be upgraded to revision {opening.REVISION} "
            f"({' '.join(str(error).split())}) and was not changed; please report this."
        ) from error


def _is_explained(error: Exception, place: Place) -> bool:
    """Whether this is an error of the file or the disk, which the caller explains."""
    if not isinstance(error, DBAPIError) or not isinstance(error.orig, sqlite3.Error):
        return False
    return explained(error.orig, place.location) is not None


def _back_up(path: Path) -> None:
    """Copy the file, as it is before the first step, to a backup in its folder. Raises
    StoreError."""
    backup = free_name(path, f"before-{opening.REVISION}")
    try:
        with closing(open_to_read(path)) as source:
            copy(source, backup)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"The database {plain(str(path))} needs to be upgraded, but could not be backed up "
            f"first ({error}). It was not changed; free some space in its folder and try again."
        ) from error
