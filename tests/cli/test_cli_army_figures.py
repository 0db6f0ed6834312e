"""``skirmish army templates``, ``new``, ``owned`` and ``missing``."""

from __future__ import annotations

import pytest
from at_the_desk import Ask

from skirmish import library


def test_every_template_is_listed_with_its_portrait(ask: Ask) -> None:
    said = ask("army", "templates")
    assert said.code == 0
    assert all(len(line) <= 80 for line in said.out.splitlines())
    words = " ".join(said.out.split())
    for number, army in enumerate(library.templates(), 1):
        assert f"{number} {army.army_list.name} " in words
        assert army.army_list.note in words
    told = ask("army", "templates", "--json").json
    assert [army["name"] for army in told] == [a.army_list.name for a in library.templates()]


def test_a_new_army_from_a_template_is_kept_legal_under_a_name_of_its_own(ask: Ask) -> None:
    assert ask("army", "new", "--from", "the sea").out == "Saved as number 1: The Sea Lions\n"
    assert ": The Sea Lions 2\n" in ask("army", "new", "--from", "The Sea Lions").out
    assert ask("army", "new", "--from", "1", "--name", " Ours ").out.endswith(": Ours\n")
    assert ask("army", "check", "The Sea Lions 2").code == 0
    assert "Commandos over the harbour wall" in ask("army", "show", "1").out
    assert [army["spent"] for army in ask("army", "list", "--json").json] == [100, 200, 200]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--from", "the see lion"), "similar names: “The Sea Lions”"),
        (("--from", "1", "--name", " "), "Give a name after --name"),
        (("--from", "1", "--name", "x" * 81), "--name"),
        ((), "Missing option '--from'"),
    ],
)
def test_what_cannot_begin_an_army_is_one_sentence(ask: Ask, words: tuple[str], told: str) -> None:
    said = ask("army", "new", *words)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert ask("army", "list", "--json").json == []


def test_a_count_of_many_zeros_is_a_number_and_one_of_many_digits_is_refused(ask: Ask) -> None:
    assert ask("army", "owned", f"tank={'0' * 5000}3").out == "3  Tanks\n"
    answer = ask("army", "owned", f"tank={'0' * 12}{'9' * 5000}")
    assert answer.code == 2
    assert "write a number from 0 to" in answer.err


def test_owned_figures_are_set_added_to_and_listed(ask: Ask) -> None:
    assert ask("army", "owned").out.startswith("No figures entered yet.")
    assert ask("army", "owned", "tank=3", "rifle=60").out == "60  Rifle Guys\n 3  Tanks\n"
    assert ask("army", "owned", "tank=1").out == "60  Rifle Guys\n 1  Tank\n"
    assert ask("army", "owned", "rifle=0", "--json").json == {"tank": 1}


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("zank=3", "No piece is called zank; did you mean tank?"),
        ("tank", "as in tank=3"),
        ("tank=-1", "from 0 to 9999"),
        ("tank=99999", "from 0 to 9999"),
        ("tank=٣", "from 0 to 9999"),
    ],
)
def test_a_count_that_is_none_changes_nothing(ask: Ask, word: str, told: str) -> None:
    said = ask("army", "owned", "rifle=5", word)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert ask("army", "owned", "--json").json == {}


def test_what_is_missing_of_one_army_and_of_two_together(ask: Ask) -> None:
    ask("army", "owned", "tank=3", "rifle=100", "machinegun=9", "sandbags=9", "barbed_wire=9")
    said = ask("army", "missing", "ziegler.toml")
    assert said.code == 0
    assert said.out.endswith("\nYou own them all.\n")
    said = ask("army", "missing", "ziegler.toml", "ziegler.toml")
    assert "Rifle Guys       need 120  own 100  20 missing\n" in said.out
    assert said.out.endswith("\n24 pieces are missing.\n")
    told = ask("army", "missing", "ziegler.toml", "ziegler.toml", "--json").json
    assert told["missing"] == {"rifle": 20, "tank": 1, "barbed_wire": 3}
    assert told["needs"]["rifle"] == 120
    assert told["owned"]["tank"] == 3


def test_what_is_missing_of_a_scenario(ask: Ask) -> None:
    told = ask("army", "missing", "--scenario", "1", "--json").json
    assert told["needs"] == told["missing"]
    assert told["needs"]["rifle"] > 20
    last = max(library.scenarios())
    assert (
        "`skirmish scenarios` lists them" in ask("army", "missing", "--scenario", f"{last + 1}").err
    )
    assert "Name an army" in ask("army", "missing").err
