"""The map of a battlefield as data: what lies where on the table, without how it is drawn.

Coordinates are table inches from the bottom left corner of the map as it is printed, x to the
right, y upward (which compass direction that is, the scenario says). Angles are in degrees
counterclockwise from the right. Lines and outlines are given by a few points; ``curve``: they bend
through them. Every part is a table of the scenario's file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.tabletop import plane
from skirmish.tabletop.data_file import Refers
from skirmish.tabletop.plane import Point

Ground: TypeAlias = Literal["grass", "desert", "steppe", "rubble"]
AreaKind: TypeAlias = Literal[
    "sea", "beach", "marsh", "rough", "field", "orchard", "woods", "town", "airfield", "crater",
    "depression",
]  # fmt: skip
LineKind: TypeAlias = Literal[
    "road", "track", "rail", "river", "stream", "hedge", "wall", "seawall", "wire", "trench",
    "ditch", "cliff", "bridge", "mines",
]  # fmt: skip
BuildingKind: TypeAlias = Literal["house", "church", "works", "hangar", "ruin"]
"""In the order in which the map tool goes through them."""
LabelStyle: TypeAlias = Literal["water", "town", "feature", "minor"]
"""The lettering of a name on the map."""
MarkKind: TypeAlias = Literal[
    "mg", "small_pillbox", "large_pillbox", "tank", "gun", "truck", "landing_craft", "aircraft",
    "glider", "objective", "entry",
]  # fmt: skip
Curve: TypeAlias = bool | tuple[int, int]
"""True: all of it bends; two numbers: only the part between these points, counted from 0."""
SideId = Annotated[str, Refers("side")]
Text = Annotated[str, msgspec.Meta(min_length=1)]
Width = Annotated[float, msgspec.Meta(gt=0, le=48)]
"""A length on the table in inches; more than four feet is a mistake."""
TwoOrMore = Annotated[tuple[Point, ...], msgspec.Meta(min_length=2)]
ThreeOrMore = Annotated[tuple[Point, ...], msgspec.Meta(min_length=3)]

DEFAULT_WIDTHS: dict[str, float] = {"road": 2.2, "river": 4.0, "bridge": 3.0, "ditch": 1.2}
"""Inches, for lines whose width is not given; other kinds have none."""


class MapPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the map, or the whole of it."""


class SecondPlace(MapPart, frozen=True):
    """Where a text stands on the map of the book, which is turned a quarter to stand upright.
    ``at`` is in the coordinates of all other parts, before that turn; ``turn`` is the angle of the
    text on the upright page."""

    at: Point
    turn: float = 0


class Label(MapPart, frozen=True):
    """A text on the map, turned along what it names by ``turn`` degrees. ``upright``: its place on
    a map that is turned upright; by default the same place, and there it stands level."""

    text: Text
    at: Point
    style: LabelStyle = "minor"
    turn: float = 0
    upright: SecondPlace | None = None


class Area(MapPart, frozen=True):
    """A patch of ground between three ``points`` or more, in table inches; ``curve``: all corners
    are rounded, or some of them. ``angle`` turns its pattern, such as the furrows of a field, in
    degrees."""

    kind: AreaKind
    points: ThreeOrMore
    curve: Curve = False
    angle: float = 0

    @property
    def outline(self) -> list[Point]:
        """Its outline in inches, with its corners rounded where it is a curve."""
        return _bent(self.points, self.curve, closed=True)


class Slope(MapPart, frozen=True):
    """A slope between the lines of its ``crest`` and its ``foot``; ``ring``: it goes all round a
    hill, so that both lines are closed; ``curve``: both bend through their points."""

    crest: TwoOrMore
    foot: TwoOrMore
    curve: bool = True
    ring: bool = False

    @property
    def edges(self) -> tuple[list[Point], list[Point]]:
        """Its upper and its lower edge."""
        crest = _bent(self.crest, self.curve, closed=self.ring)
        return crest, _bent(self.foot, self.curve, closed=self.ring)


class Line(MapPart, frozen=True):
    """Something long and thin. Its sheltered or lower side is on the left of its direction: the
    teeth of a cliff and the stones of a seawall point to the right. ``width``: None for the usual
    one of its kind (``inches_wide``)."""

    kind: LineKind
    points: TwoOrMore
    curve: Curve = False
    width: Width | None = None

    @property
    def run(self) -> list[Point]:
        """The points along it in inches, with its bends where it is a curve."""
        return _bent(self.points, self.curve, closed=False)

    @property
    def inches_wide(self) -> float:
        """Its width in inches, as given or as usual for its kind; 0 for one that has none."""
        return self.width or DEFAULT_WIDTHS.get(self.kind, 0.0)


class Building(MapPart, frozen=True):
    """A building for figures: its centre (``at``), its length and depth in inches (``size``), and
    the degrees by which its length is turned. Players call it by its ``number``."""

    at: Point
    size: tuple[Width, Width]
    turn: float = 0
    number: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    kind: BuildingKind = "house"

    @property
    def outline(self) -> list[Point]:
        """Its four corners in inches."""
        return plane.oblong(self.at, *self.size, self.turn)


class Zone(MapPart, frozen=True):
    """The set-up zone of a contingent, or a part of one, by its letter; several parts may have one
    letter. ``tag``: where the letter is drawn; without one it is not drawn in this part. ``fill``:
    hatched all over, or only along its edge."""

    letter: Annotated[str, msgspec.Meta(pattern="^[A-Z]$")]
    side: SideId
    points: ThreeOrMore
    fill: Literal["full", "edge"] = "full"
    tag: Point | None = None


class MapMark(MapPart, frozen=True):
    """One object at one place. ``facing``: the direction in which it looks, in degrees, by default
    up the map; ``mark`` is the letter by which the order of battle or a rule of the scenario names
    it."""

    kind: MarkKind
    at: Point
    side: SideId | None = None
    facing: float = 90
    mark: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9]{1,3}$")] | None = None


class Arrow(MapPart, frozen=True):
    """Where a side moves, from the first of its ``points`` to the last, in table inches."""

    side: SideId
    points: TwoOrMore
    curve: Curve = False

    @property
    def run(self) -> list[Point]:
        """The points along it in inches, with its bends where it is a curve."""
        return _bent(self.points, self.curve, closed=False)


class Dimension(MapPart, frozen=True):
    """A distance of the scenario's rules, drawn where it is measured. Its number is not given: it
    is the length from ``start`` to ``end``."""

    start: Point
    end: Point
    at_most: bool = False
    """Whether a ≤ stands before the number."""
    off: tuple[float, float] = (0, 0)
    """How far the number is shifted, in inches."""
    ours: bool = False
    """Whether this map sets it, and not the rules text."""
    line: bool = False
    """Whether it ends at a limit that crosses the table, which is drawn as a line."""
    means: str = ""
    """What it forbids or says, in a few words below its number."""


class Circle(MapPart, frozen=True):
    """A distance of the scenario's rules (``radius``) all round the point ``at``, which concerns a
    ``side``; without one it concerns both."""

    at: Point
    radius: Width
    side: SideId | None = None


def _singular(name: str) -> str:
    """The key of a field in a file, where each part has its own table: ``[[map.area]]``."""
    return name.removesuffix("s")


class Battlefield(MapPart, frozen=True, rename=_singular):
    """Everything on the table. ``note`` says which parts of the map are ours, since the rules text
    does not define them."""

    ground: Ground = "grass"
    note: str = ""
    areas: tuple[Area, ...] = ()
    slopes: tuple[Slope, ...] = ()
    lines: tuple[Line, ...] = ()
    buildings: tuple[Building, ...] = ()
    zones: tuple[Zone, ...] = ()
    marks: tuple[MapMark, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    circles: tuple[Circle, ...] = ()
    labels: tuple[Label, ...] = ()

    @property
    def letters(self) -> frozenset[str]:
        """The letters of the set-up zones."""
        return frozenset(zone.letter for zone in self.zones)

    @property
    def marked(self) -> frozenset[str]:
        """The letters of single objects (``MapMark.mark``)."""
        return frozenset(mark.mark for mark in self.marks if mark.mark)

    def turned_a_quarter(self, *, depth: float) -> Battlefield:
        """The map turned a quarter counterclockwise: what was its top is on the left. ``depth``:
        that of the table before it is turned, in inches. Words stand in their second places."""
        turn = _QuarterTurn(depth)
        return replace(
            self,
            areas=tuple(turn.area(area) for area in self.areas),
            slopes=tuple(turn.slope(slope) for slope in self.slopes),
            lines=tuple(turn.line(line) for line in self.lines),
            buildings=tuple(turn.building(building) for building in self.buildings),
            zones=tuple(turn.zone(zone) for zone in self.zones),
            marks=tuple(turn.mark(mark) for mark in self.marks),
            arrows=tuple(turn.arrow(arrow) for arrow in self.arrows),
            dimensions=tuple(turn.dimension(dimension) for dimension in self.dimensions),
            circles=tuple(turn.circle(circle) for circle in self.circles),
            labels=tuple(turn.label(label) for label in self.labels),
        )

    def points(self) -> Iterator[tuple[str, Point]]:
        """Every point of the map with its key in the file, ``map.area[0].points``, by which a
        problem names the mistake."""
        for name in ("areas", "lines", "zones", "arrows"):
            for index, part in enumerate(getattr(self, name)):
                for point in part.points:
                    yield f"map.{_singular(name)}[{index}].points", point
        for index, slope in enumerate(self.slopes):
            for point in (*slope.crest, *slope.foot):
                yield f"map.slope[{index}]", point
        for index, building in enumerate(self.buildings):
            for point in building.outline:
                yield f"map.building[{index}]", point
        for name in ("marks", "circles", "labels"):
            for index, placed in enumerate(getattr(self, name)):
                yield f"map.{_singular(name)}[{index}].at", placed.at
        for index, label in enumerate(self.labels):
            if label.upright:
                yield f"map.label[{index}].upright.at", label.upright.at
        for index, dimension in enumerate(self.dimensions):
            yield f"map.dimension[{index}].start", dimension.start
            yield f"map.dimension[{index}].end", dimension.end


class _QuarterTurn(NamedTuple):
    """Turns the parts of a map a quarter counterclockwise. ``depth``: that of the table before it
    is turned, in inches; it becomes the width."""

    depth: float

    def _point(self, point: Point) -> Point:
        x, y = point
        return self.depth - y, x

    def _path(self, points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple(self._point(point) for point in points)

    def area(self, area: Area) -> Area:
        """An area, with its pattern."""
        return replace(area, points=self._path(area.points), angle=area.angle + 90)

    def slope(self, slope: Slope) -> Slope:
        """A slope with both of its edges."""
        return replace(slope, crest=self._path(slope.crest), foot=self._path(slope.foot))

    def line(self, line: Line) -> Line:
        """A line."""
        return replace(line, points=self._path(line.points))

    def building(self, building: Building) -> Building:
        """A building about its centre, which moves."""
        return replace(building, at=self._point(building.at), turn=building.turn + 90)

    def zone(self, zone: Zone) -> Zone:
        """A zone, with the place of its letter."""
        tag = None
        if zone.tag:
            tag = self._point(zone.tag)
        return replace(zone, points=self._path(zone.points), tag=tag)

    def mark(self, mark: MapMark) -> MapMark:
        """An object with its facing."""
        return replace(mark, at=self._point(mark.at), facing=mark.facing + 90)

    def arrow(self, arrow: Arrow) -> Arrow:
        """An arrow."""
        return replace(arrow, points=self._path(arrow.points))

    def dimension(self, dimension: Dimension) -> Dimension:
        """A distance with the shift of its number."""
        start, end = self._point(dimension.start), self._point(dimension.end)
        # A shift is turned like a point, but about itself: without the depth of the table.
        off_x, off_y = dimension.off
        return replace(dimension, start=start, end=end, off=(-off_y, off_x))

    def circle(self, circle: Circle) -> Circle:
        """A circle."""
        return replace(circle, at=self._point(circle.at))

    def label(self, label: Label) -> Label:
        """A text at its second place, which is that on the upright map."""
        second = label.upright or SecondPlace(at=label.at)
        return replace(label, at=self._point(second.at), turn=second.turn)


def _bent(points: tuple[Point, ...], curve: Curve, *, closed: bool) -> list[Point]:
    """The points of a line or an outline, with those between them where it bends."""
    # A list of its own for each caller: what ``_curved`` remembers must not be changed.
    return list(_curved(points, curve, closed))


@lru_cache(maxsize=1024)
def _curved(points: tuple[Point, ...], curve: Curve, closed: bool) -> tuple[Point, ...]:
    """As ``_bent``, but remembered: a map asks for the outline of a part whenever it looks for room
    beside it."""
    if curve is True:
        return tuple(plane.curved(points, closed=closed))
    if curve is False:
        return points
    # Only the part between two points bends.
    first, last = curve
    return (*points[:first], *plane.curved(points[first : last + 1]), *points[last + 1 :])
