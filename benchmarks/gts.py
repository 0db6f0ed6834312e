"""How long the Grand Tactical Series takes from a key to its answer: a new game of two divisions
beside one of 600 units, 60 chits and a day of 12 turns in the journal.

    python benchmarks/gts.py                (or: make bench)

The app's own screen at 120 by 40 in this process, with its store on the disk; the terminal is left
out. The target is 40 ms in the large game. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from skirmish.app.application import SkirmishApp
from skirmish.app.play.screen import PlayScreen
from skirmish.games.gts.fire import Shoot
from skirmish.games.gts.orders import Act, BuyChit, DrawChit, FillMug, Proceed, Record, TypeResult
from skirmish.games.gts.ruleset import Chit, Division
from skirmish.games.gts.state import ChitSet, DivisionSet
from skirmish.registry import load
from skirmish.store.database import Store
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_game import TakeCounters
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import keyed

TARGET = 40
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
                if not give(Shoot(firer=one.id, target=foe.id, range=2)):
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


async def keys(play: Any, shots: int) -> dict[str, list[float]]:
    """Seconds of each key, by what it does."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="skirmish-bench-") as name:
        keep(play, Path(name))
        app = SkirmishApp(str(Path(name) / "x.db"), Path(name), liked=Path(name) / "s.toml")
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause(1)  # until home lists the game
            start = time.perf_counter()
            await pilot.press("enter")
            while not isinstance(app.screen, PlayScreen):
                await pilot.pause(0.01)
            await pilot.pause()
            found["open the game"] = [time.perf_counter() - start]
            screen = app.screen

            async def timed(what: str, key: str) -> None:
                start = time.perf_counter()
                await screen.press(key)
                await pilot.pause()
                found.setdefault(what, []).append(time.perf_counter() - start)

            for _ in range(shots):
                await timed("a key without effect", "f12")
                await timed("f: who fires?", "f")
                for what in ("the firer", "the target"):
                    options = screen.draft.slot.options
                    *first, last = next(k for k, one in keyed(options) if not one.why_not)
                    for key in first:
                        await screen.press(key)
                    await timed(what, last)
                await timed("the range", "2")
                await timed("Space: the shot", "space")
                await timed("undo", "backspace")
    return found


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
    base, found = (asyncio.run(keys(play, shots)) for play in (small, large))
    print(f"\nFrom the key to the answer; the target in the large game is {TARGET} ms")
    for what, times in found.items():
        middle = median(times)
        most = quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else middle
        print(
            f"  {what:<20} new {median(base[what]) * 1000:6.1f} ms   large {middle * 1000:6.1f} ms"
            f"   95 % {most * 1000:6.1f} ms   {middle / median(base[what]):5.2f} x", flush=True
        )  # fmt: skip


if __name__ == "__main__":
    main()
