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

from skirmish.games.plastic.battle.agenda import Agenda, OutcomeAsk
from skirmish.games.plastic.battle.events import AnyEvent, Opened, Sealed, unpacked
from skirmish.games.plastic.battle.names import row_side, row_unit
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import AnyOrder, Battle, Seal, begin
from skirmish.games.plastic.battle.orders.lots import BEFORE_PLAY
from skirmish.games.plastic.battle.progress import headline, victory_status
from skirmish.games.plastic.battle.rows import find_row
from skirmish.games.plastic.battle.setup import REINFORCEMENTS, VERSION, Setup
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.victory import victory_kind
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.journal_codec import REPLAY_ERRORS, EntryRecord, JournalCodec, RecordError
from skirmish.tabletop.rulings import RulingBook

BattleEntry = Entry[AnyOrder, AnyEvent]
"""An entry of a battle's journal."""
BattlePlay = Play[State, AnyOrder, AnyEvent]
"""A battle with its journal."""


class BattleCodec(JournalCodec[State, AnyOrder, AnyEvent]):
    """Leaves sealed text out of the orders, and upcasts what earlier versions wrote."""

    def written(self, entry: BattleEntry) -> EntryRecord:
        """Sealed text is written once, in its envelope, and left out of the order."""
        if isinstance(entry.order, Seal):
            entry = replace(entry, order=replace(entry.order, text=""))
        return super().written(entry)

    def read(self, record: EntryRecord) -> BattleEntry:
        # Tried first: an opening of version 1 could be read as one of today, with other rules. It
        # begins with its version.
        if record.kind == "open" and re.search(rf'"version": ?{OLDEST},', record.events[:200]):
            return self._read_upcast(record)
        try:
            return _unsealed(super().read(record))
        except RecordError:
            with suppress(RecordError):  # it may have been written by an earlier version
                return self._read_upcast(record)
            raise

    def _read_upcast(self, record: EntryRecord) -> BattleEntry:
        """An entry of version 1. Raises RecordError."""
        try:
            order, events = upcast(record.kind, record.order, record.events)
        except REPLAY_ERRORS as error:
            raise RecordError(f"entry {record.number} cannot be read: {error}.") from None
        return _unsealed(super().read(replace(record, order=order, events=events)))


def _unsealed(entry: BattleEntry) -> BattleEntry:
    """The entry with its sealed text in the order again, from the envelope."""
    seal = entry.order
    if not isinstance(seal, Seal) or seal.text:
        return entry
    for event in entry.events:
        if isinstance(event, Sealed):
            with suppress(ValueError, zlib.error):
                seal = replace(seal, text=unpacked(event.envelope))
    return replace(entry, order=seal)


def codec_of(book: RulingBook[Any]) -> BattleCodec:
    """The codec of stored battles. A battle that is older than a ruling of the book gets the answer
    by which it was played (``Ruling.before``)."""

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
    before_play: Agenda = ()
    if setup.lots:
        before_play = BEFORE_PLAY
    event = Opened(setup=setup, then=before_play)
    return Entry(1, "open", None, (event, *begin(event.apply())))


OLDEST = 1
"""The first version of an opening; ``VERSION`` is that of today."""
SHOT = {"piece", "slot", "weapon", "target", "first", "at", "nth"}
"""The fields of a shot of version 1 (``Shooting``), by which it is known in its entry."""
CREDIT = {"piece", "unit", "weapon", "turn", "draw", "breakdown"}
"""The fields of a credit of version 1, which says whose kill a loss was."""


def upcast(kind: str, order: str, events: str) -> tuple[str, str]:
    """Upcasts an entry of version 1. Raises ValueError for what that version did not have."""
    if kind not in ("open", "order", "undo", "redo"):
        raise ValueError(f"version {OLDEST} had no {kind!r}")
    order_today = _upcast_order(json.loads(order))
    events_today = _upcast_value(json.loads(events))
    return json.dumps(order_today), json.dumps(events_today)


def _upcast_order(order: Any) -> Any:
    """Version 1 took one card, and one casualty, at a time."""
    match order:
        case {"order": "show", "draw": draw}:
            return {"order": "show", "draws": [draw]}
        case {"order": "give", "row": row}:
            return {"order": "give", "rows": [row]}
    return order


def _upcast_value(value: Any) -> Any:
    """Everything within events, from the innermost value outwards."""
    if isinstance(value, list):
        return [_upcast_value(part) for part in value]
    if not isinstance(value, dict):
        return value
    value = {key: _upcast_value(part) for key, part in value.items()}
    if "id" not in value and value.keys() >= SHOT:
        # The very first shots were stored without a number. A shot stands in several events, so its
        # number is made from what it is, and is the same in all of them.
        value["id"] = zlib.crc32(json.dumps(value, sort_keys=True).encode())
    if "shot" not in value and value.keys() >= CREDIT:
        value["shot"] = 0  # which of those shots killed somebody is not known
    match value:
        case {"task": "bury", "exact": exact}:
            hit = {"shot": value["shot"], "draw": value["draw"], "exact": exact}
            return {"task": "bury", "hits": [hit]}
        case {"ask": "casualty", "default": default}:
            return {**value, "proposed": [default]}
        case {"event": "opened", "setup": setup}:
            return {**value, "setup": _upcast_setup(setup)}
    return value


def _upcast_setup(setup: dict[str, Any]) -> dict[str, Any]:
    """Version 1 had no levels, no break point as a switch and no reinforcements by draw tables; of
    the options it had only those of nations, which followed from the sides."""
    sides = []
    for side in setup["sides"]:
        # Only what the program draws ("referee") has a seed; of a "clerk" the players draw.
        level = "referee"
        if side["source"].get("seed") is None:
            level = "clerk"
        breaks = side.get("break_at") is not None
        sides.append({**side, "breaks": breaks, "level": level})
    contingents = list(setup["contingents"])
    scenario = setup.get("scenario") or {}
    for happening in scenario.get("happening", ()):
        if happening["kind"] == "draw_table":
            reinforcements = {"side": happening["side"], "name": "Reinforcements"}
            contingents.append({"id": REINFORCEMENTS, **reinforcements})
    return {
        **setup,
        "version": VERSION,
        "sides": sides,
        "options": {"nationalities": any(side.get("nation") for side in sides)},
        "catalog": _upcast_catalog(setup["catalog"]),
        "contingents": contingents,
    }


def _upcast_catalog(catalog: dict[str, Any]) -> dict[str, Any]:
    """In the first catalogs, what a weapon needs against a special target was a table of which only
    the rank (``needs``) was given; today it is that rank."""
    weapons = {}
    for weapon_id, weapon in catalog["weapons"].items():
        special = {}
        for target, needs in weapon.get("special", {}).items():
            special[target] = needs
            if isinstance(needs, dict):
                special[target] = needs["needs"]
        weapons[weapon_id] = {**weapon, "special": special}
    return {**catalog, "weapons": weapons}


# ------------------------------------------------------------------ entries from elsewhere


def check_sides(state: State) -> None:
    """Raises LookupError for a side, source or quality that the battle does not have."""
    for side in state.setup.sides:
        # Looked up only for the error.
        state.quality_of(side.id)
        state.sources[side.id]
        state.sources[state.source_of(side.id)]
    for status in victory_status(state):
        state.setup.side_by_id[status.side]


def check_entry(state: State, entry: BattleEntry) -> None:
    """Checks all references of the entry and of the agenda after it. Raises LookupError or
    ValueError."""
    for event in entry.events:
        if isinstance(event, Sealed):
            unpacked(event.envelope)
        clock = getattr(event, "clock", None)
        if clock is not None and clock.phase not in PHASES:
            raise ValueError(f"there is no phase {clock.phase}")
    for piece in state.added.values():
        if not piece.code[1:].isdigit():
            raise ValueError(f"{piece.id} is no code")
        state.setup.unit(piece.unit)
        state.setup.contingent_by_id[piece.contingent]
    for side in state.setup.sides:
        state.quality_of(side.id)
    # A question for counted numbers, in a battle in which nothing is counted, has no answer.
    if (
        isinstance(state.ask, OutcomeAsk)
        and state.ask.count
        and not victory_kind(state).counted_sides
    ):
        raise ValueError("nothing is counted in this battle")
    _look_up(state, (*state.agenda, state.ask))
    # What is shown of it must be possible as well.
    narrate(entry.events, state)
    headline(state)


def _look_up(state: State, value: object, name: str = "") -> None:
    """Raises LookupError for a side, row, piece or weapon that the battle does not have. What a
    text refers to is known from the ``name`` of its field."""
    setup = state.setup
    match name, value:
        case _, msgspec.Struct():
            for field in value.__struct_fields__:
                _look_up(state, getattr(value, field), field)
        case _, tuple():
            for part in value:
                _look_up(state, part, name)
        case "side", str():
            setup.side_by_id[value]
        case "row" | "rows" | "proposed", str():
            if value not in setup.letters and find_row(state, value) is None:
                raise KeyError(value)
        case "carrier" | "piece" | "pieces", str():
            state.piece(value)
        case "weapon", str():
            setup.catalog.weapons[value]
        case "target", str():
            setup.unit(row_unit(value))
            setup.side_by_id[row_side(value)]
