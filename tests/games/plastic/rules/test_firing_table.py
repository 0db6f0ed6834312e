"""The firing table says what the rules answer, for this nation and these rulings."""

from __future__ import annotations

import pytest

from skirmish import library
from skirmish.games.plastic.rules.firing_table import (
    Firing,
    FiringEntry,
    Gun,
    ranges_of,
    ranks_in_short,
)
from skirmish.tabletop.measure import inches


def gun(unit: str, nation: str | None = None, **answers: str) -> list[Gun]:
    catalog, rulings = library.catalog(), library.rulings().answered(answers)
    asked = Firing(catalog, rulings, catalog.nations[nation] if nation else None)
    return asked.table([catalog.units[unit]])


def test_rifle_line() -> None:
    rifleman = library.catalog().units["rifle"]
    entry = FiringEntry("Rifle", "12 in", "A-5", "A-4*", "A-2", (12,))
    assert gun("rifle") == [Gun(entry, (rifleman,), "")]


def test_japanese_rifles_are_better_in_contact() -> None:
    assert gun("rifle", "japanese")[0].also == "in contact A-8 at guys"


def test_sniper_reaches_farther_at_guys() -> None:
    entry, _, also = gun("sniper")[0]
    assert entry.reach == "12 in, guys 24 in"
    assert "kills the man named" in also


def test_cannon_against_tigers_and_from_behind() -> None:
    lines = {line.entry.weapon: line for line in gun("tank")}
    assert lines["Cannon"].also == "A-3 at Tigers; from behind A-8 at Tanks, A-6 at Tigers"


def test_rear_armor_of_an_88_follows_its_ruling() -> None:
    assert gun("eighty_eight")[0].also == ""
    assert gun("eighty_eight", P7="rear")[0].also == "from behind A-8 at Tanks, A-6 at Tigers"


def test_a_weapon_in_words_says_what_its_signs_mean() -> None:
    catalog = library.catalog()
    firing = Firing(catalog, library.rulings().defaults(), None)
    (rifle,) = firing.in_words(catalog.units["rifle"])
    assert rifle.reach == inches(12)
    assert rifle.kills == ("guys A-5", "armored A-4 in contact only", "unarmored A-2")
    (gun,) = firing.in_words(catalog.units["machinegun"])
    assert gun.kills[0].endswith("again after a kill")


def test_a_weapon_that_fires_twice_says_so() -> None:
    catalog = library.catalog()
    asked = Firing(catalog, library.rulings().defaults(), None)
    assert [entry.weapon for entry in asked.entries(catalog.units["aa_tank"])] == ["2 × Machinegun"]


def test_a_gun_that_may_not_fire_at_guys_has_no_number_for_them() -> None:
    entry = gun("desert_tank")[-1].entry
    assert (entry.weapon, entry.guys, entry.unarmored) == ("Anti-tank cannon", "–", "–")


@pytest.mark.parametrize(
    ("weapon", "wanted"),
    [
        ("machinegun", "8+/4*/3"),
        ("sniper", "2/4*/2"),
        ("anti_tank_cannon", "–/5/–"),
    ],
)
def test_a_weapon_on_one_line_bears_the_marks_of_the_table(weapon: str, wanted: str) -> None:
    assert ranks_in_short(library.catalog().weapons[weapon]) == wanted


def test_ranges_are_told_once_each() -> None:
    weapons = library.catalog().weapons
    assert ranges_of([weapons["sniper"], weapons["rifle"], weapons["machinegun"]]) == (12, 24)
    assert ranges_of([]) == ()


def test_mortars_do_not_repeat_in_contact() -> None:
    """Sequence of Play: there they attack guys as Rifle Guys, with the number they have anyway."""
    assert gun("mortar")[0].also == "in contact A-5 at guys, once"
    assert "contact" not in gun("grenade")[0].also
