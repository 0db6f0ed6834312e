"""A battle's entries as text, and back: what is stored and exported. A well-formed entry from
elsewhere may still refer to things that do not exist, so everything that it names is looked up."""

from __future__ import annotations

import json
import re
import zlib
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import AnyEvent, Opened, Sealed, opened
from skirmish.games.plastic.battle.names import row_side, row_unit
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import AnyOrder, Battle, Seal, begin
from skirmish.games.plastic.battle.orders.draws import BEFORE_PLAY
from skirmish.games.plastic.battle.rows import find
from skirmish.games.plastic.battle.setup import REINFORCEMENTS, Setup
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import headline, kind_of, victory_status
from skirmish.tabletop.journal import (
    REPLAY_ERRORS,
    Entry,
    EntryRecord,
    JournalCodec,
    Play,
    RecordError,
)
from skirmish.tabletop.rulings import RulingBook

BattleEntry = Entry[AnyOrder, AnyEvent]
BattlePlay = Play[State, AnyOrder, AnyEvent]


class BattleCodec(JournalCodec[State, AnyOrder, AnyEvent]):
    """Leaves sealed text out of the orders, and upcasts what earlier versions wrote."""

    def written(self, entry: BattleEntry) -> EntryRecord:
        """Sealed text is written once, in its envelope, and left out of the order."""
        if isinstance(entry.order, Seal):
            entry = replace(entry, order=replace(entry.order, text=""))
        return super().written(entry)

    def read(self, record: EntryRecord) -> BattleEntry:
        if record.kind == "open" and re.search(rf'"version": ?{OLDEST},', record.events[:200]):
            return self._lifted(record)
        try:
            return _unsealed(super().read(record))
        except RecordError:
            with suppress(RecordError):  # it may have been written by an earlier version
                return self._lifted(record)
            raise

    def _lifted(self, record: EntryRecord) -> BattleEntry:
        try:
            order, events = upcast(record.kind, record.order, record.events)
        except REPLAY_ERRORS as error:
            raise RecordError(f"entry {record.number} cannot be read: {error}.") from None
        return _unsealed(super().read(replace(record, order=order, events=events)))


def _unsealed(entry: BattleEntry) -> BattleEntry:
    given = entry.order
    if not isinstance(given, Seal) or given.text:
        return entry
    for event in entry.events:
        if isinstance(event, Sealed):
            with suppress(ValueError, zlib.error):
                given = replace(given, text=opened(event.envelope))
    return replace(entry, order=given)


def codec_of(book: RulingBook[Any]) -> BattleCodec:
    """The codec of stored battles: in one that is older than a ruling of the book, the gap stays
    filled as it was played then."""

    def completed(event: AnyEvent) -> AnyEvent:
        if not isinstance(event, Opened):
            return event
        rulings = book.completed(event.setup.rulings)
        return replace(event, setup=replace(event.setup, rulings=rulings))

    return BattleCodec(Battle(), AnyOrder, AnyEvent, completed)


codec = BattleCodec(Battle(), AnyOrder, AnyEvent)
"""The codec of battles with an answer to every ruling of today."""


def opening(setup: Setup) -> BattleEntry:
    """The first entry of a battle, with the lots that the program can draw before play."""
    event = Opened(setup=setup, then=BEFORE_PLAY if setup.lots else ())
    return Entry(1, "open", None, (event, *begin(event.apply())))


OLDEST, TODAY = 1, 2
SHOT = {"piece", "slot", "weapon", "target", "first", "at", "nth"}
"""The fields of a shot of version 1."""
CREDIT = {"piece", "unit", "weapon", "turn", "draw", "breakdown"}
"""The fields of whose kill it was."""


def upcast(kind: str, order: str, events: str) -> tuple[str, str]:
    """Upcasts an entry of version 1. Raises ValueError for what that version did not have."""
    if kind not in ("open", "order", "undo", "redo"):
        raise ValueError(f"version {OLDEST} had no {kind!r}")
    return json.dumps(_order(json.loads(order))), json.dumps(_anything(json.loads(events)))


def _order(order: Any) -> Any:
    match order:
        case {"order": "show", "draw": draw}:
            return {"order": "show", "draws": [draw]}
        case {"order": "give", "row": row}:
            return {"order": "give", "rows": [row]}
    return order


def _anything(value: Any) -> Any:
    if isinstance(value, list):
        return [_anything(one) for one in value]
    if not isinstance(value, dict):
        return value
    value = {key: _anything(one) for key, one in value.items()}
    if "id" not in value and value.keys() >= SHOT:
        # For twenty minutes of the first evening shots had no number. The same shot stands in
        # several events, so it gets the same one from what it is.
        value["id"] = zlib.crc32(json.dumps(value, sort_keys=True).encode())
    if "shot" not in value and value.keys() >= CREDIT:
        value["shot"] = 0  # nor is it known which of them killed somebody
    match value:
        case {"task": "bury", "exact": exact}:
            hit = {"shot": value["shot"], "draw": value["draw"], "exact": exact}
            return {"task": "bury", "hits": [hit]}
        case {"ask": "casualty", "default": default}:
            return {**value, "proposed": [default]}
        case {"event": "opened", "setup": setup}:
            return {**value, "setup": _setup(setup)}
    return value


def _setup(setup: dict[str, Any]) -> dict[str, Any]:
    sides = [
        {
            **side,
            "breaks": side.get("break_at") is not None,
            "level": "clerk" if side["source"].get("seed") is None else "referee",
        }
        for side in setup["sides"]
    ]
    national = any(side.get("nation") for side in sides)
    options = {"nationalities": national}
    scenario = setup.get("scenario") or {}
    arrivals = [
        {"id": REINFORCEMENTS, "side": happening["side"], "name": "Reinforcements"}
        for happening in scenario.get("happening", ())
        if happening["kind"] == "draw_table"  # of which version 1 took no notice
    ]
    return {
        **setup,
        "version": TODAY,
        "sides": sides,
        "options": options,
        "catalog": _catalog(setup["catalog"]),
        "contingents": [*setup["contingents"], *arrivals],
    }


def _catalog(catalog: dict[str, Any]) -> dict[str, Any]:
    """On the first evening, 20 November 2026, what a weapon needs against a special target was a
    chance like any other, of which only the rank was ever given."""
    weapons = {}
    for id, weapon in catalog["weapons"].items():
        special = {}
        for target, needs in weapon.get("special", {}).items():
            special[target] = needs["needs"] if isinstance(needs, dict) else needs
        weapons[id] = {**weapon, "special": special}
    return {**catalog, "weapons": weapons}


# ------------------------------------------------------------------ entries from elsewhere


def check_sides(state: State) -> None:
    """Raises LookupError for a side, source or quality that the battle does not have."""
    for side in state.setup.sides:
        state.quality_of(side.id), state.sources[side.id], state.sources[state.source_of(side.id)]
    for one in victory_status(state):
        state.setup.side_by_id[one.side]


def check_entry(state: State, entry: BattleEntry) -> None:
    """Checks all references of the entry and of the agenda after it. Raises LookupError or
    ValueError."""
    for event in entry.events:
        if isinstance(event, Sealed):
            opened(event.envelope)
        clock = getattr(event, "clock", None)
        if clock is not None and clock.phase not in PHASES:
            raise ValueError(f"there is no phase {clock.phase}")
    for piece in state.added.values():
        if not piece.code[1:].isdigit():
            raise ValueError(f"{piece.id} is no code")
        state.setup.unit(piece.unit), state.setup.contingent_by_id[piece.contingent]
    for side in state.setup.sides:
        state.quality_of(side.id)
    if isinstance(state.ask, OutcomeAsk) and state.ask.count and not kind_of(state).counted_sides:
        raise ValueError("nothing is counted in this battle")
    _look_up(state, (*state.agenda, state.ask))
    narrate(entry.events, state)
    headline(state)


def _look_up(state: State, value: object, name: str = "") -> None:
    """Raises LookupError for a side, row, piece or weapon that the battle does not have."""
    setup = state.setup
    match name, value:
        case _, msgspec.Struct():
            for field in value.__struct_fields__:
                _look_up(state, getattr(value, field), field)
        case _, tuple():
            for one in value:
                _look_up(state, one, name)
        case "side", str():
            setup.side_by_id[value]
        case "row" | "rows" | "proposed", str():
            if value not in setup.letters and find(state, value) is None:
                raise KeyError(value)
        case "carrier" | "piece" | "pieces", str():
            state.piece(value)
        case "weapon", str():
            setup.catalog.weapons[value]
        case "target", str():
            setup.unit(row_unit(value)), setup.side_by_id[row_side(value)]
