"""What the store hands out: frozen values, never rows of the ORM.

Every time is UTC in ISO form with microseconds (`2026-05-01T18:30:00.000000+00:00`), so that the
order of the texts is the order of the times. `body`, `order` and `events` are JSON text that only
the game reads.
"""

from msgspec import Struct


class ArmyRecord(Struct, frozen=True):
    """One kept army of one game."""

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


class EntryRecord(Struct, frozen=True):
    """One written line of a battle's journal; numbers run 1, 2, 3 ... without a gap."""

    number: int
    kind: str
    order: str
    events: str
    at: str
