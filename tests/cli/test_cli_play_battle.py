"""A whole turn of Dog Beach through ``skirmish play``, as a process of its own, from a text file:
own cards on both sides, shots, a volley in one count, an order undone, left and resumed."""

from __future__ import annotations

from pathlib import Path

import pytest
from at_the_desk import Ask

EVENING = Path(__file__).with_name("dog_beach.txt").read_text("utf-8")
FIRST = ("--set", "battle=1", "--set", "draws:german=own_deck", "--set", "draws:polish=own_deck")
SETTINGS = ("battle=10", "draws:american=own_deck", "draws:german=own_deck")


def test_a_whole_turn_is_played_from_a_text_file_undone_and_resumed(ask: Ask, real: Ask) -> None:
    first, rest = EVENING.split("quit\n", 1)
    set_up = [word for setting in SETTINGS for word in ("--set", setting)]
    begun = real("play", "battle", *set_up, "--defaults", typed=f"{first}quit\n".encode())
    assert (begun.code, begun.err) == (0, "")
    assert begun.out.endswith("Stored as number 1.\n")
    for wrong in ("means nothing", "There is no", "is no card", "First enter"):
        assert wrong not in begun.out
    printed = " ".join(begun.out.split())  # a sentence may be broken into lines
    for told in (
        "67% (32 of 48). Machinegun against guys: A-8.",
        "HIT. 5 OF HEARTS. Machinegun against guys: A-8.",
        "WHO DIES? The Americans choose 3 of 4 men.",
        "! fires anyway.",
        "6 HITS. Counted: 15 fired, 6 low enough (1 ace).",
    ):
        assert told in printed
    halfway = ask("battle", "show", "1", "--json").json
    assert (halfway["turn"], halfway["side"], halfway["phase"]) == (1, "american", 2)

    said = ask("play", "1", typed=rest.encode())
    assert (said.code, said.err) == (0, "")
    assert "! takes the card, and the journal says so." in said.out
    assert "Counted: Americans 3, Germans 2." in said.out
    shown = ask("battle", "show", "1", "--json").json
    assert (shown["turn"], shown["side"], shown["phase"]) == (2, "american", 1)
    american, german = shown["sides"]
    assert (american["loss"], german["loss"]) == (11, 1)
    journal = ask("journal", "1").out
    assert journal.endswith("Turn 2, Americans to move.\n")
    assert "Note: The tide rises." in journal
    assert ask("battle", "log", "1").out.count("\n") >= journal.count("\n") - 8


def test_the_set_up_is_asked_line_by_line_and_repeat_fire_is_stopped(ask: Ask) -> None:
    lines = "1\n" + "\n" * 12 + "mr\n\nesc\nrules\nquit\n"
    said = ask("play", "plastic", typed=lines.encode())
    assert (said.code, said.err) == (0, "")
    assert "Which battle?" in said.out
    assert "Who draws or rolls for the Germans?" in said.out
    assert "Lay the table (squares, about how many inches)" in said.out
    assert "Stored as number 1." in said.out


def test_an_empty_line_that_answers_nothing_brings_the_question_once(ask: Ask) -> None:
    said = ask("play", "battle", "--defaults", typed=b"\n\n")
    assert said.out.count("WHO FIRES?") == 3


@pytest.mark.parametrize(
    "name",
    ["shot_page.pack_of", "what_if_table.what_ifs", "game.due", "commands.shots.rows.pack_of"],
)
def test_an_extra_that_fails_leaves_a_line_and_its_reason_in_the_log(
    ask: Ask, desk: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise LookupError("no such thing")

    monkeypatch.setattr(f"skirmish.games.plastic.{name}", fails)
    typed = "m\nr\n\n3h\nquit\n"
    set_up = ("battle=10", "draws:american=own_deck", "draws:german=own_deck")
    options = [word for setting in set_up for word in ("--set", setting)]
    said = ask("play", "battle", *options, "--defaults", typed=typed)
    assert (said.code, said.err) == (0, "")
    assert "not available" in said.out
    assert "HIT. 3 OF HEARTS." in said.out
    assert "no such thing" in (desk.parent / "skirmish.log").read_text("utf-8")


def test_the_card_may_stand_on_the_line_of_its_shot(ask: Ask) -> None:
    lines = ["mk 2c", "rk 9d", "mr 3c", "8rr 7x", "100rk", "6rk jc", "quit", ""]
    said = ask("play", "battle", *FIRST, "--defaults", typed="\n".join(lines).encode())
    assert "HIT. 2 OF CLUBS" in said.out
    assert "MISS. 9 OF DIAMONDS" in said.out
    assert "Every Rifle Guy is aboard; fire at what carries them. ! fires anyway." in said.out
    assert "100 is too many: 99 is the most.\n" in said.out
    journal = ask("journal", "1").out
    assert "3C" not in journal
    assert journal.count("needs") == 3, "the last is a volley, begun with its first card"
