"""The state of a battle: always the fold of its events, never changed by anything else.

Nothing that eyes can see better is in here: no places, no cover, no contact. A figure is known by
its id; what it is by now, whether it lives and whether it has fired are sets and maps of ids.
"""

from __future__ import annotations

import msgspec

from skirmish.games.plastic.battle.events import (
    Aimed,
    AnyAsk,
    AnyEvent,
    AnyTask,
    Asked,
    Clock,
    Credit,
    Disarmed,
    Drawn,
    Finished,
    Held,
    Judged,
    Lost,
    Opened,
    PhaseEnded,
    Shuffled,
    Tested,
    Turned,
    TurnEnded,
)
from skirmish.games.plastic.battle.names import piece_side, weapon_slot, weapon_use
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.shot import CLOSE_PHASES
from skirmish.tabletop.chance import Draw, Source


class Outcome(msgspec.Struct, frozen=True):
    """How it ended. ``winner`` None: nobody won."""

    winner: str | None
    reason: str


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A battle at one moment.

    ``fired`` holds the weapons used in this player turn; ``turned`` what a man has become;
    ``shots`` counts the shots declared;
    ``shown`` a draw that waits to be read. ``verdict`` is the last thing judged, for the screen.
    """

    setup: Setup
    clock: Clock
    sources: dict[str, Source]
    lost: dict[str, Credit] = {}
    loss: dict[str, int] = {}
    turned: dict[str, str] = {}
    disarmed: frozenset[str] = frozenset()
    fired: frozenset[str] = frozenset()
    shots: int = 0
    agenda: tuple[AnyTask, ...] = ()
    ask: AnyAsk | None = None
    shown: Draw | None = None
    verdict: Judged | Tested | None = None
    outcome: Outcome | None = None

    @property
    def mover(self) -> str:
        """The side that moves."""
        return self.clock.side

    @property
    def firing_side(self) -> str:
        """Who may fire now: the mover only in phase 3 ("Sequence of Play")."""
        return self.mover if self.clock.phase == 3 else self.setup.enemy_of(self.mover).id

    def unit_of(self, piece: str) -> str:
        """What a piece is by now."""
        return self.turned.get(piece) or self.setup.by_id[piece].unit


def window(phase: int) -> str:
    """The span within which a weapon fires once: phases 1 and 2 together, 3 and 4 by themselves."""
    return str(phase) if phase in CLOSE_PHASES else "12"


def evolve(state: State | None, event: AnyEvent) -> State:
    """The state after ``event``. Never fails on a journal that was decided, never draws."""
    if isinstance(event, Opened):
        return _opened(event.setup)
    if state is None:
        raise ValueError("a battle begins with its opening")
    now = msgspec.structs.replace
    match event:
        case Aimed(shot=shot):
            used = weapon_use(window(state.clock.phase), shot.piece, shot.slot)
            return now(
                state,
                agenda=event.then,
                fired=state.fired | {used},
                shots=shot.id,
                ask=None,
                verdict=None,
            )
        case Asked():
            return now(state, ask=event.ask)
        case Shuffled():
            source = state.sources[event.source].shuffle(event.aside)
            return now(state, sources={**state.sources, event.source: source})
        case Drawn():
            source = state.sources[event.source].drawn(event.draw)
            sources = {**state.sources, event.source: source}
            return now(state, sources=sources, ask=None, shown=event.draw)
        case Judged() | Tested():
            return now(state, agenda=event.then, shown=None, verdict=event)
        case Lost():
            side = piece_side(event.piece)
            return now(
                state,
                lost={**state.lost, event.piece: event.credit},
                loss={**state.loss, side: state.loss.get(side, 0) + event.worth},
                agenda=event.then,
                ask=None,
            )
        case Turned():
            return now(state, turned={**state.turned, event.piece: event.unit})
        case Disarmed():
            return now(state, disarmed=state.disarmed | {weapon_slot(event.piece, event.slot)})
        case Held():
            return now(state, ask=None, agenda=event.then)
        case PhaseEnded():
            return now(state, clock=event.clock, ask=None, agenda=(), verdict=None)
        case TurnEnded():
            return now(
                state, clock=event.clock, ask=None, agenda=(), verdict=None, fired=frozenset()
            )
        case Finished():
            outcome = Outcome(event.winner, event.reason)
            return now(state, outcome=outcome, ask=None, agenda=(), shown=None)


def _opened(setup: Setup) -> State:
    return State(
        setup=setup,
        clock=Clock(1, setup.sides[0].id, 1),
        sources={side.id: side.source for side in setup.sides},
    )
