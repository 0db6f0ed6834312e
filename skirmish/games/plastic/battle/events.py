"""What happens in a battle: one class for each kind, with what it does to the state, its sentence
in the journal, and what of it others may see. Tags and fields stand in stored journals for ever.

Here: the beginning, the sequence of play and the end; what becomes of the pieces; what players
note, count and change by hand. Shots, decks and draws are in ``fire_events``, and what the state
remembers of them in ``state``."""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from itertools import compress
from typing import Annotated, Any

from msgspec.structs import replace

from skirmish.games.plastic.battle.fire_events import *
from skirmish.games.plastic.battle.fire_events import stood
from skirmish.games.plastic.battle.names import piece_side, weapon_slot
from skirmish.games.plastic.battle.rows import worth_of
from skirmish.games.plastic.battle.setup import Level, concerns
from skirmish.games.plastic.battle.shown import (
    OPEN,
    Advice,
    Blinds,
    Concealed,
    Envelope,
    NewPieces,
    Opening,
    PieceId,
    PieceIds,
    Public,
    PublicOrNone,
    Then,
    ThenOrNone,
)
from skirmish.games.plastic.battle.state import *
from skirmish.games.plastic.battle.state import (
    ARRIVAL,
    NOTE,
    PHASES,
    SURPRISE,
    AgendaStep,
    Clock,
    CreditIfKnown,
    Event,
    State,
)
from skirmish.games.plastic.rules.options import WORDS
from skirmish.games.plastic.scenarios.scenario import NeedsService
from skirmish.tabletop.page import capital

AnyEvent = Event

MOST_SEALED = 2000
"""The most bytes unpacked from an envelope."""


class Opened(AgendaStep, frozen=True, kw_only=True, tag="opened"):
    setup: Opening

    def apply(self, state: State | None = None) -> State:
        setup = self.setup
        late = {group.id for group in setup.contingents if group.enters > 1}
        needs = setup.happenings(NeedsService)
        first, shared = setup.sides[0].level, setup.rulings["P23"] != "own_decks"
        return State(
            setup=setup,
            clock=Clock(1, setup.sides[0].id, 1),
            first=setup.sides[0].id,
            levels={side.id: first if shared else side.level for side in setup.sides},
            sources={side.id: side.source for side in setup.sides},
            options=setup.options,
            quality={side.id: side.quality for side in setup.sides},
            waiting=frozenset(piece.id for piece in setup.pieces if piece.contingent in late),
            hidden=frozenset(setup.hidden),
            unserved=frozenset(
                piece.id
                for piece in setup.pieces
                if any(concerns(kind, piece.side, piece.contingent, piece.unit) for kind in needs)
            ),
            aboard=dict(setup.aboard),
            recorded=frozenset(setup.aboard.values()),
            works={side.id: dict(side.works) for side in setup.sides},
            agenda=self.then,
        )

    def narrate(self, state: State) -> str:
        return f"{self.setup.title} begins."


class OfTheClock(Event, frozen=True, kw_only=True):
    clock: Clock

    def _moved(self, state: State, **changes: Any) -> State:
        """The state at that moment; raises KeyError for a side that is not in the battle."""
        _ = state.setup.side_by_id[self.clock.side]
        return replace(
            state, clock=self.clock, ask=None, agenda=(), hand=(), verdict=None, **changes
        )

    def _turn_over(self, state: State, **changes: Any) -> State:
        return self._moved(
            state.with_shots_past(),
            fired=frozenset(),
            served_now=0,
            cleared_now=0,
            movement_over=False,
            pinned={},
            got_out=frozenset(),
            checked=None,
            ceased=None,
            **changes,
        )


class PhaseEnded(OfTheClock, frozen=True, kw_only=True, tag="phase_ended"):
    def apply(self, state: State) -> State:
        return self._moved(state, pinned={}, checked=None, ceased=None)

    def narrate(self, state: State) -> str:
        return f"Phase {self.clock.phase}: {PHASES[self.clock.phase]}."


class TurnEnded(OfTheClock, frozen=True, kw_only=True, tag="turn_ended"):
    then: Then = ()

    def apply(self, state: State) -> State:
        return replace(self._turn_over(state), agenda=self.then)

    def narrate(self, state: State) -> str:
        return f"Turn {self.clock.turn}, {state.words.people(self.clock.side)} to move."


class ClockSet(OfTheClock, frozen=True, kw_only=True, tag="clock_set"):
    def apply(self, state: State) -> State:
        now, then = self.clock, state.clock
        if (now.turn, now.side) != (then.turn, then.side):
            return self._turn_over(state)
        return self._moved(state, pinned=state.pinned if now.phase == 1 else {})

    def narrate(self, state: State) -> str:
        clock = self.clock
        moves = f"{state.words.people(clock.side)} to move"
        return f"Clock set to turn {clock.turn}, {moves}, phase {clock.phase}."


class PlayedOn(AgendaStep, frozen=True, kw_only=True, tag="played_on"):
    """``anew``: the program may end it again. ``then`` is the agenda that the end cut off."""

    anew: bool = False

    def apply(self, state: State) -> State:
        open_end = state.open_end or not self.anew
        return replace(state, outcome=None, open_end=open_end, agenda=self.then, left=())

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
    text: Public

    def narrate(self, state: State) -> str:
        return f"Note: {self.text}"

    def weight(self) -> int:
        return NOTE


class Overruled(Event, frozen=True, kw_only=True, tag="overruled"):
    """For a shot, ``Aimed`` holds the overruled advice."""

    says: Advice

    def narrate(self, state: State) -> str:
        return f"[Against the rules: {self.says}]"


class Sealed(Event, frozen=True, kw_only=True, tag="sealed"):
    """``envelope`` is packed, not encrypted."""

    side: Public
    envelope: Envelope

    def apply(self, state: State) -> State:
        return replace(state, sealed={**state.sealed, self.side: self.envelope})

    def narrate(self, state: State) -> str:
        return f"{state.setup.does(self.side, 'seal', 'seals', 'The')} a secret."


def enveloped(text: str) -> str:
    """The text packed so that nobody reads it in passing; not encrypted."""
    return b85encode(zlib.compress(text.encode("utf-8", "replace"))).decode("ascii")


def opened(envelope: str) -> str:
    """The text of an envelope; raises ValueError if it is none."""
    unpacking = zlib.decompressobj()
    try:
        unpacked = unpacking.decompress(b85decode(envelope), MOST_SEALED)
    except zlib.error:
        unpacked = b""
    if not unpacking.eof:
        raise ValueError("what is sealed cannot be opened")
    return unpacked.decode("utf-8")


class Unsealed(Event, frozen=True, kw_only=True, tag="unsealed"):
    side: Public
    text: Public

    def apply(self, state: State) -> State:
        rest = {side: envelope for side, envelope in state.sealed.items() if side != self.side}
        return replace(state, sealed=rest)

    def narrate(self, state: State) -> str:
        return f"{state.setup.does(self.side, 'reveal', 'reveals', 'The')} a secret: {self.text}"

    def weight(self) -> int:
        return SURPRISE


class LevelSet(Event, frozen=True, kw_only=True, tag="level_set"):
    side: Public
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
    side: Public
    player: Public

    def apply(self, state: State) -> State:
        one, other = (
            replace(side, player=self.player) if side.id == self.side else side
            for side in state.setup.sides
        )
        return replace(state, setup=replace(state.setup, sides=(one, other)))

    def narrate(self, state: State) -> str:
        return f"{state.words.people(self.side)}: commanded by {self.player or 'nobody named'}."


class Switched(Event, frozen=True, kw_only=True, tag="switched"):
    option: Public
    on: bool

    def apply(self, state: State) -> State:
        """Recomputes earlier losses, with nations' traits on or off."""
        now = replace(state, options=replace(state.options, **{self.option: self.on}))
        worth = {piece: worth_of(now, piece) for piece in state.lost}
        loss = dict(state.loss)
        for piece, count in worth.items():
            side = piece_side(piece)
            loss[side] = loss.get(side, 0) + count - state.worth_lost.get(piece, 0)
        return replace(now, worth_lost=worth, loss=loss)

    def narrate(self, state: State) -> str:
        return f"{WORDS[self.option]}: {'on' if self.on else 'off'}."


class QualitySet(Event, frozen=True, kw_only=True, tag="quality_set"):
    side: Public
    quality: PublicOrNone

    def apply(self, state: State) -> State:
        return replace(
            state,
            quality={**state.quality, self.side: self.quality},
            movement_over=state.movement_over and self.quality is not None,
        )

    def narrate(self, state: State) -> str:
        quality = self.quality or "not played"
        return f"{state.words.of(self.side, 'force quality')}: {quality}."


class Lost(Event, frozen=True, kw_only=True, tag="lost"):
    """``credit`` is None if no shot caused the loss; ``aboard``: it died with its carrier. Without
    ``then`` the agenda is unchanged."""

    piece: PieceId
    unit: Public
    worth: int
    credit: CreditIfKnown = None
    aboard: bool = False
    then: ThenOrNone = None

    def apply(self, state: State) -> State:
        if state.knows(self.piece):
            state = self._lost(state)
        return state if self.then is None else replace(state, agenda=self.then, ask=None)

    def _lost(self, state: State) -> State:
        side, state = piece_side(self.piece), stood(state, (self.piece,))
        aboard = state.aboard
        if self.piece in aboard and not self.aboard:
            aboard = {rider: carrier for rider, carrier in aboard.items() if rider != self.piece}
        return replace(
            state,
            lost={**state.lost, self.piece: self.credit},
            loss={**state.loss, side: state.loss.get(side, 0) + self.worth},
            worth_lost={**state.worth_lost, self.piece: self.worth},
            aboard=aboard,
        )

    def touched(self) -> set[str]:
        return super().touched() | ({f"shot {self.credit.shot}"} if self.credit else set())

    def weight(self) -> int:
        return self.worth if self.credit else 0


class Stood(Event, frozen=True, kw_only=True, tag="stood"):
    piece: PieceId

    def apply(self, state: State) -> State:
        return stood(state, [self.piece])

    def narrate(self, state: State) -> str:
        return f"{state.words.piece(self.piece)} is back."


class Added(Event, frozen=True, kw_only=True, tag="added"):
    pieces: NewPieces
    why: Public = ""

    def apply(self, state: State) -> State:
        return replace(state, added={**state.added, **{one.id: one for one in self.pieces}})

    def narrate(self, state: State) -> str:
        why = f", {self.why}" if self.why else ""
        words = self.apply(state).words
        receive = state.setup.does(self.pieces[0].side, "receive", "receives", "The")
        return f"{receive} {words.counted([one.id for one in self.pieces])}{why}."

    def weight(self) -> int:
        return ARRIVAL


class Turned(Event, frozen=True, kw_only=True, tag="turned"):
    piece: PieceId
    unit: Public

    def apply(self, state: State) -> State:
        if not state.knows(self.piece):
            return state
        return replace(state, turned={**state.turned, self.piece: self.unit})

    def narrate(self, state: State) -> str:
        words = state.words
        return f"{words.code(self.piece)} fights on as {words.setup.unit(self.unit).short}."


class Disarmed(Event, frozen=True, kw_only=True, tag="disarmed"):
    piece: PieceId
    slot: int

    def apply(self, state: State) -> State:
        if not state.knows(self.piece):
            return state
        return replace(state, disarmed=state.disarmed | {weapon_slot(self.piece, self.slot)})

    def narrate(self, state: State) -> str:
        return f"{state.words.code(self.piece)} has lost a weapon."


class Loaded(Event, frozen=True, kw_only=True, tag="loaded"):
    carrier: PieceId
    riders: PieceIds

    def apply(self, state: State) -> State:
        riders = filter(state.knows, self.riders) if state.knows(self.carrier) else ()
        return replace(
            state,
            aboard={**state.aboard, **dict.fromkeys(riders, self.carrier)},
            recorded=state.recorded | {self.carrier},
        )

    def narrate(self, state: State) -> str:
        words = state.words
        return f"Loaded into {words.piece(self.carrier)}: {words.counted(self.riders)}."


class Unloaded(Event, frozen=True, kw_only=True, tag="unloaded"):
    carrier: PieceId
    riders: PieceIds

    def apply(self, state: State) -> State:
        aboard = {r: carrier for r, carrier in state.aboard.items() if r not in self.riders}
        # Reinforcements that walk onto the table without their vehicle have not got out of it.
        out = {rider for rider in self.riders if rider not in state.waiting}
        return replace(
            state,
            aboard=aboard,
            recorded=state.recorded | {self.carrier},
            got_out=state.got_out | out,
        )

    def narrate(self, state: State) -> str:
        words = state.words
        return f"Unloaded from {words.piece(self.carrier)}: {words.counted(self.riders)}."


class Exited(Event, frozen=True, kw_only=True, tag="exited"):
    """``value`` counts for victory; ``worth`` is a loss of the side ``against`` (the basic game);
    ``values`` and ``worths`` are per piece."""

    pieces: PieceIds
    value: int = 0
    against: PublicOrNone = None
    worth: int = 0
    values: tuple[int, ...] = ()
    worths: tuple[int, ...] = ()

    def apply(self, state: State) -> State:
        stay = [*map(state.knows, self.pieces)]
        pieces = [*compress(self.pieces, stay)]
        # Early entries only have the total.
        values = compress(self.values, stay) if self.values else (self.value, *(0 for _ in pieces))
        worths = compress(self.worths, stay) if self.worths else (self.worth, *(0 for _ in pieces))
        charged = [*worths]
        state = stood(state, pieces)
        state = replace(state, exited={**state.exited, **dict(zip(pieces, values, strict=False))})
        if self.against is None:
            return state
        loss = state.loss.get(self.against, 0) + sum(charged)
        return replace(
            state,
            loss={**state.loss, self.against: loss},
            charged={**state.charged, **dict(zip(pieces, charged, strict=False))},
        )

    def seen(self, blinds: Blinds) -> Event | None:
        stay = [piece not in blinds.secret for piece in self.pieces]
        if all(stay):
            return self
        values, worths = tuple(compress(self.values, stay)), tuple(compress(self.worths, stay))
        pieces = tuple(compress(self.pieces, stay))
        known = {"pieces": pieces, "values": values, "worths": worths}
        return replace(self, **known, value=sum(values), worth=sum(worths)) if pieces else None

    def weight(self) -> int:
        return self.value


class Entered(Event, frozen=True, kw_only=True, tag="entered"):
    pieces: PieceIds
    contingent: Public

    def apply(self, state: State) -> State:
        return replace(state, waiting=state.waiting - set(self.pieces))

    def narrate(self, state: State) -> str:
        group = state.setup.contingent_by_id[self.contingent].name
        return f"{state.words.whose(self.pieces, group)} arrive."

    def weight(self) -> int:
        return ARRIVAL


class Served(Event, frozen=True, kw_only=True, tag="served"):
    pieces: PieceIds

    def apply(self, state: State) -> State:
        return replace(
            state,
            unserved=state.unserved - set(self.pieces),
            served_now=state.served_now + len(self.pieces),
        )

    def narrate(self, state: State) -> str:
        return f"Served: {', '.join(map(state.words.code, self.pieces))}."


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    pieces: PieceIds

    def apply(self, state: State) -> State:
        return replace(state, hidden=state.hidden - set(self.pieces))

    def narrate(self, state: State) -> str:
        return f"{state.words.whose(self.pieces)} revealed."

    def weight(self) -> int:
        return SURPRISE
