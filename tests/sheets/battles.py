"""Battles to print: played by the same random players as those of the games' own tests."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from skirmish.tabletop.chance import Source

sys.path.append(str(Path(__file__).parents[1] / "games" / "plastic" / "battle"))
import stage

DECKS = (Source("deck", seed=8), Source("deck", seed=9))
Table = stage.Table


def scenario(number: int, orders: int, **chosen: Any) -> Any:
    """A scenario, with so many random orders given."""
    found = stage.scenario(number, **{"sources": DECKS, **chosen})
    return stage.play_on(found, Random(number), orders)


def armies(orders: int, **chosen: Any) -> Any:
    """Two armies against one another, with so many random orders given."""
    reds = {"rifle": 40, "tank": 3, "halftrack": 2}
    blues = {"rifle": 50, "machinegun": 4, "tiger": 1}
    return stage.play_on(stage.armies(reds, blues, **chosen), Random(3), orders)


def called(*names: str) -> Any:
    """Two small armies with these names, led by a player with the first one."""
    table = stage.armies({"rifle": 4, "tank": 1}, {"rifle": 5})
    setup = table.state.setup
    sides = tuple(
        msgspec.structs.replace(side, name=name, people=name, player=names[0])
        for side, name in zip(setup.sides, names, strict=True)
    )
    title = " against ".join(names)
    return stage.Table(msgspec.structs.replace(setup, sides=sides, title=title))
