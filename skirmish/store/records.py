"""What the store hands out: frozen values, never rows of the ORM.

Every time is UTC in ISO form with microseconds (`2026-05-01T18:30:00.000000+00:00`), so that the
order of the texts is the order of the times. `body`, `order` and `events` are JSON text that only
the game reads.
"""

from calendar import month_name
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import TypeVar, get_type_hints

from msgspec import Struct

from skirmish.store.errors import StoreError, Unreadable
from skirmish.tabletop.exported import EntryRecord

R = TypeVar("R", bound=Struct)

LOST = "unreadable"
"""Stands in a list where a name or a title cannot be read."""
LONGEST_CELL = 4_000_000
"""Characters of a cell; the longest honest one, an opening, has some 30,000."""

# For lists: nothing longer than any of our texts is brought up from the disk.
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


class ArmyRecord(Struct, frozen=True):
    id: int
    game: str
    name: str
    body: str
    updated: str


class BattleRecord(Struct, frozen=True):
    """One battle as a list shows it; its journal is read on its own."""

    id: int
    game: str
    title: str
    headline: str  # where it stands, as the game words it
    over: bool
    started: str
    updated: str


class NewEntry(Struct, frozen=True):
    """A journal entry that is not written yet: it has neither number nor time."""

    kind: str
    order: str
    events: str


def as_text(data: bytes) -> str | bytes:
    """The ``text_factory`` of every connection: what is not UTF-8 stays bytes, as a blob would."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


@cache
def _columns(kind: type[Struct]) -> tuple[tuple[str, type], ...]:
    return tuple(get_type_hints(kind).items())


def odd_cells(kind: type[Struct], row: Sequence[object]) -> list[str]:
    """The columns whose cell is not of its field's type, or longer than any of ours."""
    return [
        name
        for (name, wanted), cell in zip(_columns(kind), row, strict=True)
        if not (
            isinstance(cell, str) and len(cell) <= LONGEST_CELL
            if wanted is str
            else isinstance(cell, int)
        )
    ]


def listed(kind: type[R], row: Sequence[object]) -> R:
    """A record for a list, with stand-ins for odd cells: one bad row must not hide the others."""
    odd = odd_cells(kind, row)
    stand_ins = {"name": LOST, "title": LOST, "headline": LOST, "id": 0}
    return kind(
        *(
            bool(cell) if wanted is bool else stand_ins.get(name, "") if name in odd else cell
            for (name, wanted), cell in zip(_columns(kind), row, strict=True)
        )
    )


def check_length(events: str) -> None:
    """Raises StoreError for an entry that would be too long to be read again."""
    if len(events) > LONGEST_CELL:
        raise StoreError(
            f"It is too large to be read again: {len(events):,} characters, and at most "
            f"{LONGEST_CELL:,} fit. Choose smaller armies, of up to 20,000 units a side, "
            "or let fewer fire at once."
        )


def entry_of(row: Sequence[object], battle_id: int) -> EntryRecord:
    """A journal entry as it was written. Raises Unreadable."""
    if odd := odd_cells(EntryRecord, row):
        raise Unreadable(
            f"Battle {battle_id} cannot be read: entry {row[0]!s:.20} is damaged "
            f"(its {' and its '.join(odd)}). The other battles are not affected; "
            "`skirmish db restore FILE` brings back a backup."
        )
    return EntryRecord(*row)  # type: ignore[arg-type]


# ------------------------------------------------------------------ times, for people

UNKNOWN = "(date unknown)"
"""Stands where what the store holds is no date."""


def day(at: str) -> str:
    """``1 May 2026``."""
    moment = _here(at)
    return f"{moment.day} {month_name[moment.month]} {moment.year}" if moment else UNKNOWN


def date(at: str) -> str:
    """``2026-05-01``."""
    moment = _here(at)
    return f"{moment:%Y-%m-%d}" if moment else UNKNOWN


def minute(at: str) -> str:
    """``2026-05-01 20:30``."""
    moment = _here(at)
    return f"{moment:%Y-%m-%d %H:%M}" if moment else UNKNOWN


def _here(at: str) -> datetime | None:
    try:
        return datetime.fromisoformat(at).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
