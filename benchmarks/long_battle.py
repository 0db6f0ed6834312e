"""A very long battle in the database: players fire at random, and never let it end."""

from __future__ import annotations

import random
from pathlib import Path

from msgspec.structs import replace

from skirmish import library
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.agenda import (
    CasualtyAsk,
    ChoiceAsk,
    InsideAsk,
    OutcomeAsk,
    PieceAsk,
    RepeatAsk,
)
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.orders import (
    Again,
    AnyOrder,
    ChooseCasualties,
    ChooseModel,
    ChooseResult,
    Correct,
    EndPhase,
    Fire,
    Hold,
    NameRiders,
    why_not,
)
from skirmish.games.plastic.battle.progress import headline
from skirmish.games.plastic.battle.record import BattleEntry, BattlePlay, codec, opening
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source

TITLE = "The long battle"
UNITS = {"rifle": 120, "machinegun": 8, "mortar": 6, "grenade": 8, "cannon": 6}
COVER = 0.9
"""The share of shots at men in cover: so many that the battle lasts."""
UNDO = 0.05
"""The share of orders that are an undo."""
MISCOUNTED = 5
"""As soon as a row has lost so many they stand again, as if they had been miscounted."""
TAKEN_BACK = 40
"""Orders that are taken back when nothing is left to fight, to go on from there."""
PASSES = 0.01
"""The share of phases that end though somebody could fire."""
_TRIES = 12
"""Pairs of a shooter and a target that are tried before the phase ends."""


def fight(entries: int, seed: int = 7) -> BattlePlay:
    """Two armies, fought on until the journal has so many entries and no question is open."""
    chance = random.Random(seed)
    catalog, book = library.catalog(), library.rulings()
    army = muster(ArmyList(name="The whole club", points=1000, units=UNITS), catalog, book)
    first_deck = Source(seed=chance.getrandbits(48))
    second_deck = Source(seed=chance.getrandbits(48))
    setup = from_armies(army, army, book, sources=(first_deck, second_deck))
    battle = codec.play([opening(setup)])
    while len(battle.entries) < entries or battle.state.ask is not None:
        battle.accept(_next(battle, chance))
    return battle


def keep(database: Path, battle: BattlePlay) -> int:
    """Write the battle's whole journal; returns its number."""
    played_at = "2026-05-01T18:30:00.000000+00:00"
    records = [replace(codec.written(entry), at=played_at) for entry in battle.entries]
    with Store.open(str(database)) as store:
        record = store.add_battle(
            GAME, TITLE, headline(battle.state), records, over=False, started=played_at
        )
        return record.id


def _next(battle: BattlePlay, chance: random.Random) -> BattleEntry:
    state = battle.state
    if state.outcome is not None or isinstance(state.ask, OutcomeAsk):
        back_to = battle.acts[max(0, len(battle.acts) - TAKEN_BACK)]
        return battle.possible("back", back_to.number)
    if len(battle.acts) > 2 and chance.random() < UNDO:
        return battle.possible("undo")
    return battle.consider(some_order(state, chance))


def some_order(state: State, chance: random.Random) -> AnyOrder:
    """What somebody who fires at random does next; no end of the battle is asked for."""
    match state.ask:
        case CasualtyAsk():
            return ChooseCasualties()
        case PieceAsk(pieces=pieces):
            return ChooseModel(chance.choice(pieces))
        case InsideAsk():
            return NameRiders()
        case ChoiceAsk(options=options):
            return ChooseResult(chance.randrange(len(options)))
        case RepeatAsk():
            if chance.random() < 0.7 and why_not(state, Again()) is None:
                return Again()
            return Hold()
        case None:
            return _correction(state) or _shot(state, chance) or EndPhase()
    raise AssertionError(f"nobody answers {state.ask}")


def _correction(state: State) -> Correct | None:
    """Lets some of a row stand again; None where no row has lost so many."""
    for side in state.setup.sides:
        for row in rows(state, side.id):
            if row.total - len(row.alive) >= MISCOUNTED:
                return Correct(row=row.key, by=MISCOUNTED)
    return None


def _shot(state: State, chance: random.Random) -> Fire | None:
    """Some shot that the rules allow; None where none was found, and now and then anyway."""
    firing_side = state.firing_side
    own = [row for row in rows(state, firing_side) if row.ready_count]
    enemy_rows = rows(state, state.setup.enemy_of(firing_side).id)
    enemies = [row for row in enemy_rows if row.alive and row.here]
    if not own or not enemies or chance.random() < PASSES:
        return None
    for _ in range(_TRIES):
        shooter, target = chance.choice(own), chance.choice(enemies)
        shot = Fire(shooter=shooter.key, target=target.key, cover=chance.random() < COVER)
        if why_not(state, shot) is None:
            return shot
    return None
