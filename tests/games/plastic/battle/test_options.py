"""The optional rules: each does nothing when off, and may be switched before and in a battle."""

from __future__ import annotations

from typing import Any

import pytest
from stage import Table, armies, of, scenario

from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk
from skirmish.games.plastic.battle.events import Judged
from skirmish.games.plastic.battle.orders import Correct, Dig, Switch
from skirmish.games.plastic.battle.orders.firing import circumstances_that_matter, prepared
from skirmish.games.plastic.rules.options import EVERYTHING, FIRST_GAME, OPTION_NAMES, Options

OWN = {"rifle": 20, "mortar": 2, "tank": 2, "cannon": 1}


def with_option(option: str, on: bool, second: dict[str, int], **more: Any) -> Table:
    return armies(OWN, second, options=Options(**{option: on}), **more)


def test_every_option_has_its_words() -> None:
    assert tuple(OPTION_NAMES) == Options.__struct_fields__


def test_a_first_game_has_none_and_everything_all() -> None:
    assert not any(getattr(FIRST_GAME, option) for option in OPTION_NAMES)
    assert all(getattr(EVERYTHING, option) for option in OPTION_NAMES)


@pytest.mark.parametrize("option", OPTION_NAMES)
@pytest.mark.parametrize("on", [True, False])
def test_each_can_be_switched_in_the_middle(option: str, on: bool) -> None:
    table = armies(OWN, OWN)
    table.order(Switch(option=option, on=on))
    assert getattr(table.state.options, option) is on
    others = [other for other in OPTION_NAMES if other != option]
    assert all(getattr(table.state.options, o) == getattr(Options(), o) for o in others)


# ------------------------------------------------------------------ hull down


@pytest.mark.parametrize(("on", "hit"), [(True, False), (False, True)])
def test_hull_down(on: bool, hit: bool) -> None:
    """Not hit on black cards."""
    table = with_option("hull_down", on, {"cannon": 3})
    (judged,) = of(Judged, table.fire("cannon", "tank", "5S", hull_down=True))
    assert judged.hit is hit


def test_hull_down_is_offered_only_where_it_is_played() -> None:
    for on in (True, False):
        table = with_option("hull_down", on, {"cannon": 3})
        assert (
            "hull_down" in circumstances_that_matter(table.state, table.shot("cannon", "tank"))
        ) is on


# ------------------------------------------------------------------ rear armor


@pytest.mark.parametrize(("on", "needs"), [(True, 8), (False, 5)])
def test_rear_armor(on: bool, needs: int) -> None:
    table = with_option("rear_armor", on, {"cannon": 3})
    shot = table.shot("cannon", "tank", rear=True)
    assert prepared(table.state, shot).aim.needs == needs
    assert ("rear" in circumstances_that_matter(table.state, table.shot("cannon", "tank"))) is on


# ------------------------------------------------------------------ snipers


def test_a_sniper_names_his_man() -> None:
    table = with_option("snipers", True, {"sniper": 1})
    assert prepared(table.state, table.shot("sniper", "mortar")).aim.needs == 2
    table.fire("sniper", "mortar", "2H")
    assert list(table.state.lost) == ["first:O1"]


def test_without_the_option_a_sniper_is_a_rifleman() -> None:
    table = with_option("snipers", False, {"sniper": 1})
    assert prepared(table.state, table.shot("sniper", "mortar")).aim.needs == 5
    table.fire("sniper", "mortar", "5H")
    assert isinstance(table.state.ask, CasualtyAsk)


# ------------------------------------------------------------------ entrenching, pinning


@pytest.mark.parametrize("on", [True, False])
def test_entrenching(on: bool) -> None:
    table = with_option("entrenching", on, OWN)
    if on:
        table.order(Dig(side="first"))
        assert table.state.ask == DrawAsk(side="first", die=False, why="entrench")
    else:
        assert table.refusal(Dig(side="first")).code == "option_off"


@pytest.mark.parametrize("on", [True, False])
def test_pinning(on: bool) -> None:
    table = with_option("pinning", on, {"machinegun": 1})
    table.fire("machinegun", "rifle", "9H")
    assert (table.state.ask is not None) is on


# ------------------------------------------------------------------ nationalities


@pytest.mark.parametrize(("on", "needs"), [(True, 8), (False, 5)])
def test_japanese_rifles_in_close_combat(on: bool, needs: int) -> None:
    table = armies(OWN, OWN, nations=("japanese", "american"), options=Options(nationalities=on))
    table.order(Switch(option="nationalities", on=on))
    table.at(1, "first", 3)
    assert prepared(table.state, table.shot("rifle", "rifle")).aim.needs == needs


def test_british_jeeps_do_not_count_for_their_break() -> None:
    """Nationalities: USA/Brit."""
    for on, worth in ((True, 0), (False, 5)):
        table = scenario(4, nationalities=on)
        table.order(Correct(row=table.row("british", "jeep").key, by=-1))
        assert table.state.loss["british"] == worth


def test_losses_count_as_they_would_now_when_the_option_changes() -> None:
    """Strength and break point change with it, so what was lost before must too."""
    table = scenario(4, nationalities=False)
    jeep = table.row("british", "jeep").key
    table.order(Correct(row=jeep, by=-1))
    table.order(Switch(option="nationalities", on=True))
    table.order(Correct(row=jeep, by=-1))
    assert table.state.loss["british"] == 0
    table.order(Switch(option="nationalities", on=False))
    assert table.state.loss["british"] == 10
    table.order(Correct(row=jeep, by=2))
    assert table.state.loss["british"] == 0
