"""Options that the commands of Beach Head share."""

from __future__ import annotations

from typing import Annotated

import typer

from skirmish.cli.rulings import named_rulings, rulings_option
from skirmish.games.beach_head.game import BeachHeadGame
from skirmish.games.beach_head.ruleset import Setup, Variant
from skirmish.registry import BEACH, load
from skirmish.tabletop.chance import Source

Rulings = Annotated[
    list[str] | None,
    rulings_option("--readings", help="A preset or B7=tank; see `beach-head rulings`."),
]
Beach = Annotated[
    Variant | None,
    typer.Option("--variant", case_sensitive=False, help="The beach; Normandy by default."),
]
Seed = Annotated[int, typer.Option(min=0, metavar="S", help="Same seed, same games.")]


def new_setup(
    rulings: list[str] | None,
    variant: Variant | None,
    *,
    dice: int | None = None,
    cards: Source | None = None,
) -> Setup:
    """A set-up of today's numbers; ``dice``: the program's seed, None for the player's own dice."""
    game = load(BEACH.id)
    assert isinstance(game, BeachHeadGame)
    answers, beach = named_rulings(rulings or [], game.book), variant or "normandy"
    return game.setup(answers, variant=beach, dice=Source("die", dice), cards=cards)
