"""Names of places, and where on the map they stand: in the open, beside what they name."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from skirmish.games.plastic.dealing.squares import AttackFrame, Surface
from skirmish.games.plastic.dealing.table import LaidTable
from skirmish.games.plastic.dealing.themes import Region
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point, Rectangle

POINTS_AN_INCH = 3.4
"""Printer's points for an inch of the table. The smallest print of a map is 1 : 20, where it is
3.6; a little less leaves some room."""
WIDEST_TABLE = 96
"""Inches of a table that is printed at that scale; larger ones are printed smaller."""


class LabelLetters(NamedTuple):
    """The size of a label in printer's points, and how wide a letter is in parts of it."""

    size: float
    letter: float


STYLES = {
    "town": LabelLetters(9.5, 0.46),
    "feature": LabelLetters(8.0, 0.43),
    "water": LabelLetters(10.0, 0.53),
    "minor": LabelLetters(7.2, 0.49),
}
"""By the style of a label."""
BASELINE = 0.28
"""How far the line that a label stands on is below its middle, in parts of its height."""
COVERS_A_HOUSE = 1000
"""What covering a house counts: more than all squares of a letter."""
LETTER_ROOM = 3.6
"""Inches round the middle of a zone's letter that are to be free."""
HOUSE_ROOM, LABEL_ROOM, LINE_ROOM = 0.8, 1.0, 0.8
"""Inches round a house, another label and a line that a label keeps clear of."""
PIECE_HALF, LETTER_HALF = 2.6, 2.4
"""Half the height of the square that a piece takes, and the letter of a zone."""
EDGE_ROOM = 2.2
"""Inches along the edges of the table that stay free of labels."""
ROAD_LEAVES = 5
"""Inches from an edge within which a road has no room for the name of where it leads."""
LABEL_ENDS, LINE_HEIGHT = 4, 1.25
"""What a label takes beyond its letters, in printer's points; and its height, in parts of its
size."""
IN_THE_BOOK = 0.75
"""How much smaller a label is in the book, in inches of the table: the map is larger there."""
NEAREST, FARTHEST = 2, 26
"""How far from its thing a name stands, in inches: the nearest place is tried first."""
NEAR = {"town": 14, "feature": 14, "water": 8, "minor": 9}
"""Inches up to which a name is seen to belong to its thing. Within this distance a place over the
edge of a field or wood is better than one farther off in the open."""
DIRECTIONS = 16
"""Places that are tried all round a thing at each distance."""
TO_HALF_INCHES = 2
"""What is drawn on a map is noted by half inches."""

ZONE_EDGE = 2.5
"""Inches inside a zone from which on its letter stands clear of the outline, at the least."""
FRONT_ROWS = (3.5, 6.5)
"""Inches behind the front of a zone: the two rows in which its letter is tried first."""
FRONT_STEP = 3
"""Inches from one place of such a row to the next."""

Raw = dict[str, Any]
"""A map, or a part of one, as the table of a file. Its keys are the fields of the types in
``skirmish.tabletop.battlefield``: ``Battlefield``, ``Area``, ``Building``, ``Zone`` and so on."""


class PlaceNames:
    """The names of the places of one table, no two alike: of those that the region has, which are
    ordinary ones, and none of a place that is known for its battle."""

    def __init__(self, region: Region, chance: Random) -> None:
        self.village = chance.choice(region.villages)
        # A village is often called after its stream, but two names alike puzzle the players.
        waters = [water for water in region.waters if water not in self.village]
        self.water = chance.choice(waters)
        self.height = chance.choice(region.heights)
        towns = list(region.towns)
        chance.shuffle(towns)
        self.towns = towns[:2]

    def words(self) -> dict[str, str]:
        """The names by the words that stand for them in a theme's sentences."""
        return {
            "village": self.village,
            "water": self.water,
            "height": self.height,
            "town": self.towns[1],  # whither the road leads; the first is whence it comes
        }


class WantedLabel(NamedTuple):
    """A label before it has a place: its text, its style, and the places of the table, along and
    across the attack, that it may stand beside."""

    text: str
    style: str
    beside: Sequence[Point]


def place_for_letter(table: LaidTable, lower: Point, upper: Point) -> Point:
    """A place for the letter of a zone between two corners: the one at its front that covers least.
    Where each of these covers a house, which has a number of its own, one anywhere in the zone; and
    where the zone is full of houses, one beside it."""
    # The middle of the front, in case that the zone is too small for any place inside.
    freest: Point = (lower[0] + 3, (lower[1] + upper[1]) / 2)
    fewest = math.inf
    at_front = _front_of_zone(lower, upper)
    inside = _inside_zone(lower, upper)
    beside = _around_zone(table.frame, lower, upper)
    for places in (at_front, inside, beside):
        for place in places:
            covered = _covered_by_letter(table, place)
            if covered < fewest:
                freest, fewest = place, covered
        if fewest < COVERS_A_HOUSE:
            break
    return freest


def _front_of_zone(lower: Point, upper: Point) -> Iterator[Point]:
    """Places in the two rows at the front of a zone, some inches from its sides."""
    for row in FRONT_ROWS:
        for across in range(int(lower[1]) + 4, int(upper[1]) - 3, FRONT_STEP):
            yield lower[0] + row, across


def _inside_zone(lower: Point, upper: Point) -> Iterator[Point]:
    """Places at every inch of a zone, some inches inside its outline."""
    rows = int(upper[0] - lower[0]) - 4
    for row in range(rows):
        for across in range(int(lower[1]) + 3, int(upper[1]) - 2):
            yield lower[0] + ZONE_EDGE + row, across


def _around_zone(frame: AttackFrame, lower: Point, upper: Point) -> Iterator[Point]:
    """Places just outside a zone and well inside the table, those before its front first."""
    for along in (lower[0] - LETTER_ROOM, upper[0] + LETTER_ROOM):
        for across in range(int(lower[1]), int(upper[1]) + 1):
            if LETTER_ROOM <= along <= frame.length - LETTER_ROOM:
                yield along, across


def _covered_by_letter(table: LaidTable, place: Point) -> int:
    """How much a letter there would cover."""
    along, across = place
    # ``near`` wants a line; one of a tenth of an inch has a disc around it.
    disc = table.squares.near([(along, across), (along + 0.1, across)], LETTER_ROOM)
    covered = 0
    for square in disc:
        # Fields, and what is kept open, are as good as bare ground.
        if table.squares.surface_at(square) & ~(Surface.FIELD | Surface.KEPT_OPEN):
            covered += 1
    if not table.squares.are_free_of(Surface.HOUSE, disc):
        covered += COVERS_A_HOUSE
    return covered


def place_labels(table: LaidTable, names: PlaceNames, field: Mapping[str, Any]) -> list[Raw]:
    """The labels of the map ``field``, the most important first; one without a free place is left
    out."""
    labels = _Labels(table.frame, field)
    return labels.placed(_wanted(table, names))


def _wanted(table: LaidTable, names: PlaceNames) -> Iterator[WantedLabel]:
    """The labels that the map is to have, the most important first."""
    if table.village is not None and table.houses:
        yield WantedLabel(names.village, "town", [_middle(table.houses)])
    if table.water and table.water_width:
        # Near the edges of the table before its middle, where most of the battle is.
        eighths = (1, 7, 2, 6, 3, 5)
        beside = [table.water[len(table.water) * eighth // 8] for eighth in eighths]
        yield WantedLabel(names.water, "water", beside)
    if table.hills:
        yield WantedLabel(names.height, "feature", [table.hills[0]])
    inner = []
    for place in table.main_road:
        if ROAD_LEAVES < place[0] < table.frame.length - ROAD_LEAVES:
            inner.append(place)
    if inner:
        yield WantedLabel(f"to {names.towns[1]}", "minor", [inner[-1]])
        yield WantedLabel(f"to {names.towns[0]}", "minor", [inner[0]])
    for crossing in table.crossings:
        if crossing.is_ford:
            yield WantedLabel("ford", "minor", [crossing.place])


def _middle(places: Sequence[Point]) -> Point:
    """The average of some places."""
    return (
        sum(along for along, _ in places) / len(places),
        sum(across for _, across in places) / len(places),
    )


def standing_on(field: Mapping[str, Any]) -> list[Rectangle]:
    """The rectangles of houses, pieces, and the letters and numbers of a map, in inches."""
    standing = []
    for building in field.get("building", []):
        long, deep = building["size"]
        outline = plane.oblong(building["at"], long, deep, building["turn"])
        standing.append(plane.box(outline).grown(HOUSE_ROOM))
    for mark in field.get("mark", []):
        standing.append(_square(mark["at"], PIECE_HALF))
    for zone in field.get("zone", []):
        standing.append(_square(zone["tag"], LETTER_HALF))
    for dimension in field.get("dimension", []):
        middle = _middle([tuple(dimension["start"]), tuple(dimension["end"])])
        standing.append(number_of_dimension(middle))
    return standing


def number_of_dimension(middle: Point) -> Rectangle:
    """The rectangle that the number of a distance and what it means take around its middle."""
    return _box(middle, 10, 6)


class _Labels:
    """What already stands on the map, as rectangles and lines in inches of the map, and the room
    between."""

    def __init__(self, frame: AttackFrame, field: Mapping[str, Any]) -> None:
        self._frame = frame
        times_smaller = max(frame.width, frame.depth) / WIDEST_TABLE
        self._points_an_inch = POINTS_AN_INCH / max(times_smaller, 1.0)
        self._drawn: set[tuple[int, int]] = set()
        """The half inches, by x and y, that a line goes through."""
        self._outlines: set[tuple[int, int]] = set()
        """The half inches that only the edge of a patch of ground goes through."""
        self._standing = standing_on(field)
        """What is no label, alike on the sheet and in the book."""
        self._taken: list[Rectangle] = []
        # In the book the map is turned upright, and its words stand level all the same: they have
        # places of their own there.
        self._taken_upright: list[Rectangle] = []
        self._named: list[Point] = []
        """The middles of the village and the hill, once their labels have been dealt with: also
        without a label of its own, a village would be taken for what a name beside it names."""
        self._note_lines(field)

    def _note_lines(self, field: Mapping[str, Any]) -> None:
        """Note all that is drawn as lines: outlines, roads, slopes, zones, arrows, rings."""
        for part in field.get("area", []):
            self._outlines |= _cells_of_part(part, closed=True)
        for part in field.get("zone", []):
            self._drawn |= _cells_of_part(part, closed=True)
        for kind in ("arrow", "line"):
            for part in field.get(kind, []):
                self._drawn |= _cells_of_part(part, closed=False)
        for slope in field.get("slope", []):
            is_ring = slope.get("ring", False)
            for edge in ("crest", "foot"):
                points = [tuple(point) for point in slope[edge]]
                self._drawn |= _cells_of_line(plane.curved(points, closed=is_ring))
        for dimension in field.get("dimension", []):
            line = [tuple(dimension["start"]), tuple(dimension["end"])]
            self._drawn |= _cells_of_line(line)
        for circle in field.get("circle", []):
            self._drawn |= _cells_of_line(plane.ring(tuple(circle["at"]), circle["radius"]))

    def placed(self, wanted: Iterable[WantedLabel]) -> list[Raw]:
        """Each label at the nearest free place."""
        labels = []
        for label in wanted:
            placed = self._place(label)
            if placed is not None:
                labels.append(placed)
            if label.style in ("town", "feature"):
                self._named += [self._frame.on_map(place) for place in label.beside]
        return labels

    def _place(self, label: WantedLabel) -> Raw | None:
        """A label at the nearest free place of the sheet and at that of the book, which are taken
        from then on; None if one of them has none."""
        style = STYLES[label.style]
        width_in_points = len(label.text) * style.size * style.letter + LABEL_ENDS
        wide = width_in_points / self._points_an_inch
        tall = style.size * LINE_HEIGHT / self._points_an_inch
        centre = self._free_centre(label, (wide, tall), self._taken)
        if centre is None:
            return None
        self._taken.append(_box(centre, wide, tall).grown(LABEL_ROOM))
        # A label stands on its line, which is lower than its middle.
        x, y = centre
        placed: Raw = {
            "text": label.text,
            "at": [round(x, 1), round(y - tall * BASELINE, 1)],
            "style": label.style,
        }
        if self._frame.width > self._frame.depth:
            in_book = (tall * IN_THE_BOOK, wide * IN_THE_BOOK)
            centre = self._free_centre(label, in_book, self._taken_upright)
            if centre is None:
                # The place on the sheet stays taken though nothing stands there. A label more may
                # be left out for that; were it given back, codes would deal other maps than before.
                return None
            x, y = centre
            # On the upright page what is right of it on the sheet is above it.
            second = [round(x - tall * IN_THE_BOOK * BASELINE, 1), round(y, 1)]
            placed["upright"] = {"at": second}
            self._taken_upright.append(_box(centre, *in_book).grown(LABEL_ROOM))
        return placed

    def _free_centre(
        self, label: WantedLabel, size: tuple[float, float], taken: Sequence[Rectangle]
    ) -> Point | None:
        """The nearest place for the middle of a label that takes so much across and upward: near
        its thing in the open, near it over the edge of a field or wood, far from it. The name of
        the village rather stands far off over such an edge than nowhere."""
        all_lines = self._drawn | self._outlines
        near = range(NEAREST, NEAR[label.style])
        far = range(NEAR[label.style], FARTHEST)
        # The lines that are kept off, and the distances, from the best to the last.
        tried = [(all_lines, near)]
        if label.style != "water":  # the number of the water needs the room beside it
            tried.append((self._drawn, near))
        tried.append((all_lines, far))
        if label.style == "town":
            tried.append((self._drawn, far))
        second_best: Point | None = None
        for lines, reaches in tried:
            for centre in self._centres(label.beside, reaches):
                if not self._is_free(_box(centre, *size), taken, lines):
                    continue
                if not self._is_misleading(label, centre):
                    return centre
                if second_best is None:
                    second_best = centre
        return second_best

    def _is_misleading(self, label: WantedLabel, centre: Point) -> bool:
        """Whether a name there would be taken for that of the village, as it stands nearer to it
        than to its own hill."""
        if label.style != "feature":
            return False
        own = min(math.dist(centre, self._frame.on_map(place)) for place in label.beside)
        return any(math.dist(centre, place) < own for place in self._named)

    def _centres(self, beside: Sequence[Point], reaches: range) -> Iterator[Point]:
        """Places of the map for the middle of a label at these distances, the nearest first. Words
        are wide, so they stand farther off to the side than above and below."""
        for reach in reaches:
            for place in beside:
                x, y = self._frame.on_map(place)
                for direction in range(DIRECTIONS):
                    # From the top, counterclockwise.
                    angle = 2 * math.pi * direction / DIRECTIONS + math.pi / 2
                    yield (
                        x + reach * 1.25 * math.cos(angle),
                        y + reach * 0.9 * math.sin(angle),
                    )

    def _is_free(
        self, box: Rectangle, taken: Sequence[Rectangle], lines: Collection[tuple[int, int]]
    ) -> bool:
        """Whether a label fits there, beside the labels that have ``taken`` their places and off
        these half inches of lines."""
        right, top = self._frame.width - EDGE_ROOM, self._frame.depth - EDGE_ROOM
        if not box.within(Rectangle(EDGE_ROOM, EDGE_ROOM, right, top)):
            return False
        if any(box.overlaps(occupied) for occupied in (*self._standing, *taken)):
            return False
        return not _goes_through(lines, box.grown(LINE_ROOM))


def _cells_of_part(part: Raw, *, closed: bool) -> set[tuple[int, int]]:
    """The half inches that the line or outline of a part goes through. ``curve`` is true for one
    that bends through all of its points, and a pair of numbers if only the corners between them
    bend, as at a shore: to a label the latter makes no difference."""
    points = [tuple(point) for point in part["points"]]
    run: list[Point] = points
    if part.get("curve") is True:
        run = plane.curved(points, closed=closed)
    if closed:
        run = [*run, run[0]]
    return _cells_of_line(run)


def _cells_of_line(run: Sequence[Point]) -> set[tuple[int, int]]:
    """The half inches that a line goes through, by x and y."""
    cells: set[tuple[int, int]] = set()
    # Closer together than half an inch, so that none is left out.
    for station in plane.stations(run, 0.4):
        x, y = station.at
        cells.add((int(x * TO_HALF_INCHES), int(y * TO_HALF_INCHES)))
    return cells


def _goes_through(lines: Collection[tuple[int, int]], box: Rectangle) -> bool:
    """Whether one of these half inches lies in a box of inches."""
    for x in range(int(box.left * TO_HALF_INCHES), int(box.right * TO_HALF_INCHES) + 1):
        for y in range(int(box.bottom * TO_HALF_INCHES), int(box.top * TO_HALF_INCHES) + 1):
            if (x, y) in lines:
                return True
    return False


def _box(centre: Point, wide: float, tall: float) -> Rectangle:
    """The rectangle of that size around its centre."""
    x, y = centre
    return Rectangle(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)


def _square(centre: Sequence[float], half: float) -> Rectangle:
    """The square with sides of twice ``half`` around its centre."""
    x, y = centre
    return Rectangle(x - half, y - half, x + half, y + half)
