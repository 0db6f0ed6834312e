"""What the commands of Beach Head have in common: which rulings and which beach, and who plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar

import typer

from skirmish.cli.console import CommandError
from skirmish.cli.rulings import named_rulings, rulings_option
from skirmish.games.beach_head.game import BeachHeadGame
from skirmish.games.beach_head.ruleset import Setup, Variant
from skirmish.registry import BEACH, load
from skirmish.tabletop.chance import Source
from skirmish.tabletop.page_text import clipped
from skirmish.tabletop.reading import suggest

T = TypeVar("T")
Rulings = Annotated[
    list[str] | None,
    rulings_option("--readings", help="A preset or B7=tank; see `beach-head rulings`."),
]
Beach = Annotated[
    Variant | None,
    typer.Option("--variant", case_sensitive=False, help="The beach; Normandy by default."),
]
Seed = Annotated[int, typer.Option(metavar="S", help="The same seed, the same games.")]


def check(name: str, value: int, least: int, most: int | None = None) -> None:
    if value < least or (most is not None and value > most):
        upto = "on" if most is None else f"to {most:,}"
        raise CommandError(f"--{name}: a number from {least} {upto}, not {value}.")


def policy_named(name: str, policies: Mapping[str, T]) -> T:
    if name.lower() not in policies:
        hint = suggest(name, policies)
        raise CommandError(f"--policy: there is no “{clipped(name, 40)}”; {hint}")
    return policies[name.lower()]


def new_setup(
    rulings: list[str] | None,
    variant: Variant | None,
    *,
    dice: int | None = None,
    cards: Source | None = None,
) -> Setup:
    """A game by today's numbers; ``dice``: the seed of the program's, None: the player's own."""
    game = load(BEACH.id)
    assert isinstance(game, BeachHeadGame)
    answers, beach = named_rulings(rulings or [], game.book), variant or "normandy"
    return game.setup(answers, variant=beach, dice=Source("die", dice), cards=cards)
