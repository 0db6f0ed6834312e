"""The kills of a shot, against the table from which the commander was designed."""

from __future__ import annotations

import pytest

from skirmish import library
from skirmish.games.plastic.commander.kills import KillTable, Target
from skirmish.games.plastic.odds.pack import of_die

CATALOG = library.catalog()
RULINGS = library.rulings().defaults()
UNITS = CATALOG.units
KILLS = KillTable(CATALOG, RULINGS)
RIFLE, TANK, TRUCK, PILLBOX = (UNITS[name] for name in ("rifle", "tank", "truck", "large_pillbox"))


def at_guys(shooter: str, together: int, *, cover: bool) -> float:
    target = Target(RIFLE, together, cover=cover)
    return round(KILLS.of_unit(UNITS[shooter], target), 2)


@pytest.mark.parametrize(
    ("shooter", "four_open", "eight_open", "four_covered", "eight_covered"),
    [
        ("rifle", 0.42, 0.42, 0.21, 0.21),
        ("machinegun", 1.17, 1.63, 0.45, 0.48),
        ("mortar", 0.61, 0.68, 0.61, 0.68),
        ("cannon", 0.78, 0.93, 0.78, 0.93),
        ("bazooka", 0.78, 0.93, 0.78, 0.93),
        ("grenade", 1.17, 1.63, 1.17, 1.63),
        ("flamethrower", 1.63, 2.70, 1.63, 2.70),
    ],
)
def test_kills_at_groups_of_four_and_eight(
    shooter: str, four_open: float, eight_open: float, four_covered: float, eight_covered: float
) -> None:
    """Cover helps against bullets only ("Cover"); repeat fire finds more men in a larger group."""
    # A flamethrower kills 1.635 of four, which the design has as 1.63.
    rounding = 0.011
    assert at_guys(shooter, 4, cover=False) == pytest.approx(four_open, abs=rounding)
    assert at_guys(shooter, 8, cover=False) == pytest.approx(eight_open, abs=rounding)
    assert at_guys(shooter, 4, cover=True) == pytest.approx(four_covered, abs=rounding)
    assert at_guys(shooter, 8, cover=True) == pytest.approx(eight_covered, abs=rounding)


@pytest.mark.parametrize(
    ("shooter", "at_tank", "at_truck"),
    [
        ("rifle", 0, 17),
        ("machinegun", 0, 25),
        ("mortar", 0, 17),
        ("cannon", 42, 75),
        ("bazooka", 42, 50),
        ("grenade", 0, 42),
        ("flamethrower", 33, 67),
    ],
)
def test_kills_at_models(shooter: str, at_tank: int, at_truck: int) -> None:
    """In percent: a model is hit once or not at all."""
    assert round(100 * KILLS.of_unit(UNITS[shooter], Target(TANK))) == at_tank
    assert round(100 * KILLS.of_unit(UNITS[shooter], Target(TRUCK))) == at_truck


@pytest.mark.parametrize("shooter", ["rifle", "machinegun", "mortar", "grenade"])
def test_men_without_armor_piercing_weapons_hurt_a_tank_in_contact(shooter: str) -> None:
    """A-4 touch: a third of the cards."""
    touched = Target(TANK, touching=True)
    assert KILLS.of_unit(UNITS[shooter], touched) == pytest.approx(1 / 3)


def test_a_flamethrower_burns_out_a_pillbox() -> None:
    """ "Pillbox: A-10"."""
    assert KILLS.of_unit(UNITS["flamethrower"], Target(PILLBOX)) == pytest.approx(10 / 12)


def test_a_tank_fires_its_cannon_and_its_machinegun_once_each() -> None:
    """At eight men who charge it: .93 + 1.63."""
    charge = Target(RIFLE, 8, distance=5)
    assert KILLS.of_unit(TANK, charge) == pytest.approx(2.56, abs=0.005)


def test_nobody_kills_beyond_his_range() -> None:
    assert KILLS.of_unit(RIFLE, Target(RIFLE, 8, distance=12)) > 0
    assert KILLS.of_unit(RIFLE, Target(RIFLE, 8, distance=13)) == 0
    assert KILLS.of_unit(TANK, Target(TRUCK, distance=25)) == 0.75  # the cannon alone


def test_a_crowd_is_hit_as_a_large_group_is() -> None:
    crowd = KILLS.of_unit(UNITS["machinegun"], Target(RIFLE, 100))
    assert crowd == KILLS.of_unit(UNITS["machinegun"], Target(RIFLE, 12))


def test_with_the_die_cover_is_worth_less_against_a_rifle() -> None:
    """Five ranks, of which three are odd: 25 %, and 21 % with cards."""
    thrown = KillTable(CATALOG, RULINGS, of_die())
    assert thrown.of_unit(RIFLE, Target(RIFLE, cover=True)) == 0.25


def test_a_volley_kills_no_more_than_stand_there() -> None:
    """Eight rifles would kill 3.33 of many men, and 3.10 of four, by the cards of one deck."""
    rifles = [RIFLE] * 8
    assert KILLS.of_volley(rifles, Target(RIFLE, 12)) == pytest.approx(8 * 5 / 12)
    assert KILLS.of_volley(rifles, Target(RIFLE, 4)) == pytest.approx(3.10, abs=0.005)
    assert KILLS.of_volley(rifles, Target(TANK)) == 0
