"""A game from outside: rebuilt exactly, or as far as it is good, and a sentence for the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from skirmish import library
from skirmish.games.beach_head.agenda import TargetAsk
from skirmish.games.beach_head.ladder import ladder
from skirmish.games.beach_head.orders import Choose, Go
from skirmish.games.beach_head.rebuilding import Rebuilding
from skirmish.games.beach_head.record import GAME, opening, scribe
from skirmish.games.beach_head.setup import prepared
from skirmish.games.beach_head.telling import headline
from skirmish.tabletop.chance import Source
from skirmish.tabletop.exported import BadExport, Header, Kept, export, rebuilt

AT = "2026-05-01T18:30:00.000000+00:00"
JUNK = [None, -1, 0, 999, 10**12, "crab", "zz", "", [], {}, True, "wire", "lct", 3.5]


def lines(steps: int = 14) -> list[bytes]:
    """A game with cards, as it is exported."""
    setup = prepared(
        library.beach_manual(),
        library.beach_readings(),
        dice=Source("die", 4),
        cards=Source("deck", 4),
    )
    play = scribe.play([opening(setup)])
    for _ in range(steps):
        ask = play.state.ask
        order = Choose(target=ask.targets[0]) if isinstance(ask, TargetAsk) else Go()
        play.accept(play.consider(order))
    header = Header(game=GAME, title="Beach Head", started=AT)
    kept = [
        Kept(number=one.number, kind=one.kind, order=order, events=events, at=AT)
        for one in play.entries
        for order, events in [scribe.written(one)]
    ]
    return list(export(header, kept))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, one in value.items() if isinstance(value, dict) else ():
        yield from places(one, (*path, key))


def test_a_game_is_rebuilt_exactly() -> None:
    file = lines()
    found = rebuilt(file, GAME, Rebuilding())
    assert found.trouble is None
    assert list(export(found.header, found.kept)) == file


@pytest.mark.parametrize("seed", range(60))
def test_whatever_stands_in_a_file_is_shown_or_refused_in_a_sentence(seed: int) -> None:
    """One value of one line is another; of the opening more often, since all follows from it."""
    chance, file = Random(seed), lines()
    at = 1 if seed % 3 == 0 else chance.randrange(2, len(file))
    line = json.loads(file[at])
    *path, last = chance.choice(list(places(line)))
    spot = line
    for key in path:
        spot = spot[key]
    spot[last] = chance.choice(JUNK)
    changed = [*file[:at], json.dumps(line).encode(), *file[at + 1 :]]
    try:
        found = rebuilt(changed, GAME, Rebuilding())
    except BadExport as error:
        told = error.trouble
    else:
        told = found.trouble
        assert headline(found.play.state)
        assert len(ladder(found.play)) == len(found.play.state.setup.manual.phase)
    assert told is None or told.line == at + 1 or at == 1


def test_a_card_that_the_manual_lacks_is_a_sentence() -> None:
    opened, *rest = lines()[1:]
    line = json.loads(opened)
    cards = line["events"][0]["setup"]["manual"]["card"]
    line["events"][0]["setup"]["manual"]["card"] = cards[:0]
    found = rebuilt([lines()[0], json.dumps(line).encode(), *rest], GAME, Rebuilding())
    assert found.trouble is not None
    assert found.trouble.says == "entry 2 does not follow: what it names is not known in it."
