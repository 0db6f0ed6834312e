"""Markers, tags and templates at true scale, never fitted to the paper. Within a drawing, numbers
without a name are points, chosen by eye; those of a picture are shares of its radius."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from skirmish import library
from skirmish.games.plastic.battle.state import PHASES
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.sheets import inks
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Cell, Flowable, Gap, NewPage, SideBySide, Stack, depth
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.text import line_width, paragraph, scaled, write
from skirmish.sheets.paper import GAP, HAIR, INCH, MM, NORMAL, THIN, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.roster.codes import CodesToGive
from skirmish.sheets.templates import (
    WORK_LENGTH,
    Foxhole,
    RingTemplate,
    Sandbags,
    StickPart,
    Sticks,
    Wire,
)
from skirmish.tabletop.measure import inches

IN_ROW, TURNS_IN_ROW, TAGS_IN_ROW = 9, 10, 11
"""How many markers, turns and tags stand in a row: as many as fit the width of either paper."""
MARKER_SIZE = 0.8 * INCH, 0.8 * INCH
TURN_SIZE = 0.72 * INCH, 0.55 * INCH
PHASE_SIZE = 1.8 * INCH, 0.8 * INCH
TAG_SIZE = 0.65 * INCH, 0.4 * INCH
"""The width and height of what is cut out or stands in the track, in points."""
RIFLES, OTHERS = 100, 6
"""The number of tags per type without an army: a full page of either paper."""
STICKS = {6: 6, 12: 6, 24: 8, 36: 9}
"""Range sticks and the length of their pieces in inches; none is longer than the paper."""
SOME_WORKS = {"entrenchment": 6, "sandbags": 2, "barbed_wire": 12}
"""How many works are printed where nobody says so: a full page."""
UNLOAD = 3
"""The distance in inches within which a vehicle's passengers are set down, and from which they get
in: "within 3in" [78]."""
# The type of the head of a page, and below it that of what is cut out.
_PAGE_TITLE = Style(TITLE, 17, 19)
_TEXT = Style(MEDIUM, 8, 9.4, ink=inks.QUIET)
_MARK = Style(MEDIUM, SMALLEST, SMALLEST, "centre")

TICK = 5.0
"""The overhang of a cut line."""
_WORD = Style(LABEL, 7.4, 7.4, "centre")
_CODE = Style(HEAD, 13, 13, "centre")
_CODE_SIZES = (13, 12, 11, 10)
"""A long code is set in the largest of these that fits its tag."""
_SMALL_WORD = Style(MEDIUM, SMALLEST, SMALLEST, "centre")
_PHASE_NAME = Style(LABEL, 10.5, 10.5)
_TRACK_NUMBER = Style(TITLE, 17, 17, "centre")


class PrintedMarker(NamedTuple):
    """A marker: its word, its ink, whether it is filled with that or tinted, and the name of its
    picture if that is not the word."""

    word: str
    ink: Ink = inks.BLACK
    solid: bool = False
    tinted: bool = False
    icon: str = ""


MARKERS = (
    (PrintedMarker("Pinned", inks.BAND, solid=True), 2 * IN_ROW),
    (PrintedMarker("Op fired", inks.ACCENT), 2 * IN_ROW),
    (PrintedMarker("Dug in", tinted=True), IN_ROW),
    (PrintedMarker("Hull down"), IN_ROW),
    (PrintedMarker("Broken", inks.ACCENT, solid=True), IN_ROW),
    # Whose turn it is: a ring and a square, as sides are hollow and solid on every sheet.
    (PrintedMarker("Turn", icon="first"), 2),
    (PrintedMarker("Turn", icon="second"), 2),
    (PrintedMarker("Aboard", tinted=True), IN_ROW - 4),
)
"""How many of each; together they fill their rows."""


def all_markers() -> list[PrintedMarker]:
    """Every marker as often as it is printed."""
    markers = []
    for marker, count in MARKERS:
        markers += [marker] * count
    return markers


@as_pdf
def markers_pdf(
    page: Leaf,
    army: Army | None = None,
    *,
    works: Mapping[str, int] | None = None,
    catalog: Catalog | None = None,
    revision: str | None = None,
) -> PdfDocument:
    """Markers to cut out, tags with the codes of ``army`` (else some of every type), range sticks
    and rings, and as many ``works`` as are named, by id, else as the army has, else some of each.
    ``revision``: what the footer says of the version.

    The document asks to be printed unscaled, and every page has a ruler to check that by.
    """
    catalog = catalog or library.catalog()
    tags = _tags(catalog, army)
    templates = _works(_needed_works(army, works), page.measure)
    # The works follow the tags if both fit one page, else they begin another: they are as long as
    # in play, so that they cannot be spread over what is left of a page.
    if templates and depth([*tags, *templates], page.measure) > page.depth:
        templates = [NewPage("Works"), *templates]
    story = [
        *_markers(catalog),
        NewPage("Tags"),
        *tags,
        *templates,
        NewPage("Range sticks"),
        *_sticks(catalog),
        NewPage("Rings"),
        *_rings(catalog),
    ]
    part = SheetPart(page, story, "Markers", "Markers and templates", GAME, revision=revision)
    return PdfDocument(f"{GAME}: markers and templates", "To cut out, at true scale", [part])


def _needed_works(army: Army | None, works: Mapping[str, int] | None) -> Mapping[str, int]:
    """How many works of each id are printed: those asked for, those of the army, or some."""
    if works is not None:
        return works
    if army is not None:
        return army.army_list.works
    return SOME_WORKS


def _markers(catalog: Catalog) -> list[Flowable]:
    """The markers to cut out, and below them the track of turns and phases that they go on."""
    last = catalog.basic_game.last_turn
    turns = [TurnMarker(turn, is_last=turn == last) for turn in range(1, last + 1)]
    phases = [PhaseMarker(number, name) for number, name in enumerate(PHASES.values(), 1)]
    text = "Print on card and cut along the thin lines. The turn markers go on the track below."
    return [
        Strip("Markers", text),
        *_rows(draw_marker, all_markers(), MARKER_SIZE, IN_ROW),
        Gap(5 * MM),
        *_rows(_turn, turns, TURN_SIZE, TURNS_IN_ROW, cut=False),
        Gap(2 * MM),
        *_rows(_phase, phases, PHASE_SIZE, len(PHASES), cut=False),
    ]


def _tags(catalog: Catalog, army: Army | None) -> list[Flowable]:
    """The tags below their heading."""
    whose = "Some of each type"
    if army:
        whose = f"The codes of {army.army_list.name}"
    text = f"{whose}, as on rosters and screen. Guys are rounded, armored models heavily framed."
    strip = Strip("Tags", text)
    rows = _rows(draw_tag, list(tags_of(catalog, army)), TAG_SIZE, TAGS_IN_ROW)
    for row in rows:
        # Where the rows go on to another page, the heading goes with them.
        row.head = strip
    return [strip, *rows]


def tags_of(catalog: Catalog, army: Army | None) -> Iterator[Tag]:
    """A tag for each piece of an army, in the ink of its nation, else some of each type."""
    ink = inks.BLACK
    if army:
        catalog, counts = army.catalog, army.fielded()
        if army.nation:
            ink = inks.NATIONS.get(army.nation.id, ink)
    else:
        counts = {unit.id: _default_count(unit) for unit in catalog.units.values()}
    for name, codes in CodesToGive(catalog).give(counts).items():
        for code in codes:
            yield Tag(code, catalog.units[name], ink)


def _default_count(unit: UnitType) -> int:
    """How many markers of a unit are printed if nobody says so."""
    # Units of a scenario are on its sheet.
    if unit.source == "scenario":
        return 0
    if "rifle_guy" in unit.tags:
        return RIFLES
    return OTHERS


def _works(counts: Mapping[str, int], width: float) -> list[Flowable]:
    """Half of the entrenchments are foxholes; wire stands beside the others, on as many pages as
    it takes. Nothing for no works."""
    wire, entrenchments = counts.get("barbed_wire", 0), counts.get("entrenchment", 0)
    # Of an odd number one more foxhole than sandbag lines.
    foxholes = entrenchments - entrenchments // 2
    sandbags = entrenchments // 2 + counts.get("sandbags", 0)
    works: list[Flowable] = []
    for _ in range(foxholes):
        works.append(Foxhole())
    for _ in range(sandbags):
        works.append(Sandbags())
    if not works and not wire:
        return []

    text = f"Each is {inches(WORK_LENGTH / INCH)} long."
    if entrenchments:
        text += " An entrenchment is a foxhole or a sandbag line."
    cells = []
    left = 0.0
    if works:
        cells.append(Cell(0, WORK_LENGTH, Stack(_spaced(works))))
        left = WORK_LENGTH + 5 * MM
    if wire:
        cells.append(Cell(left, width - left, Stack(_coils(wire, width - left))))
    strip, row = Strip("Works", text), SideBySide(cells)
    row.head = strip
    return [Gap(GAP), strip, row]


def _spaced(works: Sequence[Flowable]) -> Iterator[Flowable]:
    for work in works:
        yield work
        yield Gap(2.2)


def _coils(count: int, width: float) -> Iterator[Wire]:
    """Rows of wire, as many in a row as there is room for."""
    in_row = int(width // Wire.WIDE)
    for before in range(0, count, in_row):
        yield Wire(min(in_row, count - before))


def _sticks(catalog: Catalog) -> list[Flowable]:
    """The range sticks, each with the weapons that reach so far."""
    parts = []
    for distance, length in STICKS.items():
        # Longer than the paper, so in pieces.
        for begin in range(0, distance, length):
            weapons = _reaching(catalog, distance)
            parts.append(StickPart(distance, begin, begin + length, weapons))
    text = "Cut out the pieces and glue each onto the flap of the previous one, edge to edge."
    return [Strip("Range sticks", text), Sticks(parts)]


def _reaching(catalog: Catalog, distance: int) -> str:
    """The weapons that reach so many inches, some of them at guys only."""
    names = []
    for weapon in catalog.weapons.values():
        # A weapon that reaches farther at guys is named on both sticks.
        if weapon.range == distance:
            names.append(weapon.name)
        elif weapon.guys and weapon.guys.range == distance:
            names.append(f"{weapon.name} at guys")
    return f"Reach of {', '.join(names)}"


def _rings(catalog: Catalog) -> list[Flowable]:
    """The quarter ring for repeat fire, and the half ring around a vehicle."""
    fire = catalog.fire
    repeat, exact = inches(fire.repeat_within), inches(fire.exact_within)
    unload = inches(UNLOAD)
    fan = RingTemplate(
        fire.repeat_within,
        f"REPEAT FIRE WITHIN {repeat.upper()}",
        "Put the corner on the first man who was hit, with a machine gun on the last: anyone the "
        "edge covers may be next, if he is in range and sight and was not shot at before. Within "
        f"{exact} of the shooter, the man aimed at dies.",
        fire.exact_within,
        f"THE MAN AIMED AT DIES WITHIN {exact.upper()}",
    )
    half = RingTemplate(
        UNLOAD,
        f"IN AND OUT WITHIN {unload.upper()}",
        f"Lay the straight edge along the vehicle: passengers get out within {unload} of it, "
        "touching no enemy, and start the turn there to get in.",
    )
    text = "Cut along the outer lines: a quarter ring around a man, half a ring for a vehicle."
    return [Strip("Rings", text), fan, Gap(8 * MM), half]


class Strip(Drawing):
    """The head of a page: its title, how to cut, and a ruler of an inch and one of 2 cm."""

    keepWithNext = True  # noqa: N815
    TALL = 14.5 * MM
    RULERS = INCH + 20 * MM + 6 * MM
    """The width of both rulers, with the gap between them."""

    def __init__(self, title: str, text: str) -> None:
        self.title, self.text = title, paragraph(text, _TEXT)

    def height_at(self, width: float) -> float:
        # One line of the text is in ``TALL`` already.
        return self.TALL + self.text.height_at(width - self.RULERS - 4 * MM) - _TEXT.leading

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        # Viewers then propose to print at true scale.
        canvas.setViewerPreference("PrintScaling", "None")
        write(canvas, x, top - 5.4 * MM, self.title, _PAGE_TITLE)
        self.text.paint(canvas, x, top - 7 * MM, width - self.RULERS - 4 * MM)
        left = x + width - self.RULERS
        y = top - 5.4 * MM
        metric = left + INCH + 6 * MM
        _ruler(canvas, left, y, INCH, parts=4)
        _ruler(canvas, metric, y, 20 * MM, parts=2)
        write(canvas, left + INCH / 2, y - 2.6 * MM, inches(1), _MARK)
        write(canvas, metric + 10 * MM, y - 2.6 * MM, "2\u00a0cm", _MARK)
        check = _MARK._replace(align="right", ink=inks.QUIET)
        write(canvas, x + width, y - 5.6 * MM, "check with a ruler: print at 100%", check)
        low = top - self.height_at(width)
        rule(canvas, x, x + width, low + 2.4 * MM, NORMAL, ink=inks.BLACK)


def _ruler(canvas: Canvas, x: float, y: float, length: float, *, parts: int) -> None:
    """A line divided into so many parts; its ends have the longest ticks."""
    canvas.pen(inks.BLACK, THIN)
    canvas.line(x, y, x + length, y)
    for part in range(parts + 1):
        place = x + length * part / parts
        tall = 1.4 * MM
        if part in (0, parts):
            tall = 2.6 * MM
        canvas.line(place, y, place, y + tall)


# ------------------------------------------------------------------ what is cut out


_Item = TypeVar("_Item")
DrawItem: TypeAlias = Callable[[Canvas, _Item, float, float], None]
"""Draws an item from the lower left corner of its cell."""


def _rows(
    draw: DrawItem[_Item],
    items: Sequence[_Item],
    size: tuple[float, float],
    count: int,
    *,
    cut: bool = True,
) -> list[CutRow[_Item]]:
    """Rows of ``count`` cells of a width and height; with cut lines, if they are to be cut out."""
    rows = []
    for first in range(0, len(items), count):
        rows.append(CutRow(draw, items[first : first + count], size, count, cut=cut))
    return rows


class CutRow(Drawing, Generic[_Item]):
    """A row of items to cut out, placed as if it had ``count`` of them."""

    def __init__(
        self,
        draw: DrawItem[_Item],
        items: Sequence[_Item],
        size: tuple[float, float],
        count: int,
        *,
        cut: bool,
    ) -> None:
        self.draw_cell, self.items, self.cut, self.count = draw, items, cut, count
        self.wide, self.TALL = size  # a drawing is as high as its ``TALL``

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left = x + (width - self.count * self.wide) / 2
        low = top - self.TALL
        if self.cut:
            self._cut_lines(canvas, left, top)
        for column, item in enumerate(self.items):
            self.draw_cell(canvas, item, left + column * self.wide, low)

    def _cut_lines(self, canvas: Canvas, left: float, top: float) -> None:
        """Faint lines along which the markers of a row are cut out, beyond its corners."""
        low = top - self.TALL
        right = left + len(self.items) * self.wide
        canvas.pen(inks.FAINT, HAIR)
        for y in (top, low):
            canvas.line(left - TICK, y, right + TICK, y)
        for column in range(len(self.items) + 1):
            x = left + column * self.wide
            canvas.line(x, top, x, low)


def draw_marker(canvas: Canvas, item: PrintedMarker, x: float, y: float) -> None:
    """A frame with a picture, and the word below it; filled or tinted as the marker says."""
    inset, wide = 4.0, MARKER_SIZE[0]
    filling, ink = inks.WHITE, item.ink
    if item.solid and not canvas.sparing:
        filling, ink = item.ink, inks.WHITE
    elif item.tinted:
        filling = inks.PANEL
    weight = 1.2
    if item.solid:
        weight = 2.4
    canvas.pen(item.ink, weight, filling)
    canvas.roundRect(x + inset, y + inset, wide - 2 * inset, wide - 2 * inset, 5, stroke=1, fill=1)
    canvas.saveState()
    canvas.pen(ink, 1.6, ink)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    canvas.translate(x + wide / 2, y + 0.59 * wide)
    _icon(canvas, item.icon or item.word.lower(), 12.5)
    canvas.restoreState()
    write(canvas, x + wide / 2, y + 9, item.word.upper(), _WORD._replace(ink=ink), track=0.4)


class Tag(NamedTuple):
    """The code of a piece, its unit, and the ink of its side."""

    code: str
    unit: UnitType
    ink: Ink = inks.BLACK


def draw_tag(canvas: Canvas, tag: Tag, x: float, y: float) -> None:
    """The symbol of the unit beside its code, its name below; armored models are filled."""
    wide, tall = TAG_SIZE
    weight, filling, ink = NORMAL, inks.WHITE, tag.ink
    if tag.unit.kind == "armored":
        weight = 1.6
        if not canvas.sparing:
            filling, ink = tag.ink, inks.WHITE
    radius = 0.5
    if tag.unit.kind == "guy":
        radius = 7
    canvas.pen(tag.ink, weight, filling)
    canvas.roundRect(x + 2.4, y + 2.4, wide - 4.8, tall - 4.8, radius, stroke=1, fill=1)
    # Symbol and code stand in the middle together.
    code = scaled(tag.code, _CODE._replace(align="left"), wide - Symbol.WIDE - 11, _CODE_SIZES)
    both = Symbol.WIDE + 2 + line_width(tag.code, code)
    left = x + (wide - both) / 2
    canvas.saveState()
    canvas.translate(left + Symbol.WIDE / 2, y + 17.4)
    # Light also on a filled tag, where a dark symbol would be lost.
    Symbol(tag.unit, tag.ink, solid=False).draw(canvas)
    canvas.restoreState()
    write(canvas, left + Symbol.WIDE + 2, y + 13.2, tag.code, code._replace(ink=ink))
    write(canvas, x + wide / 2, y + 5.6, tag.unit.short, _SMALL_WORD._replace(ink=ink))


class TurnMarker(NamedTuple):
    """A turn of the track."""

    number: int
    is_last: bool


def _turn(canvas: Canvas, item: TurnMarker, x: float, y: float) -> None:
    """The number of a turn in a frame; the last turn says so, in the accent."""
    wide, tall = TURN_SIZE
    ink, weight = inks.BLACK, NORMAL
    if item.is_last:
        ink, weight = inks.ACCENT, 2
    canvas.pen(ink, weight)
    canvas.rect(x + 2, y + 2, wide - 4, tall - 4, fill=0)
    write(canvas, x + wide / 2, y + 12.5, str(item.number), _TRACK_NUMBER._replace(ink=ink))
    if item.is_last:
        write(canvas, x + wide / 2, y + 5.2, "LAST", _SMALL_WORD._replace(ink=ink), track=0.6)


class PhaseMarker(NamedTuple):
    """A phase of the track, by its number and its name."""

    number: int
    name: str


def _phase(canvas: Canvas, item: PhaseMarker, x: float, y: float) -> None:
    """The number and the name of a phase in a frame, which is heavy for those of the mover."""
    wide, tall = PHASE_SIZE
    weight = NORMAL
    is_movers = item.number % 2 == 1
    if is_movers:
        weight = 2
    canvas.pen(inks.BLACK, weight)
    canvas.rect(x + 2, y + 2, wide - 4, tall - 4, fill=0)
    write(canvas, x + 9, y + tall - 20, str(item.number), _TRACK_NUMBER._replace(align="left"))
    write(canvas, x + 26, y + tall - 18, item.name, _PHASE_NAME)


def _icon(canvas: Canvas, name: str, r: float) -> None:
    """Draws around the origin, within a circle of radius ``r``, in the current ink and weight."""
    match name:
        case "pinned":
            _pinned(canvas, r)
        case "op fired":
            _op_fired(canvas, r)
        case "dug in":
            _dug_in(canvas, r)
        case "hull down":
            _hull_down(canvas, r)
        case "broken":
            canvas.setLineWidth(3)
            canvas.line(-0.7 * r, -0.7 * r, 0.7 * r, 0.7 * r)
            canvas.line(-0.7 * r, 0.7 * r, 0.7 * r, -0.7 * r)
        case "aboard":
            _aboard(canvas, r)
        case "first":
            canvas.setLineWidth(2.4)
            canvas.circle(0, 0, 0.75 * r, fill=0)
        case "second":
            canvas.rect(-0.7 * r, -0.7 * r, 1.4 * r, 1.4 * r, stroke=0, fill=1)


def _pinned(canvas: Canvas, r: float) -> None:
    """An arrow down to the ground."""
    canvas.line(0, r, 0, -0.2 * r)
    canvas.shape((-0.55 * r, 0.05 * r), (0.55 * r, 0.05 * r), (0, -0.7 * r), stroke=0)
    canvas.line(-r, -0.95 * r, r, -0.95 * r)


def _op_fired(canvas: Canvas, r: float) -> None:
    """A burst: rays around a dot, every second one shorter."""
    for ray in range(8):
        x, y = math.cos(math.pi * ray / 4) * r, math.sin(math.pi * ray / 4) * r
        end = 1.0
        if ray % 2:
            end = 0.75
        canvas.line(0.42 * x, 0.42 * y, end * x, end * y)
    canvas.circle(0, 0, 0.18 * r, stroke=0, fill=1)


def _dug_in(canvas: Canvas, r: float) -> None:
    """Sandbags: three, and two on them."""
    wide, tall = 0.62 * r, 0.42 * r
    for row, count in enumerate((3, 2)):
        for bag in range(count):
            left, low = (bag - count / 2) * wide * 1.06, -0.6 * r + row * tall * 1.15
            canvas.roundRect(left, low, wide, tall, tall * 0.4, fill=0)


def _hull_down(canvas: Canvas, r: float) -> None:
    """A turret with its gun behind a hill."""
    canvas.roundRect(-0.55 * r, -0.1 * r, 0.9 * r, 0.5 * r, 1.5, stroke=0, fill=1)
    canvas.line(0.3 * r, 0.2 * r, 1.05 * r, 0.2 * r)
    hill = canvas.beginPath()
    hill.moveTo(-r, -0.75 * r)
    hill.curveTo(-0.4 * r, -0.05 * r, 0.4 * r, -0.05 * r, r, -0.75 * r)
    canvas.drawPath(hill, fill=0)


def _aboard(canvas: Canvas, r: float) -> None:
    """Three heads over the hull of a carrier."""
    for head in (-0.5, 0, 0.5):
        canvas.circle(head * r, 0.3 * r, 0.2 * r, stroke=0, fill=1)
    canvas.shape((-r, 0), (r, 0), (0.75 * r, -0.7 * r), (-0.75 * r, -0.7 * r), fill=0)
