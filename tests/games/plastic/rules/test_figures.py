"""What an army or a scenario puts on the table, and what of it is not owned."""

from __future__ import annotations

from skirmish import library
from skirmish.games.plastic.army_page import compared
from skirmish.games.plastic.rules.army import (
    Army,
    ArmyList,
    as_base_units,
    counts_in_words,
    figures,
    missing,
    muster,
)
from skirmish.games.plastic.rules.catalog import total_counts

CATALOG = library.catalog()


def army(**terms: object) -> Army:
    listed = ArmyList(**{"name": "Zug", **terms})  # type: ignore[arg-type]
    return muster(listed, CATALOG, library.rulings())


def test_free_men_and_works_need_figures_too() -> None:
    russians = army(nation="russian", units={"rifle": 77, "tank": 1}, works={"sandbags": 2})
    assert figures(russians) == {"rifle": 92, "tank": 1, "sandbags": 2}


def test_only_what_is_short_is_missing() -> None:
    assert missing({"rifle": 5, "tank": 2, "jeep": 1}, {"rifle": 5, "tank": 1, "truck": 9}) == {
        "tank": 1,
        "jeep": 1,
    }


def test_two_armies_on_one_table_need_the_sum() -> None:
    assert total_counts([{"rifle": 5}, {"rifle": 6, "tank": 1}]) == {"rifle": 11, "tank": 1}


def test_counts_are_told_in_the_order_of_the_catalog() -> None:
    counts = {"sandbags": 2, "tank": 1, "zeppelin": 4, "rifle": 41}
    assert counts_in_words(counts, CATALOG) == "41 Rifle Guys, 1 Tank and 2 Sandbag Lines"
    assert counts_in_words({"tank": 2}, CATALOG) == "2 Tanks"
    assert counts_in_words({}, CATALOG) == ""


def test_a_scenario_needs_both_sides_and_enough_for_whatever_is_chosen() -> None:
    for scenario in library.scenarios().values():
        needs = scenario.figures()
        assert set(needs) <= {*CATALOG.units, *CATALOG.works}, scenario.title
        fixed = total_counts(side.units() for side in scenario.sides)
        for piece, count in as_base_units(fixed, scenario.variants).items():
            assert needs[piece] >= count
        for side in scenario.sides:
            for choice in side.choices():
                for option in choice.one_of:
                    for piece, count in as_base_units(option, scenario.variants).items():
                        assert needs[piece] >= count


def test_variants_of_a_scenario_need_the_figures_of_their_unit() -> None:
    scenario = next(s for s in library.scenarios().values() if s.variants)
    variant = scenario.variants[0]
    assert as_base_units({variant.id: 3}, scenario.variants) == {variant.of: 3}


def test_side_by_side_counts_free_men_and_paid_points() -> None:
    russians = army(nation="russian", units={"rifle": 50, "tank": 2})
    germans = army(nation="german", units={"rifle": 60, "tank": 1}, works={"sandbags": 1})
    lines = {row[0]: row[1:] for row in compared(russians, germans).blocks[0].rows}  # type: ignore[union-attr]
    assert [*lines][-6:] == ["GUYS", "Rifle Guy", "ARMORED MODELS", "Tank", "WORKS", "Sandbag Line"]
    assert lines["Rifle Guy"] == lines["GUYS"] == ("60 for 50 pts", "=", "60 for 60 pts")
    assert lines["Tank"] == lines["ARMORED MODELS"] == ("2 for 40 pts", "◂ 1", "1 for 18 pts")
    assert lines["Sandbag Line"][0] == "·"
