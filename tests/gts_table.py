"""Games of the Grand Tactical Series for tests: typed line by line, or played by anybody."""

from __future__ import annotations

from random import Random
from typing import Any

import anyone
from msgspec.structs import replace

from skirmish.registry import load
from skirmish.tabletop.commands import Draft, read
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_orders import TakeCounters

GAME: Any = load("gts")


def begun(seed: int = 1, **answers: Any) -> Any:
    return GAME.codec.play([GAME.opening(answers, lambda: seed)])


def give(play: Any, *lines: str) -> str:
    """Lines as they are typed for one order; its journal text."""
    prompt = GAME.prompt(play.state)
    draft = None if prompt is None else Draft(command=prompt)
    for line in lines:
        draft = read(draft, GAME.commands(play.state), line)
    assert draft is not None
    assert draft.complete, (lines, draft.shown_question)
    before, entry = play.state, play.consider(draft.order(lambda: 1))
    play.accept(entry)
    return " ".join(GAME.narrated(before, entry.events))


def unit(play: Any, name: str) -> Counter:
    return next(one for one in play.state.counters if one.name == name)


def changed(play: Any, name: str, **facts: Any) -> None:
    """A unit with other facts on its counter."""
    one = replace(unit(play, name), **facts)
    play.accept(play.consider(TakeCounters(counters=(one,))))


def mark(play: Any, name: str, *markers: str) -> None:
    changed(play, name, flags=tuple(sorted({*unit(play, name).flags, *markers})))


def entered(**answers: Any) -> Any:
    """Two divisions with their chits and two units each, the owner's own rolls."""
    play = begun(**{"chance": "own", "tables": "community", **answers})
    whole = play.state.setup.scope == "whole"
    if whole:
        _chits(play)
    for side, group, name, place in (
        ("Allied", "505", "A/505", "J7"),
        ("Allied", "505", "B/505", "J7"),
        ("German", "Becker", "1/Becker", "J9"),
        ("German", "Becker", "2/Becker", "J9"),
    ):
        give(play, "c", side, *[group] * whole, name, "2", place)
    return play


def _chits(play: Any) -> None:
    give(play, "D", "Allied", "82nd", "4", "5", "6", "3")
    give(play, "D", "German", "406", "2", "3", "2", "1")
    for name, of in (("505", "82nd"), ("508", "82nd"), ("Becker", "406")):
        give(play, "C", "formation", of, name, "1")
    give(play, "C", "direct", "Allied", "")
    give(play, "C", "direct", "German", "")
    give(play, "C", "events", "")


WEIGHTS = {"space": 8, "f": 8, "o": 4, "i": 5, "s": 3, "d": 3, "t": 3, "c": 3, "D": 1, "C": 2,
           "a": 5, "e": 3, "r": 4, "w": 2, "y": 6, "n": 6}  # fmt: skip


def some_order(rnd: Random, state: Any) -> Any:
    few = {"D": 9, "C": 9, "c": 9} if len(state.counters) < 8 or len(state.chits) < 6 else {}
    return anyone.some_order(rnd, GAME, state, {**WEIGHTS, **few})


def played(rnd: Random, most: int, **answers: Any) -> Any:
    answers = {
        "scope": rnd.choice(("whole", "whole", "mug", "fire")),
        "tables": rnd.choice(("blank", "community")),
        "chance": rnd.choice(("program", "own")),
        "turns": rnd.choice((0, 2)),
        "rulings": "own",
        "G1": rnd.choice(("equal", "literal")),
        "G26": rnd.choice(("no", "yes")),
        **answers,
    }
    play = begun(rnd.randrange(10**6), **answers)
    while not play.state.ended and len(play.entries) < most:
        play.accept(play.consider(some_order(rnd, play.state)))
    return play
