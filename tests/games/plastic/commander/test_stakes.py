"""What victory is worth: the figures from which the commander was designed."""

from __future__ import annotations

import pytest

from skirmish import library
from skirmish.games.plastic.commander.stakes import Force, Stakes, stakes_of, stakes_of_break

CATALOG = library.catalog()
SCENARIOS = library.published_scenarios()


def stakes(number: int, **counted: int) -> Stakes:
    scenario = SCENARIOS[number]
    forces = {side.id: Force(side.units()) for side in scenario.sides}
    catalog = CATALOG.with_variants(scenario.variants)
    return stakes_of(scenario.victory, forces, catalog, **counted)


def test_dog_beach_is_worth_two_points_for_each_guy_in_a_building() -> None:
    """Half of 87 points; 43 German guys, of whom half decide."""
    assert stakes(10).points == 43.5
    assert stakes(10).each == pytest.approx(2, abs=0.05)


def test_the_bridge_is_worth_nearly_two_points_for_each_guy_on_it() -> None:
    assert stakes(9).points == 59
    assert stakes(9).each == pytest.approx(1.8, abs=0.05)


def test_kidney_ridge_is_worth_75_points_however_many_are_in_the_circle() -> None:
    assert stakes(6, in_the_circle=8).points == 75
    assert stakes(6, in_the_circle=8).each == 75 / 8


@pytest.mark.parametrize(
    ("number", "units"),
    [
        (1, 20),  # guys' worth over the edge
        (2, 8),  # tanks
        (3, 6 + 4),  # aircraft, then jeeps
        (4, 4),  # buildings
        (7, 32),  # "half their force", of 63
        (8, 6),  # half of the German tanks
    ],
)
def test_as_many_units_decide_as_the_victory_terms_ask_for(number: int, units: int) -> None:
    assert stakes(number).units == units


def test_half_of_the_buildings_decide_where_their_ratio_does() -> None:
    assert stakes(5, buildings=6).units == 3


def test_an_unfinished_table_has_stakes_too() -> None:
    """No building, nobody in the circle: never a division by nothing."""
    assert stakes(5, buildings=0).units == 1
    assert stakes(6, in_the_circle=0).units == 1


def test_a_dead_guy_is_worth_two_points_more_in_an_army_of_100_potential_dead() -> None:
    """The basic game: 200 points, 50 dead until it breaks; a Tank counts as five."""
    army = Force({"tank": 4, "jeep": 2, "truck": 1, "cannon": 1, "rifle": 60, "machinegun": 4})
    assert army.price(CATALOG) == 180
    broken = stakes_of_break([army, Force({"machinegun": 40})], CATALOG, to_break=50)
    assert broken.points == 90
    assert broken.each == 90 / 50
