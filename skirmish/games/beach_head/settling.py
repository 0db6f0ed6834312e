"""What a roll comes to once it counts: squads land or are killed, points are removed, or a row of a
table leads to the next roll. An order lets a roll count with ``settle``.
"""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.beach_head import events
from skirmish.games.beach_head.pending import BeachTask
from skirmish.games.beach_head.resolution import BeachResolution
from skirmish.games.beach_head.ruleset import DefenceId, PhaseStep
from skirmish.games.beach_head.state import BeachState


def settle(run: BeachResolution) -> None:
    """Lets the roll on the table count, with the cards on it."""
    state, roll = run.state, run.state.roll
    assert roll is not None
    total, task = roll.counted(state.setup).total, roll.task
    match task.what:
        case "throw":
            _settle_throw(run, task, total)
        case "kind":
            _clear_roll(run, total)
            tank = state.ruleset.tank_by_face(total)
            run.emit(events.TankLanded(kind=state.setup.landed_as(tank.id)))
        case "crater":
            _clear_roll(run, total)
            _dig_ditches(run, total)
        case "outcome":
            _settle_outcome(run, task, total)
    _win_if_cleared(run)


def _settle_throw(run: BeachResolution, task: BeachTask, total: int) -> None:
    """What the roll of a step does: squads or tanks land, a table is read, or points go."""
    step = run.state.step_of(task)
    match step.does:
        case "squads":
            _clear_roll(run, total)
            run.emit(events.SquadsLanded(squads=total))
        case "tanks":
            _settle_tanks(run, task, total)
        case "table":
            _look_up(run, task, step, total)
        case "remove":
            _settle_removal(run, task, total)


def _settle_tanks(run: BeachResolution, task: BeachTask, total: int) -> None:
    """Has a die rolled for the type of each tank that lands, unless all are gun tanks (B27)."""
    setup = run.state.setup
    if setup.all_tanks_are_guns:
        _clear_roll(run, total)
        for _ in range(total):
            run.emit(events.TankLanded(kind=setup.ruleset.omaha.gun_tank))
        return
    dice_for_types = []
    for tank_number in range(1, total + 1):
        die = BeachTask(what="kind", step=task.step, number=tank_number, among=total)
        dice_for_types.append(die)
    _clear_roll(run, total, *dice_for_types)


def _look_up(run: BeachResolution, task: BeachTask, step: PhaseStep, total: int) -> None:
    """Finds the row of the table for a total, which leads to another roll, a lost tank, a landing
    craft that is hit, or nothing."""
    row_index = step.row_index(total)
    row = step.row[row_index]
    if row.kill or row.remove:
        _clear_roll(run, total, BeachTask(what="outcome", step=task.step, row=row_index))
    elif row.tank:
        _clear_roll(run, total, BeachTask(what="lose_tank", no_flail=row.tank == "no_flail"))
    else:
        _clear_roll(run, total)
        if row.craft:
            run.emit(events.CraftHit())
        elif not run.state.agenda:
            # It changes nothing. But stored games have this event where such a roll is the last of
            # its phase, and their orders must lead to the same events again.
            run.emit(events.Passed(why="nothing"))


def _settle_outcome(run: BeachResolution, task: BeachTask, total: int) -> None:
    """What the second roll of a table does: its row kills squads or removes points."""
    row = run.state.step_of(task).row[task.row]
    if row.kill:
        _clear_roll(run, total)
        _kill(run, total)
    else:
        _settle_removal(run, task, total)


def _kill(run: BeachResolution, total: int) -> None:
    """Kills squads, never more than are ashore; whether the others are scored is a ruling (B2)."""
    killed = min(total, run.state.squads)
    scored = killed
    if run.state.in_force.whole_roll_is_scored:
        scored = total
    run.emit(events.Killed(squads=killed, scored=scored))


def _settle_removal(run: BeachResolution, task: BeachTask, total: int) -> None:
    """Removes points from the target; if it is named after the die (B40), that comes next."""
    if task.target is None:
        _clear_roll(run, total, BeachTask(what="spend", step=task.step, points=total))
    else:
        _clear_roll(run, total)
        _remove(run, task, task.target, total)


def _clear_roll(run: BeachResolution, total: int, *next_tasks: BeachTask) -> None:
    """Takes the roll off the table, and puts ``next_tasks`` in the place of its task."""
    assert run.state.roll is not None
    then = (*next_tasks, *run.rest)
    run.emit(events.Settled(total=total, modifiers=run.state.roll.modifiers, then=then))


def spend(run: BeachResolution, target: DefenceId) -> None:
    """Removes points that were rolled before their target was named (B40)."""
    task = run.state.agenda[0]
    run.finish_task()
    _remove(run, task, target, task.points)
    _win_if_cleared(run)


def _remove(run: BeachResolution, task: BeachTask, target: DefenceId, points: int) -> None:
    """Removes points; any excess is lost (B10). Walls hit by a petard leave craters."""
    left = run.state.defences[target]
    run.emit(events.Removed(target=target, points=min(points, left), rolled=points))
    leaves_craters = target in run.state.step_of(task).craters
    if leaves_craters and "ditches" not in run.state.setup.left_out:
        _add_crater_task(run, task, target)


def _add_crater_task(run: BeachResolution, task: BeachTask, target: DefenceId) -> None:
    """Puts the die for craters on the agenda: next, or after the other steps of this tank (B38)."""
    agenda = run.state.agenda
    if run.state.in_force.craters_come_first:
        place = 0  # before the roll at the trenches, which new ditches bar
    else:
        place = _steps_left_to_this_tank(agenda)
    crater = BeachTask(what="crater", step=task.step, target=target)
    then = (*agenda[:place], crater, *agenda[place:])
    # The event only puts the task on the agenda; its die gives the points.
    run.emit(events.Passed(why="craters", about=target, then=then))


def _dig_ditches(run: BeachResolution, points: int) -> None:
    """Adds ditches. Where they are limited (B15), there are never more than at the start."""
    most = run.state.setup.most_ditches
    if most is not None:
        room = max(0, most - run.state.defences["ditches"])
        points = min(points, room)
    run.emit(events.Dug(target="ditches", points=points))


def _win_if_cleared(run: BeachResolution) -> None:
    """Ends a game that is won in the middle of a turn, if the ruling says so (B18)."""
    if run.state.cleared and run.state.in_force.wins_at_once:
        run.emit(events.Won())


def _steps_left_to_this_tank(agenda: Sequence[BeachTask]) -> int:
    """How many tasks come before the next tank begins (B7), which it does with the first step."""
    for index, task in enumerate(agenda):
        if task.step == 0:
            return index
    return len(agenda)


def state_after_roll(state: BeachState) -> BeachState:
    """The state once the roll on the table counts; nothing after it is played."""
    resolution = BeachResolution(state)
    settle(resolution)
    return resolution.state
