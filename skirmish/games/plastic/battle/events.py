"""What happens in a battle: one class for each kind, with what it does to the state, its sentence
in the journal, and what of it others may see. Tags and fields stand in stored journals for ever.

Here: the beginning, the sequence of play and the end; what becomes of the pieces; what players
note, count and change by hand. Shots, decks and draws are in ``fire_events``, and what the state
remembers of them in ``state``."""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from collections.abc import Sequence
from itertools import compress
from typing import Annotated, Any

from msgspec.structs import replace

from skirmish.games.plastic.battle.fire_events import (
    Aimed,
    Asked,
    ChargesCut,
    ChargesDrawn,
    DrawMade,
    FiredSince,
    Held,
    Laid,
    LotCast,
    PinMarked,
    PinsRecalled,
    PinsStand,
    Recalled,
    Reopened,
    Reread,
    Shuffled,
    Spent,
    Tabled,
    Toggled,
    Unread,
    Volleyed,
    VolleyedSquad,
    back_on_the_table,
)
from skirmish.games.plastic.battle.names import piece_side, shot_name, weapon_slot
from skirmish.games.plastic.battle.rows import worth_of
from skirmish.games.plastic.battle.setup import REINFORCEMENTS, Level, Setup, concerns
from skirmish.games.plastic.battle.shown import (
    OPEN,
    Advice,
    Concealed,
    Envelope,
    NewPieces,
    Opening,
    PieceId,
    PieceIds,
    PublicText,
    PublicTextOrNone,
    Secrets,
    Then,
    ThenOrNone,
)
from skirmish.games.plastic.battle.state import (
    ARRIVAL,
    NOTE,
    PHASES,
    SURPRISE,
    AgendaStep,
    Ceased,
    Checked,
    Clock,
    Counted,
    CreditIfKnown,
    Event,
    Finished,
    HitsCounted,
    Judged,
    State,
    Tested,
)
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.options import OPTION_NAMES
from skirmish.games.plastic.scenarios.scenario import NeedsService
from skirmish.tabletop.page import capital

__all__ = [
    "Added",
    "Aimed",
    "AnyEvent",
    "Asked",
    "Ceased",
    "ChargesCut",
    "ChargesDrawn",
    "Checked",
    "ClockEvent",
    "ClockSet",
    "Commanded",
    "Counted",
    "Disarmed",
    "DrawMade",
    "Entered",
    "Exited",
    "Finished",
    "FiredSince",
    "Held",
    "HitsCounted",
    "Judged",
    "Laid",
    "LevelSet",
    "Loaded",
    "Lost",
    "LotCast",
    "NoteAdded",
    "Opened",
    "Overruled",
    "PhaseEnded",
    "PieceRestored",
    "PinMarked",
    "PinsRecalled",
    "PinsStand",
    "PlayedOn",
    "PlayedOut",
    "QualitySet",
    "Recalled",
    "Reopened",
    "Reread",
    "Revealed",
    "Sealed",
    "Served",
    "Shuffled",
    "Spent",
    "Switched",
    "Tabled",
    "Tested",
    "Toggled",
    "TurnEnded",
    "Turned",
    "Unloaded",
    "Unread",
    "Unsealed",
    "Volleyed",
    "VolleyedSquad",
    "enveloped",
    "unpacked",
]

AnyEvent = Event
"""Any event of a battle: they all derive from it, and the codec finds them by their tags."""
MOST_SEALED = 2000
"""The most bytes unpacked from an envelope; a secret is a sentence or two."""
NO_ENVELOPE = "what is sealed cannot be opened"
"""The message for a damaged envelope."""


class Opened(AgendaStep, frozen=True, kw_only=True, tag="opened"):
    """The beginning of a battle. ``then`` (as in every ``AgendaStep``, the agenda after it): the
    lots that are drawn before play."""

    setup: Opening

    def apply(self, state: State | None = None) -> State:
        setup = self.setup
        first = setup.sides[0]
        levels: dict[str, Level] = {side.id: side.level for side in setup.sides}
        if setup.rulings["P23"] != "own_decks":
            # Both sides draw from one deck, so either both draw by hand or the program does.
            levels = dict.fromkeys(levels, first.level)
        late = {contingent.id for contingent in setup.contingents if contingent.enters > 1}
        return State(
            setup=setup,
            clock=Clock(1, first.id, 1),
            first=first.id,
            levels=levels,
            sources={side.id: side.source for side in setup.sides},
            options=setup.options,
            quality={side.id: side.quality for side in setup.sides},
            waiting=frozenset(piece.id for piece in setup.pieces if piece.contingent in late),
            hidden=frozenset(setup.hidden),
            unserved=_unserved(setup),
            aboard=dict(setup.aboard),
            recorded=frozenset(setup.aboard.values()),
            works={side.id: dict(side.works) for side in setup.sides},
            agenda=self.then,
        )

    def narrate(self, state: State) -> str:
        return f"{self.setup.title} begins."


def _unserved(setup: Setup) -> frozenset[str]:
    """The pieces that cannot do anything before they are served, such as tanks without fuel."""
    unserved = set()
    for needs in setup.happenings(NeedsService):
        for piece in setup.pieces:
            if concerns(needs, piece.side, piece.contingent, piece.unit):
                unserved.add(piece.id)
    return frozenset(unserved)


class ClockEvent(Event, frozen=True, kw_only=True):
    """The clock goes on, or is set."""

    clock: Clock

    def _at_clock(self, state: State, **changes: Any) -> State:
        """The state with this clock, in which nothing is asked, drawn or judged, and with these
        ``changes``. Raises KeyError for a side that is not in the battle."""
        # Looked up for the error only: else a journal with a side that does not exist would be
        # read, and fail at the next order.
        state.setup.side_by_id[self.clock.side]
        return replace(
            state, clock=self.clock, ask=None, agenda=(), hand=(), verdict=None, **changes
        )

    def _at_new_turn(self, state: State) -> State:
        """The state at the beginning of a player turn. What the state remembers of one player turn
        only must be cleared here."""
        return self._at_clock(
            state.with_shots_past(),
            fired=frozenset(),
            served_now=0,
            cleared_now=0,
            movement_over=False,
            pinned={},
            got_out=frozenset(),
            checked=None,
            ceased=None,
        )


class PhaseEnded(ClockEvent, frozen=True, kw_only=True, tag="phase_ended"):
    """The next phase of the same player turn begins."""

    def apply(self, state: State) -> State:
        return self._at_clock(state, pinned={}, checked=None, ceased=None)

    def narrate(self, state: State) -> str:
        return f"Phase {self.clock.phase}: {PHASES[self.clock.phase]}."


class TurnEnded(ClockEvent, frozen=True, kw_only=True, tag="turn_ended"):
    """The next player turn begins; ``then`` is what has to be drawn at its beginning."""

    then: Then = ()

    def apply(self, state: State) -> State:
        return replace(self._at_new_turn(state), agenda=self.then)

    def narrate(self, state: State) -> str:
        return f"Turn {self.clock.turn}, {state.words.people(self.clock.side)} to move."


class ClockSet(ClockEvent, frozen=True, kw_only=True, tag="clock_set"):
    """The players set the clock by hand."""

    def apply(self, state: State) -> State:
        clock, clock_before = self.clock, state.clock
        # In another player turn everybody may fire and move again.
        if (clock.turn, clock.side) != (clock_before.turn, clock_before.side):
            return self._at_new_turn(state)
        # Pins are for phase 1, so they stand if the clock is set back to it.
        if clock.phase == 1:
            return self._at_clock(state)
        return self._at_clock(state, pinned={})

    def narrate(self, state: State) -> str:
        clock = self.clock
        moves = f"{state.words.people(clock.side)} to move"
        return f"Clock set to turn {clock.turn}, {moves}, phase {clock.phase}."


class PlayedOn(AgendaStep, frozen=True, kw_only=True, tag="played_on"):
    """The players go on after the end. ``then`` is the agenda that the end cut off."""

    anew: bool = False
    """Whether the program may end the battle again. By default it does not: the players have agreed
    to go on beyond the end."""

    def apply(self, state: State) -> State:
        open_end = state.open_end or not self.anew
        return replace(state, outcome=None, open_end=open_end, agenda=self.then, cut_off=())

    def narrate(self, state: State) -> str:
        return "The players play on."


class PlayedOut(Event, frozen=True, kw_only=True, tag="played_out"):
    """These sides can no longer win, and the players do not end the battle for it."""

    sides: Annotated[tuple[str, ...], OPEN]

    def apply(self, state: State) -> State:
        return replace(state, played_out=state.played_out | set(self.sides))

    def narrate(self, state: State) -> str:
        who = " and ".join(state.setup.the(side) for side in self.sides)
        return f"{capital(who)} can no longer win; the battle is played out."


class NoteAdded(Event, frozen=True, kw_only=True, tag="noted"):
    """A note of the players, open to all."""

    text: PublicText

    def narrate(self, state: State) -> str:
        return f"Note: {self.text}"

    def weight(self) -> int:
        return NOTE


class Overruled(Event, frozen=True, kw_only=True, tag="overruled"):
    """An order was given against the program's advice. Not of shots: their overruled advice stands
    in ``Aimed``."""

    says: Advice

    def narrate(self, state: State) -> str:
        return f"[Against the rules: {self.says}]"


class Sealed(Event, frozen=True, kw_only=True, tag="sealed"):
    """A side seals a secret. The ``envelope`` is packed, not encrypted."""

    side: PublicText
    envelope: Envelope

    def apply(self, state: State) -> State:
        return replace(state, sealed={**state.sealed, self.side: self.envelope})

    def narrate(self, state: State) -> str:
        return f"{state.setup.does(self.side, 'seal', 'seals', article='The')} a secret."


def enveloped(text: str) -> str:
    """The text packed so that nobody reads it in passing; not encrypted."""
    return b85encode(zlib.compress(text.encode("utf-8", "replace"))).decode("ascii")


def unpacked(envelope: str) -> str:
    """The text of an envelope; raises ValueError if it is none."""
    unpacking = zlib.decompressobj()
    try:
        # With a limit: a few bytes of a file from elsewhere could unpack to gigabytes.
        text = unpacking.decompress(b85decode(envelope), MOST_SEALED)
    except zlib.error:
        raise ValueError(NO_ENVELOPE) from None
    if not unpacking.eof:
        raise ValueError(NO_ENVELOPE)
    return text.decode("utf-8")


class Unsealed(Event, frozen=True, kw_only=True, tag="unsealed"):
    """A side opens its envelope; ``text``: what it had sealed in it."""

    side: PublicText
    text: PublicText

    def apply(self, state: State) -> State:
        sealed = dict(state.sealed)
        # The side has no envelope if the line that sealed it is void by now.
        sealed.pop(self.side, None)
        return replace(state, sealed=sealed)

    def narrate(self, state: State) -> str:
        reveal = state.setup.does(self.side, "reveal", "reveals", article="The")
        return f"{reveal} a secret: {self.text}"

    def weight(self) -> int:
        return SURPRISE


class LevelSet(Event, frozen=True, kw_only=True, tag="level_set"):
    """From now on a side uses the program otherwise (``Level``), with a new deck or die."""

    side: PublicText
    level: Level
    source: Concealed

    def apply(self, state: State) -> State:
        return replace(
            state,
            levels={**state.levels, self.side: self.level},
            sources={**state.sources, self.side: self.source},
        )

    def narrate(self, state: State) -> str:
        return f"{state.words.people(self.side)}: {self.level} from now on."


class Commanded(Event, frozen=True, kw_only=True, tag="commanded"):
    """Another player commands a side; an empty ``player``: nobody named."""

    side: PublicText
    player: PublicText

    def apply(self, state: State) -> State:
        first, second = state.setup.sides
        if first.id == self.side:
            first = replace(first, player=self.player)
        elif second.id == self.side:
            second = replace(second, player=self.player)
        # The set-up of the state is changed, the opening in the journal never.
        return replace(state, setup=replace(state.setup, sides=(first, second)))

    def narrate(self, state: State) -> str:
        return f"{state.words.people(self.side)}: commanded by {self.player or 'nobody named'}."


class Switched(Event, frozen=True, kw_only=True, tag="switched"):
    """An option of the rules is switched on or off."""

    option: PublicText
    on: bool

    def apply(self, state: State) -> State:
        """With the option of nations, pieces have other worths, so earlier losses are counted
        again."""
        switched = replace(state, options=replace(state.options, **{self.option: self.on}))
        worth = {piece: worth_of(switched, piece) for piece in state.lost}
        loss = dict(state.loss)
        for piece, count in worth.items():
            side = piece_side(piece)
            # Only the difference: losses that were counted otherwise stay.
            loss[side] = loss.get(side, 0) + count - state.worth_lost.get(piece, 0)
        return replace(switched, worth_lost=worth, loss=loss)

    def narrate(self, state: State) -> str:
        on_or_off = "off"
        if self.on:
            on_or_off = "on"
        return f"{OPTION_NAMES[self.option]}: {on_or_off}."


class QualitySet(Event, frozen=True, kw_only=True, tag="quality_set"):
    """A side has another force quality; None: it is not played."""

    side: PublicText
    quality: PublicTextOrNone

    def apply(self, state: State) -> State:
        return replace(
            state,
            quality={**state.quality, self.side: self.quality},
            # Without a quality there is no command draw that could have ended movement.
            movement_over=state.movement_over and self.quality is not None,
        )

    def narrate(self, state: State) -> str:
        quality = self.quality or "not played"
        return f"{state.words.sentence_start(self.side, 'force quality')}: {quality}."


class Lost(Event, frozen=True, kw_only=True, tag="lost"):
    """A piece is lost."""

    piece: PieceId
    unit: PublicText
    worth: int
    """In potential dead guys."""
    credit: CreditIfKnown = None
    """The shot that caused it; None if none did."""
    aboard: bool = False
    """Whether it died with its carrier."""
    then: ThenOrNone = None
    """The agenda that follows; None: it is unchanged."""

    def apply(self, state: State) -> State:
        # The state does not know the piece if the line that added it is void by now.
        if state.knows(self.piece):
            state = self._without_piece(state)
        if self.then is None:
            return state
        return replace(state, agenda=self.then, ask=None)

    def _without_piece(self, state: State) -> State:
        """The state after the loss, before what follows."""
        side = piece_side(self.piece)
        state = back_on_the_table(state, [self.piece])  # its second loss must not count twice
        aboard = dict(state.aboard)
        if not self.aboard:
            # It died on foot; who dies with its carrier stays in the list, since he may still
            # strike back from there (P51).
            aboard.pop(self.piece, None)
        return replace(
            state,
            lost={**state.lost, self.piece: self.credit},
            loss={**state.loss, side: state.loss.get(side, 0) + self.worth},
            worth_lost={**state.worth_lost, self.piece: self.worth},
            aboard=aboard,
        )

    def subjects(self) -> set[str]:
        subjects = super().subjects()
        if self.credit is not None:
            subjects.add(shot_name(self.credit.shot))
        return subjects

    def weight(self) -> int:
        if self.credit is None:
            # What somebody wrote off by hand is no highlight of the battle.
            return 0
        return self.worth


class PieceRestored(Event, frozen=True, kw_only=True, tag="stood"):
    """A piece that was taken off by mistake is put back."""

    piece: PieceId

    def apply(self, state: State) -> State:
        return back_on_the_table(state, [self.piece])

    def narrate(self, state: State) -> str:
        return f"{state.words.piece(self.piece)} is back."


class Added(Event, frozen=True, kw_only=True, tag="added"):
    """New pieces join the battle: by a draw table, or by hand."""

    pieces: NewPieces
    why: PublicText = ""

    def apply(self, state: State) -> State:
        new = {piece.id: piece for piece in self.pieces}
        # New pieces never change the opening, with which the journal begins.
        return replace(state, added={**state.added, **new})

    def narrate(self, state: State) -> str:
        why = ""
        if self.why:
            why = f", {self.why}"
        receive = state.setup.does(self.pieces[0].side, "receive", "receives", article="The")
        words = self.apply(state).words  # of the state after it, which knows the new pieces
        # Of reinforcements the contingent need not be named: the verb says what they are.
        contingent_is_clear = self.pieces[0].contingent == REINFORCEMENTS
        ids = [piece.id for piece in self.pieces]
        new_pieces = words.counted(ids, with_contingent=not contingent_is_clear)
        return f"{receive} {new_pieces}{why}."

    def weight(self) -> int:
        return ARRIVAL


class Turned(Event, frozen=True, kw_only=True, tag="turned"):
    """A piece fights on as another unit: a guy whose weapon broke down as a rifleman."""

    piece: PieceId
    unit: PublicText

    def apply(self, state: State) -> State:
        if not state.knows(self.piece):
            return state
        return replace(state, turned={**state.turned, self.piece: self.unit})

    def narrate(self, state: State) -> str:
        words = state.words
        unit = a_unit(words.setup.unit(self.unit).name)
        return f"{words.code(self.piece)} fights on as {unit}."


class Disarmed(Event, frozen=True, kw_only=True, tag="disarmed"):
    """One weapon of a model broke down, in that ``slot`` (``names``); the model fights on without
    it."""

    piece: PieceId
    slot: int

    def apply(self, state: State) -> State:
        if not state.knows(self.piece):
            return state
        return replace(state, disarmed=state.disarmed | {weapon_slot(self.piece, self.slot)})

    def narrate(self, state: State) -> str:
        return f"{state.words.code(self.piece)} has lost a weapon."


class Loaded(Event, frozen=True, kw_only=True, tag="loaded"):
    """Riders get into a carrier, or the players say who is in it."""

    carrier: PieceId
    riders: PieceIds

    def apply(self, state: State) -> State:
        aboard = dict(state.aboard)
        if state.knows(self.carrier):
            for rider in self.riders:
                if state.knows(rider):
                    aboard[rider] = self.carrier
        # Also an empty list is news: the players have said that nobody is in it.
        return replace(state, aboard=aboard, recorded=state.recorded | {self.carrier})

    def narrate(self, state: State) -> str:
        words = state.words
        return f"Loaded into {words.piece(self.carrier)}: {words.counted(self.riders)}."


class Unloaded(Event, frozen=True, kw_only=True, tag="unloaded"):
    """Riders get out of their carrier."""

    carrier: PieceId
    riders: PieceIds

    def apply(self, state: State) -> State:
        aboard = dict(state.aboard)
        got_out = set(state.got_out)
        for rider in self.riders:
            aboard.pop(rider, None)
            # Reinforcements that walk onto the table without their vehicle have not got out of it.
            if rider not in state.waiting:
                got_out.add(rider)
        return replace(
            state,
            aboard=aboard,
            recorded=state.recorded | {self.carrier},
            got_out=frozenset(got_out),
        )

    def narrate(self, state: State) -> str:
        words = state.words
        return f"Unloaded from {words.piece(self.carrier)}: {words.counted(self.riders)}."


class Exited(Event, frozen=True, kw_only=True, tag="exited"):
    """Pieces leave the table."""

    pieces: PieceIds
    value: int = 0
    """What their exit counts for victory, of all pieces together."""
    against: PublicTextOrNone = None
    """The side that is charged with their exit as with a loss, in the basic game; None: nobody."""
    worth: int = 0
    """The loss of that side in potential dead guys, for all pieces together."""
    values: tuple[int, ...] = ()
    """What each piece counts for victory."""
    worths: tuple[int, ...] = ()
    """The loss that each piece is charged as."""

    def apply(self, state: State) -> State:
        # Pieces are unknown if the line that added them is void by now.
        is_known = [state.knows(piece) for piece in self.pieces]
        pieces = list(compress(self.pieces, is_known))
        values = _per_piece(self.value, self.values, is_known)
        charges = _per_piece(self.worth, self.worths, is_known)
        # What had left before and was put back must not count twice.
        state = back_on_the_table(state, pieces)
        exited = {**state.exited, **dict(zip(pieces, values, strict=False))}
        state = replace(state, exited=exited)
        if self.against is None:
            return state
        loss = state.loss.get(self.against, 0) + sum(charges)
        return replace(
            state,
            loss={**state.loss, self.against: loss},
            charged={**state.charged, **dict(zip(pieces, charges, strict=False))},
        )

    def seen(self, secrets: Secrets) -> Event | None:
        is_known = [piece not in secrets.pieces for piece in self.pieces]
        if all(is_known):
            return self
        if not any(is_known):
            return None
        # Where an early version has only stored the totals, his share of them cannot be told: 0.
        values = tuple(compress(self.values, is_known))
        worths = tuple(compress(self.worths, is_known))
        return replace(
            self,
            pieces=tuple(compress(self.pieces, is_known)),
            values=values,
            worths=worths,
            value=sum(values),
            worth=sum(worths),
        )

    def weight(self) -> int:
        return self.value


def _per_piece(total: int, values: Sequence[int], is_known: Sequence[bool]) -> list[int]:
    """The values of the known pieces. Journals of early versions only have the total: then the
    first piece gets all of it, the others nothing."""
    if values:
        return list(compress(values, is_known))
    # One value more than there are known pieces: the total counts even where none is known. The
    # caller pairs values with pieces, and drops what is left over.
    nothing_for_each = [0] * sum(is_known)
    return [total, *nothing_for_each]


class Entered(Event, frozen=True, kw_only=True, tag="entered"):
    """Pieces that waited come onto the table."""

    pieces: PieceIds
    contingent: PublicText

    def apply(self, state: State) -> State:
        return replace(state, waiting=state.waiting - set(self.pieces))

    def narrate(self, state: State) -> str:
        contingent = state.setup.contingent_by_id[self.contingent].name
        return f"{state.words.whose(self.pieces, contingent)} arrive."

    def weight(self) -> int:
        return ARRIVAL


class Served(Event, frozen=True, kw_only=True, tag="served"):
    """Pieces that needed service before they can do anything got it."""

    pieces: PieceIds

    def apply(self, state: State) -> State:
        return replace(
            state,
            unserved=state.unserved - set(self.pieces),
            served_now=state.served_now + len(self.pieces),
        )

    def narrate(self, state: State) -> str:
        codes = [state.words.code(piece) for piece in self.pieces]
        return f"Served: {', '.join(codes)}."


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """Hidden pieces are placed on the table, open to all."""

    pieces: PieceIds

    def apply(self, state: State) -> State:
        return replace(state, hidden=state.hidden - set(self.pieces))

    def narrate(self, state: State) -> str:
        return f"{state.words.whose(self.pieces)} revealed."

    def weight(self) -> int:
        return SURPRISE
