"""Pinning ("Pinning", P29, P55): who owes the draw, when, from whose deck, and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from stage import DICE, Table, armies, of, scenario

from skirmish.games.plastic.battle.agenda import AnyAsk, CasualtyAsk, DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.events import Checked
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Again,
    ChooseCasualties,
    EndPhase,
    Hold,
    Load,
    PinTest,
    SetLevel,
    SetQuality,
    Switch,
)
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Source

MEN = {"rifle": 20, "truck": 1}
PIN = DrawAsk(side="first", die=False, why="pin")


def asked(table: Table) -> AnyAsk | None:
    return table.state.ask


def playing(second: Mapping[str, int], **more: Any) -> Table:
    return armies(MEN, second, options=Options(pinning=True), **more)


def test_without_the_option_nobody_is_pinned() -> None:
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", "9H")
    assert table.state.ask is None


def test_a_machinegun_in_op_fire_pins_even_when_it_misses() -> None:
    table = playing({"machinegun": 1})
    table.fire("machinegun", "rifle", "9H")
    assert table.state.ask == PIN


def test_defensive_fire_pins_nobody() -> None:
    """Op fire is phase 1."""
    table = playing({"machinegun": 1})
    table.order(EndPhase())
    table.fire("machinegun", "rifle", "9H")
    assert table.state.ask is None


@pytest.mark.parametrize("phase", [3, 4])
def test_close_fire_pins_nobody(phase: int) -> None:
    table = armies({"machinegun": 2}, {"machinegun": 2}, options=Options(pinning=True))
    table.at(1, "first", phase)
    table.fire("machinegun", "machinegun", "9H")
    assert table.state.ask is None


def test_the_movers_own_fire_is_no_op_fire() -> None:
    table = armies({"machinegun": 2}, {"rifle": 9}, options=Options(pinning=True))
    table.fire("machinegun", "rifle", "9H", by="first", insist=True)
    assert table.state.ask is None


@pytest.mark.parametrize("shooter", ["rifle", "mortar", "grenade", "cannon", "sniper", "bazooka"])
def test_nothing_else_pins(shooter: str) -> None:
    table = playing({shooter: 1})
    table.fire(shooter, "rifle", "JH")
    assert table.state.ask is None


@pytest.mark.parametrize("shooter", ["mg_jeep", "aa_tank", "armored_car", "small_pillbox", "tank"])
def test_whatever_fires_as_a_machinegun_pins(shooter: str) -> None:
    """P55."""
    table = playing({shooter: 1})
    table.fire(shooter, "rifle", "9H", weapon="machinegun")
    assert table.state.ask == PIN


def test_the_gun_of_a_tank_pins_nobody() -> None:
    table = playing({"tank": 1})
    table.fire("tank", "rifle", "9H", weapon="cannon")
    assert table.state.ask is None


def test_fire_at_a_model_pins_nobody() -> None:
    """P55: models are not pinned."""
    table = playing({"machinegun": 1})
    table.fire("machinegun", "truck", "9H")
    assert table.state.ask is None


def test_a_gunner_in_a_halftrack_pins_too() -> None:
    """P56."""
    table = playing({"halftrack": 1, "machinegun": 1})
    own = "second/second/"
    table.order(Load(carrier=f"{own}halftrack", riders={f"{own}machinegun": 1}, insist=True))
    table.fire("machinegun", "rifle", "9H")
    assert table.state.ask == PIN


def test_the_draw_comes_after_the_whole_chain() -> None:
    """P55."""
    table = playing({"machinegun": 1})
    table.fire("machinegun", "rifle", "8H", close=True)
    assert isinstance(table.state.ask, RepeatAsk)
    table.order(Again())
    table.show("9D")
    assert asked(table) == PIN


def test_the_draw_comes_when_the_chain_is_let_go() -> None:
    table = playing({"machinegun": 1})
    table.fire("machinegun", "rifle", "8H", close=True)
    table.order(Hold())
    assert table.state.ask == PIN


def test_an_open_repeat_shot_with_a_draw_owed_is_let_go_first() -> None:
    """Nothing else goes on before the draw, and the sentence says what does."""
    table = playing({"machinegun": 1})
    table.fire("machinegun", "rifle", "8H", close=True)
    refusal = table.refusal(PinTest("first"))
    assert refusal.code == "waiting"
    assert "repeat fire" in refusal.message
    assert isinstance(table.state.ask, RepeatAsk)


def test_the_draw_comes_after_casualty_and_breakdown() -> None:
    table = armies({"rifle": 9, "mortar": 9}, {"machinegun": 2}, options=Options(pinning=True))
    table.fire("machinegun", "mortar", "8H")
    assert isinstance(table.state.ask, CasualtyAsk)
    table.order(ChooseCasualties())
    table.order(Hold())
    assert asked(table) == PIN
    table.show("2H")
    table.fire("machinegun", "mortar", "QS")
    assert asked(table) == DrawAsk(side="second", die=False, why="breakdown")
    table.show("2S")
    assert asked(table) == PIN


def test_the_draw_is_the_owners_from_his_own_deck() -> None:
    """P23."""
    table = playing({"machinegun": 1})
    table.fire("machinegun", "rifle", "9H", "9H")
    assert [len(source.gone) for source in table.state.sources.values()] == [1, 1]


def test_with_one_deck_the_draw_is_from_it() -> None:
    table = playing({"machinegun": 1}, answers={"P23": "one_deck"})
    table.fire("machinegun", "rifle", "9H", "9D")
    assert [len(source.gone) for source in table.state.sources.values()] == [2, 0]


def test_a_die_may_be_rolled_for_it() -> None:
    table = playing({"machinegun": 1}, sources=(DICE, DICE))
    table.fire("machinegun", "rifle", 9, 7)
    assert table.state.checked is not None
    assert table.state.checked.result


# ------------------------------------------------------------------ the lines of quality

BY_SUIT = {None: "SC", "elite": "S", "regular": "SC", "green": "CHD"}
BY_ROLL = {None: 7, "elite": 10, "regular": 7, "green": 4}


@pytest.mark.parametrize("quality", BY_SUIT)
@pytest.mark.parametrize("suit", "SHDC")
def test_quality_says_which_suits_pin(quality: str | None, suit: str) -> None:
    """Pinning: black; veterans spades; green troops anything but spades."""
    table = playing({"machinegun": 1}, quality={"first": quality})
    table.fire("machinegun", "rifle", "9H", f"3{suit}")
    assert table.state.checked is not None
    assert table.state.checked.result is (suit in BY_SUIT[quality])


@pytest.mark.parametrize("quality", BY_ROLL)
def test_quality_says_which_rolls_pin(quality: str | None) -> None:
    table = playing({"machinegun": 1}, quality={"first": quality}, sources=(DICE, DICE))
    pinned = []
    for roll in range(1, 13):
        table.order(PinTest("first"))
        table.show(roll)
        assert table.state.checked is not None
        pinned += [roll] * table.state.checked.result
    assert pinned == list(range(BY_ROLL[quality], 13))


@pytest.mark.parametrize(("draw", "pinned"), [("7H", True), ("6S", False), ("QD", True)])
def test_by_rank_a_card_is_read_like_a_roll(draw: str, pinned: bool) -> None:
    """P29 ranks."""
    table = playing({"machinegun": 1}, answers={"P29": "ranks"})
    table.fire("machinegun", "rifle", "9H", draw)
    assert table.state.checked is not None
    assert table.state.checked.result is pinned


def test_quality_may_change_between_two_draws() -> None:
    table = playing({"machinegun": 2})
    table.fire("machinegun", "rifle", "9H", "3C")
    table.order(SetQuality(side="first", quality="elite"))
    (pin,) = of(Checked, table.fire("machinegun", "rifle", "9D", "4C"))
    assert not pin.result


def test_the_option_may_be_switched_in_the_middle() -> None:
    table = playing({"machinegun": 3})
    table.order(Switch(option="pinning", on=False))
    table.fire("machinegun", "rifle", "9H")
    assert table.state.ask is None
    table.order(Switch(option="pinning", on=True))
    table.fire("machinegun", "rifle", "9D")
    assert table.state.ask == PIN


def test_a_side_that_keeps_losses_only_draws_at_the_table() -> None:
    table = playing({"machinegun": 1})
    table.order(SetLevel(side="first", level="ledger", source=Source("deck")))
    table.fire("machinegun", "rifle", "9H")
    assert (table.state.ask, table.state.agenda) == (None, ())
    assert table.refusal(PinTest("first")).code == "ledger"


def test_the_pin_draw_stands_in_the_line_of_the_shot() -> None:
    table = playing({"machinegun": 1})
    table.fire("machinegun", "rifle", "9H", "3S")
    says = lines(table.play)[-1].text
    assert says.startswith("Machinegun M1 > Rifle, needs A-8: 9H miss.")
    assert "pinned" in says
    assert "3 of spades" in says.lower()


def test_a_pin_draw_may_be_made_by_hand() -> None:
    """Whatever the table found that the program does not see."""
    table = armies(MEN, MEN)
    table.order(PinTest("first"))
    assert table.state.ask == PIN
    assert table.refusal(PinTest("third")).code in ("unknown_side", "waiting")
    table.show("2S")
    assert table.refusal(PinTest("third")).code == "unknown_side"


def test_pinned_men_still_fire_and_fight() -> None:
    """P30."""
    table = armies({"rifle": 20}, {"machinegun": 1, "rifle": 5}, options=Options(pinning=True))
    table.fire("machinegun", "rifle", "9H", "3S")
    table.at(1, "first", 3)
    assert table.ready("first", "rifle") == 20


def test_where_the_last_man_fell_nobody_is_pinned() -> None:
    table = armies({"rifle": 1, "tank": 5}, {"machinegun": 1}, options=Options(pinning=True))
    table.fire("machinegun", "rifle", "8H")
    assert not table.state.lost.keys() - {"first:R1"}
    assert (table.state.ask, table.state.agenda) == (None, ())


def test_in_a_scenario_the_other_side_draws_too() -> None:
    table = scenario(1)
    table.order(Switch(option="pinning", on=True))
    table.fire("machinegun", "rifle", "9H")
    assert table.state.ask == DrawAsk(side="german", die=False, why="pin")
