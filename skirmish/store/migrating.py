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


def bring_up(file: sqlite3.Connection, engine: Engine, place: Place) -> None:
    """Migrate the database to `opening.REVISION`; `engine` must use `file` alone.

    A kill or an error on the way leaves the file unchanged. An existing database is first copied to
    `<name>.before-<revision>.bak` in its folder. Raises StoreError when the copy or a step fails;
    the caller explains a lock or a full disk.
    """
    # Rebuilding a table drops the old one, which must not delete its children. The switch has no
    # effect inside a transaction.
    file.execute("PRAGMA foreign_keys = OFF")
    try:
        with engine.connect() as connection, connection.begin():
            # Read again under the write lock: another program may have been faster.
            revision = MigrationContext.configure(connection).get_current_revision()
            if revision == opening.REVISION:
                return
            # A file without a revision is new: nothing in it is worth a copy.
            if revision is not None and place.path is not None:
                _back_up(place.path)
            config = Config()
            # A per cent sign in the path would be read as a reference to another option.
            config.set_main_option("script_location", str(opening.MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            _step_up(config, place)
            orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
            if orphans:
                raise StoreError(
                    f"The database {place.location} could not be upgraded to revision "
                    f"{opening.REVISION}: {len(orphans)} of its rows would have lost the row "
                    "that they belong to. It was not changed; please report this."
                )
    finally:
        file.execute("PRAGMA foreign_keys = ON")


def _step_up(config: Config, place: Place) -> None:
    try:
        command.upgrade(config, opening.REVISION)
    except Exception as error:  # whatever a step raises becomes a sentence
        if _is_explained(error, place):
            raise
        raise StoreError(
            f"The database {place.location} could not be upgraded to revision {opening.REVISION} "
            f"({' '.join(str(error).split())}) and was not changed; please report this."
        ) from error


def _is_explained(error: Exception, place: Place) -> bool:
    """Whether an error is one of the file or the disk, for which the caller has a sentence."""
    if not isinstance(error, DBAPIError) or not isinstance(error.orig, sqlite3.Error):
        return False
    return explained(error.orig, place.location) is not None


def _back_up(path: Path) -> None:
    """Copy the file to its folder, as it is before the first step."""
    backup = free_name(path, f"before-{opening.REVISION}")
    try:
        with closing(open_to_read(path)) as source:
            copy(source, backup)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"The database {plain(str(path))} needs to be upgraded, but could not be backed up "
            f"first ({error}). It was not changed; free some space in its folder and try again."
        ) from error
