"""Lines of a journal made void, as the tests of it need them."""

from __future__ import annotations

from stage import Table, armies

from skirmish.games.plastic.battle.lines import (
    BattleLine,
    lines,
    why_not_void,
)
from skirmish.tabletop.chance import Source

MEN = {"rifle": 30, "mortar": 4, "truck": 2}


SEEDED = (Source("deck", seed=31), Source("deck", seed=32))


RIFLE, TRUCK = "first/first/rifle", "first/first/truck"


def line(table: Table, up: int) -> BattleLine:
    """The line so many up from the last, which is 1."""
    return lines(table.play)[-up]


def void(table: Table, up: int) -> None:
    found = line(table, up)
    assert why_not_void(table.play, found) is None
    table.play.accept(table.play.possible("void", *found.numbers))


def gone(table: Table) -> list[str]:
    return [str(draw) for draw in table.state.sources["second"].gone]


def three_shots() -> Table:
    table = armies(MEN, {"rifle": 9, "machinegun": 3})
    for draw in ("5H", "4H", "3H"):
        table.fire("rifle", "rifle", draw, close=True)
    return table
