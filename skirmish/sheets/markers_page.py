"""The pages of markers and templates. Nothing on them is fitted to the paper."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle.state import PHASES
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.sheets.codes import Muster
from skirmish.sheets.flow import Pages, Part, Spot, Title, bound
from skirmish.sheets.ink import InkUse
from skirmish.sheets.markers_gauges import Fan, HalfRing, StickPart, Sticks
from skirmish.sheets.markers_strip import INCH, Strip
from skirmish.sheets.markers_tokens import (
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
from skirmish.sheets.markers_works import LONG, Foxhole, Sandbags, Wire
from skirmish.sheets.paper import MM, leaf
from skirmish.sheets.piece import Gap, Piece
from skirmish.tabletop.measure import inches

GAME = "WWII Plastic Skirmish"
IN_ROW = 9
TURNS_IN_ROW = 10
RIFLES, OTHERS = 100, 6
"""How many tags of each type, where no army says: a page of either paper full."""
STICKS = {6: (6,), 12: (6, 6), 24: (8, 8, 8), 36: (9, 9, 9, 9)}
"""Range sticks and the pieces they are made of, in inches; none longer than the paper."""
UNLOAD = 3
"""Inches from a vehicle within which its passengers are set down."""


def pages(catalog: Catalog, army: Army | None, paper: str, revision: str, use: InkUse) -> bytes:
    """All of it as a PDF."""
    page = leaf(paper)
    sheet = Pages(page)
    x, width = page.margin, page.measure
    spot = sheet.pour(_markers(catalog), x, width, sheet.start)
    tags = Spot(spot.page + 1, page.top)
    spot = sheet.pour(_tags(catalog, army, use), x, width, tags)
    works = Spot(spot.page + 1, page.top)
    spot = _works(sheet, x, width, works)
    sticks = Spot(spot.page + 1, page.top)
    spot = sheet.pour(_sticks(catalog), x, width, sticks)
    rings = Spot(spot.page + 1, page.top)
    sheet.pour(_rings(catalog), x, width, rings)
    later = {tags.page: "Tags", works.page: "Works", sticks.page: "Range sticks"}
    footer = ["Markers and templates", GAME, f"data revision {revision}" if revision else ""]
    part = Part(sheet, "Markers", " · ".join(filter(None, footer)), later | {rings.page: "Rings"})
    title = Title(f"{GAME}: markers and templates", "Skirmish", "To cut out, at true scale")
    return bound([part], title, use)


def _markers(catalog: Catalog) -> list[Piece]:
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


def _tags(catalog: Catalog, army: Army | None, use: InkUse) -> list[Piece]:
    """Rows of tags; an army that needs more takes more pages."""
    tags = list(_codes(catalog, army))
    whose = f"The codes of {army.listed.name}" if army else "Some of each type"
    frame = "solid" if use == "colour" else "in heavy frames"
    says = f"{whose}, as on rosters and screen. Guys are rounded, armored models {frame}."
    strip = Strip("Tags", says)
    rows: list[Piece] = []
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


def _works(sheet: Pages, x: float, width: float, at: Spot) -> Spot:
    """Foxholes and sandbags beside wire."""
    long = inches(LONG / INCH)
    says = f"Each is {long} long: foxholes and sandbag lines on the left, wire on the right."
    below = sheet.place(Strip("Works", says), x, width, at)
    shapes: list[Piece] = [*(Foxhole() for _ in range(3)), *(Sandbags() for _ in range(5))]
    spot = below
    for shape in shapes:
        spot = sheet.place(shape, x, LONG, spot)
        spot = Spot(spot.page, spot.top - 2.2)
    left = x + LONG + 5 * MM
    count = int((width - LONG - 5 * MM) // Wire.WIDE)
    for _ in range(2):
        below = sheet.place(Wire(count), left, count * Wire.WIDE, below)
    return spot


def _sticks(catalog: Catalog) -> list[Piece]:
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
    """Which weapons reach just so far."""
    names = [
        weapon.name + (" at guys" if weapon.range != distance else "")
        for weapon in catalog.weapons.values()
        if distance in (weapon.range, weapon.guys.range if weapon.guys else None)
    ]
    return f"Reach of {', '.join(names)}"


def _rings(catalog: Catalog) -> list[Piece]:
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
