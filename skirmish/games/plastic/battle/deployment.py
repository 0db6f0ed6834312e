"""Where the sides set up before play, in words: told on the first turn."""

from __future__ import annotations

from skirmish.games.plastic.battle.agenda import ToCast
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.measure import inches


def deployment_words(setup: Setup, first: str | None = None) -> str:
    """A line for each thing to know: in a scenario who sets up first and where each contingent of
    the beginning stands; in the basic game the bands of both sides ("The Basic Game").

    ``first`` is the side that places and moves first (the state's, once lots are cast); left out,
    it is the opening's, or open where lots are still to be drawn. Empty where nothing is known.
    """
    return "\n".join(_of_scenario(setup) if setup.scenario else _of_basic_game(setup, first))


def deployment_now(state: State) -> str:
    """The same for a battle under way: sides are named as soon as the lots are cast."""
    casting = any(isinstance(task, ToCast) for task in state.agenda)
    return deployment_words(state.setup, None if casting else state.first)


def _of_scenario(setup: Setup) -> list[str]:
    assert setup.scenario is not None
    starter = setup.side_by_id[setup.scenario.sets_up_first]
    said = [f"{setup.the(starter.id, 'The')} set up first."]
    for side in (starter, setup.enemy_of(starter.id)):
        own = [group for group in setup.contingents if group.side == side.id]
        said += [
            f"{side.people}, {group.name}: {group.note}"
            for group in own
            if group.enters <= 1 and group.note
        ]
    return said


def _of_basic_game(setup: Setup, first: str | None) -> list[str]:
    bands = setup.catalog.basic_game.deployment
    if bands is None:
        return []
    if first is None and not setup.lots:
        first = setup.sides[0].id
    if first is None:
        one, other = "The side with the higher draw sets up first", "then the other side"
    else:
        one = f"{setup.the(first, 'The')} set up first"
        other = f"then {setup.the(setup.enemy_of(first).id)}"
    pillboxes = _pillboxes(setup, first)
    return [
        f"{one}: within {inches(bands.first)} of the chosen edge"
        + (f", pillboxes up to {inches(bands.first_pillboxes)}." if pillboxes else "."),
        f"{other[0].upper()}{other[1:]}: within {inches(bands.second)} of the edge opposite.",
    ]


def _pillboxes(setup: Setup, side: str | None) -> bool:
    """Whether the side, or any, has pillboxes to place."""
    return any(
        "pillbox" in setup.unit(piece.unit).tags
        for piece in setup.pieces
        if side in (None, piece.side)
    )
