"""Evenings of Omaha for tests: set up by hand, or played by somebody who does anything he may."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import anyone
from msgspec.structs import replace

from skirmish.games.omaha.state import OmahaState
from skirmish.registry import load
from skirmish.tabletop.commands import Draft, read
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_orders import TakeCounters

GAME: Any = load("omaha")


def begun(seed: int = 1, **answers: Any) -> Any:
    return GAME.codec.play([GAME.opening(answers, lambda: seed)])


def give(play: Any, *lines: str) -> str:
    """Lines as they are typed for one order; what came of it, as the journal says it."""
    prompt = GAME.prompt(play.state)
    draft = None if prompt is None else Draft(command=prompt)
    for line in lines:
        draft = read(draft, GAME.commands(play.state), line)
    assert draft is not None
    assert draft.complete, (lines, draft.shown_question)
    return order(play, draft.order(lambda: 1))


def order(play: Any, given: Any) -> str:
    before, entry = play.state, play.consider(given)
    play.accept(entry)
    return " ".join(GAME.narrated(before, entry.events))


def unit(play: Any, name: str) -> Counter:
    return next(one for one in play.state.counters if one.name == name)


def some_order(rnd: Random, state: OmahaState) -> Any:
    """An order that the game takes; most of the time the turn goes on."""
    begins = state.phase_id == "setup"
    weights = {"space": 5, "f": 8, "a": 8, "g": 8, "e": 3, "m": 4, "c": 22 if begins else 2}
    return anyone.some_order(rnd, GAME, state, weights)


def played(rnd: Random, most: int = 10_000, **answers: Any) -> Any:
    """A game up to its end, or for ``most`` orders."""
    fixed = dict(setups(rnd)) | answers
    play = begun(rnd.randrange(10**6), **fixed)
    while not play.state.ended and len(play.entries) < most:
        play.accept(play.consider(some_order(rnd, play.state)))
    return play


def setups(rnd: Random) -> Iterator[tuple[str, Any]]:
    """Any set-up."""
    yield "scenario", rnd.choice(("beach", "vierville"))
    yield "players", rnd.choice(("solitaire", "two"))
    yield "chance", rnd.choice(("die", "cards", "own"))
    yield "turns", rnd.randint(3, 10)
    yield "first", rnd.choice(("us", "german"))
    for id, ruling in GAME.book.rulings.items():
        yield id, rnd.choice(list(ruling.answers))


def table(*lines: tuple[str, ...], solitaire: bool = False, **answers: Any) -> Any:
    """The owner's own dice; two Germans in J7, a gun in K1, three of B/116, tanks, a Ranger; it is
    turn 2, and the Americans fire. Every unit's ratings are typed: HE 6, AP 4, CA 5, range 4."""
    players = "solitaire" if solitaire else "two"
    play = begun(chance="own", players=players, **answers)
    for key, names, place in (
        ("a", "1/352, 2/352", "J7"), ("b", "88", "K1"), ("d", "1/B, 2/B", ""), ("d", "3/B", "L8"),
        ("h", "1/A", "L9"), ("f", "Ranger", "J8"), ("g", "Team", "L8"),
    ):  # fmt: skip
        give(play, f"c {key}", names, place)
    printed = {"he": 6, "ap": 4, "ca": 5, "armor": 3, "range": 4}
    both = printed | {f"{name}_reduced": value for name, value in printed.items()}
    known = [replace(one, ratings=both, place="K7" if one.name in ("1/B", "2/B") else one.place)
             for one in play.state.counters]  # fmt: skip
    order(play, TakeCounters(counters=tuple(known)))
    phase(play, "us_fire", turn=2)
    for line in lines:
        give(play, *line)
    return play


def phase(play: Any, id: str, turn: int = 0) -> None:
    """On to that phase, and nothing happens until then."""
    while play.state.phase_id != id or play.state.position.turn < turn:
        if play.state.phase_id == "card":
            give(play, "space a")
        else:
            disrupted = play.state.units(play.state.side, flag="disrupted")
            recovers = play.state.phase_id.endswith("recovery")
            if any(one.key == "e" for one in GAME.commands(play.state)):
                give(play, "e space")  # Germans that have not fired
            else:
                give(play, f"space {'6' * len(disrupted)}" if disrupted and recovers else "space")
