"""What the store hands out: frozen values, never rows of the ORM.

Every time is UTC in ISO form with microseconds (`2026-05-01T18:30:00.000000+00:00`), so that the
order of the texts is the order of the times. `body`, `order` and `events` are JSON text that only
the game reads.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeVar, get_type_hints

from msgspec import Struct

from skirmish.store.errors import StoreError, Unreadable
from skirmish.store.times import in_local_time
from skirmish.tabletop.journal_codec import EntryRecord

Record = TypeVar("Record", bound=Struct)

UNREADABLE_TEXT = "unreadable"
"""Shown in a list for an unreadable name or title."""
PLACEHOLDERS = {
    "name": UNREADABLE_TEXT,
    "title": UNREADABLE_TEXT,
    "headline": UNREADABLE_TEXT,
    "id": 0,
}
"""What stands in a record for cells that cannot be read, by column. In the other columns it is an
empty text."""
LONGEST_CELL = 4_000_000
"""The most characters that a cell may have. Usually the longest is an opening, with some 30,000."""

# These statements fill records: each selects the fields of its record, in their order.

# The first two are for lists, which must stay quick even if a damaged or foreign file has huge
# texts. So of each text no more is read than the longest that Skirmish writes. The body of an army
# has at most a few thousand bytes; one of two million was not written by Skirmish and is left out.
BATTLES = """
    SELECT id, substr(game, 1, 80), substr(title, 1, 400), substr(headline, 1, 1000), over,
        substr(started, 1, 80), substr(updated, 1, 80)
    FROM battle WHERE removed IS NULL ORDER BY updated DESC, id DESC LIMIT ?
"""
ARMIES = """
    SELECT id, substr(game, 1, 80), substr(name, 1, 400),
        CASE WHEN length(CAST(body AS BLOB)) < 2000000 THEN body END, substr(updated, 1, 80)
    FROM army WHERE removed IS NULL ORDER BY updated DESC, id DESC LIMIT ?
"""
# The journal is read without the ORM: a long one then loads in half the time.
JOURNAL = """
    SELECT number, kind, "order", events, at FROM entry
    WHERE battle_id = ? AND number >= ? ORDER BY number
"""


class ArmyRecord(Struct, frozen=True):
    """One army; only its game can read the ``body``."""

    id: int
    game: str
    name: str
    body: str
    updated: str


class BattleRecord(Struct, frozen=True):
    """One stored game, of any kind, as a list shows it; its journal is read separately."""

    id: int
    game: str  # its id in the registry; empty if it cannot be read
    title: str
    headline: str  # the status, worded by the game
    over: bool
    started: str
    updated: str


def text_or_bytes(data: bytes) -> str | bytes:
    """A cell of text, as every connection reads it (its ``text_factory``): what is not UTF-8 stays
    bytes, so that only this cell is unreadable and not the whole query."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


class RecordField(NamedTuple):
    """The name and the type of a record's field, which is made of the column of that name."""

    name: str
    type: type


@cache
def _fields(kind: type[Struct]) -> tuple[RecordField, ...]:
    """The fields of a record, in the order of the columns."""
    return tuple(RecordField(name, hint) for name, hint in get_type_hints(kind).items())


def unreadable_columns(kind: type[Struct], row: Sequence[object]) -> list[str]:
    """The columns whose cell cannot be a value of its field."""
    unreadable = []
    for field, cell in zip(_fields(kind), row, strict=True):
        if _is_unreadable(field, cell):
            unreadable.append(field.name)
    return unreadable


def _is_unreadable(field: RecordField, cell: object) -> bool:
    """Whether a cell is not of the type of its field, is too long, or should be a time and is
    not."""
    if field.type is not str:
        return not isinstance(cell, int)  # SQLite stores a bool as a number
    if not isinstance(cell, str) or len(cell) > LONGEST_CELL:
        return True
    return field.name in ("started", "updated") and in_local_time(cell) is None


def record_from(kind: type[Record], row: Sequence[object]) -> Record:
    """A row as a record, with placeholders for cells that cannot be read: in a list, a damaged row
    must not hide the others."""
    unreadable = unreadable_columns(kind, row)
    values: list[object] = []
    for field, cell in zip(_fields(kind), row, strict=True):
        if field.type is bool:
            values.append(bool(cell))  # a cell of any type has a truth, so it needs no placeholder
        elif field.name in unreadable:
            values.append(PLACEHOLDERS.get(field.name, ""))
        else:
            values.append(cell)
    return kind(*values)


def check_length(events: str) -> None:
    """Raises StoreError if the ``events`` of an entry are too long to be read again."""
    if len(events) > LONGEST_CELL:
        raise StoreError(
            f"It is too large to be read again: {len(events):,} characters, and at most "
            f"{LONGEST_CELL:,} fit. Choose smaller armies, of up to 20,000 units a side, "
            "or let fewer fire at once."
        )


def entry_of(row: Sequence[object], battle_id: int) -> EntryRecord:
    """A row of the journal as an entry. Raises Unreadable if any cell is damaged, since a game
    cannot go on without it."""
    unreadable = unreadable_columns(EntryRecord, row)
    if unreadable:
        number = str(row[0])[:20]  # a damaged one may be of any length
        raise Unreadable(
            f"Battle {battle_id} cannot be read: entry {number} is damaged "
            f"(its {' and its '.join(unreadable)}). The other battles are not affected; "
            "`skirmish db restore FILE` brings back a backup."
        )
    return EntryRecord(*row)  # type: ignore[arg-type]
