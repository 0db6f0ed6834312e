"""What players choose before a battle, of whatever kind it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.setup import Level, Side
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.typed import plain


class WayToDraw(NamedTuple):
    """What a side draws from, and how it uses the program (``Level``)."""

    kind: Literal["deck", "die"]
    level: Level


WAYS_TO_DRAW: Mapping[str, WayToDraw] = {
    "deck": WayToDraw("deck", "referee"),
    "die": WayToDraw("die", "referee"),
    "own_deck": WayToDraw("deck", "clerk"),
    "own_die": WayToDraw("die", "clerk"),
    # A ledger has no draws, so any kind of source will do.
    "ledger": WayToDraw("deck", "ledger"),
}
"""By the answer to the question who draws or rolls, as forms give it and campaigns store it."""


class SetupChoices(msgspec.Struct, frozen=True, kw_only=True):
    """What players chose at set-up."""

    options: Options = Options()
    levels: Mapping[str, Level] = {}
    """How each side uses the program, by side id."""
    players: Mapping[str, str] = {}
    """The names of the players, by side id."""
    quality: Mapping[str, str | None] = {}
    """The force quality, by side id."""
    lists: Mapping[str, Sequence[int]] = {}
    """By contingent id, the index of the option taken in each of its choices."""
    rulings: Mapping[str, str] = {}
    """The answers that were chosen for this battle, by ruling. The others are those with which the
    armies were built, or else those of the book."""
    answers: Mapping[str, Any] = {}
    """The answers to the questions of the scenario, about what its text leaves out; of any type,
    since they are checked only when the battle is opened."""
    hidden: Mapping[int, int] = {}
    """How many pieces are placed in secret, by the index of the happening that allows it."""
    loads: bool = True
    """Whether all who fit in the vehicles of their contingent start aboard."""


def with_choices(side: Side, chosen: SetupChoices) -> Side:
    """The side with the force quality, the player and the level that were chosen for it."""
    # Without a choice the level follows from who draws: where players draw, the program is a clerk.
    usual_level: Level = "referee"
    if side.source.typed:
        usual_level = "clerk"
    return replace(
        side,
        quality=chosen.quality.get(side.id, side.quality),
        # A name is typed, or comes from a file: without signs that could control a terminal.
        player=plain(chosen.players.get(side.id, "")),
        level=chosen.levels.get(side.id, usual_level),
    )
