"""The commands of a battle: what players can do now and what they are asked, as data.

Begin with ``declaring``, which says how a command is declared, and ``battle_now``, the battle as
commands see it. The other modules:

* ``shots``: the keys of a shot and a volley; ``own_draws``: the cards that players type;
  ``counted_volley``: a volley in one count; ``judging``: shots that are judged again;
* ``asked``: the questions of the game itself;
* ``turn``: the clock and the end of the battle; ``exits``, ``reinforcements``, ``loading`` and
  ``movement``: the movement phase; ``corrections`` and ``agreements``: what players correct and
  agree on; ``numbered_row``: the question for a number and a row, which several of them ask;
* ``commanding``: the program's commander, with ``commanders_fire`` in the enemy's turn,
  ``group_list`` and ``typed_places``;
* ``whose``: which side a command belongs to.

Nothing is decided here: a command makes an order, which ``battle.orders`` refuses or carries out.

Everywhere in this package a number in brackets, as [72], is a paragraph of the rules, and one as
P51 the ruling on a gap in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from skirmish.games.plastic.battle.known_pack import Knowledge
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.weights import CommanderWeights
from skirmish.games.plastic.commands import (
    agreements,
    corrections,
    exits,
    loading,
    movement,
    reinforcements,
    turn,
)
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.games.plastic.commands.commanding import commander_says
from skirmish.games.plastic.commands.counted_volley import count_hits
from skirmish.games.plastic.commands.declaring import AnyCommand, Declared
from skirmish.games.plastic.commands.judging import command as judging
from skirmish.games.plastic.commands.shots.command import Shots

# All names below are ``Declared`` commands, also those that look like functions, such as
# ``turn.end_turn``: the decorator ``key`` has made a command of the function.
#
# The commands with a key, in the order of the key strip, in several parts: the shell puts keys of
# its own between them, such as undo after the first part and the journal after ``MOVES``.
COUNTS_AND_PHASES = (
    count_hits,
    corrections.lost,
    corrections.men_back,
    turn.PHASE,
    turn.end_turn,
)
# What is done in the movement phase, and the tests of pins.
MOVES = (
    movement.moved,
    exits.exit_table,
    reinforcements.arrive,
    movement.table,
    movement.serve,
    loading.load,
    loading.unload,
    movement.reveal,
    movement.leave_gun,
    corrections.count,
    movement.dig,
    movement.wire,
    corrections.pin_test,
    corrections.pins,
)
# Commands that stand alone between keys of the shell.
AGAIN, FINISH, WITHDRAW = judging.AGAIN, turn.finish, turn.withdraw
# What players settle between themselves, whatever the phase: notes, clock, sealed records, options.
AGREED = (
    agreements.note,
    turn.clock,
    agreements.levels,
    agreements.rules,
    agreements.seal,
    commander_says,
)
DECLARED: tuple[Declared, ...] = (*COUNTS_AND_PHASES, AGAIN, *MOVES, *AGREED, FINISH, WITHDRAW)
"""Every command with a key of its own, in the order of the key strip."""


def commands(
    state: State,
    knowledge: Knowledge,
    weights: Callable[[], CommanderWeights] | None = None,
) -> Iterator[AnyCommand]:
    """All commands in the present state. ``weights`` reads the file of the program's commander,
    which takes a while: it is called only when a commander is appointed."""
    battle = BattleNow(state, weights)
    # A shot has no key of its own: it begins with the row or the number that is typed.
    yield from Shots(state, knowledge).commands(battle.why_waits)
    # Not declared among the others, since its key, Enter, is the shell's, and since it exists only
    # in a battle with reinforcements.
    arrival = reinforcements.all_arrive(battle)
    if arrival is not None:
        yield arrival
    for declared in DECLARED:
        # Only a battle of a campaign can be given up; elsewhere the key would never do anything.
        if declared is not WITHDRAW or state.setup.campaign is not None:
            yield declared.command(battle)
