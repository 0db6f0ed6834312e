"""A battle's entries as text, and back: what the store keeps and what is exported."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from skirmish.games.plastic.battle.decide import Battle
from skirmish.games.plastic.battle.events import AnyEvent, Opened
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.journal import Entry, Play

BattleEntry = Entry[AnyOrder, AnyEvent]
BattlePlay = Play[State, AnyOrder, AnyEvent]

_events = msgspec.json.Decoder(tuple[AnyEvent, ...])
_order = msgspec.json.Decoder(AnyOrder | None)


class RecordError(ValueError):
    """An entry that cannot be read; the sentence says which and why."""


def opening(setup: Setup) -> BattleEntry:
    """The first entry of a battle."""
    return Entry(1, "open", None, (Opened(setup=setup),))


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
    """An entry's order and events as JSON."""
    order, events = msgspec.json.encode(entry.order), msgspec.json.encode(entry.events)
    return order.decode(), events.decode()


def read_entry(number: int, kind: str, order: str, events: str) -> BattleEntry:
    """The entry back from its JSON; raises RecordError."""
    if kind not in ("open", "order", "undo", "redo"):
        raise RecordError(f"entry {number} is of a kind this version does not know: {kind!r}.")
    try:
        return Entry(number, kind, _order.decode(order), _events.decode(events))  # type: ignore[arg-type]
    except msgspec.DecodeError as error:
        raise RecordError(f"entry {number} cannot be read: {error}.") from None
