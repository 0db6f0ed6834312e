"""Lines of a journal made void, as the tests of it need them."""

from __future__ import annotations

from stage import Table, armies

from skirmish.games.plastic.battle.events import DrawMade, LevelSet, Spent
from skirmish.games.plastic.battle.lines import BattleLine, lines
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.voiding import judgments_of, why_not_void
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
    table.play.accept(table.play.possible("void", *void_numbers(table.play, found)))


def void_numbers(play: BattlePlay, found: BattleLine) -> list[int]:
    """The entries that go with a line: its own, and those that judged it again."""
    lines_void = (found, *judgments_of(play, found))
    return [number for one in lines_void for number in one.entry_numbers]


def own_draws(play: BattlePlay) -> dict[str, int]:
    """The cards that players have drawn from their own decks since the last shuffle, counted in
    the lines that stand."""
    found: dict[str, int] = {}
    for name, source in play.state.sources.items():
        if not source.typed or source.kind == "die":
            continue
        found[name] = 0
        for entry in play.live:
            for event in entry.events:
                if isinstance(event, LevelSet) and play.state.source_of(event.side) == name:
                    found[name] = 0  # a deck of another level
                elif isinstance(event, DrawMade | Spent) and event.source == name:
                    times = event.times if isinstance(event, Spent) else 1
                    found[name] += times * (event.shuffle == source.shuffles)
    return found


def programs_cards(state: State) -> dict[str, Source]:
    """The decks and dice of the program, as they are now."""
    return {name: source for name, source in state.sources.items() if not source.typed}


def decks_are_right(play: BattlePlay) -> None:
    """A player's own deck holds what the lines that stand have left in it."""
    sources = play.state.sources
    assert {name: len(sources[name].gone) for name in own_draws(play)} == own_draws(play)


def gone(table: Table) -> list[str]:
    return [str(draw) for draw in table.state.sources["second"].gone]


def three_shots() -> Table:
    table = armies(MEN, {"rifle": 9, "machinegun": 3})
    for draw in ("5H", "4H", "3H"):
        table.fire("rifle", "rifle", draw, close=True)
    return table
