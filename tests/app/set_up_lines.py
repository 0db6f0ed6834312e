"""The lines of a set-up screen, with no app around them."""

from __future__ import annotations

from skirmish import library
from skirmish.app.setup.lines import Pick
from skirmish.app.setup.screen import SetupScreen
from skirmish.games.plastic.battle.setup import Setup


def choose(screen: SetupScreen, **values: str) -> None:
    """Choose by line; ``__`` in a name stands for a colon."""
    for name, value in values.items():
        pick = line(screen, name.replace("__", ":"))
        assert isinstance(pick, Pick)
        pick.choose(value)
    screen.look_again()


def line(screen: SetupScreen, name: str) -> object:
    return next(one for one in screen.lines if one.id == name)


def asked(screen: SetupScreen) -> set[str]:
    """The rulings that the screen lists."""
    return {one.id for one in screen.lines if one.id in library.rulings().rulings}


def begun(screen: SetupScreen) -> Setup:
    seeds = iter(range(1, 99))
    return screen.setup(lambda: next(seeds))


def units(setup: Setup, side: str) -> list[str]:
    return [piece.unit for piece in setup.pieces if piece.side == side]
