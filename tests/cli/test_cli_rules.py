"""``skirmish rules``: looked up at the desk, printed plainly."""

from __future__ import annotations

import pytest
from at_the_desk import Ask

from skirmish import library


def test_without_words_every_rule_is_listed(ask: Ask) -> None:
    said = ask("rules")
    assert (said.code, said.err) == (0, "")
    told = " ".join(said.out.split())
    for paragraph in library.reference().paragraphs.values():
        assert paragraph.title in told


def test_a_title_gives_that_rule_and_names_the_others(ask: Ask) -> None:
    said = ask("rules", "repeat", "fire")
    assert said.code == 0
    assert said.out.startswith("Repeat fire\n===========\n\nFire\n\nA weapon marked +")
    assert "within 6 in, in sight" in said.out
    assert "P22 Repeat target." in said.out
    assert "\nSee also: " in said.out


def test_a_word_gives_the_best_three(ask: Ask) -> None:
    """Each under its title."""
    out = ask("rules", "machinegun").out
    assert len([line for line in out.splitlines() if set(line) == {"="}]) == 3


@pytest.mark.parametrize("name", ["beach-head", "beach_head"])
def test_the_name_of_another_game_prints_its_rules(ask: Ask, name: str) -> None:
    assert ask("rules", name).out.startswith("The rules of Beach Head\n")


def test_a_table_is_printed_with_its_rule(ask: Ask) -> None:
    out = ask("rules", "the firing table").out
    assert "Machinegun" in out
    assert "A-8+" in out


@pytest.mark.parametrize("words", [["every", "unit"], ["cover"], [], ["force quality"]])
def test_nothing_is_wider_than_a_screen(ask: Ask, words: list[str]) -> None:
    assert max(len(line) for line in ask("rules", *words).out.splitlines()) <= 80


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["covert", "operation"], "No rule contains “covert operation”. Did you mean: Cover"),
        (["zzzzzz"], "No rule contains “zzzzzz”. `skirmish rules` lists all rules.\n"),
        (["?!"], "“?!” has no words; `skirmish rules` lists all rules.\n"),
    ],
)
def test_what_no_rule_has_is_said_with_what_is_near(ask: Ask, words: list[str], says: str) -> None:
    said = ask("rules", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(says)


def test_it_is_a_command_of_the_real_program(ask: Ask, real: Ask) -> None:
    said = real("rules", "P22")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Repeat fire\n=")
    assert "rules" in ask("--help").out
