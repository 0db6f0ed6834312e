"""Order -> events: who may give what when. While an answer is awaited only that answer is taken, or
that the battle is over."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import (
    CasualtyAsk,
    DrawAsk,
    InsideAsk,
    PieceAsk,
    RepeatAsk,
    ToBury,
    ToCast,
    ToCheck,
    ToJudge,
    ToRepeat,
    ToSink,
    ToTable,
    ToTest,
    ToVolley,
)
from skirmish.games.plastic.battle.events import AnyEvent, Held, Overruled, evolve, irreversible
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    Fire,
    Give,
    Inside,
    Point,
    casualties,
    draws,
    shooting,
)
from skirmish.games.plastic.battle.orders.resolution import Resolution, Steps
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import Refusal, Refused, nonsense


class Battle:
    def decide(self, state: State, order: AnyOrder) -> list[AnyEvent]:
        """What happens when ``order`` is given; raises Refused."""
        return decide(state, order)

    def decided(self, state: State, order: AnyOrder) -> tuple[list[AnyEvent], State]:
        run = resolved(state, order)
        return run.events, run.state

    def evolve(self, state: State | None, event: AnyEvent) -> State:
        return evolve(state, event)

    def irreversible(self, events: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
        return irreversible(events)


_STEPS: Steps = {
    ToJudge: shooting.judge_shot,
    ToTest: shooting.test_breakdown,
    ToVolley: shooting.volley_on,
    ToRepeat: shooting.offer_repeat,
    RepeatAsk: shooting.repeat_with_hand,
    ToBury: casualties.bury,
    ToSink: casualties.ask_inside,
    ToCheck: draws.check,
    ToTable: draws.draw_on_table,
    ToCast: draws.cast,
}
"""What each task of the agenda does."""


def why_not(state: State, order: AnyOrder) -> Refusal | None:
    """Why ``order`` would be refused now, or None. Has no effect."""
    try:
        decide(state, order)
    except Refused as refused:
        return refused.refusal
    return None


def decide(state: State, order: AnyOrder) -> list[AnyEvent]:
    """The events of ``order``; raises Refused."""
    return resolved(state, order).events


def resolved(state: State, order: AnyOrder) -> Resolution:
    """An order carried out; raises Refused. An open repeat shot is an offer, which any other order
    lets go."""
    run = Resolution(state, _STEPS)
    offered = isinstance(state.ask, RepeatAsk)
    if state.outcome is not None and not (order.after_the_end or order.when == "always"):
        raise nonsense("over", "The battle is over; Backspace reopens it.")
    if order.when in ("always", "answer") or (order.when == "beside" and not offered):
        order.carry_out(run)
        return run
    if order.when == "clock":
        _settle(run)
    run.refuse_while_waiting()
    if isinstance(run.state.ask, RepeatAsk):
        run.emit(Held(then=run.rest))
        run.go_on()
        if run.state.ask is not None:
            says = "Press Esc to stop the repeat fire first: a draw must follow it."
            raise nonsense("waiting", says)
    if run.state.outcome is None:
        advice = _set_aside(run.state, order)
        order.carry_out(run)
        if advice:
            run.emit(Overruled(says=advice))
    return run


def begin(state: State) -> list[AnyEvent]:
    """What the opening itself sets going: lots that the program can draw."""
    run = Resolution(state, _STEPS)
    run.go_on()
    return run.events


def _set_aside(state: State, order: AnyOrder) -> str:
    if isinstance(order, Fire) or not getattr(order, "insist", False):
        return ""
    refusal = why_not(state, replace(order, insist=False))
    return refusal.says if refusal and not refusal.firm else ""


def _settle(run: Resolution) -> None:
    while run.state.outcome is None:
        match run.state.ask:
            case CasualtyAsk():
                Give().carry_out(run)
            case PieceAsk(pieces=pieces):
                Point(pieces[0]).carry_out(run)
            case InsideAsk():
                Inside().carry_out(run)
            case DrawAsk(why=why) if why not in ("lot", "table"):
                run.emit(Held(then=()))
            case RepeatAsk():
                run.emit(Held(then=run.rest))
                run.go_on()
            case _:
                return
