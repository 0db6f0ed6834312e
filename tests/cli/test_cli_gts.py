"""The Grand Tactical Series beside its screen: queries, card, units."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from at_the_desk import Ask
from gts_table import GAME, entered

from skirmish.store.database import Store

UNITS = """\
name,side,kind,group,steps,tq,fire,assault,defense,range,move,traits
A/505,allied,pink,505,2,7,4,4,-1,2,,
Tank,german,blue,Becker,1,6,5,3,2,3,,armored white
"""


@pytest.fixture
def two_games(desk: Path) -> None:
    """In the database: one entered, one just begun."""
    with Store.open(os.environ["SKIRMISH_DATABASE"]) as store:
        for play in (entered(), GAME.codec.play([GAME.opening({}, lambda: 1)])):
            head, *rest = play.entries
            record = store.add_battle("gts", "Series", "", [GAME.codec.written(head)])
            for one in rest:
                store.append(record.id, GAME.codec.written(one), headline="", over=False)


def test_lines_of_json_are_answered(real: Ask) -> None:
    asked = (
        {"tq": {"rating": 6, "out_of_command": True}, "roll": 5},
        {"points": {"held": 3, "dispatch": 5}, "roll": 0},
    )
    lines = "".join(f"{json.dumps(one)}\n" for one in asked)
    said = real("gts", "resolve", "-", typed=lines.encode())
    check, points = map(json.loads, said.out.splitlines())
    assert said.code == 0
    assert check == {"needs": 5, "passed": True}
    assert points["gained"] == 3


@pytest.mark.usefixtures("two_games")
def test_card_and_units_go_from_one_game_into_another(ask: Ask, real: Ask, desk: Path) -> None:
    def goes(*words: str) -> None:
        assert ask("gts", *words).code == 0

    goes("card", "1", "-o", "mine.toml")
    assert real("gts", "card", "2", "--from", "mine.toml").code == 0
    goes("card", "2", "-o", "again.toml")
    assert (desk / "again.toml").read_text() == (desk / "mine.toml").read_text()
    (desk / "units.csv").write_text(UNITS)
    goes("units", "2", "--from", "units.csv")
    goes("units", "2", "-o", "again.csv")
    assert (desk / "again.csv").read_text() == UNITS
