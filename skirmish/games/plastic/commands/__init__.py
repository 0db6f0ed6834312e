"""The commands of a battle: what players can do now and what they are asked, as data.

Begin with ``sides``: how a command is declared, and the rows of a side as options. ``shots`` has
the keys of a shot and a volley, ``asked`` the questions of the game itself, ``judging`` typed draws
and shots judged again, ``turn`` and ``movement`` the rest; ``whose`` says which side a command
belongs to. Nothing is decided here: a command makes an order, and the order is refused or carried
out in ``battle.orders``.
"""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle.odds import Knowledge
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands import judging, movement, turn
from skirmish.games.plastic.commands.shots import Shots
from skirmish.games.plastic.commands.sides import AnyCommand, BattleNow, Declared

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
"""Every command with a key of its own, in the order of the key strip."""


def commands(state: State, knowledge: Knowledge) -> Iterator[AnyCommand]:
    """All commands in the present state: those of shots first, since they have no key."""
    battle = BattleNow(state)
    yield from Shots(state, knowledge).commands(battle.waits)
    arrival = movement.all_arrive(battle)
    if arrival is not None:
        yield arrival
    for declared in DECLARED:
        yield declared.command(battle)
