"""Where the sides set up, as instructions for the players."""

from __future__ import annotations

from skirmish.games.plastic.battle.agenda import ToCast
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.measure import inches


def deployment_words(setup: Setup, first: str | None = None) -> str:
    """The set-up instructions, one per line. ``first`` counts in the basic game only: the side that
    sets up and moves first. If it is None, lots have yet to decide that; in a battle without lots
    it is the side that the set-up lists first."""
    if setup.scenario:
        lines = _deployment_of_scenario(setup)
    else:
        lines = _deployment_of_basic_game(setup, first)
    return "\n".join(lines)


def deployment_now(state: State) -> str:
    """The set-up instructions as far as they are known at this moment."""
    # While lots are still to be drawn, nobody knows who sets up first.
    lots_are_pending = any(isinstance(task, ToCast) for task in state.agenda)
    if lots_are_pending:
        return deployment_words(state.setup)
    return deployment_words(state.setup, state.first)


def _deployment_of_scenario(setup: Setup) -> list[str]:
    """Who sets up first, and where each contingent sets up that is on the table from the start."""
    assert setup.scenario is not None
    starter = setup.side_by_id[setup.scenario.sets_up_first]
    lines = [f"{setup.does(starter.id, 'set up', 'sets up', article='The')} first."]
    for side in (starter, setup.enemy_of(starter.id)):
        for contingent in setup.contingents:
            sets_up = contingent.side == side.id and contingent.is_there_from_the_start
            if sets_up and contingent.note:
                lines.append(f"{side.people}, {contingent.name}: {contingent.note}")
    return lines


def _deployment_of_basic_game(setup: Setup, first: str | None) -> list[str]:
    """The bands along both edges in which the sides set up."""
    bands = setup.catalog.basic_game.deployment
    # The catalog of a battle that was stored early has no bands.
    if bands is None:
        return []
    # Without lots the sides are listed in the order in which they set up.
    if first is None and not setup.lots:
        first = setup.sides[0].id
    if first is None:
        who_begins = "The side with the higher draw sets up first"
        who_follows = "Then the other side"
    else:
        who_begins = f"{setup.does(first, 'set up', 'sets up', article='The')} first"
        who_follows = f"Then {setup.the(setup.enemy_of(first).id)}"
    first_line = f"{who_begins}: within {inches(bands.first)} of the chosen edge"
    if _may_have_pillboxes(setup, first):
        first_line += f", pillboxes up to {inches(bands.first_pillboxes)}"
    return [
        f"{first_line}.",
        f"{who_follows}: within {inches(bands.second)} of the edge opposite.",
    ]


def _may_have_pillboxes(setup: Setup, side: str | None) -> bool:
    """Whether the side has a pillbox; without a side, whether any has."""
    for piece in setup.pieces:
        may_be_its_own = side is None or side == piece.side
        if may_be_its_own and "pillbox" in setup.unit(piece.unit).tags:
            return True
    return False
