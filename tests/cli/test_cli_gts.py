"""The Grand Tactical Series beside its screen: queries, card, units."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from subprocess import PIPE

import pytest
from at_the_desk import Ask, command
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
    (desk / "v1.2").mkdir()
    goes("units", "2", "-o", "v1.2/")  # a folder with a dot in its name is still a folder
    assert [path.name for path in (desk / "v1.2").iterdir()] == ["gts-2-units.toml"]


TURN = Path(__file__).with_name("gts_turn.txt").read_text("utf-8")
REGISTER = Path(__file__).with_name("gts_units.csv")
OWN = ("play", "gts", "--defaults", "--set", "chance=own", "--set", "tables=community")


def test_a_whole_turn_of_two_divisions_is_played_from_a_text_file(ask: Ask) -> None:
    ask(*OWN, typed=b"quit\n")
    assert ask("gts", "units", "1", "--from", str(REGISTER)).out.startswith("12 units")
    said = ask("play", "1", typed=TURN.encode())
    assert (said.code, said.err) == (0, "")
    assert "means nothing" not in said.out
    journal = " ".join(ask("journal", "1").out.split())
    for line in (
        "82nd DP: 1 to 0 (a chit). A chit is set aside for the next turn.",
        "82nd CP: 6 to 13 (roll 7: 3, command +4).",
        "Typed in: Weather, roll 4: overcast.",
        "307: build an improved position. 307: improved.",
        "A14 One defender takes a troop quality check (command points may be spent); its result "
        "counts for all. On to A18.",
        "505/C, opportunity fire: 7 or less (6, improved position +1). Roll 3: passed.",
        "Becker/1 fires at 505/C: 3 or less (4, defense -1, company bonus +2, firer with one "
        "cohesion hit -1, improved position -1). Roll 2: S?.",
        "The assault is over. 505/C: 2 steps lost, eliminated (by hand).",
        "Becker/1: suppressed.",
        "Becker/2: light barrage. Becker/3: light barrage.",
        "505/B: no longer 1 cohesion hit.",
        "One chit is left in the mug; it waits face down for the next turn.",
        "No longer light barrage or acted: ",
        "Turn 2. A Weather.",
    ):
        assert line in journal
    board = ask("play", "1", typed=b"G G\nspace\n\nquit\n").out
    assert "Chits in the mug: 5. The chit that was left over comes first." in board
    assert (
        "508"
        not in journal.partition("The chit 508 (formation) is in play.")[2].partition("508/A")[0]
    ), "nobody names the chit that is set aside"


def test_a_game_goes_on_where_it_was_killed_in_the_middle_of_an_assault(ask: Ask) -> None:
    ask(*OWN, typed=b"quit\n")
    ask("gts", "units", "1", "--from", str(REGISTER))
    middle, _, rest = TURN.partition("s Becker/1 505/C\n")
    with subprocess.Popen(command(["play", "1"]), stdin=PIPE, stdout=PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(f"{middle}s Becker/1\n".encode())
        program.stdin.flush()
        said = b""
        while not said.endswith(b"At which unit?\n"):
            said += program.stdout.readline()
        program.kill()
    again = ask("play", "1", typed=f"505/C\n{rest}".encode()).out
    assert "Assault, A19: The assaulters fire twice each" in again
    assert "Turn 2. A Weather." in again
    journal = ask("journal", "1").out
    assert "Becker/1 fires at 505/C" in journal


@pytest.mark.usefixtures("two_games")
def test_a_small_file_of_divisions_and_chits_is_taken_or_its_mistakes_are_named(
    ask: Ask, desk: Path
) -> None:
    text = """
[[division]]
name = "101st"
side = "allied"
command = 4
dispatch = 5
[[chit]]
name = "506"
kind = "formation"
division = "101st"
"""
    (desk / "small.toml").write_text(text)
    assert ask("gts", "card", "2", "--from", "small.toml").code == 0
    assert "506" in ask("gts", "card", "2", "-o", "-").out
    assert "The chit 506 (formation) is in play." in ask("journal", "2").out
    for wrong, sentence in (
        (
            ("allied", "alied"),
            "division[0].side: 'alied' is not possible here; did you mean allied?",
        ),
        (("formation", "corps"), "chit[0].kind: 'corps' is not possible here"),
    ):
        (desk / "wrong.toml").write_text(text.replace(*wrong))
        said = ask("gts", "card", "2", "--from", "wrong.toml")
        assert said.code == 2
        assert sentence in said.err
