"""Whose fire it is, how often a weapon fires, which weapon is taken, and what is only advice."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from stage import CARDS, DICE, lost, of, scenario
from stage import armies as opened

from skirmish.games.plastic.battle.events import Aimed, Judged
from skirmish.games.plastic.battle.orders import EndPhase, EndTurn, Enter, Fire, why_not
from skirmish.games.plastic.battle.orders.firing import circumstances_that_matter

MEN = {"rifle": 5}

# Dice: the same number may fall again and again.
armies = partial(opened, sources=(DICE, DICE))


def test_the_enemy_of_the_mover_fires_in_phases_1_2_and_4_and_the_mover_in_3() -> None:
    """Sequence of Play."""
    table = armies(MEN, MEN)
    order = []
    for _ in range(4):
        order.append(table.state.firing_side)
        table.order(EndPhase())
    assert order == ["second", "second", "first", "second"]
    assert table.state.mover == "second"
    assert table.state.firing_side == "first"


def test_a_turn_of_both_sides_is_one_game_turn() -> None:
    """Sequence of Play."""
    table = armies(MEN, MEN)
    moments = []
    for _ in range(3):
        moments.append((table.state.clock.turn, table.state.mover))
        table.order(EndTurn())
    assert moments == [(1, "first"), (1, "second"), (2, "first")]


def test_op_fire_uses_the_fire_of_phases_1_and_2() -> None:
    """Sequence of Play: not more than once in both."""
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", 9)
    assert table.ready("second", "machinegun") == 0
    table.order(EndPhase())
    refusal = table.refusal(table.shot("machinegun", "rifle"))
    assert (refusal.code, refusal.firm) == ("already_fired", False)
    assert refusal.message == ("The Machinegun Guy has already fired in phases 1 and 2.")


def test_phase_4_is_open_to_those_who_have_fired() -> None:
    """Sequence of Play: even if they already fired this turn."""
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", 9)
    table.at(1, "first", 4)
    assert table.ready("second", "machinegun") == 1
    table.fire("machinegun", "rifle", 9)
    assert table.refusal(table.shot("machinegun", "rifle")).message.endswith("in phase 4.")


def test_everyone_may_fire_again_in_the_next_turn() -> None:
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", 9)
    table.at(2, "first")
    assert table.ready("second", "machinegun") == 1


def test_the_lowest_code_that_has_not_fired_fires() -> None:
    table = armies(MEN, {"rifle": 3})
    fired = [of(Aimed, table.fire("rifle", "rifle", 9))[0].shot.piece for _ in range(3)]
    assert fired == ["second:R1", "second:R2", "second:R3"]


def test_an_aa_tank_fires_twice() -> None:
    """The table of models: fires as a machinegun man, twice."""
    table = armies(MEN, {"aa_tank": 1})
    slots = [of(Aimed, table.fire("aa_tank", "rifle", 9))[0].shot.slot for _ in range(2)]
    assert slots == [0, 1]
    assert table.refusal(table.shot("aa_tank", "rifle")).code == "already_fired"


def test_a_tank_fires_each_of_its_weapons_once() -> None:
    """P4: separate targets, each its own allowance."""
    table = armies({"rifle": 5, "tank": 1}, {"tank": 1})
    table.fire("tank", "tank", 9, weapon="cannon")
    assert table.ready("second", "tank") == 1
    table.fire("tank", "rifle", 9, weapon="machinegun")
    assert table.ready("second", "tank") == 0
    for weapon in ("cannon", "machinegun"):
        refusal = table.refusal(table.shot("tank", "rifle", weapon=weapon))
        assert refusal.code == "already_fired"
        assert refusal.message.startswith(f"The Tank has already fired its {weapon.title()} in")


def test_a_weapon_is_chosen_for_its_target_if_none_is_named() -> None:
    table = armies({"rifle": 5, "tank": 1}, {"tank": 2})
    taken = [
        of(Aimed, table.fire("tank", target, 9))[0].shot.weapon
        for target in ("tank", "rifle", "rifle")
    ]
    assert taken == ["cannon", "machinegun", "machinegun"]


def test_the_weapon_that_is_left_is_chosen_when_the_better_one_has_fired() -> None:
    table = armies(MEN, {"tank": 1})
    first, second = (of(Aimed, table.fire("tank", "rifle", 9))[0] for _ in range(2))
    assert (first.shot.weapon, second.shot.weapon) == ("machinegun", "cannon")


def test_a_tigers_gun_may_be_called_its_cannon() -> None:
    table = armies({"tank": 1}, {"tiger": 1})
    (aimed,) = of(Aimed, table.fire("tiger", "tank", 10, weapon="cannon"))
    assert (aimed.shot.weapon, aimed.needs) == ("eighty_eight", 9)


def test_a_machinegun_man_in_contact_fights_as_a_rifleman() -> None:
    """Sequence of Play, the note on phases 3 and 4."""
    table = armies(MEN, {"machinegun": 1})
    far = of(Judged, table.fire("machinegun", "rifle", 8))[0]
    assert (far.needs, far.hit) == (8, True)
    table.at(1, "first", 4)
    close = of(Judged, table.fire("machinegun", "rifle", 6))[0]
    assert (close.needs, close.hit) == (5, False)
    assert close.explain.startswith("Machinegun in contact fights as a rifle: A-5.")


def test_armor_is_hurt_by_rifles_only_in_contact() -> None:
    """Firing: the word touch."""
    table = armies({"tank": 1}, {"rifle": 1})
    assert table.refusal(table.shot("rifle", "tank")).code == "touch_only"
    table.at(1, "first", 4)
    assert lost(table.fire("rifle", "tank", 4)) == ["tank"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"by": "first"}, "not_your_phase"),
        ({"apart": True}, "not_touching"),
    ],
)
def test_what_the_rules_advise_against_may_be_insisted_on(
    change: dict[str, Any], code: str
) -> None:
    """Advise, do not refuse: the journal says that it was overruled."""
    table = armies(MEN, MEN)
    if code == "not_touching":
        table.at(1, "first", 4)
    shot = table.shot("rifle", "rifle", **change)
    refusal = table.refusal(shot)
    assert (refusal.code, refusal.firm) == (code, False)
    events = table.fire("rifle", "rifle", 9, insist=True, **change)
    assert of(Aimed, events)[0].overruled == refusal.message


def test_firing_twice_may_be_insisted_on() -> None:
    table = armies(MEN, {"rifle": 1})
    table.fire("rifle", "rifle", 9)
    events = table.fire("rifle", "rifle", 3, close=True, insist=True)
    assert lost(events) == ["rifle"]
    assert of(Aimed, events)[0].overruled.endswith("in phases 1 and 2.")


def test_insisting_where_nothing_stands_against_it_is_no_overruling() -> None:
    table = armies(MEN, MEN)
    assert of(Aimed, table.fire("rifle", "rifle", 9, insist=True))[0].overruled == ""


@pytest.mark.parametrize(
    ("shooter", "target", "code"),
    [
        ("second/second/rifle", "second/second/rifle", "own_side"),
        ("second/second/jeep", "first/first/rifle", "no_weapon"),
        ("second/second/tank", "first/first/rifle", "unknown_row"),
        ("third/third/tank", "first/first/rifle", "unknown_row"),
        ("second", "", "unknown_row"),
    ],
)
def test_nonsense_is_refused_even_if_insisted_on(shooter: str, target: str, code: str) -> None:
    table = armies(MEN, {"rifle": 2, "jeep": 1})
    refusal = table.refusal(Fire(shooter=shooter, target=target, insist=True))
    assert (refusal.code, refusal.firm) == (code, True)


def test_a_weapon_that_a_unit_has_not_is_refused() -> None:
    table = armies(MEN, {"rifle": 1})
    refusal = table.refusal(table.shot("rifle", "rifle", weapon="cannon", insist=True))
    assert (refusal.code, refusal.firm) == ("no_weapon", True)


def test_the_dead_neither_fire_nor_are_fired_at() -> None:
    table = armies({"rifle": 9, "grenade": 1}, {"rifle": 9, "mortar": 1})
    table.fire("mortar", "grenade", 1)
    shot = Fire(shooter="second/second/rifle", target="first/first/grenade", insist=True)
    assert table.refusal(shot).code == "nobody_there"
    table.at(1, "second")
    shot = Fire(shooter="first/first/grenade", target="second/second/rifle", insist=True)
    assert table.refusal(shot).code == "nobody_left"


def test_a_desert_tanks_gun_fires_only_at_armor() -> None:
    """Designer's Notes."""
    table = armies(MEN, {"desert_tank": 1})
    refusal = table.refusal(table.shot("desert_tank", "rifle", weapon="cannon", insist=True))
    assert (refusal.code, refusal.firm) == ("no_target", True)
    assert of(Aimed, table.fire("desert_tank", "rifle", 9))[0].shot.weapon == "machinegun"


def test_dog_beachs_pillbox_may_not_fire_at_landing_craft() -> None:
    """Scenario 10: antipersonnel shells only."""
    table = scenario(10)
    shot = Fire(
        shooter="german/emplacements/large_pillbox", target="american/rangers/landing_craft"
    )
    refusal = table.refusal(shot)
    assert (refusal.code, refusal.rule, refusal.firm) == ("no_target", "Scenario", False)
    assert "landing craft" in refusal.message
    at_men = Fire(shooter="german/emplacements/large_pillbox", target="american/sand/rifle")
    assert why_not(table.state, at_men) is None


def test_other_large_pillboxes_fire_at_landing_craft() -> None:
    table = armies({"landing_craft": 1}, {"large_pillbox": 1})
    assert why_not(table.state, table.shot("large_pillbox", "landing_craft")) is None


def test_a_contingent_that_comes_later_is_not_there_yet() -> None:
    """Scenario 9: the British relief enters on turn 12."""
    table = scenario(9)
    table.order(EndTurn())
    shot = Fire(shooter="british/relief/rifle", target="german/garrison/rifle")
    refusal = table.refusal(shot)
    assert (refusal.code, refusal.firm) == ("not_here", False)
    assert refusal.message.endswith("arrives on turn 12.")
    table.at(12, "british")
    table.order(Enter(contingent="relief"))
    table.at(12, "german")
    assert why_not(table.state, shot) is None


def test_a_contingent_of_the_side_that_moves_second_comes_in_its_own_turn() -> None:
    """Scenario 9: the Germans of turn 8 enter in German turn 8, after British turn 8."""
    table = scenario(9).at(8, "british")
    shot = Fire(shooter="german/reaction/rifle", target="british/gliders/rifle")
    refusal = why_not(table.state, shot)
    assert refusal is not None
    assert refusal.code == "not_here"


# ------------------------------------------------------------------ what is worth asking


@pytest.mark.parametrize(
    ("shooter", "target", "phase", "toggles"),
    [
        ("rifle", "rifle", 1, ["cover", "close", "grouped"]),
        ("mortar", "rifle", 1, ["close", "grouped"]),
        ("sniper", "rifle", 1, ["cover"]),
        ("rifle", "rifle", 4, ["cover"]),
        ("grenade", "rifle", 4, []),
        ("cannon", "tank", 1, ["hull_down", "rear"]),
        ("cannon", "tiger", 1, ["hull_down", "rear"]),
        ("eighty_eight", "tank", 1, ["hull_down"]),
        ("cannon", "cannon", 1, ["hull_down"]),
        ("rifle", "cannon", 1, ["cover", "hull_down"]),
        ("bazooka", "tank", 1, ["hull_down"]),
        ("cannon", "small_pillbox", 1, []),
        ("rifle", "tank", 4, ["hull_down"]),
        ("cannon", "assault_raft", 1, []),
    ],
)
def test_only_what_could_change_a_shot_is_asked(
    shooter: str, target: str, phase: int, toggles: list[str]
) -> None:
    table = armies({target: 2}, {shooter: 1}).at(1, "first", phase)
    assert circumstances_that_matter(table.state, table.shot(shooter, target)) == toggles


def test_a_man_alone_is_not_asked_how_near_he_is() -> None:
    """Removing Dead Guys: he dies in any case."""
    table = armies(MEN, MEN)
    assert circumstances_that_matter(table.state, table.shot("rifle", "rifle", grouped=False)) == [
        "cover",
        "grouped",
    ]


def test_a_toggle_that_is_on_can_be_taken_off() -> None:
    table = armies(MEN, MEN)
    assert "cover" in circumstances_that_matter(
        table.state, table.shot("rifle", "rifle", cover=True)
    )


def test_a_shot_apart_is_in_range_unless_someone_says_otherwise() -> None:
    """P48 in_range: inches are not asked; a machinegun man then fights as a rifleman."""
    table = armies(MEN, {"machinegun": 1}, answers={"P48": "in_range"}).at(1, "first", 4)
    assert why_not(table.state, table.shot("machinegun", "rifle", apart=True)) is None


def test_one_side_may_draw_cards_while_the_other_rolls() -> None:
    """Equipment Needed: each player as he likes."""
    table = opened(MEN, MEN, sources=(DICE, CARDS))
    table.fire("rifle", "rifle", "9H")
    table.at(1, "second")
    table.fire("rifle", "rifle", 9)
    assert {name: source.kind for name, source in table.state.sources.items()} == {
        "first": "die",
        "second": "deck",
    }


def test_a_dead_model_fires_each_of_its_weapons_once() -> None:
    """P51: killed in phase 3, it fights in phase 4 all the same; a weapon that it has fired by then
    is no weapon of anybody's."""
    table = opened({"tank": 2, "rifle": 5}, {"tank": 1, "rifle": 30}, answers={"P51": "together"})
    table.at(1, "first", 3).fire("tank", "tank", "AH", insist=True)
    assert table.alive("second", "tank") == 0
    table.order(EndPhase())
    table.fire("tank", "rifle", "9S", weapon="machinegun")
    again = table.refusal(table.shot("tank", "rifle", weapon="machinegun", insist=True))
    assert (again.code, again.firm) == ("nobody_left", True)
    assert why_not(table.state, table.shot("tank", "rifle", weapon="cannon")) is None
