"""``skirmish beach-head auto``: games played by the program, told or summed up."""

from __future__ import annotations

import pytest
from at_the_desk import Ask

AUTO = ("beach-head", "auto")


def test_a_game_is_told_phase_by_phase(ask: Ask) -> None:
    said = ask(*AUTO, "--seed", "4")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "Beach Head, with cards, rulings printed, policy better."
    turns = [line for line in lines if line.startswith("Turn ")]
    assert turns == [f"Turn {number}" for number in range(1, len(turns) + 1)]
    assert sum(line.startswith("Defender fire.") for line in lines) == len(turns)
    assert f"The beach is taken in turn {len(turns)}; " in " ".join(said.out.split())
    assert max(map(len, lines)) <= 80


def test_quiet_says_only_how_it_ended(ask: Ask) -> None:
    said = ask(*AUTO, "-q", "--policy", "plain", "--no-cards", "--variant", "omaha", "--seed", "2")
    (line,) = " ".join(said.out.split()).split("\n")
    assert line.startswith("Beach Head, Omaha, without cards, rulings printed, policy plain. Taken")
    assert line.endswith(" ashore.")


def test_a_policy_that_plays_no_card_says_so(ask: Ask) -> None:
    said = " ".join(ask(*AUTO, "-q", "--policy", "plain").out.split())
    assert said.startswith("Beach Head, with cards that it does not play, rulings printed, policy")


def test_several_games_are_summed_up_and_the_same_again(ask: Ask) -> None:
    words = (*AUTO, "--games", "4", "--readings", "B7=tank")
    said = ask(*words)
    assert said.out.startswith("Beach Head: 4 games with cards, rulings B7=tank, policy better, se")
    assert [line.split()[0] for line in said.out.splitlines()[-3:]] == [
        "Casualties", "Turns", "Alive",
    ]  # fmt: skip
    assert said.out == ask(*words).out
    assert said.out != ask(*words, "--seed", "2").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--policy", "best"), "'--policy': 'best' is not one of 'plain', 'better'."),
        (("--games", "0"), "--games takes at least 1, not “0”."),
        (("--seed", "-1"), "--seed takes at least 0, not “-1”."),
        (("--readings", "B7=all"), "rulings.B7: no answer"),
    ],
)
def test_what_cannot_be_played_is_said(ask: Ask, words: tuple[str, ...], sentence: str) -> None:
    said = ask(*AUTO, *words)
    assert said.code != 0
    assert sentence in said.err
    assert "Traceback" not in said.err
