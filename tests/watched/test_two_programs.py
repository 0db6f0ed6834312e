"""Two programs on one battle: each shows what the other wrote."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from kills import keys, settle, shot
from onlooker import SPACE_DEAD, Onlooker, fold


def written(database: Path) -> list[Any]:
    with closing(sqlite3.connect(database)) as file:
        return file.execute("SELECT * FROM entry ORDER BY battle_id, number").fetchall()


def test_each_of_two_programs_shows_what_the_other_wrote_and_nothing_is_overwritten(
    database: Path,
) -> None:
    with Onlooker(database) as one:
        one.begin()
        _, states = fold(database)
        with Onlooker(database) as other:
            other.resume()
            other.until_shows(states[-1])
            one.rest(SPACE_DEAD)
            one.press(shot(states[-1], random.Random(1)))
            settle(one, database, 1)
            after_one = written(database)
            assert len(after_one) > 1

            _, states = fold(database)
            other.until_shows(states[-1])
            assert written(database) == after_one, "neither overwritten nor added to"

            other.rest(SPACE_DEAD)
            other.press(keys(states[-1], random.Random(3)))
            settle(other, database, len(states))
            after_both = written(database)
            assert after_both[: len(after_one)] == after_one
            assert len(after_both) == len(after_one) + 1

            _, states = fold(database)
            one.until_shows(states[-1])
            assert written(database) == after_both
