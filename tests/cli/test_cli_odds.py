"""``skirmish odds``: asked at the desk, answered without the app."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from at_the_desk import ROOT, Ask

from skirmish.games.plastic.odds.sweep.sweep import Sweep


def test_a_shot_in_cover_with_two_cards_gone(real: Ask) -> None:
    """Of 16 reds to the 8, the 4 of hearts is gone; 46 cards are left."""
    said = real("odds", "machinegun", "rifle", "--cover", "--deck", "gone: QS 4H")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "Machinegun Guy at Rifle Guy, 4 in, in cover, phase 2"
    assert any("46 cards are left." in line for line in lines)
    assert "Hit                    ########   32.6%  15/46" in lines
    assert "Saved by cover         ########   34.8%  16/46" in lines
    assert max(map(len, lines)) <= 80


def test_json_holds_exact_fractions(ask: Ask) -> None:
    said = ask("odds", "machinegun", "rifle", "--targets", "2", "--json")
    told = said.json
    assert (said.code, told["needs"], told["hit"]) == (0, 8, "2/3")
    assert (told["exact_figure"], told["broken"]) == ("1/12", "11/2256")
    volley = told["volley"]
    both = Fraction(4 * 31, 48 * 47)
    assert volley["kills"] == {"0": "1/3", "1": str(Fraction(2, 3) - both), "2": str(both)}
    assert volley["at_least"] == {"0": "1", "1": "2/3", "2": str(both)}
    assert Fraction(volley["expected"]) == Fraction(2, 3) + both
    assert not volley["at_most"]
    every = ask("odds", "machinegun", "rifle", "--targets", "2", "--rulings", "P22=not_killed",
                 "--json").json["volley"]["kills"]  # fmt: skip
    assert every == {"0": "1/3", "1": "32/141", "2": "62/141"}
    assert sum(map(Fraction, volley["lost"].values())) == 1


def test_a_volley_is_a_list_of_kills_with_bars(ask: Ask) -> None:
    out = ask("odds", "mg_jeep", "Rifle Guy", "--count", "3", "--targets", "4", "--die").out
    assert "With the d12." in out
    assert "3 MG Jeeps, 4 in reach: " in out
    lines = [line for line in out.splitlines() if " killed  " in line]
    assert len(lines) == 5
    assert all(" killed  #" in line for line in lines)
    assert "A breakdown costs a shooter or his weapon: " in out


def test_the_weapon_that_needs_least_is_taken_if_none_is_named(ask: Ask) -> None:
    assert ask("odds", "tank", "tiger", "--rear", "--json").json["weapon"] == "cannon"
    assert ask("odds", "tank", "rifle", "--json").json["weapon"] == "machinegun"
    named = ask("odds", "tank", "rifle", "--weapon", "cannon", "--json").json
    assert (named["weapon"], named["hit"]) == ("cannon", "1/2")


def test_the_examples_of_the_page_about_odds_are_right(ask: Ask) -> None:
    """docs/odds.md works them out by hand."""
    page = (ROOT / "docs/odds.md").read_text("utf-8")
    first, second, third = (
        "odds machinegun rifle --cover --deck|gone: QS 4H 5H",
        "odds machinegun rifle --targets 2",
        "odds rifle rifle --count 2 --targets 5 --deck|left: 2H",
    )
    for words, told in (
        (first, ("14/45", "31.1%", "16/45", "35.6%")),
        (second, ("33.3%", "5.5%", "61.2%", "0.5%", "0.72")),
        (third, ("58.3%", "41.7%")),
    ):
        plain, _, deck = words.partition("|")
        assert f"    skirmish {plain}" + (f' "{deck}"' if deck else "") in page.splitlines()
        out = ask(*plain.split(), *([deck] if deck else [])).out
        assert [part for part in told if part not in out] == []
        assert [part for part in told if part not in page] == []


def test_several_rows_fire_in_order_at_several_groups(ask: Ask) -> None:
    """A rifle at one man, then a cannon at one truck: out of 48 and then 47 cards."""
    words = ("odds", "rifle", "rifle", "--and", "1 cannon at 1 truck", "--breaks", "6")
    told = ask(*words, "--json").json
    volley = told["volley"]
    assert [group["target"] for group in volley["groups"]] == ["rifle", "truck"]
    assert sum(map(Fraction, volley["joint"].values())) == 1
    # A-5 are 20 cards, A-9 are 36, and whatever the rifle took is one of these if it hit.
    assert Fraction(volley["joint"]["1,1"]) == Fraction(20 * 35, 48 * 47)
    assert Fraction(volley["groups"][1]["expected"]) == Fraction(36, 48)
    assert told["breaks_army"] == volley["joint"]["1,1"]
    out = ask(*words).out
    assert "In this order: 1 Rifle Guy at 1 Rifle Guy, 1 Cannon at 1 Truck." in out
    assert "All groups together, most likely first:" in out
    assert "The army breaks if it loses 6 more strength" in out


def test_further_shooters_fire_at_the_first_group_whatever_was_named_between(ask: Ask) -> None:
    """A rifle and, behind a cannon at a truck, one more: both at the two men."""
    told = ask("odds", "rifle", "rifle", "--targets", "2", "--and", "1 cannon at 1 truck",
               "--and", "1 rifle", "--json").json  # fmt: skip
    men, truck = told["volley"]["groups"]
    assert Fraction(men["expected"]) == 2 * Fraction(20, 48)
    assert Fraction(truck["expected"]) == Fraction(36, 48)


def test_the_order_of_rows_makes_a_difference_only_where_men_are_spared(ask: Ask) -> None:
    """P22: who fires first finds more new men for his repeat fire."""
    for answer, alike in (("not_killed", True), ("not_shot_at", False)):
        ruled = ("--rulings", f"P22={answer}", "--json")
        first = ask("odds", "rifle", "rifle", "--targets", "4", "--and", "2 machinegun", *ruled)
        last = ask("odds", "machinegun", "rifle", "--count", "2", "--targets", "4",
                   "--and", "rifle", *ruled)  # fmt: skip
        assert first.json["volley"]["shooters"] == 3
        assert (first.json["volley"]["kills"] == last.json["volley"]["kills"]) is alike


def test_a_volley_too_mixed_to_spare_anybody_tells_the_most(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few are: the limit is lowered."""
    monkeypatch.setitem(Sweep.__init__.__kwdefaults__, "most", 13_000)
    words = ("odds", "rifle", "rifle", "--count", "6", "--targets", "12", "--and", "4 machinegun",
             "--and", "6 grenade", "--and", "4 machinegun", "--and", "tank at 3 truck")  # fmt: skip
    most = ask(*words, "--json").json["volley"]
    every = ask(*words, "--rulings", "P22=not_killed", "--json").json["volley"]
    assert most["at_most"]
    assert most["kills"] == every["kills"]


def test_rulings_and_a_nation_change_the_shot(ask: Ask) -> None:
    """P18: a black ace ignores cover, or does not. Japanese riflemen in contact need A-8."""
    words = ("odds", "rifle", "rifle", "--cover", "--json")
    usual = ask(*words).json["hit"]
    other = {ask(*words, "--rulings", f"P18={answer}").json["hit"]
             for answer in ("ace_hits", "colour_counts")}  # fmt: skip
    assert len(other) == 2
    assert usual in other
    close = ("odds", "rifle", "rifle", "--distance", "0", "--json")
    assert ask(*close).json["needs"] < ask(*close, "--nation", "japanese").json["needs"]


def test_op_fire_pins_by_force_quality(ask: Ask) -> None:
    """Elite troops by default go to ground on a spade: 12 of 48, and again 11 of 47."""
    words = ("odds", "machinegun", "rifle", "--phase", "1", "--count", "2", "--targets", "9")
    green = ask(*words, "--quality", "green", "--json").json
    elite = ask(*words, "--quality", "elite", "--json").json
    assert Fraction(elite["pinned_if_left"]) == 1 - Fraction(36 * 35, 48 * 47)
    left = 1 - Fraction(elite["volley"]["at_least"]["9"])
    assert Fraction(elite["pinned"]) == left * Fraction(elite["pinned_if_left"])
    assert Fraction(green["pinned"]) > Fraction(elite["pinned"])
    assert "Green troops: 94.1% chance of being pinned" in ask(*words, "--quality", "green").out
    assert ask("odds", "machinegun", "rifle", "--json").json["pinned"] is None


def test_who_is_surely_killed_is_not_pinned(ask: Ask) -> None:
    words = ("odds", "machinegun", "rifle", "--phase", "1", "--deck", "left: AH 2H", "--json")
    told = ask(*words).json
    assert (told["pinned"], told["pinned_if_left"]) == ("0", "0")


def test_contact_is_phase_3_unless_it_is_said_otherwise(ask: Ask) -> None:
    by_distance = ask("odds", "rifle", "tank", "--distance", "0", "--json").json
    by_phase = ask("odds", "rifle", "tank", "--phase", "3", "--json").json
    assert by_distance == by_phase
    assert (by_phase["phase"], by_phase["distance"], by_phase["hit"]) == (3, 0, "1/3")


def test_an_empty_deck_is_shuffled_first(ask: Ask) -> None:
    gone = " ".join(f"{rank}{suit}" for rank in [*"A23456789JQ", "10"] for suit in "SHDC")
    out = ask("odds", "rifle", "rifle", "--deck", gone).out
    assert "All cards have been drawn: the deck is shuffled first." in out
    assert "20/48" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rifle", "rifle", "--distance", "40"], "40 in is out of range: the Rifle reaches 12 in."),
        (["rifle", "rifle", "--distance", "-3"], "The distance must be 0 or more, not -3."),
        (["rifle", "rifle", "--distance", "nan"], "The distance must be 0 or more, not nan."),
        (["rifle", "rifle", "--phase", "5"], "The phase must be 1 to 4, not 5."),
        (["rifle", "rifle", "--distance", "0", "--phase", "2"], "In contact it may not fire"),
        (["rifle", "tank"], "A Rifle Guy hurts a Tank only in contact"),
        (["truck", "rifle"], "A Truck has nothing to fire with."),
        (["rifel", "rifle"], "There is no unit “rifel”; did you mean rifle?"),
        (["", "rifle"], "There is no unit “”; "),
        (["rifle", " "], "There is no unit “ ”; "),
        (["rifle", "rifle", "--nation", ""], "There is no nation “”; "),
        (["machinegun", "rifle", "--phase", "1", "--quality", ""], "There is no force quality “”"),
        (["tank", "rifle", "--weapon", "bow"], "The Tank has no “bow”; "),
        (["rifle", "rifle", "--count", "0"], "The number of shooters must be 1 to 100"),
        (["rifle", "rifle", "--targets", "10000"], "The number of targets must be 1 to 9999"),
        (["rifle", "rifle", "--deck", "gone: 4H 4H"], "4H is gone twice, but a deck has one"),
        (["rifle", "rifle", "--deck", "gone: KS"], "KS is not in this deck: it ends at QS."),
        (["rifle", "rifle", "--deck", "gone: fish"], "'fish' is no card"),
        (
            ["rifle", "rifle", "--and", ""],
            "--and “”: write “2 machinegun” for the first group, or “1 tank at 3 truck”",
        ),
        (["rifle", "rifle", "--and", "0 rifle"], "The number of shooters must be 1 to 100"),
        (
            ["rifle", "rifle", "--and", "rifle at 0 rifle"],
            "The number of targets must be 1 to 9999",
        ),
        (["rifle", "rifle", "--and", "rifle at tank"], "A Rifle Guy hurts a Tank only in contact"),
        (["rifle", "rifle", "--count", "99", "--and", "2 cannon"], "101 shooters are too many"),
        (["rifle", "rifle", "--breaks", "0"], "--breaks must be 1 to 9999, not 0."),
        (["rifle", "rifle", "--quality", "green"], "--quality needs a machine gun"),
        (["rifle", "rifle", "--quality", "bad"], "There is no force quality “bad”; "),
        (["rifle", "rifle", "--rulings", "P18=x"], "rulings.P18: no answer 'x'; known are: "),
        (["rifle", "rifle", "--deck", "gone: 4H", "--die"], "Use either --deck or --die"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(ask: Ask, words: list[str], says: str) -> None:
    said = ask("odds", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(says)
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--deck", "gone: KS"], "KS is not in this deck"),
        (["--deck", "gone: 4H 4H"], "4H is gone twice"),
        (["--deck", "gone: " + " ".join(["4H"] * 49)], "49 cards are gone, but a deck"),
        (["--deck", "left: Q♠ Q♠"], "QS is left twice"),
        (["--distance", "40"], "40 in is out of range"),
    ],
)
def test_bad_input_is_a_sentence(ask: Ask, words: list[str], says: str) -> None:
    said = ask("odds", "rifle", "rifle", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(says)
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--distance", "abc"], "--distance takes a number, such as 6 or 2.5, not “abc”."),
        (["--count", "2.5"], "--count takes a whole number, such as 3, not “2.5”."),
        (["--targets", ""], "--targets takes a whole number, such as 3."),
        (["--phase", "one"], "--phase takes a whole number, such as 3, not “one”."),
        (["--breaks", "1e9"], "--breaks takes a whole number, such as 3, not “1e9”."),
    ],
)
def test_what_is_no_number_is_told_what_one_would_be(ask: Ask, words: list[str], says: str) -> None:
    said = ask("odds", "rifle", "rifle", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines()[0] == says


def test_a_wrong_unit_is_a_sentence(ask: Ask) -> None:
    said = ask("odds", "rifle", "\x1b[2J")
    assert (said.code, said.out) == (2, "")
    assert "\x1b" not in said.err
    assert said.err.startswith("There is no unit")


def test_rulings_are_named_in_one_way_whatever_the_command(ask: Ask, desk: Path) -> None:
    """Several with commas, again, or in a file; what comes later counts."""
    (desk / "ours.toml").write_text('[rulings]\nP18 = "ace_hits"\n')
    words = ("odds", "rifle", "rifle", "--cover", "--json", "--rulings")
    usual, ruled = ask(*words, "P18=colour_counts").json["hit"], ask(*words, "p18=ACE_HITS").json
    assert ask(*words, "ours.toml").json == ask(*words, "P2=half,P18=ace_hits").json == ruled
    assert usual != ruled["hit"]
    again = ask(*words, "ours.toml", "--rulings", "P18=colour_counts").json
    assert again["hit"] == usual
    beach = ("beach-head", "auto", "--games", "2")
    told = {ask(*beach, name, "printed,B7=tank").out for name in ("--rulings", "--readings")}
    assert len(told) == 1
