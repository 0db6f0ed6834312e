"""The rules of Omaha as they are played: each order as it is typed, and what the journal says."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from omaha_table import GAME, begun, give, order, phase, table, unit

from skirmish.games.omaha.commands.german_fire import BatteryFire, batteries_to_fire
from skirmish.games.omaha.orders import EnterUnits, MoveUnits, Occupy
from skirmish.tabletop.commands import read
from skirmish.tabletop.companion.table_orders import CorrectCounter, TakeCounters
from skirmish.tabletop.companion.table_state import distance_key
from skirmish.tabletop.page import Facts
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import UnfitAnswer

# Americans: a 1/B and b 2/B in K7, c 3/B in L8, d 1/A (tanks) in L9, e Ranger in J8, f Team in L8.
# Germans: a 1/352 and 2/352 in J7 (a fortification), b the 88 in K1 (another).


def steps(play: Any) -> dict[str, int]:
    return {one.name: one.steps for one in play.state.counters.where(side="german") if one.place}


# ------------------------------------------------------------------ fire


def test_factors_add_up_and_every_shift_has_its_line() -> None:
    said = give(table(), "f ab", "a 1 2")
    assert "1/B and 2/B fire at J7 (1/352 and 2/352): 12 factors, fortification: 1 left" in said
    assert "adjacent: 1 right: column 12. Roll 2: D." in said
    assert "1/352: disrupted. 2/352: disrupted." in said


def test_disrupted_twice_is_a_step() -> None:
    play = table(("f ab", "a 1 2"))
    assert "1/352: 1 step lost, 1 left. 2/352: 1 step lost, 1 left." in give(play, "f c", "a 1 1")


def test_every_unit_loses_one_before_any_loses_two_and_the_owner_chooses() -> None:
    play = table(("f ab", "a 1 n n 1"))  # 24 factors: L2
    assert steps(play) == {"1/352": 1, "2/352": 1, "88": 2}
    play = table(("f ab", "a 1 1"))
    prompt = GAME.prompt(play.state)
    assert prompt.slots[0].text == "Which of them loses a step (1 of 2)?"
    assert give(play, "b") == "2/352: 1 step lost, 1 left."
    assert steps(play) == {"1/352": 2, "2/352": 1, "88": 2}
    with pytest.raises(Refused, match="Answer the question first"):
        order(table(("f ab", "a 1 1")), MoveUnits(units=("1-b",), place="K6"))


def test_beyond_the_printed_range_factors_are_halved_and_twice_the_range_is_the_end() -> None:
    play = table()
    with pytest.raises(UnfitAnswer, match="1/A reaches 8 hexes, not 9"):
        give(play, "f d", "b 9 1")
    said = give(play, "f c", "a 5 n 2")
    assert "3/B fires at J7 (1/352 and 2/352): 9 factors" in said


@pytest.mark.parametrize(("answer", "factors"), [("down", "6"), ("kept", "7")])
def test_halves_are_rounded_down_or_kept_as_m3_says(answer: str, factors: str) -> None:
    play = table(M3=answer)
    from msgspec.structs import replace

    from skirmish.tabletop.companion.table_orders import TakeCounters

    odd = [replace(one, ratings=one.ratings | {"he": 7}) for one in
           (unit(play, "1/B"), unit(play, "3/B"))]  # fmt: skip
    order(play, TakeCounters(counters=tuple(odd)))
    assert f": {factors} factors" in give(play, "f ac", "a 5 5 w w 1")


def test_only_a_company_combines_and_support_with_its_own_hex() -> None:
    play = table()
    with pytest.raises(UnfitAnswer, match="Only units of one company combine"):
        give(play, "f ad")
    with pytest.raises(UnfitAnswer, match="Only units of one company"):
        give(play, "f af")  # the team stands with 3/B, not with 1/B
    assert "3/B and Team fire at" in give(play, "f cf", "a 2 3")
    assert "1/A fires at" in give(play, "f d", "a 3 3")


def test_units_of_a_hex_combine_against_one_target() -> None:
    play = table(("f a", "a 1 6"))
    with pytest.raises(Refused, match="K7 has fired at that already"):
        give(play, "f b", "a 5")
    assert "Roll 6: NE" in give(play, "f b", "b 3 n n 6")


def test_whoever_has_fired_does_not_fire_again_until_his_own_recovery() -> None:
    play = table(("f a", "b 3 n n 6"))
    with pytest.raises(UnfitAnswer, match="1/B has fired"):
        give(play, "f a")
    phase(play, "german_fire")
    assert unit(play, "1/B").has("fired")
    phase(play, "us_fire")
    assert not unit(play, "1/B").has("fired")


def test_armor_is_taken_from_the_armor_piercing_factors() -> None:
    play = tanks()
    said = give(play, "f bc", "a h 2 3 1")
    assert "fire at A6 (1/916th AT and 2/916th AT): 5 factors" in said


def test_one_of_several_tanks_is_the_target_as_m2_says() -> None:
    said = give(tanks(M2="one"), "f bc", "a h b 2 3 1")
    assert "fire at A6 (2/916th AT): 6 factors" in said


def tanks(**rulings: str) -> Any:
    """Two tanks of armor 3 and 2 in A6 with the 88; 2/B and 3/B alone are to fire."""
    from msgspec.structs import replace

    from skirmish.tabletop.companion.table_orders import TakeCounters

    play = table(**rulings)
    both = [replace(unit(play, f"{at}/916th AT"), place="A6", flags=(),
                    ratings=unit(play, "1/916th AT").ratings | {"armor": 4 - at})
            for at in (1, 2)]  # fmt: skip
    gun = replace(unit(play, "88"), place="A6")
    away = [replace(unit(play, name), place="") for name in ("1/352", "2/352")]
    gone = [replace(one, steps=0) for one in away]
    order(play, TakeCounters(counters=(*both, gun, *gone)))
    return play


def test_naval_guns_alone_hit_soft_and_hard_and_tanks_are_only_disrupted() -> None:
    play = tanks()
    said = give(play, "f n", "a n n n 1")  # 24 factors
    assert "Naval gunfire fires at A6 (1/916th AT, 2/916th AT and 88): 24 factors" in said
    assert "88: 2 steps lost, eliminated." in said
    assert unit(play, "1/916th AT").steps == 2
    assert unit(play, "1/916th AT").has("disrupted")
    with pytest.raises(UnfitAnswer):
        give(play, "f n")


def test_naval_packets_are_four_in_a_fire_phase() -> None:
    play = table(("f n", "a n n 6"))
    assert play.state.tracks["navy"].value == 1
    phase(play, "us_fire", turn=3)
    assert play.state.tracks["navy"].value == 4


def test_what_stands_in_a_hex_and_how_far_it_is_are_asked_once() -> None:
    play = table(("f c", "a 2 w n n 3"))
    assert play.state.ground["J7"] == ("fortification", "woods")
    assert play.state.distance("L8", "J7") == 2
    phase(play, "us_fire", turn=3)
    said = give(play, "f c", "a n n 3")  # no distance is asked
    assert "18 factors, woods: 1 left, fortification: 1 left: column 6" in said


# ------------------------------------------------------------------ movement and op fire


def test_op_fire_hits_the_movers_once_in_a_hex_and_stops_them() -> None:
    play = table()
    phase(play, "us_movement")
    assert give(play, "m c", "k8") == "3/B: to K8."
    said = give(play, "f a", "b 1 2")
    assert (
        "1/352 fires at K8 (3/B): 6 factors, adjacent: 1 right, opportunity fire: 1 right" in said
    )
    assert "column 18. Roll 2: L1" in said
    with pytest.raises(Refused, match="They were fired at in this hex"):
        give(play, "f c", "b 2 1")
    with pytest.raises(UnfitAnswer, match="3/B is disrupted"):
        give(play, "m c")
    assert give(play, "m f", "k8") == "Team: to K8."
    assert "fires at K8 (Team)" in give(play, "f c", "b 2 6")


def test_two_may_stack_and_engineers_do_not_count() -> None:
    play = table()
    phase(play, "us_movement")
    with pytest.raises(Refused, match="K7 would hold 3 units; at most 2 may stand there"):
        give(play, "m c", "k7")
    assert give(play, "m f", "k7") == "Team: to K7."
    with pytest.raises(Refused, match="1/352 is in J7; nobody enters an enemy's hex"):
        give(play, "m c", "j7")


def test_the_last_to_enter_holds_a_victory_hex() -> None:
    play = table()
    phase(play, "us_movement")
    assert give(play, "m e", "h5") == "Ranger: to H5. H5 is American."
    assert play.state.points("us") == 1
    assert GAME.headline(play.state).endswith("1:5 (Germans ahead)")
    assert give(play, "v a b") == "H5 is German."
    for hexes, result in ((3, "draw"), (5, "minor American victory"), (6, "significant Am")):
        for key in "abcdef"[:hexes]:
            give(play, f"v {key} a")
        assert play.state.result().startswith(result)


def test_whoever_lands_neither_moves_nor_fires_and_tanks_fire() -> None:
    play = begun(chance="own", players="two")
    give(play, "c a", "1/352", "K7")
    give(play, "c d", "1/B", "L6")
    give(play, "c h", "1/A", "L9")
    phase(play, "us_fire")
    with pytest.raises(UnfitAnswer, match="1/B has just landed"):
        give(play, "f a")
    assert "1/A fires at" in give(play, "f b", "a 8 4 3 n 6")
    phase(play, "us_movement")
    with pytest.raises(UnfitAnswer, match="1/B has just landed"):
        give(play, "m a")
    phase(play, "us_assault")  # the text forbids it to move and to fire
    assert "1/B assaults K7" in give(play, "a a", "a 5 5 1")


def test_one_unit_lands_in_a_hex_and_engineers_do_not_count() -> None:
    play = begun(chance="own", players="two")
    give(play, "c d", "1/B", "L6")
    with pytest.raises(Refused, match="L6 would hold 2 units; at most 1 may stand there"):
        give(play, "c d", "2/B", "L6")
    give(play, "c g", "Team", "L6")


def test_what_is_set_by_hand_is_a_hex_of_the_map() -> None:
    play = table()
    assert give(play, "M h k6").startswith("1/B: to K6")
    assert unit(play, "1/B").place == "K6"


def test_a_rating_that_was_misread_is_set_right() -> None:
    play = table()
    assert give(play, "E h a 7") == "1/B: HE 7 (by hand)."
    assert unit(play, "1/B").rating("he") == 7
    order(play, CorrectCounter(counter=unit(play, "1/B").id, steps=1))
    give(play, "E h a 2")  # of the side that is up
    assert (unit(play, "1/B").rating("he"), unit(play, "1/B").ratings["he"]) == (2, 7)


# ------------------------------------------------------------------ assault


def test_an_assault_by_odds_with_retreat_and_advance() -> None:
    play = table(("f c", "a 2 n n n 3"))  # disrupts both in J7
    phase(play, "us_assault")
    said = give(play, "a ab", "a 1")
    assert "1/B and 2/B assault J7 (1/352 and 2/352): 10:10, fortification: 1 left" in said
    assert "a defender is disrupted: 2 right: column 2-1. Roll 1: DR." in said
    assert give(play, "j6") == "1/352: back to J6."
    assert give(play, "i6") == "2/352: back to I6."
    assert give(play, "a") == "1/B: into J7."
    assert steps(play) == {"1/352": 1, "2/352": 1, "88": 2}
    assert (unit(play, "1/352").place, unit(play, "2/352").place) == ("J6", "I6")


def test_only_those_who_assaulted_occupy_the_hex_whoever_else_is_named() -> None:
    play = table(("f c", "a 2 n n n 3"))
    phase(play, "us_assault")
    for lines in ("a ab", "a 1"), ("j6",), ("i6",):
        give(play, *lines)
    attacker, bystander = unit(play, "1/B").id, unit(play, "3/B").id
    assert order(play, Occupy(units=(attacker, bystander))) == "1/B: into J7."
    assert unit(play, "3/B").place == "L8"


def test_who_cannot_retreat_is_eliminated() -> None:
    play = table(("f c", "a 2 n n n 3"))
    phase(play, "us_assault")
    give(play, "a ab", "a 1")
    assert give(play, "x") == "1/352: 1 step lost, eliminated."
    assert give(play, "j6") == "2/352: back to J6."
    assert steps(play) == {"2/352": 1, "88": 2}


@pytest.mark.parametrize(("roll", "left"), [(1, [1, 1]), (2, [2, 2]), (4, [2, 2])])
def test_attackers_retreat_or_are_eliminated(roll: int, left: list[int]) -> None:
    play = table()
    phase(play, "us_assault")
    give(play, "a ab", f"a {roll}")  # 1-1 behind a fortification: 1-2
    assert [unit(play, name).steps for name in ("1/352", "2/352")] == left
    wanted = {1: [2, 2], 2: [1, 1], 4: [0, 0]}[roll]
    assert [unit(play, name).steps for name in ("1/B", "2/B")] == wanted


def test_only_rangers_assault_across_a_crest_and_who_fired_does_not() -> None:
    play = table(("f a", "b 3 n n 6"))
    phase(play, "us_assault")
    with pytest.raises(UnfitAnswer, match="1/B has fired"):
        give(play, "a a")
    with pytest.raises(Refused, match="2/B is no Ranger"):
        give(play, "a b", "a k 1")
    with pytest.raises(Refused, match="less than 1-2"):
        give(play, "a e", "a k 1")


# ------------------------------------------------------------------ recovery, cards, reinforcements


def test_all_of_a_side_recover_in_one_batch_each_by_its_own_number() -> None:
    play = table()
    for name in "a", "c", "e":
        give(play, f"K {'hjl'['ace'.index(name)]} b")
    assert names_of(play, "disrupted") == ["1/B", "3/B", "Ranger"]
    phase(play, "card", turn=3)
    give(play, "space a")
    disrupted = play.state.units("us", flag="disrupted")
    said = give(play, f"space {'5' * len(disrupted)}")
    assert "Ranger recovers (5)" in said
    assert "1/B stays disrupted (5)" in said


def names_of(play: Any, flag: str) -> list[str]:
    return [one.name for one in play.state.units(flag=flag)]


def test_a_card_brings_the_tanks_in_the_german_movement() -> None:
    play = table()
    phase(play, "card", turn=3)
    assert give(play, "space b").startswith("German Panzers!!: All units of the 916th AT enter")
    with pytest.raises(Refused, match="enters in the German movement"):
        order(play, MoveUnits(units=("1-916th-at",), place="A6"))
    phase(play, "german_movement")
    assert "916th AT" in [one.company for one in play.state.due()]
    assert give(play, "m ab", "a6") == "1/916th AT and 2/916th AT: to A6."
    phase(play, "card")
    assert give(play, "space b").startswith("German Panzers!!: All units of the 916th AT enter "
        "this turn, at A6, A10 or A13. It was drawn before; nothing more comes.")  # fmt: skip


def test_a_card_brings_them_at_once_as_m16_says() -> None:
    play = table(M16="now")
    phase(play, "card", turn=3)
    give(play, "space b")
    assert "to A6." in order(play, MoveUnits(units=("1-916th-at",), place="A6"))


@pytest.mark.parametrize(
    ("drawn", "ruling", "comes"),
    [(1, "nothing", 3), (3, "nothing", 3), (4, "nothing", 5), (4, "now", 4), (0, "now", 5)],
)
def test_quick_reaction_brings_2_916_two_turns_early(drawn: int, ruling: str, comes: int) -> None:
    play = begun(chance="own", players="two", M17=ruling)
    give(play, "c a", "1/352", "J7")
    give(play, "space")
    if drawn:
        phase(play, "card", turn=drawn)
        give(play, "space d")
    due = [one for one in play.state.setup.scenario.arrivals if one.company == "2/916"]
    assert play.state.turn_of_arrival(due[0]) == comes


def test_reinforcements_come_on_turns_3_and_5() -> None:
    play = table()
    assert not play.state.due()
    with pytest.raises(Refused, match="not due yet"):
        give(play, "c j", "1/A/116", "L3")
    phase(play, "us_recovery", turn=3)
    assert [one.company for one in play.state.due()] == ["A/116", "C/2 Rangers", "C/743"]
    with pytest.raises(Refused, match="not due yet"):  # they land after the recovery
        give(play, "c j", "1/A/116", "L3")
    phase(play, "us_fire")
    give(play, "c j", "1/A/116", "L3")
    assert unit(play, "1/A/116").has("just landed")
    phase(play, "german_recovery", turn=5)
    assert [one.company for one in play.state.due()] == ["C/2 Rangers", "C/743", "2/916"]


def test_reinforcements_that_nobody_has_typed_in_wait_until_somebody_does() -> None:
    play = table()
    phase(play, "us_fire", turn=3)
    give(play, "c j", "1/A/116", "L3")
    phase(play, "us_fire", turn=4)
    assert str(GAME.due(play)).count("C/2 Rangers, C/743") == 1  # A/116 is there
    give(play, "c k", "C/2 Rangers", "L4")
    assert unit(play, "C/2 Rangers").has("just landed")
    assert [one.company for one in play.state.due()] == ["C/743"]


def test_who_lands_has_just_landed_whomever_the_player_names_first() -> None:
    play = table()
    give(play, "c j", "1/A/116", "")
    phase(play, "us_movement", turn=3)
    order(play, MoveUnits(units=("team", "1-a-116"), place="L4"))
    assert unit(play, "1/A/116").has("just landed")
    assert not unit(play, "Team").has("just landed")


def test_air_power_is_for_one_attack_of_its_turn() -> None:
    play = table()
    phase(play, "card", turn=3)
    give(play, "space e")
    phase(play, "us_fire")
    assert ": 12 factors" in give(play, "f c", "a 2 p 3")
    assert play.state.air_attacks_left("us") == 0
    phase(play, "card", turn=4)
    give(play, "space e")
    phase(play, "card", turn=5)
    assert play.state.air_attacks_left("us") == 0


@pytest.mark.parametrize(("answer", "holder"), [("german", "german"), ("nobody", "")])
def test_who_holds_the_victory_hexes_at_first_is_m24(answer: str, holder: str) -> None:
    assert set(begun(M24=answer).state.control.values()) == {holder}


@pytest.mark.parametrize(("answer", "drawn"), [("card", 1), ("die", 0)])
def test_german_recovery_uses_up_cards_as_m27_says(answer: str, drawn: int) -> None:
    play = begun(chance="cards", players="two", M27=answer)
    give(play, "c a", "1/352", "J7")
    give(play, "K e b")
    give(play, "space")
    while play.state.phase_id != "german_recovery":
        give(play, "space")
    before = len(play.state.cups["deck"].drawn)
    give(play, "space")
    assert len(play.state.cups["deck"].drawn) == before + drawn


def test_the_deck_is_as_its_owner_typed_it_and_is_shuffled_when_it_is_empty() -> None:
    deck = {f"card_{one.id}": "" for one in GAME.file.cards}
    play = begun(chance="cards", players="two", **deck | {"card_none": "1 ?"})
    assert play.state.cups["deck"].unseen == ("none 1", "none ?")
    give(play, "space")
    said = ""
    for _ in range(3):
        while play.state.phase_id != "card":
            give(play, "space")
        said = give(play, "space")
    assert said.startswith("2 are in the deck again. No event")


def test_without_any_card_the_die_gives_the_numbers() -> None:
    deck = {f"card_{one.id}": "" for one in GAME.file.cards}
    play = begun(chance="cards", players="two", **deck)
    give(play, "c a", "1/352", "J7")
    give(play, "K e b")
    give(play, "space")
    assert give(play, "space b").startswith("German Panzers!!")
    while play.state.phase_id != "german_recovery":
        give(play, "space")
    assert "1/352" in give(play, "space")


# ------------------------------------------------------------------ Vierville, the end, the German


def test_the_counterattack_counts_points_and_may_begin_with_the_germans() -> None:
    play = begun(scenario="vierville", first="german", players="two", chance="own")
    assert [phase.id for phase in play.state.sequence.phases][1] == "german_recovery"
    assert [card.id for card in play.state.setup.cards] == ["none", "german_air", "us_air"]
    assert play.state.result() == "draw"
    give(play, "v d a")
    assert (play.state.points("us"), play.state.result()) == (3, "American victory")
    assert give(play, "m abe", "b7") == "1/B/116, 2/B/116 and Engineer platoon: to B7."


def test_the_evening_ends_after_its_last_turn() -> None:
    play = table(turns=2)
    phase(play, "german_assault")
    assert give(play, "space") == "The game is over: German victory."
    assert GAME.over(play.state)
    assert GAME.headline(play.state) == "Over, 0:6 (German victory)"


def test_the_german_fires_at_the_nearest_and_between_two_at_the_most_he() -> None:
    play = table(solitaire=True)
    phase(play, "german_fire")
    assert "fire at K7 (1/B and 2/B), the nearest, 1 hex away" in give(play, "g a", "1a3b", "6")
    phase(play, "german_fire", turn=3)
    said = give(play, "g a", "1a1d", "6")  # K7 has two of HE 6, J8 one
    assert "fire at K7 (1/B and 2/B), as near as J8, and with more HE" in said


def test_what_the_german_sees_is_asked_once_and_proposed_from_then_on() -> None:
    play = table(solitaire=True)
    phase(play, "german_fire")
    give(play, "g a", "1a3b", "6")
    phase(play, "german_fire", turn=3)
    draft = read(None, GAME.commands(play.state), "g a")
    assert draft.slot is not None
    assert draft.slot.proposed == {}  # of two hexes nothing is known yet
    give(play, "g a", "1a3b4c4d", "6")
    phase(play, "german_fire", turn=4)
    draft = read(None, GAME.commands(play.state), "g a")
    assert draft.slot is not None
    assert draft.slot.shown(draft.slot.proposed).startswith("1 K7 (1/B and 2/B), 3 L8 (3/B and ")
    assert "fire at K7 (1/B and 2/B), the nearest, 1 hex away" in give(play, "g a", "", "6")


def test_units_of_a_hex_fire_together_whatever_their_company() -> None:
    play = table(("c 0 g i", "1/916", "1/1/916", "J6"))
    order(play, TakeCounters(counters=(
        replace(unit(play, "1/1/916"), place="J7", ratings={"he": 4, "range": 2}),
        replace(unit(play, "2/352"), place="J6"),
    )))  # fmt: skip
    phase(play, "german_fire")
    assert "1/352 and 1/1/916 fire at K7" in give(play, "f ad", "a 1 6")
    play = table(("c 0 g i", "1/916", "1/1/916", "J6"), solitaire=True)
    here = replace(unit(play, "1/1/916"), place="J7", ratings={"he": 4, "range": 2})
    order(play, TakeCounters(counters=(here, replace(unit(play, "2/352"), place="J6"))))
    phase(play, "german_fire")
    assert "1/352 and 1/1/916 fire at K7" in give(play, "g a", "1a", "6")
    phase(play, "german_fire", turn=3)
    assert "1/352 fires at L8" in give(play, "g a", "4b", "6")  # 1/1/916 reaches 2 hexes


def test_german_infantry_has_the_companies_that_stand_in_its_names() -> None:
    play = begun(chance="own", players="two")
    give(play, "c a", "1/1/916, HVY/1/916, 1/3/916, Squad", "")
    groups = [one.group for one in play.state.counters.where(side="german") if one.kind != "armor"]
    assert groups == ["1/916", "1/916", "3/916", "German infantry"]
    give(play, "c 0 g i", "352", "1/352", "J7")
    assert len(play.state.entered(play.state.setup.scenario.arrival("German infantry"))) == 5


def test_names_are_typed_and_not_cut() -> None:
    play = begun(chance="own", players="two")
    for names, why in ((", ,", "Type a name"), ("x" * 41, "at most 40 letters")):
        with pytest.raises(UnfitAnswer, match=why):
            give(play, "c d", names, "")


def test_a_company_is_on_the_map_when_all_its_units_are() -> None:
    play = begun(scenario="vierville", chance="own", players="two")
    give(play, "m ab", "B7")
    give(play, "m c", "D4")
    assert "B/116, Engineers" in str(GAME.due(play))
    assert give(play, "m d", "D4") == "B/116 HVY: to D4."
    assert "B/116, Engineers" not in str(GAME.due(play))


def test_units_that_wait_off_the_map_are_not_said_to_be_missing() -> None:
    play = begun(scenario="vierville", chance="own", players="two")
    phase(play, "us_fire")
    with pytest.raises(UnfitAnswer, match="No German unit is on the map yet"):
        give(play, "f")


def test_guns_stay_and_vierville_has_rules_of_its_own() -> None:
    play = table()
    phase(play, "german_movement")
    with pytest.raises(UnfitAnswer, match="88 stays where it was set up"):
        give(play, "m c")
    board = str(GAME.page(begun(scenario="vierville").state))
    assert "Farmland costs infantry 1 movement point" in board


def test_the_card_of_the_turn_stands_on_the_board() -> None:
    play = begun(chance="own", players="two")
    give(play, "space")
    give(play, "space c")
    facts = next(one for one in GAME.page(play.state).blocks if isinstance(one, Facts))
    assert ("Action card", "German Air Power") in facts.rows


def test_op_fire_is_not_aimed_where_nobody_moved() -> None:
    play = table()
    phase(play, "us_movement")
    give(play, "m c", "k8")
    with pytest.raises(UnfitAnswer, match="Nobody there has just moved"):
        give(play, "f a", "a 1 6")
    give(play, "f a", "b 1 6")


def test_op_fire_of_one_hex_hits_two_stacks_that_enter_another() -> None:
    play = table()
    phase(play, "us_movement")
    for mover, firer in (("c", "a"), ("f", "b")):
        give(play, f"m {mover}", "k8")
        assert "at K8" in give(play, f"f {firer}", "b 3 6" if mover == "c" else "b 6")


def test_reinforcements_of_the_solitaire_german_move() -> None:
    play = table(solitaire=True)
    order(play, EnterUnits(side="german", company="2/916", kind="infantry", names=("1/2/916",)))
    phase(play, "german_movement", turn=5)
    give(play, "m d", "a5")
    assert give(play, "m d", "a6") == "1/2/916: to A6."


def test_the_german_is_asked_what_he_sees_within_the_range_just_typed() -> None:
    play = begun(chance="own")
    give(play, "c a", "1/352", "J7")
    give(play, "c d", "1/B", "L6")
    phase(play, "german_fire")
    draft = read(None, GAME.commands(play.state), "g a 6")
    assert draft.shown_question == (
        "J7: 1/352 (range 6). Which Americans do they see within that, and how far?"
    )


def test_the_german_never_fires_far_never_moves_and_assaults_at_3_to_1() -> None:
    play = table(solitaire=True)
    phase(play, "german_fire")
    with pytest.raises(Refused, match="never fires beyond its range of 4"):
        give(play, "g a", "5a", "6")
    give(play, "g a", "")
    assert "held fire" in unit(play, "1/352").flags
    phase(play, "german_movement")
    with pytest.raises(Refused, match="1/352 stays where it was set up"):
        order(play, MoveUnits(units=("1-352",), place="J6"))
    phase(play, "german_assault")
    with pytest.raises(Refused, match="10:10 is less than 3-1"):
        give(play, "a ab", "a 1")


def test_units_are_entered_with_a_hex_each_in_one_line() -> None:
    play = begun(chance="own", players="two")
    said = give(play, "c German infantry 1/1/916 J5, HVY 1/1/916 j7, 2/1/916 K1")
    assert said.startswith("1/1/916: new in J5, 2 steps. HVY 1/1/916: new in J7, 2 steps.")
    assert [one.place for one in play.state.units("german")] == ["J5", "J7", "K1"]
    # Where one has no hex, the hex is asked for and is that of the others.
    give(play, "c B/116 1/B/116 L1, 2/B/116", "L2")
    assert [one.place for one in play.state.units("us")] == ["L1", "L2"]
    with pytest.raises(Refused, match="J5 would hold 3 units; at most 2 may stand there"):
        give(play, "c a 5/1/916 J5, 6/1/916 J5")


def test_a_line_may_call_a_company_and_units_as_they_are_shown() -> None:
    play = begun(chance="own", players="two")
    give(play, "c German guns 88 J9")
    assert unit(play, "88").kind == "gun"
    give(play, "c B/116 B/116 HVY, 1/B/116", "")
    assert give(play, "m B/116 HVY L3") == "B/116 HVY: to L3."
    assert give(play, "m 1/b/116, b/116 hvy K3").endswith("and 1/B/116: to K3.")


def test_units_of_a_file_stand_in_the_hexes_of_the_file() -> None:
    play = begun(chance="own", players="two")
    rows = [
        {"name": "1/B", "side": "us", "kind": "infantry", "group": "B/116", "place": "L1"},
        {"name": "2/B", "side": "us", "kind": "infantry", "group": "B/116"},
        {"name": "1/A", "side": "us", "kind": "infantry", "group": "A/116", "place": "L5"},
    ]
    order(play, GAME.counters_of(play.state, rows, "units.toml"))
    assert unit(play, "1/B").place == "L1"
    assert unit(play, "1/B").flags == ("just landed",)
    assert unit(play, "2/B").flags == ("off map",)
    assert (unit(play, "1/A").place, unit(play, "1/A").flags) == ("", ("off map",))  # turn 3


def test_in_german_fire_space_proposes_a_hex_until_all_have_fired_or_hold() -> None:
    play = table(solitaire=True)
    phase(play, "german_fire")
    assert "1/352 and 2/352 fire at K7" in give(play, "space", "1a3b", "6")
    give(play, "space", "")  # the gun in K1 sees nobody
    assert unit(play, "88").has("held fire")
    assert give(play, "space") == "German movement."


def test_germans_without_a_range_are_offered_americans_beside_them() -> None:
    # "You may always fire at adjacent units."
    play = table(solitaire=True)
    phase(play, "german_fire")
    counters = play.state.counters
    for german in play.state.units("german"):
        counters = counters.with_counter(replace(german, ratings=german.ratings | {"range": 0}))
    distances = {distance_key("J7", american): 5 for american in play.state.targets_of("us")}
    distances[distance_key("J7", "K7")] = 1
    state = replace(play.state, counters=counters, distances=distances)
    fire = BatteryFire(state, batteries_to_fire(state), "J7")
    (seen,) = (slot for slot in fire.slots({}) if slot.name == "seen")
    assert seen.default == {"K7": 1}


def test_german_fire_does_not_end_silently_while_a_hex_has_not_fired() -> None:
    play = table(solitaire=True)
    phase(play, "german_fire")
    draft = read(None, GAME.commands(play.state), "e")
    assert draft.shown_question == "Not fired yet: J7, K1. Space ends the phase all the same."
    assert give(play, "e", "") == "German movement."


def test_spent_naval_factors_are_said_to_be_spent() -> None:
    play = table()
    give(play, "f n", "a n n n 6")
    with pytest.raises(UnfitAnswer, match="The naval gunfire of this phase is spent"):
        give(play, "f n")
    with pytest.raises(UnfitAnswer, match="The naval gunfire of this phase is spent"):
        give(play, "f e", "b 3 n 6")


def test_an_assault_offers_adjacent_hexes_only() -> None:
    play = table()
    phase(play, "us_assault")
    with pytest.raises(UnfitAnswer, match="K1 is not beside K7, where 1/B stands"):
        give(play, "a ab", "b")
    assert "1/B and 2/B assault J7" in give(play, "a ab", "", "6")  # the only one


def test_what_was_counted_counts_more_than_the_names_of_hexes() -> None:
    state = table().state
    assert state.may_adjoin("K1", "K2")
    assert state.may_adjoin("K1", "J2")
    assert not state.may_adjoin("K1", "K3")
    assert not state.may_adjoin("K1", "H1")
    assert state.may_adjoin("1-b", "K1")  # a unit in a hex that was not written down
    seen = replace(state, distances={"K1 K3": 1, "J2 K1": 2})
    assert seen.may_adjoin("K3", "K1")
    assert not seen.may_adjoin("K1", "J2")


def test_why_nobody_can_act_is_said() -> None:
    play = begun(chance="own", players="two")
    give(play, "c a 1/352 K7")
    give(play, "c d 1/B L6, 2/B L7, 3/B L8, 4/B L9")
    phase(play, "us_movement")
    moving = next(one for one in GAME.commands(play.state) if one.key == "m")
    assert moving.why_not == (
        "1/B has just landed. 2/B has just landed. 3/B has just landed. 1 more cannot act either."
    )


def test_a_retreat_is_one_hex() -> None:
    play = table(("f c", "a 2 n n n 3"))
    phase(play, "us_assault")
    give(play, "a ab", "a 1")
    with pytest.raises(Refused, match="J17 is not beside J7; a retreat is one hex"):
        give(play, "j17")
    assert give(play, "") == "1/352: back to a hex of the map."


def test_a_retreat_does_not_end_beside_an_enemy_as_far_as_hexes_were_counted() -> None:
    play = table(("M 2/352 J6",), ("f ab", "b 1 6"), ("M 2/352 J7",))
    assert play.state.distance("K7", "J6") == 1
    phase(play, "us_fire", turn=3)
    give(play, "f c", "a 2 n n n 3")
    phase(play, "us_assault")
    give(play, "a ab", "a 1")
    with pytest.raises(Refused, match="J6 is beside 1/B in K7, who is not disrupted"):
        give(play, "j6")
    assert give(play, "i6") == "1/352: back to I6."


def test_a_company_combines_its_fire_only_in_hexes_side_by_side() -> None:
    play = table()
    assert "fire at J7" in give(play, "f abc", "a 1 2", "6")  # K7 and L8
    play = table(("M 3/B L3",))
    with pytest.raises(UnfitAnswer, match="L3 is not beside K7; a company combines in hexes side"):
        give(play, "f abc", "a 1 2", "6")


def test_ratings_typed_for_fire_that_is_held_are_not_asked_again() -> None:
    play = begun(chance="own")
    give(play, "c a 1/352 J7")
    give(play, "c d 1/B L6")
    phase(play, "german_fire")
    assert "range 6" in give(play, "g a 6", "")
    assert unit(play, "1/352").rating("range") == 6


def test_op_fire_of_the_solitaire_german_is_asked_within_his_printed_range() -> None:
    play = table(solitaire=True)
    phase(play, "us_movement")
    give(play, "m c k8")
    with pytest.raises(UnfitAnswer, match="1/352 never fires beyond its range of 4"):
        give(play, "f a", "", "5")
    assert "fires at K8" in give(play, "f a", "", "4", "6")


def test_hexes_are_asked_for_the_units_that_have_none() -> None:
    play = begun(chance="own", players="two")
    for names, text in (
        ("1/1/916", "In which hex is 1/1/916?"),
        ("1/1/916 J5, 2/1/916", "In which hex is 2/1/916?"),
        ("1/1/916, 2/1/916 J5, 88", "In which hex are 1/1/916 and 88?"),
    ):
        assert read(None, GAME.commands(play.state), f"c a {names}").shown_question == text


def test_where_nothing_can_be_chosen_it_is_said_why() -> None:
    play = table(("M 3/B L3",))
    phase(play, "us_assault")
    with pytest.raises(UnfitAnswer, match=r"None of them can be chosen\. J7 is not beside L3"):
        give(play, "a c", "z")
