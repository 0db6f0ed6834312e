"""The beginning, the sequence of play and the end; what players note, count and change by hand."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import Agenda
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.rows import worth_of
from skirmish.games.plastic.battle.setup import Level, Setup
from skirmish.games.plastic.battle.state import (
    AGAINST,
    PHASES,
    Blinds,
    Clock,
    Event,
    State,
)
from skirmish.games.plastic.rules.options import WORDS
from skirmish.games.plastic.scenarios.happening_kinds import NeedsService
from skirmish.tabletop.chance import Source


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    setup: Setup
    then: Agenda = ()

    def apply(self, state: State | None = None) -> State:
        setup = self.setup
        late = {group.id for group in setup.contingents if group.enters > 1}
        needs = setup.happenings(NeedsService)
        idle = {(kind.side, unit) for kind in needs for unit in kind.units}
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
                piece.id for piece in setup.pieces if (piece.side, piece.unit) in idle
            ),
            aboard=dict(setup.aboard),
            recorded=frozenset(setup.aboard.values()),
            works={side.id: dict(side.works) for side in setup.sides},
            agenda=self.then,
        )

    def narrate(self, state: State) -> str:
        return f"{self.setup.title} begins."

    def seen(self, blinds: Blinds) -> Event | None:
        return replace(self, setup=blinds.opening)


class OfTheClock(Event, frozen=True, kw_only=True):
    clock: Clock

    def _moved(self, state: State, **changes: Any) -> State:
        """The state at that moment; raises KeyError for a side that is none of the battle."""
        _ = state.setup.side_by_id[self.clock.side]
        return replace(
            state, clock=self.clock, ask=None, agenda=(), hand=(), verdict=None, **changes
        )

    def _turn_over(self, state: State, **changes: Any) -> State:
        return self._moved(
            state,
            fired=frozenset(),
            judged=(),
            counts=(),
            served_now=0,
            cleared_now=0,
            movement_over=False,
            pinned={},
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
    then: Agenda = ()

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


class PlayedOn(Event, frozen=True, kw_only=True, tag="played_on"):
    """``anew``: the program may end it again. ``then`` is what the end had cut off."""

    anew: bool = False
    then: Agenda = ()

    def apply(self, state: State) -> State:
        open_end = state.open_end or not self.anew
        return replace(state, outcome=None, open_end=open_end, agenda=self.then, left=())

    def narrate(self, state: State) -> str:
        return "The players play on."


class Noted(Event, frozen=True, kw_only=True, tag="noted"):
    text: str

    def narrate(self, state: State) -> str:
        return f"Note: {self.text}"


class Overruled(Event, frozen=True, kw_only=True, tag="overruled"):
    """Of a shot, ``Aimed`` has the advice that was set aside."""

    says: str

    def narrate(self, state: State) -> str:
        return f"[Against the rules: {self.says}]"

    def seen(self, blinds: Blinds) -> Event | None:
        return replace(self, says=AGAINST)


class Sealed(Event, frozen=True, kw_only=True, tag="sealed"):
    """``envelope`` cannot be read by eye, and is no safe."""

    side: str
    envelope: str

    def apply(self, state: State) -> State:
        return replace(state, sealed={**state.sealed, self.side: self.envelope})

    def narrate(self, state: State) -> str:
        return f"{state.words.the_side(self.side)} seal a secret."

    def seen(self, blinds: Blinds) -> Event | None:
        return replace(self, envelope="")


class Unsealed(Event, frozen=True, kw_only=True, tag="unsealed"):
    side: str
    text: str

    def apply(self, state: State) -> State:
        rest = {side: envelope for side, envelope in state.sealed.items() if side != self.side}
        return replace(state, sealed=rest)

    def narrate(self, state: State) -> str:
        return f"{state.words.the_side(self.side)} reveal their secret: {self.text}"


class LevelSet(Event, frozen=True, kw_only=True, tag="level_set"):
    side: str
    level: Level
    source: Source

    def apply(self, state: State) -> State:
        return replace(
            state,
            levels={**state.levels, self.side: self.level},
            sources={**state.sources, self.side: self.source},
        )

    def narrate(self, state: State) -> str:
        return f"{state.words.people(self.side)}: {self.level} from now on."

    def seen(self, blinds: Blinds) -> Event | None:
        return replace(self, source=self.source.concealed)


class Commanded(Event, frozen=True, kw_only=True, tag="commanded"):
    side: str
    player: str

    def apply(self, state: State) -> State:
        one, other = (
            replace(side, player=self.player) if side.id == self.side else side
            for side in state.setup.sides
        )
        return replace(state, setup=replace(state.setup, sides=(one, other)))

    def narrate(self, state: State) -> str:
        return f"{state.words.people(self.side)}: commanded by {self.player or 'nobody named'}."


class Switched(Event, frozen=True, kw_only=True, tag="switched"):
    option: str
    on: bool

    def apply(self, state: State) -> State:
        """With nations' traits on or off, what was lost before counts as it would now."""
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
    side: str
    quality: str | None

    def apply(self, state: State) -> State:
        return replace(
            state,
            quality={**state.quality, self.side: self.quality},
            movement_over=state.movement_over and self.quality is not None,
        )

    def narrate(self, state: State) -> str:
        quality = self.quality or "not played"
        return f"{state.words.of(self.side, 'force quality')}: {quality}."
