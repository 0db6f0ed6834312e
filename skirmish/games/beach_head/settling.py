"""The dice on the table count: what they do, and what follows from it."""

from __future__ import annotations

from skirmish.games.beach_head.agenda import (
    AnyTask,
    Crater,
    Kind,
    LoseTank,
    Outcome,
    Roll,
    Spend,
    Throw,
)
from skirmish.games.beach_head.events import (
    Aimed,
    CraftHit,
    Dug,
    Killed,
    Passed,
    Removed,
    Settled,
    SquadsLanded,
    TankLanded,
)
from skirmish.games.beach_head.manual import DefenceId, Remove, Row, Squads, Table, Tanks
from skirmish.games.beach_head.resolve import Resolution
from skirmish.games.beach_head.rolls import counted
from skirmish.games.beach_head.setup import Setup


def settle(run: Resolution) -> None:
    """Close the roll on the table and let it count."""
    roll = run.state.roll
    assert roll is not None
    total = counted(run.state, roll).total
    match roll.task:
        case Throw():
            _throw(run, roll, roll.task, total)
        case Outcome():
            _outcome(run, roll, roll.task, total)
        case Kind():
            _close(run, roll, total)
            face = min(6, max(1, total))
            kind = next(one.id for one in run.state.setup.manual.tank if face in one.faces)
            run.emit(TankLanded(kind=run.state.setup.landed_as(kind)))
        case Crater():
            _close(run, roll, total)
            dig(run, total)
    run.won_at_once()


def _close(run: Resolution, roll: Roll, total: int, *first: AnyTask) -> None:
    run.emit(Settled(total=total, modifiers=roll.modifiers, then=(*first, *run.rest)))


def _throw(run: Resolution, roll: Roll, task: Throw, total: int) -> None:
    step = run.state.now.step[task.step]
    match step:
        case Remove() if task.target is None:
            _close(run, roll, total, Spend(step=task.step, points=total))
        case Remove():
            assert task.target is not None
            _close(run, roll, total)
            remove(run, task.step, task.target, total)
        case Squads():
            _close(run, roll, total)
            run.emit(SquadsLanded(squads=total))
        case Tanks():
            _tanks(run, roll, task, total)
        case Table():
            row = step.find(total)
            _close(run, roll, total, *_follows(step.row[row], task.step, row))
            if step.row[row].craft:
                run.emit(CraftHit())
            elif not run.state.agenda:
                run.emit(Passed(why="nothing", then=()))


def _tanks(run: Resolution, roll: Roll, task: Throw, total: int) -> None:
    state = run.state
    if state.setup.variant == "omaha" and state.ruled("B27", "all_gun"):
        _close(run, roll, total)
        for _ in range(total):
            run.emit(TankLanded(kind=state.setup.manual.omaha.lands[0]))
        return
    kinds = [Kind(step=task.step, number=n, among=total) for n in range(1, total + 1)]
    _close(run, roll, total, *kinds)


def _follows(row: Row, step: int, index: int) -> tuple[AnyTask, ...]:
    if row.kill or row.remove:
        return (Outcome(step=step, row=index),)
    if row.tank:
        return (LoseTank(no_flail=row.tank == "no_flail"),)
    return ()


def _outcome(run: Resolution, roll: Roll, task: Outcome, total: int) -> None:
    step = run.state.now.step[task.step]
    assert isinstance(step, Table)
    if step.row[task.row].kill:
        _close(run, roll, total)
        killed = min(total, run.state.squads)
        scored = total if run.state.ruled("B2", "rolled") else killed
        run.emit(Killed(squads=killed, scored=scored))
    elif task.target is None:
        _close(run, roll, total, Spend(step=task.step, points=total))
    else:
        _close(run, roll, total)
        remove(run, task.step, task.target, total)


def spend(run: Resolution, target: DefenceId) -> None:
    """The points that were rolled first (B40) go to ``target``."""
    task = run.state.agenda[0]
    assert isinstance(task, Spend)
    run.emit(Aimed(then=run.rest))
    remove(run, task.step, target, task.points)
    run.won_at_once()


def remove(run: Resolution, step: int, target: DefenceId, points: int) -> None:
    """Points off ``target``; what is too much is lost (B10). Craters are dug after the phase's
    other steps, or at once (B38)."""
    left = run.state.defences[target]
    run.emit(Removed(target=target, points=min(points, left), rolled=points))
    printed = run.state.now.step[step]
    dug = printed.craters.get(target) if isinstance(printed, Remove) else None
    if dug is None or "ditches" in run.state.setup.left_out:
        return
    crater = Crater(step=step, target=target)
    agenda = run.state.agenda
    then = (crater, *agenda) if run.state.ruled("B38", "craters") else _behind(agenda, crater)
    run.emit(Passed(why="craters", about=target, then=then))


def _behind(agenda: tuple[AnyTask, ...], crater: Crater) -> tuple[AnyTask, ...]:
    """After the other steps of the same tank: its next turn begins with the first step again."""
    for place, task in enumerate(agenda):
        if getattr(task, "step", None) == 0:
            return (*agenda[:place], crater, *agenda[place:])
    return (*agenda, crater)


def dig(run: Resolution, points: int) -> None:
    """New ditches, as far as there may be more."""
    most = most_ditches(run.state.setup)
    if most is not None:
        points = max(0, min(points, most - run.state.defences["ditches"]))
    run.emit(Dug(target="ditches", points=points))


def most_ditches(setup: Setup) -> int | None:
    """How many there can ever be: those of the start, or None where craters may add any number
    (B15)."""
    return setup.points()["ditches"] if setup.rulings["B15"] == "cap" else None
