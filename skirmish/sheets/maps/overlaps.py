"""Words that overlap on the printed map: a check for those who draw maps."""

from __future__ import annotations

from io import BytesIO
from itertools import combinations
from typing import NamedTuple

from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.sheet_canvas import SheetCanvas
from skirmish.sheets.maps.scenario_map import SheetMap

SHEET_RATIO = 20
"""The scale of the map on a sheet of A4: 1 to this."""


class Overlap(NamedTuple):
    """Two words, or numbers, that touch on the sheet."""

    text: str
    other_text: str


def overlapping_words(scenario: Scenario) -> list[Overlap]:
    """The pairs of words that touch on the sheet; none if the scenario has no map."""
    if scenario.map is None:
        return []
    fonts.ready()
    sheet_map = SheetMap(scenario, SHEET_RATIO)
    height = sheet_map.height_at(sheet_map.across)
    canvas = SheetCanvas(BytesIO(), (sheet_map.across, height), initialFontName=fonts.BODY)
    # Painting collects the words; the page itself is thrown away.
    sheet_map.paint(canvas, 0, height, sheet_map.across)
    overlaps = []
    for word, other in combinations(sheet_map.written_words, 2):
        if word.box.overlaps(other.box):
            overlaps.append(Overlap(word.text, other.text))
    return overlaps
