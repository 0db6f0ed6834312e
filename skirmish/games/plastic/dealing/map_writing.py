"""Writes the map of a dealt battle: what was laid on the table, and what the battle adds to it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skirmish.games.plastic.dealing.choosing import ChosenBattle
from skirmish.games.plastic.dealing.forces import DealtSide
from skirmish.games.plastic.dealing.happenings import CHARGES_MARK
from skirmish.games.plastic.dealing.labels import place_labels
from skirmish.games.plastic.dealing.map_obstacles import number_of_dimension, standing_on
from skirmish.games.plastic.dealing.squares import AttackFrame, Surface
from skirmish.games.plastic.dealing.starting_places import StartingPlaces, groups_in_zones
from skirmish.games.plastic.dealing.table import LaidTable, Raw
from skirmish.games.plastic.dealing.themes import Group
from skirmish.games.plastic.scenarios.scenario_part import Edge
from skirmish.tabletop.plane import Point, Rectangle

DIMENSION_PLACES = (0.88, 0.94, 0.82, 0.76, 0.12, 0.06, 0.18, 0.24, 0.7, 0.3, 0.64, 0.36)
"""Where across the table a distance may be drawn, as parts of its breadth, the best first."""
DIMENSION_STEP = 2
"""Inches between the places that are tried besides: a street may cover all of the best ones."""
OUTLINE_OFF_EDGE = 0.4
"""Inches that the outline of a zone stays off the edge of the table, so that it is seen."""
ARROW_START, ARROW_END = 0.8, 6.5
"""Inches from the edge over which a force enters."""
ARROW_PLACES = (0.27, 0.5, 0.73)
"""Where the arrows of a force that enters over all of an edge stand, as parts of its length."""
CORNER_ARROW = 4.0
"""Inches from a corner to the arrow of a force that enters there."""
ORDER_OF_MAP = (
    "ground",
    "note",
    "area",
    "slope",
    "line",
    "building",
    "zone",
    "mark",
    "dimension",
    "arrow",
    "circle",
    "label",
)
"""The parts of a map in the order of a file."""

# The letters of zones.
AS_GOOD_AS_BARE = Surface.FIELD | Surface.KEPT_OPEN
"""What the letter of a zone may cover like bare ground."""
COVERS_A_HOUSE = 1000
"""What covering a house counts: more than all squares of a letter."""
LETTER_ROOM = 3.6
"""Inches round the middle of a zone's letter that are to be free."""
ZONE_EDGE = 2.5
"""Inches inside the outline of a zone to the middle of its letter, at the least."""
FRONT_ROWS = (3.5, 6.5)
"""Inches behind the front of a zone: the two rows in which its letter is tried first."""
FRONT_STEP = 3
"""Inches from one place of such a row to the next."""


class ZoneBounds(NamedTuple):
    """Where a zone lies: its ``front`` and ``back`` along the attack, its ``right`` and ``left``
    side across it, in inches."""

    front: int
    back: int
    right: int
    left: int


class MapWriter:
    """Writes the map of one battle. ``is_mined``: charges are under its bridge."""

    def __init__(self, battle: ChosenBattle, places: StartingPlaces, is_mined: bool) -> None:
        self._places = places
        self._is_mined = is_mined
        self._goal = battle.theme.victory
        self._region = battle.region
        self._table = battle.table
        self._frame = battle.table.frame
        self._names = battle.names
        self._attacking = battle.forces.attacking
        self._defending = battle.forces.defending

    def map_data(self) -> Raw:
        """What was laid on the table, and what this battle adds to it."""
        parts: Raw = {
            "ground": self._region.ground,
            "note": "The whole table is invented.",
            **self._table.parts,
            "zone": self._zones(),
            "arrow": self._arrows(),
            "circle": self._circles(),
        }
        if self._is_mined:
            parts["mark"] = [*parts.get("mark", []), self._mark_of_charges()]
        parts["dimension"] = self._dimensions(standing_on(parts))
        # Last, as labels stand where all the rest leaves room.
        parts["label"] = place_labels(self._table, self._names, parts)
        # What the map has none of is left out of the file.
        return {name: parts[name] for name in ORDER_OF_MAP if parts.get(name)}

    def _mark_of_charges(self) -> Raw:
        """The mark on the mined bridge, which is the first way over the water."""
        place = self._table.crossings[0].place
        return {
            "kind": "objective",
            "at": list(self._frame.on_map(place)),
            "mark": CHARGES_MARK,
        }

    def _zones(self) -> list[Raw]:
        """The zones in which groups set up."""
        zones = []
        for side in (self._defending, self._attacking):
            for group in groups_in_zones(side):
                zones.append(self._zone(side, group))
        return zones

    def _zone(self, side: DealtSide, group: Group) -> Raw:
        """The zone of a group, across the table or a part of it."""
        zone = self._bounds_of_zone(group)
        corners = [
            (zone.front, zone.right),
            (zone.back, zone.right),
            (zone.back, zone.left),
            (zone.front, zone.left),
        ]
        inside = [self._off_the_edge(corner) for corner in corners]
        letter_place = _place_for_letter(self._table, zone)
        return {
            "letter": self._places.letter_of(group),
            "side": side.nation.id,
            "points": [list(self._frame.on_map(corner)) for corner in inside],
            "fill": "edge",
            "tag": list(self._frame.on_map(letter_place)),
        }

    def _bounds_of_zone(self, group: Group) -> ZoneBounds:
        """Where the zone of a group lies."""
        assert group.zone is not None, "the group sets up in a zone"
        front, back = (round(share * self._frame.length) for share in group.zone)
        # Narrower than the table, a zone lies in the middle of its breadth.
        right = round(self._frame.breadth * (1 - group.width) / 2)
        left = self._frame.breadth - right
        return ZoneBounds(front=front, back=back, right=right, left=left)

    def _off_the_edge(self, corner: Point) -> Point:
        """The corner of a zone, moved onto the table where it lies on its edge."""
        along, across = corner
        along = min(max(along, OUTLINE_OFF_EDGE), self._frame.length - OUTLINE_OFF_EDGE)
        across = min(max(across, OUTLINE_OFF_EDGE), self._frame.breadth - OUTLINE_OFF_EDGE)
        return along, across

    def _dimensions(self, standing: Sequence[Rectangle]) -> list[Raw]:
        """The depth of each zone that goes all across the table. On the map it is a line with a
        number, which covers none of the boxes that are ``standing`` there if it can."""
        dimensions: list[Raw] = []
        for side in (self._defending, self._attacking):
            for group in groups_in_zones(side):
                if group.width < 1.0:
                    continue
                zone = self._bounds_of_zone(group)
                across = self._free_across((zone.front + zone.back) / 2, standing)
                dimensions.append({
                    "start": list(self._frame.on_map((zone.front, across))),
                    "end": list(self._frame.on_map((zone.back, across))),
                    "means": f"zone {self._places.letter_of(group)}",
                })  # fmt: skip
        return dimensions

    def _free_across(self, along: float, standing: Sequence[Rectangle]) -> float:
        """How far across the table a number covers least, so far along it; of equal places the one
        that is tried first."""

        def covered(across: float) -> int:
            number = number_of_dimension(self._frame.on_map((along, across)))
            return len([box for box in standing if number.overlaps(box)])

        places = [self._frame.breadth * share for share in DIMENSION_PLACES]
        places += range(DIMENSION_STEP, round(self._frame.breadth), DIMENSION_STEP)
        return min(places, key=covered)

    def _arrows(self) -> list[Raw]:
        """Where forces enter. Groups of a side that enter over the same edge share its arrows."""
        arrows = []
        drawn: set[tuple[str, Edge]] = set()
        for side in (self._attacking, self._defending):
            for group in side.groups:
                edge = self._places.edge_of(group)
                if group.entry == "zone" or (side.nation.id, edge) in drawn:
                    continue
                drawn.add((side.nation.id, edge))
                for across in self._arrow_places(group):
                    arrows.append(self._arrow(side, edge, across))
        return arrows

    def _arrow(self, side: DealtSide, edge: Edge, across: float) -> Raw:
        """An arrow over an edge onto the table."""
        start, end = ARROW_START, ARROW_END
        # Lengths along the table are those from the edge of the attack.
        if edge != self._frame.edge:
            start, end = self._frame.length - ARROW_START, self._frame.length - ARROW_END
        points = [self._frame.on_map((along, across)) for along in (start, end)]
        return {"side": side.nation.id, "points": [list(point) for point in points]}

    def _arrow_places(self, group: Group) -> list[float]:
        """How far across the table the arrows of a group stand."""
        breadth = self._frame.breadth
        if group.entry == "road" and self._table.main_road:
            _, across = self._table.main_road[0]
            return [across]
        if group.entry == "corners":
            return [CORNER_ARROW, breadth - CORNER_ARROW]
        return [breadth * share for share in ARROW_PLACES]

    def _circles(self) -> list[Raw]:
        """The circle in which figures count, if the battle is about one."""
        # At an exit the distance is that from the road.
        if self._goal.within_in == 0 or self._goal.kind == "exit":
            return []
        centre = self._table.middle
        if self._goal.around == "bridge":
            centre = self._table.far_bank
        return [{"at": list(self._frame.on_map(centre)), "radius": self._goal.within_in}]


# ------------------------------------------------------------------ the letter of a zone


def _place_for_letter(table: LaidTable, zone: ZoneBounds) -> Point:
    """A place for the letter of a zone: the one at its front that covers least. Where each of these
    covers a house, which has a number of its own, one anywhere in the zone; and where the zone is
    full of houses, one beside it."""
    # At the middle of the front, in case the zone is too small for any place inside.
    freest: Point = (zone.front + 3, (zone.right + zone.left) / 2)
    least_covered = math.inf
    for places in (_at_front(zone), _inside(zone), _beside(zone, table.frame)):
        for place in places:
            covered = _covered_by_letter(table, place)
            if covered < least_covered:
                freest, least_covered = place, covered
        if least_covered < COVERS_A_HOUSE:
            break
    return freest


def _at_front(zone: ZoneBounds) -> Iterator[Point]:
    """Places in the two rows at the front of a zone, at least 4 inches from its sides."""
    rightmost, leftmost = zone.right + 4, zone.left - 4
    for behind_front in FRONT_ROWS:
        for across in range(rightmost, leftmost + 1, FRONT_STEP):
            yield zone.front + behind_front, across


def _inside(zone: ZoneBounds) -> Iterator[Point]:
    """Places at every inch of a zone, ``ZONE_EDGE`` inside its front and back, and at least 3
    inches from its sides."""
    # So many rows leave as much room at the back of the zone as at its front.
    rows = zone.back - zone.front - 4
    rightmost, leftmost = zone.right + 3, zone.left - 3
    for row in range(rows):
        for across in range(rightmost, leftmost + 1):
            yield zone.front + ZONE_EDGE + row, across


def _beside(zone: ZoneBounds, frame: AttackFrame) -> Iterator[Point]:
    """Places just outside a zone and well inside the table, those before its front first."""
    for along in (zone.front - LETTER_ROOM, zone.back + LETTER_ROOM):
        if not LETTER_ROOM <= along <= frame.length - LETTER_ROOM:
            continue
        for across in range(zone.right, zone.left + 1):
            yield along, across


def _covered_by_letter(table: LaidTable, place: Point) -> int:
    """How much a letter there would cover: square inches, and very much more for a house."""
    disc = table.squares.in_disc(place, LETTER_ROOM)
    covered = 0
    for square in disc:
        covered_surface = table.squares.surface_at(square) & ~AS_GOOD_AS_BARE
        if covered_surface:
            covered += 1
    if not table.squares.are_free_of(Surface.HOUSE, disc):
        covered += COVERS_A_HOUSE
    return covered
