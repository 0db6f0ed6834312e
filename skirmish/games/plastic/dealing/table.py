"""The table of a dealt battle: what lies on it, and the places that matter for the battle.

Places are along and across the attack, as in ``squares``. The parts of the map are in places of the
map, as in the file of a scenario.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from skirmish.games.plastic.dealing.regions import Region
from skirmish.games.plastic.dealing.squares import COVER, AttackFrame, Squares
from skirmish.games.plastic.dealing.themes import Theme
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point

Raw: TypeAlias = dict[str, Any]
"""A scenario or a part of it, such as its map or a house on that, as the table of a file. The keys
of a map are the fields of the types in ``skirmish.tabletop.battlefield``: ``Battlefield``,
``Area``, ``Building``, ``Zone`` and so on."""


class WaterCrossing(NamedTuple):
    """Where a road meets the water: the place, the heading of the road over it, in radians, and
    whether it is a ford."""

    place: Point
    heading: float
    is_ford: bool


class TerrainStock:
    """The terrain that the players own, and how much of it lies on the table. What is measured by
    the foot counts in inches here. ``owned`` is None where anything goes."""

    def __init__(self, owned: Mapping[str, int] | None) -> None:
        self._owned = owned
        self._used: Counter[str] = Counter()

    def has(self, kind: str, wanted: int = 1) -> bool:
        """Whether so much of a kind is left."""
        if self._owned is None:
            return True
        return self._used[kind] + wanted <= self._owned.get(kind, 0)

    def use(self, kind: str, amount: int = 1) -> None:
        """Note that so much of a kind is laid."""
        self._used[kind] += amount


class LaidTable:
    """A table while it is laid, and when it is done."""

    def __init__(
        self, theme: Theme, region: Region, frame: AttackFrame, stock: TerrainStock
    ) -> None:
        self.theme = theme
        self.region = region
        self.frame = frame
        self.stock = stock
        self.squares = Squares(frame.length, frame.breadth)
        self.parts: dict[str, list[Raw]] = {}
        """The map so far, by the names that parts have in a file."""
        self.main_road: list[Point] = []
        """The road that entries and exits mean; empty while there is no road."""
        self.roads: list[list[Point]] = []
        """The line of each road and track, the main road too."""
        self.crossings: list[WaterCrossing] = []
        """Where roads may cross the water, in the order in which roads take them."""
        self.houses: list[Point] = []
        """The middles of all buildings, churches too."""
        self.targets: list[Point] = []
        """Where aircraft are parked."""
        self.hills: list[Point] = []
        """The middles of all hills."""
        self.village: Point | None = None
        """The middle of the village, even where no house has found room."""
        self.water: list[Point] = []
        """The line of the river. Roads cross it even where nobody owns a river: as dry ground."""
        self.water_width = 0.0
        """0 where the line of the river is dry ground."""
        self.shore = 0.0
        """How far along the sea reaches."""

    @property
    def objective(self) -> Point:
        """The place that the battle is about: what the theme says, or else the middle of the
        table."""
        match self.theme.objective:
            case "bridge":
                return self.far_bank
            case "village" if self.village:
                return self.village
            case "exit" if self.main_road:
                return self.main_road[-1]
            case "targets" if self.targets:
                return self.targets[0]
        return self.middle

    @property
    def middle(self) -> Point:
        """The middle of the table."""
        return (self.frame.length / 2, self.frame.breadth / 2)

    @property
    def far_bank(self) -> Point:
        """The far end of the first crossing, an inch behind the water; the middle of a table
        without water."""
        if not self.crossings:
            return self.middle
        return self.beyond_first_crossing(1)

    def beyond_first_crossing(self, inches: float) -> Point:
        """The place so many inches behind the water, where the first crossing leads."""
        crossing = self.crossings[0]
        return plane.ahead(crossing.place, crossing.heading, self.water_width / 2 + inches)

    def cover_percent(self) -> float:
        """The percent of the table that is cover."""
        return 100 * self.squares.share(COVER)

    def add_part(self, name: str, part: Raw) -> None:
        """Put a part on the map, by the name that such parts have in a file."""
        self.parts.setdefault(name, []).append(part)

    def on_map(self, place: Point) -> list[float]:
        """A place of the table as one of the map's file."""
        return list(self.frame.on_map(place))

    def path_on_map(self, path: Iterable[Point]) -> list[list[float]]:
        """A path as one of the map's file; what lies beyond the table is moved to its edge."""
        on_map = []
        for along, across in path:
            inside_along = min(max(along, 0), self.frame.length)
            inside_across = min(max(across, 0), self.frame.breadth)
            on_map.append(self.on_map((inside_along, inside_across)))
        return on_map
