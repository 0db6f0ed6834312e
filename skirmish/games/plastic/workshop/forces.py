"""Changes of the sides of a draft that concern many values at once: another nation, a new
contingent, a stored army in the place of what a side has."""

from __future__ import annotations

from typing import Any

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import total_counts
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent
from skirmish.games.plastic.scenarios.own import Raw, id_words
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import EditError
from skirmish.games.plastic.workshop.keyed_values import read_again, steps_of, with_value
from skirmish.tabletop.data_file import parts, table_of

FIRST_UNIT, FIRST_COUNT = "rifle", 10
"""The unit of a new contingent, and how many of it there are."""


def first_unit_of(scenario: Scenario, side: str) -> str:
    """The id of the first unit of a side; of the unit of new contingents if it has none yet."""
    for unit in scenario.side(side).units():
        return unit
    return FIRST_UNIT


def with_nation(scenario: Scenario, side: str, nation: str) -> Scenario:
    """The scenario in which a side is of another nation. The nation is the id of a side, so every
    mention of the side is changed. Raises EditError."""
    if nation == side:
        return scenario
    if nation in {present_side.id for present_side in scenario.sides}:
        raise EditError(f"The {nation} side is in this scenario already.")
    raw = table_of(scenario)
    # ``parts`` also yields every id in the scenario, with its key and the kind of what it names.
    for key, value, refers_to in parts(scenario, Scenario):
        if refers_to in ("side", "nation") and value == side:
            _replace_value(raw, key, nation)
    return read_again(raw, "side")


def _replace_value(raw: Raw, key: str, value: Any) -> None:
    """Changes a value that is in the data already, in place."""
    *outer_steps, last = steps_of(key)
    holder: Any = raw
    for step in outer_steps:
        holder = holder[step]
    holder[last] = value


def with_contingent(scenario: Scenario, side: str, name: str) -> Scenario:
    """The scenario with one more contingent of a side: a few riflemen who come over an edge on the
    second turn, until the author changes that. Raises EditError."""
    side_ids = [scenario_side.id for scenario_side in scenario.sides]
    if side not in side_ids:
        raise EditError(f"There is no side {side}.")
    side_index = side_ids.index(side)
    present_contingents = scenario.sides[side_index].contingents
    taken = {present.id for present in present_contingents}
    contingent = {
        "id": free_contingent_id(name, taken),
        "name": name,
        "entry": {"kind": "edge", "edge": "N", "turn": 2},
        "units": {FIRST_UNIT: FIRST_COUNT},
    }
    # The place behind the last contingent.
    key = f"side[{side_index}].contingent[{len(present_contingents)}]"
    return with_value(scenario, key, contingent)


def with_army(scenario: Scenario, side_index: int, army: Army) -> Scenario:
    """The scenario with an army in the place of what a side has: each group of the army becomes a
    contingent. All enter as the first contingent did before. The first new contingent takes over
    its id, by which other parts of the scenario may name it. The limits that hold when an army is
    bought are not checked. Raises EditError for an army without units."""
    first_before = scenario.sides[side_index].contingents[0]
    raw = table_of(scenario)
    raw_first_before = raw["side"][side_index]["contingent"][0]
    contingents = _contingents_of_army(army, first_before, raw_first_before)
    if not contingents:
        raise EditError("This army has no units.")
    # Works belong to no group of an army.
    if army.army_list.works:
        contingents[0]["works"] = dict(army.army_list.works)
    raw["side"][side_index]["contingent"] = contingents
    return read_again(raw, f"side[{side_index}].contingent")


def _contingents_of_army(
    army: Army, first_before: ScenarioContingent, raw_first_before: Raw
) -> list[Raw]:
    """The groups of an army as contingents, which enter as the first one did before."""
    contingents: list[Raw] = []
    taken: set[str] = set()
    for block in army.blocks():
        name, contingent_id = block.name, free_contingent_id(block.name, taken)
        if not contingents:
            contingent_id = first_before.id
            # An army without groups is one block, which has no name of its own.
            if not army.army_list.groups:
                name = first_before.name_in_words
        taken.add(contingent_id)
        contingent = {"id": contingent_id, "name": name, "entry": raw_first_before["entry"]}
        if "deploy" in raw_first_before:
            contingent["deploy"] = raw_first_before["deploy"]
        # Those that were bought, and the men who come free with them.
        contingent["units"] = total_counts([block.units, block.free])
        contingents.append(contingent)
    return contingents


def free_contingent_id(name: str, taken: set[str]) -> str:
    """An id made of a name, such as ``second_wave``; where it is taken, a number follows."""
    word = id_words(name)
    # An id begins with a letter.
    if not word or not word[0].isalpha():
        word = f"group_{word}".rstrip("_")
    contingent_id, number = word, 1
    while contingent_id in taken:
        number += 1
        contingent_id = f"{word}_{number}"
    return contingent_id
