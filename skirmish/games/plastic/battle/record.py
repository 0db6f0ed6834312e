"""A battle's entries as text, and back: what is stored and exported. A well-formed entry from
elsewhere may still refer to things that do not exist, so everything that it names is looked up."""

from __future__ import annotations

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
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.upcast import OLDEST, upcast
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
        # An opening of version 1 could be read as one of today, but with other rules: so its
        # version is looked for first. It stands at the beginning of the text.
        if record.kind == "open" and re.search(rf'"version": ?{OLDEST},', record.events[:200]):
            return self._read_upcast(record)
        try:
            return _with_sealed_text(super().read(record))
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
        return _with_sealed_text(super().read(replace(record, order=order, events=events)))


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
