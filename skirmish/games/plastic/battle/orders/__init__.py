"""What players order, one class for each kind with how it is carried out (tags and fields stand in
stored journals for ever), and who may give what when. While an answer is awaited only that answer
is taken, or that the battle is over."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.fire_events import DrawMade, Reread, Shuffled, Spent, Toggled
from skirmish.games.plastic.battle.orders import draws, shooting
from skirmish.games.plastic.battle.orders.draws import *
from skirmish.games.plastic.battle.orders.firing import *
from skirmish.games.plastic.battle.orders.firing import Fire
from skirmish.games.plastic.battle.orders.rejudge import *
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution, Steps
from skirmish.games.plastic.battle.orders.shooting import *
from skirmish.games.plastic.battle.orders.shooting import Give, Inside, Point
from skirmish.games.plastic.battle.orders.turn import *
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.journal import Rules
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

AnyOrder = Order

_STEPS: Steps = {
    agenda.ToJudge: shooting.judge_shot,
    agenda.ToTest: shooting.test_breakdown,
    agenda.ToVolley: shooting.volley_on,
    agenda.ToRepeat: shooting.offer_repeat,
    agenda.RepeatAsk: shooting.repeat_with_hand,
    agenda.ToBury: shooting.bury,
    agenda.ToSink: shooting.ask_inside,
    agenda.ToCheck: draws.check,
    agenda.ToTable: draws.draw_on_table,
    agenda.ToCast: draws.cast,
}
"""What each task of the agenda does."""


def why_not(state: State, order: AnyOrder) -> Refusal | None:
    """The reason ``order`` would be refused now, or None; no side effects."""
    try:
        decide(state, order)
    except Refused as refused:
        return refused.refusal
    return None


def decide(state: State, order: AnyOrder) -> list[AnyEvent]:
    """The events of ``order``; raises Refused."""
    return resolved(state, order).events


def resolved(state: State, order: AnyOrder) -> Resolution:
    """Raises Refused. Any other order declines an open repeat shot."""
    run = Resolution(state, _STEPS, getattr(order, "insist", False))
    offered = isinstance(state.ask, agenda.RepeatAsk)
    if state.outcome is not None and not (order.after_the_end or order.when == "always"):
        raise nonsense("over", "The battle is over; Backspace reopens it.")
    if order.when in ("always", "answer") or (order.when == "beside" and not offered):
        _carry_out(order, run)
        return run
    if order.when == "clock":
        _settle(run)
    run.refuse_while_waiting()
    if isinstance(run.state.ask, agenda.RepeatAsk):
        run.go_on(run.rest)
        if run.state.ask is not None:
            text = "Press Esc to stop the repeat fire first: a draw must follow it."
            raise nonsense("waiting", text)
    if run.state.outcome is None:
        _carry_out(order, run)
        if run.overruled and not isinstance(order, Fire):  # a shot has it in its own event
            run.emit(events.Overruled(says=run.overruled))
    return run


def _carry_out(order: AnyOrder, run: Resolution) -> None:
    side = getattr(order, "side", None)
    if side is not None and side not in run.state.setup.side_by_id:
        raise nonsense("unknown_side", f"There is no side called {side!r}.")
    order.carry_out(run)


def begin(state: State) -> list[AnyEvent]:
    """The events after the opening: lots that the program can draw."""
    run = Resolution(state, _STEPS)
    run.go_on()
    return run.events


def settled(state: State) -> State:
    """The state once open questions are answered as proposed."""
    run = Resolution(state, _STEPS)
    _settle(run)
    return run.state


def _settle(run: Resolution) -> None:
    while run.state.outcome is None:
        match run.state.ask:
            case agenda.CasualtyAsk():
                Give().carry_out(run)
            case agenda.PieceAsk(pieces=pieces):
                Point(pieces[0]).carry_out(run)
            case agenda.InsideAsk():
                Inside().carry_out(run)
            case agenda.DrawAsk(why=why) if why not in ("lot", "table"):
                run.hold(())
            case agenda.RepeatAsk():
                run.go_on(run.rest)
            case _:
                return


class Battle(Rules[State, AnyOrder, AnyEvent]):
    """The rules of the game, for its journal."""

    decide = staticmethod(decide)

    def irreversible(self, events: Sequence[AnyEvent], state: State) -> list[AnyEvent]:
        """What the program drew stays drawn. A player's own cards go back into his deck, with what
        they brought: he may type the same ones again."""
        kept: list[AnyEvent] = []
        own_card = False
        for event in events:
            if isinstance(event, DrawMade | Spent | Shuffled | Reread):
                source = state.sources.get(event.source)
                own = source is not None and source.typed
                if isinstance(event, DrawMade | Reread):
                    own_card = own
                if own:
                    continue
            match event:
                case DrawMade():
                    spent = Spent(source=event.source, draw=event.draw, shuffle=event.shuffle)
                    kept.append(spent)
                case Spent() | Shuffled() | Reread():
                    kept.append(event)
                case Toggled() if not own_card:  # a card brought it, or players without one
                    kept.append(event)
        return kept

    def decided(self, state: State, order: AnyOrder) -> tuple[list[AnyEvent], State]:
        run = resolved(state, order)
        return run.events, run.state
