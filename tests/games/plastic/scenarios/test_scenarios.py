"""The scenarios of the text: what it and its analysis say. What holds of any scenario is asked of
each in the folder."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from scenario_files import FILES, TABLES, load, of_the_text, table

from skirmish import library
from skirmish.games.plastic.scenarios.scenario import Scenario, summary, under_rulings
from skirmish.games.plastic.scenarios.scenario_file import read_scenario
from skirmish.games.plastic.scenarios.scenario_part import Moment

VECTORS = Path(__file__).parents[3] / "conformance" / "scenarios.jsonl"


GUIDE = Path(__file__).parents[4] / "docs" / "scenario-format.md"


def vectors() -> list[dict[str, Any]]:
    return [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()]


# ---------------------------------------------------------------- the numbers of the analysis

STRENGTHS = {
    # number: side -> (points without works, PDG)
    1: {"polish": ((43, 43), (28, 28)), "german": ((90, 92), (50, 55))},
    2: {"french": ((264, 264), (80, 80)), "german": ((207, 209), (70, 75))},
    3: {"british": ((56, 56), (40, 40)), "german": ((6, 6), (6, 6))},
    4: {"german": ((251, 255), (123, 123)), "british": ((123, 123), (69, 69))},
    5: {"german": ((158, 158), (72, 72)), "russian": ((98, 98), (57, 57))},
    6: {"british": ((150, 150), (94, 94)), "german": ((280, 280), (110, 110))},
    7: {"german": ((269, 269), (63, 63)), "russian": ((140, 140), (97, 97))},
    8: {"german": ((420, 420), (120, 120)), "russian": ((392, 392), (142, 142))},
    9: {"british": ((128, 128), (74, 74)), "german": ((118, 118), (87, 87))},
    10: {"german": ((87, 87), (53, 53)), "american": ((107, 107), (77, 77))},
}
WORKS = {
    # the "incl." amounts: 5 an entrenchment, 1 a segment of wire
    (1, "polish"): 25,
    (4, "british"): 60,
    (5, "russian"): 80,
    (6, "british"): 70,
    (7, "russian"): 100,
    (9, "german"): 50,
    (10, "german"): 100,
}
CLOCKS = {
    1: ("german", 11),
    2: ("german", 10),
    3: None,
    4: ("german", 12),
    5: ("german", 10),
    6: ("german", 9),
    7: ("german", 24),
    8: ("russian", 12),
    9: ("german", 24),
    10: ("german", 15),
}


@pytest.mark.parametrize("number", STRENGTHS)
def test_points_and_pdg_are_those_of_the_analysis(number: int) -> None:
    scenario = load(number)
    found = {
        side.id: (
            side.points(library.catalog().with_variants(scenario.variants)),
            side.pdg(library.catalog().with_variants(scenario.variants)),
        )
        for side in scenario.sides
    }
    assert found == STRENGTHS[number]


@pytest.mark.parametrize("number", STRENGTHS)
def test_works_cost_what_the_analysis_includes(number: int) -> None:
    scenario = load(number)
    prices = {name: work.price for name, work in library.catalog().works.items()}
    for side in scenario.sides:
        cost = sum(prices[work] * count for work, count in scenario.side(side.id).works().items())
        assert cost == WORKS.get((number, side.id), 0)


@pytest.mark.parametrize("number", STRENGTHS)
def test_each_ends_when_the_text_says(number: int) -> None:
    end = load(number).ends_after
    assert (end and (end.side, end.turn)) == CLOCKS[number]


def test_the_vectors_have_each_scenario_of_the_text() -> None:
    assert sorted(vector["number"] for vector in vectors()) == sorted(STRENGTHS)


@pytest.mark.parametrize("expected", vectors(), ids=lambda vector: str(vector["number"]))
def test_summary_agrees_with_the_conformance_vectors(expected: dict[str, Any]) -> None:
    def by_side(value: dict[str, Any]) -> dict[str, Any]:
        return value | {"sides": {side["id"]: side for side in value["sides"]}}

    found = summary(load(expected["number"]), library.catalog())
    assert {key: by_side(found)[key] for key in expected["out"]} == by_side(expected["out"])


def test_summary_is_the_object_that_other_programs_are_promised() -> None:
    found = summary(load(1), library.catalog())
    assert json.loads(json.dumps(found)) == found
    assert list(found) == ["number", "title", "date", "first_move", "ends_after", "sides"]
    assert found["sides"][1] == {
        "id": "german",
        "nation": "german",
        "units": {
            "rifle": 23,
            "machinegun": 2,
            "mortar": 1,
            "grenade": 4,
            "tank": 1,
            "truck": 2,
        },
        "works": {},
        "choices": [[{"halftrack": 1}, {"truck": 1, "cannon": 1}]],
        "points": {"min": 90, "max": 92},
        "pdg": {"min": 50, "max": 55},
    }


def test_what_setup_must_ask_is_not_in_the_units() -> None:
    scenario = load(3)
    assert scenario.side("german").units() == {"rifle": 6}
    assert [ask.id for ask in scenario.questions()] == ["garrison", "aircraft", "entry_points"]


# ---------------------------------------------------------------- questions


def test_relief_and_reaction_arrive_on_their_turns() -> None:
    scenario = load(9)
    assert [(come.turn, come.side, come.contingent.id) for come in scenario.arriving()] == [
        (1, "british", "gliders"),
        (8, "german", "reaction"),
        (12, "british", "relief"),
    ]
    assert [come.contingent.id for come in scenario.arriving(after=8)] == ["relief"]


def test_limits_fall_away_on_their_turns() -> None:
    scenario = load(9)
    counts = [len(scenario.limits_at(turn)) for turn in (1, 7, 8, 11, 12)]
    assert counts == [2, 2, 1, 1, 0]


def test_the_side_that_moves_first_stands_first_in_the_order_of_play() -> None:
    assert load(10).order_of_play() == ("american", "german")
    assert load(1).order_of_play() == ("german", "polish")


def test_desert_tank_takes_the_place_of_the_british_tank_when_p70_says_so() -> None:
    scenario = load(4)
    assert under_rulings(scenario, library.rulings().defaults()) == scenario
    under = under_rulings(scenario, {"P70": "desert_tank"})
    units = under.side("british").units()
    assert "tank" not in units
    assert units["desert_tank"] == 1
    assert under.side("german").units()["tank"] == 4
    assert under.side("british").points(library.catalog()) == (120, 120)


def test_p80_moves_the_end_of_dog_beach_and_its_victory() -> None:
    scenario = load(10)
    assert under_rulings(scenario, {"P80": "german_15"}) == scenario
    under = under_rulings(scenario, {"P80": "american_16"})
    assert under.ends_after == Moment("american", 16)
    assert under.victory.at == Moment("american", 16)  # type: ignore[union-attr]
    assert "turn 16" in under.victory.text


def test_a_swap_reaches_options_and_adds_to_what_is_there() -> None:
    raw = table(4)
    garrison = raw["side"][1]["contingent"][0]
    garrison["units"]["desert_tank"] = 2
    garrison["choice"] = [{"one_of": [{"tank": 2}, {"jeep": 1}]}]
    under = under_rulings(load(4, raw), {"P70": "desert_tank"})
    assert under.side("british").units()["desert_tank"] == 3
    assert under.side("british").choices()[0].one_of == ({"desert_tank": 2}, {"jeep": 1})


def test_variants_change_units_for_their_scenario_alone() -> None:
    catalog = library.catalog()
    there = catalog.with_variants(load(8).variants)
    gun, bullets = (there.weapons[weapon] for weapon in there.units["tiger"].weapons)
    assert (there.units["tiger"].price, gun.range, bullets.range) == (40, 48, 24)
    assert catalog.units["tiger"].price == 32
    elefant = catalog.with_variants(load(7).variants).units["elefant"]
    assert (elefant.weapons, elefant.move, elefant.road_move) == (("eighty_eight",), 6, 12)


@pytest.mark.parametrize("number", FILES)
def test_a_scenario_survives_being_written_into_a_battle(number: int) -> None:
    scenario = load(number)
    assert msgspec.json.decode(msgspec.json.encode(scenario), type=Scenario) == scenario


# ---------------------------------------------------------------- what the sheet needs


def prose(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from prose(inner)


@pytest.mark.parametrize("number", of_the_text())
def test_each_of_the_text_has_a_map(number: int) -> None:
    """In a scenario of your own it may be left out."""
    assert load(number).map is not None


@pytest.mark.parametrize("number", FILES)
def test_every_footnote_is_pointed_at(number: int) -> None:
    raw = table(number)
    notes = raw.pop("footnote")
    texts = "\n".join(prose(raw))
    assert [note["mark"] for note in notes if note["mark"] not in texts] == []
    used = set(re.findall("[*†‡§¶]", texts))
    assert used == {note["mark"] for note in notes}


@pytest.mark.parametrize("number", FILES)
def test_sources_are_names_without_addresses(number: int) -> None:
    assert not re.search(r"https?:|www\.|\.(com|org|net|eu)\b", "\n".join(prose(table(number))))


def test_rulings_about_a_scenario_are_among_its_rulings() -> None:
    for ruling in library.rulings().rulings.values():
        for number in ruling.scenarios:
            assert ruling.id in load(number).rulings


# ---------------------------------------------------------------- the guide


def test_the_example_of_the_guide_is_a_scenario() -> None:
    found = re.search(r"```toml\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert found
    raw = tomllib.loads(found[1])
    file = f"{raw['number']:02}_{raw['id']}.toml"
    scenario = read_scenario(raw, library.catalog(), library.rulings(), file=file)
    assert scenario.arriving(after=1)


def test_the_guide_names_every_kind() -> None:
    text = GUIDE.read_text("utf-8")
    kinds = {
        table["kind"]
        for raw in TABLES.values()
        for table in [
            raw["victory"],
            *raw.get("happening", []),
            *(group["entry"] for side in raw["side"] for group in side["contingent"]),
        ]
    }
    assert [kind for kind in sorted(kinds) if f"`{kind}`" not in text] == []
