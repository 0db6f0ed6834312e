"""What was held against the text sentence by sentence, and differed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from stage import Table, armies, lost, scenario

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import CasualtyAsk
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    ChooseCasualties,
    ClearWire,
    Dig,
    EndPhase,
    Enter,
    Exit,
    Fire,
    GroupMoved,
    Load,
    PlayOn,
    Unload,
    Volley,
    why_not,
)
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.games.plastic.rules.options import Options

ROW = "first/first/"


def code(table: Table, order: AnyOrder) -> str | None:
    refusal = why_not(table.state, order)
    return refusal.code if refusal else None


@pytest.mark.parametrize("unit", ["small_pillbox", "large_pillbox", "cannon"])
def test_what_cannot_move_cannot_leave_the_table(unit: str) -> None:
    table = armies({unit: 1, "rifle": 4}, {"rifle": 4})
    assert code(table, Exit(row=ROW + unit)) == "immobile"
    assert code(table, Exit(row=ROW + "rifle")) is None
    table.order(Exit(row=ROW + unit, insist=True))
    assert table.alive("first", unit) == 0


def test_a_cannon_leaves_aboard_a_truck() -> None:
    table = armies({"cannon": 1, "truck": 1, "rifle": 4}, {"rifle": 4})
    table.order(Load(carrier=ROW + "truck", riders={ROW + "cannon": 1}))
    table.order(Exit(row=ROW + "truck"))
    assert table.alive("first", "cannon") == 0


MOVES: dict[str, AnyOrder] = {
    "load": Load(carrier=ROW + "truck", riders={ROW + "rifle": 1}),
    "unload": Unload(carrier=ROW + "halftrack"),
    "exit": Exit(row=ROW + "rifle"),
    "dig": Dig(side="first"),
}


@pytest.mark.parametrize("name", MOVES)
def test_moves_have_their_phase_and_end_with_movement(name: str) -> None:
    order: Any = MOVES[name]
    table = armies(
        {"truck": 1, "halftrack": 1, "rifle": 9}, {"rifle": 4}, quality={"first": "green"}
    )
    table.order(Load(carrier=ROW + "halftrack", riders={ROW + "rifle": 2}))
    assert code(table, order) is None
    table.order(GroupMoved())
    table.show("9H")
    assert code(table, order) == "movement_over"
    table.order(EndPhase())
    assert code(table, order) == "not_now"
    assert code(table, msgspec.structs.replace(order, insist=True)) is None


def test_reinforcements_come_on_in_phase_1() -> None:
    table = scenario(9).at(8, "german", 2)
    wave = next(c for c in table.state.setup.contingents if c.side == "german" and c.enters == 8)
    assert code(table, Enter(contingent=wave.id)) == "not_now"
    assert code(scenario(9).at(8, "german"), Enter(contingent=wave.id)) is None


@pytest.mark.parametrize(
    ("men", "engineers", "wanted"),
    [({"rifle": 3}, False, "too_few"), ({"rifle": 4}, False, None), ({"engineer": 1}, True, None)],
)
def test_digging_takes_four_guys_or_an_engineer(
    men: dict[str, int], engineers: bool, wanted: str | None
) -> None:
    table = armies({**men, "tank": 2}, {"rifle": 4})
    assert code(table, Dig(side="first", engineers=engineers)) == wanted


def test_an_engineer_clears_one_segment_a_turn_in_his_own_turn() -> None:
    """Barbed Wire; Scenario 4, the ten segments of the British."""
    table = scenario(4)
    for _ in range(5):
        table.order(ClearWire(side="german"))
    assert code(table, ClearWire(side="german")) == "no_engineers"
    table.at(2, "german")
    assert code(table, ClearWire(side="german")) is None
    table.at(2, "british")
    assert code(table, ClearWire(side="german")) == "not_now"
    assert table.state.works["british"]["barbed_wire"] == 5


def test_own_wire_may_be_cleared() -> None:
    table = scenario(5).at(1, "russian")
    table.order(ClearWire(side="russian", insist=True))
    assert table.state.works["russian"]["barbed_wire"] == 9


def test_aa_tanks_with_a_gun_left_each_fire_together() -> None:
    table = armies({"rifle": 9}, {"aa_tank": 4})
    for card in ("9H", "9D", "9S"):
        table.fire("aa_tank", "rifle", card)
    order = Volley(shooter="second/second/aa_tank", target=ROW + "rifle", count=4)
    assert code(table, order) is None


def test_playing_on_gives_the_hits_that_the_end_cut_off() -> None:
    table = armies({"rifle": 4, "mortar": 2}, {"rifle": 9})
    order = Volley(shooter="second/second/rifle", target=ROW + "rifle", count=4, close=True)
    table.order(order)
    table.show("5H", "5D", "5S", "5C")
    assert table.state.outcome is not None
    assert table.alive("first", "rifle") == 1
    table.order(PlayOn())
    assert table.alive("first", "rifle") == 0


def test_playing_on_asks_again_where_the_defender_had_a_choice() -> None:
    table = armies({"rifle": 4, "mortar": 2}, {"rifle": 9})
    table.order(Volley(shooter="second/second/rifle", target=ROW + "rifle", count=4))
    table.show("5H", "5D", "5S", "5C")
    assert len(lost(table.order(ChooseCasualties()))) == 3
    table.order(PlayOn())
    assert isinstance(table.state.ask, CasualtyAsk)


@pytest.mark.parametrize(("played", "wanted"), [(True, "sniper"), (False, None)])
def test_snipers_are_carried_only_where_they_are_riflemen(played: bool, wanted: str | None) -> None:
    table = armies({"truck": 1, "sniper": 1}, {"rifle": 1}, options=Options(snipers=played))
    load = Load(carrier=ROW + "truck", riders={ROW + "sniper": 1})
    assert code(table, load) == wanted


def test_the_dead_of_phase_3_fire_together_in_phase_4() -> None:
    """P51 together: those alone, once, and in phase 4 only."""
    answers = {"P51": "together"}
    table = armies({"rifle": 5, "tank": 2}, {"rifle": 3, "tank": 3}, answers=answers)
    table.at(1, "first", 3)
    for card in ("5H", "4H", "3H"):
        table.fire("rifle", "rifle", card, by="first")
    assert table.alive("second", "rifle") == 0
    strike = Fire(shooter="second/second/rifle", target=ROW + "rifle")
    assert code(table, strike) is not None
    table.order(EndPhase())
    for card in ("5D", "4D", "3D"):
        assert code(table, strike) is None
        table.order(strike)
        table.show(card)
    assert code(table, strike) is not None
    assert table.alive("first", "rifle") == 2


def test_a_battle_of_before_with_rulings_that_are_gone_opens() -> None:
    gone = {"P11": "always_exact", "P16": "no_cover", "P21": "guys_only", "P40": "as_printed"}
    setup = armies({"rifle": 9}, {"machinegun": 1}).state.setup
    old = record.opening(msgspec.structs.replace(setup, rulings={**setup.rulings, **gone}))
    codec = record.codec_of(library.rulings())
    again = codec.replay([codec.written(old)]).state.setup
    assert again.rulings == {**setup.rulings, **gone}
    Table(again).fire("machinegun", "rifle", "8H")


def test_an_army_of_before_with_rulings_that_are_gone_opens() -> None:
    gone = {"P16": "no_cover", "P21": "guys_only", "P40": "as_printed"}
    rulings = {**gone, "P2": "more_than_half"}
    listed = {"name": "Old", "points": 200, "units": {"rifle": 70}, "rulings": rulings}
    army = read_army(listed, library.catalog(), library.rulings(), "old.toml")
    assert army.rulings["P2"] == "more_than_half"
    assert "P16" not in army.rulings
