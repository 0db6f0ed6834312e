"""What the store hands out: frozen values, never rows of the ORM.

Every time is UTC in ISO form with microseconds (`2026-05-01T18:30:00.000000+00:00`), so that the
order of the texts is the order of the times. `body`, `order` and `events` are JSON text that only
the game reads.
"""

import unicodedata
from collections.abc import Sequence
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from typing import TypeAlias, TypeVar, get_type_hints

from msgspec import Struct

from skirmish.store.errors import StoreError, Unreadable, quoted
from skirmish.tabletop.journal_codec import EntryRecord

R = TypeVar("R", bound=Struct)

UNREADABLE_TEXT = "unreadable"
"""Shown in a list for an unreadable name or title."""
PLACEHOLDERS = {
    "name": UNREADABLE_TEXT,
    "title": UNREADABLE_TEXT,
    "headline": UNREADABLE_TEXT,
    "id": 0,
}
"""Instead of cells that cannot be read, by column; others become empty."""
LONGEST_CELL = 4_000_000
"""Characters of a cell; the longest valid one, an opening, has some 30,000."""

# For lists: nothing longer than any of our texts is read from the disk. An army has some hundreds
# of bytes, a few thousand with everything; what has two million was not written by Skirmish.
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
# By columns, not as objects of the ORM: a long one loads in half the time. The columns of all three
# are those of the record that is made of a row, in the order of its fields.
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
    """The names and the types of a record's fields, in the order of the columns."""
    return tuple(get_type_hints(kind).items())


def unreadable_columns(kind: type[Struct], row: Sequence[object]) -> list[str]:
    """The columns whose cell is not of its field's type, is too long or should be a time and is
    none."""
    unreadable = []
    for (name, field_type), cell in zip(_columns(kind), row, strict=True):
        if _is_unreadable(name, field_type, cell):
            unreadable.append(name)
    return unreadable


def _is_unreadable(name: str, field_type: type, cell: object) -> bool:
    if field_type is not str:
        return not isinstance(cell, int)  # SQLite stores a bool as a number
    if not isinstance(cell, str) or len(cell) > LONGEST_CELL:
        return True
    return name in ("started", "updated") and _in_local_time(cell) is None


def record_from(kind: type[R], row: Sequence[object]) -> R:
    """A row as a record, with placeholders for cells that cannot be read: one bad row must not hide
    the others."""
    unreadable = unreadable_columns(kind, row)
    values: list[object] = []
    for (name, field_type), cell in zip(_columns(kind), row, strict=True):
        if field_type is bool:
            values.append(bool(cell))
        elif name in unreadable:
            values.append(PLACEHOLDERS.get(name, ""))
        else:
            values.append(cell)
    return kind(*values)


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
    unreadable = unreadable_columns(EntryRecord, row)
    if unreadable:
        raise Unreadable(
            f"Battle {battle_id} cannot be read: entry {row[0]!s:.20} is damaged "
            f"(its {' and its '.join(unreadable)}). The other battles are not affected; "
            "`skirmish db restore FILE` brings back a backup."
        )
    return EntryRecord(*row)  # type: ignore[arg-type]


# ------------------------------------------------------------------ finding by a name

MOST_SHOWN = 5  # names in a sentence
Names: TypeAlias = "Sequence[tuple[int, str]]"
"""Armies, battles or other things by their numbers and names."""


def pick(ref: str, names: Names, noun: str = "army", nouns: str = "armies") -> int:
    """The number of the `noun` called `ref` among these `names`.

    The first rule that matches decides: the exact name; a number, as lists show it; the name
    regardless of case; the beginning of a name; a part of one. Raises StoreError with similar names
    when nothing fits, and with the numbers to choose from when several do.
    """
    wanted = _folded(ref)
    for matches in (
        _with_name(ref, names),
        _with_number(ref, names),
        _with_folded_name(wanted, names),
        _beginning_with(wanted, names),
        _containing(wanted, names),
    ):
        if matches:
            return _only(ref, matches, nouns)
    raise none_called(ref, names, noun)


def none_called(ref: str, names: Names, noun: str) -> StoreError:
    """The error where no `noun` among these `names` is called `ref`, with similar names."""
    return StoreError(f"No {noun} is called {quoted(ref)}; {_similar(_folded(ref), names)}.")


def _with_name(ref: str, names: Names) -> Names:
    return [(number, name) for number, name in names if name == ref]


def _with_number(ref: str, names: Names) -> Names:
    if not ref.isascii() or not ref.isdigit():
        return []
    # As text: Python refuses to read numbers of thousands of digits.
    typed = ref.lstrip("0")
    return [(number, name) for number, name in names if str(number) == typed]


def _with_folded_name(wanted: str, names: Names) -> Names:
    return [(number, name) for number, name in names if _folded(name) == wanted]


def _beginning_with(wanted: str, names: Names) -> Names:
    if not wanted:  # every name begins with nothing
        return []
    return [(number, name) for number, name in names if _folded(name).startswith(wanted)]


def _containing(wanted: str, names: Names) -> Names:
    if not wanted:
        return []
    return [(number, name) for number, name in names if wanted in _folded(name)]


def _folded(name: str) -> str:
    """A name as it is compared: without its case, and without blanks around it."""
    # The same letter may be one code point or two, depending on the keyboard's system.
    return unicodedata.normalize("NFC", name.strip()).casefold()


def _only(ref: str, matches: Names, nouns: str) -> int:
    """The number of the only match; raises StoreError where there are several."""
    if len(matches) == 1:
        number, _ = matches[0]
        return number
    choices = [f"{number} {quoted(name)}" for number, name in matches]
    raise StoreError(
        f"{quoted(ref)} could mean {len(matches)} {nouns}: {_first_few(choices)}; "
        "type more of the name, or the number."
    )


def _first_few(words: Sequence[str]) -> str:
    """Words in a row, and how many more there are."""
    text = ", ".join(words[:MOST_SHOWN])
    if len(words) > MOST_SHOWN:
        text += f" and {len(words) - MOST_SHOWN} more"
    return text


def _similar(wanted: str, names: Names) -> str:
    """The end of a sentence: the names that look like the wanted one, else the first of all."""
    if not names:
        return "none is saved yet"
    by_folded_name = {_folded(name): name for _, name in names}
    close_matches = get_close_matches(wanted, by_folded_name, n=MOST_SHOWN, cutoff=0.5)
    if close_matches:
        quotes = [quoted(by_folded_name[match]) for match in close_matches]
        return f"similar names: {', '.join(quotes)}"
    return f"there is {_first_few([quoted(name) for name in by_folded_name.values()])}"


# ------------------------------------------------------------------ times, for people

UNKNOWN = "(date unknown)"
"""Shown for a stored value that is not a date."""


def day(time: str) -> str:
    """``1 May 2026``."""
    return _shown_time(time, "%d %B %Y").lstrip("0")


def date(time: str) -> str:
    """``2026-05-01``."""
    return _shown_time(time, "%Y-%m-%d")


def minute(time: str) -> str:
    """``2026-05-01 20:30``."""
    return _shown_time(time, "%Y-%m-%d %H:%M")


def _shown_time(time: str, form: str) -> str:
    """A stored time by this computer's clock, in a form of ``strftime``."""
    local_time = _in_local_time(time)
    if local_time is None:
        return UNKNOWN
    return local_time.strftime(form)


def _in_local_time(time: str) -> datetime | None:
    """A stored time by this computer's clock; None if it is none that any clock shows."""
    try:
        return datetime.fromisoformat(time).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
