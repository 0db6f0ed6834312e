"""Where a side leaves the table so that it counts, for the player who is about to do it."""

from __future__ import annotations

from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.scenarios.victory_terms import DestroyThenExit, Exit
from skirmish.tabletop.measure import NO_BREAK, inches

_FOOT = 12


def way_out(setup: Setup, side: str) -> str:
    """``by the E edge, within 6 in of the road``; empty where leaving wins this side nothing, and
    in battles that began before the way out was told."""
    if setup.scenario is None:
        return _of_basic_game(setup)
    terms = setup.scenario.victory
    if not isinstance(terms, Exit | DestroyThenExit) or terms.side != side:
        return ""
    if isinstance(terms, DestroyThenExit):
        return f"by the {terms.then.edge} edge"
    where = f"by the {terms.edge} edge" if terms.edge else f"through exit area {terms.zone}"
    if terms.within_in and terms.of:
        where += f", within {inches(terms.within_in)} of the {terms.of}"
    return where


def _of_basic_game(setup: Setup) -> str:
    """The middle of the enemy's edge, as wide as ruling P32 has it."""
    width = setup.catalog.basic_game.exit_width.get(setup.rulings["P32"])
    if width is None:
        return ""
    wide = f"{width // _FOOT}{NO_BREAK}ft" if width % _FOOT == 0 else inches(width)
    return f"by the middle {wide} of the enemy's edge"
