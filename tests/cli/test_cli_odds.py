"""``skirmish odds``: asked at the desk, answered without the app."""

from __future__ import annotations

from fractions import Fraction

import pytest
from at_the_desk import ROOT, Ask

from skirmish.cli.odds_lines import percent


def test_a_shot_in_cover_with_two_cards_gone(real: Ask) -> None:
    """Of 16 reds to the 8, the 4 of hearts is gone; 46 cards are left."""
    said = real("odds", "machinegun", "rifle", "--cover", "--deck", "gone: QS 4H")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "Machinegun Guy at Rifle Guy, 4 in, in cover, phase 2"
    assert "  46 cards are left." in lines
    assert "  Hit                32.6 %  15/46  ##########" in lines
    assert any(line.split() == ["Saved", "by", "cover", "34.8", "%", "16/46", "##########"]
               for line in lines)  # fmt: skip
    assert max(map(len, lines)) <= 80


def test_json_holds_exact_fractions(real: Ask) -> None:
    said = real("odds", "machinegun", "rifle", "--targets", "2", "--json")
    told = said.json
    assert (said.code, told["needs"], told["hit"]) == (0, 8, "2/3")
    assert (told["exact_figure"], told["broken"]) == ("1/12", "11/2256")
    volley = told["volley"]
    assert volley["kills"] == {"0": "1/3", "1": "32/141", "2": "62/141"}
    assert volley["at_least"] == {"0": "1", "1": "2/3", "2": "62/141"}
    assert Fraction(volley["expected"]) == Fraction(2, 3) + Fraction(62, 141)
    assert sum(map(Fraction, volley["lost"].values())) == 1


def test_a_volley_is_a_list_of_kills_with_bars(ask: Ask) -> None:
    out = ask("odds", "mg_jeep", "Rifle Guy", "--count", "3", "--targets", "4", "--die").out
    assert "With the d12." in out
    assert "3 MG Jeeps, 4 in reach: " in out
    lines = [line for line in out.splitlines() if " killed  " in line]
    assert len(lines) == 5
    assert all(line.rstrip("#").endswith("  ") for line in lines)
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
        (first, ("14/45", "31.1 %", "16/45", "35.6 %")),
        (second, ("33.3 %", "44.0 %", "22.7 %", "0.8 %", "1.11")),
        (third, ("58.3 %", "41.7 %")),
    ):
        plain, _, deck = words.partition("|")
        assert f"    skirmish {plain}" + (f' "{deck}"' if deck else "") in page.splitlines()
        out = ask(*plain.split(), *([deck] if deck else [])).out
        assert [part for part in told if part not in out] == []
        assert [part for part in told if part not in page] == []


def test_contact_is_phase_3_unless_it_is_said_otherwise(ask: Ask) -> None:
    by_distance = ask("odds", "rifle", "tank", "--distance", "0", "--json").json
    by_phase = ask("odds", "rifle", "tank", "--phase", "3", "--json").json
    assert by_distance == by_phase
    assert (by_phase["phase"], by_phase["distance"], by_phase["hit"]) == (3, 0, "1/3")


def test_an_empty_deck_is_shuffled_first(ask: Ask) -> None:
    gone = " ".join(f"{rank}{suit}" for rank in [*"A23456789JQ", "10"] for suit in "SHDC")
    out = ask("odds", "rifle", "rifle", "--deck", gone).out
    assert "All cards are gone: the deck is shuffled first." in out
    assert "20/48" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rifle", "rifle", "--distance", "40"], "40 in is out of range: the Rifle reaches 12 in."),
        (["rifle", "rifle", "--distance", "-3"], "A distance is 0 inches or more, not -3."),
        (["rifle", "rifle", "--distance", "nan"], "A distance is 0 inches or more, not nan."),
        (["rifle", "rifle", "--phase", "5"], "A turn has phases 1 to 4, not 5."),
        (["rifle", "rifle", "--distance", "0", "--phase", "2"], "In contact it may not fire"),
        (["rifle", "tank"], "A Rifle Guy hurts a Tank only in contact"),
        (["truck", "rifle"], "A Truck has nothing to fire with."),
        (["rifel", "rifle"], "There is no unit “rifel”; did you mean rifle?"),
        (["tank", "rifle", "--weapon", "bow"], "The Tank has no “bow”; "),
        (["rifle", "rifle", "--count", "0"], "1 to 100 fire, not 0."),
        (["rifle", "rifle", "--targets", "100"], "1 to 99 are in reach, not 100."),
        (["rifle", "rifle", "--deck", "gone: 4H 4H"], "4H is gone twice, but a deck has one"),
        (["rifle", "rifle", "--deck", "gone: KS"], "KS is not in this deck: it ends at QS."),
        (["rifle", "rifle", "--deck", "gone: fish"], "'fish' is no card"),
        (["rifle", "rifle", "--deck", "gone: 4H", "--die"], "A die has no cards that are gone"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(ask: Ask, words: list[str], says: str) -> None:
    said = ask("odds", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(says)
    assert said.err.count("\n") == 1


def test_a_wrong_unit_is_a_sentence_of_the_real_program(real: Ask) -> None:
    said = real("odds", "rifle", "\x1b[2J")
    assert (said.code, said.out) == (2, "")
    assert "\x1b" not in said.err
    assert said.err.startswith("There is no unit")


def test_no_chance_is_rounded_to_never_or_to_certainty() -> None:
    told = {Fraction(0): "0.0 %", Fraction(1): "100.0 %", Fraction(1, 3): "33.3 %"}
    told |= {Fraction(1, 9999): "<0.1 %", Fraction(9998, 9999): ">99.9 %"}
    assert {chance: percent(chance) for chance in told} == told
