"""Fills a database as years of playing would: battles really fought, armies of every nation.

Everything goes through the real store and the real rules. A few battles are played; their journals
are then kept many times over under other titles, since only their number and size matter here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from long_battle import some_order

from skirmish import library
from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.progress import headline
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay, codec, opening
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.rules.army import ArmyList
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source

LAST_TITLE = "The battle played last"
"""The title at the top of the resume list; its battle is the largest and has the long journal."""

LARGEST = 10
"""Dog Beach: the scenario with the most pieces."""
LONG, USUAL = 250, 30
"""Entries in the journal of the battle played last, and of the others."""
UNDO = 0.05
"""The share of orders that are an undo."""


class FoughtEntry(NamedTuple):
    """An entry of a journal, with what the list of battles shows after it."""

    entry: BattleEntry
    headline: str
    over: bool


def fill(path: Path, battles: int, armies: int, longest: int = LONG) -> int:
    """A database at ``path`` with so many battles and armies, the journal of the battle played last
    with at most ``longest`` entries; returns how many entries there are in all journals."""
    written_down = 0
    chance = random.Random(6)
    numbers = [*library.scenarios()][: battles - 1]
    played = [_played(number, USUAL, chance) for number in numbers]
    with Store.open(str(path)) as store:
        for number in range(armies):
            army = _army(number, chance)
            store.add_army(GAME, army.name, as_body(army))
        for number in range(battles - 1):
            title = f"Club night {number + 1}"
            written_down += _keep(store, title, played[number % len(played)])
        written_down += _keep(store, LAST_TITLE, _played(LARGEST, longest, chance))
    return written_down


def _keep(store: Store, title: str, battle: Sequence[FoughtEntry]) -> int:
    """Write a battle entry by entry; returns how many these are."""
    first, *rest = battle
    record = store.add_battle(GAME, title, first.headline, [codec.written(first.entry)])
    for fought in rest:
        written = codec.written(fought.entry)
        store.append(record.id, written, headline=fought.headline, over=fought.over)
    return len(battle)


def _played(number: int, length: int, chance: random.Random) -> list[FoughtEntry]:
    """A scenario fought by two players who fire at random and sometimes take a shot back."""
    scenario = library.scenarios()[number]
    setup = from_scenario(
        scenario,
        library.catalog(),
        library.rulings(),
        sources={side.id: Source(seed=chance.getrandbits(48)) for side in scenario.sides},
    )
    first = opening(setup)
    battle = codec.play([first])
    fought = [FoughtEntry(first, headline(battle.state), over=False)]
    while len(fought) < length and battle.state.outcome is None:
        entry = _next(battle, chance)
        battle.accept(entry)
        is_over = battle.state.outcome is not None
        fought.append(FoughtEntry(entry, headline(battle.state), is_over))
    return fought


def _next(battle: BattlePlay, chance: random.Random) -> BattleEntry:
    state = battle.state
    # After the last turn an undo goes on with the battle: the journal still has room.
    is_decided = isinstance(state.ask, OutcomeAsk)
    if is_decided or (len(battle.live) > 2 and chance.random() < UNDO):
        return battle.possible("undo")
    return battle.consider(some_order(state, chance))


def _army(number: int, chance: random.Random) -> ArmyList:
    nation = chance.choice(list(library.catalog().nations))
    return ArmyList(
        name=f"Kampfgruppe {number + 1}",
        points=chance.choice((100, 200, 300)),
        nation=nation,
        units={"rifle": chance.randint(20, 60), "machinegun": 4, "tank": 2, "mortar": 3},
    )
