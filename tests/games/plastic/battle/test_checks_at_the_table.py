"""Command, digging and wire: one key each, and what the draw means for this side."""

from __future__ import annotations

import pytest
from stage import DICE, Table, armies, scenario

from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.events import Checked
from skirmish.games.plastic.battle.orders import (
    ClearWire,
    Correct,
    Dig,
    EndTurn,
    GroupMoved,
    SetLevel,
    SetQuality,
    Switch,
)
from skirmish.games.plastic.battle.orders.checks import engineers_of
from skirmish.tabletop.chance import Source

MEN = {"rifle": 20}


def checked(table: Table) -> Checked:
    assert table.state.checked is not None
    return table.state.checked


# ------------------------------------------------------------------ command


@pytest.mark.parametrize(("quality", "least"), [("regular", 11), ("green", 9)])
def test_high_draws_end_all_movement_of_the_side(quality: str, least: int) -> None:
    """Troop Quality, Command and Control."""
    for roll in range(1, 13):
        table = armies(MEN, MEN, quality={"first": quality}, sources=(DICE, DICE))
        table.order(GroupMoved())
        assert table.state.ask == DrawAsk(side="first", die=True, why="command")
        table.show(roll)
        assert checked(table).result is (roll >= least)
        assert table.state.movement_over is (roll >= least)


@pytest.mark.parametrize("quality", [None, "elite"])
def test_elite_troops_and_those_without_quality_never_draw(quality: str | None) -> None:
    table = armies(MEN, MEN, quality={"first": quality, "second": "green"})
    assert table.refusal(GroupMoved()).code == "no_draw"


def test_the_draw_is_the_movers() -> None:
    table = armies(MEN, MEN, quality={"first": "green", "second": "regular"})
    table.order(GroupMoved())
    table.show("8H")
    assert len(table.state.sources["first"].gone) == 1
    table.order(EndTurn())
    table.order(GroupMoved())
    table.show("9H")
    assert not checked(table).result, "regular troops stop on a jack"


def test_when_movement_is_over_no_group_moves() -> None:
    table = armies(MEN, MEN, quality={"first": "green"})
    table.order(GroupMoved())
    table.show("9H")
    assert table.refusal(GroupMoved()).code == "movement_over"


def test_after_phase_1_it_is_the_phase_that_speaks_against_moving_a_group() -> None:
    table = armies(MEN, MEN, quality={"first": "green"})
    table.order(GroupMoved())
    table.show("9H")
    table.at(1, "first", phase=2)
    assert table.state.movement_over
    assert table.refusal(GroupMoved()).code == "not_now"


def test_movement_is_over_for_this_turn_only() -> None:
    table = armies(MEN, MEN, quality={"first": "green"})
    table.order(GroupMoved())
    table.show("9H")
    table.at(2, "first")
    assert not table.state.movement_over
    table.order(GroupMoved())


def test_every_group_draws_until_movement_is_over() -> None:
    table = armies(MEN, MEN, quality={"first": "regular"})
    for draw in ("2H", "10S", "9D"):
        table.order(GroupMoved())
        table.show(draw)
        assert not table.state.movement_over


def test_quality_may_be_changed_in_the_middle() -> None:
    table = armies(MEN, MEN, quality={"first": "green"})
    table.order(SetQuality(side="first", quality="regular"))
    table.order(GroupMoved())
    table.show("9H")
    assert not table.state.movement_over


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (SetQuality(side="third", quality="green"), "unknown_side"),
        (SetQuality(side="first", quality="heroic"), "unknown_quality"),
        (Switch(option="fog", on=True), "unknown_option"),
    ],
)
def test_what_does_not_exist_cannot_be_chosen(order: SetQuality | Switch, code: str) -> None:
    refusal = armies(MEN, MEN).refusal(order)
    assert (refusal.code, refusal.firm) == (code, True)


def test_a_side_that_keeps_losses_only_draws_for_nothing_here() -> None:
    table = armies(MEN, MEN, quality={"first": "green"})
    table.order(SetLevel(side="first", level="ledger", source=Source("deck")))
    for order in (GroupMoved(), Dig(side="first")):
        refusal = table.refusal(order)
        assert refusal.code == "ledger"
        assert "Reds" in refusal.message


# ------------------------------------------------------------------ digging


@pytest.mark.parametrize(("draw", "dug"), [("2S", True), ("2C", False), ("2H", False)])
def test_a_group_digs_in_on_a_spade(draw: str, dug: bool) -> None:
    """Entrenching."""
    table = armies(MEN, MEN)
    table.order(Dig(side="first"))
    table.show(draw)
    assert checked(table).result is dug
    assert table.state.works.get("first", {}).get("entrenchment", 0) == int(dug)


@pytest.mark.parametrize(("draw", "dug"), [("2S", True), ("2C", True), ("2H", False)])
def test_with_an_engineer_any_black_card_will_do(draw: str, dug: bool) -> None:
    table = armies({"rifle": 20, "engineer": 1}, MEN)
    table.order(Dig(side="first", engineers=True))
    table.show(draw)
    assert checked(table).result is dug


@pytest.mark.parametrize(("engineers", "most"), [(False, 3), (True, 6)])
def test_on_a_die_low_rolls_dig(engineers: bool, most: int) -> None:
    table = armies({"rifle": 20, "engineer": 1}, MEN, sources=(DICE, DICE))
    dug = []
    for roll in range(1, 13):
        table.order(Dig(side="first", engineers=engineers))
        table.show(roll)
        dug += [roll] * checked(table).result
    assert dug == list(range(1, most + 1))


def test_without_engineers_nobody_digs_like_one() -> None:
    refusal = armies(MEN, MEN).refusal(Dig(side="first", engineers=True))
    assert refusal.code == "no_engineers"
    assert "four" in refusal.message


def test_dead_engineers_dig_no_more() -> None:
    table = armies({"rifle": 20, "engineer": 1}, MEN)
    table.order(Correct(row="first/first/engineer", by=-1))
    assert table.refusal(Dig(side="first", engineers=True)).code == "no_engineers"


@pytest.mark.parametrize(("national", "dug"), [(True, True), (False, False)])
def test_russian_riflemen_dig_like_engineers_where_nationalities_are_played(
    national: bool, dug: bool
) -> None:
    """Nationalities."""
    table = scenario(5, nationalities=national).at(1, "russian")
    assert engineers_of(table.state, "russian").any_digs is national
    if national:
        table.order(Dig(side="russian", engineers=True))
        table.show("2C")
        assert checked(table).result is dug
    else:
        assert table.refusal(Dig(side="russian", engineers=True)).code == "no_engineers"


def test_pioneers_are_all_engineers() -> None:
    """Scenario 5: whatever group of them digs, digs on black."""
    table = scenario(5)
    assert engineers_of(table.state, "german") == (True, True)
    table.order(Dig(side="german"))
    table.show("2C")
    assert checked(table).result


def test_digging_is_an_option() -> None:
    table = armies(MEN, MEN)
    table.order(Switch(option="entrenching", on=False))
    assert table.refusal(Dig(side="first")).code == "option_off"
    table.order(Switch(option="entrenching", on=True))
    table.order(Dig(side="first"))


def test_every_foxhole_dug_is_counted() -> None:
    table = scenario(5)
    before = table.state.works["german"].get("entrenchment", 0)
    for draw in ("2S", "3C", "4H"):
        table.order(Dig(side="german"))
        table.show(draw)
    assert table.state.works["german"]["entrenchment"] == before + 2
    assert table.state.works["russian"]["entrenchment"] == 14


def test_a_side_that_is_not_there_does_nothing() -> None:
    table = armies(MEN, MEN)
    for order in (Dig(side="third"), ClearWire("third")):
        assert table.refusal(order).code == "unknown_side"


# ------------------------------------------------------------------ wire


def test_engineers_clear_a_segment_of_the_enemys_wire_without_a_draw() -> None:
    """Barbed Wire."""
    table = scenario(5)
    assert table.state.works["russian"]["barbed_wire"] == 10
    table.order(ClearWire("german"))
    assert table.state.works["russian"]["barbed_wire"] == 9
    assert table.state.ask is None
    assert checked(table).draw is None


def test_wire_that_is_gone_cannot_be_cleared() -> None:
    table = scenario(5)
    for _ in range(10):
        table.order(ClearWire("german"))
    refusal = table.refusal(ClearWire("german"))
    assert (refusal.code, table.state.works["russian"]["barbed_wire"]) == ("no_wire", 0)
    assert table.refusal(ClearWire("russian")).code == "no_wire"


def test_a_group_that_moved_in_another_phase_is_advised_against() -> None:
    """Sequence of Play: movement is phase 1."""
    table = armies(MEN, MEN, quality={"first": "green"}).at(1, "first", 3)
    assert not table.refusal(GroupMoved()).firm


def test_without_engineers_no_wire_is_cleared() -> None:
    """Barbed Wire: engineers clear it."""
    table = scenario(4)
    table.order(Correct(row="german/assault/engineer", by=-5))
    assert table.refusal(ClearWire("german")).code == "no_engineers"
