"""The map of the scenario beside a battle, on a screen that is large enough for it. It is imported
when it is first shown: the painter of maps costs a low screen nothing."""

from __future__ import annotations

from textual.widgets import Static

from skirmish.app.scenarios.map_picture import FRAME, MapInks, board_map, rows_of_map
from skirmish.games.plastic.scenarios.scenario import Scenario


class MapPanel(Static):
    """The map in its frame, drawn anew only for another size or other colours."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(id="map", markup=False)
        self._scenario = scenario
        self._drawn_for: tuple[tuple[int, int], MapInks] | None = None

    def rows_wanted(self, columns: int) -> int:
        """The rows of a map that takes all of these columns."""
        return rows_of_map(self._scenario.table, columns - FRAME) + FRAME

    def draw(self, room: tuple[int, int], inks: MapInks) -> None:
        """Draw the map into so many columns and rows. Raises what the painter of maps raises."""
        if (room, inks) != self._drawn_for:
            picture = board_map(self._scenario, room, inks)
            self._drawn_for = room, inks
            self.update(picture)
