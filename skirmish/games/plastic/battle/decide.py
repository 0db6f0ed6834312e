"""Order -> events. Each kind of order is carried out in a room of its own; here is who may give
what when: while an answer is awaited only that answer is taken, or that the battle is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.battle import (
    arrivals,
    book,
    cargo,
    casualties,
    clock,
    counted,
    orders,
    rejudge,
    shooting,
    showing,
    table_checks,
    tables,
    victory,
)
from skirmish.games.plastic.battle.agenda import (
    CasualtyAsk,
    ChoiceAsk,
    DrawAsk,
    InsideAsk,
    OutcomeAsk,
    PieceAsk,
    RepeatAsk,
)
from skirmish.games.plastic.battle.events import (
    AnyEvent,
    Finished,
    Held,
    Overruled,
    PlayedOn,
    evolve,
    irreversible,
)
from skirmish.games.plastic.battle.firing import prepare, prepare_again
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.resolve import Resolution
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop import decider
from skirmish.tabletop.refusal import Refusal, Refused, nonsense


class Battle:
    """WWII Plastic Skirmish as a ``tabletop.decider.Game``."""

    def decide(self, state: State, order: AnyOrder) -> list[AnyEvent]:
        """What happens when ``order`` is given; raises Refused."""
        return decide(state, order)

    def evolve(self, state: State | None, event: AnyEvent) -> State:
        """The state after ``event``."""
        return evolve(state, event)

    def irreversible(self, events: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
        """What an entry leaves behind when it is struck."""
        return irreversible(events)


def why_not(state: State, order: AnyOrder) -> Refusal | None:
    """Why ``order`` would be refused now, or None. Has no effect."""
    return decider.why_not(decide, state, order)


def decide(state: State, order: AnyOrder) -> list[AnyEvent]:
    """The events of ``order``; raises Refused. An open repeat shot is an offer, which any other
    order lets go; what stood behind it in the agenda is done first."""
    run = Resolution(state)
    if isinstance(order, _ALWAYS):
        _carry_out(run, order)
        return run.events
    if state.outcome is not None and not isinstance(order, orders.Rejudge | orders.CountHits):
        raise nonsense("over", "The battle is over; Backspace reopens it.")
    if isinstance(order, _ANSWERS):
        _carry_out(run, order)
        return run.events
    if isinstance(order, _BESIDE) and not isinstance(state.ask, RepeatAsk):
        _carry_out(run, order)
        return run.events
    if isinstance(order, _CLOCK):
        _settle(run)
    _refuse_while_waiting(run.state)
    if isinstance(run.state.ask, RepeatAsk):
        _, then = run.head()
        run.emit(Held(then=then))
        run.go_on()
        if run.state.ask is not None:
            says = "Press Esc to stop the repeat fire first: a draw must follow it."
            raise nonsense("waiting", says)
    if run.state.outcome is None:
        advice = _set_aside(run.state, order)
        _carry_out(run, order)
        if advice:
            run.emit(Overruled(says=advice))
    return run.events


def _set_aside(state: State, order: AnyOrder) -> str:
    """The advice that an order insists against; a shot keeps its own."""
    if isinstance(order, orders.Fire) or not getattr(order, "insist", False):
        return ""
    refusal = why_not(state, replace(order, insist=False))
    return refusal.says if refusal and not refusal.firm else ""


def waiting_for(state: State) -> Refusal | None:
    """What must be answered before anything new begins, as a sentence; None at rest and where a
    repeat shot is offered."""
    try:
        _refuse_while_waiting(state)
    except Refused as refused:
        return refused.refusal
    return None


def begin(state: State) -> list[AnyEvent]:
    """What the opening itself sets going: lots that the program can draw."""
    run = Resolution(state)
    run.go_on()
    return run.events


# ------------------------------------------------------------------ order by order

_ALWAYS = (orders.Note, orders.PlayOn, orders.Unseal)
"""Orders that are good at any time, after the end too."""
_ANSWERS = (
    orders.Show,
    orders.CountHits,
    orders.Give,
    orders.Point,
    orders.Inside,
    orders.Choose,
    orders.Again,
    orders.Hold,
    orders.Rejudge,
    orders.Count,
    orders.Finish,
)
"""Orders that answer an ask."""
_BESIDE = (orders.Correct, orders.SetLevel, orders.Switch, orders.SetQuality, orders.Seal)
"""Orders that are carried out whatever is asked, which stays asked; an offer they let go."""
_CLOCK = (orders.EndPhase, orders.EndTurn, orders.SetClock)
"""Orders that go on with the game: what is open is settled as proposed."""


def _settle(run: Resolution) -> None:
    """Answer what is open so that the clock can go on: the man proposed dies, the first model, a
    carrier was empty, a card that nobody drew was not drawn."""
    while run.state.outcome is None:
        match run.state.ask:
            case CasualtyAsk():
                casualties.give(run, ())
            case PieceAsk(pieces=pieces):
                casualties.point(run, pieces[0])
            case InsideAsk():
                casualties.inside(run, {})
            case DrawAsk(why=why) if why not in ("lot", "table"):
                run.emit(Held(then=()))
            case RepeatAsk():
                run.emit(Held(then=run.head()[1]))
                run.go_on()
            case _:
                return


def _carry_out(run: Resolution, order: AnyOrder) -> None:
    _ROOMS[type(order)](run, order)


def _fire(run: Resolution, order: orders.Fire) -> None:
    shot = prepare(run.state, order)
    if shot.advice and not order.insist:
        raise Refused(shot.advice)
    overruled = shot.advice.says if shot.advice else ""
    if isinstance(order, orders.Volley):
        shooting.fire_volley(run, shot, overruled)
    else:
        shooting.fire(run, shot, overruled)


def _again(run: Resolution, order: orders.Again) -> None:
    if not isinstance(run.state.ask, RepeatAsk):
        raise nonsense("no_repeat", "There is no repeat shot to take.")
    shot = prepare_again(run.state, run.state.ask, order)
    shooting.declare(run, shot, "", shooting.pin_owed_after(run.state, shot, run.head()[1]))


def _hold(run: Resolution, _: orders.Hold) -> None:
    if not isinstance(run.state.ask, RepeatAsk):
        raise nonsense("no_repeat", "There is no repeat shot to take.")
    run.emit(Held(then=run.head()[1]))
    run.go_on()


def _rejudge(run: Resolution, order: orders.Rejudge) -> None:
    if isinstance(run.state.ask, DrawAsk | PieceAsk | InsideAsk | ChoiceAsk | OutcomeAsk):
        _refuse_while_waiting(run.state)
    rejudge.rejudge(run, order)


def _count_hits(run: Resolution, order: orders.CountHits) -> None:
    if order.anew and isinstance(run.state.ask, DrawAsk | PieceAsk | InsideAsk | ChoiceAsk):
        _refuse_while_waiting(run.state)
    counted.count_hits(run, order)


def _count(run: Resolution, order: orders.Count) -> None:
    if not isinstance(run.state.ask, OutcomeAsk):
        _refuse_while_waiting(run.state)
    victory.count(run, order)


def _finish(run: Resolution, order: orders.Finish) -> None:
    sides = run.state.setup.side_by_id
    if order.winner is not None and order.winner not in sides:
        raise nonsense(
            "unknown_side",
            f"There is no side called {order.winner!r}; choose from {', '.join(sides)}.",
        )
    run.emit(
        Finished(winner=order.winner, reason=order.reason or "Agreed by the players.", agreed=True)
    )


def _play_on(run: Resolution, order: orders.PlayOn) -> None:
    if run.state.outcome is None:
        raise nonsense("not_over", "The battle is still going on.")
    if order.anew and victory.still_over(run.state):
        raise nonsense("still_over", "The result still stands.")
    run.emit(PlayedOn(anew=order.anew, then=run.state.left))
    run.go_on()


_ROOMS: dict[type, Any] = {
    orders.Fire: _fire,
    orders.Volley: _fire,
    orders.Again: _again,
    orders.Hold: _hold,
    orders.Rejudge: _rejudge,
    orders.Show: showing.show,
    orders.CountHits: _count_hits,
    orders.Give: lambda run, order: casualties.give(run, order.rows),
    orders.Point: lambda run, order: casualties.point(run, order.piece),
    orders.Inside: lambda run, order: casualties.inside(run, order.riders),
    orders.Choose: lambda run, order: tables.choose(run, order.option),
    orders.GroupMoved: table_checks.order_check,
    orders.Dig: table_checks.order_check,
    orders.PinTest: table_checks.order_check,
    orders.MarkPinned: table_checks.mark_pinned,
    orders.ClearWire: table_checks.clear_wire,
    orders.Load: cargo.load,
    orders.Unload: cargo.unload,
    orders.Exit: cargo.leave,
    orders.Enter: arrivals.enter,
    orders.CallTable: lambda run, order: tables.call(run),
    orders.Serve: arrivals.serve,
    orders.Reveal: arrivals.reveal,
    orders.Convert: arrivals.convert,
    orders.Count: _count,
    orders.Correct: book.correct,
    orders.Add: book.add,
    orders.Note: book.note,
    orders.Seal: book.seal,
    orders.Unseal: book.unseal,
    orders.EndPhase: lambda run, order: clock.end_phase(run),
    orders.EndTurn: lambda run, order: clock.end_turn(run),
    orders.SetClock: clock.set_clock,
    orders.SetLevel: book.set_level,
    orders.Command: book.command,
    orders.Switch: book.switch,
    orders.SetQuality: book.set_quality,
    orders.Finish: _finish,
    orders.PlayOn: _play_on,
}


def _refuse_while_waiting(state: State) -> None:
    match state.ask:
        case CasualtyAsk():
            raise nonsense("waiting", "First choose the casualty: who dies?")
        case PieceAsk():
            raise nonsense("waiting", "First choose the model that was hit.")
        case InsideAsk():
            raise nonsense("waiting", "First say who was inside; Enter means nobody.")
        case ChoiceAsk(question=question):
            raise nonsense("waiting", f"First: {question}")
        case OutcomeAsk():
            raise nonsense("waiting", "Time is up: press F to say who won, or Backspace to undo.")
        case DrawAsk(side=side, die=die):
            what = "roll" if die else "card"
            raise nonsense("waiting", f"First enter the {state.setup.of(side, what)}.")
