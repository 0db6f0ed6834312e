"""What is doubtful in a scenario though it can be played: it takes more pieces than the player
owns, or words overlap on its sheet."""

from __future__ import annotations

from collections.abc import Mapping

from skirmish import library
from skirmish.extras import unless_it_fails
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import beyond_owned, map_of
from skirmish.tabletop.data_file import Problem


def doubts_about(scenario: Scenario, owned: Mapping[str, int]) -> list[Problem]:
    """Everything doubtful, each with the key of the value it is about. ``owned``: how many of each
    piece the player owns. It draws the map of the sheet, which takes a while."""
    too_many = beyond_owned(scenario, owned, library.catalog())
    return [*too_many, *_overlaps_on_sheet(scenario)]


def _overlaps_on_sheet(scenario: Scenario) -> list[Problem]:
    """Words that overlap on the sheet; none for a draft whose sheet cannot be drawn yet."""
    # Here, since it loads ReportLab, which the first paint does not wait for.
    from skirmish.sheets.maps.overlaps import Overlap, overlapping_words

    def no_overlaps(_: str) -> list[Overlap]:
        return []

    overlaps = unless_it_fails(
        lambda: overlapping_words(scenario),
        instead=no_overlaps,
        failure="The check of words on the map is not available",
    )
    key_of_words = _keys_of_map_words(scenario)
    problems = []
    for overlap in overlaps:
        # Either text can be moved, if it is that of a label or a building.
        key_of_other = key_of_words.get(overlap.other_text, "map")
        key = key_of_words.get(overlap.text, key_of_other)
        message = f"“{overlap.text}” and “{overlap.other_text}” overlap on the sheet; move one."
        problems.append(Problem(key, message))
    return problems


def _keys_of_map_words(scenario: Scenario) -> dict[str, str]:
    """Words on the map, and the key of the building or label that they belong to."""
    field = map_of(scenario)
    key_of_words: dict[str, str] = {}
    for index, building in enumerate(field.buildings):
        key_of_words[str(building.number)] = f"map.building[{index}]"
    for index, label in enumerate(field.labels):
        key_of_words[label.text] = f"map.label[{index}]"
    return key_of_words
