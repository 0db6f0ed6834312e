"""What is on the agenda, done: a step taken, a tank lost, cards filled up. Each either lays dice on
the table, asks, or comes to nothing."""

from __future__ import annotations

from skirmish.games.beach_head.agenda import (
    AnyTask,
    CardsAsk,
    Crater,
    Exchange,
    ExchangeAsk,
    Fill,
    Kind,
    LoseTank,
    LotAsk,
    Outcome,
    Spend,
    Take,
    TankAsk,
    TargetAsk,
    Throw,
    Trim,
    TrimAsk,
)
from skirmish.games.beach_head.events import (
    Aimed,
    Drew,
    Filled,
    PassCode,
    Passed,
    Shuffled,
    TankLost,
)
from skirmish.games.beach_head.manual import DefenceId, Remove, Row, Table, TankId, Tanks
from skirmish.games.beach_head.resolve import Resolution
from skirmish.games.beach_head.rolls import modifiers, spec_of
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.targets import is_open, standing, targets_of
from skirmish.tabletop.chance import pack


def do(run: Resolution, task: AnyTask) -> None:
    """The first task of the agenda."""
    match task:
        case Take():
            _take(run, task)
        case Throw():
            step = run.state.now.step[task.step]
            run.lay(task, spec_of(run.state, task.step), modifiers(run.state, step.modifiers))
        case Kind():
            step = run.state.now.step[task.step]
            assert isinstance(step, Tanks)
            run.lay(task, step.type)
        case Outcome():
            _outcome(run, task)
        case Spend():
            _spend(run, task)
        case Crater():
            step = run.state.now.step[task.step]
            assert isinstance(step, Remove)
            run.lay(task, step.craters[task.target])
        case LoseTank():
            _lose_tank(run, task)
        case Fill():
            _fill(run, task)
        case Exchange():
            _exchange(run, task)
        case Trim():
            excess = len(run.state.hand) - run.state.setup.manual.hand.keep
            run.ask(TrimAsk(count=excess)) if excess > 0 else _pass(run, "nothing")


def _pass(run: Resolution, why: PassCode, about: str = "") -> None:
    run.emit(Passed(why=why, about=about, then=run.rest))


# ------------------------------------------------------------------ removals


def _take(run: Resolution, task: Take) -> None:
    state, step = run.state, run.state.now.step[task.step]
    if not isinstance(step, Remove):
        run.emit(Aimed(then=(Throw(step=task.step), *run.rest)))
        return
    if not is_open(state, state.now, step):
        _pass(run, "way_barred", step.targets[0])
        return
    targets = targets_of(state, state.now, step)
    if not targets:
        _pass(run, "no_target", step.targets[0])
        return
    target = _only(state, targets)
    if target is None and state.ruled("B40", "before"):
        run.ask(TargetAsk(targets=targets, may_decline=state.ruled("B35", "yes")))
        return
    run.emit(Aimed(then=(Throw(step=task.step, target=target), *run.rest)))


def _only(state: State, targets: tuple[DefenceId, ...]) -> DefenceId | None:
    """The target where there is no choice."""
    return targets[0] if len(targets) == 1 and not state.ruled("B35", "yes") else None


def _spend(run: Resolution, task: Spend) -> None:
    state, step = run.state, run.state.now.step[task.step]
    targets = (
        targets_of(state, state.now, step)
        if isinstance(step, Remove)
        else standing(state, _removing(step).targets)
    )
    decline = state.ruled("B35", "yes")
    run.ask(TargetAsk(targets=targets, may_decline=decline, points=task.points))


def _removing(step: object) -> Row:
    """The row of a table that removes points; all such rows of a table have the same targets."""
    assert isinstance(step, Table)
    return next(row for row in step.row if row.remove)


def _outcome(run: Resolution, task: Outcome) -> None:
    state, step = run.state, run.state.now.step[task.step]
    assert isinstance(step, Table)
    row = step.row[task.row]
    if row.kill:
        if state.squads or state.ruled("B2", "rolled"):
            run.lay(task, row.kill)
        else:
            _pass(run, "nothing", "nobody")
        return
    assert row.remove is not None
    if task.target is not None:
        run.lay(task, row.remove)
        return
    targets = standing(state, row.targets)
    if not targets:
        _pass(run, "no_target", row.targets[0])
    elif (target := _only(state, targets)) is not None:
        aimed = Outcome(step=task.step, row=task.row, target=target)
        run.emit(Aimed(then=(aimed, *run.rest)))
    elif state.ruled("B40", "before"):
        run.ask(TargetAsk(targets=targets, may_decline=state.ruled("B35", "yes")))
    else:
        run.lay(task, row.remove)


# ------------------------------------------------------------------ tanks


def losable(state: State, task: LoseTank) -> tuple[TankId, ...]:
    """The tanks among which one is lost, in the order in which they landed."""
    flails = {one.id for one in state.setup.manual.tank if one.flail}
    return tuple(kind for kind in state.tanks if not (task.no_flail and kind in flails))


def _lose_tank(run: Resolution, task: LoseTank) -> None:
    state = run.state
    tanks = losable(state, task)
    kinds = tuple(dict.fromkeys(tanks))
    if not tanks:
        _pass(run, "no_tank")
    elif len(kinds) == 1:
        run.emit(TankLost(kind=kinds[0], then=run.rest))
    elif task.no_flail and state.ruled("B13", "player"):
        run.ask(TankAsk(kinds=kinds))
    elif state.dice.typed:
        run.ask(LotAsk(sides=len(tanks), tanks=tanks))
    else:
        (lot,) = run.faces(1, sides=len(tanks))
        run.emit(TankLost(kind=tanks[lot - 1], lot=lot, then=run.rest))


# ------------------------------------------------------------------ the hand


def _exchange(run: Resolution, task: Exchange) -> None:
    state = run.state
    if not task.done:
        most = min(state.setup.manual.hand.redraw, len(state.hand))
        run.ask(ExchangeAsk(most=most)) if most else _pass(run, "nothing")
        return
    general = any(state.setup.manual.card_of(card.rank).does == "draw" for card in state.hand)
    if general and state.ruled("B25", "tactical"):
        run.ask(ExchangeAsk(most=0))
    else:
        run.emit(Aimed(then=run.rest))


def _fill(run: Resolution, task: Fill) -> None:
    wanted = task.count
    if wanted is None:
        wanted = run.state.setup.manual.hand.full - len(run.state.hand)
    while wanted > 0:
        deck = run.state.deck
        assert deck is not None
        if not deck.left(pack()):
            if not run.state.discard:
                break
            run.emit(Shuffled())
            continue
        if deck.typed:
            run.ask(CardsAsk(count=min(wanted, deck.left(pack()))))
            return
        run.emit(Drew(card=deck.peek(pack(), 13)))
        wanted -= 1
    run.emit(Filled(then=run.rest))
