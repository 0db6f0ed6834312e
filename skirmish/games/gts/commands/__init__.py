"""The commands and prompts of the Grand Tactical Series, as data.

A command asks for the answers of its slots, and its ``make`` turns them into an order, which alone
decides what is allowed. ``turn`` has the mug and the points, ``shots`` fire, ``acting`` what units
do without a roll, ``checks`` what they roll for. ``entry`` takes in what players type of the table,
``tables`` rolls on the owner's card. ``answers`` is shared by all of them.

A command without a ``word`` has its key, but no place on the strip of keys: there only what is
likely to be wanted now is shown.
"""

from __future__ import annotations

from typing import Any

from skirmish.games.gts.commands import acting, checks, entry, tables, turn
from skirmish.games.gts.commands.answers import Commands
from skirmish.games.gts.commands.shots import shot_commands
from skirmish.games.gts.state import GtsState
from skirmish.tabletop.commands import Command


def commands(state: GtsState) -> Commands:
    """All commands, in the order of the help. None while a question is open."""
    # The open question has keys of its own, and no other order is taken before its answer.
    if state.agenda:
        return
    # With the scope "fire" or "mug" the program plays a part of the game alone. The commands of the
    # rest are left out.
    if state.setup.scope == "fire":
        yield turn.clean_up_command(state)
    else:
        yield from turn.turn_commands(state)
        yield from entry.division_and_chit_commands(state)
    if state.setup.scope != "mug":
        yield from shot_commands(state)
        yield acting.act_command(state)
        yield from checks.check_commands(state)
        yield from acting.marker_commands(state)
        yield entry.beach_command()
        yield tables.beach_attack_command(state)
        yield from entry.unit_and_card_commands(state)
    yield entry.conditions_command()
    yield tables.table_command(state)


def prompt(state: GtsState) -> Command[Any] | None:
    """The first open question; None if nothing is asked."""
    if not state.agenda:
        return None
    task = state.agenda[0]
    if task.kind == "points":
        return turn.points_prompt(state, task)
    if task.kind == "look_up":
        return tables.look_up_prompt(state, task)
    return checks.under_fire_prompt(state, task)
