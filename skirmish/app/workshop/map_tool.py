"""What the map page of the workshop is doing: looking, laying a feature corner by corner, or moving
one that is taken. It knows no screen: keys become calls, and changes come back as maps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.workshop.lines import BUILDINGS, HOUSE, hill_of
from skirmish.tabletop import map_edits
from skirmish.tabletop.battlefield import (
    Area,
    Arrow,
    Battlefield,
    Building,
    Circle,
    Dimension,
    Label,
    Line,
    MapMark,
    MapPart,
    Slope,
    Zone,
)
from skirmish.tabletop.map_edits import PartId
from skirmish.tabletop.plane import Point

FINE, COARSE = 1.0, 6.0
"""Inches of a step of the cursor."""
DEGREES = 5.0
"""Of a turn by one key."""
SIZE_STEP = 0.5
"""Inches that a feature grows or shrinks by at once."""
COPY_BESIDE = (3.0, -3.0)
"""Where a copy lies beside the feature that was copied, in inches."""
ONE_PLACE = 0.01
"""Inches within which two places are the same."""
SURFACES, WAYS, SPANS, SPOTS = "surface", "way", "span", "spot"
"""Shapes: what is laid by three corners or more, by two or more, by exactly two, by one."""
LETTERINGS = ("minor", "feature", "town", "water")
"""The letterings of a name on the map, in the order in which a key goes through them."""
FILLINGS = ("full", "edge")
"""How a zone is painted: all of it, or its edge only."""


class Kind(NamedTuple):
    """What a key of the palette lays: its ``name``, and its ``shape`` (``SURFACES`` and so on),
    which says how many corners it has."""

    key: str
    name: str
    shape: str
    terrain: str = ""
    """The kind of terrain that players own pieces of, if they do."""


GROUND_KINDS = (
    Kind("w", "woods", SURFACES, "woods"),
    Kind("f", "field", SURFACES, "field"),
    Kind("o", "orchard", SURFACES),
    Kind("t", "town", SURFACES),
    Kind("r", "rough", SURFACES),
    Kind("a", "marsh", SURFACES),
    Kind("s", "sea", SURFACES),
    Kind("e", "beach", SURFACES),
    Kind("c", "crater", SURFACES),
    Kind("d", "depression", SURFACES),
    Kind("y", "airfield", SURFACES),
)
LINE_KINDS = (
    Kind("R", "road", WAYS, "road"),
    Kind("K", "track", WAYS),
    Kind("L", "rail", WAYS),
    Kind("V", "river", WAYS, "river"),
    Kind("E", "stream", WAYS),
    Kind("G", "bridge", WAYS, "bridge"),
    Kind("H", "hedge", WAYS, "hedge"),
    Kind("W", "wall", WAYS, "wall"),
    Kind("X", "wire", WAYS),
    Kind("T", "trench", WAYS),
    Kind("D", "ditch", WAYS),
    Kind("C", "cliff", WAYS),
    Kind("S", "seawall", WAYS),
    Kind("M", "mines", WAYS),
)
OTHER_KINDS = (
    Kind("^", "hill", SURFACES, "hill"),
    Kind("/", "slope", WAYS),
    Kind("h", "house", SPOTS, "house"),
    Kind("z", "zone", SURFACES),
    Kind("k", "mark", SPOTS),
    Kind(">", "arrow", WAYS),
    Kind("=", "distance", SPANS),
    Kind("@", "circle", SPANS),
    Kind("n", "name", SPOTS),
)
KINDS = {kind.key: kind for kind in (*GROUND_KINDS, *LINE_KINDS, *OTHER_KINDS)}
"""Everything that can be laid, by its key."""
FEWEST = {SURFACES: 3, WAYS: 2, SPANS: 2, SPOTS: 1}
"""The fewest corners of each shape."""


class Laying:
    """A feature being laid: its ``kind``, its ``corners`` so far, and what was said of it before
    (``details``: the letter and side of a zone, the words of a name)."""

    def __init__(self, kind: Kind, details: dict[str, Any] | None = None) -> None:
        self.kind = kind
        self.details = dict(details or {})
        self.corners: list[Point] = []
        self.crest: list[Point] = []
        """The upper edge of a slope, which is laid before its foot."""
        self.bent = False
        """Whether it is a curve through its corners."""

    @property
    def is_complete(self) -> bool:
        """Whether it has all the corners that a feature of its shape can have."""
        shape = self.kind.shape
        return shape in (SPANS, SPOTS) and len(self.corners) == FEWEST[shape]

    def clear(self) -> None:
        """Begin anew with the same kind."""
        self.corners, self.crest = [], []

    def part(self, corners: Sequence[Point]) -> MapPart | None:
        """The feature with these corners; None while they are too few."""
        if len(corners) < FEWEST[self.kind.shape]:
            return None
        name, points = self.kind.name, tuple(corners)
        # The palette calls grounds and lines as the file does, which mypy cannot know.
        if self.kind in GROUND_KINDS:
            return Area(kind=name, points=points, curve=self.bent)  # type: ignore[arg-type]
        if self.kind in LINE_KINDS:
            return Line(kind=name, points=points, curve=self.bent)  # type: ignore[arg-type]
        make: Callable[[tuple[Point, ...]], MapPart | None] = {
            "hill": hill_of,
            "slope": self._slope,
            "house": self._house,
            "zone": self._zone,
            "mark": self._mark,
            "arrow": self._arrow,
            "distance": self._distance,
            "circle": self._circle,
            "name": self._name,
        }[name]
        return make(points)

    def _slope(self, points: tuple[Point, ...]) -> Slope | None:
        if not self.crest:
            return None
        return Slope(crest=tuple(self.crest), foot=points)

    def _house(self, points: tuple[Point, ...]) -> Building:
        return Building(
            at=points[0],
            size=self.details.get("size", HOUSE),
            turn=self.details.get("turn", 0),
            kind=self.details.get("kind", "house"),
        )

    def _zone(self, points: tuple[Point, ...]) -> Zone:
        zone = Zone(letter=self.details["letter"], side=self.details["side"], points=points)
        return replace(zone, tag=_rounded(map_edits.middle(zone)))

    def _mark(self, points: tuple[Point, ...]) -> MapMark:
        return MapMark(at=points[0], **self.details)  # its kind, and its side if it has one

    def _arrow(self, points: tuple[Point, ...]) -> Arrow:
        return Arrow(side=self.details["side"], points=points, curve=self.bent)

    def _distance(self, points: tuple[Point, ...]) -> Dimension:
        return Dimension(start=points[0], end=points[1], means=self.details.get("means", ""))

    def _circle(self, points: tuple[Point, ...]) -> Circle | None:
        middle, on_rim = points[0], points[1]
        radius = round(math.dist(middle, on_rim), 1)
        if not radius:  # both places are the same
            return None
        return Circle(at=middle, radius=radius)

    def _name(self, points: tuple[Point, ...]) -> Label:
        return Label(text=self.details["text"], at=points[0], style="feature")


class Taken:
    """A feature that is being changed: as it is now (``part``), and which of its corners moves, if
    not all of it."""

    def __init__(self, part_id: PartId, part: MapPart) -> None:
        self.part_id = part_id
        self.part = part
        self.corner: int | None = None


class MapTool:
    """The state of the map page. ``size``: the width and the depth of the table in inches.
    ``field`` is the map as it is stored; what is being laid or moved is not in it yet."""

    def __init__(self, field: Battlefield, size: Point) -> None:
        self.field = field
        self.size = size
        self.cursor: Point = (round(size[0] / 2), round(size[1] / 2))
        self.laying: Laying | None = None
        self.taken: Taken | None = None
        self.last_place: Point | None = None
        """Where the last corner was set."""
        self.sight_from: Point | None = None
        """Where the line of sight to the cursor begins, if one is shown."""
        self.rings: tuple[int, ...] = ()
        """The inches of the range rings around the cursor."""

    def show(self, field: Battlefield, size: Point) -> None:
        """Go on with another map: after a change, an undoing, a change from elsewhere."""
        self.field, self.size = field, size
        if self.taken is not None and not self._is_there(self.taken.part_id):
            self.taken = None
        self.cursor = self._on_table(self.cursor)

    def _is_there(self, part_id: PartId) -> bool:
        return part_id in map_edits.part_ids(self.field)

    def _on_table(self, point: Point) -> Point:
        """The nearest place of the table, to a hundredth of an inch: sums of floats add up to more
        digits than anybody measures."""
        x, y = point
        across, upward = min(max(x, 0.0), self.size[0]), min(max(y, 0.0), self.size[1])
        return round(across, 2), round(upward, 2)

    # -------------------------------------------------------------- the cursor

    def move(self, across: float, upward: float) -> None:
        """Move the cursor, and with it what is taken, so many inches."""
        before = self.cursor
        x, y = before
        self.cursor = self._on_table((x + across, y + upward))
        if self.taken is not None:
            # As far as the cursor moved, so that both stay together at the edge.
            by = (self.cursor[0] - before[0], self.cursor[1] - before[1])
            self._shift_taken(self.taken, by)

    def go_to(self, point: Point) -> None:
        """Move the cursor to a place."""
        x, y = self._on_table(point)
        self.move(x - self.cursor[0], y - self.cursor[1])

    def _shift_taken(self, taken: Taken, by: Point) -> None:
        """Move what is taken, or only its chosen corner."""
        if taken.corner is None:
            taken.part = map_edits.moved(taken.part, map_edits.shift(by))
            return
        x, y = map_edits.corners(taken.part)[taken.corner]
        taken.part = map_edits.with_corner(taken.part, taken.corner, (x + by[0], y + by[1]))

    # -------------------------------------------------------------- laying

    def begin(self, kind: Kind, details: dict[str, Any] | None = None) -> None:
        """Begin to lay a feature of that kind."""
        self.taken = None
        self.laying = Laying(kind, details)

    def enter(self) -> Battlefield | None:
        """Set a corner, end what is laid, or put down what is taken; the changed map, if it
        changes."""
        if self.taken is not None:
            return self._put_down(self.taken)
        if self.laying is None:
            return None
        laying = self.laying
        self.last_place = self.cursor
        if laying.corners and self._ends(laying):
            return self._end(laying)
        laying.corners.append(self.cursor)
        if laying.is_complete:
            return self._end(laying)
        return None

    def _ends(self, laying: Laying) -> bool:
        """Whether the cursor is on the last corner, or of a surface on the first: it is done."""
        shape = laying.kind.shape
        if len(laying.corners) < FEWEST[shape]:
            return False
        on_last = math.dist(self.cursor, laying.corners[-1]) < ONE_PLACE
        on_first = math.dist(self.cursor, laying.corners[0]) < ONE_PLACE
        return on_last or (on_first and shape == SURFACES)

    def _end(self, laying: Laying) -> Battlefield | None:
        """The map with the feature that was laid. The crest of a slope is only its first half."""
        if laying.kind.name == "slope" and not laying.crest:
            laying.crest, laying.corners = laying.corners, []
            return None
        part = laying.part(laying.corners)
        # The same may be laid again at once: five houses, three fields.
        laying.clear()
        if part is None:
            return None
        return map_edits.added(self.field, part).field

    def back(self) -> bool:
        """Take the last corner back; False where there is none, so that a change is undone."""
        if self.laying is not None and self.laying.corners:
            self.laying.corners.pop()
            return True
        return False

    def escape(self) -> bool:
        """Leave what is being done; False where nothing is."""
        if self.taken is not None:
            self.taken = None
        elif self.laying is not None and (self.laying.corners or self.laying.crest):
            self.laying.clear()
        elif self.laying is not None:
            self.laying = None
        elif self.sight_from is not None or self.rings:
            self.sight_from, self.rings = None, ()
        else:
            return False
        return True

    # -------------------------------------------------------------- taking

    def take(self) -> None:
        """Take the feature below the cursor; again: the next one below it."""
        near = map_edits.part_ids_near(self.field, self.cursor)
        if not near:
            self.taken = None
            return
        index = 0
        if self.taken is not None and self.taken.part_id in near:
            index = (near.index(self.taken.part_id) + 1) % len(near)
        self.take_part(near[index])

    def take_part(self, part_id: PartId) -> None:
        """Take this feature."""
        self.laying = None
        self.taken = Taken(part_id, map_edits.part_of(self.field, part_id))

    def _put_down(self, taken: Taken) -> Battlefield | None:
        """The map with what was taken where it is now; None if nothing of it has changed."""
        self.taken = None
        if taken.part == map_edits.part_of(self.field, taken.part_id):
            return None
        return map_edits.changed(self.field, taken.part_id, taken.part)

    def turn(self, degrees: float) -> None:
        """Turn what is taken, or the house that is laid next."""
        if self.taken is not None:
            self.taken.part = map_edits.turned(self.taken.part, degrees)
        elif self.laying is not None and self.laying.kind.name == "house":
            turn = self.laying.details.get("turn", 0) + degrees
            self.laying.details["turn"] = turn % 180  # an oblong is the same after half a turn

    def mirror(self) -> None:
        """Mirror what is taken, where it lies: its left becomes its right."""
        if self.taken is not None:
            part = self.taken.part
            self.taken.part = map_edits.moved(part, map_edits.mirror_in_place(part))

    def resize(self, by: float) -> None:
        """Make what is taken larger by so many inches, or the house that is laid next."""
        if self.taken is not None:
            self.taken.part = map_edits.resized(self.taken.part, by)
        elif self.laying is not None and self.laying.kind.name == "house":
            length, depth = self.laying.details.get("size", HOUSE)
            smallest = map_edits.SMALLEST_SIZE
            size = (max(length + by, smallest), max(depth + by, smallest))
            self.laying.details["size"] = size

    def bend(self) -> None:
        """Bend what is taken or laid through its corners, or make it straight again."""
        if self.taken is not None:
            self.taken.part = map_edits.bent(self.taken.part)
        elif self.laying is not None:
            self.laying.bent = not self.laying.bent

    def next_kind(self) -> None:
        """The next kind of building, lettering of a name or filling of a zone, for what is taken;
        or the next kind of the house that is laid."""
        if self.taken is not None:
            self.taken.part = with_next_kind(self.taken.part)
        elif self.laying is not None and self.laying.kind.name == "house":
            kind = self.laying.details.get("kind", "house")
            self.laying.details["kind"] = _after(kind, BUILDINGS)

    def copy(self) -> Battlefield | None:
        """A copy of what is taken, which is then taken itself; the changed map."""
        if self.taken is None:
            return None
        field = map_edits.changed(self.field, self.taken.part_id, self.taken.part)
        with_copy = map_edits.copied(field, self.taken.part_id, COPY_BESIDE)
        # Before it comes back by ``show``, as the copy can only be taken where it is known.
        self.field = with_copy.field
        self.take_part(with_copy.part_id)
        self.cursor = self._on_table(
            (self.cursor[0] + COPY_BESIDE[0], self.cursor[1] + COPY_BESIDE[1])
        )
        return with_copy.field

    def delete(self) -> Battlefield | None:
        """Delete what is taken; the changed map. If one of its corners is chosen, only that corner
        goes, and None is returned: the map changes once what is taken is put down."""
        if self.taken is None:
            return None
        taken = self.taken
        if taken.corner is not None:
            taken.part = map_edits.without_corner(taken.part, taken.corner)
            taken.corner = None
            return None
        self.taken = None
        return map_edits.deleted(self.field, taken.part_id)

    def next_corner(self) -> None:
        """Take the next corner of what is taken, the whole of it again after the last."""
        if self.taken is None:
            return
        corners = map_edits.corners(self.taken.part)
        following = 0
        if self.taken.corner is not None:
            following = self.taken.corner + 1
        self.taken.corner = None
        if following < len(corners):
            self.taken.corner = following
            self.cursor = corners[following]

    def further_corner(self) -> None:
        """Add a corner behind the chosen one."""
        if self.taken is not None and self.taken.corner is not None:
            self.taken.part = map_edits.with_further_corner(self.taken.part, self.taken.corner)

    # -------------------------------------------------------------- looking

    def look_from(self) -> None:
        """Draw a line of sight from the cursor, or stop that."""
        if self.sight_from is None:
            self.sight_from = self.cursor
        else:
            self.sight_from = None

    def preview(self) -> MapPart | None:
        """What is being laid as it would lie, or what is taken as it lies now."""
        if self.taken is not None:
            return self.taken.part
        if self.laying is None:
            return None
        return self.laying.part([*self.laying.corners, self.cursor])


def with_next_kind(part: MapPart) -> MapPart:
    """A building of the next kind, a name in the next lettering, a zone in the next filling; all
    else as it is."""
    if isinstance(part, Building):
        return replace(part, kind=_after(part.kind, BUILDINGS))
    if isinstance(part, Label):
        return replace(part, style=_after(part.style, LETTERINGS))
    if isinstance(part, Zone):
        return replace(part, fill=_after(part.fill, FILLINGS))
    return part


def _after(value: str, values: Sequence[str]) -> str:
    """The value after this one; after the last comes the first."""
    return values[(values.index(value) + 1) % len(values)]


def _rounded(point: Point) -> Point:
    """To a tenth of an inch."""
    return round(point[0], 1), round(point[1], 1)
