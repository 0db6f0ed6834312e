"""The home screen's lists at once: one small query each, without waiting for the ORM.

The connection can only read: no file is made or changed. None means "cannot tell yet": there is
no file, it is locked, not ours, or of another revision. The store itself then says what is wrong.
"""

import sqlite3
from contextlib import closing
from typing import Any

from skirmish.store import schema
from skirmish.store.errors import StoreError
from skirmish.store.place import find, read_only_uri
from skirmish.store.records import ARMIES, BATTLES, ArmyRecord, BattleRecord, as_text, listed

_PATIENCE = 0.05  # seconds: a list that comes later is better than a screen that waits


def recent_battles(where: str | None, limit: int) -> list[BattleRecord] | None:
    """The `limit` battles changed last, newest first, as `Store.battles` gives them; or None."""
    rows = _rows(where, BATTLES, limit)
    return None if rows is None else [listed(BattleRecord, row) for row in rows]


def recent_armies(where: str | None, limit: int) -> list[ArmyRecord] | None:
    """The `limit` armies changed last, newest first, as `Store.armies` gives them; or None."""
    rows = _rows(where, ARMIES, limit)
    return None if rows is None else [listed(ArmyRecord, row) for row in rows]


def _rows(where: str | None, query: str, limit: int) -> list[Any] | None:
    try:
        path = find(where).path
        if path is None or not path.is_file():
            return None
        with closing(sqlite3.connect(read_only_uri(path), uri=True, timeout=_PATIENCE)) as file:
            file.text_factory = as_text
            if file.execute("PRAGMA application_id").fetchone()[0] != schema.APPLICATION_ID:
                return None
            stored = file.execute("SELECT version_num FROM alembic_version").fetchall()
            if stored != [(schema.REVISION,)]:
                return None
            return file.execute(query, (limit,)).fetchall()
    except (OSError, sqlite3.Error, StoreError):
        return None
