"""Games of Bloody Omaha for tests, with a printed game that nobody has printed."""

from __future__ import annotations

from random import Random
from typing import Any

import anyone

from skirmish.games.bloody_omaha.orders import BloodyRecord
from skirmish.registry import load
from skirmish.tabletop.commands import Draft, read, read_words
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.typed_facts import CellTyped
from skirmish.tabletop.slots import Words

GAME: Any = load("bloody_omaha")
SQUARES = "S1 S2/D1 S3+ S4+/D3 S5 S6/E1 S7 S8+/E3 S9 S10/F1 S11+ S12 S13+ T20 T27"
ARROWS = "; ".join(f"B{at} {at} {at + 1}" for at in range(1, 10))
UNITS = "; ".join(
    f"{at}/Made up, {group}, {'bn ' * (at % 9 == 0)}{3 + at % 3}/{at % 3}, "
    f"{'R' if at > 22 else f'C{at + 4}'}"
    for at in range(1, 30)
    for group in [("1st", "29th", "rangers")[at % 3]]
)
LINES = {
    "turns": "5",
    "squares": SQUARES,
    "arrows": ARROWS,
    "strongpoints": "0 1 2 3 4 5 6 7 8 9 event mines sniper",
    "encounters": "0 1 2 3 4 5 6 7 event event event event mines mines mines mines mines sniper "
    "sniper sniper sniper stug stug stug stug stug 0 1 2 3 4 5",
    "units": UNITS,
    "tanks": "2/1 3/1 4/2",
    "cards": "; ".join(f"Card {at} | {at % 4 + 1}+ do {at} | 2-3 do it twice" for at in range(18)),
    "columns": "difference -3 0 3",
}  # fmt: skip


def begun(seed: int = 1, game: Any = GAME, **answers: Any) -> Any:
    return game.codec.play([game.opening(answers, lambda: seed)])


def give(play: Any, *lines: str) -> str:
    """Lines as they are typed for one order; its journal text."""
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


def results(rnd: Random) -> dict[str, list[str]]:
    """Made-up results by table."""
    return {
        "drift": ["0", "0", "1", "2"],
        "disruption": ["nothing", "D", "E", "D, I+", "I-, A-", "A+"],
        "engineers": ["success", "failure"],
        "attack": ["failure", "success/disrupted", "success"],
    }


def typed(rnd: Random, play: Any) -> Any:
    """The game with everything typed in."""
    give(play, "e")
    for item, line in LINES.items():
        draft = Draft(command=next(one for one in GAME.commands(play.state) if one.key == "+"))
        order(play, read_words(draft.answered(item), [line]).order(lambda: 1))
    tables = play.state.tables
    for id in tables.titles:
        for roll, column in tables.missing(id):
            cell = rnd.choice(results(rnd).get(id, [f"Something of {id} happens"]))
            order(play, BloodyRecord(cell=CellTyped(table=id, roll=roll, column=column, cell=cell)))
    return play


def whole(seed: int = 1, **answers: Any) -> Any:
    """A game that begins with everything typed in, as in the last one."""
    last = typed(Random(seed), begun()).state
    return begun(seed, GAME.remembering(last), **answers)


def unit(play: Any, name: str) -> Counter:
    return next(one for one in play.state.counters if one.name == name)


WEIGHTS = {"space": 6, "m": 12, "a": 9, "e": 4, "r": 4, "i": 3, "t": 3, "p": 3, "x": 0.3, "o": 2,
           "X": 0.01, "+": 0.3, "=": 0.3, "R": 0.1}  # fmt: skip


def texts(rnd: Random, slot: Words) -> str:
    """A line that fits the question."""
    if slot.name.startswith("typed arrows "):
        return " ".join(str(rnd.randint(1, 10)) for _ in range(rnd.randint(0, 2)))
    if slot.name.startswith("typed squares "):
        return rnd.choice(["h", "T", "S", "s+", "s/d1"])
    if slot.name.startswith("typed cards Card"):
        return rnd.choice(["1+ do it", "2 do it | 3-4 do it twice"])
    if slot.name.startswith("typed "):
        return LINES[slot.name.split()[1]].split(";")[0]
    if "card" in slot.text:
        return f"Card {rnd.randint(1, 99)}{rnd.choice(['', ' | 1+ do it | 2-3 do it twice'])}"
    if slot.name in ("place", "square"):
        return rnd.choice(["C5", "B3", "12", "S7", "R", "H31", "1", "2", "14"])
    return rnd.choice(["event", "mines", "sniper", "stug", *"0123456789"])


def some_order(rnd: Random, state: Any) -> Any:
    return anyone.some_order(rnd, GAME, state, WEIGHTS, texts)


def played(rnd: Random, most: int, **answers: Any) -> Any:
    ruled = {id: rnd.choice([*one.answers]) for id, one in GAME.book.rulings.items()}
    answers = {"chance": rnd.choice(("program", "own")), "rulings": "own", **ruled, **answers}
    seed = rnd.randrange(10**6)
    play = whole(seed, **answers) if rnd.random() < 0.7 else begun(seed, **answers)
    while not play.state.ended and len(play.entries) < most:
        play.accept(play.consider(some_order(rnd, play.state)))
    return play
