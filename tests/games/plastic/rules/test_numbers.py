"""The files of numbers: what is refused at load, and with which sentence."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from skirmish import library, resources
from skirmish.games.plastic.rules.catalog import Catalog, UnitVariant, plural
from skirmish.games.plastic.rules.catalog_files import FILES, read_catalog
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.data_file import DataError

Files = dict[str, dict[str, Any]]


def files() -> Files:
    return {name: copy.deepcopy(resources.table(f"plastic/{name}.toml")) for name in FILES}


def problems(raw: Files) -> list[str]:
    try:
        read_catalog(raw, library.rulings())
    except DataError as error:
        return str(error).splitlines()
    return []


def put(file: str, *place: Any) -> Callable[[Files], None]:
    """A change to a file: the last of ``place`` is the value for the key before it."""
    *path, key, value = place

    def change(raw: Files) -> None:
        at: Any = raw[file]
        for step in path:
            at = at[step]
        at[key] = value

    return change


def test_the_files_as_they_are_have_no_problem() -> None:
    assert problems(files()) == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            put("units", "units", "tank", "weapons", ["canon"]),
            "plastic/units.toml: units.tank.weapons[0]: no weapon 'canon'; did you mean cannon?",
        ),
        (
            put("units", "weapons", "machinegun", "in_contact_as", "rifel"),
            "plastic/units.toml: weapons.machinegun.in_contact_as: no weapon 'rifel'; "
            "did you mean rifle?",
        ),
        (
            put("units", "weapons", "eighty_eight", "regular", "canon"),
            "plastic/units.toml: weapons.eighty_eight.regular: no weapon 'canon'; "
            "did you mean cannon?",
        ),
        (
            put("units", "weapons", "rifle", "guys", "needs", 13),
            "plastic/units.toml: weapons.rifle.guys.needs: expected a whole number <= 12; "
            "13 stands there.",
        ),
        (
            put("units", "units", "tank", "price", -1),
            "plastic/units.toml: units.tank.price: expected a whole number >= 0; -1 stands there.",
        ),
        (
            put("units", "units", "tank", "kind", "armoured"),
            "plastic/units.toml: units.tank.kind: 'armoured' is not possible here; "
            "did you mean armored?",
        ),
        (
            put("units", "units", "tank", "colour", "grey"),
            "plastic/units.toml: units.tank.colour: unknown key; known are: ",
        ),
        (
            put("units", "format", 2),
            "plastic/units.toml: format: 2 is not possible here; only 1 is known.",
        ),
        (
            put("nations", "nations", "german", "discounts", 0, "units", ["tnak"]),
            "plastic/nations.toml: nations.german.discounts[0].units[0]: no unit 'tnak'; "
            "did you mean tank?",
        ),
        (
            put("nations", "nations", "british", "spared", 0, "units", ["jepe"]),
            "plastic/nations.toml: nations.british.spared[0].units[0]: no unit 'jepe'; "
            "did you mean jeep?",
        ),
        (
            put("qualities", "pin", "without_quality", "regulars"),
            "plastic/qualities.toml: pin.without_quality: no force quality 'regulars'; "
            "did you mean regular?",
        ),
        (
            put("limits", "limit", 2, "units", ["tankk"]),
            "plastic/limits.toml: limit[2].units[0]: no unit or work 'tankk'; did you mean tank?",
        ),
        (
            put("limits", "limit", 4, "also", 0, "units", ["mgjeep"]),
            "plastic/limits.toml: limit[4].also[0].units[0]: no unit 'mgjeep'; did you "
            "mean mg_jeep?",
        ),
        (
            put("limits", "limit", 4, "also", 0, "answer", "ja"),
            "plastic/limits.toml: limit[4].also[0].answer: P61 has no answer 'ja'; ",
        ),
        (
            put("units", "units", "kv", "instead", "ruling", "P999"),
            "plastic/units.toml: units.kv.instead.ruling: no ruling 'P999'; they run from P1 to P",
        ),
        (
            put("nations", "nations", "german", "discounts", 1, "answer", "every_tnak"),
            "plastic/nations.toml: nations.german.discounts[1].answer: P46 has no answer "
            "'every_tnak'; did you mean every_tank?",
        ),
        (
            put("nations", "nations", "american", "spared", 0, "ruling", "P61"),
            "plastic/nations.toml: nations.american.spared[0]: needs ruling and answer together",
        ),
        (
            put("limits", "limit", 8, "not_for", ["germany"]),
            "plastic/limits.toml: limit[8].not_for[0]: no nation 'germany'; did you mean german?",
        ),
        (
            put("limits", "limit", 0, "most", 3),
            "plastic/limits.toml: limit[0]: needs exactly one of most, most_per_100, most_share, "
            "least_share; has 2.",
        ),
        (
            put("limits", "limit", 1, "most_share", "1/0"),
            "plastic/limits.toml: limit[1].most_share: expected text matching",
        ),
    ],
)
def test_a_wrong_number_or_name_is_told_with_file_key_and_remedy(
    change: Callable[[Files], None], sentence: str
) -> None:
    raw = files()
    change(raw)
    (only,) = problems(raw)
    assert only.startswith(sentence)


def test_a_limit_without_a_bound_is_refused() -> None:
    raw = files()
    del raw["limits"]["limit"][7]["most"]
    (only,) = problems(raw)
    assert only.endswith("has 0.")


def test_every_problem_of_a_file_is_told() -> None:
    raw = files()
    for unit in ("rifle", "tank", "jeep"):
        raw["units"]["units"][unit]["weapons"] = ["ray"]
    assert len(problems(raw)) == 3


@pytest.mark.parametrize(
    "change",
    [
        put("nations", "nations", "russian", "free", "unit", "rifel"),
        put("nations", "nations", "russian", "digs_as_engineers", ["rifel"]),
        put("units", "units", "kv", "instead", "weapons", ["canon"]),
        put("units", "weapons", "cannon", "special", {"tigre": {"needs": 3}}),
        put("units", "weapons", "cannon", "rear", {"tnak": 8}),
    ],
    ids=["free unit", "diggers", "other weapons", "special target", "rear"],
)
def test_a_name_that_nothing_bears_is_refused_wherever_it_stands(
    change: Callable[[Files], None],
) -> None:
    """A misspelt tag would silently take a rule out of the game."""
    raw = files()
    change(raw)
    assert problems(raw)


def test_a_variant_is_like_its_base_but_for_what_is_given(catalog: Catalog) -> None:
    heavy = UnitVariant(id="heavy", of="tank", price=25, move=6, name="Heavy Tank")
    changed = catalog.with_variants([heavy])
    tank, unit = catalog.units["tank"], changed.units["heavy"]
    assert (unit.price, unit.move, unit.name, unit.source) == (25, 6, "Heavy Tank", "scenario")
    assert (unit.weapons, unit.kind, unit.tags) == (tank.weapons, tank.kind, tank.tags)
    assert changed.units["tank"] == tank


def test_a_variant_with_another_range_keeps_its_weapons_names(catalog: Catalog) -> None:
    """Scenario 8: the Tiger's gun reaches 4 ft, its machinegun does not."""
    tiger = UnitVariant(id="tiger", of="tiger", price=40, ranges={"eighty_eight": 48})
    changed = catalog.with_variants([tiger])
    gun, machinegun = changed.weapons_of(changed.units["tiger"], {})
    assert gun.range == 48
    assert {"eighty_eight", "cannon"} <= set(gun.other_ids)
    assert gun.armored == catalog.weapons["eighty_eight"].armored
    assert machinegun.range == 24
    assert changed.weapons["eighty_eight"].range == 36


def test_a_12_or_the_queen_of_spades_may_break_a_weapon(catalog: Catalog) -> None:
    """Breakdowns."""
    fire = catalog.fire
    assert fire.requires_second_draw(Draw(12, "S"))
    assert fire.requires_second_draw(Draw(12))
    assert not any(fire.requires_second_draw(Draw(12, suit)) for suit in "HDC")
    assert not fire.requires_second_draw(Draw(11))
    assert fire.breaks(Draw(1, "S"))
    assert not fire.breaks(Draw(12, "H"))
    assert fire.breaks(Draw(12))
    assert not fire.breaks(Draw(11))


def test_names_are_plural_as_people_say_them(catalog: Catalog) -> None:
    assert plural("Small Pillbox") == "Small Pillboxes"
    assert plural("Landing Craft") == "Landing Craft"
    assert catalog.units["tank"].named(1) == "1 Tank"
    assert catalog.units["tank"].named(3) == "3 Tanks"


def test_the_catalog_is_the_same_after_a_journey_through_json(catalog: Catalog) -> None:
    """A battle carries it in its opening."""
    assert msgspec.json.decode(msgspec.json.encode(catalog), type=Catalog) == catalog
