"""Bloody Omaha on the command line: a first game typed in on the way, an owner's tables in and out,
questions of other programs."""

from __future__ import annotations

import json
import re
from pathlib import Path

from at_the_desk import ROOT, Ask

EVENING = Path(__file__).with_name("bloody_omaha.txt").read_text("utf-8")
MADE_UP = str(Path(__file__).parents[1] / "games" / "bloody_omaha" / "made_up.toml")


def test_two_turns_of_a_first_game_are_played_from_a_text_file(real: Ask, ask: Ask) -> None:
    said = real("play", "bloody-omaha", "--defaults", "--set", "chance=own", typed=EVENING.encode())
    assert (said.code, said.err) == (0, "")
    assert "means nothing" not in said.out
    assert "Able on B6: turns 1 to 2 +2, a strongpoint beside it +1." in said.out
    assert "Able 2 against strongpoint 3; odds, column 1-2" in " ".join(said.out.split())
    journal = " ".join(ask("journal", "1").out.split())
    for line in (
        "This game is played without cards.",
        "Drift, Able on C5: roll 5, turns 1 to 4 +1, in all 6: 1 east to C6.",
        "Second on C1: roll 5, turns 1 to 4 +1, a battalion -2, in all 4: stays.",
        "All units at sea go one square forward.",
        "strongpoint beside it +1, in all 7: D, I+. Able is disrupted. Initiative rating: 1 to 2",
        "in all 9: E. Baker is eliminated.",
        "Random events, beach, B6 and 1: roll 3: The wind turns.",
        "The strongpoint token on 1 is 3.",
        "Attack on 1 from B6, 2 against 3: roll 4: failure. Able is eliminated.",
    ):
        assert line in journal, line
    assert ask("show", "1", "--json").json["headline"].startswith("Turn 2 of 9, Drift, 0 points")
    again = ask("play", "1", typed=b"undo\nboard\n")  # the process before it has ended
    assert "Activation" in again.out


def test_tables_typed_in_go_into_another_game_and_the_next_one_begins_with_them(
    ask: Ask, tmp_path: Path
) -> None:
    ask("play", "bloody-omaha", "--defaults", typed="quit\n")
    assert ask("bloody-omaha", "card", "1", "--from", MADE_UP).code == 0
    mine = tmp_path / "mine.toml"
    assert ask("bloody-omaha", "card", "1", "-o", str(mine)).code == 0
    ask("play", "bloody-omaha", "--defaults", "--set", "holds=blank", typed="quit\n")
    assert ask("bloody-omaha", "card", "2", "--from", str(mine)).code == 0
    ask("play", "bloody-omaha", "--defaults", typed="quit\n")
    boards = [ask("play", number, typed="board\n").out for number in "123"]
    assert all("Made-up 1, 1st 1/0" in board for board in boards)
    lists = [ask("play", number, typed="+\n").out for number in "123"]
    assert all("the units" in one and "0 of 29" not in one for one in lists)
    bad = tmp_path / "bad.toml"
    bad.write_text('turns = ["0"]\nunit = []\n', "utf-8")
    said = ask("bloody-omaha", "card", "1", "--from", str(bad))
    assert said.code == 2
    assert "unit: unknown key; did you mean units?" in said.err


def test_the_guide_shows_what_really_comes_back(ask: Ask) -> None:
    guide = (ROOT / "docs" / "bloody-omaha.md").read_text("utf-8")
    shown = re.findall(r"^    (\{.*\})\n    → (\{.*\})$", guide, re.MULTILINE)
    assert len(shown) == guide.count("→") >= 1
    said = ask("bloody-omaha", "points", "-", typed="\n".join(question for question, _ in shown))
    assert list(map(json.loads, said.out.splitlines())) == [json.loads(one) for _, one in shown]
    bad = ask("bloody-omaha", "points", "-", typed='{"gaps": 10}\n\n{}\n')
    assert bad.code == 2
    first, second, third = map(json.loads, bad.out.splitlines())
    assert first["error"].startswith("line 1: gaps: there are 9 at most")
    assert second["error"].startswith("line 2: blank")
    assert third["tier"] == "defeat"
