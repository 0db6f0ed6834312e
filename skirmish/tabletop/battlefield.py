"""The map of a battlefield as data: what lies where on the table, without how it is drawn.

Coordinates are table inches from the bottom left corner of the map as it is printed, x to the
right, y upward; the scenario says which compass direction is up. Angles are in degrees
counterclockwise from the right. Lines and outlines are given by a few points, through which a curve
bends. Every part is a table of the scenario's file.
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
"""False: straight from point to point; True: all of it bends; two numbers: only the part between
these points, counted from 0."""
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
    """Where a text stands in the book, whose upright pages show the map turned by a quarter."""

    at: Point
    """In the coordinates of all other parts, before the map is turned."""
    turn: float = 0
    """The angle of the text on the upright page."""


class Label(MapPart, frozen=True):
    """A text on the map."""

    text: Text
    at: Point
    style: LabelStyle = "minor"
    turn: float = 0
    """By how many degrees it is turned to run along what it names."""
    upright: SecondPlace | None = None
    """Its place in the book; by default the same place, where it stands level."""


class Area(MapPart, frozen=True):
    """A patch of ground."""

    kind: AreaKind
    points: ThreeOrMore
    curve: Curve = False
    """Which of its corners are rounded."""
    angle: float = 0
    """By how many degrees its pattern is turned, such as the furrows of a field."""

    @property
    def outline(self) -> list[Point]:
        """Its outline in inches, with its corners rounded where it is a curve."""
        return _bent(self.points, self.curve, closed=True)


class Slope(MapPart, frozen=True):
    """A slope between the line of its ``crest`` and that of its ``foot``."""

    crest: TwoOrMore
    foot: TwoOrMore
    curve: bool = True
    """Whether both lines bend through their points."""
    ring: bool = False
    """Whether it goes all round a hill, so that both lines are closed."""

    @property
    def edges(self) -> tuple[list[Point], list[Point]]:
        """Its upper and its lower edge."""
        upper = _bent(self.crest, self.curve, closed=self.ring)
        lower = _bent(self.foot, self.curve, closed=self.ring)
        return upper, lower


class Line(MapPart, frozen=True):
    """Something long and thin. Its sheltered or lower side is on the left of its direction: the
    teeth of a cliff and the stones of a seawall point to the right."""

    kind: LineKind
    points: TwoOrMore
    curve: Curve = False
    width: Width | None = None
    """None for the usual width of its kind (``inches_wide``)."""

    @property
    def run(self) -> list[Point]:
        """The points along it in inches, with its bends where it is a curve."""
        return _bent(self.points, self.curve, closed=False)

    @property
    def inches_wide(self) -> float:
        """Its width in inches, as given or as usual for its kind; 0 for one that has none."""
        if self.width is not None:
            return self.width
        return DEFAULT_WIDTHS.get(self.kind, 0.0)


class Building(MapPart, frozen=True):
    """A building that figures may be in."""

    at: Point
    """Its centre."""
    size: tuple[Width, Width]
    """Its length and depth."""
    turn: float = 0
    """By how many degrees its length is turned."""
    number: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    """The number by which players name it."""
    kind: BuildingKind = "house"

    @property
    def outline(self) -> list[Point]:
        """Its four corners in inches."""
        return plane.oblong(self.at, *self.size, self.turn)


class Zone(MapPart, frozen=True):
    """The set-up zone of a contingent, or a part of it."""

    letter: Annotated[str, msgspec.Meta(pattern="^[A-Z]$")]
    """The letter of the contingent, the same for all parts of its zone."""
    side: SideId
    points: ThreeOrMore
    fill: Literal["full", "edge"] = "full"
    """Whether it is hatched all over, or only along its edge."""
    tag: Point | None = None
    """Where the letter is drawn; None if it is not drawn in this part."""


class MapMark(MapPart, frozen=True):
    """One object at one place."""

    kind: MarkKind
    at: Point
    side: SideId | None = None
    facing: float = 90
    """The direction in which it looks, in degrees; by default up the map."""
    mark: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9]{1,3}$")] | None = None
    """The letters by which the order of battle or a rule of the scenario names it."""


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
    """Whether a line is drawn across the table at its end, as the limit that it measures."""
    means: str = ""
    """What it forbids or says, in a few words below its number."""


class Circle(MapPart, frozen=True):
    """A distance of the scenario's rules all round a point."""

    at: Point
    radius: Width
    side: SideId | None = None
    """The side that it concerns; None for both."""


def _singular(name: str) -> str:
    """The key of a field in a file, where each part has its own table: ``[[map.area]]``."""
    return name.removesuffix("s")


class Battlefield(MapPart, frozen=True, rename=_singular):
    """Everything on the table."""

    ground: Ground = "grass"
    note: str = ""
    """Which parts of the map are ours, because the rules text does not define them."""
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
    def zone_letters(self) -> frozenset[str]:
        """The letters of the set-up zones."""
        return frozenset(zone.letter for zone in self.zones)

    @property
    def mark_letters(self) -> frozenset[str]:
        """The letters by which single objects are named (``MapMark.mark``)."""
        return frozenset(mark.mark for mark in self.marks if mark.mark)

    def turned_a_quarter(self, *, depth: float) -> Battlefield:
        """The map turned a quarter counterclockwise, so that its top is on the left, with all texts
        in their second places. ``depth``: that of the table before it is turned, in inches."""
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
        """Every point that says where something lies, with its key in the file,
        ``map.area[0].points``, by which a problem names the mistake. Where letters and numbers are
        written does not count."""
        yield from _points_of_paths("area", self.areas)
        yield from _points_of_paths("line", self.lines)
        yield from _points_of_paths("zone", self.zones)
        yield from _points_of_paths("arrow", self.arrows)
        for index, slope in enumerate(self.slopes):
            for point in (*slope.crest, *slope.foot):
                yield f"map.slope[{index}]", point
        for index, building in enumerate(self.buildings):
            for point in building.outline:
                yield f"map.building[{index}]", point
        yield from _places("mark", self.marks)
        yield from _places("circle", self.circles)
        yield from _places("label", self.labels)
        for index, label in enumerate(self.labels):
            if label.upright:
                yield f"map.label[{index}].upright.at", label.upright.at
        for index, dimension in enumerate(self.dimensions):
            yield f"map.dimension[{index}].start", dimension.start
            yield f"map.dimension[{index}].end", dimension.end


def _points_of_paths(
    key: str, parts: Iterable[Area | Line | Zone | Arrow]
) -> Iterator[tuple[str, Point]]:
    """The points of parts that are an outline or a line, each with its key."""
    for index, part in enumerate(parts):
        for point in part.points:
            yield f"map.{key}[{index}].points", point


def _places(key: str, parts: Iterable[MapMark | Circle | Label]) -> Iterator[tuple[str, Point]]:
    """The places of parts that have a single one, each with its key."""
    for index, part in enumerate(parts):
        yield f"map.{key}[{index}].at", part.at


class _QuarterTurn(NamedTuple):
    """Turns the parts of a map a quarter counterclockwise."""

    depth: float
    """The depth of the table before it is turned, in inches, which becomes its width."""

    def _point(self, point: Point) -> Point:
        x, y = point
        return self.depth - y, x

    def _path(self, points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple(self._point(point) for point in points)

    def area(self, area: Area) -> Area:
        """An area turned, its pattern with it."""
        return replace(area, points=self._path(area.points), angle=area.angle + 90)

    def slope(self, slope: Slope) -> Slope:
        """A slope turned, with both of its edges."""
        return replace(slope, crest=self._path(slope.crest), foot=self._path(slope.foot))

    def line(self, line: Line) -> Line:
        """A line with its points turned."""
        return replace(line, points=self._path(line.points))

    def building(self, building: Building) -> Building:
        """A building turned about its centre, which moves."""
        return replace(building, at=self._point(building.at), turn=building.turn + 90)

    def zone(self, zone: Zone) -> Zone:
        """A zone turned, the place of its letter with it."""
        tag = None
        if zone.tag:
            tag = self._point(zone.tag)
        return replace(zone, points=self._path(zone.points), tag=tag)

    def mark(self, mark: MapMark) -> MapMark:
        """An object turned, its facing with it."""
        return replace(mark, at=self._point(mark.at), facing=mark.facing + 90)

    def arrow(self, arrow: Arrow) -> Arrow:
        """An arrow with its points turned."""
        return replace(arrow, points=self._path(arrow.points))

    def dimension(self, dimension: Dimension) -> Dimension:
        """A distance turned, the shift of its number with it."""
        start, end = self._point(dimension.start), self._point(dimension.end)
        # A shift is a direction and no place, so the depth of the table does not matter.
        off_x, off_y = dimension.off
        return replace(dimension, start=start, end=end, off=(-off_y, off_x))

    def circle(self, circle: Circle) -> Circle:
        """A circle about its turned centre."""
        return replace(circle, at=self._point(circle.at))

    def label(self, label: Label) -> Label:
        """A text in its second place."""
        second = label.upright
        if second is None:
            second = SecondPlace(at=label.at)
        return replace(label, at=self._point(second.at), turn=second.turn)


def _bent(points: tuple[Point, ...], curve: Curve, *, closed: bool) -> list[Point]:
    """The points of a line or an outline, with those between them where it bends."""
    # A new list for each caller, who may change it; what is cached must not change.
    return list(_cached_bends(points, curve, closed))


@lru_cache(maxsize=1024)
def _cached_bends(points: tuple[Point, ...], curve: Curve, closed: bool) -> tuple[Point, ...]:
    """As ``_bent``. Cached, because a map asks for the outline of a part again and again while it
    looks for room for its texts."""
    if curve is True:
        return tuple(plane.curved(points, closed=closed))
    if curve is False:
        return points
    # Only the part between two points bends.
    first, last = curve
    before, bending, after = points[:first], points[first : last + 1], points[last + 1 :]
    return (*before, *plane.curved(bending), *after)
