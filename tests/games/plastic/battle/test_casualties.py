"""Who dies ("Removing Dead Guys"), and what is kept of it."""

from __future__ import annotations

from typing import Any

import pytest
from stage import Table, armies, lost, of, scenario

from skirmish.games.plastic.battle.agenda import CasualtyAsk
from skirmish.games.plastic.battle.events import Lost
from skirmish.games.plastic.battle.orders import (
    Again,
    ChooseCasualties,
    Fire,
    Show,
    Volley,
    why_not,
)
from skirmish.games.plastic.battle.orders.firing import circumstances_that_matter
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Draw

GROUP = {"rifle": 4, "mortar": 1, "grenade": 2, "tank": 1}


def asked(table: Table) -> CasualtyAsk:
    ask = table.state.ask
    assert isinstance(ask, CasualtyAsk)
    return ask


def test_beyond_three_inches_the_defender_may_give_any_man_of_the_group() -> None:
    table = armies(GROUP, {"rifle": 1})
    assert lost(table.fire("rifle", "mortar", "5H")) == []
    ask = asked(table)
    assert ask.side == "first"
    assert ask.aimed_at == "first/first/mortar"
    assert set(ask.rows) == {"first/first/mortar", "first/first/rifle", "first/first/grenade"}
    assert lost(table.order(ChooseCasualties(("first/first/grenade",)))) == ["grenade"]
    assert table.alive("first", "mortar") == 1


def test_a_model_is_never_given_for_a_man() -> None:
    table = armies(GROUP, {"rifle": 1})
    table.fire("rifle", "mortar", "5H")
    assert table.refusal(ChooseCasualties(("first/first/tank",))).code == "not_one_of_these"


@pytest.mark.parametrize(
    ("seen", "draw"),
    [
        ({"close": True}, "5H"),
        ({"grouped": False}, "5H"),
        ({}, "AH"),
    ],
    ids=["within three inches", "in no group", "an ace"],
)
def test_the_man_aimed_at_dies(seen: dict[str, Any], draw: str) -> None:
    table = armies(GROUP, {"rifle": 1})
    assert lost(table.fire("rifle", "mortar", draw, **seen)) == ["mortar"]
    assert table.state.ask is None


def test_in_contact_the_man_aimed_at_dies() -> None:
    """P11."""
    table = armies(GROUP, {"rifle": 1}).at(1, "first", 4)
    assert lost(table.fire("rifle", "mortar", "5H")) == ["mortar"]


def test_a_sniper_kills_the_man_he_names() -> None:
    table = armies(GROUP, {"sniper": 1})
    assert lost(table.fire("sniper", "mortar", "2H")) == ["mortar"]


def test_there_is_no_choice_where_only_one_row_of_guys_is_left() -> None:
    table = armies({"rifle": 3, "tank": 1}, {"rifle": 1})
    assert lost(table.fire("rifle", "rifle", "5H")) == ["rifle"]


def test_the_row_aimed_at_is_proposed_though_others_are_cheaper() -> None:
    table = armies(GROUP, {"rifle": 1})
    table.fire("rifle", "mortar", "5H")
    assert asked(table).proposed[0] == "first/first/mortar"


def test_four_rifles_at_grenadiers_propose_grenadiers() -> None:
    """Scenario 5: Enter and Enter again take no rifleman."""
    table = scenario(5).at(1, "german", 2)
    grenadiers = "german/assault/grenade"
    table.order(Volley(shooter="russian/defenders/rifle", target=grenadiers, count=4))
    table.show("2H", "3H", "9H", "10H")
    assert asked(table).proposed == (grenadiers,) * 2
    assert lost(table.order(ChooseCasualties())) == ["grenade", "grenade"]


def test_a_sniper_is_given_for_nobody_and_nobody_for_him() -> None:
    """Sniper Guys: he never touches another friendly guy."""
    table = armies({"rifle": 4, "sniper": 2}, {"rifle": 4})
    assert lost(table.fire("rifle", "rifle", "5H")) == ["rifle"]
    assert lost(table.fire("rifle", "sniper", "5D")) == ["sniper"]
    assert "grouped" not in circumstances_that_matter(table.state, table.shot("rifle", "sniper"))


def test_without_the_option_a_sniper_is_one_of_the_group() -> None:
    table = armies({"rifle": 4, "sniper": 2}, {"rifle": 4}, options=Options(snipers=False))
    table.fire("rifle", "sniper", "5H")
    assert set(asked(table).rows) == {"first/first/rifle", "first/first/sniper"}


def test_repeat_fire_in_contact_that_goes_further_leaves_the_defender_his_choice() -> None:
    """Removing Dead Guys: over 3 in, in a group, no ace (P11)."""
    table = armies({"rifle": 5, "mortar": 2}, {"grenade": 1}).at(1, "first", 4)
    assert lost(table.fire("grenade", "rifle", "5H")) == ["rifle"]
    assert "close" in circumstances_that_matter(table.state, Again())
    table.order(Again(target="first/first/mortar"))
    table.show("5D")
    assert asked(table).count == 1
    table.order(ChooseCasualties())
    table.order(Again(target="first/first/mortar", close=True))
    assert lost(table.show("4D")) == ["mortar"]


def test_men_of_the_same_contingent_are_proposed_before_cheaper_ones_elsewhere() -> None:
    """Scenario 10: the emplaced guns stand apart from the riflemen on the bluffs."""
    table = scenario(10).at(1, "german")
    table.order(
        Fire(shooter="american/rangers/machinegun", target="german/emplacements/machinegun")
    )
    table.order(Show((Draw(5, "H"),)))
    ask = asked(table)
    assert ask.proposed[0] == "german/emplacements/machinegun"
    assert ask.rows[0] == ask.aimed_at
    assert "german/bluffs/rifle" in ask.rows


def test_men_who_are_not_on_the_table_cannot_be_given() -> None:
    """Scenario 9."""
    table = scenario(9)
    table.order(Fire(shooter="german/garrison/machinegun", target="british/gliders/mortar"))
    table.order(Show((Draw(5, "H"),)))
    assert not [row for row in asked(table).rows if row.startswith("british/relief/")]
    assert table.refusal(ChooseCasualties(("british/relief/rifle",))).code == "not_one_of_these"


def test_the_lowest_code_of_the_row_dies() -> None:
    table = armies({"rifle": 3}, {"rifle": 2})
    gone = [of(Lost, table.fire("rifle", "rifle", draw))[0].piece for draw in ("5H", "4H")]
    assert gone == ["first:R1", "first:R2"]


def test_a_kill_is_credited_to_shooter_weapon_turn_and_draw() -> None:
    table = armies({"tank": 1, "rifle": 9}, {"tank": 1}).at(3, "first")
    table.fire("tank", "tank", "4H")
    credit = table.state.lost["first:T1"]
    assert (credit.piece, credit.unit, credit.weapon) == ("second:T1", "tank", "cannon")
    assert (credit.turn, credit.draw, credit.breakdown) == (3, Draw(4, "H"), False)


def test_a_given_man_is_credited_to_the_draw_that_hit() -> None:
    table = armies(GROUP, {"machinegun": 1})
    table.fire("machinegun", "mortar", "8H")
    (died,) = of(Lost, table.order(ChooseCasualties(("first/first/rifle",))))
    assert (died.credit.draw, died.credit.weapon) == (Draw(8, "H"), "machinegun")


def test_a_guy_counts_one_and_a_model_five() -> None:
    """The Basic Game."""
    table = armies({"tank": 1, "rifle": 9}, {"tank": 1, "rifle": 1})
    table.fire("tank", "tank", "4H")
    assert table.state.loss == {"first": 5}
    table.fire("rifle", "rifle", "4D")
    assert table.state.loss == {"first": 6}


def test_american_jeeps_are_lost_but_count_for_nothing() -> None:
    """Nationalities (USA/Brit)."""
    table = armies({"jeep": 1, "rifle": 9}, {"cannon": 1}, nations=("american", None))
    assert lost(table.fire("cannon", "jeep", "9H")) == ["jeep"]
    assert table.state.loss.get("first", 0) == 0


def test_a_casualty_must_be_chosen_before_anything_else() -> None:
    table = armies(GROUP, {"rifle": 2})
    table.fire("rifle", "mortar", "5H")
    assert table.refusal(table.shot("rifle", "rifle")).code == "waiting"
    assert table.refusal(Show((Draw(5, "D"),))).code == "no_draw"
    assert why_not(table.state, ChooseCasualties(("first/first/rifle",))) is None


def test_no_casualty_can_be_given_where_none_is_wanted() -> None:
    assert (
        armies(GROUP, GROUP).refusal(ChooseCasualties(("first/first/rifle",))).code == "no_casualty"
    )
