"""Markers, tags and templates at true scale. Nothing on them is fitted to the paper."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish import library
from skirmish.games.plastic.battle.state import PHASES
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.sheets.layout.flowables import (
    Canvas,
    Cell,
    Columns,
    Drawing,
    Flowable,
    Gap,
    NewPage,
    Stack,
    rule,
)
from skirmish.sheets.layout.fonts import MEDIUM, TITLE
from skirmish.sheets.layout.pages import Document, Part, as_pdf
from skirmish.sheets.layout.text import SMALLEST, Style, paragraph, write
from skirmish.sheets.markers.templates import (
    LONG,
    Fan,
    Foxhole,
    HalfRing,
    Sandbags,
    StickPart,
    Sticks,
    Wire,
)
from skirmish.sheets.markers.tokens import (
    ABOARD,
    BROKEN,
    DUG_IN,
    FIRED,
    FIRST,
    HULL_DOWN,
    PINNED,
    SECOND,
    Markers,
    Phases,
    Tag,
    Tags,
    Turns,
)
from skirmish.sheets.paper import BLACK, CODE, INCH, MM, NORMAL, THIN, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.roster.units import Muster
from skirmish.tabletop.measure import inches

IN_ROW = 9
TURNS_IN_ROW = 10
RIFLES, OTHERS = 100, 6
"""How many tags of each type, where no army says: a page of either paper full."""
STICKS = {6: (6,), 12: (6, 6), 24: (8, 8, 8), 36: (9, 9, 9, 9)}
"""Range sticks and the pieces they are made of, in inches; none longer than the paper."""
UNLOAD = 3
"""Inches from a vehicle within which its passengers are set down."""
_TITLE = Style(TITLE, 17, 19)
_SAYS = Style(MEDIUM, 8, 9.4, ink=CODE)
_MARK = Style(MEDIUM, SMALLEST, SMALLEST, "centre")


@as_pdf
def markers_pdf(
    page: Leaf,
    army: Army | None = None,
    *,
    catalog: Catalog | None = None,
    revision: str | None = None,
) -> Document:
    """Markers to cut out, tags with the codes of ``army`` (else some of every type), works, range
    sticks and rings.

    The document asks to be printed unscaled, and every page has a ruler to check that by.
    """
    catalog = catalog or library.catalog()
    story = [
        *_markers(catalog),
        NewPage("Tags"),
        *_tags(catalog, army),
        NewPage("Works"),
        *_works(page.measure),
        NewPage("Range sticks"),
        *_sticks(catalog),
        NewPage("Rings"),
        *_rings(catalog),
    ]
    part = Part(page, story, "Markers", "Markers and templates", GAME, revision=revision)
    return Document(f"{GAME}: markers and templates", "To cut out, at true scale", [part])


def _markers(catalog: Catalog) -> list[Flowable]:
    last = catalog.basic_game.last_turn
    rows = [
        *[[PINNED] * IN_ROW] * 2,
        *[[FIRED] * IN_ROW] * 2,
        [DUG_IN] * IN_ROW,
        [HULL_DOWN] * IN_ROW,
        [BROKEN] * IN_ROW,
        [*[FIRST] * 2, *[SECOND] * 2, *[ABOARD] * (IN_ROW - 4)],
    ]
    turns = range(1, last + 1)
    track = [turns[at : at + TURNS_IN_ROW] for at in range(0, last, TURNS_IN_ROW)]
    says = "Print on card and cut along the thin lines. The turn markers go on the track below."
    return [
        Strip("Markers", says),
        *(Markers(row) for row in rows),
        Gap(5 * MM),
        *(Turns(list(part), last) for part in track),
        Gap(2 * MM),
        Phases(tuple(PHASES.values())),
    ]


def _tags(catalog: Catalog, army: Army | None) -> list[Flowable]:
    tags = list(_codes(catalog, army))
    whose = f"The codes of {army.listed.name}" if army else "Some of each type"
    says = f"{whose}, as on rosters and screen. Guys are rounded, armored models heavily framed."
    strip = Strip("Tags", says)
    rows: list[Flowable] = []
    for at in range(0, len(tags), Tags.IN_ROW):
        row = Tags(tags[at : at + Tags.IN_ROW])
        row.head = strip
        rows.append(row)
    return [strip, *rows]


def _codes(catalog: Catalog, army: Army | None) -> Iterator[Tag]:
    counts = army.fielded() if army else {u.id: _usual(u) for u in catalog.units.values()}
    known = army.catalog if army else catalog
    for name, codes in Muster(known).next(counts).items():
        unit = known.units[name]
        for code in codes:
            yield Tag(code, unit.short, unit.kind)


def _usual(unit: UnitType) -> int:
    if unit.shelf == "scenario":
        return 0
    return RIFLES if "rifle_guy" in unit.tags else OTHERS


def _works(width: float) -> list[Flowable]:
    long = inches(LONG / INCH)
    says = f"Each is {long} long: foxholes and sandbag lines on the left, wire on the right."
    works = [*(Foxhole() for _ in range(3)), *(Sandbags() for _ in range(5))]
    left = LONG + 5 * MM
    count = int((width - left) // Wire.WIDE)
    cells = [
        Cell(0, LONG, Stack([piece for work in works for piece in (work, Gap(2.2))])),
        Cell(left, width - left, Stack([Wire(count), Wire(count)])),
    ]
    return [Strip("Works", says), Columns(cells)]


def _sticks(catalog: Catalog) -> list[Flowable]:
    parts = []
    for whole, lengths in STICKS.items():
        begin = 0
        for long in lengths:
            says = _reaching(catalog, whole)
            parts.append(StickPart(whole, begin, begin + long, says))
            begin += long
    says = "Cut out the pieces and glue each onto the flap of the previous one, edge to edge."
    return [Strip("Range sticks", says), Sticks(parts)]


def _reaching(catalog: Catalog, distance: int) -> str:
    names = [
        weapon.name + (" at guys" if weapon.range != distance else "")
        for weapon in catalog.weapons.values()
        if distance in (weapon.range, weapon.guys.range if weapon.guys else None)
    ]
    return f"Reach of {', '.join(names)}"


def _rings(catalog: Catalog) -> list[Flowable]:
    fire = catalog.fire
    repeat, exact = inches(fire.repeat_within), inches(fire.exact_within)
    fan = Fan(
        fire.repeat_within,
        fire.exact_within,
        f"REPEAT FIRE WITHIN {repeat.upper()}",
        f"Put the corner on the man who was hit: anyone the edge covers may be next. Within {exact}"
        " of the shooter, the man aimed at dies.",
        f"THE MAN AIMED AT DIES WITHIN {exact.upper()}",
    )
    unload = inches(UNLOAD)
    ring = HalfRing(
        UNLOAD,
        f"IN AND OUT WITHIN {unload.upper()}",
        f"Lay the straight edge along the vehicle: passengers get out within {unload} of it, and "
        "start the turn there to get in.",
    )
    return [
        Strip(
            "Rings",
            "Cut along the outer lines: a quarter ring around a man, half a ring for a vehicle.",
        ),
        fan,
        Gap(8 * MM),
        ring,
    ]


class Strip(Drawing):
    """Title and a sentence at the left, an inch and two centimetres at the right."""

    keepWithNext = True  # noqa: N815
    TALL = 14.5 * MM
    RULERS = INCH + 20 * MM + 6 * MM

    def __init__(self, title: str, says: str) -> None:
        self.title, self.says = title, paragraph(says, _SAYS)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        canvas.setViewerPreference("PrintScaling", "None")
        write(canvas, x, top - 5.4 * MM, self.title, _TITLE)
        self.says.paint(canvas, x, top - 7 * MM, width - self.RULERS - 4 * MM)
        left = x + width - self.RULERS
        y = top - 5.4 * MM
        metric = left + INCH + 6 * MM
        _ruler(canvas, left, y, INCH, parts=4)
        _ruler(canvas, metric, y, 20 * MM, parts=2)
        write(canvas, left + INCH / 2, y - 2.6 * MM, inches(1), _MARK)
        write(canvas, metric + 10 * MM, y - 2.6 * MM, "2\u00a0cm", _MARK)
        check = _MARK._replace(align="right", ink=CODE)
        write(canvas, x + width, y - 5.6 * MM, "check with a ruler: print at 100%", check)
        rule(canvas, x, x + width, top - self.TALL + 2.4 * MM, NORMAL, ink=BLACK)


def _ruler(canvas: Canvas, x: float, y: float, long: float, *, parts: int) -> None:
    canvas.pen(BLACK, THIN)
    canvas.line(x, y, x + long, y)
    for part in range(parts + 1):
        at = x + long * part / parts
        tall = 2.6 * MM if part in (0, parts) else 1.4 * MM
        canvas.line(at, y, at, y + tall)
