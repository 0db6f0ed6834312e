"""Each answer to the live rulings B1 to B20 changes what it says, and only that."""

from __future__ import annotations

import pytest
from beach_table import at

OPEN = {"bunkers": 0, "walls": 0, "ditches": 0}
"""Nothing stands before the trenches."""


@pytest.mark.parametrize(("answer", "scored"), [("present", 2), ("rolled", 6)])
def test_b2_more_killed_than_ashore(answer: str, scored: int) -> None:
    table = at("defenders", squads=2, rulings={"B2": answer}).done("roll 3", "roll 6")
    assert (table.state.squads, table.state.casualties) == (0, scored)


@pytest.mark.parametrize(("answer", "scored"), [("present", 0), ("rolled", 4)])
def test_b2_nobody_ashore(answer: str, scored: int) -> None:
    steps = ["roll 3"] + ["roll 4"] * (answer == "rolled")
    table = at("defenders", rulings={"B2": answer}).done(*steps)
    assert (table.state.casualties, table.state.phase) == (scored, "artillery")


@pytest.mark.parametrize(("answer", "total"), [("instead", 2), ("cumulative", 1)])
def test_b3_half_and_all_bunkers(answer: str, total: int) -> None:
    table = at("defenders", defences={"bunkers": 0}, rulings={"B3": answer}).done("roll 4")
    assert table.totals == [total]
    half = at("defenders", defences={"bunkers": 30}, rulings={"B3": answer}).done("roll 4")
    assert half.totals == [3]


@pytest.mark.parametrize(("answer", "squads"), [("once", 10), ("each", 8)])
def test_b6_several_landing_craft_hit(answer: str, squads: int) -> None:
    table = at("lci", defences={"traps": 0}, craft_hit_last_turn=2, rulings={"B6": answer})
    assert table.done("roll 4 4 4").state.squads == squads


def test_b6_the_hits_of_a_turn_are_felt_in_the_next_and_no_longer() -> None:
    table = at("artillery").done("roll 6", "roll 6")
    assert table.state.craft_hit == 2, "inland artillery and shore guns"
    felt = at("tactical", craft_hit_last_turn=2, turn=5).state
    assert (felt.turn, felt.craft_hit_before, felt.craft_hit) == (5, 2, 0)
    over = at("support", craft_hit_last_turn=2).done("roll 1").state
    assert (over.turn, over.craft_hit_before) == (2, 0)


@pytest.mark.parametrize(("answer", "left"), [("phase", 55), ("tank", 50)])
def test_b7_one_roll_or_one_for_each_tank(answer: str, left: int) -> None:
    tanks = ["gun", "crab", "gun"]
    table = at("gun_tank", tanks=tanks, rulings={"B7": answer})
    table.done("roll 6", *["roll 6"] * (answer == "tank"))
    assert table["bunkers"] == left
    assert table.state.phase == "defenders"


def test_b7_tank_every_petard_has_its_own_craters() -> None:
    table = at("petard", tanks=["bridge", "fascine"], rulings={"B7": "tank"})
    table.done("aim walls", "roll 1", "roll 6", "aim walls", "roll 2", "roll 5")
    assert (table["walls"], table["ditches"]) == (17, 27)


@pytest.mark.parametrize("answer", ["also", "instead"])
def test_b9_the_engineers_second_roll(answer: str) -> None:
    table = at("engineers", defences=OPEN, rulings={"B9": answer})
    if answer == "also":
        assert table.refusal("aim trenches") == "no_target"
        table.done("aim wire", "roll 3", "roll 4")
        assert (table["wire"], table["trenches"]) == (17, 16)
    else:
        table.done("aim trenches", "roll 4")
        assert (table["wire"], table["trenches"]) == (20, 16)
    assert table.state.phase != "engineers"


def test_b9_instead_leaves_the_trenches_alone_while_a_wall_stands() -> None:
    table = at("engineers", defences={"bunkers": 0, "walls": 1}, rulings={"B9": "instead"})
    assert table.refusal("aim trenches") == "no_target"
    assert table.done("aim walls", "roll 4").totals == [4]
    assert table["trenches"] == 20


@pytest.mark.parametrize("answer", ["standing", "any"])
def test_b11_firing_at_what_is_gone(answer: str) -> None:
    table = at("lcs", defences={"walls": 0, "traps": 0}, rulings={"B11": answer})
    if answer == "standing":
        assert table.done("roll 5")["bunkers"] == 55
    else:
        table.done("aim walls", "roll 5")
        assert (table["bunkers"], table["walls"]) == (60, 0)


def test_b11_any_is_no_choice_where_nothing_stands_or_at_omaha() -> None:
    gone = at("lcs", defences={"walls": 0, "bunkers": 0}, rulings={"B11": "any"})
    assert gone.skipped()["lcs"] == "nothing_left"
    omaha = at("engineers", variant="omaha", rulings={"B11": "any"})
    assert omaha.refusal("aim ditches") == "no_target"


@pytest.mark.parametrize(("answer", "bunkers"), [("at_once", 58), ("next_turn", 60)])
def test_b12_through_the_wire_at_once(answer: str, bunkers: int) -> None:
    table = at("infantry", squads=5, defences={"wire": 2}, rulings={"B12": answer})
    table.done("roll 2", *["roll 3"] * (answer == "at_once"))
    assert (table["wire"], table["bunkers"]) == (0, bunkers)
    assert table.state.phase == "support"


def test_b12_next_turn_looks_at_the_start_of_this_phase_not_of_the_last() -> None:
    """The engineers cut the last wire, nobody plays until the infantry does."""
    table = at("engineers", squads=5, defences={"wire": 1}, rulings={"B12": "next_turn"})
    table.done("aim wire", "roll 1", "roll 6")
    assert table["bunkers"] == 55


@pytest.mark.parametrize("answer", ["random", "player"])
def test_b13_which_tank_meets_the_mine(answer: str) -> None:
    table = at("mines", tanks=["gun", "crab", "fascine"], rulings={"B13": answer}).do("roll 5")
    table.done("lot 2" if answer == "random" else "lose fascine")
    assert table.state.tanks == ("gun", "crab")


def test_b13_player_has_no_say_in_what_artillery_hits_and_spares_no_flail() -> None:
    table = at("artillery", tanks=["gun", "crab"], rulings={"B13": "player"}).done("roll 5")
    assert table.refusal("lose gun") == "not_now"
    assert table.do("lot 2").state.tanks == ("gun",)
    mined = at("mines", tanks=["gun", "crab", "fascine"], rulings={"B13": "player"}).done("roll 5")
    assert mined.refusal("lose crab") == "no_target"


@pytest.mark.parametrize(("answer", "ditches"), [("no_cap", 22), ("cap", 20)])
def test_b15_deeper_than_before(answer: str, ditches: int) -> None:
    given = {"tanks": ["bridge"], "rulings": {"B15": answer}}
    table = at("petard", defences={"ditches": 18}, **given).done("aim walls", "roll 1", "roll 6")
    assert table["ditches"] == ditches
    omaha = at("petard", variant="omaha", **given).done("aim walls", "roll 1")
    assert (omaha["ditches"], omaha.state.phase) == (0, "infantry")


@pytest.mark.parametrize(("answer", "squads"), [("now", 12), ("turn_start", 11)])
def test_b17_when_tank_traps_hinder(answer: str, squads: int) -> None:
    given = {"defences": {"traps": 0}, "turn_began": {"traps": 3}, "rulings": {"B17": answer}}
    assert at("lci", **given).done("roll 4 4 4").state.squads == squads
    flails = at("flail", tanks=["crab"], **given).done("aim wire", "roll 6")
    assert flails.totals == [6 if answer == "now" else 4]


@pytest.mark.parametrize("answer", ["at_once", "end_phase"])
def test_b18_when_the_game_ends(answer: str) -> None:
    last = OPEN | {"trenches": 1, "wire": 0}
    table = at("infantry", squads=5, defences=last, rulings={"B18": answer}).done("roll 1")
    assert table.state.over is (answer == "at_once")
    if answer == "end_phase":
        table.done("roll 1")  # fire support comes to nothing, destroyers are not there
        assert table.state.over
    assert table.state.phase == ("infantry" if answer == "at_once" else "end")


def test_b18_end_phase_lets_the_germans_fire_once_more() -> None:
    last = OPEN | {"trenches": 1}
    table = at("gun_tank", tanks=["gun"], squads=9, defences=last, rulings={"B18": "end_phase"})
    table.done("roll 6", "roll 6", "roll 5")
    assert (table["trenches"], table.state.casualties, table.state.over) == (0, 5, False)


@pytest.mark.parametrize("answer", ["after", "before"])
def test_b19_when_cards_are_played(answer: str) -> None:
    table = at("frogman", hand="10H", rulings={"B19": answer})
    if answer == "after":
        table.done("roll 1", "play 10H")
    else:
        assert table.state.ask is None, "the dice wait for a card"
        table.done("play 10H", "go", "roll 1")
    assert table.totals == [3]


def test_b19_before_means_not_after() -> None:
    table = at("frogman", hand="10H JS", rulings={"B19": "before"}, version=1)
    assert table.refusal("play JS") == "nothing_rolled"
    table.do("go", "roll 1")
    assert table.refusal("play 10H") == "too_late"
