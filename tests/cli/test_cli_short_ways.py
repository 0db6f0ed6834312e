"""Commands that go without the parser, and look-ups that leave nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from at_the_desk import Ask

PIN = '{"check": {"kind": "pin"}, "draw": ["9S"]}'


def test_a_command_says_the_same_with_the_parser_and_without(ask: Ask) -> None:
    """A word given twice, or ``--``, is the parser's."""
    assert ask("scenarios", "--json") == ask("scenarios", "--json", "--json")
    assert ask("scenarios") == ask("scenarios", "--")
    for typed in (PIN, "?"):
        assert ask("resolve", "-", typed=typed) == ask("resolve", "--", "-", typed=typed)
        assert ask("resolve", typed=typed) == ask("resolve", "--", typed=typed)


@pytest.mark.parametrize("quality", ['"elite"', "null"])
def test_nobody_draws_for_the_command_of_elite_troops(ask: Ask, quality: str) -> None:
    """Troop Quality; the same where force quality is not played."""
    asked = f'{{"check": {{"kind": "command", "quality": {quality}}}}}'
    assert ask("resolve", typed=asked) == (0, '{"movement_ends":false}\n', "")


def test_regular_troops_need_a_draw(ask: Ask) -> None:
    said = ask("resolve", typed='{"check": {"kind": "command", "quality": "regular"}}')
    assert said.code == 2
    assert "a check takes one draw, not 0" in said.out


@pytest.mark.parametrize("word", ["", "  "])
def test_no_name_at_all_is_told_as_such(ask: Ask, word: str) -> None:
    said = ask("army", "check", word)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("The name is empty. ")


@pytest.mark.parametrize("command", ["check", "show", "export"])
def test_to_look_for_an_army_makes_no_database(ask: Ask, desk: Path, command: str) -> None:
    said = ask("army", command, "nobody")
    assert said.code == 2
    assert said.err.startswith("No army is called “nobody”; none is saved yet.")
    assert not (desk.parent / "kept.db").exists()
