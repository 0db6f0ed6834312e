"""Finds places for the labels on the map of a dealt battle: in the open, beside what they name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from skirmish.games.plastic.dealing.map_obstacles import (
    HalfInches,
    box_around,
    drawn_lines,
    edges_of_ground,
    goes_through,
    standing_on,
)
from skirmish.games.plastic.dealing.names import PlaceNames
from skirmish.games.plastic.dealing.squares import AttackFrame
from skirmish.games.plastic.dealing.table import LaidTable, Raw
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point, Rectangle

POINTS_AN_INCH = 3.4
"""Printer's points for an inch of the table. The smallest print of a map is 1 : 20, where it is
3.6; a little less leaves some room."""
WIDEST_TABLE = 96
"""Inches of a table that is printed at that scale; larger ones are printed smaller."""

LabelStyle: TypeAlias = Literal["town", "feature", "water", "minor"]
"""What a label names, as the map's file has it: the village, the hill, the river, or a smaller
thing."""


class LabelLetters(NamedTuple):
    """The letters of a label."""

    size: float
    """In printer's points."""
    width: float
    """The usual width of a letter, as a part of its size."""


STYLES: dict[LabelStyle, LabelLetters] = {
    "town": LabelLetters(9.5, 0.46),
    "feature": LabelLetters(8.0, 0.43),
    "water": LabelLetters(10.0, 0.53),
    "minor": LabelLetters(7.2, 0.49),
}
BASELINE = 0.28
"""How far the line that a label stands on is below its middle, in parts of its height."""
LABEL_ROOM, LINE_ROOM = 1.0, 0.8
"""Inches round another label and a line that a label keeps clear of."""
EDGE_ROOM = 2.2
"""Inches along the edges of the table that stay free of labels."""
END_OF_ROAD = 5
"""Inches from an edge within which a road has no room for the name of where it leads."""
LABEL_ENDS, LINE_HEIGHT = 4, 1.25
"""How much wider a label is than its letters, in printer's points; and its height, as a multiple of
the size of its letters."""
SIZE_IN_BOOK = 0.75
"""In the book a label covers this part of the inches of the table that it covers on the sheet: the
map of the book is larger, and its letters are not."""
NEAREST, FARTHEST = 2, 26
"""How far from its thing a name stands, in inches: the nearest place is tried first."""
BELONGS_WITHIN: dict[LabelStyle, int] = {"town": 14, "feature": 14, "water": 8, "minor": 9}
"""Inches up to which a name is seen to belong to its thing. Within this distance a place over the
edge of a field or wood is better than one farther off in the open."""
TO_THE_SIDE, UPWARD = 1.25, 0.9
"""By what a distance from a thing is multiplied to its side, and above and below it: words are
wide, so they stand farther off to the side."""
DIRECTIONS = 16
"""Places that are tried all round a thing at each distance."""


class WantedLabel(NamedTuple):
    """A label before it has a place."""

    text: str
    style: LabelStyle
    places: Sequence[Point]
    """Places of what it names, along and across the attack: it may stand beside any of them."""


def place_labels(table: LaidTable, names: PlaceNames, map_parts: Raw) -> list[Raw]:
    """The labels of the map with these parts, the most important first; one without a free place is
    left out."""
    return LabelPlacer(table.frame, map_parts).place(_wanted(table, names))


def _wanted(table: LaidTable, names: PlaceNames) -> Iterator[WantedLabel]:
    """The labels that the map is to have, the most important first."""
    if table.village is not None and table.houses:
        yield WantedLabel(names.village, "town", [plane.average(table.houses)])
    if table.water and table.water_width > 0:
        # Near the edges of the table before its middle, where most of the battle is.
        eighths = (1, 7, 2, 6, 3, 5)
        places = []
        for eighth in eighths:
            index_of_place = len(table.water) * eighth // 8
            places.append(table.water[index_of_place])
        yield WantedLabel(names.water, "water", places)
    if table.hills:
        # There is one name for a height: the hill that was laid first has it.
        yield WantedLabel(names.height, "feature", [table.hills[0]])
    inner = []
    for place in table.main_road:
        along, _ = place
        if END_OF_ROAD < along < table.frame.length - END_OF_ROAD:
            inner.append(place)
    if inner:
        # A main road begins at the attackers' edge.
        yield WantedLabel(f"to {names.town_ahead}", "minor", [inner[-1]])
        yield WantedLabel(f"to {names.town_behind_attackers}", "minor", [inner[0]])
    for crossing in table.crossings:
        if crossing.is_ford:
            yield WantedLabel("ford", "minor", [crossing.place])


class LabelSize(NamedTuple):
    """What a label takes of the map, in inches: ``wide`` across it, ``tall`` upward."""

    wide: float
    tall: float


class LabelPlacer:
    """Finds room for labels on a map, one after the other."""

    def __init__(self, frame: AttackFrame, map_parts: Raw) -> None:
        self._frame = frame
        times_smaller = max(frame.width, frame.depth) / WIDEST_TABLE
        self._points_an_inch = POINTS_AN_INCH / max(times_smaller, 1.0)
        self._drawn = drawn_lines(map_parts)
        """The lines that no label may cross."""
        self._all_lines = self._drawn | edges_of_ground(map_parts)
        """The same with the edges of fields and woods, which a label crosses only if need be."""
        self._standing = standing_on(map_parts)
        """The rectangles of what is no label; they are the same on the sheet and in the book."""
        self._taken: list[Rectangle] = []
        """The room of the labels that have their places on the sheet."""
        self._taken_upright: list[Rectangle] = []
        """The room of the labels that have their places in the book. There the map is turned
        upright, but its words stand level: they have places of their own."""
        self._named_middles: list[Point] = []
        """The middles of the village and the hill, once their labels have been dealt with, even if
        they have found no room: a name beside the village would still be taken for its name."""

    def place(self, wanted: Iterable[WantedLabel]) -> list[Raw]:
        """Each label at the nearest free place; one without a free place is left out."""
        labels = []
        for label in wanted:
            placed = self._place_label(label)
            if placed is not None:
                labels.append(placed)
            if label.style in ("town", "feature"):
                self._named_middles += [self._frame.on_map(place) for place in label.places]
        return labels

    def _place_label(self, label: WantedLabel) -> Raw | None:
        """A label at the nearest free place of the sheet and at that of the book, which are taken
        from then on; None if there is no free place on one of them."""
        size = self._size_of(label)
        centre = self._free_centre(label, size, self._taken)
        if centre is None:
            return None
        self._taken.append(box_around(centre, *size).grown(LABEL_ROOM))
        # A label stands on its line, which is lower than its middle.
        x, y = centre
        placed: Raw = {
            "text": label.text,
            "at": [round(x, 1), round(y - size.tall * BASELINE, 1)],
            "style": label.style,
        }
        is_turned_in_book = self._frame.width > self._frame.depth
        if is_turned_in_book:
            upright_place = self._place_in_book(label, size)
            if upright_place is None:
                # The place on the sheet stays taken although nothing stands there, and another
                # label may be left out for that. If it were given back, codes would deal other
                # maps than before.
                return None
            placed["upright"] = {"at": upright_place}
        return placed

    def _size_of(self, label: WantedLabel) -> LabelSize:
        """The size of a label on the sheet."""
        style = STYLES[label.style]
        width_in_points = len(label.text) * style.size * style.width + LABEL_ENDS
        height_in_points = style.size * LINE_HEIGHT
        return LabelSize(
            width_in_points / self._points_an_inch, height_in_points / self._points_an_inch
        )

    def _place_in_book(self, label: WantedLabel, size: LabelSize) -> list[float] | None:
        """The place of a label on the upright map of the book, which is taken from then on; None if
        there is no free one. The place is given as one of the map on the sheet. There the label
        would stand on end, since what is to the right on the sheet is above in the book."""
        on_end = LabelSize(wide=size.tall * SIZE_IN_BOOK, tall=size.wide * SIZE_IN_BOOK)
        centre = self._free_centre(label, on_end, self._taken_upright)
        if centre is None:
            return None
        self._taken_upright.append(box_around(centre, *on_end).grown(LABEL_ROOM))
        x, y = centre
        # What is below the middle of a label in the book is left of it on the sheet.
        return [round(x - on_end.wide * BASELINE, 1), round(y, 1)]

    def _free_centre(
        self, label: WantedLabel, size: LabelSize, taken: Sequence[Rectangle]
    ) -> Point | None:
        """The best free place for the middle of a label: near its thing in the open, or else near
        it over the edge of a field or wood, or else far from it in the open. The name of the
        village may even stand far off over such an edge, as it must not be missing. A misleading
        place is taken only if all free ones are."""
        all_lines = self._all_lines
        near = range(NEAREST, BELONGS_WITHIN[label.style])
        far = range(BELONGS_WITHIN[label.style], FARTHEST)
        # The lines that a label must not cross, and its distances from its thing: the best pair
        # comes first.
        choices = [(all_lines, near)]
        # Not the name of a river: where the features of a map are numbered, the number of the river
        # stands beside it and needs the room over such an edge.
        if label.style != "water":
            choices.append((self._drawn, near))
        choices.append((all_lines, far))
        if label.style == "town":
            choices.append((self._drawn, far))
        misleading: Point | None = None
        for lines, reaches in choices:
            for centre in self._centres(label.places, reaches):
                if not self._is_free(box_around(centre, *size), taken, lines):
                    continue
                if not self._is_misleading(label, centre):
                    return centre
                if misleading is None:
                    misleading = centre
        return misleading

    def _is_misleading(self, label: WantedLabel, centre: Point) -> bool:
        """Whether the name of a hill would be taken there for that of the village, since it stands
        nearer to the village than to its hill."""
        if label.style != "feature":
            return False
        to_own_hill = min(math.dist(centre, self._frame.on_map(place)) for place in label.places)
        return any(math.dist(centre, place) < to_own_hill for place in self._named_middles)

    def _centres(self, places: Sequence[Point], reaches: range) -> Iterator[Point]:
        """Places of the map for the middle of a label at these distances, the nearest first."""
        for reach in reaches:
            for place in places:
                x, y = self._frame.on_map(place)
                for direction in range(DIRECTIONS):
                    # From the top, counterclockwise.
                    angle = 2 * math.pi * direction / DIRECTIONS + math.pi / 2
                    yield (
                        x + reach * TO_THE_SIDE * math.cos(angle),
                        y + reach * UPWARD * math.sin(angle),
                    )

    def _is_free(self, box: Rectangle, taken: Sequence[Rectangle], lines: HalfInches) -> bool:
        """Whether a label fits into a box: on the map, clear of what is standing there, of the room
        that other labels have ``taken``, and of these lines."""
        right, top = self._frame.width - EDGE_ROOM, self._frame.depth - EDGE_ROOM
        if not box.within(Rectangle(EDGE_ROOM, EDGE_ROOM, right, top)):
            return False
        if any(box.overlaps(occupied) for occupied in (*self._standing, *taken)):
            return False
        return not goes_through(lines, box.grown(LINE_ROOM))
