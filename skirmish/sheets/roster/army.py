"""The roster of an army: units with boxes to tick, limits, breaches, loss track, share code."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish import library
from skirmish.games.plastic.army_file import CodeError, code_of
from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.games.plastic.rules.breaches import (
    LimitGauge,
    breaches,
    gauges,
    repair_words,
    whole_or_half,
)
from skirmish.games.plastic.rules.catalog import UnitType, Work
from skirmish.games.plastic.rules.firing_table import NONE as DASH
from skirmish.games.plastic.rules.firing_table import Firing
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, LimitBar, TitleBand, listing, section
from skirmish.sheets.layout.boxes import (
    TO_COME,
    UNMARKED,
    Box,
    Boxes,
    FormField,
    box_width,
    numbered,
)
from skirmish.sheets.layout.flow import (
    Block,
    Cell,
    CellRow,
    Flowable,
    Gap,
    Panel,
    Stack,
    Unbroken,
    halves,
    in_two_columns,
)
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.scanned import CodeToScan
from skirmish.sheets.layout.tables import Cells, SheetColumn, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.reference import tables_to_play_by
from skirmish.sheets.roster.codes import CodesToGive
from skirmish.sheets.roster.roomiest import roomiest
from skirmish.sheets.roster.units import (
    MOVE_COLUMN,
    TYPE_COLUMN,
    UnitBlock,
    UnitLine,
    loss_boxes,
    move,
    notes,
    shared_letters,
    unit_table,
    weapons,
)
from skirmish.tabletop.typed import plain

# The columns before the boxes of a unit.
BOUGHT = (
    TYPE_COLUMN,
    SheetColumn("No.", 25, styles.COUNT),
    SheetColumn("Price", 9, styles.FIGURE),
    SheetColumn("Total", 11, styles.FIGURE),
    MOVE_COLUMN,
)
GAME_PLAYED = ("Date", 0.16), ("Against whom, where", 0.42), ("Result", 0.26), ("Loss", 0.16)
"""The fields to write in about a game, each with its share of the width."""
MOST_BOXES = 1000
"""In a longer loss track each box stands for several losses."""
SMALLEST_SIDE = 15 * MM
"""The least side of the share code that is scanned."""
LONGEST = 700
"""The most characters of a share code; a longer one has squares too small to be scanned."""


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
    under (usually the library's); ``revision``: what the footer says of the version.
    """
    book = book or library.rulings()

    # A roster is laid out with boxes of several sizes (``part``, for each of them). What has no
    # boxes is the same in all, and is set once.
    head = _head(army)
    firing = _firing(army, page.measure)
    half = (page.measure - GUTTER) / 2
    limits = limits_block(army, half)
    words = [
        _departures(army, book),
        notes([unit for unit, _ in army.bought()], [work for work, _ in _works(army)]),
        share_block(army.army_list, half),
    ]

    def part(grown: float, further: Sequence[Flowable]) -> SheetPart:
        columns = _in_columns([limits, loss_track(army, grown), *words], page.measure)
        units = _units(army, page.measure, grown)
        story = [*head, *units, *firing, columns, Gap(GAP), *further, OwnNotes()]
        name = army.army_list.name
        return SheetPart(page, story, name, "Army roster", name, GAME, revision=revision)

    roster = roomiest(part, tables_to_play_by(army.catalog, army.rulings, page.measure))
    return PdfDocument(army.army_list.name, f"{GAME}: army roster", [roster])


def _head(army: Army) -> list[Flowable]:
    """What stands above the units: whose army, its points and strength, games, breaches."""
    exceeded = breaches(army)
    head: list[Flowable] = [
        _band(army),
        Gap(1.6 * MM),
        _facts(army, exceeded),
        Fields(GAME_PLAYED),
        Gap(GAP),
    ]
    note = army.army_list.note.strip()
    if note:
        head += [paragraph(note, styles.ASIDE), Gap(GAP)]
    return head + breach_blocks(army, exceeded)


def _firing(army: Army, width: float) -> list[Flowable]:
    """The firing table of the army's weapons."""
    fielded = [army.catalog.units[unit] for unit in army.fielded()]
    firing = Firing(army.catalog, army.rulings, army.nation)
    return weapons(army.catalog, firing, fielded, width)


def _in_columns(blocks: Sequence[Sequence[Flowable]], width: float) -> Flowable:
    """Blocks side by side in two columns, each unbroken; empty ones are left out."""
    unbroken: list[Block] = []
    for block in blocks:
        if block:
            unbroken.append([Unbroken(block)])
    left, right = in_two_columns(unbroken, (width - GUTTER) / 2)
    return halves(left, right, width)


def _departures(army: Army, book: PlasticRulingBook) -> list[Flowable]:
    """The rulings under which the army was bought that are not at their defaults."""
    lines = []
    for ruling, answer in book.departures(army.rulings):
        lines.append((f"{ruling.id} {ruling.title}", answer))
    return listing("Rulings that differ", lines, "not the default answer")


def _works(army: Army) -> list[tuple[Work, int]]:
    """The works of an army with their counts."""
    works = []
    for id, count in army.army_list.works.items():
        if count:
            works.append((army.catalog.works[id], count))
    return works


def _band(army: Army) -> Flowable:
    """The title in the ink of the army's nation, with what it has spent as its badge."""
    nation, quality = "Without nationalities", "Without force quality"
    if army.nation:
        nation = army.nation.name
    if army.quality:
        quality = f"{army.quality.name} troops"
    ink = inks.BAND
    if army.nation:
        ink = inks.NATIONS.get(army.nation.id, ink)
    return TitleBand(
        "Points",
        str(army.spent),
        army.army_list.name,
        nation,
        quality,
        f"Army roster · {GAME}",
        least=TitleBand.LOW,
        ink=ink,
    )


def _facts(army: Army, exceeded: Sequence[LimitGauge]) -> Flowable:
    """A row of fields: points, figures, strength, and whether the army is legal."""
    fielded = army.fielded()
    # Guys are figures, everything else is a model.
    figures = 0
    for unit, count in fielded.items():
        if army.catalog.units[unit].is_guy:
            figures += count
    models = sum(fielded.values()) - figures
    beaten_at = DASH
    if army.strength:
        beaten_at = str(army.break_at)
    legal = "Legal"
    if any(not breach.is_waived for breach in exceeded):
        legal = "Not legal"
    elif exceeded:
        legal = f"Legal, {len(exceeded)} waived"
    return Fields.alike(
        ("Points spent", f"{army.spent} / {army.budget}"),
        ("Left", str(army.budget - army.spent)),
        ("Figures", str(figures)),
        ("Models", str(models)),
        ("Strength", str(army.strength)),
        ("Beaten at a loss of", beaten_at),
        ("Purchase limits", legal),
    )


def _units(army: Army, width: float, grown: float) -> list[Flowable]:
    """Units by their groups, then works."""
    units = [unit for unit, _ in army.bought()]
    blocks = _unit_blocks(army)
    # Works have neither codes nor strength, so that they stand apart.
    works = []
    for work, count in _works(army):
        works.append(_line(army, work, count, 0, numbered([""] * count, work.id, work.name)))
    if works:
        title = paragraph("Works", styles.FORCE, aside="do not count as losses")
        blocks.append(UnitBlock([title], works))
    if not units and not works:
        return [*section("Units", [paragraph("No units yet.")]), Gap(GAP)]
    head = Head("Units", "code = letter and number, as on the screen")
    story = [head, unit_table(width, BOUGHT, blocks, grown=grown), *shared_letters(units)]
    if army.free:
        story += [Gap(1), paragraph("Dashed boxes: free men, at no cost.", styles.NOTE)]
    story.append(Gap(GAP))
    return story


def _unit_blocks(army: Army) -> list[UnitBlock]:
    """The groups of an army with the codes of all their units; free men have dashed boxes."""
    codes_to_give = CodesToGive(army.catalog)
    has_groups = bool(army.army_list.groups)
    blocks = []
    for number, (name, counts, free_men) in enumerate(army.blocks(), 1):
        fielded = {unit: count + free_men.get(unit, 0) for unit, count in counts.items()}
        codes = codes_to_give.give(fielded)
        lines = []
        for unit, _ in army.bought():
            if unit.id not in counts:
                continue
            # A unit may be in several groups, and the names of fields must differ.
            field_name = unit.id
            if has_groups:
                field_name = f"{unit.id}_{number}"
            bought, free = counts[unit.id], free_men.get(unit.id, 0)
            boxes = _boxes(unit, codes[unit.id], bought, field_name)
            lines.append(_line(army, unit, bought, free, boxes))
        titles: list[Flowable] = []
        if has_groups:
            titles.append(paragraph(plain(name), styles.FORCE))
        blocks.append(UnitBlock(titles, lines))
    return blocks


def _boxes(unit: UnitType, codes: Sequence[str], bought: int, field_name: str) -> list[Box]:
    """A box for each piece of a unit in a group; those after the ``bought`` are free and dashed."""
    boxes = []
    for piece, code in enumerate(codes, 1):
        marks = UNMARKED
        if piece > bought:
            marks = TO_COME
        field = FormField(f"tick-{field_name}-{piece}", f"{unit.name} {code}")
        boxes.append(Box(code, marks, field))
    return boxes


def _line(
    army: Army, piece: UnitType | Work, count: int, free: int, boxes: Sequence[Box]
) -> UnitLine:
    """A line of the roster; ``free``: how many come free."""
    number = str(count)
    if free:
        number = f"{count} + {free} free"
    price = army.price(piece.id)
    texts = piece.name, number, str(price), str(price * count), move(piece)
    return UnitLine(piece, texts, boxes)


def breach_blocks(army: Army, exceeded: Sequence[LimitGauge]) -> list[Flowable]:
    """The limits that are broken, with the smallest repair, and those that are waived."""
    broken: list[Flowable] = []
    for breach in exceeded:
        if breach.is_waived:
            continue
        text = breach.message
        repair = repair_words(breach.repair, army)
        if repair:
            text += f" Smallest repair: {repair}."
        if broken:
            broken.append(Gap(1.2))
        broken.append(paragraph(text))
    blocks: list[Flowable] = []
    if broken:
        count = sum(not breach.is_waived for breach in exceeded)
        aside = f"{count} limits broken"
        if count == 1:
            aside = "1 limit broken"
        blocks += [Head("Not legal", aside, inks.ACCENT), Panel(Stack(broken)), Gap(GAP)]
    waived = _waived(army, exceeded)
    if waived:
        blocks += [*listing("Limits waived on purpose", waived, "agreed at this table"), Gap(GAP)]
    return blocks


def _waived(army: Army, exceeded: Sequence[LimitGauge]) -> list[tuple[str, str]]:
    """Each limit that is waived, with what the army does and the reason."""
    titles = {limit.id: limit.title for limit in army.catalog.limits}
    waived = []
    for limit, reason in army.army_list.overrides.items():
        messages = [breach.message for breach in exceeded if breach.limit.id == limit]
        fact = " ".join(messages) or "The army keeps within this limit anyway."
        waived.append((titles[limit], f"{fact} Reason: {reason or 'none given'}"))
    return waived


def limits_block(army: Army, width: float) -> list[Flowable]:
    """Each purchase limit with a bar, what is used, and what is allowed."""
    note = styles.NOTE
    columns = (
        SheetColumn("", 0, styles.UNIT),  # what the others leave
        SheetColumn("", 19, note),
        SheetColumn("", 26, styles.COUNT),
        SheetColumn("", 18, note),
    )
    rows: list[Cells] = []
    for gauge in gauges(army):
        is_least = gauge.limit.is_least
        allowed = whole_or_half(gauge.allowed)
        if is_least:
            allowed = f"at least {allowed}"
        bar = LimitBar(_share(gauge), within=gauge.met, least=is_least)
        used = f"{whole_or_half(gauge.have)} / {allowed}"
        rows.append([gauge.label, Stack([Gap(0.6), bar]), used, _measure(gauge, army)])
    table = printed_table(width, columns, rows, air=0.4, tinted=False, pad=0)
    return [Head("Limits", "used / allowed"), table]


def _measure(gauge: LimitGauge, army: Army) -> Flowable:
    """What a limit counts, and whether it is broken or waived."""
    measure = "pieces"
    if gauge.limit.measure == "points":
        measure = "points"
    if gauge.met:
        return paragraph(measure, styles.NOTE)
    if gauge.is_waived:
        return paragraph(f"{measure} waived", styles.NOTE)
    return paragraph(f"{measure} broken", styles.NOTE._replace(ink=inks.ACCENT))


def _share(gauge: LimitGauge) -> float:
    """What is used, as a share of what is allowed."""
    if gauge.allowed:
        return float(gauge.have / gauge.allowed)
    if gauge.have:
        return 1.0
    return 0.0


def loss_track(army: Army, grown: float = 1.0) -> list[Flowable]:
    """A box for each potential loss up to the one that beats the army, which is framed. In a long
    track a box stands for several losses. ``grown``: the factor for the boxes."""
    if not army.strength:
        return section("Loss track", [paragraph("The army is empty.")])
    end = army.break_at
    step = _losses_in_box(end)
    losses = [*range(step, end, step), end]
    codes, boxes = [], []
    for number, loss in enumerate(losses, 1):
        code = ""
        if number % 5 == 0 or loss == end:
            code = str(loss)
        codes.append(code)
        boxes.append(Box(code, field=FormField(f"tick-losses-{number}", f"Loss {loss}")))
    text = f"Beaten at {end} of {army.strength}."
    if step > 1:
        text += f" Each box is {step}."
    track = Boxes(boxes, box_width(codes, grown), inks.ACCENT, grown=grown)
    return loss_boxes(track, army.catalog, f"beaten at {end}", text)


def _losses_in_box(end: int) -> int:
    """1, 5, 10, 50, 100 ...: the least with which a track to ``end`` is not too long."""
    unit = 1
    while True:
        for losses in (unit, 5 * unit):
            if end <= losses * MOST_BOXES:
                return losses
        unit *= 10


def share_block(army_list: ArmyList, width: float) -> list[Flowable]:
    """The code to scan, instructions, and its text. Omitted for an army too long for a code."""
    try:
        code = code_of(army_list)
    except CodeError:
        return []
    if len(code) > LONGEST:  # no phone would read so dense a code from paper
        return []
    square_code = CodeToScan(code, SMALLEST_SIDE)
    side = square_code.side
    text = "Scan or type the code and import it: skirmish army import CODE"
    words = Stack([Gap(4), paragraph(text, styles.SMALL), Gap(2), paragraph(code, styles.NOTE)])
    row = CellRow([Cell(0, side, square_code), Cell(side, width - side, words)], below=0, weight=0)
    return [Head("Share", "this army in another Skirmish"), row]
