"""How long the Grand Tactical Series takes from a key to its answer: a new game of two divisions
beside one of 600 units, 60 chits and a day of 12 turns in the journal.

    python benchmarks/gts.py                (or: make bench)

The real program in a terminal of 120 by 40, watched from outside, its store on the disk: from the
byte of a key until its answer can be read. The same for the smallest app stands beside it. The
target is 40 ms in the large game. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

import bare
from figures import Times
from onlooker import Onlooker

from skirmish.games.gts.actions import Act
from skirmish.games.gts.activation import why_not_act
from skirmish.games.gts.combat import ShotFacts
from skirmish.games.gts.events import ChitSet, DivisionSet
from skirmish.games.gts.fire import Shoot
from skirmish.games.gts.fire_results import TypeResult
from skirmish.games.gts.orders import BuyChit, DrawChit, FillMug, GtsOrder, GtsRecord, Proceed
from skirmish.games.gts.ruleset import Chit, Division
from skirmish.registry import load
from skirmish.store.database import Store
from skirmish.tabletop.commands import Draft, begin_with_key
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_orders import TakeCounters
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Option, keyed

TARGET = 40
"""Milliseconds."""
ORM_LOADED = 3.0
"""Seconds after home is shown until the ORM is loaded, too, behind the first paint."""
GAME: Any = load("gts")
"""Any: by its id every game is loaded, whatever its state and orders are."""


class GameSize(NamedTuple):
    """How large a game is when its keys are timed."""

    units: int
    chits: int
    turns: int
    """That are over."""


SMALL = GameSize(units=8, chits=8, turns=0)
UNITS_A_CHIT = 10
CHITS_A_DIVISION = 6
FIRERS_A_CHIT = 8
"""Units that act, at most, each time a chit is drawn."""


def orders(size: GameSize) -> Iterator[GtsOrder | TakeCounters]:
    """Divisions, formations and their units, all with the ratings that a shot needs."""
    divisions = []
    for number in range(max(size.chits // CHITS_A_DIVISION, 2)):
        side = ("allied", "german")[number % 2]
        points = {"command": 4, "dispatch": 5, "cp": 19, "dp": 19}
        divisions.append(Division(name=f"Division {number}", side=side, **points))
    yield GtsRecord(facts=tuple(DivisionSet(division=division) for division in divisions))
    formations = []
    for number in range(size.chits - len(divisions)):
        division = divisions[number % len(divisions)]
        formations.append(
            Chit(
                name=f"Formation {number}",
                kind="formation",
                side=division.side,
                group=f"Formation {number}",
                division=division.name,
            )
        )
    yield GtsRecord(facts=tuple(ChitSet(chit=formation) for formation in formations))
    counters = []
    for number in range(size.units):
        formation = formations[number % len(formations)]
        counters.append(
            Counter(
                id=f"U{number}",
                name=f"{number}/{number % len(formations)}",
                side=formation.side,
                kind="pink",
                steps=2,
                group=formation.group,
                place=f"H{number // 3}",  # three units in a hex
                ratings={"tq": 6, "fire": 5, "assault": 4, "defense": -1, "range": 3},
            )
        )
    yield TakeCounters(counters=tuple(counters))


class Players:
    """Both sides of a game, who do whatever is allowed."""

    def __init__(self, size: GameSize) -> None:
        self.chance = Random(1)
        self.play: Any = GAME.codec.play([GAME.opening({"tables": "community"}, lambda: 1)])
        for order in orders(size):
            self.give(order)

    def give(self, order: object) -> bool:
        """Give an order; returns whether the game carried it out."""
        try:
            self.play.accept(self.play.consider(order))
        except Refused:
            return False
        return True

    def fill_mug(self) -> None:
        """Buy the chit of each formation, and proceed until all chits are in the mug."""
        while self.play.state.phase_id != "mug":
            if self.play.state.phase_id == "points":
                for name, chit in self.play.state.chits.items():
                    if chit.kind == "formation":
                        self.give(BuyChit(chit=name))
            self.give(Proceed())
        self.give(FillMug(chits=self.play.state.open_chits()))

    def turn(self) -> None:
        """Draw all chits; some units of each fire, or else move."""
        self.fill_mug()
        while self.play.state.phase_id == "activations":
            self.give(DrawChit())
            state = self.play.state
            # Whoever may pass may do anything else, too.
            able = [unit for unit in state.units() if not why_not_act(state, unit, "pass")]
            for unit in able[:FIRERS_A_CHIT]:
                self._act(unit)

    def _act(self, unit: Counter) -> None:
        """Fire at some enemy, or else move, and answer what is asked until nothing is left."""
        units = self.play.state.units()
        enemies = [enemy for enemy in units if enemy.side != unit.side]
        target = self.chance.choice(enemies)
        shot = ShotFacts(mode="direct", color="", rating=0, range=2)
        if not self.give(Shoot(firer=unit.id, target=target.id, facts=shot)):
            self.give(Act(unit=unit.id, action="move"))
        while self.play.state.agenda:
            prompt = GAME.prompt(self.play.state)
            answers = {}
            if self.play.state.agenda[0].kind == "suppress":
                answers = {"takes": False}  # no check: the unit is suppressed
            if not self.give(prompt.make(**answers)):
                self.give(TypeResult(cell="miss"))

    def draw_formation(self) -> None:
        """Draw chits until the units of a formation may act."""
        while not self._formation_may_act():
            self.give(DrawChit())

    def _formation_may_act(self) -> bool:
        state = self.play.state
        chit = state.chits.get(state.chit)  # None before the first is drawn
        return chit is not None and chit.kind == "formation"


def played(size: GameSize) -> Any:
    """A game of that size, played on until the units of a formation may act."""
    players = Players(size)
    for _ in range(size.turns):
        players.turn()
    players.fill_mug()
    players.draw_formation()
    return players.play


def keep(play: Any, folder: Path) -> None:
    """Write the whole journal into a new database in the folder."""
    with Store.open(str(folder / "x.db")) as store:
        head, *rest = play.entries
        record = store.add_battle("gts", "Grand Tactical Series", "", [GAME.codec.written(head)])
        for entry in rest:
            store.append(record.id, GAME.codec.written(entry), headline="", over=False)


def options(draft: Draft[Any]) -> Iterable[tuple[str, Option]]:
    """The options of the question that is open, with their keys."""
    assert isinstance(draft.slot, Choose)
    return keyed(draft.slot.options)


class Table:
    """A game open in the program, whose keys are timed until their answer is on the screen."""

    def __init__(self, onlooker: Onlooker, play: Any) -> None:
        self._onlooker = onlooker
        self.seconds: dict[str, list[float]] = {}
        """Of each key, by what it does."""
        draft = begin_with_key(GAME.commands(play.state), "f")
        possible = [keys for keys, option in options(draft) if not option.why_not]
        self._firer = possible[0]
        for key in self._firer:
            draft = draft.press(key)
        self._target = next(keys for keys, _ in options(draft) if keys.isalpha())

    def time_turn(self) -> None:
        """A shot and a check, each taken back."""
        self._key("f: who fires?", "f", "Who fires?")
        self._letters("the firer", self._firer, "At which unit?")
        self._letters("the target", self._target, "How many hexes away?")
        self._key("the range: the chances", "2", "Chances:")
        self._key("Enter: what can change", "\r", "Space rolls")
        self._key("Space: the shot", " ")
        self._key("Ctrl+Z: undo", "\x1a")
        self._key("t: who checks?", "t", "Which unit?")
        self._letters("the unit: its chance", self._firer, "The program rolls")
        self._key("Enter: the check", "\r")
        self._key("Ctrl+Z: undo", "\x1a")

    def _letters(self, name: str, keys: str, answer: str) -> None:
        """The letters of a unit: of two letters the first only waits for the second."""
        for key in keys[:-1]:
            self._key(f"{name}: first letter", key, f"{key}_")
        self._key(name, keys[-1], answer)

    def _key(self, name: str, key: str, answer: str = "") -> None:
        """Press a key and time it until the screen has changed and has these words."""
        before = self._onlooker.lines()

        def answered(lines: list[str]) -> bool:
            return lines != before and shows(answer, lines)

        took = self._onlooker.took(key, answered, quiet=0.1)
        self.seconds.setdefault(name, []).append(took)


def timed(play: Any, turns: int, warm: int) -> dict[str, list[float]]:
    """Seconds of each key, by what it does, in so many turns after ``warm`` others that only fill
    caches."""
    with tempfile.TemporaryDirectory(prefix="skirmish-bench-") as name:
        keep(play, Path(name))
        with Onlooker(Path(name) / "x.db") as onlooker:
            onlooker.until_says("Grand Tactical Series")
            onlooker.rest(ORM_LOADED)
            onlooker.press("\r")
            onlooker.until_says("Direct fire")
            onlooker.rest(1)
            table = Table(onlooker, play)
            for _ in range(warm + turns):
                table.time_turn()
            return {name: seconds[warm:] for name, seconds in table.seconds.items()}


def shows(words: str, lines: list[str]) -> bool:
    """Whether a line of the screen has these words."""
    return any(words in line for line in lines)


def bare_keys(count: int) -> list[float]:
    """Seconds of as many keys in the smallest app."""
    with tempfile.TemporaryDirectory(prefix="skirmish-bench-") as name:
        app = [sys.executable, str(Path(__file__).parent / "bare.py")]
        with Onlooker(Path(name) / "x.db", app) as onlooker:
            onlooker.until_says(bare.SHOWN)
            times = []
            for number in range(count):
                key = "abcdefgh"[number % 8]  # never the one before: the answer names the key
                shown = partial(shows, f"{bare.ANSWERED}: {key}")
                times.append(onlooker.took(key, shown))
            return times


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--shots", type=int, default=12, help="of each game (12)")
    parser.add_argument("--warm", type=int, default=1, help="before that do not count (1)")
    parser.add_argument("--units", type=int, default=600, help="of the large game (600)")
    parser.add_argument("--turns", type=int, default=12, help="played of the large game (12)")
    chosen = parser.parse_args()
    shots = chosen.shots
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}."
    )
    small = played(SMALL)
    chits = chosen.units // UNITS_A_CHIT
    large = played(GameSize(chosen.units, chits, chosen.turns))
    for play in (small, large):
        entered = len(play.state.counters.counters)
        print(
            f"{len(play.state.units())} of {entered} units, "
            f"{len(play.state.chits)} chits, {len(play.entries)} entries"
        )
    of_small = timed(small, shots, chosen.warm)
    of_large = timed(large, shots, chosen.warm)
    print(f"\nFrom the key byte to the answer; the target in the large game is {TARGET} ms")
    print(f"  the smallest app: any key    {median(bare_keys(shots)) * 1000:6.1f} ms")
    for name, seconds in of_large.items():
        new = "       –"
        if name in of_small:
            new = f"{Times.of(of_small[name]).middle:6.1f} ms"
        times = Times.of(seconds)
        print(
            f"  {name:<34} new {new}   large {times.middle:6.1f} ms   95 % {times.most:6.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
