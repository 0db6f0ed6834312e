"""Names of places, and where on the map they stand: in the open, beside what they name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from skirmish.games.plastic.dealing.ground import DealtGround
from skirmish.games.plastic.dealing.squares import AttackFrame, Ground
from skirmish.games.plastic.dealing.themes import Region
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point, Rectangle

# The smallest print of a map is 1 : 20 of the table, where an inch of the table is 3.6 points.
POINTS_AN_INCH = 3.4
WIDEST_TABLE = 96
"""Inches of a table that is printed at that scale; larger ones are printed smaller."""
SIZES = {"town": (9.5, 0.62), "feature": (8.0, 0.66), "water": (10.0, 0.74), "minor": (7.2, 0.52)}
"""By style of a label: its size in points, and how wide a letter is for that."""
BASELINE = 0.28
"""How far the line that a label stands on is below its middle, in parts of its height."""
LETTER = 3.6
"""Inches round the middle of a zone's letter that are to be free."""
NEAR, FAR = 2.0, 26.0
"""How far from its thing a name stands, in inches: the nearest place is tried first."""

Raw = dict[str, Any]


class PlaceNames:
    """The names of one table: no two alike, and none that a place of the region is called by in
    the books."""

    def __init__(self, region: Region, chance: Random) -> None:
        self.village = chance.choice(region.villages)
        # A stream is often called after its village, but two names alike puzzle the players.
        waters = [water for water in region.waters if water not in self.village]
        self.water = chance.choice([water for water in waters if water != self.village])
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
            "town": self.towns[1],
        }


def lettered(ground: DealtGround, lower: Point, upper: Point) -> Point:
    """A place for the letter of a zone between two corners: the freest of some at its front."""
    taken = ~(Ground.FIELD | Ground.CLEAR)
    best = (lower[0] + 3, (lower[1] + upper[1]) / 2)
    fewest = math.inf
    for along in (lower[0] + 3.5, lower[0] + 6.5):
        for across in range(int(lower[1]) + 4, int(upper[1]) - 3, 3):
            disc = ground.squares.near([(along, across), (along + 0.1, across)], LETTER)
            covered = sum(1 for place in disc if ground.squares.ground(place) & taken)
            # Houses have numbers of their own.
            if not ground.squares.are_free(disc, Ground.HOUSE):
                covered += len(disc)
            if covered < fewest:
                best, fewest = (along, float(across)), covered
    return best


def place_labels(
    frame: AttackFrame, ground: DealtGround, names: PlaceNames, field: Mapping[str, Any]
) -> list[Raw]:
    """The labels of the map, the most important first; one without a free place is left out."""
    return _Labels(frame, field).placed(_wanted(frame, ground, names))


def _wanted(
    frame: AttackFrame, ground: DealtGround, names: PlaceNames
) -> Iterator[tuple[str, str, Sequence[Point]]]:
    """Each label's text and style, and the places that it may stand beside."""
    if ground.village is not None and ground.houses:
        yield names.village, "town", [_middle(ground.houses)]
    if ground.water and ground.water_wide:
        parts = [ground.water[len(ground.water) * part // 8] for part in (1, 7, 2, 6, 3, 5)]
        yield names.water, "water", parts
    if ground.hills:
        yield names.height, "feature", [ground.hills[0]]
    if ground.main_road:
        length = frame.length
        inner = [place for place in ground.main_road if 5 < place[0] < length - 5]
        if inner:
            yield f"to {names.towns[1]}", "minor", [inner[-1]]
            yield f"to {names.towns[0]}", "minor", [inner[0]]
    for crossing in ground.crossings:
        if crossing.is_ford:
            yield "ford", "minor", [crossing.place]


def _middle(places: Sequence[Point]) -> Point:
    return (
        sum(along for along, _ in places) / len(places),
        sum(across for _, across in places) / len(places),
    )


class _Labels:
    """What already stands on the map, as rectangles and lines in inches of the map, and the room
    between."""

    def __init__(self, frame: AttackFrame, field: Mapping[str, Any]) -> None:
        self._frame = frame
        smaller = max(frame.width, frame.depth) / WIDEST_TABLE
        self._inch = POINTS_AN_INCH / max(smaller, 1.0)
        self._drawn: set[tuple[int, int]] = set()
        self._taken: list[Rectangle] = []
        # In the book the map is turned upright and its words stand level all the same.
        self._taken_upright: list[Rectangle] = []
        self._note_ground(field)
        self._note_what_stands(field)

    def _note_ground(self, field: Mapping[str, Any]) -> None:
        """Note all that is drawn as lines: outlines, roads, slopes, zones, arrows, rings."""
        for kind in ("area", "zone"):
            for part in field.get(kind, []):
                self._add_run(part, closed=True)
        for kind in ("arrow", "line"):
            for part in field.get(kind, []):
                self._add_run(part, closed=False)
        for slope in field.get("slope", []):
            is_ring = slope.get("ring", False)
            for edge in ("crest", "foot"):
                points = [tuple(point) for point in slope[edge]]
                self._draw(plane.curved(points, closed=is_ring))
        for dimension in field.get("dimension", []):
            self._draw([tuple(dimension["start"]), tuple(dimension["end"])])
        for circle in field.get("circle", []):
            self._draw(plane.ring(tuple(circle["at"]), circle["radius"]))

    def _note_what_stands(self, field: Mapping[str, Any]) -> None:
        """Note the rectangles of houses, pieces, and the letters and numbers of the map."""
        for building in field.get("building", []):
            long, deep = building["size"]
            outline = plane.oblong(building["at"], long, deep, building["turn"])
            self._taken.append(plane.box(outline).grown(0.8))
        for mark in field.get("mark", []):
            self._taken.append(_square(mark["at"], 2.6))
        for zone in field.get("zone", []):
            self._taken.append(_square(zone["tag"], 2.4))
        for dimension in field.get("dimension", []):
            middle = _middle([tuple(dimension["start"]), tuple(dimension["end"])])
            self._taken.append(_box(middle, 10, 6))

    def _draw(self, run: Sequence[Point]) -> None:
        """Note the half inches that a line goes through."""
        for station in plane.stations(run, 0.4):
            self._drawn.add((int(station.at[0] * 2), int(station.at[1] * 2)))

    def _add_run(self, part: Raw, *, closed: bool) -> None:
        points = [tuple(point) for point in part["points"]]
        curve = part.get("curve", False)
        run: list[Point] = points
        if curve is True:
            run = plane.curved(points, closed=closed)
        if closed:
            run = [*run, run[0]]
        self._draw(run)

    def placed(self, wanted: Iterator[tuple[str, str, Sequence[Point]]]) -> list[Raw]:
        """Each label at the nearest free place."""
        labels = []
        for text, style, places in wanted:
            label = self._place(text, style, places)
            if label is not None:
                labels.append(label)
        return labels

    def _place(self, text: str, style: str, places: Sequence[Point]) -> Raw | None:
        size, letter = SIZES[style]
        wide = (len(text) * size * letter + 4) / self._inch
        tall = size * 1.25 / self._inch
        for reach in range(int(NEAR), int(FAR)):
            for place in places:
                x, y = self._frame.on_map(place)
                for step in range(16):
                    angle = 2 * math.pi * step / 16 + math.pi / 2
                    centre = (
                        x + reach * 1.25 * math.cos(angle),
                        y + reach * 0.9 * math.sin(angle),
                    )
                    box = _box(centre, wide, tall)
                    upright = _box(centre, tall, wide)
                    if self._is_free(box, upright):
                        self._taken.append(box.grown(1.0))
                        self._taken_upright.append(upright.grown(1.0))
                        # A label stands on its line, which is lower than its middle.
                        lower = centre[1] - tall * BASELINE
                        line_start = [round(centre[0], 1), round(lower, 1)]
                        return {"text": text, "at": line_start, "style": style}
        return None

    def _is_free(self, box: Rectangle, upright: Rectangle) -> bool:
        table = Rectangle(2.2, 2.2, self._frame.width - 2.2, self._frame.depth - 2.2)
        if not box.within(table):
            return False
        if any(box.touches(taken) for taken in self._taken):
            return False
        if any(upright.touches(taken) for taken in self._taken_upright):
            return False
        wider = box.grown(0.8)
        for x in range(int(wider.left * 2), int(wider.right * 2) + 1):
            for y in range(int(wider.bottom * 2), int(wider.top * 2) + 1):
                if (x, y) in self._drawn:
                    return False
        return True


def _box(centre: Point, wide: float, tall: float) -> Rectangle:
    x, y = centre
    return Rectangle(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)


def _square(place: Sequence[float], half: float) -> Rectangle:
    x, y = place
    return Rectangle(x - half, y - half, x + half, y + half)
