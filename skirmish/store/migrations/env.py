"""Runs the migrations on the connection that `skirmish.store.migrating` opened, in its transaction.

To change the schema: change the tables of `tables.py`, add the next numbered file to `versions/`,
and set `opening.REVISION` to its number. The tests compare the tables with a migrated file and name
what is missing. A migration cannot be taken back; for that there is the backup made before it.
"""

from alembic import context

from skirmish.store.tables import StoreRow

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=StoreRow.metadata,
    render_as_batch=True,  # SQLite alters little: tables are copied instead
)
context.run_migrations()
