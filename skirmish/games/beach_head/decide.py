"""Order -> events. An order that answers is taken only while that answer is awaited; ``Go`` lets
the dice on the table count and runs on until dice lie there again, or only the player can say."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.beach_head import hand, orders
from skirmish.games.beach_head.agenda import (
    AnyAsk,
    CardsAsk,
    DiceAsk,
    ExchangeAsk,
    Fill,
    LoseTank,
    LotAsk,
    Outcome,
    Played,
    Spend,
    Take,
    TankAsk,
    TargetAsk,
    Throw,
    TrimAsk,
)
from skirmish.games.beach_head.events import (
    Aimed,
    AnyEvent,
    CardPlayed,
    Discarded,
    Passed,
    Shown,
    TankLost,
)
from skirmish.games.beach_head.evolve import evolve, irreversible
from skirmish.games.beach_head.orders import AnyOrder
from skirmish.games.beach_head.phases import next_phase
from skirmish.games.beach_head.resolve import Resolution
from skirmish.games.beach_head.settling import settle, spend
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.steps import do, losable
from skirmish.tabletop import decider
from skirmish.tabletop.refusal import Refusal, nonsense


class BeachHead:
    """Beach Head as a ``tabletop.decider.Game``."""

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
    """The events of ``order``; raises Refused."""
    run = carried_out(state, order)
    _run_on(run)
    return run.events


def carried_out(state: State, order: AnyOrder) -> Resolution:
    """The order alone, before the game runs on to the next roll or question; raises Refused."""
    if state.over:
        raise nonsense("over", "The beach is taken; the game is over.")
    run = Resolution(state)
    match order:
        case orders.Go():
            _go(run)
        case orders.Choose():
            _choose(run, order)
        case orders.Give():
            _give(run, order)
        case orders.Show():
            _show(run, order)
        case orders.Draws():
            hand.drawn(run, order)
        case orders.Discard():
            hand.discard(run, order)
        case orders.Play():
            hand.play(run, order)
    return run


def _run_on(run: Resolution) -> None:
    """Until dice lie on the table, only the player can say, or the game is won. Cards owed to the
    hand come even while dice lie there (a General, B25). Raises ValueError where no manual of ours
    leads: turns in which nothing is rolled."""
    begun = run.state.turn
    while not run.state.over and run.state.ask is None:
        agenda = run.state.agenda
        if run.state.roll is not None and not (agenda and isinstance(agenda[0], Fill)):
            if not _counts_at_once(run.state):
                return
            settle(run)
        elif agenda:
            do(run, agenda[0])
        else:
            next_phase(run)
            if run.state.turn > begun + 2:
                raise ValueError("turns pass and nothing is rolled")


def _counts_at_once(state: State) -> bool:
    """Whether the player's own dice have been seen, and no card can follow."""
    seen = state.roll is not None and state.roll.faces and state.dice.typed
    return bool(seen) and state.setup.version > 1 and not hand.any_playable(state)


def _go(run: Resolution) -> None:
    state = run.state
    if isinstance(state.ask, ExchangeAsk):
        run.emit(Discarded(cards=(), then=run.rest))
    elif state.ask is not None:
        raise nonsense("waiting", wanted(state.ask))
    elif state.roll is not None:
        if state.roll.faces:
            settle(run)
        else:
            run.throw()


def wanted(ask: AnyAsk) -> str:
    """What is waited for, as a sentence."""
    match ask:
        case DiceAsk(count=1):
            return "Roll a die and type what it shows."
        case DiceAsk():
            return f"Roll {ask.count} dice and type what they show."
        case LotAsk():
            return f"Draw lots: type a random number from 1 to {ask.sides}."
        case TargetAsk():
            return "Choose the target."
        case TankAsk():
            return "Choose the tank that is lost."
        case CardsAsk(count=1):
            return "Draw a card and type its rank."
        case CardsAsk():
            return f"Draw {ask.count} cards and type their ranks."
        case ExchangeAsk(most=0):
            return "You may play a General."
        case ExchangeAsk():
            return (
                f"You may exchange up to {ask.most} cards."
                if ask.most > 1
                else "You may exchange a card."
            )
        case TrimAsk():
            cards = "a card" if ask.count == 1 else f"{ask.count} cards"
            return f"Discard {cards}."


def _choose(run: Resolution, order: orders.Choose) -> None:
    ask, target = run.state.ask, order.target
    if not isinstance(ask, TargetAsk):
        raise nonsense("not_now", "There is no target to choose now.")
    if target is None and not ask.may_decline:
        raise nonsense("must_remove", "You must choose a target.", "B35")
    if target is not None and target not in ask.targets:
        names = ", ".join(
            run.state.setup.manual.defence_of(one).name.lower() for one in ask.targets
        )
        raise nonsense("no_target", f"That is not a target here; the targets are {names}.")
    head = run.state.agenda[0]
    if target is None:
        run.emit(Passed(why="declined", then=run.rest))
        return
    match head:
        case Take():
            run.emit(Aimed(then=(Throw(step=head.step, target=target), *run.rest)))
        case Outcome():
            aimed = Outcome(step=head.step, row=head.row, target=target)
            run.emit(Aimed(then=(aimed, *run.rest)))
        case Spend():
            spend(run, target)


def _give(run: Resolution, order: orders.Give) -> None:
    ask = run.state.ask
    if not isinstance(ask, TankAsk):
        raise nonsense("not_now", "There is no tank to choose now.")
    if order.tank not in ask.kinds:
        names = ", ".join(run.state.setup.manual.tank_of(one).name for one in ask.kinds)
        raise nonsense("no_target", f"There is no such tank here; there are: {names}.")
    run.emit(TankLost(kind=order.tank, then=run.rest))


def _show(run: Resolution, order: orders.Show) -> None:
    ask = run.state.ask
    if isinstance(ask, LotAsk):
        (lot,) = _faces(order, 1, ask.sides)
        head = run.state.agenda[0]
        assert isinstance(head, LoseTank)
        kind = losable(run.state, head)[lot - 1]
        run.emit(TankLost(kind=kind, lot=lot, own=True, then=run.rest))
    elif isinstance(ask, DiceAsk):
        faces = _faces(order, ask.count, 6)
        if ask.card is None:
            run.emit(Shown(faces=faces, own=True))
        else:
            run.emit(CardPlayed(played=Played(ask.card.card, ask.card.die, faces), own=True))
    else:
        raise nonsense("not_now", "There are no dice to roll now.")


def _faces(order: orders.Show, count: int, sides: int) -> tuple[int, ...]:
    if len(order.faces) != count:
        dice = "1 die is" if count == 1 else f"{count} dice are"
        raise nonsense("how_many", f"{dice} rolled here, not {len(order.faces)}.")
    for face in order.faces:
        if not 1 <= face <= sides:
            raise nonsense("no_face", f"It must be a number from 1 to {sides}, not {face}.")
    return order.faces
