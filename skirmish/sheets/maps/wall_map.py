"""The map of a scenario for a television across the room: that of the sheet without its frame, with
larger words in places where they cover nothing.

Begin with ``wall_map``. Words of the paper stand where the scenario's author put them; larger ones
need more room, so each moves to the nearest place where it is clear, or becomes smaller."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.fonts import HEAD, Face
from skirmish.sheets.maps.layers import LETTERING, paint_over_table, paint_table
from skirmish.sheets.maps.palette import COLOUR
from skirmish.sheets.maps.pen import PaperPoint
from skirmish.sheets.maps.scenario_map import table_of
from skirmish.sheets.maps.svg import SvgCanvas, SvgPen
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield, Building, Label
from skirmish.tabletop.plane import Rectangle

Shape: TypeAlias = Literal["upright", "lying"]
SCALE = 6.0
"""Points to an inch of the table. The page sets the true size; this is that of the patterns."""
_TIMES_LARGER = {"water": 2.1, "town": 1.7, "feature": 1.9, "minor": 1.7}
"""How many times as large as on paper the words of a style are, to be read from four metres."""
_LEAST_TIMES_LARGER = 1.0
"""Words never become smaller than on paper."""
_TRACK_OF_LARGE = 0.9
"""The space between letters grows by a little less than the letters."""
_SHRINK_STEP = 0.15
"""Where words find no place, they become smaller by so much of their size on paper."""
_NUMBER_SIZE = 15.0
"""The size of a building's number, in points."""
_BESIDE_ACROSS, _BESIDE_UPWARD = 9.0, 11.0
"""The distance from the middle of a number to the edge of its building, in points: numbers are
narrower than they are high."""
_FARTHEST = 9
"""How many strides a word may stand from its own place, each way."""
_STRIDE = 7.0
"""The length of a stride in points."""
_HEIGHT_OF_WORDS = 0.8
"""The height that words take, as a share of their size."""
_CUT_OFF = 4
"""Points at the edge that are kept free of words: a television may cut them off."""
_AROUND = 1.5
"""Points that are kept free around words."""
_PIECE_SIZE = 13.0
"""Points that a piece on the map or the letter of a zone takes, upward and across."""
_HALF_ARROW = 6.0
"""Points from the middle of an arrow to its side."""


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
        """Whether all of it lies in an outline."""
        return all(plane.inside(corner, outline) for corner in self.box.corners)


def wall_map(scenario: Scenario, shape: Shape, *, at_first: bool) -> SvgCanvas:
    """The map, drawn. ``at_first``: with zones, distances and circles around points, which are of
    no use once the first turn is over. Raises ValueError for a scenario without a map."""
    table = table_of(scenario)
    if table.is_higher_than_wide != (shape == "upright"):
        table = table.turned_a_quarter()
    field = table.field
    if not at_first:
        field = replace(field, zones=(), dimensions=(), circles=())
    wide, deep = table.size
    canvas = SvgCanvas((wide * SCALE, deep * SCALE))
    pen = SvgPen(canvas, 0, 0, SCALE, COLOUR)
    paint_table(pen, table._replace(field=field))
    # The labels are left out here: they follow, larger and in places of their own.
    paint_over_table(pen, table._replace(field=replace(field, labels=())))
    room = Rectangle(0, 0, *canvas.size).grown(-_CUT_OFF)
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
    """The name of the map for screen readers."""
    return f"The map of {scenario.title}"


def _all_words(pen: SvgPen, field: Battlefield, room: Rectangle) -> Iterator[PlacedWords]:
    """The numbers of buildings, then all labels. The numbers come first, since each must stand
    beside its building."""
    obstacles = list(_obstacles_to_words(pen, field))
    # The letters of zones and the inches of distances: ``paint_over_table`` wrote them.
    obstacles += [words.box for words in pen.written_words]
    for building in field.buildings:
        if building.number:
            number = _place_number(pen, building, obstacles, room)
            obstacles.append(number.box)
            yield number
    # The largest first: the others find room between them.
    for label in sorted(field.labels, key=_largest_first):
        words = _place_label(pen, label, field, obstacles, room)
        obstacles.append(words.box)
        yield words


def _obstacles_to_words(pen: SvgPen, field: Battlefield) -> Iterator[Rectangle]:
    """What words should not cover."""
    for building in field.buildings:
        yield plane.box([pen.on_paper(corner) for corner in building.outline])
    for piece in field.marks:
        yield plane.box(plane.oblong(pen.on_paper(piece.at), _PIECE_SIZE, _PIECE_SIZE))
    for arrow in field.arrows:
        for start, end in pairwise(arrow.run):
            yield plane.box([pen.on_paper(start), pen.on_paper(end)]).grown(_HALF_ARROW)
    for zone in field.zones:
        if zone.tag:
            yield plane.box(plane.oblong(pen.on_paper(zone.tag), _PIECE_SIZE, _PIECE_SIZE))


def _largest_first(label: Label) -> float:
    """A key to sort labels by: the larger its letters, the lower."""
    return -LETTERING[label.style].size * _TIMES_LARGER[label.style]


def _place_number(
    pen: SvgPen, building: Building, obstacles: Sequence[Rectangle], room: Rectangle
) -> PlacedWords:
    """The number of a building beside its roof, which it would hide; in the middle of it where no
    side is clear."""
    outline = plane.box([pen.on_paper(corner) for corner in building.outline])
    x, y = pen.on_paper(building.at)
    across, upward = (outline.right - outline.left) / 2, (outline.top - outline.bottom) / 2
    # The directions from the middle of the building, to the right and upward.
    below, right, above, left = (0, -1), (1, 0), (0, 1), (-1, 0)
    sides = [below, right, above, left]
    if upward > across:
        # A building that is higher than wide has its longer side at the right: that is tried first.
        sides = [right, below, above, left]
    on_roof = PlacedWords(
        str(building.number), HEAD, _NUMBER_SIZE, track=0, middle=(x, y), turn=0, ink=pen.inks.ink
    )
    for dx, dy in sides:
        place = x + dx * (across + _BESIDE_ACROSS), y + dy * (upward + _BESIDE_UPWARD)
        beside_roof = on_roof._replace(middle=place)
        if _is_clear(beside_roof.box, obstacles, room):
            return beside_roof
    return on_roof


def _place_label(
    pen: SvgPen, label: Label, field: Battlefield, obstacles: Sequence[Rectangle], room: Rectangle
) -> PlacedWords:
    """A label as large as possible, and then as near to its own place as possible, without covering
    anything; where there is no such place, as on the sheet."""
    face, size, track = LETTERING[label.style]
    ink = pen.inks.ink
    if label.style == "water":
        ink = pen.inks.water_edge
    place = pen.on_paper(label.at)
    as_on_sheet = PlacedWords(
        label.text, face, size, track=track, middle=place, turn=label.turn, ink=ink
    )
    water = _water_of(pen, label, field)
    x, y = as_on_sheet.middle
    times_larger = _TIMES_LARGER[label.style]
    while times_larger >= _LEAST_TIMES_LARGER:
        words = as_on_sheet._replace(
            size=size * times_larger, track=track * times_larger * _TRACK_OF_LARGE
        )
        for dx, dy in _WAYS_TO_TRY:
            moved = words._replace(middle=(x + dx, y + dy))
            is_clear = _is_clear(moved.box, obstacles, room)
            if is_clear and (water is None or moved.is_within(water)):
                return moved
        times_larger -= _SHRINK_STEP
    return as_on_sheet


def _water_of(pen: SvgPen, label: Label, field: Battlefield) -> list[PaperPoint] | None:
    """The outline of the water that a label names and must not leave; None for any other label."""
    if label.style != "water":
        return None
    for area in field.areas:
        if area.kind in ("sea", "marsh") and plane.inside(label.at, area.outline):
            return [pen.on_paper(point) for point in area.outline]
    # A river is a line and no area: its label may stand beside it.
    return None


def _is_clear(box: Rectangle, obstacles: Sequence[Rectangle], room: Rectangle) -> bool:
    """Whether words in that box cover nothing and stand within the picture."""
    return box.within(room) and not any(box.overlaps(obstacle) for obstacle in obstacles)


def _ways_to_try() -> list[PaperPoint]:
    """The ways in points from a word's own place to all that are tried, the shortest first."""
    steps = range(-_FARTHEST, _FARTHEST + 1)
    ways = [(across * _STRIDE, upward * _STRIDE) for across in steps for upward in steps]
    return sorted(ways, key=lambda way: math.hypot(*way))


_WAYS_TO_TRY = _ways_to_try()
