"""All commands of a battle, in the order of the key strip."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle.odds import Knowledge
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands import judging, movement, turn
from skirmish.games.plastic.commands.shots import Shots
from skirmish.games.plastic.commands.sides import AnyCommand, Declared, Sides

LOSSES = (judging.tally, turn.lost, turn.men_back, turn.PHASE, turn.end_turn)
MOVES = (
    movement.moved,
    movement.leave,
    movement.arrive,
    movement.table,
    movement.serve,
    movement.load,
    movement.unload,
    movement.reveal,
    movement.leave_gun,
    turn.count,
    movement.dig,
    movement.wire,
    turn.pin_test,
    turn.pins,
)
AGAIN, FINISH = judging.AGAIN, turn.finish
AGREED = (turn.note, turn.clock, turn.levels, turn.rules, turn.seal)
DECLARED: tuple[Declared, ...] = (*LOSSES, AGAIN, *MOVES, *AGREED, FINISH)


def commands(state: State, knowledge: Knowledge) -> Iterator[AnyCommand]:
    at = Sides(state)
    yield from Shots(state, knowledge).commands(at.waits)
    if (arrives := movement.all_arrive(at)) is not None:
        yield arrives
    for one in DECLARED:
        yield one.command(at)
