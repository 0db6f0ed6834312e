"""Typed lines that lay a feature on the map: ``road 0,30 96,30``, ``house 30,20 5x3.5 turn 45``.
The first word of such a line says which feature it is. Begin with ``laid_feature``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, cast, get_args

from msgspec.structs import replace

from skirmish.games.plastic.workshop.draft import EditError
from skirmish.games.plastic.workshop.typed_line import TypedLine, number_reader, size_of
from skirmish.tabletop import map_motions, plane
from skirmish.tabletop.battlefield import (
    Area,
    AreaKind,
    Arrow,
    Building,
    BuildingKind,
    Circle,
    Dimension,
    Label,
    LabelStyle,
    Line,
    LineKind,
    MapMark,
    MapPart,
    MarkKind,
    Slope,
    Zone,
)
from skirmish.tabletop.plane import Point

AREAS, LINES = get_args(AreaKind), get_args(LineKind)
BUILDINGS, LABEL_STYLES = get_args(BuildingKind), get_args(LabelStyle)


def _marks_by_verb() -> dict[str, str]:
    """The kinds of marks by the words that lay them: each by its own name, except for ``entry``. A
    line that begins with "entry" is the command that says how a contingent enters."""
    marks = {kind: kind for kind in get_args(MarkKind)}
    marks["entry_point"] = marks.pop("entry")
    return marks


MARKS = _marks_by_verb()
"""The kinds of marks by the words that lay them."""
USUAL_BUILDING_SIZE = (5.0, 3.5)
"""The length and depth in inches of a building whose line names no size."""
# A digit, and an x somewhere behind it; ``size_of`` says what is wrong with the rest.
_SIZE_BEGINS = re.compile("[0-9].*x")
CREST_SHARE = 0.55
"""The distance of a hill's crest from its middle, as a share of the distance of its foot."""


class LaidFeature(NamedTuple):
    """A feature that a line lays."""

    part: MapPart
    is_unnumbered: bool = False
    """Whether it is a building that is to have no number. The part alone cannot say so, since a
    building without a number gets the next free one when it is added to a map."""


def laid_feature(line: TypedLine, verb: str) -> LaidFeature:
    """The feature that a line lays, by its first word, which is one of ``FEATURE_VERBS``. Raises
    EditError."""
    if verb in BUILDINGS:
        return _building(line, verb)
    if verb in LINES:
        return LaidFeature(_line(line, cast("LineKind", verb)))
    if verb in AREAS:
        return LaidFeature(_area(line, cast("AreaKind", verb)))
    if verb in MARKS:
        return LaidFeature(_mark(line, MARKS[verb]))
    read_part = OTHER_FEATURES[verb]
    return LaidFeature(read_part(line))


def _line(line: TypedLine, kind: LineKind) -> Line:
    """``road 0,30 96,30 curve width 2``"""
    points = line.points(2)
    options = line.options("curve", width=number_reader("The width"))
    return Line(kind=kind, points=points, **options)


def _area(line: TypedLine, kind: AreaKind) -> Area:
    """``field 0,0 12,0 12,12 angle 30``"""
    points = line.points(3)
    options = line.options("curve", angle=number_reader("The angle"))
    return Area(kind=kind, points=points, **options)


def _building_number(line: TypedLine) -> int:
    """The next word as the number of a building."""
    return line.whole_number("The number")


def _mark_letters(line: TypedLine) -> str:
    """The next word as the letters of a mark."""
    return line.next("The mark")


def _building(line: TypedLine, kind: str) -> LaidFeature:
    """``house 30,20 5x3.5 turn 45 number 7``"""
    place = line.point()
    size = USUAL_BUILDING_SIZE
    # The size may be left out: then the next word, if there is one, is an option.
    if line.words and _SIZE_BEGINS.match(line.words[0]):
        size = size_of(line.next("The size"))
    options = line.options(
        "unnumbered",
        turn=number_reader("The turn"),
        number=_building_number,
    )
    is_unnumbered = options.pop("unnumbered", False)
    building = Building(kind=kind, at=place, size=size, **options)  # type: ignore[arg-type]
    return LaidFeature(building, is_unnumbered)


def _mark(line: TypedLine, kind: str) -> MapMark:
    """``tank 30,20 german facing 90``"""
    place = line.point()
    side = None
    if line.next_is_one_of([side.id for side in line.scenario.sides]):
        side = line.side()
    options = line.options(
        facing=number_reader("The facing"),
        mark=_mark_letters,
    )
    return MapMark(kind=kind, at=place, side=side, **options)  # type: ignore[arg-type]


def _hill(line: TypedLine) -> Slope:
    """``hill 20,20 30,20 25,30``: its foot."""
    foot = line.points(3)
    line.options()  # refuses anything behind the places
    return hill_of(foot)


def hill_of(foot: Sequence[Point]) -> Slope:
    """A hill with this foot. Its crest has the same shape, and is about half as large."""
    middle_x, middle_y = plane.average(foot)
    crest = []
    for x, y in foot:
        crest_x = middle_x + (x - middle_x) * CREST_SHARE
        crest_y = middle_y + (y - middle_y) * CREST_SHARE
        crest.append((round(crest_x, 1), round(crest_y, 1)))
    return Slope(crest=tuple(crest), foot=tuple(foot), ring=True)


def _slope(line: TypedLine) -> Slope:
    """``slope 0,30 40,30 foot 0,25 40,25``"""
    crest = line.points(2)
    if line.next("foot with its places").casefold() != "foot":
        raise EditError("After the places of the crest comes foot with its places.")
    foot = line.points(2)
    return Slope(crest=crest, foot=foot, **line.options("ring"))


def _zone(line: TypedLine) -> Zone:
    """``zone A german 0,0 12,0 12,12 0,12 edge``"""
    letter = line.next("The letter of the zone").upper()
    side = line.side()
    points = line.points(3)
    options = line.options("edge", tag=TypedLine.point)
    zone = Zone(letter=letter, side=side, points=points)
    # The word ``edge`` is short for a filling of that name.
    has_edge_fill = options.pop("edge", False)
    if has_edge_fill:
        options["fill"] = "edge"
    # The letter of a zone stands at its tag: in its middle, unless the line says otherwise.
    options.setdefault("tag", map_motions.middle(zone))
    return replace(zone, **options)


def _arrow(line: TypedLine) -> Arrow:
    """``arrow german 0,30 10,30``"""
    side = line.side()
    points = line.points(2)
    return Arrow(side=side, points=points, **line.options("curve"))


def _distance(line: TypedLine) -> Dimension:
    """``distance 0,30 12,30 "no closer than a foot" at_most``"""
    start, end, *others = line.points(2)
    if others:
        raise EditError(f"A distance has two places, not {len(others) + 2}.")
    # What these say of a distance stands at the fields of ``Dimension``.
    flags = ("at_most", "ours", "line")
    means = ""
    # What it means may be left out; any word that is no option is taken for it.
    if line.words and not line.next_is_one_of([*flags, "off"]):
        means = line.words.pop(0)
    options = line.options(*flags, off=TypedLine.point)
    return Dimension(start=start, end=end, means=means, **options)


def _circle(line: TypedLine) -> Circle:
    """``circle 30,20 6 german``"""
    place = line.point()
    radius = line.number("The radius")
    side = None
    if line.words:
        side = line.side()
    return Circle(at=place, radius=radius, side=side)


def _name(line: TypedLine) -> Label:
    """``name "The mill" 30,20 feature turn 45``"""
    text = line.next("The name")
    place = line.point()
    style = "minor"
    if line.next_is_one_of(LABEL_STYLES):
        style = line.words.pop(0).casefold()
    options = line.options(turn=number_reader("The turn"))
    return Label(text=text, at=place, style=style, **options)  # type: ignore[arg-type]


ReadPart: TypeAlias = Callable[[TypedLine], MapPart]
"""Reads the rest of a line, behind its first word, as a part of the map."""
OTHER_FEATURES: dict[str, ReadPart] = {
    "hill": _hill,
    "slope": _slope,
    "zone": _zone,
    "arrow": _arrow,
    "distance": _distance,
    "circle": _circle,
    "name": _name,
}
"""The readers of features whose first word is not a kind of lines, areas, buildings or marks."""
FEATURE_VERBS = (*OTHER_FEATURES, *AREAS, *LINES, *BUILDINGS, *MARKS)
"""The first words of lines that lay a feature."""
