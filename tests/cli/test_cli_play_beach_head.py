"""A whole game of Beach Head through ``skirmish play``, as a process of its own, from a text file:
own dice and own cards, an order undone and brought back, another undone, left and resumed."""

from __future__ import annotations

from pathlib import Path

from at_the_desk import Ask

EVENING = Path(__file__).with_name("beach_evening.txt").read_text("utf-8")
SET_UP = ("--defaults", "--set", "dice=own", "--set", "cards=own", "--set", "player=Ann")


def test_a_whole_game_is_played_from_a_text_file_undone_and_resumed(ask: Ask, real: Ask) -> None:
    first, evening = EVENING.split("quit\n")
    begun = real("play", "beach-head", *SET_UP, typed=f"{first}quit\n".encode())
    assert (begun.code, begun.err) == (0, "")
    assert begun.out.endswith("Stored as number 1.\n")
    assert "means nothing" not in begun.out
    assert "Roll    4 + 3 + 4 - 1 (tank traps) = 10\nResult  10 squads land\nspace" in begun.out
    halfway = ask("show", "1", "--json").json
    assert not halfway["over"]

    said = ask("play", "1", typed=evening.encode())
    assert (said.code, said.err) == (0, "")
    assert "means nothing" not in said.out
    assert "The game is over. Taken in 6 turns, 11 squads lost.\n" in said.out
    (score,) = ask("beach-head", "scores", "--json").json["scores"]
    assert (score["casualties"], score["turns"], score["player"]) == (11, 6, "Ann")
    journal = ask("journal", "1").out
    assert journal == ask("beach-head", "journal", "1").out
    assert [f"Turn {turn}\n" in journal for turn in range(1, 8)] == [True] * 6 + [False]
    assert journal.endswith("The beach is taken in turn 6; 11 squads lost.\n")


def test_a_roll_and_what_comes_of_it_are_one_line(ask: Ask) -> None:
    own = ("--defaults", "--set", "dice=own", "--set", "cards=none")
    said = ask("play", "beach-head", *own, typed="space\n4\n4 3 4\nquit\n").out
    assert "Rolled 4 + 3 + 4 - 1 (tank traps): 10 squads land.\n" in said
    assert "\n10. " not in said, "the total stands in the line above"
