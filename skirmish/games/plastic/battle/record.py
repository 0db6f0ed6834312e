"""A battle's entries as text, and back: what is stored and exported.

Entries that were stored in version 1 of the format are changed into entries of today's. A
well-formed entry from elsewhere may still refer to things that do not exist, so everything that it
names is looked up.
"""

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
from skirmish.games.plastic.battle.pieces import REINFORCEMENTS
from skirmish.games.plastic.battle.progress import headline, victory_status
from skirmish.games.plastic.battle.rows import find_row
from skirmish.games.plastic.battle.setup import VERSION, Setup
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
    """Writes sealed text once only, and reads what earlier versions wrote."""

    def written(self, entry: BattleEntry) -> EntryRecord:
        """Sealed text is written once, in its envelope, and left out of the order."""
        if isinstance(entry.order, Seal):
            entry = replace(entry, order=replace(entry.order, text=""))
        return super().written(entry)

    def read(self, record: EntryRecord) -> BattleEntry:
        """An entry of any version. Raises RecordError."""
        # Such an opening could be read as one of today, but with other rules.
        if _opens_in_version_1(record):
            return self._read_upcast(record)
        try:
            return _with_sealed_text(super().read(record))
        except RecordError:
            # Other entries do not name their version: this one may be of version 1.
            try:
                return self._read_upcast(record)
            except RecordError:
                pass
            # It is of no version: the first error says what is wrong with it.
            raise

    def _read_upcast(self, record: EntryRecord) -> BattleEntry:
        """An entry of version 1. Raises RecordError."""
        try:
            record_today = _upcast(record)
        except REPLAY_ERRORS as error:
            raise RecordError(f"entry {record.number} cannot be read: {error}.") from None
        return _with_sealed_text(super().read(record_today))


def _with_sealed_text(entry: BattleEntry) -> BattleEntry:
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


# ------------------------------------------------------------------ entries of version 1


_SHOT_FIELDS = {"piece", "slot", "weapon", "target", "first", "at", "nth"}
"""The fields of a shot of version 1 (``Shooting``): it had no tag, so they are what it is known
by."""
_CREDIT_FIELDS = {"piece", "unit", "weapon", "turn", "draw", "breakdown"}
"""The fields of a credit of version 1, which says whose kill a loss was; it had no tag either."""
_VERSION_1 = re.compile('"version": ?1,')
"""The version, as the text of an opening of version 1 has it."""
_VERSION_ENDS = 200
"""The version stands within so many characters from the start of an opening's events."""


def _opens_in_version_1(record: EntryRecord) -> bool:
    """Whether this is the opening of a battle of version 1."""
    start = record.events[:_VERSION_ENDS]
    return record.kind == "open" and _VERSION_1.search(start) is not None


def _upcast(record: EntryRecord) -> EntryRecord:
    """An entry of version 1 in today's format. Raises ValueError for a kind of entry that version 1
    did not have."""
    if record.kind not in ("open", "order", "undo", "redo"):
        raise ValueError(f"version 1 had no {record.kind!r}")
    order = _upcast_order(json.loads(record.order))
    events = _upcast_value(json.loads(record.events))
    return replace(record, order=json.dumps(order), events=json.dumps(events))


def _upcast_order(order: Any) -> Any:
    """The order as today's. In version 1 an order had one card, or one casualty."""
    match order:
        case {"order": "show", "draw": draw}:
            return {"order": "show", "draws": [draw]}
        case {"order": "give", "row": row}:
            return {"order": "give", "rows": [row]}
    return order


def _upcast_value(value: Any) -> Any:
    """The events, or a value within them, as today's: from the innermost value outwards."""
    if isinstance(value, list):
        return [_upcast_value(part) for part in value]
    if isinstance(value, dict):
        return _upcast_fields({key: _upcast_value(part) for key, part in value.items()})
    return value


def _upcast_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """An event, or an object within it, as today's. The objects within it are today's already."""
    if "id" not in fields and fields.keys() >= _SHOT_FIELDS:
        # The very first shots were stored without a number. A shot stands in several events, so its
        # number is made from what it is, and is the same in all of them.
        as_text = json.dumps(fields, sort_keys=True)
        fields["id"] = zlib.crc32(as_text.encode())
    if "shot" not in fields and fields.keys() >= _CREDIT_FIELDS:
        # No shot has this number: which one killed the piece is not known.
        fields["shot"] = 0
    match fields:
        case {"task": "bury", "exact": exact}:
            hit = {"shot": fields["shot"], "draw": fields["draw"], "exact": exact}
            return {"task": "bury", "hits": [hit]}
        case {"ask": "casualty", "default": default}:
            return {**fields, "proposed": [default]}
        case {"event": "opened", "setup": setup}:
            return {**fields, "setup": _upcast_setup(setup)}
    return fields


def _upcast_setup(setup: dict[str, Any]) -> dict[str, Any]:
    """The set-up as today's. In version 1 sides had no level, a side had a break point or none
    (``breaks`` today), reinforcements had no contingent, and the only option was nationalities:
    on if a side had a nation."""
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
    """The catalog as today's. In the first ones, what a weapon needs against a special target was a
    table in which only the rank (``needs``) was given; today it is that rank."""
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
        # Looked up only for the error that a missing one raises.
        state.quality_of(side.id)
        state.sources[side.id]
        state.sources[state.source_of(side.id)]
    for status in victory_status(state):
        state.setup.side_by_id[status.side]


def check_entry(state: State, entry: BattleEntry) -> None:
    """Raises LookupError or ValueError if the entry, or the agenda after it, refers to something
    that the battle does not have. ``state`` is the state after the entry."""
    for event in entry.events:
        if isinstance(event, Sealed):
            unpacked(event.envelope)
        # Several kinds of events set the clock.
        clock = getattr(event, "clock", None)
        if clock is not None and clock.phase not in PHASES:
            raise ValueError(f"there is no phase {clock.phase}")
    for piece in state.added.values():
        if not piece.code[1:].isdigit():
            raise ValueError(f"{piece.id} is no code")
        state.setup.unit(piece.unit)
        state.setup.contingent_by_id[piece.contingent]
    # Again, since an entry may change the quality of a side.
    for side in state.setup.sides:
        state.quality_of(side.id)
    # A question for counted numbers, in a battle in which nothing is counted, has no answer.
    asks_for_counts = isinstance(state.ask, OutcomeAsk) and state.ask.count
    if asks_for_counts and not victory_kind(state).counted_sides:
        raise ValueError("nothing is counted in this battle")
    _look_up(state, (*state.agenda, state.ask))
    # Sentences look up other things, so they are made as well.
    narrate(entry.events, state)
    headline(state)


def _look_up(state: State, value: object, name: str = "") -> None:
    """Raises LookupError for a side, row, piece or weapon that the battle does not have. ``name``
    is that of the field which holds the value: it says what a text refers to."""
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
