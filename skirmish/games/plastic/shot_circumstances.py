"""The circumstances of a shot that players see at the table and type: cover, hull down and others,
each with its key and its words."""

from __future__ import annotations

from typing import NamedTuple

from skirmish.games.plastic.battle.orders import Again, Fire


class Circumstance(NamedTuple):
    """What the players see at the table and type, unless it is as by default."""

    key: str
    """The key that changes it."""
    default: str
    """In words, how it is if nothing is typed."""
    alternative: str
    """In words, how it may be instead."""


CIRCUMSTANCES = {
    "cover": Circumstance("c", "in the open", "in cover"),
    "hull_down": Circumstance("h", "in full view", "hull down"),
    "rear": Circumstance("b", "from the front", "from behind"),
    "close": Circumstance("n", "over 3\u00a0in", "within 3\u00a0in"),
    "grouped": Circumstance("l", "in a group", "alone"),
    "apart": Circumstance("a", "in contact", "not touching"),
}
"""The circumstances of a shot, by the field of its order."""
DEFAULTS = {name: bool(getattr(Fire(shooter="", target=""), name)) for name in CIRCUMSTANCES}
"""The default of each circumstance: as it is in an order that says nothing about it."""


def circumstance_words(order: Fire | Again, name: str) -> str:
    """What an order says of a circumstance: ``in the open``, ``in cover``."""
    circumstance = CIRCUMSTANCES[name]
    if getattr(order, name) == DEFAULTS[name]:
        return circumstance.default
    return circumstance.alternative
