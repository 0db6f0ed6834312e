"""Points worth: against sums done by hand, and against the odds of the shots it rests on."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

from skirmish import library
from skirmish.games.plastic.odds.pack import fresh, one_shot
from skirmish.games.plastic.odds.worth import GROUP_SIZE, Worth, worth, worth_words
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, why_not

CATALOG, BOOK = library.catalog(), library.rulings()
RULINGS = BOOK.defaults()
TABLE = worth(CATALOG, RULINGS)
LINES = {line.unit.id: line for line in TABLE.lines}


def points(line: Worth, target: str, reach: int) -> Fraction:
    (found,) = [
        n for (_, far), n in zip(TABLE.bands, line.points[target], strict=True) if far == reach
    ]
    return found


def at(reach: float) -> Circumstances:
    return Circumstances(distance=reach) if reach else Circumstances(touching=True, phase=3)


def test_a_rifle_kills_a_tank_in_contact_with_a_third_of_its_cards_and_never_from_afar() -> None:
    """A-4 are 16 of 48 cards, a Tank is 20 points, a Rifle Guy 1."""
    assert points(LINES["rifle"], "tank", 0) == Fraction(16, 48) * 20
    assert points(LINES["rifle"], "tank", 6) == 0
    assert points(LINES["rifle"], "rifle", 12) == Fraction(20, 48)
    assert points(LINES["rifle"], "rifle", 24) == 0


def test_repeat_fire_goes_on_until_it_misses_or_all_are_down() -> None:
    """A machinegun, A-8: 32/48 for the first of five, 31/47 for the next, and so on; 5 points. If
    whoever was shot at and spared is no new target (P22), there are three shots without an ace."""
    kills, chain = [Fraction(0)], Fraction(1)
    for nth in range(GROUP_SIZE):
        chain *= Fraction(32 - nth, 48 - nth)
        kills.append(kills[-1] + chain)
    table = worth(CATALOG, BOOK.answered({"P22": "not_killed"}))
    (line,) = [line for line in table.lines if line.unit.id == "machinegun"]
    assert points(line, "rifle", 24) == kills[GROUP_SIZE] / 5
    assert kills[3] < points(LINES["machinegun"], "rifle", 24) * 5 < kills[GROUP_SIZE]


def test_every_weapon_fires_once_and_each_as_far_as_it_reaches() -> None:
    """A Tank at trucks: its cannon needs A-9, its machinegun A-3 and no farther than 24 in."""
    cannon, gun = Fraction(36, 48), Fraction(12, 48)
    assert points(LINES["tank"], "truck", 24) == (cannon + gun) * 6 / 20
    assert points(LINES["tank"], "truck", 36) == cannon * 6 / 20


def test_bands_are_contact_and_the_spans_between_the_ranges() -> None:
    assert TABLE.bands == [(0, 0), (0, 6), (6, 12), (12, 24), (24, 36)]


def test_nothing_changes_within_a_band() -> None:
    """Just beyond the band's near end every unit may fire at whom it fires at the far end."""
    for line in TABLE.lines:
        for weapon in CATALOG.weapons_of(line.unit, RULINGS):
            for target in TABLE.targets:
                shot = partial(Shot, shooter=line.unit, weapon=weapon, target=target)
                for above, reach in TABLE.bands[1:]:
                    near, far = (
                        why_not(shot(circumstances=at(inches)), CATALOG, RULINGS)
                        for inches in (above + 0.1, reach)
                    )
                    assert (near is None) == (far is None)


def test_of_one_weapon_without_repeat_fire_it_is_the_chance_of_its_shot() -> None:
    for line in TABLE.lines:
        weapons = CATALOG.weapons_of(line.unit, RULINGS)
        for name, (_, reach) in product(line.points, TABLE.bands):
            target, found = CATALOG.units[name], points(line, name, reach)
            shot = Shot(
                shooter=line.unit, weapon=weapons[0], target=target, circumstances=at(reach)
            )
            if len(weapons) > 1 or why_not(shot, CATALOG, RULINGS):
                continue
            aimed = aim(shot, CATALOG, RULINGS)
            if not aimed.repeat:
                chance = one_shot(aimed, fresh(RULINGS)).hit
                assert found == chance * target.price / line.unit.price


def test_a_nation_pays_its_own_price_and_rulings_change_the_weapons() -> None:
    cheaper = {
        nation.id: (nation, discount)
        for nation in CATALOG.nations.values()
        for discount in nation.discounts
        if discount.holds(RULINGS)
    }
    nation, discount = next(iter(cheaper.values()))
    unit = CATALOG.units[discount.units[0]]
    ours = {line.unit.id: line for line in worth(CATALOG, RULINGS, nation).lines}[unit.id]
    assert ours.price == unit.price - discount.off
    assert (
        points(ours, "rifle", 12) == points(LINES[unit.id], "rifle", 12) * unit.price / ours.price
    )
    weaker = worth(CATALOG, BOOK.answered({"P62": "armor_only"}))
    assert points(LINES["kv"], "tank", 36) > points(
        {line.unit.id: line for line in weaker.lines}["kv"], "tank", 36
    )


def test_who_cannot_fire_or_is_not_sold_is_left_out() -> None:
    assert {"truck", "jeep", "aircraft", "landing_craft"}.isdisjoint(LINES)
    assert all(any(map(any, line.points.values())) for line in TABLE.lines)


def test_what_is_possible_is_never_told_as_nothing() -> None:
    shown = {Fraction(0): "–", Fraction(1, 1000): "<0.01", Fraction(3, 8): "0.38"}
    shown |= {Fraction(20, 3): "6.67", Fraction(999, 1000): "1.00"}
    assert {one: worth_words(one) for one in shown} == shown
