"""Battles for the tests of the command line: played in memory, then kept as the app would."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

from at_the_desk import ROOT

from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.progress import headline
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source

sys.path.append(str(ROOT / "tests" / "games" / "plastic" / "battle"))
import stage

DECKS = (Source("deck", seed=8), Source("deck", seed=9))
Table = stage.Table


def scenario(number: int = 1, orders: int = 0) -> Any:
    """A scenario, with so many random orders given."""
    return stage.play_on(stage.scenario(number, sources=DECKS), Random(number), orders)


def wild(number: int = 1) -> Any:
    """A battle with an undo, a void and a "back" in it, and one order that was taken back."""
    battle = scenario(number, 30)
    line = lines(battle.play)[2]
    battle.play.accept(battle.play.possible("void", *line.entry_numbers))
    stage.play_on(battle, Random(5), 20)
    battle.play.accept(battle.play.possible("back", battle.play.acts[-6].number))
    stage.play_on(battle, Random(6), 10)
    battle.undo()
    return battle


def keep(battle: Any) -> int:
    """Write the battle entry by entry; its number."""
    entries = battle.play.entries
    played = record.codec.play(entries[:1])
    with Store.open() as store:
        kept = store.add_battle(
            GAME,
            battle.state.setup.title,
            headline(played.state),
            [record.codec.written(entries[0])],
        )
        for entry in entries[1:]:
            record.codec.follow(played, entry)
            store.append(
                kept.id,
                record.codec.written(entry),
                headline=headline(played.state),
                over=played.state.outcome is not None,
            )
    return kept.id
