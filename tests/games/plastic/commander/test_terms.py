"""The arithmetic of a score: the design's worked examples, with its numbers.

Kills are those of the exact odds; where they differ from the design, the reason stands beside it.
"""

from __future__ import annotations

import pytest

from skirmish import library
from skirmish.games.plastic.commander.kills import KillTable, Target
from skirmish.games.plastic.commander.terms import (
    Scales,
    ScoreTerms,
    chance_by_men,
    chance_hit,
    duel_odds,
    men_lost,
    points_lost,
    pull_of,
    share_drawn,
)
from skirmish.games.plastic.commander.weights import RoleId, TemperamentId
from skirmish.games.plastic.odds.pack import of_die

CATALOG = library.catalog()
UNITS = CATALOG.units
RULINGS = library.rulings().defaults()
KILLS = KillTable(CATALOG, RULINGS)
THROWN = KillTable(CATALOG, RULINGS, of_die())
WEIGHTS = library.commander_weights()
CHOOSING = WEIGHTS.fire.choosing
FORESEEN = WEIGHTS.fire.foreseen
RIFLE, TANK, TRUCK = (UNITS[name] for name in ("rifle", "tank", "truck"))


def value(
    terms: ScoreTerms, role: RoleId, *, temperament: TemperamentId = "steady", spare: int = 9
) -> float:
    scales = Scales.of(
        WEIGHTS.temperaments[temperament], WEIGHTS.roles[role], WEIGHTS.urgency.share(spare)
    )
    return scales.weighed(terms).balance


def share_of_fire(here: float, elsewhere: list[float], choosing: float) -> float:
    """The part of a shooter's fire that comes to one group, where he can fire at others as well."""
    return share_drawn(here, pull_of(elsewhere, choosing), choosing)


def guns_at(together: int, *, cover: bool) -> float:
    return KILLS.of_unit(UNITS["machinegun"], Target(RIFLE, together, 18, cover))


# ------------------------------------------------------------------ Dog Beach, at the seawall

GROUPS, MEN = 5, 4
GUNS, GUN_PRICE = 4, 5
IN_COVER, IN_THE_OPEN = guns_at(MEN, cover=True), guns_at(MEN, cover=False)
CANNON = KILLS.of_unit(UNITS["cannon"], Target(RIFLE, MEN, 24)) / GROUPS
"""Cover is none against it, so that it fires at each of the five groups alike."""
GROUND = 8 * WEIGHTS.in_time.turn_gained(8)


def a_gun_dies(rifles: float) -> float:
    """Points of a lone gunner in cover that so many rifles kill."""
    return GUN_PRICE * chance_by_men(rifles, KILLS.of_unit(RIFLE, Target(RIFLE, 1, 12, True)))


def stay() -> ScoreTerms:
    share = share_of_fire(IN_COVER, [IN_COVER] * (GROUPS - 1), CHOOSING)
    return ScoreTerms(danger=men_lost(MEN, GUNS * IN_COVER * share + CANNON))


def over_alone() -> ScoreTerms:
    share = share_of_fire(IN_THE_OPEN, [IN_COVER] * (GROUPS - 1), CHOOSING)
    lost = men_lost(MEN, GUNS * IN_THE_OPEN * share + CANNON)
    return ScoreTerms(FORESEEN * a_gun_dies(MEN - lost), GROUND, lost)


def as_a_wave() -> ScoreTerms:
    share = share_of_fire(IN_THE_OPEN, [IN_THE_OPEN] * (GROUPS - 1), CHOOSING)
    lost = men_lost(MEN, GUNS * IN_THE_OPEN * share + CANNON)
    left = GROUPS * (MEN - lost)
    both_guns = 2 * a_gun_dies(left / 2)
    return ScoreTerms(FORESEEN * both_guns / GROUPS, GROUND, lost)


def test_at_the_wall_the_terms_are_those_of_the_design() -> None:
    assert stay().danger == pytest.approx(0.48, abs=0.01)
    # The design rounds the kills before it shares them out.
    assert over_alone() == pytest.approx((1.4, 0.08, 2.16), abs=0.02)
    assert as_a_wave() == pytest.approx((1.33, 0.08, 0.96), abs=0.01)


@pytest.mark.parametrize(
    ("temperament", "staying", "alone", "wave"),
    [
        ("steady", -0.44, -0.72, 0.31),
        ("cautious", -0.61, -1.62, -0.16),
        ("bold", -0.30, -0.10, 0.60),
    ],
)
def test_at_the_wall_all_go_together_or_nobody_does(
    temperament: TemperamentId, staying: float, alone: float, wave: float
) -> None:
    values = [
        value(terms, "assault", temperament=temperament)
        for terms in (stay(), over_alone(), as_a_wave())
    ]
    assert values[::2] == pytest.approx([staying, wave], abs=0.01)
    assert values[1] == pytest.approx(alone, abs=0.04)
    assert max(values) == values[2]


# ------------------------------------------------------------------ Dog Beach, on the crest

HOUSE = 16
"""Points: eight men who count two each in house 2, two turns away."""


def on_the_crest(*, in_order: bool) -> ScoreTerms:
    """Eight rifles in a trench; below them four Americans in the open, and two guns at the wall.
    ``in_order``: those who fell to the Americans' fire do not fire in the next turn."""
    rifles = 4 * KILLS.of_unit(RIFLE, Target(RIFLE, 8, 12, cover=True))
    lost = men_lost(8, 2 * guns_at(8, cover=True) + rifles)
    shooters = 8
    if in_order:
        shooters = round(8 - lost)
    killed = THROWN.of_volley([RIFLE] * shooters, Target(RIFLE, 4, 12))
    return ScoreTerms(FORESEEN * killed, danger=lost)


EARLY, LATE, LAST = 10, 3, 0
"""Turns to spare on turns 4, 11 and 14."""


def test_the_house_is_worth_more_the_less_time_is_left() -> None:
    to_the_house = [to_house_2(spare) for spare in (EARLY, LATE, LAST)]
    assert to_the_house == pytest.approx([0, 2.4, 8.4])


def to_house_2(spare: int) -> float:
    return value(ScoreTerms(ground=HOUSE * WEIGHTS.in_time.turn_gained(spare)), "hold")


def test_on_the_crest_the_terms_are_those_of_the_design() -> None:
    """Which has all eight fire with dice, although some of them have fallen by then."""
    terms = on_the_crest(in_order=False)
    assert terms == pytest.approx((0.8 * 3.06, 0, 1.61), abs=0.01)
    staying = [value(terms, "hold", spare=spare) for spare in (EARLY, LATE, LAST)]
    assert staying == pytest.approx([0.84, 0.84, 1.65], abs=0.01)


def test_the_crest_is_left_for_the_house_when_time_runs_out() -> None:
    terms = on_the_crest(in_order=True)
    assert value(terms, "hold", spare=EARLY) > to_house_2(EARLY)
    assert value(terms, "hold", spare=LATE) < to_house_2(LATE)
    assert value(terms, "hold", spare=LAST) < to_house_2(LAST)


# ------------------------------------------------------------------ Kidney Ridge

SHARE_OF_THE_CIRCLE = 75 * 10 / 40
"""Points: ten men in a truck, of the forty who are sent."""
TRUCK_PRICE, TANK_PRICE, ABOARD = 6, 20, 10


def drive_on(guns: int, tanks: int, spare: int) -> ScoreTerms:
    """A truck with ten men into the fire of so many cannon, beside so many tanks."""
    hit = KILLS.of_unit(UNITS["cannon"], Target(TRUCK, distance=36))
    price = TRUCK_PRICE + ABOARD
    at_a_tank = TANK_PRICE * KILLS.of_unit(UNITS["cannon"], Target(TANK, distance=36))
    share = share_of_fire(price * hit, [at_a_tank] * tanks, CHOOSING)
    ground = SHARE_OF_THE_CIRCLE * WEIGHTS.in_time.turn_gained(spare)
    return ScoreTerms(ground=ground, danger=price * chance_hit([hit * share] * guns))


def test_trucks_gain_more_ground_and_risk_less_from_turn_to_turn() -> None:
    many_guns, fewer_guns, few_guns = drive_on(7, 10, 3), drive_on(5, 7, 2), drive_on(3, 6, 1)
    ground = [terms.ground for terms in (many_guns, fewer_guns, few_guns)]
    danger = [terms.danger for terms in (many_guns, fewer_guns, few_guns)]
    assert ground == pytest.approx([1.9, 3.8, 4.7], abs=0.05)
    assert danger == pytest.approx([9.9, 9.8, 7.6], abs=0.06)


@pytest.mark.parametrize(
    ("guns", "tanks", "spare", "going"), [(7, 10, 3, -6.5), (5, 7, 2, -2.4), (3, 6, 1, 1.5)]
)
def test_loaded_trucks_wait_until_the_guns_are_fewer_and_time_is_short(
    guns: int, tanks: int, spare: int, going: float
) -> None:
    """Waiting is worth nothing either way."""
    terms = drive_on(guns, tanks, spare)
    assert value(terms, "assault", spare=spare) == pytest.approx(going, abs=0.05)


def test_eight_rifles_charge_the_tank_that_stops_beside_them() -> None:
    """Three tanks fire at them, each with half of its fire; five arrive, nearly nine in ten."""
    fire = 3 * KILLS.of_unit(TANK, Target(RIFLE, 8, 5)) / 2
    lost = men_lost(8, fire)
    arrive = round(8 - lost)
    killed = TANK_PRICE * chance_by_men(arrive, KILLS.of_unit(RIFLE, Target(TANK, touching=True)))
    charge = ScoreTerms(killed, danger=lost)
    assert (lost, killed) == pytest.approx((3.0, 17.4), abs=0.06)
    assert value(charge, "hold") == pytest.approx(14.4, abs=0.1)


# ------------------------------------------------------------------ rules of thumb


@pytest.mark.parametrize(("men", "percent"), [(2, 56), (4, 80), (6, 91)])
def test_men_who_touch_a_tank_kill_it(men: int, percent: int) -> None:
    touched = KILLS.of_unit(RIFLE, Target(TANK, touching=True))
    assert round(100 * chance_by_men(men, touched)) == percent


@pytest.mark.parametrize(("rifles", "percent"), [(8, 85), (4, 61)])
def test_rifles_kill_a_lone_gunner_in_cover(rifles: int, percent: int) -> None:
    covered = KILLS.of_unit(RIFLE, Target(RIFLE, cover=True))
    assert round(100 * chance_by_men(rifles, covered)) == percent


def test_twice_as_many_tanks_are_four_times_as_strong() -> None:
    hull_down, in_the_open = 0.38, 5 / 12
    assert duel_odds(10, hull_down, 7, in_the_open) == pytest.approx(1.8, abs=0.1)
    assert duel_odds(5, hull_down, 7, in_the_open) == pytest.approx(0.46, abs=0.01)


def test_nobody_loses_more_men_than_he_has() -> None:
    assert men_lost(4, kills=100) <= 4
    assert men_lost(0, kills=3) == 0


def test_the_cheapest_die_first() -> None:
    assert points_lost([5, 1, 1], fallen=1) == 1
    assert points_lost([5, 1, 1], fallen=3) == 7
    assert points_lost([5, 1, 1], fallen=9) == 7


def test_a_shooter_without_a_target_draws_no_share() -> None:
    assert share_of_fire(0, [], CHOOSING) == 0
    assert share_of_fire(0, [2.0], CHOOSING) == 0
