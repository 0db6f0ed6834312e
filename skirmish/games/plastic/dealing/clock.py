"""How long a dealt battle lasts, by the way that the attackers have to go."""

from __future__ import annotations

import math

from skirmish.games.plastic.dealing.themes import Group, Theme
from skirmish.games.plastic.dealing.wishes import Length

ON_FOOT, BY_ROAD = 6, 12
"""Inches a turn that guys move on foot, and that vehicles move by road."""
EXTRA_TURNS: dict[Length, int] = {"short": -1, "evening": 0, "long": 2}
"""How many more turns a battle has, by the length that is wished for; below 0: fewer."""
FEWEST_TURNS = 6
"""The last turn of the shortest battle."""
TURNS_TO_FIGHT = 3
"""Turns that every group has to fight in once it has come to the objective."""


def last_turn_of(theme: Theme, length: Length, walk: float) -> int:
    """The turn after which a battle ends, where the attackers walk so many inches."""
    move = ON_FOOT
    # In a theme either all of the attackers have seats in vehicles, or it is fought on foot.
    if any(group.motor or group.trucks for group in theme.attackers):
        move = BY_ROAD
    turns_of_walk = math.ceil(walk / move)
    if theme.there_and_back:
        turns_of_walk *= 2
    last_turn = turns_of_walk + theme.slack + EXTRA_TURNS[length]
    for group in theme.attackers:
        if group.turn_share is None:
            continue
        # Those who come later need the turns of their way, and some to fight. They come at a share
        # of the battle, so that a later end makes them come later, too: the end is moved until it
        # fits.
        while _last_needed(group, last_turn, turns_of_walk) > last_turn:
            last_turn += 1
    return max(last_turn, FEWEST_TURNS)


def _last_needed(group: Group, last_turn: int, turns_of_walk: int) -> int:
    """The last turn that a group needs to walk to the objective and to fight there, in a battle
    with that last turn."""
    # The turn on which it enters is the first of its walk.
    return group.turn_in(last_turn) + turns_of_walk + TURNS_TO_FIGHT - 1


def is_too_far_on_foot(walk: float, last_turn: int) -> bool:
    """Whether those who start walking on turn 1, and have so many inches to go, come too late to
    fight before the battle ends."""
    return math.ceil(walk / ON_FOOT) + TURNS_TO_FIGHT > last_turn
