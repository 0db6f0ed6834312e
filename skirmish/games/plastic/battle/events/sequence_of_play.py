"""The beginning of a battle, its player turns and phases, and its end."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from skirmish.games.plastic.battle.setup import Level, Setup, concerns
from skirmish.games.plastic.battle.shown import (
    OPEN,
    Opening,
    Then,
)
from skirmish.games.plastic.battle.state import (
    PHASES,
    AgendaStep,
    Clock,
    Event,
    State,
)
from skirmish.games.plastic.scenarios.happenings import NeedsService
from skirmish.tabletop.page import capital


class Opened(AgendaStep, frozen=True, kw_only=True, tag="opened"):
    """The beginning of a battle. ``then`` (as in every ``AgendaStep``, the agenda after it): the
    lots that are drawn before play. It makes the first state, so ``apply`` needs none."""

    setup: Opening

    def apply(self, state: State | None = None) -> State:
        setup = self.setup
        first = setup.sides[0]
        levels: dict[str, Level] = {side.id: side.level for side in setup.sides}
        if setup.rulings["P23"] != "own_decks":
            # Both sides draw from one deck, so either both draw by hand or the program does.
            levels = dict.fromkeys(levels, first.level)
        late = set()
        for contingent in setup.contingents:
            if not contingent.is_there_from_the_start:
                late.add(contingent.id)
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

    def _at_clock(self, state: State) -> State:
        """The state with this clock, in which nothing is asked, drawn or judged. Raises KeyError
        for a side that is not in the battle."""
        # Looked up only for the KeyError: otherwise a journal with an unknown side would be read,
        # and fail at the next order.
        state.setup.side_by_id[self.clock.side]
        return replace(state, clock=self.clock, ask=None, agenda=(), hand=(), verdict=None)

    def _at_new_turn(self, state: State) -> State:
        """The state at the beginning of a player turn. What the state remembers of one player turn
        only must be cleared here."""
        return replace(
            self._at_clock(state.with_shots_past()),
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
        return replace(self._at_clock(state), pinned={}, checked=None, ceased=None)

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
        # Pins are for phase 1, so they stand if the clock is set back to it. What the last check
        # and shot came to stays shown in any case: putting the clock right is no new phase.
        if clock.phase == 1:
            return self._at_clock(state)
        return replace(self._at_clock(state), pinned={})

    def narrate(self, state: State) -> str:
        clock = self.clock
        moves = f"{state.words.people(clock.side)} to move"
        return f"Clock set to turn {clock.turn}, {moves}, phase {clock.phase}."


class PlayedOn(AgendaStep, frozen=True, kw_only=True, tag="played_on"):
    """The players go on after the end of the battle. ``then`` is the agenda that the end cut
    off."""

    anew: bool = False
    """Whether the program may end the battle again, unless the players have agreed earlier to go on
    without an end. By default it may not: they agree to that now."""

    def apply(self, state: State) -> State:
        open_end = state.open_end or not self.anew
        return replace(state, outcome=None, open_end=open_end, agenda=self.then, cut_off=())

    def narrate(self, state: State) -> str:
        return "The players play on."


class PlayedOut(Event, frozen=True, kw_only=True, tag="played_out"):
    """These sides can no longer win, but the players go on to the end of the battle."""

    sides: Annotated[tuple[str, ...], OPEN]

    def apply(self, state: State) -> State:
        return replace(state, played_out=state.played_out | set(self.sides))

    def narrate(self, state: State) -> str:
        who = " and ".join(state.setup.the(side) for side in self.sides)
        return f"{capital(who)} can no longer win; the battle is played out."
