"""Order -> events. Resolution runs the agenda until it is empty or only a player can go on."""

from __future__ import annotations

from skirmish.games.plastic.battle.events import (
    Aimed,
    AnyEvent,
    AnyTask,
    Asked,
    CasualtyAsk,
    Clock,
    Finished,
    Held,
    OutcomeAsk,
    PhaseEnded,
    RepeatAsk,
    Shuffled,
    ToJudge,
    TurnEnded,
)
from skirmish.games.plastic.battle.firing import Prepared, prepared
from skirmish.games.plastic.battle.orders import (
    Again,
    AnyOrder,
    EndPhase,
    EndTurn,
    Finish,
    Fire,
    Give,
    Hold,
    Show,
)
from skirmish.games.plastic.battle.resolve import Resolution
from skirmish.games.plastic.battle.state import State, evolve
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import Refusal, Refused

LAST_PHASE = 4


class Battle:
    """WWII Plastic Skirmish as a ``tabletop.decider.Game``."""

    def decide(self, state: State, order: AnyOrder) -> list[AnyEvent]:
        """What happens when ``order`` is given; raises Refused."""
        return decide(state, order)

    def evolve(self, state: State | None, event: AnyEvent) -> State:
        """The state after ``event``."""
        return evolve(state, event)


def why_not(state: State, order: AnyOrder) -> Refusal | None:
    """Why ``order`` would be refused now, or None. Has no effect."""
    try:
        decide(state, order)
    except Refused as refused:
        return refused.refusal
    return None


def decide(state: State, order: AnyOrder) -> list[AnyEvent]:
    """The events of ``order``; raises Refused. While an answer is awaited only that answer is
    taken, or that the battle is over; an open repeat shot is an offer, which any other order lets
    go."""
    if state.outcome is not None:
        raise _no("over", "The battle is over; undo opens it again.")
    run = Resolution(state)
    match order:
        case Show():
            _show(run, order.draw)
        case Give():
            _give(run, order.row)
        case Again():
            shot = prepared(state, order)
            _aim(run, shot, "", run.head()[1])
        case Hold():
            if not isinstance(state.ask, RepeatAsk):
                raise _no("no_repeat", "No repeat shot is open.")
            run.emit(Held(then=run.head()[1]))
            run.go_on()
        case Finish():
            _finish(run, order)
        case _:
            _refuse_while_waiting(state)
            if isinstance(state.ask, RepeatAsk):
                run.emit(Held(then=run.head()[1]))
            _act(run, order)
    return run.events


def _act(run: Resolution, order: AnyOrder) -> None:
    match order:
        case Fire():
            shot = prepared(run.state, order)
            advice = shot.advice
            if advice and not order.insist:
                raise Refused(advice)
            _aim(run, shot, advice.says if advice else "", ())
        case EndPhase():
            clock = run.state.clock
            if clock.phase < LAST_PHASE:
                _check_break(run)
                if run.state.outcome is None:
                    run.emit(PhaseEnded(clock=Clock(clock.turn, clock.side, clock.phase + 1)))
            else:
                _end_turn(run)
        case EndTurn():
            _end_turn(run)


def _aim(run: Resolution, shot: Prepared, overruled: str, then: tuple[AnyTask, ...]) -> None:
    run.emit(
        Aimed(
            shot=shot.shooting,
            side=shot.side,
            needs=shot.aim.needs,
            overruled=overruled,
            then=(ToJudge(shot=shot.shooting), *then),
        )
    )
    run.go_on()


def _show(run: Resolution, draw: Draw) -> None:
    """A player's own draw. A card that has gone since the last shuffle cannot come again."""
    ask = run.waiting_for_draw()
    source = run.state.sources[run.state.setup.source_of(ask.side)]
    if ask.die == draw.is_card:
        wanted = f"a d{DIE} roll, 1 to {DIE}" if ask.die else "a card, as in 7H or QS"
        raise _no(
            "wrong_draw", f"This side plays with {'a die' if ask.die else 'cards'}: {wanted}."
        )
    if draw.is_card:
        if draw not in DECK:
            raise _no("no_such_card", f"{draw} is not in the deck of 48; the Kings are out.")
        if draw in source.gone or draw == source.aside:
            says = f"The {draw.words} has gone since the last shuffle; look at the card again."
            raise _no("card_gone", says)
    elif not 1 <= draw.rank <= DIE:
        raise _no("no_such_face", f"A d{DIE} shows 1 to {DIE}, not {draw.rank}.")
    run.drew(run.state.setup.source_of(ask.side), draw)
    run.go_on()


def _give(run: Resolution, row: str) -> None:
    ask = run.state.ask
    if not isinstance(ask, CasualtyAsk):
        raise _no("no_casualty", "No casualty is to be chosen.")
    if row not in ask.rows:
        raise _no("not_one_of_these", "Choose a man of that group: one of the rows shown.")
    run.bury(row)
    run.go_on()


def _finish(run: Resolution, order: Finish) -> None:
    sides = run.state.setup.side_by_id
    if order.winner is not None and order.winner not in sides:
        raise _no("unknown_side", f"No side is called {order.winner!r}: {', '.join(sides)}.")
    run.emit(Finished(winner=order.winner, reason=order.reason or "Agreed at the table."))


def _end_turn(run: Resolution) -> None:
    """Losses that beat an army (P74), the clock, and the shuffle ("Equipment Needed", P24)."""
    _check_break(run)
    state = run.state
    if state.outcome is not None:
        return
    setup, clock = state.setup, state.clock
    first, second = setup.sides
    last_of_turn = clock.side == second.id
    if last_of_turn or setup.rulings["P24"] == "player_turn":
        for name, source in state.sources.items():
            if source.kind == "deck" and (source.gone or source.aside):
                run.emit(Shuffled(source=name))
    following = (
        Clock(clock.turn + 1, first.id, 1) if last_of_turn else Clock(clock.turn, second.id, 1)
    )
    deadline = setup.ends_after
    if deadline and (clock.turn, clock.side) == (deadline.turn, deadline.side):
        if deadline.draw:
            reason = f"Turn {deadline.turn} has passed without a result."
            run.emit(Finished(winner=None, reason=reason))
            return
        run.emit(TurnEnded(clock=following))
        run.emit(Asked(ask=OutcomeAsk()))
        return
    run.emit(TurnEnded(clock=following))


def _check_break(run: Resolution) -> None:
    if run.state.setup.rulings["P74"] == "end_of_phase":
        run.check_break()


def _refuse_while_waiting(state: State) -> None:
    if state.ask is None or isinstance(state.ask, RepeatAsk):
        return
    if isinstance(state.ask, CasualtyAsk):
        raise _no("waiting", "First the casualty: who dies?")
    if isinstance(state.ask, OutcomeAsk):
        raise _no("waiting", "The clock has run out: say who won, or undo.")
    what = "the roll" if state.ask.die else "the card"
    raise _no("waiting", f"First {what}: {state.setup.side_by_id[state.ask.side].people} to draw.")


def _no(code: str, says: str) -> Refused:
    return Refused(Refusal(code, says, firm=True))
