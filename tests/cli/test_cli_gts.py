"""The Grand Tactical Series beside its screen, as a process of its own: queries, card, units."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from gts_table import GAME, entered

from skirmish.store.database import Store

UNITS = """\
name,side,kind,group,steps,tq,fire,assault,defense,range,move,traits
A/505,allied,pink,505,2,7,4,4,-1,2,,
Tank,german,blue,Becker,1,6,5,3,2,3,,armored white
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A database with two games: one entered, one just begun."""
    with Store.open(str(tmp_path / "x.db")) as store:
        for play in (entered(), GAME.codec.play([GAME.opening({}, lambda: 1)])):
            head, *rest = play.entries
            record = store.add_battle("gts", "Series", "", [GAME.codec.written(head)])
            for one in rest:
                store.append(record.id, GAME.codec.written(one), headline="", over=False)
    return tmp_path


def ran(folder: Path, *words: str, stdin: str = "") -> str:
    where = {"SKIRMISH_DATABASE": str(folder / "x.db"), "SKIRMISH_SETTINGS": str(folder / "s.toml")}
    done = subprocess.run(
        [sys.executable, "-m", "skirmish", "gts", *words], input=stdin, text=True, cwd=folder,
        env={**os.environ, **where}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_lines_of_json_are_answered(tmp_path: Path) -> None:
    asked = (
        {"tq": {"rating": 6, "out_of_command": True}, "roll": 5},
        {"points": {"held": 3, "dispatch": 5}, "roll": 0},
    )
    lines = "".join(f"{json.dumps(one)}\n" for one in asked)
    check, points = map(json.loads, ran(tmp_path, "resolve", "-", stdin=lines).splitlines())
    assert check == {"needs": 5, "passed": True}
    assert points["gained"] == 3


def test_card_and_units_go_from_one_game_into_another(folder: Path) -> None:
    ran(folder, "card", "1", "-o", "mine.toml")
    ran(folder, "card", "2", "--from", "mine.toml")
    ran(folder, "card", "2", "-o", "again.toml")
    assert (folder / "again.toml").read_text() == (folder / "mine.toml").read_text()
    (folder / "units.csv").write_text(UNITS)
    ran(folder, "units", "2", "--from", "units.csv")
    ran(folder, "units", "2", "-o", "again.csv")
    assert (folder / "again.csv").read_text() == UNITS
