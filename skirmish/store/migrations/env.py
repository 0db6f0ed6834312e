"""Runs the migrations on the connection that `skirmish.store.migrating` brings, in its transaction.

To change the schema: change the tables of `database.py`, add the next numbered file to `versions/`
beside the first one, set `opening.REVISION` to its number. The tests compare the tables with the
migrated file and name what is missing. Steps go forward only; the way back is the copy made before.
"""

from alembic import context

from skirmish.store.database import StoreRow

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=StoreRow.metadata,
    render_as_batch=True,  # SQLite alters little: tables are copied instead
)
context.run_migrations()
