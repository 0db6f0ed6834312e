"""The optional rules of the book, each a switch that players may turn before and during a battle.

Force quality is no switch but a choice for each side, and is kept beside these.
"""

from __future__ import annotations

import msgspec


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which optional rules are played.

    The defaults are ruling P59's: what scenarios need is on, what changes a whole battle
    (pinning, nationalities) is off until players want it.
    """

    pinning: bool = False
    nationalities: bool = False
    hull_down: bool = True
    rear_armor: bool = True
    entrenching: bool = True
    snipers: bool = True


WORDS = {
    "pinning": "Pinning",
    "nationalities": "Nationalities",
    "hull_down": "Hull down",
    "rear_armor": "Rear armor",
    "entrenching": "Entrenching",
    "snipers": "Snipers",
}
"""Each option as players call it, in the order in which they are shown."""

FIRST_GAME = Options(hull_down=False, rear_armor=False, entrenching=False, snipers=False)
"""Nothing but move, fire and count: for a first game, and for children."""

EVERYTHING = Options(pinning=True, nationalities=True)
"""All of them."""
