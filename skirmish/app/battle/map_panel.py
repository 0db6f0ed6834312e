"""The map of the scenario beside a battle, on a screen that is large enough for it. It is imported
when it is first shown: the painter of maps costs a low screen nothing."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from skirmish.app.scenarios.map_picture import FRAME, MapInks, board_drawing, in_rows, rows_of_map
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.battlefield import Battlefield


class MapPanel(Static):
    """The map in its frame, drawn anew only for another size or other colours."""

    DEFAULT_CSS = """
    MapPanel {
        text-wrap: nowrap;
    }
    """

    def __init__(self, scenario: Scenario, field: Battlefield) -> None:
        super().__init__(id="map", markup=False)
        self._scenario, self._field = scenario, field
        self._room: Size | None = None
        """The columns and rows into which the map was drawn last."""
        self._inks: MapInks | None = None
        """The colours in which it was drawn last."""
        self._key: Sequence[Content] = ()
        """The entries that explain what is drawn."""
        self.rows = 0
        """The rows of the map that was drawn last, with its frame."""

    def rows_wanted(self, columns: int) -> int:
        """The rows of a map that takes all of these columns."""
        return rows_of_map(self._scenario.table, columns - FRAME) + FRAME

    def draw(self, room: Size, inks: MapInks) -> None:
        """Draw the map into so many columns and rows. An error of the painter of maps is
        raised; the screen then leaves the map out."""
        if room == self._room and inks == self._inks:
            return
        drawing = board_drawing(self._scenario, self._field, room, inks)
        lines = drawing.framed()
        self._room, self._inks = room, inks
        self._key = drawing.key()
        self.rows = len(lines)
        self.update(Content("\n").join(lines))

    def key_rows(self, columns: int) -> list[Content]:
        """The entries of the key of the map that was drawn last, in rows."""
        return in_rows(self._key, columns)
