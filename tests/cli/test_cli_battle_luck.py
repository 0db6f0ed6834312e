"""``skirmish battle luck``: who had the luck, for people and for programs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from at_the_desk import ROOT, Ask
from kept_battles import keep, scenario

from skirmish.games.plastic.battle.orders import Finish
from skirmish.games.plastic.luck import luck
from skirmish.tabletop.page import signed

DOC = (ROOT / "docs" / "battles.md").read_text("utf-8")


def finished() -> Any:
    battle = scenario(1, 120)
    battle.order(Finish(winner=None, reason="Supper."))
    return battle


def test_it_tells_both_sides_and_turn_by_turn(ask: Ask) -> None:
    battle = finished()
    keep(battle)
    said = ask("battle", "luck", "1")
    assert (said.code, said.err) == (0, "")
    assert all(len(line) <= 80 for line in said.out.splitlines())
    squeezed = " ".join(said.out.split())
    found = luck(battle.play)
    one, other = found.sides
    assert f"Shots {one.shots} {other.shots}" in squeezed
    for side in found.sides:
        assert f"{side.kills}, expected {float(side.expected):.1f} (" in squeezed
    ends = f"{found.shots[-1].turn} {signed(one.difference)} {signed(other.difference)}"
    assert ends in squeezed
    assert "Least likely kill (" in squeezed
    assert "Biggest swing: turn" in squeezed


def test_every_sentence_ends_with_one_full_stop(ask: Ask) -> None:
    """The turning point is told in whole sentences, other moments in a few words."""
    keep(scenario(1, 120))
    said = ask("battle", "luck", "1").out
    told = " ".join(said[said.index("Turning point\n") :].split())
    assert "need 20." in told
    assert ".." not in said


def test_for_programs_chances_are_exact_and_add_up(ask: Ask) -> None:
    keep(finished())
    told = ask("battle", "luck", "1", "--json").json
    for side in told["sides"]:
        own = [shot for shot in told["shots"] if shot["side"] == side["side"]]
        assert side["shots"] == len(own) > 0
        assert Fraction(side["expected"]) == sum(Fraction(shot["chance"]) for shot in own)
        assert side["kills"] == sum(shot["hit"] for shot in own)
        assert Fraction(side["difference"]) == side["kills"] - Fraction(side["expected"])
        assert 0 <= side["percentile"] <= 100
    promised = DOC.split("### `battle luck N --json`")[1].split("\n### ")[0]
    for key in {*told, *told["sides"][0], *told["shots"][0]}:
        assert f"`{key}`" in promised, key


def test_before_the_first_shot_nobody_was_lucky(ask: Ask) -> None:
    keep(scenario(2))
    said = ask("battle", "luck", "1")
    assert said.code == 0
    assert said.out.splitlines()[-1] == "No shots have been fired yet."
    assert ask("battle", "luck", "1", "--json").json["shots"] == []


def test_a_battle_that_is_not_there_is_one_sentence(ask: Ask) -> None:
    keep(scenario(2))
    said = ask("battle", "luck", "9")
    assert (said.code, said.out) == (2, "")
    assert len(said.err.splitlines()) <= 2
    assert "Traceback" not in said.err
