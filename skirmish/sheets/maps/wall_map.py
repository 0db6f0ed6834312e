"""The map of a scenario for a television across the room: that of the sheet without its frame, with
larger words in places where they cover nothing.

Begin with ``wall_map``. Words of the paper stand where the scenario's author put them; larger ones
need more room, so each moves to the nearest place where it is clear, or becomes smaller."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.fonts import HEAD, Face
from skirmish.sheets.maps.palette import COLOUR
from skirmish.sheets.maps.pen import PaperPoint
from skirmish.sheets.maps.scenario_map import LETTERING, TableMap, paint_table, paint_what_stands
from skirmish.sheets.maps.svg import SvgCanvas, SvgPen
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield, Building, Label
from skirmish.tabletop.plane import Rectangle

Shape: TypeAlias = Literal["upright", "lying"]
SCALE = 6.0
"""Points to an inch of the table. The page sets the true size; this is that of the patterns."""
_LARGER = {"water": 2.1, "town": 1.7, "feature": 1.9, "minor": 1.7}
"""How much larger than on paper the words of a style are, read from four metres."""
_LEAST_LARGER = 1.0
"""Words never become smaller than on paper."""
_STEP = 0.15
"""Where words find no place, they become smaller by so much of their size on paper."""
_NUMBER_SIZE = 15.0
"""The size of a building's number, in points."""
_BESIDE_ACROSS, _BESIDE_UPWARD = 9.0, 11.0
"""The distance from the middle of a number to the edge of its building, in points: numbers are
narrower than they are high."""
_FARTHEST = 9
"""How many steps a word may stand from its own place."""
_STRIDE = 7.0
"""The length of such a step in points."""
_HEIGHT_OF_WORDS = 0.8
"""The height that words take, as a share of their size."""
_AROUND = 1.5
"""Points that are kept free around words."""
_MARK = 13.0
"""Points that a piece on the map takes."""
_ARROW = 6.0
"""Half the breadth of an arrow, in points."""


class PlacedWords(NamedTuple):
    """Words with the place and size that they get, both in points; ``track``: points between their
    letters, ``turn``: degrees counterclockwise."""

    text: str
    face: Face
    size: float
    track: float
    middle: PaperPoint
    turn: float
    ink: Ink

    @property
    def box(self) -> Rectangle:
        """The room that they take."""
        wide = fonts.width(self.text, self.face, self.size) + self.track * (len(self.text) - 1)
        high = self.size * _HEIGHT_OF_WORDS
        return plane.box(plane.oblong(self.middle, wide, high, self.turn)).grown(_AROUND)

    def is_within(self, outline: Sequence[PaperPoint]) -> bool:
        """Whether all of it lies in an outline; an empty one is no limit."""
        left, bottom, right, top = self.box
        corners = ((left, bottom), (left, top), (right, bottom), (right, top))
        return not outline or all(plane.inside(corner, outline) for corner in corners)


def wall_map(scenario: Scenario, shape: Shape, *, at_first: bool) -> SvgCanvas:
    """The map, drawn. ``at_first`` it has the zones and distances; they are of no use once the
    first turn is over. Raises ValueError for a scenario without a map."""
    table_map = TableMap(scenario)
    field, size = table_map.field, table_map.size
    is_upright = size[1] > size[0]
    if is_upright != (shape == "upright"):
        field = field.turned_a_quarter(depth=size[1])
        size = size[::-1]
    if not at_first:
        field = replace(field, zones=(), dimensions=(), circles=())
    canvas = SvgCanvas((size[0] * SCALE, size[1] * SCALE))
    pen = SvgPen(canvas, 0, 0, SCALE, COLOUR)
    paint_table(pen, field, size, table_map.sides)
    unlettered = replace(field, labels=())
    paint_what_stands(pen, unlettered, size, table_map.sides)
    # Words keep a little away from the edge, where a television may cut the picture off.
    room = Rectangle(0, 0, *canvas.size).grown(-4)
    for words in _all_words(pen, field, room):
        pen.write(
            words.text,
            words.middle,
            words.face,
            words.size,
            words.ink,
            turn=words.turn,
            track=words.track,
        )
    return canvas


def map_name(scenario: Scenario) -> str:
    """What a screen reader says of the map."""
    return f"The map of {scenario.title}"


def _all_words(pen: SvgPen, field: Battlefield, room: Rectangle) -> Iterator[PlacedWords]:
    """All labels, and the numbers of buildings. These come first, since they must stand beside
    their house."""
    obstacles = list(_standing(pen, field))
    # The letters of zones and the inches of distances: ``paint_what_stands`` wrote them.
    obstacles += [words.box for words in pen.written]
    for building in field.buildings:
        if building.number:
            number = _number(pen, building, obstacles, room)
            obstacles.append(number.box)
            yield number
    # The largest first: the others find room between them.
    for label in sorted(field.labels, key=_largest_first):
        words = _label(pen, label, field, obstacles, room)
        obstacles.append(words.box)
        yield words


def _standing(pen: SvgPen, field: Battlefield) -> Iterator[Rectangle]:
    """What words should not cover."""
    for building in field.buildings:
        yield plane.box([pen.on_paper(corner) for corner in building.outline])
    for piece in field.marks:
        yield plane.box(plane.oblong(pen.on_paper(piece.at), _MARK, _MARK))
    for arrow in field.arrows:
        for start, end in zip(arrow.run, arrow.run[1:], strict=False):
            yield plane.box([pen.on_paper(start), pen.on_paper(end)]).grown(_ARROW)
    for zone in field.zones:
        if zone.tag:
            yield plane.box(plane.oblong(pen.on_paper(zone.tag), _MARK, _MARK))


def _largest_first(label: Label) -> float:
    return -LETTERING[label.style].size * _LARGER[label.style]


def _number(
    pen: SvgPen, building: Building, obstacles: Sequence[Rectangle], room: Rectangle
) -> PlacedWords:
    """The number of a building beside its roof, which it would hide; in the middle of it where no
    side is clear."""
    outline = plane.box([pen.on_paper(corner) for corner in building.outline])
    x, y = pen.on_paper(building.at)
    across, upward = (outline.right - outline.left) / 2, (outline.top - outline.bottom) / 2
    places = []
    # Below it first, or at its right where the building is deeper than wide.
    sides = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    if upward > across:
        sides = [(1, 0), (0, -1), (0, 1), (-1, 0)]
    for dx, dy in sides:
        place = x + dx * (across + _BESIDE_ACROSS), y + dy * (upward + _BESIDE_UPWARD)
        places.append(place)
    number = PlacedWords(str(building.number), HEAD, _NUMBER_SIZE, 0, places[0], 0, pen.inks.ink)
    for place in places:
        moved = number._replace(middle=place)
        if _is_clear(moved.box, obstacles, room):
            return moved
    return number._replace(middle=(x, y))


def _label(
    pen: SvgPen, label: Label, field: Battlefield, obstacles: Sequence[Rectangle], room: Rectangle
) -> PlacedWords:
    """A label as large and as near to its own place as it can be without covering anything; where
    there is no such place, as on the sheet."""
    face, size, track = LETTERING[label.style]
    ink = pen.inks.ink
    if label.style == "water":
        ink = pen.inks.water_edge
    as_on_sheet = PlacedWords(
        label.text, face, size, track, pen.on_paper(label.at), label.turn, ink
    )
    water = _water_of(pen, label, field)
    larger = _LARGER[label.style]
    while larger >= _LEAST_LARGER:
        # Large letters need a little less space between them than they grow by.
        words = as_on_sheet._replace(size=size * larger, track=track * larger * 0.9)
        x, y = as_on_sheet.middle
        for dx, dy in _NEARBY:
            moved = words._replace(middle=(x + dx, y + dy))
            if _is_clear(moved.box, obstacles, room) and moved.is_within(water):
                return moved
        larger -= _STEP
    return as_on_sheet


def _water_of(pen: SvgPen, label: Label, field: Battlefield) -> list[PaperPoint]:
    """The outline of the water that a label names and must not leave; empty for any other label."""
    if label.style == "water":
        for area in field.areas:
            if area.kind in ("sea", "marsh") and plane.inside(label.at, area.outline):
                return [pen.on_paper(point) for point in area.outline]
    return []


def _is_clear(box: Rectangle, obstacles: Sequence[Rectangle], room: Rectangle) -> bool:
    """Whether words in that box cover nothing and stand within the picture."""
    return box.within(room) and not any(box.overlaps(obstacle) for obstacle in obstacles)


def _nearby() -> list[PaperPoint]:
    """Steps from a place in all directions, the nearest first."""
    steps = range(-_FARTHEST, _FARTHEST + 1)
    around = [(across * _STRIDE, upward * _STRIDE) for across in steps for upward in steps]
    return sorted(around, key=lambda step: math.hypot(*step))


_NEARBY = _nearby()
