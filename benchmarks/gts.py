"""How long the Grand Tactical Series takes from a key to its answer: a new game of two divisions
beside one of 600 units, 60 chits and a day of 12 turns in the journal.

    python benchmarks/gts.py                (or: make bench)

The real program in a terminal of 120 by 40, watched from outside, its store on the disk: from the
byte of a key until its answer can be read, without a test's pilot and its waiting. The same for the
smallest app stands beside it. The target is 40 ms in the large game. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

import bare
from onlooker import Onlooker

from skirmish.games.gts.actions import Act, TypeResult
from skirmish.games.gts.combat import ShotOf
from skirmish.games.gts.fire import Shoot
from skirmish.games.gts.orders import BuyChit, DrawChit, FillMug, Proceed, Record
from skirmish.games.gts.ruleset import Chit, Division
from skirmish.games.gts.state import ChitSet, DivisionSet
from skirmish.registry import load
from skirmish.store.database import Store
from skirmish.tabletop.commands import begun
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_game import TakeCounters
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import keyed

TARGET = 40
ORM_LOADED = 3.0
"""Seconds after home is shown."""
GAME: Any = load("gts")
LARGE, SMALL = (600, 60, 12), (8, 8, 0)


def orders(units: int, chits: int) -> Iterator[Any]:
    """Divisions, formations and their units, all with the ratings that a shot needs."""
    sides = ("allied", "german")
    divisions = [Division(name=f"Division {at}", side=sides[at % 2], command=4, dispatch=5, cp=19,
                          dp=19) for at in range(max(chits // 6, 2))]  # fmt: skip
    yield Record(facts=tuple(DivisionSet(division=one) for one in divisions))
    of = [divisions[at % len(divisions)] for at in range(chits - len(divisions))]
    names = [(f"Formation {at}", one) for at, one in enumerate(of)]
    formations = [
        Chit(name=name, kind="formation", side=one.side, group=name, division=one.name)
        for name, one in names
    ]
    yield Record(facts=tuple(ChitSet(chit=one) for one in formations))
    ratings = {"tq": 6, "fire": 5, "assault": 4, "defense": -1, "range": 3}
    yield TakeCounters(counters=tuple(
        Counter(id=f"U{at}", name=f"{at}/{formations[at % len(formations)].name[10:]}",
                side=formations[at % len(formations)].side, kind="pink", steps=2,
                group=formations[at % len(formations)].group, place=f"H{at // 3}", ratings=ratings)
        for at in range(units)
    ))  # fmt: skip


def played(units: int, chits: int, turns: int) -> Any:
    """A game on the point of drawing a chit, after as many turns with all chits and much fire."""
    rnd, gone = Random(1), Chit(name="", kind="events")
    shot = ShotOf(mode="direct", color="", rating=0, range=2)
    play = GAME.codec.play([GAME.opening({"tables": "community"}, lambda: 1)])

    def give(order: Any) -> bool:
        try:
            play.accept(play.consider(order))
        except Refused:
            return False
        return True

    for order in orders(units, chits):
        give(order)

    def fill() -> None:
        while play.state.now != "mug":
            for name, one in play.state.chits.items() if play.state.now == "points" else ():
                if one.kind == "formation":
                    give(BuyChit(chit=name))
            give(Proceed())
        give(FillMug(chits=play.state.goes_in()))

    for _ in range(turns):
        fill()
        while play.state.now == "activations":
            give(DrawChit())
            own = [one for one in play.state.units() if not play.state.why_not_act(one, "pass")]
            for one in own[:8]:
                foe = rnd.choice([two for two in play.state.units() if two.side != one.side])
                if not give(Shoot(firer=one.id, target=foe.id, facts=shot)):
                    give(Act(unit=one.id, action="move"))
                while play.state.agenda:
                    prompt = GAME.prompt(play.state)
                    answers = {"takes": False} if prompt.label.startswith("S:") else {}
                    if not give(prompt.make(**answers)):
                        give(TypeResult(cell="miss"))
    fill()
    while play.state.chits.get(play.state.chit, gone).kind != "formation":
        give(DrawChit())
    return play


def keep(play: Any, folder: Path) -> None:
    with Store.open(str(folder / "x.db")) as store:
        head, *rest = play.entries
        record = store.add_battle("gts", "Grand Tactical Series", "", [GAME.codec.written(head)])
        for one in rest:
            store.append(record.id, GAME.codec.written(one), headline="", over=False)


class Table:
    """A game open in the program, whose keys are timed until their answer is on the screen."""

    def __init__(self, onlooker: Onlooker, play: Any) -> None:
        self._onlooker = onlooker
        self.found: dict[str, list[float]] = {}
        draft = begun(GAME.commands(play.state), "f")
        self._firer = next(key for key, one in keyed(draft.slot.options) if not one.why_not)
        for key in self._firer:
            draft = draft.press(key)
        self._target = next(key for key, _ in keyed(draft.slot.options) if key.isalpha())

    def turn(self) -> None:
        """A shot and a check, each taken back."""
        self._key("f: who fires?", "f", "Who fires?")
        self._letters("the firer", self._firer, "At which unit?")
        self._letters("the target", self._target, "How many hexes away?")
        self._key("the range: the chances", "2", "Chances:")
        self._key("Enter: what can change", "\r", "Space rolls")
        self._key("Space: the shot", " ")
        self._key("Ctrl+Z: undo", "\x1a")
        self._key("t: who checks?", "t", "Which unit?")
        self._letters("the unit: its chance", self._firer, "Space rolls")
        self._key("Space: the check", " ")
        self._key("Ctrl+Z: undo", "\x1a")

    def _letters(self, what: str, keys: str, word: str) -> None:
        *first, last = keys
        for key in first:
            self._key(f"{what}: first letter", key, f"{key}_")
        self._key(what, last, word)

    def _key(self, what: str, key: str, word: str = "") -> None:
        before = self._onlooker.lines()

        def answered(lines: list[str]) -> bool:
            return lines != before and any(word in line for line in lines)

        self.found.setdefault(what, []).append(self._onlooker.took(key, answered, quiet=0.1))


def timed(play: Any, turns: int) -> dict[str, list[float]]:
    """Seconds of each key, by what it does; the first turn is for warmth."""
    with tempfile.TemporaryDirectory(prefix="skirmish-bench-") as name:
        keep(play, Path(name))
        with Onlooker(Path(name) / "x.db") as onlooker:
            onlooker.until_says("Grand Tactical Series")
            onlooker.rest(ORM_LOADED)
            onlooker.press("\r")
            onlooker.until_says("Direct fire")
            onlooker.rest(1)
            table = Table(onlooker, play)
            for _ in range(turns + 1):
                table.turn()
            return {what: times[1:] for what, times in table.found.items()}


def bare_keys(count: int) -> list[float]:
    with tempfile.TemporaryDirectory(prefix="skirmish-bench-") as name:
        app = [sys.executable, str(Path(__file__).parent / "bare.py")]
        with Onlooker(Path(name) / "x.db", app) as onlooker:
            onlooker.until_says(bare.SHOWN)
            shown = [f"{bare.ANSWERED}: {key}" for key in "abcdefgh"]
            return [
                onlooker.took(text[-1], lambda lines, text=text: any(text in one for one in lines))
                for text in (shown * count)[:count]
            ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--shots", type=int, default=12, help="of each game (12)")
    shots = parser.parse_args().shots
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}."
    )
    small, large = played(*SMALL), played(*LARGE)
    for play in (small, large):
        print(f"{len(play.state.units())} of {len(play.state.counters.counters)} units, "
              f"{len(play.state.chits)} chits, {len(play.entries)} entries")  # fmt: skip
    base, found = (timed(play, shots) for play in (small, large))
    print(f"\nFrom the key byte to the answer; the target in the large game is {TARGET} ms")
    print(f"  the smallest app: any key    {median(bare_keys(shots)) * 1000:6.1f} ms")
    for what, times in found.items():
        middle, most = median(times), quantiles(times, n=20, method="inclusive")[-1]
        new = f"{median(base[what]) * 1000:6.1f} ms" if what in base else "       –"
        print(
            f"  {what:<34} new {new}   large {middle * 1000:6.1f} ms   95 % {most * 1000:6.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
