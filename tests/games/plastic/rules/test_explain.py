"""What a player is told of a shot: the number, each reason, the draw, the result."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish import library
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.explanation import aim_words, explain, without_draw
from skirmish.games.plastic.rules.shot import (
    Aim,
    Circumstances,
    Shot,
    aim,
    judge,
    ranks_that_hit,
    why_not,
)
from skirmish.tabletop.chance import Draw, parse_card

CATALOG = library.catalog()
BOOK = library.rulings()


def aimed(
    shooter: str,
    target: str,
    weapon: str | None = None,
    nation: str | None = None,
    rulings: dict[str, str] | None = None,
    **at: Any,
) -> Aim:
    chosen = BOOK.answered(rulings or {})
    unit = CATALOG.units[shooter]
    shot = Shot(
        shooter=unit,
        weapon=CATALOG.weapons[weapon] if weapon else CATALOG.weapons_of(unit, chosen)[0],
        target=CATALOG.units[target],
        circumstances=Circumstances(**{"distance": 6, **at}),
        nation=CATALOG.nations[nation] if nation else None,
    )
    assert why_not(shot, CATALOG, chosen) is None
    return aim(shot, CATALOG, chosen)


def told(a: Aim, first: str | int, second: str | int | None = None) -> str:
    def draw(written: str | int) -> Draw:
        return parse_card(written) if isinstance(written, str) else Draw(written)

    more = None if second is None else draw(second)
    return explain(a, draw(first), more, judge(a, draw(first), more))


def test_a_hit_tells_number_draw_and_whose_choice_it_is() -> None:
    assert told(aimed("rifle", "rifle"), "5H") == (
        "Rifle against guys: A-5. 5 of hearts: hit. "
        "The defender may choose another man of the group."
    )


def test_a_miss_ends_with_the_miss() -> None:
    assert told(aimed("rifle", "rifle"), "6H") == "Rifle against guys: A-5. 6 of hearts: miss."


def test_a_roll_is_told_as_a_roll() -> None:
    assert "A roll of 6: miss." in told(aimed("rifle", "rifle"), 6)


def test_a_dead_model_leaves_nothing_to_choose() -> None:
    assert told(aimed("cannon", "tank"), "3S") == "Cannon against armor: A-5. 3 of spades: hit."


@pytest.mark.parametrize(
    ("at", "draw", "reason"),
    [
        ({"distance": 3}, "5H", "within 3 in"),
        ({"grouped": False}, "5H", "he is in no group"),
        ({"distance": 0, "touching": True, "phase": 3}, "5H", "in contact"),
        ({}, "AH", "an ace"),
        ({"distance": 2, "grouped": False}, "AS", "an ace"),
    ],
)
def test_the_man_aimed_at_dies_and_it_says_why(at: dict[str, Any], draw: str, reason: str) -> None:
    """Removing Dead Guys."""
    assert told(aimed("rifle", "rifle", **at), draw).endswith(f"The man aimed at dies ({reason}).")


def test_a_hit_beyond_three_inches_leaves_the_defender_the_choice() -> None:
    """Removing Dead Guys."""
    assert told(aimed("rifle", "rifle", distance=3.5), "5H").endswith("another man of the group.")


def test_a_sniper_kills_the_man_he_names() -> None:
    """Sniper Guys."""
    assert "(a sniper kills the man he names)" in told(aimed("sniper", "rifle", distance=20), "2H")


@pytest.mark.parametrize(
    ("draw", "ending"),
    [
        ("4S", "4 of spades would hit, but the target is in cover: black does not hit."),
        (4, "A roll of 4 would hit, but the target is in cover: an even roll does not hit."),
        ("8S", "8 of spades: miss."),
    ],
)
def test_a_hit_that_cover_stops_says_so_and_a_plain_miss_does_not(
    draw: str | int, ending: str
) -> None:
    """Cover."""
    assert told(aimed("rifle", "rifle", cover=True), draw).endswith(ending)


def test_hull_down_is_named_and_its_die_numbers_follow_the_ruling() -> None:
    """Hull Down, P17."""
    front = aimed("cannon", "tank", hull_down=True)
    assert told(front, "4C").endswith("is hull down: black does not hit.")
    assert told(front, 4).endswith("is hull down: an even roll does not hit.")
    high = aimed("cannon", "tank", hull_down=True, rear=True, rulings={"P17": "high"})
    assert told(high, 8).endswith("is hull down: 7 to 12 does not hit.")
    assert told(high, 4).endswith("A roll of 4: hit.")


@pytest.mark.parametrize(
    ("shot", "number"),
    [
        (aimed("cannon", "tiger"), "Cannon against armor: A-5; against a Tiger Tank: A-3."),
        (
            aimed("cannon", "tiger", rear=True),
            "Cannon against armor: A-5; against a Tiger Tank: A-3; from behind: A-6.",
        ),
        (aimed("cannon", "tank", rear=True), "Cannon against armor: A-5; from behind: A-8."),
        (aimed("eighty_eight", "tiger"), "88 against armor: A-9."),
        (
            aimed("eighty_eight", "tiger", rulings={"P6": "as_regular_tank"}),
            "88 against armor: A-9; a Tiger counts as a regular tank (P6): A-5.",
        ),
        (
            aimed("flamethrower", "small_pillbox"),
            "Flamethrower against armor: A-4; against a Small Pillbox: A-10.",
        ),
        (
            aimed("machinegun", "rifle", touching=True, phase=3),
            "Machinegun in contact fights as a rifle: A-5.",
        ),
        (
            aimed("bazooka", "rifle", nation="japanese", touching=True, phase=4),
            "Bazooka in contact fights as a rifle: A-5; Japanese rifles in close combat: A-8.",
        ),
        (
            aimed("cannon", "landing_craft", rulings={"P3": "unarmored"}),
            "Cannon against unarmored models: A-9.",
        ),
    ],
)
def test_every_thing_that_changed_the_number_is_told_in_its_order(shot: Aim, number: str) -> None:
    assert aim_words(shot) == number
    assert told(shot, "10H").startswith(number)


def test_a_better_number_from_behind_is_not_told_where_it_changes_nothing() -> None:
    """P7: an 88 keeps its nine."""
    assert aim_words(aimed("eighty_eight", "tank", rear=True)) == "88 against armor: A-9."


def test_before_the_draw_it_says_what_could_still_save_the_target() -> None:
    both = aimed("machinegun", "cannon", cover=True, hull_down=True)
    assert aim_words(both) == (
        "Machinegun against unarmored models: A-3; in cover black does not hit; "
        "hull down, black does not hit."
    )


def test_cover_that_does_not_count_is_not_mentioned() -> None:
    """Cover: bullets only."""
    assert aim_words(aimed("mortar", "rifle", cover=True)) == "Mortar against guys: A-5."


@pytest.mark.parametrize(
    ("shooter", "target", "second", "ending"),
    [
        ("machinegun", "rifle", None, "Breakdown: draw again."),
        ("machinegun", "rifle", "2H", "Breakdown draw, 2 of hearts: the weapon holds."),
        (
            "machinegun",
            "rifle",
            "2S",
            "Breakdown draw, 2 of spades: he fights on as a rifleman.",
        ),
        ("cannon", "tank", "2S", "Breakdown draw, 2 of spades: it is lost."),
        ("rifle", "rifle", None, "Queen of spades: miss."),
        ("engineer", "rifle", None, "Queen of spades: miss."),
    ],
)
def test_the_queen_of_spades_asks_for_another_draw(
    shooter: str, target: str, second: str | None, ending: str
) -> None:
    """Breakdowns, P53."""
    assert told(aimed(shooter, target), "QS", second).endswith(ending)


def test_a_twelve_asks_for_another_roll() -> None:
    shot = aimed("machinegun", "rifle")
    twelve = Draw(12)
    assert explain(shot, twelve, None, judge(shot, twelve)).endswith("Breakdown: roll again.")


def test_a_run_is_written_as_the_rules_print_it() -> None:
    assert [ranks_that_hit(1), ranks_that_hit(2), ranks_that_hit(10)] == ["A", "A-2", "A-10"]


@given(
    st.sampled_from(["rifle", "machinegun", "mortar", "grenade", "cannon", "sniper"]),
    st.sampled_from(["rifle", "cannon", "jeep"]),
    st.sampled_from([*DECK, *(Draw(rank) for rank in range(1, 13))]),
    st.booleans(),
    st.booleans(),
)
def test_every_explanation_holds_number_draw_and_result(
    shooter: str, target: str, draw: Draw, cover: bool, grouped: bool
) -> None:
    shot = aimed(shooter, target, cover=cover, grouped=grouped)
    verdict = judge(shot, draw)
    text = explain(shot, draw, None, verdict)
    assert ranks_that_hit(shot.needs) in text
    assert draw.words in text.lower()
    assert (": hit." in text) == verdict.hit
    assert ("does not hit" in text) == (verdict.saved_by is not None)
    assert (": miss." in text) == (not verdict.hit and verdict.saved_by is None)
    assert text.endswith(".")
    assert "  " not in text
    beside = without_draw(text, draw)  # what stands below the draw and HIT or MISS
    assert draw.words not in beside.lower()
    assert ranks_that_hit(shot.needs) in beside
    assert "hit." not in beside.replace("does not hit.", "")
    assert ("does not hit" in beside) == (verdict.saved_by is not None)
    assert "  " not in beside
    assert beside.endswith(".")


def test_with_a_die_it_is_even_rolls_and_not_black_that_are_told() -> None:
    both = aimed("machinegun", "cannon", cover=True, hull_down=True)
    assert aim_words(both, die=True).endswith(
        "in cover an even roll does not hit; hull down, an even roll does not hit."
    )
    high = msgspec.structs.replace(both, die_saves_from=7)
    assert aim_words(high, die=True).endswith("hull down, 7 to 12 does not hit.")


def test_what_a_breakdown_test_comes_to_is_a_sentence_beside_what_missed() -> None:
    says = "The queen of spades missed. Breakdown draw, 3 of diamonds: the weapon holds."
    draw = Draw(3, "D")
    assert without_draw(says, draw) == "The queen of spades missed. The weapon holds."
