"""One program fights, another follows: two real processes on one database."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from kills import shot
from onlooker import SKIRMISH, SPACE_DEAD, Facts, Onlooker, fold, read


def written(database: Path) -> int:
    """How many entries the battle has by now."""
    return len(fold(database)[0].entries)


def agrees(onlooker: Onlooker, database: Path, more_than: int = 0) -> None:
    """Wait until the database holds more than so many entries, and the screen shows them."""

    def shown(lines: list[str]) -> bool:
        battle, states = fold(database)
        seen = read(lines)
        enough = len(battle.entries) > more_than
        return enough and seen is not None and seen.facts.fits(Facts.of(states[-1]))

    onlooker.until(shown)


def test_a_follower_sees_what_another_program_does_and_outlives_it(database: Path) -> None:
    with Onlooker(database) as player:
        player.begin()
        with Onlooker(database, [*SKIRMISH, "follow"]) as follower:
            follower.until_says("FOLLOWING")
            agrees(follower, database)
            _, states = fold(database)
            for keys in (shot(states[-1], random.Random(1)), ">"):  # a shot, then the next phase
                before = written(database)
                player.rest(SPACE_DEAD)
                player.press(keys)
                agrees(player, database, before)
                agrees(follower, database, before)
            player.kill()
            follower.rest(0.8)
            agrees(follower, database)
            assert follower.leave("\x11"), "ctrl+q leaves it"
    before = written(database)
    with Onlooker(database, [sys.executable, "-m", "skirmish", "follow", "1"]) as again:
        agrees(again, database)
        again.press("\x1b")
        again.until_says("CONTINUE")
    assert written(database) == before, "who follows writes nothing"
