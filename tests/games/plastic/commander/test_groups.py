"""The groups that a commander leads: of contingents, in sizes that can be led."""

from __future__ import annotations

from collections import Counter

import pytest

from skirmish import library
from skirmish.games.plastic.commander.groups import (
    FEWEST_GROUPS,
    MOST_GROUPS,
    ForcePart,
    form_groups,
    group_and_members,
)
from skirmish.games.plastic.commander.situation import GroupKnown
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import Scenario

CATALOG = library.catalog()
WEIGHTS = library.commander_weights().plan
SCENARIOS = library.published_scenarios()


def parts_of(scenario: Scenario, side: str) -> list[ForcePart]:
    """Those of a side, with the first of the units that it may choose."""
    parts = []
    for contingent in {other.id: other for other in scenario.sides}[side].contingents:
        chosen: Counter[str] = Counter()
        for choice in contingent.choices:
            chosen.update(choice.one_of[0])
        parts.append(ForcePart.of(contingent, chosen))
    return parts


def men(group: GroupKnown, catalog: Catalog = CATALOG) -> int:
    together = Counter(group.counts) + Counter(group.aboard)
    return sum(count for unit, count in together.items() if catalog.units[unit].is_guy)


BOTH_SIDES = [(number, side.id) for number in SCENARIOS for side in SCENARIOS[number].sides]


@pytest.mark.parametrize(("number", "side"), BOTH_SIDES)
def test_every_man_and_model_of_a_scenario_is_in_exactly_one_group(number: int, side: str) -> None:
    scenario = SCENARIOS[number]
    parts = parts_of(scenario, side)
    groups = form_groups(parts, CATALOG.with_variants(scenario.variants), WEIGHTS)
    in_groups: Counter[str] = Counter()
    for group in groups:
        in_groups += Counter(group.counts) + Counter(group.aboard)
    in_parts: Counter[str] = Counter()
    for part in parts:
        in_parts.update(part.counts)
    assert in_groups == in_parts


@pytest.mark.parametrize(("number", "side"), BOTH_SIDES)
def test_no_side_has_more_groups_than_can_be_led_and_all_have_names(number: int, side: str) -> None:
    scenario = SCENARIOS[number]
    groups = form_groups(
        parts_of(scenario, side), CATALOG.with_variants(scenario.variants), WEIGHTS
    )
    assert 1 <= len(groups) <= MOST_GROUPS
    assert len({group.name for group in groups}) == len(groups)
    assert len({group.id for group in groups}) == len(groups)


def test_a_company_is_divided_into_groups_of_six_to_twelve() -> None:
    groups = form_groups([ForcePart("part", "Company", {"rifle": 80})], CATALOG, WEIGHTS)
    assert FEWEST_GROUPS <= len(groups) <= MOST_GROUPS
    assert all(6 <= men(group) <= 12 for group in groups)


def test_a_small_side_is_divided_further_to_have_parts_for_a_plan() -> None:
    groups = form_groups([ForcePart("part", "Platoon", {"rifle": 36})], CATALOG, WEIGHTS)
    assert [men(group) for group in groups] == [6] * 6


def test_a_group_has_one_kind_of_specialist_with_rifles_beside_each() -> None:
    counts = {"rifle": 64, "machinegun": 4, "mortar": 2, "grenade": 2}
    groups = form_groups([ForcePart("part", "Company", counts)], CATALOG, WEIGHTS)
    for group in groups:
        specialists = {unit: count for unit, count in group.counts.items() if unit != "rifle"}
        assert len(specialists) <= 1
        assert group.counts["rifle"] >= 3 * sum(specialists.values())


def test_who_comes_from_outside_rides_as_far_as_there_are_seats() -> None:
    counts = {"rifle": 20, "truck": 1}
    outside = form_groups(
        [ForcePart("part", "Column", counts, from_outside=True)], CATALOG, WEIGHTS
    )
    assert [dict(group.counts) for group in outside if group.aboard] == [{"truck": 1}]
    # On the table from the start, its truck stands empty beside it.
    on_table = form_groups([ForcePart("part", "Outpost", counts)], CATALOG, WEIGHTS)
    assert not any(group.aboard for group in on_table)
    assert {"truck": 1} in [dict(group.counts) for group in on_table]


def test_the_rangers_are_one_group_a_craft() -> None:
    groups = form_groups(parts_of(SCENARIOS[10], "american"), CATALOG, WEIGHTS)
    afloat = [group for group in groups if "landing_craft" in group.counts]
    assert sorted(men(group) for group in afloat) == [16, 17]


def test_guns_on_marks_are_a_group_each() -> None:
    groups = form_groups(parts_of(SCENARIOS[10], "german"), CATALOG, WEIGHTS)
    guns = [group for group in groups if group.counts == {"machinegun": 1}]
    assert len(guns) == 6


def test_groups_are_read_out_by_name() -> None:
    part = ForcePart("part", "Outpost", {"rifle": 7, "machinegun": 1, "tank": 2})
    groups = form_groups([part], CATALOG, WEIGHTS)
    assert [group_and_members(group, CATALOG) for group in groups] == [
        "Outpost: 7 Rifle Guys and 1 Machinegun Guy",
        "2 Tanks",
    ]
