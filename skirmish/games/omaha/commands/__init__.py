"""The commands of Omaha: what may be done in the phase, in the order of play.

``phase`` has what Space does, and the questions that an assault or a loss leaves open (``prompt``),
``attacking`` fire and assaults, ``german_fire`` the fire of the solitaire German, which is proposed
hex by hex (a *battery* is a hex of his with its units), ``units`` how units are moved and entered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from skirmish.games.omaha.commands.attacking import assault_command, fire_command
from skirmish.games.omaha.commands.german_fire import (
    any_battery_command,
    batteries_to_fire,
    end_of_german_fire_command,
    next_battery_command,
)
from skirmish.games.omaha.commands.phase import phase_command
from skirmish.games.omaha.commands.units import move_commands, new_units_command
from skirmish.games.omaha.state import OmahaState
from skirmish.tabletop.commands import Command


def commands(state: OmahaState) -> Iterator[Command[Any]]:
    """What may be done in the phase. (Corrections by hand are commands of every companion game.)"""
    if state.ended or state.agenda:
        return
    batteries = batteries_to_fire(state)
    if batteries:
        yield next_battery_command(state, batteries)
    else:
        yield phase_command(state)
    if state.shooter is not None:
        # The first battery is proposed as the next one; a player who knows better names another.
        if state.phase_id == "german_fire" and state.setup.solitaire:
            yield any_battery_command(state, batteries)
        yield fire_command(state, state.shooter)
    if state.sequence.allows(state.position, "assault"):
        yield assault_command(state)
    yield from move_commands(state)
    yield new_units_command(state)
    if batteries:
        yield end_of_german_fire_command(state, batteries)
