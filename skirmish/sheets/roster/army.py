"""The roster of an army: units with boxes to tick, limits, breaches, loss track, share code."""

from __future__ import annotations

from reportlab.graphics.barcode.qr import QrCode  # type: ignore[import-untyped]

from skirmish import library
from skirmish.games.plastic.army_file import CodeError, code_of
from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.games.plastic.rules.breaches import (
    LimitGauge,
    breaches,
    gauges,
    mend,
    whole_or_half,
)
from skirmish.games.plastic.rules.catalog import UnitType, Work
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, LimitBar, TitleBand, listing, section
from skirmish.sheets.layout.boxes import NEW, Box, Boxes, FormField, box_width, numbered
from skirmish.sheets.layout.boxes import NONE as PRESENT
from skirmish.sheets.layout.flow import (
    Cell,
    CellRow,
    Flowable,
    Gap,
    Panel,
    Stack,
    Unbroken,
    halves,
    shared,
)
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.tables import Cells, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.roster.units import (
    MOVE,
    TYPE,
    Muster,
    UnitLine,
    loss_boxes,
    move,
    notes,
    sharing,
    unit_table,
    weapons,
)
from skirmish.tabletop.typed import plain

BOUGHT = (TYPE, ("No.", 25, styles.COUNT), ("Price", 9, styles.FIGURE),
          ("Total", 11, styles.FIGURE), MOVE)  # fmt: skip
GAME_PLAYED = ("Date", 0.16), ("Against whom, where", 0.42), ("Result", 0.26), ("Loss", 0.16)
MOST_BOXES = 1000
"""In a longer loss track each box stands for several losses."""
MODULE = 0.36 * MM
"""The size of a square of the code, legible to a phone."""
SMALLEST_SIDE = 15 * MM
LONGEST = 700
"""The greatest number of characters; a longer code could not be scanned."""
QUIET = 4
"""The white margin around it, in squares."""


@as_pdf
def roster_pdf(
    page: Leaf,
    army: Army,
    *,
    revision: str | None = None,
    book: PlasticRulingBook | None = None,
) -> PdfDocument:
    """``army`` as a PDF: units with boxes to tick, limits, breaches, loss track, firing table.

    An illegal or empty army is printed with a notice. ``book`` holds the rulings the army was made
    under (usually the library's).
    """
    book = book or library.rulings()
    width = page.measure
    found = breaches(army)
    firing = Firing(army.catalog, army.rulings, army.nation)
    flow: list[Flowable] = [
        _band(army),
        Gap(1.6 * MM),
        _facts(army, found),
        Fields(GAME_PLAYED),
        Gap(GAP),
    ]
    if note := army.listed.note.strip():
        flow += [paragraph(note, styles.ASIDE), Gap(GAP)]
    flow += breach_blocks(army, found)
    flow += _units(army, width)
    fielded = [army.catalog.units[unit] for unit in army.fielded()]
    flow += weapons(army.catalog, firing, fielded, width)
    half = (width - GUTTER) / 2
    works = [army.catalog.works[work] for work, count in army.listed.works.items() if count]
    blocks = [
        limits_block(army, half),
        loss_track(army),
        listing(
            "Rulings that differ",
            (
                (f"{ruling.id} {ruling.title}", answer)
                for ruling, answer in book.departures(army.rulings)
            ),
            "not the default answer",
        ),
        notes((unit for unit, _ in army.bought()), works),
        share_block(army.listed, half),
    ]
    pair = shared(([], []), [[Unbroken(block)] for block in blocks if block], half)
    flow += [halves(*pair, width), OwnNotes()]
    name = army.listed.name
    part = SheetPart(page, flow, name, "Army roster", name, GAME, revision=revision)
    return PdfDocument(name, f"{GAME}: army roster", [part])


def _band(army: Army) -> Flowable:
    nation = army.nation.name if army.nation else "Without nationalities"
    quality = f"{army.quality.name} troops" if army.quality else "Without force quality"
    points = str(army.spent)
    last = f"Army roster · {GAME}"
    return TitleBand("Points", points, army.listed.name, nation, quality, last, least=TitleBand.LOW)


def _facts(army: Army, found: list[LimitGauge]) -> Flowable:
    fielded = army.fielded()
    figures = sum(n for unit, n in fielded.items() if army.catalog.units[unit].is_guy)
    broken = sum(breach.override is None for breach in found)
    waived = f", {len(found)} waived" if found else ""
    return Fields.alike(
        ("Points spent", f"{army.spent} / {army.budget}"),
        ("Left", str(army.budget - army.spent)),
        ("Figures", str(figures)),
        ("Models", str(sum(fielded.values()) - figures)),
        ("Strength", str(army.pdg)),
        ("Beaten at a loss of", str(army.break_at) if army.pdg else NONE),
        ("Purchase limits", "Not legal" if broken else f"Legal{waived}"),
    )


def _units(army: Army, width: float) -> list[Flowable]:
    """Units by their groups, then works."""
    bought, muster = list(army.bought()), Muster(army.catalog)

    def line(piece: UnitType | Work, count: int, gift: int, boxes: list[Box]) -> UnitLine:
        price, counts = army.price(piece.id), f"{count} + {gift} free" if gift else str(count)
        texts = piece.name, counts, str(price), str(price * count), move(piece)
        return UnitLine(piece, texts, boxes)

    blocks: list[tuple[list[Flowable], list[UnitLine]]] = []
    for number, (name, units, free_men) in enumerate(army.blocks(), 1):
        given = muster.next({unit: n + free_men.get(unit, 0) for unit, n in units.items()})
        lines = []
        for unit in (unit for unit, _ in bought if unit.id in units):
            count = units[unit.id]
            id = f"{unit.id}_{number}" if army.listed.groups else unit.id
            boxes = [
                Box(code, NEW if at > count else PRESENT,
                    FormField(f"tick-{id}-{at}", f"{unit.name} {code}"))
                for at, code in enumerate(given[unit.id], 1)
            ]  # fmt: skip
            lines.append(line(unit, count, free_men.get(unit.id, 0), boxes))
        title = paragraph(plain(name), styles.FORCE)
        blocks.append(([title] * bool(army.listed.groups), lines))
    listed = {army.catalog.works[work]: n for work, n in army.listed.works.items() if n}
    works = [line(work, n, 0, numbered([""] * n, work.id, work.name)) for work, n in listed.items()]
    if works:
        title = paragraph("Works", styles.FORCE, aside="do not count as losses")
        blocks.append(([title], works))
    if not bought and not works:
        return [*section("Units", [paragraph("No units yet.")]), Gap(GAP)]
    head = Head("Units", "code = letter and number, as on the screen")
    found = [head, unit_table(width, BOUGHT, blocks), *sharing(unit for unit, _ in bought)]
    if army.free:
        found += [Gap(1), paragraph("Dashed boxes: free men, at no cost.", styles.NOTE)]
    return [*found, Gap(GAP)]


def breach_blocks(army: Army, found: list[LimitGauge]) -> list[Flowable]:
    broken: list[Flowable] = []
    for breach in found:
        if breach.override is None:
            repair = mend(breach.repair, army)
            remedy = f" Smallest repair: {repair}." if repair else ""
            broken += [paragraph(breach.message + remedy), Gap(1.2)]
    blocks: list[Flowable] = []
    if count := len(broken) // 2:
        head = Head("Not legal", f"{count} limit{'s' * (count > 1)} broken", inks.ACCENT)
        blocks += [head, Panel(Stack(broken[:-1])), Gap(GAP)]
    titles = {limit.id: limit.title for limit in army.catalog.limits}
    waived = []
    for limit, reason in army.listed.overrides.items():
        messages = " ".join(breach.message for breach in found if breach.limit.id == limit)
        fact = messages or "The army keeps within this limit anyway."
        text = f"{fact} Reason: {reason or 'none given'}"
        waived.append((titles[limit], text))
    blocks += listing("Limits waived on purpose", waived, "agreed at this table")
    return [*blocks, Gap(GAP)] if waived else blocks


def limits_block(army: Army, width: float) -> list[Flowable]:
    note, broken = styles.NOTE, styles.NOTE._replace(ink=inks.ACCENT)
    places = ("", 0, styles.UNIT), ("", 19, note), ("", 26, styles.COUNT), ("", 18, note)
    rows: list[Cells] = []
    for gauge in gauges(army):
        least, waived = gauge.limit.is_least, gauge.limit.id in army.listed.overrides
        allowed = f"{'at least ' if least else ''}{whole_or_half(gauge.allowed)}"
        measure = "points" if gauge.limit.measure == "points" else "pieces"
        state = "" if gauge.met else " waived" if waived else " broken"
        bar = LimitBar(_share(gauge), within=gauge.met, least=least)
        rows.append(
            [
                gauge.label,
                Stack([Gap(0.6), bar]),
                f"{whole_or_half(gauge.have)} / {allowed}",
                paragraph(measure + state, broken if state == " broken" else note),
            ]
        )
    return [
        Head("Limits", "used / allowed"),
        printed_table(width, places, rows, air=0.4, tinted=False, pad=0),
    ]


def _share(gauge: LimitGauge) -> float:
    if gauge.allowed:
        return float(gauge.have / gauge.allowed)
    return 1.0 if gauge.have else 0.0


def loss_track(army: Army) -> list[Flowable]:
    if not army.pdg:
        return section("Loss track", [paragraph("The army is empty.")])
    end = army.break_at
    step = next(step for step in _steps() if end <= step * MOST_BOXES)
    marks = [*range(step, end, step), end]
    codes = [str(mark) if at % 5 == 4 or mark == end else "" for at, mark in enumerate(marks)]
    own = [Box(code, field=FormField(f"tick-losses-{at}", f"Loss {mark}"))
           for at, (code, mark) in enumerate(zip(codes, marks, strict=True), 1)]  # fmt: skip
    boxes = Boxes(own, box_width(codes), inks.ACCENT)
    text = f"Beaten at {end} of {army.pdg}." + (f" Each box is {step}." if step > 1 else "")
    return loss_boxes(boxes, army.catalog, f"beaten at {end}", text)


def _steps() -> list[int]:
    return [face * 10**power for power in range(9) for face in (1, 5)]


class _Code(QrCode):  # type: ignore[misc]
    def draw(self) -> None:
        self.canv.setFillColor(inks.BLACK)
        super().draw()


def share_block(listed: ArmyList, width: float) -> list[Flowable]:
    """The code to scan, instructions, and its text. Omitted for an army too long for a code."""
    try:
        code = code_of(listed)
    except CodeError:
        return []
    if len(code) > LONGEST:
        return []
    drawn = _Code(code, qrLevel="L", qrBorder=QUIET)
    drawn.qr.make()
    squares = drawn.qr.getModuleCount()
    side = max(MODULE, SMALLEST_SIDE / squares) * (squares + 2 * QUIET)
    drawn.width = drawn.height = side
    text = "Scan or type the code and import it: skirmish army import CODE"
    words = Stack([Gap(4), paragraph(text, styles.SMALL), Gap(2), paragraph(code, styles.NOTE)])
    row = CellRow([Cell(0, side, drawn), Cell(side, width - side, words)], below=0, weight=0)
    return [Head("Share", "this army in another Skirmish"), row]
