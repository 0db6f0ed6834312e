"""Omaha on the command line: an evening from a text file, questions of other programs."""

from __future__ import annotations

import json
import re
from pathlib import Path

from at_the_desk import ROOT, Ask

from skirmish.cli.files import LARGEST_TEXT

EVENING = Path(__file__).with_name("omaha_evening.txt").read_text("utf-8")


def test_two_turns_are_played_from_a_text_file(ask: Ask, real: Ask) -> None:
    said = real("play", "omaha", "--defaults", "--set", "chance=own", typed=EVENING.encode())
    assert (said.code, said.err) == (0, "")
    assert "means nothing" not in said.out
    assert said.out.count("8 factors, fortification: 1 left: column 3.") == 1
    journal = " ".join(ask("journal", "1").out.split())
    for line in (
        "1/A/743 fires at J7 (1/352 and 2/352): 8 factors, fortification: 1 left: column",
        "1/352 and 2/352 fire at L6 (1/B/116 and 1st team), the nearest, 3 hexes away: 9",
        "1/B/116 recovers (3), 1st team stays disrupted (5).",
        "88 battery: 1 step lost, eliminated.",
        "1/352: back to J6.",
        "2/352: back to J6.",
        "1/B/116: into J7.",
    ):
        assert line in journal
    assert ask("show", "1", "--json").json["headline"].startswith("Turn 2 of 10, German recovery")
    again = ask("play", "1", typed=b"undo\nquit\n")
    assert "Stored as number 1." in again.out


def test_lines_that_led_to_no_order_stand_there_again_after_a_kill(ask: Ask, real: Ask) -> None:
    real("play", "omaha", "--defaults", typed=b"c a\n1/352, 2/352\n")
    again = ask("play", "1", typed=b"j7\n")
    assert "1/352: new in J7" in again.out
    assert "In which hex?" not in ask("play", "1", typed=b"").out


def test_rulings_are_suggested_by_a_name_that_this_game_has(ask: Ask) -> None:
    said = ask("play", "omaha", "--defaults", "--set", "weather=fine")
    assert "M2 and other rulings" in said.err


def test_tables_are_resolved_line_by_line(ask: Ask) -> None:
    questions = (
        '{"fire": {"factors": 14, "adjacent": false, "op_fire": false, "terrain": ["woods"], '
        '"fortification": false, "crest": false, "halved": false}, "roll": 2}',
        '{"assault": {"attack": 12, "defense": 4}, "roll": 5}',
        '{"recovery": {"who": "us"}, "roll": 4}',
        '{"fire": {"factors": 2}, "roll": 1}',
    )
    said = ask("omaha", "resolve", "-", typed="\n".join(questions))
    fire, assault, recovery, small = map(json.loads, said.out.splitlines())
    assert fire == {"legal": True, "column": 12, "shifts": [["woods", -1]], "final": 6,
                    "result": "D"}  # fmt: skip
    assert assault == {"legal": True, "column": "3-1", "shifts": [], "final": "3-1",
                       "result": "NE"}  # fmt: skip
    assert recovery == {"recovers": True}
    assert (small["legal"], small["why"]) == (False, "below_3")
    bad = ask("omaha", "resolve", "-", typed='{"fire": {"factors": 2, "wind": 1}}\n\n')
    assert bad.code == 2
    first, second = map(json.loads, bad.out.splitlines())
    assert first["error"].startswith("line 1: fire.wind: unknown key")
    assert second["error"].startswith("line 2: blank")


def test_the_guide_shows_what_really_comes_back(ask: Ask) -> None:
    guide = (ROOT / "docs" / "omaha.md").read_text("utf-8")
    shown = re.findall(r"^    (\{.*\})\n    → (\{.*\})$", guide, re.MULTILINE)
    assert len(shown) == guide.count("→") == 4
    said = ask("omaha", "resolve", "-", typed="\n".join(question for question, _ in shown))
    assert list(map(json.loads, said.out.splitlines())) == [json.loads(one) for _, one in shown]


def test_the_register_goes_out_and_into_another_game(ask: Ask, tmp_path: Path) -> None:
    typed = "c d\n1/B/116\nL6\nc a\nGun [/b]\nJ7\nspace\nspace a\nspace\nf n\na n 6\nquit\n"
    ask("play", "omaha", "--defaults", "--set", "chance=own", typed=typed)
    for ending in ("toml", "csv"):
        file = tmp_path / f"units.{ending}"
        assert ask("omaha", "units", "1", "-o", str(file)).code == 0
        text = file.read_text("utf-8")
        assert "1/B/116" in text
        assert "Gun [/b]" in text
        second = ask("play", "omaha", "--defaults", typed="quit\n").out
        number = second.split()[-1].rstrip(".")
        said = ask("omaha", "units", number, "--from", str(file))
        assert said.out.endswith(f"are in game {number} now.\n")
        board = ask("play", number, typed="m a\nL7\nquit\n").out
        assert "Gun [/b]" in board
        assert re.search(r"J7 +Gun \[/b\], 2 steps", board)  # in the hex of the file
    bad = tmp_path / "bad.csv"
    bad.write_text("x" * (LARGEST_TEXT + 1), "utf-8")
    too_large = ask("omaha", "units", "1", "--from", str(bad))
    assert too_large.err.endswith("no file of units is that large.\n")
    bad.write_text("name,side,kind,he\nA,us,infantry,6\nB,them,mule,x\n", "utf-8")
    said = ask("omaha", "units", "1", "--from", str(bad))
    assert said.code == 2
    assert "line 3.he: expected a whole number, or -" in said.err
    for text, wrong in (
        ("nom,side,kind\nA,us,infantry\n", "line 1: the titles of the columns"),
        ("name;side;kind\nA;us;infantry\n", "line 1: the titles of the columns"),
        ("name,side,kind,kind\nA,us,infantry,gun\n", "line 1: the titles of the columns"),
    ):
        bad.write_text(text, "utf-8")
        said = ask("omaha", "units", "1", "--from", str(bad))
        assert (said.code, said.out) == (2, "")
        assert wrong in said.err
    assert ask("omaha", "units", "1", "-o", str(tmp_path / "units.pdf")).code == 2
    bad.write_text("name,side,kind,hp\nB,them,mule,1\n", "utf-8")
    said = ask("omaha", "units", "1", "--from", str(bad))
    for text in ("'them' is no side", "'mule'", "hp: unknown"):
        assert text in said.err
