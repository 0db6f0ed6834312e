"""A battle's entries as text, and back: what the store keeps and what is exported."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import msgspec

from skirmish.games.plastic.battle.book import opened
from skirmish.games.plastic.battle.decide import Battle, begin
from skirmish.games.plastic.battle.draws import BEFORE_PLAY
from skirmish.games.plastic.battle.events import AnyEvent, Opened, Sealed, evolve
from skirmish.games.plastic.battle.orders import AnyOrder, Seal
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.upcast import is_old, upcast
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.record import STUMBLES, RecordError, Scribe

__all__ = [
    "BattleEntry",
    "BattlePlay",
    "RecordError",
    "follow",
    "opening",
    "play",
    "read_entry",
    "scribe",
    "written",
]

BattleEntry = Entry[AnyOrder, AnyEvent]
BattlePlay = Play[State, AnyOrder, AnyEvent]


class BattleScribe(Scribe[State, AnyOrder, AnyEvent]):
    """Keeps sealed words out of the orders, and understands what earlier versions wrote."""

    def written(self, entry: BattleEntry) -> tuple[str, str]:
        """What a side seals is written once, in its envelope; the order is kept without it."""
        if isinstance(entry.order, Seal):
            entry = msgspec.structs.replace(
                entry, order=msgspec.structs.replace(entry.order, text="")
            )
        return super().written(entry)

    def read(self, number: int, kind: str, order: str, events: str) -> BattleEntry:
        """The entry back from its JSON; raises RecordError."""
        if is_old(kind, events):
            return self._lifted(number, kind, order, events)
        try:
            return _unsealed(super().read(number, kind, order, events))
        except RecordError as error:
            said = error
        try:  # what is not understood may have been written by an earlier version
            return self._lifted(number, kind, order, events)
        except RecordError:
            raise said from None

    def _lifted(self, number: int, kind: str, order: str, events: str) -> BattleEntry:
        try:
            order, events = upcast(kind, order, events)
        except STUMBLES as error:
            raise RecordError(f"entry {number} cannot be read: {error}.") from None
        return _unsealed(super().read(number, kind, order, events))


def _unsealed(entry: BattleEntry) -> BattleEntry:
    """The order to seal something, with its words out of the envelope."""
    given = entry.order
    if not isinstance(given, Seal) or given.text:
        return entry
    for event in entry.events:
        if isinstance(event, Sealed):
            given = msgspec.structs.replace(given, text=_text_in(event.envelope))
    return msgspec.structs.replace(entry, order=given)


def _text_in(envelope: str) -> str:
    """What was sealed; nothing where the envelope was damaged on its way."""
    try:
        return opened(envelope)
    except (ValueError, zlib.error):
        return ""


scribe = BattleScribe(Battle(), AnyOrder, AnyEvent)


def opening(setup: Setup) -> BattleEntry:
    """The first entry of a battle, with the lots that the program can draw before play."""
    event = Opened(setup=setup, then=BEFORE_PLAY if setup.lots else ())
    return Entry(1, "open", None, (event, *begin(evolve(None, event))))


def play(entries: Iterable[BattleEntry]) -> BattlePlay:
    """The battle of a journal; raises RecordError where an entry cannot follow those before."""
    return scribe.play(entries)


def follow(battle: BattlePlay, entry: BattleEntry) -> None:
    """Add a stored entry to the battle; raises RecordError where it cannot follow."""
    scribe.follow(battle, entry)


def written(entry: BattleEntry) -> tuple[str, str]:
    """What an entry was for, and its events, as JSON: the order, or the numbers it is about."""
    return scribe.written(entry)


def read_entry(number: int, kind: str, order: str, events: str) -> BattleEntry:
    """The entry back from its JSON; raises RecordError."""
    return scribe.read(number, kind, order, events)
