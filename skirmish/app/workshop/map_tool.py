"""What the player is doing on the map of the workshop: looking around, laying a feature corner by
corner, or changing one that is taken. It knows no screen: keys become calls of ``MapTool``, which
return the changed map."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from skirmish.games.plastic.workshop.laid_features import BUILDINGS, USUAL_BUILDING_SIZE, hill_of
from skirmish.tabletop import map_edits, map_features, map_motions
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
from skirmish.tabletop.map_features import PartId
from skirmish.tabletop.plane import Point

ValueT = TypeVar("ValueT")

FINE_STEP, COARSE_STEP = 1.0, 6.0
"""Inches of a step of the cursor."""
TURN_STEP = 5.0
"""Degrees that a feature turns by at once."""
SIZE_STEP = 0.5
"""Inches that a feature grows or shrinks by at once."""
COPY_SHIFT = (3.0, -3.0)
"""From a feature to its copy, in inches: a little to the right and down, so that both are seen."""
SAME_PLACE = 0.01
"""Inches within which two places are the same: the cursor is rounded to hundredths."""
LETTERINGS = ("minor", "feature", "town", "water")
"""The letterings of a name on the map, in the order in which a key goes through them."""
FILLINGS = ("full", "edge")
"""How a zone is painted: all of it, or its edge only."""


class Shape(NamedTuple):
    """How many corners are set to lay a feature."""

    fewest: int
    most: int | None
    """The number with which the feature is complete; None: the player ends it."""


SURFACE = Shape(fewest=3, most=None)
PATH = Shape(fewest=2, most=None)
SPAN = Shape(fewest=2, most=2)
"""From one place to another, such as a distance."""
SPOT = Shape(fewest=1, most=1)


class FeatureKind(NamedTuple):
    """What a ``key`` of the palette lays."""

    key: str
    name: str
    shape: Shape
    terrain: str = ""
    """The kind of terrain that players own pieces of; empty if they own none of this."""


GROUND_KINDS = (
    FeatureKind("w", "woods", SURFACE, "woods"),
    FeatureKind("f", "field", SURFACE, "field"),
    FeatureKind("o", "orchard", SURFACE),
    FeatureKind("t", "town", SURFACE),
    FeatureKind("r", "rough", SURFACE),
    FeatureKind("a", "marsh", SURFACE),
    FeatureKind("s", "sea", SURFACE),
    FeatureKind("e", "beach", SURFACE),
    FeatureKind("c", "crater", SURFACE),
    FeatureKind("d", "depression", SURFACE),
    FeatureKind("y", "airfield", SURFACE),
)
LINE_KINDS = (
    FeatureKind("R", "road", PATH, "road"),
    FeatureKind("K", "track", PATH),
    FeatureKind("L", "rail", PATH),
    FeatureKind("V", "river", PATH, "river"),
    FeatureKind("E", "stream", PATH),
    FeatureKind("G", "bridge", PATH, "bridge"),
    FeatureKind("H", "hedge", PATH, "hedge"),
    FeatureKind("W", "wall", PATH, "wall"),
    FeatureKind("X", "wire", PATH),
    FeatureKind("T", "trench", PATH),
    FeatureKind("D", "ditch", PATH),
    FeatureKind("C", "cliff", PATH),
    FeatureKind("S", "seawall", PATH),
    FeatureKind("M", "mines", PATH),
)
OTHER_KINDS = (
    FeatureKind("^", "hill", SURFACE, "hill"),
    FeatureKind("/", "slope", PATH),
    FeatureKind("h", "house", SPOT, "house"),
    FeatureKind("z", "zone", SURFACE),
    FeatureKind("k", "mark", SPOT),
    FeatureKind(">", "arrow", PATH),
    FeatureKind("=", "distance", SPAN),
    FeatureKind("@", "circle", SPAN),
    FeatureKind("n", "name", SPOT),
)
KINDS = {kind.key: kind for kind in (*GROUND_KINDS, *LINE_KINDS, *OTHER_KINDS)}
"""Everything that can be laid, by its key."""


class LayingDetails(NamedTuple):
    """What is known of a feature besides its places; each kind of feature uses some of these."""

    side: str = ""
    """Whose zone, arrow or mark it is; empty: nobody's."""
    letter: str = ""
    """The letter of a zone."""
    text: str = ""
    """A name on the map, or what a distance means."""
    kind: str = ""
    """What a mark is of, or what kind of building a house is; empty: a plain house."""
    size: tuple[float, float] = USUAL_BUILDING_SIZE
    """Length and depth of a building, in inches."""
    turn: float = 0
    """The degrees by which a building is turned."""


class Laying:
    """A feature being laid: its ``corners`` so far, and what is known of it besides."""

    def __init__(self, kind: FeatureKind, details: LayingDetails) -> None:
        self.kind = kind
        self.details = details
        self.corners: list[Point] = []
        self.crest: list[Point] = []
        """The upper edge of a slope, which is laid before its foot."""
        self.is_curve = False
        """Whether it bends through its corners."""

    @property
    def is_building(self) -> bool:
        """Whether it has a size, a direction and a kind of building that keys change."""
        return self.kind.name == "house"

    @property
    def kind_name(self) -> str:
        """What is laid: the kind of mark or building, if it is one, or else of feature."""
        return self.details.kind or self.kind.name

    @property
    def is_complete(self) -> bool:
        """Whether it has all the corners that a feature of its shape can have."""
        return len(self.corners) == self.kind.shape.most

    def clear(self) -> None:
        """Begin again with the same kind."""
        self.corners = []
        self.crest = []

    def part(self, corners: Sequence[Point]) -> MapPart | None:
        """The feature with these corners; None if they do not make one yet."""
        if len(corners) < self.kind.shape.fewest:
            return None
        name = self.kind.name
        points = tuple(corners)
        # Kinds are named as in the scenario file, which mypy cannot know.
        if self.kind in GROUND_KINDS:
            return Area(kind=name, points=points, curve=self.is_curve)  # type: ignore[arg-type]
        if self.kind in LINE_KINDS:
            return Line(kind=name, points=points, curve=self.is_curve)  # type: ignore[arg-type]
        part_with: dict[str, Callable[[tuple[Point, ...]], MapPart | None]] = {
            "hill": hill_of,
            "slope": self._slope,
            "house": self._house,
            "zone": self._zone,
            "mark": self._mark,
            "arrow": self._arrow,
            "distance": self._distance,
            "circle": self._circle,
            "name": self._name,
        }
        return part_with[name](points)

    def _slope(self, points: tuple[Point, ...]) -> Slope | None:
        if not self.crest:  # the corners set so far are those of the crest
            return None
        return Slope(crest=tuple(self.crest), foot=points)

    def _house(self, points: tuple[Point, ...]) -> Building:
        details = self.details
        return Building(
            at=points[0],
            size=details.size,
            turn=details.turn,
            kind=self.kind_name,  # type: ignore[arg-type]
        )

    def _zone(self, points: tuple[Point, ...]) -> Zone:
        # The ``tag`` of a zone is the place where its letter stands.
        zone = Zone(letter=self.details.letter, side=self.details.side, points=points)
        return replace(zone, tag=_to_tenths(map_motions.middle(zone)))

    def _mark(self, points: tuple[Point, ...]) -> MapMark:
        # A mark may be nobody's, and then has None; a zone or an arrow always has a side.
        side = self.details.side or None
        return MapMark(at=points[0], kind=self.kind_name, side=side)  # type: ignore[arg-type]

    def _arrow(self, points: tuple[Point, ...]) -> Arrow:
        return Arrow(side=self.details.side, points=points, curve=self.is_curve)

    def _distance(self, points: tuple[Point, ...]) -> Dimension:
        return Dimension(start=points[0], end=points[1], means=self.details.text)

    def _circle(self, points: tuple[Point, ...]) -> Circle | None:
        middle, on_rim = points
        radius = round(math.dist(middle, on_rim), 1)
        if radius == 0:  # the cursor is still in the middle
            return None
        return Circle(at=middle, radius=radius)

    def _name(self, points: tuple[Point, ...]) -> Label:
        return Label(text=self.details.text, at=points[0], style="feature")


class TakenFeature:
    """A feature that is being changed: ``part`` is as it is now, and not in the map yet. If one of
    its corners is chosen (``corner``, counted from 0), only that corner moves.

    The changes come into the map only by ``enter``, which puts the feature down, and by ``copy``.
    Whatever else ends the taking, such as laying or taking another one, drops them."""

    def __init__(self, part_id: PartId, part: MapPart) -> None:
        self.part_id = part_id
        self.part_in_map = part
        """As it was taken, and still is in the map."""
        self.part = part
        self.corner: int | None = None


class MapTool:
    """What is being done on a map, on a table of ``size`` (its width and depth in inches).
    ``field`` is the map as it is stored; what is being laid or changed is not in it yet.

    A method that changes the map returns the changed map, and leaves ``field`` as it is until the
    changed map is stored and comes back by ``show``."""

    def __init__(self, field: Battlefield, size: Point) -> None:
        self.field = field
        self.size = size
        width, depth = size
        self.cursor: Point = (round(width / 2), round(depth / 2))
        self.laying: Laying | None = None
        self.taken: TakenFeature | None = None
        self.last_place: Point | None = None
        """Where the last corner was set."""
        self.sight_from: Point | None = None
        """Where the line of sight to the cursor begins, if one is shown."""
        self.rings: tuple[int, ...] = ()
        """The radii in inches of the range rings around the cursor."""

    def show(self, field: Battlefield, size: Point) -> None:
        """Go on with another map: after a change, an undo, or a change of the file."""
        self.field = field
        self.size = size
        if self.taken is not None and not self._is_as_taken(self.taken):
            self.taken = None
        self.cursor = self._on_table(self.cursor)

    def _is_there(self, part_id: PartId) -> bool:
        return part_id in map_features.part_ids(self.field)

    def _is_as_taken(self, taken: TakenFeature) -> bool:
        """Whether a feature is still in the map as it was taken. In another map its id, which is a
        place in a list, may be that of another feature."""
        if not self._is_there(taken.part_id):
            return False
        return map_features.part_of(self.field, taken.part_id) == taken.part_in_map

    def _on_table(self, point: Point) -> Point:
        """The nearest place on the table, rounded to a hundredth of an inch, since sums of floats
        have more digits than anybody measures."""
        x, y = point
        width, depth = self.size
        x_on_table = min(max(x, 0.0), width)
        y_on_table = min(max(y, 0.0), depth)
        return round(x_on_table, 2), round(y_on_table, 2)

    # -------------------------------------------------------------- the cursor

    def move(self, across: float, upward: float) -> None:
        """Move the cursor by so many inches, and what is taken along with it."""
        x, y = self.cursor
        self.cursor = self._on_table((x + across, y + upward))
        if self.taken is not None:
            # By as much as the cursor has moved, which stops at the edge of the table.
            new_x, new_y = self.cursor
            _shift_taken(self.taken, (new_x - x, new_y - y))

    def go_to(self, point: Point) -> None:
        """Move the cursor to a place."""
        place_x, place_y = self._on_table(point)
        x, y = self.cursor
        self.move(place_x - x, place_y - y)

    # -------------------------------------------------------------- laying

    def begin(self, kind: FeatureKind, details: LayingDetails) -> None:
        """Begin to lay a feature of that kind."""
        self.taken = None
        self.laying = Laying(kind, details)

    def enter(self) -> Battlefield | None:
        """Put down what is taken, or set a corner of what is laid, or end it. Returns the changed
        map; None if that does not change it."""
        if self.taken is not None:
            return self._put_down(self.taken)
        if self.laying is None:
            return None
        self.last_place = self.cursor
        if self._is_ended_here(self.laying):
            return self._end(self.laying)
        self.laying.corners.append(self.cursor)
        if self.laying.is_complete:
            return self._end(self.laying)
        return None

    def _is_ended_here(self, laying: Laying) -> bool:
        """Whether Enter ends what is laid: on its last corner, or on the first of a surface."""
        shape = laying.kind.shape
        if len(laying.corners) < shape.fewest:
            return False
        ends = [laying.corners[-1]]
        if shape == SURFACE:
            ends.append(laying.corners[0])
        return any(math.dist(self.cursor, end) < SAME_PLACE for end in ends)

    def _end(self, laying: Laying) -> Battlefield | None:
        """The map with the feature that was laid; None if there is none yet, or it has no size."""
        if laying.kind.name == "slope" and not laying.crest:
            # The corners of the crest are set; those of the foot follow.
            laying.crest = laying.corners
            laying.corners = []
            return None
        part = laying.part(laying.corners)
        # The same kind may be laid again at once: five houses, three fields.
        laying.clear()
        if part is None:
            return None
        return map_edits.added(self.field, part).field

    def take_back_corner(self) -> bool:
        """Take back the last corner of what is laid; returns whether there was one."""
        if self.laying is None or not self.laying.corners:
            return False
        self.laying.corners.pop()
        return True

    def leave_last_step(self) -> bool:
        """Leave what is being done, one step at each call: what is taken; else the corners of what
        is laid; else laying itself; else the line of sight and the rings. Returns whether there was
        anything to leave."""
        if self.taken is not None:
            self.taken = None
        elif self.laying is not None and (self.laying.corners or self.laying.crest):
            self.laying.clear()
        elif self.laying is not None:
            self.laying = None
        elif self.sight_from is not None or self.rings:
            self.sight_from = None
            self.rings = ()
        else:
            return False
        return True

    # -------------------------------------------------------------- taking

    def take(self) -> None:
        """Take the feature below the cursor; if that is taken already, the next one below it."""
        below_cursor = map_features.part_ids_near(self.field, self.cursor)
        if not below_cursor:
            self.taken = None
            return
        part_id = below_cursor[0]
        if self.taken is not None and self.taken.part_id in below_cursor:
            part_id = _next_value(self.taken.part_id, below_cursor)
        self.take_part(part_id)

    def go_and_take(self, part_id: PartId) -> None:
        """Move the cursor to a feature and take it, if it is still on the map."""
        if not self._is_there(part_id):
            return
        # Whatever is taken now would move along with the cursor.
        self.taken = None
        self.go_to(map_motions.middle(map_features.part_of(self.field, part_id)))
        self.take_part(part_id)

    def take_part(self, part_id: PartId) -> None:
        """Take this feature."""
        self.laying = None
        self.taken = TakenFeature(part_id, map_features.part_of(self.field, part_id))

    def _put_down(self, taken: TakenFeature) -> Battlefield | None:
        """Stop changing a feature; the map with the changed one, None if it is as it was."""
        self.taken = None
        if taken.part == taken.part_in_map:
            return None
        return map_edits.changed(self.field, taken.part_id, taken.part)

    def turn(self, degrees: float) -> None:
        """Turn what is taken, or the house that is laid next."""
        if self.taken is not None:
            self.taken.part = map_motions.turned(self.taken.part, degrees)
        elif self.laying is not None and self.laying.is_building:
            details = self.laying.details
            turn = (details.turn + degrees) % 180  # an oblong is the same after half a turn
            self.laying.details = details._replace(turn=turn)

    def mirror(self) -> None:
        """Mirror what is taken without moving it: its left becomes its right."""
        if self.taken is not None:
            part = self.taken.part
            self.taken.part = map_motions.moved(part, map_motions.mirror_in_place(part))

    def resize(self, growth: float) -> None:
        """Make what is taken, or the house that is laid next, larger by so many inches, or smaller
        if ``growth`` is negative."""
        if self.taken is not None:
            self.taken.part = map_edits.resized(self.taken.part, growth)
        elif self.laying is not None and self.laying.is_building:
            length, depth = self.laying.details.size
            smallest = map_edits.SMALLEST_SIZE
            size = (max(length + growth, smallest), max(depth + growth, smallest))
            self.laying.details = self.laying.details._replace(size=size)

    def bend(self) -> None:
        """Bend what is taken or laid through its corners, or make it straight again."""
        if self.taken is not None:
            self.taken.part = map_edits.bent(self.taken.part)
        elif self.laying is not None:
            self.laying.is_curve = not self.laying.is_curve

    def next_kind(self) -> None:
        """Give what is taken its next kind of building, lettering or filling; or the house that is
        laid its next kind of building."""
        if self.taken is not None:
            self.taken.part = with_next_kind(self.taken.part)
        elif self.laying is not None and self.laying.is_building:
            kind = _next_value(self.laying.kind_name, BUILDINGS)
            self.laying.details = self.laying.details._replace(kind=kind)

    def copy(self) -> Battlefield | None:
        """Put down what is taken, and take a copy of it that lies beside it; the changed map."""
        if self.taken is None:
            return None
        field = map_edits.changed(self.field, self.taken.part_id, self.taken.part)
        with_copy = map_edits.copied(field, self.taken.part_id, COPY_SHIFT)
        # Unlike other changes, this one is shown before it is stored: the copy can only be taken
        # on a map that has it.
        self.field = with_copy.field
        self.take_part(with_copy.part_id)
        x, y = self.cursor
        across, upward = COPY_SHIFT
        self.cursor = self._on_table((x + across, y + upward))
        return with_copy.field

    def delete(self) -> Battlefield | None:
        """Delete what is taken; the changed map. If one of its corners is chosen, only that corner
        is deleted, and the map changes when the feature is put down."""
        if self.taken is None:
            return None
        taken = self.taken
        if taken.corner is None:
            self.taken = None
            return map_edits.deleted(self.field, taken.part_id)
        taken.part = map_edits.without_corner(taken.part, taken.corner)
        taken.corner = None
        return None

    def next_corner(self) -> None:
        """Choose the next corner of what is taken; after the last corner, the whole of it."""
        if self.taken is None:
            return
        corners = map_motions.corners(self.taken.part)
        following = 0
        if self.taken.corner is not None:
            following = self.taken.corner + 1
        if following < len(corners):
            self.taken.corner = following
            self.cursor = corners[following]
        else:
            self.taken.corner = None

    def add_corner(self) -> None:
        """Add a corner halfway from the chosen one to the next, or to the one before if the chosen
        one is the end of a line."""
        if self.taken is not None and self.taken.corner is not None:
            self.taken.part = map_edits.with_further_corner(self.taken.part, self.taken.corner)

    # -------------------------------------------------------------- looking

    def toggle_sight(self) -> None:
        """Show the line of sight from here to wherever the cursor goes, or hide it again."""
        if self.sight_from is None:
            self.sight_from = self.cursor
        else:
            self.sight_from = None

    def preview(self) -> MapPart | None:
        """What is taken as it is now, or what is laid as it would be with a corner at the cursor;
        None if there is neither, or it has too few corners."""
        if self.taken is not None:
            return self.taken.part
        if self.laying is None:
            return None
        return self.laying.part([*self.laying.corners, self.cursor])


def with_next_kind(part: MapPart) -> MapPart:
    """A building of the next kind, a name in the next lettering or a zone with the next filling;
    any other part as it is."""
    if isinstance(part, Building):
        return replace(part, kind=_next_value(part.kind, BUILDINGS))
    if isinstance(part, Label):
        return replace(part, style=_next_value(part.style, LETTERINGS))
    if isinstance(part, Zone):
        return replace(part, fill=_next_value(part.fill, FILLINGS))
    return part


def _shift_taken(taken: TakenFeature, shift: Point) -> None:
    """Move what is taken, or only its chosen corner, across and upward."""
    if taken.corner is None:
        taken.part = map_motions.moved(taken.part, map_motions.shift(shift))
        return
    x, y = map_motions.corners(taken.part)[taken.corner]
    across, upward = shift
    taken.part = map_edits.with_corner(taken.part, taken.corner, (x + across, y + upward))


def _next_value(value: ValueT, values: Sequence[ValueT]) -> ValueT:
    """The value after this one; after the last comes the first."""
    return values[(values.index(value) + 1) % len(values)]


def _to_tenths(point: Point) -> Point:
    """The point rounded to tenths of an inch, as files have the places of letters."""
    return round(point[0], 1), round(point[1], 1)
