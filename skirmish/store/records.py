"""What the store hands out: frozen values, never rows of the ORM.

Every time is UTC in ISO form with microseconds (`2026-05-01T18:30:00.000000+00:00`), so that the
order of the texts is the order of the times. `body`, `order` and `events` are JSON text that only
the game reads.
"""

import unicodedata
from collections.abc import Callable, Sequence
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from typing import TypeVar, get_type_hints

from msgspec import Struct

from skirmish.store.errors import StoreError, Unreadable, quoted
from skirmish.tabletop.journal import EntryRecord

R = TypeVar("R", bound=Struct)

LOST = "unreadable"
"""Shown in a list for an unreadable name or title."""
LONGEST_CELL = 4_000_000
"""Characters of a cell; the longest valid one, an opening, has some 30,000."""

# For lists: nothing longer than any of our texts is read from the disk.
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
# By columns, not as objects of the ORM: a long one loads in half the time.
JOURNAL = """
    SELECT number, kind, "order", events, at FROM entry
    WHERE battle_id = ? AND number >= ? ORDER BY number
"""


class ArmyRecord(Struct, frozen=True):
    id: int
    game: str
    name: str
    body: str
    updated: str


class BattleRecord(Struct, frozen=True):
    """One battle as a list shows it; its journal is read separately."""

    id: int
    game: str
    title: str
    headline: str  # the status, worded by the game
    over: bool
    started: str
    updated: str


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
    """The columns whose cell is not of its field's type, is too long or no date."""
    return [
        name
        for (name, wanted), cell in zip(_columns(kind), row, strict=True)
        if not isinstance(cell, str if wanted is str else int)
        or (isinstance(cell, str) and len(cell) > LONGEST_CELL)
        or (name in ("started", "updated") and minute(str(cell)) == UNKNOWN)
    ]


def listed(kind: type[R], row: Sequence[object]) -> R:
    """A record for a list, with placeholders for odd cells: one bad row must not hide the
    others."""
    odd = odd_cells(kind, row)
    stand_ins = {"name": LOST, "title": LOST, "headline": LOST, "id": 0}
    return kind(
        *(
            bool(cell) if wanted is bool else stand_ins.get(name, "") if name in odd else cell
            for (name, wanted), cell in zip(_columns(kind), row, strict=True)
        )
    )


def check_length(events: str) -> None:
    """Raises StoreError for an entry that is too long to be read again."""
    if len(events) > LONGEST_CELL:
        raise StoreError(
            f"It is too large to be read again: {len(events):,} characters, and at most "
            f"{LONGEST_CELL:,} fit. Choose smaller armies, of up to 20,000 units a side, "
            "or let fewer fire at once."
        )


def entry_of(row: Sequence[object], battle_id: int) -> EntryRecord:
    """A stored journal entry. Raises Unreadable."""
    if odd := odd_cells(EntryRecord, row):
        raise Unreadable(
            f"Battle {battle_id} cannot be read: entry {row[0]!s:.20} is damaged "
            f"(its {' and its '.join(odd)}). The other battles are not affected; "
            "`skirmish db restore FILE` brings back a backup."
        )
    return EntryRecord(*row)  # type: ignore[arg-type]


# ------------------------------------------------------------------ finding by a name

SHOWN = 5  # names in a sentence


def pick(
    ref: str, named: Sequence[tuple[int, str]], noun: str = "army", nouns: str = "armies"
) -> int:
    """The id of the `noun` called `ref` among (id, name) pairs.

    The first rule that matches decides: the exact name; a number, as lists show it; the name
    regardless of case; the beginning of a name; a part of one. Raises StoreError with similar names
    when nothing fits, and with the numbers to choose from when several do.
    """
    wanted = _folded(ref)
    number = ref.lstrip("0") if ref.isascii() and ref.isdigit() else ""
    ways: tuple[Callable[[int, str], bool], ...] = (
        lambda _, name: name == ref,
        lambda id, _: str(id) == number,
        lambda _, name: _folded(name) == wanted,
        lambda _, name: bool(wanted) and _folded(name).startswith(wanted),
        lambda _, name: bool(wanted) and wanted in _folded(name),
    )
    for fits in ways:
        if found := [pair for pair in named if fits(*pair)]:
            return _only(ref, found, nouns)
    raise StoreError(f"No {noun} is called {quoted(ref)}; {_near(wanted, named)}.")


def _folded(name: str) -> str:
    # The same letter may be one code point or two, depending on the keyboard's system.
    return unicodedata.normalize("NFC", name.strip()).casefold()


def _only(ref: str, found: Sequence[tuple[int, str]], nouns: str) -> int:
    if len(found) == 1:
        return found[0][0]
    choices = [f"{number} {quoted(name)}" for number, name in found[:SHOWN]]
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    raise StoreError(
        f"{quoted(ref)} could mean {len(found)} {nouns}: {', '.join(choices)}{more}; "
        "type more of the name, or the number."
    )


def _near(wanted: str, named: Sequence[tuple[int, str]]) -> str:
    if not named:
        return "none is saved yet"
    by_fold = {_folded(name): name for _, name in named}
    if near := get_close_matches(wanted, by_fold, n=SHOWN, cutoff=0.5):
        return f"similar names: {', '.join(quoted(by_fold[fold]) for fold in near)}"
    listed = list(by_fold.values())
    more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return f"there is {', '.join(quoted(name) for name in listed[:SHOWN])}{more}"


# ------------------------------------------------------------------ times, for people

UNKNOWN = "(date unknown)"
"""Shown for a stored value that is not a date."""


def day(at: str) -> str:
    """``1 May 2026``."""
    return _shown(at, "%d %B %Y").lstrip("0")


def date(at: str) -> str:
    """``2026-05-01``."""
    return _shown(at, "%Y-%m-%d")


def minute(at: str) -> str:
    """``2026-05-01 20:30``."""
    return _shown(at, "%Y-%m-%d %H:%M")


def _shown(at: str, form: str) -> str:
    try:
        return datetime.fromisoformat(at).astimezone().strftime(form)
    except (ValueError, OverflowError, OSError):
        return UNKNOWN
