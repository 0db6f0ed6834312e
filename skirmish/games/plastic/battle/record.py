"""A battle's entries as text, and back: what the store keeps and what is exported."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import msgspec

from skirmish.games.plastic.battle.book import opened
from skirmish.games.plastic.battle.decide import Battle, begin
from skirmish.games.plastic.battle.events import AnyEvent, Opened, Sealed
from skirmish.games.plastic.battle.evolve import evolve
from skirmish.games.plastic.battle.lots import BEFORE_PLAY
from skirmish.games.plastic.battle.orders import AnyOrder, Seal
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.upcast import is_old, upcast
from skirmish.tabletop.journal import KINDS, Entry, Kind, Play

BattleEntry = Entry[AnyOrder, AnyEvent]
BattlePlay = Play[State, AnyOrder, AnyEvent]

_events = msgspec.json.Decoder(tuple[AnyEvent, ...])
_order = msgspec.json.Decoder(AnyOrder | None)
_numbers = msgspec.json.Decoder(tuple[int, ...])


class RecordError(ValueError):
    """An entry that cannot be read; the sentence says which and why."""


def opening(setup: Setup) -> BattleEntry:
    """The first entry of a battle, with the lots that the program can draw before play."""
    event = Opened(setup=setup, then=BEFORE_PLAY if setup.lots else ())
    return Entry(1, "open", None, (event, *begin(evolve(None, event))))


def play(entries: Iterable[BattleEntry]) -> BattlePlay:
    """The battle of a journal; raises RecordError where an entry cannot follow those before."""
    entries = list(entries)
    try:
        battle: BattlePlay = Play(Battle(), entries[:1])
    except (ValueError, LookupError, AttributeError) as error:
        raise RecordError(f"the journal has no opening that can be used: {error}.") from None
    for entry in entries[1:]:
        follow(battle, entry)
    return battle


def follow(battle: BattlePlay, entry: BattleEntry) -> None:
    """Add a stored entry to the battle; raises RecordError where it cannot follow."""
    try:
        battle.accept(entry)
    except (ValueError, LookupError, AttributeError) as error:
        raise RecordError(f"entry {entry.number} does not follow: {error}.") from None


def written(entry: BattleEntry) -> tuple[str, str]:
    """What an entry was for, and its events, as JSON: the order, or the numbers it is about.

    What a side seals is written once, in its envelope; the order is kept without the words.
    """
    given = entry.order
    if isinstance(given, Seal):
        given = msgspec.structs.replace(given, text="")
    about = entry.of if entry.kind in ("void", "back") else given
    order, events = msgspec.json.encode(about), msgspec.json.encode(entry.events)
    return order.decode(), events.decode()


def read_entry(number: int, kind: str, order: str, events: str) -> BattleEntry:
    """The entry back from its JSON; raises RecordError."""
    if kind not in KINDS:
        raise RecordError(f"entry {number} is of a kind this version does not know: {kind!r}.")
    try:
        if kind in ("void", "back"):
            return Entry(number, kind, None, (), _numbers.decode(order))
        if is_old(kind, events):
            order, events = upcast(kind, order, events)
        return _read(number, kind, order, events)
    except msgspec.DecodeError as error:
        said = error
    try:  # what is not understood may have been written by an earlier version
        order, events = upcast(kind, order, events)
        return _read(number, kind, order, events)
    except (ValueError, LookupError, TypeError):
        raise RecordError(f"entry {number} cannot be read: {said}.") from None


def _read(number: int, kind: Kind, order: str, events: str) -> BattleEntry:
    given, happened = _order.decode(order), _events.decode(events)
    if isinstance(given, Seal) and not given.text:
        for event in happened:
            if isinstance(event, Sealed):
                given = msgspec.structs.replace(given, text=_text_in(event.envelope))
    return Entry(number, kind, given, happened)


def _text_in(envelope: str) -> str:
    """What was sealed; nothing where the envelope was damaged on its way."""
    try:
        return opened(envelope)
    except (ValueError, zlib.error):
        return ""
