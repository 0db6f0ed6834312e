"""The roster of an army: units with boxes to tick, limits, breaches, loss track, share code. Above
the units stand the limits that are broken or waived, below them how far the army uses each."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish import library
from skirmish.games.plastic.army_file import CodeError, code_of
from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.games.plastic.rules.breaches import breaches, repair_words
from skirmish.games.plastic.rules.catalog import UnitType, Work
from skirmish.games.plastic.rules.firing_table import NONE as DASH
from skirmish.games.plastic.rules.firing_table import Firing
from skirmish.games.plastic.rules.limits import LimitGauge, gauges, whole_or_half
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, LimitBar, OwnNotes, listing, section
from skirmish.sheets.layout.boxes import TO_COME, UNMARKED, Box, numbered_boxes
from skirmish.sheets.layout.columns import in_two_columns, two_columns
from skirmish.sheets.layout.flow import Block, Cell, CellRow, Flowable, Gap, Panel, Stack, Unbroken
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.qr_code import CodeToScan
from skirmish.sheets.layout.tables import Cells, SheetColumn, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.reference import tables_to_play_by
from skirmish.sheets.roster.codes import CodesToGive
from skirmish.sheets.roster.losses import loss_track_of_army
from skirmish.sheets.roster.roomiest import roomiest
from skirmish.sheets.roster.units import (
    MOVE_COLUMN,
    TYPE_COLUMN,
    UnitBlock,
    UnitLine,
    firing_section,
    move_in_words,
    shared_letters,
    unit_notes,
    unit_table,
)
from skirmish.tabletop.typed import plain

# The columns before the boxes of a unit.
BOUGHT_COLUMNS = (
    TYPE_COLUMN,
    SheetColumn("No.", 25, styles.COUNT),
    SheetColumn("Price", 9, styles.FIGURE),
    SheetColumn("Total", 11, styles.FIGURE),
    MOVE_COLUMN,
)
LIMIT_COLUMNS = (
    SheetColumn("", 0, styles.UNIT),  # the limit, as wide as the others leave room for
    SheetColumn("", 19, styles.NOTE),  # its bar
    SheetColumn("", 26, styles.COUNT),  # what is used of it
    SheetColumn("", 18, styles.NOTE),  # what it measures
)
"""The columns of a purchase limit."""
GAME_PLAYED = ("Date", 0.16), ("Against whom, where", 0.42), ("Result", 0.26), ("Loss", 0.16)
"""The fields to write in about a game, each with its share of the width."""
SMALLEST_SIDE = 15 * MM
"""The least side of the square code."""
LONGEST_CODE = 700
"""The most characters of a share code. A phone could not scan a longer one from paper: its squares
would be too small."""


@as_pdf
def roster_pdf(
    page: Leaf,
    army: Army,
    *,
    revision: str | None = None,
    book: PlasticRulingBook | None = None,
) -> PdfDocument:
    """``army`` as a PDF: units with boxes to tick, limits, breaches, loss track, firing table.

    An illegal or empty army is printed with a notice. ``book`` holds the rulings under which the
    army was made, by default those of the library; ``revision``: what the footer says of the
    version.
    """
    book = book or library.rulings()

    # ``roomiest`` lays the roster out with boxes of several sizes. What has no boxes is the same in
    # all of them, and is set once.
    head = _head(army)
    firing = _firing(army, page.measure)
    half = (page.measure - GUTTER) / 2
    limits = _limits(army, half)
    after_track = [
        _departures(army, book),
        unit_notes([unit for unit, _ in army.bought()], [work for work, _ in _works(army)]),
        share_block(army.army_list, half),
    ]

    def lay_out(growth: float, further: Sequence[Flowable]) -> SheetPart:
        """The roster with boxes larger by the factor ``growth``, and with these ``further`` blocks
        before the notes."""
        columns = _in_columns(
            [limits, loss_track_of_army(army, growth), *after_track], page.measure
        )
        units = _units(army, page.measure, growth)
        story = [*head, *units, *firing, columns, Gap(GAP), *further, OwnNotes()]
        name = army.army_list.name
        return SheetPart(page, story, name, "Army roster", name, GAME, revision=revision)

    roster = roomiest(lay_out, tables_to_play_by(army.catalog, army.rulings, page.measure))
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
    return head + _breach_blocks(army, exceeded)


def _firing(army: Army, width: float) -> list[Flowable]:
    """The firing table of the army's weapons."""
    fielded = [army.catalog.units[unit] for unit in army.fielded()]
    firing = Firing(army.catalog, army.rulings, army.nation)
    return firing_section(army.catalog, firing, fielded, width)


def _in_columns(blocks: Sequence[Sequence[Flowable]], width: float) -> Flowable:
    """Blocks side by side in two columns, each unbroken; empty ones are left out."""
    unbroken: list[Block] = []
    for block in blocks:
        if block:
            unbroken.append([Unbroken(block)])
    left, right = in_two_columns(unbroken, (width - GUTTER) / 2)
    return two_columns(left, right, width)


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
    nation, ink = "Without nationalities", inks.BAND
    if army.nation:
        nation = army.nation.name
        ink = inks.NATIONS.get(army.nation.id, ink)
    quality = "Without force quality"
    if army.quality:
        quality = f"{army.quality.name} troops"
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


def _units(army: Army, width: float, growth: float) -> list[Flowable]:
    """Units by their groups, then works."""
    bought_units = [unit for unit, _ in army.bought()]
    blocks = [*_unit_blocks(army), *_works_blocks(army)]
    if not blocks:
        return [*section("Units", [paragraph("No units yet.")]), Gap(GAP)]
    head = Head("Units", "code = letter and number, as on the screen")
    story = [
        head,
        unit_table(width, BOUGHT_COLUMNS, blocks, growth=growth),
        *shared_letters(bought_units),
    ]
    if army.free:
        story += [Gap(1), paragraph("Dashed boxes: free men, at no cost.", styles.NOTE)]
    story.append(Gap(GAP))
    return story


def _works_blocks(army: Army) -> list[UnitBlock]:
    """The works of an army, if it has any. They have neither codes nor strength, and so they stand
    apart."""
    lines = []
    for work, count in _works(army):
        without_codes = [""] * count
        boxes = numbered_boxes(without_codes, work.id, work.name)
        lines.append(_line(army, work, bought=count, free=0, boxes=boxes))
    if not lines:
        return []
    title = paragraph("Works", styles.FORCE, aside="do not count as losses")
    return [UnitBlock([title], lines)]


def _unit_blocks(army: Army) -> list[UnitBlock]:
    """The groups of an army with the codes of all their units; free men have dashed boxes."""
    codes_to_give = CodesToGive(army.catalog)
    has_groups = bool(army.army_list.groups)
    blocks = []
    for number, (name, counts, free_men) in enumerate(army.blocks(), 1):
        # Free men are more of a unit that is bought, so that these are all units.
        fielded = {unit: count + free_men.get(unit, 0) for unit, count in counts.items()}
        codes = codes_to_give.give(fielded)
        lines = []
        # In the order of the catalog, as the units of the whole army.
        for unit, _ in army.bought():
            if unit.id not in counts:
                continue
            # A unit may be in several groups, and the names of fields must differ.
            field_name = unit.id
            if has_groups:
                field_name = f"{unit.id}_{number}"
            bought, free = counts[unit.id], free_men.get(unit.id, 0)
            boxes = _boxes(unit, codes[unit.id], bought, field_name)
            lines.append(_line(army, unit, bought=bought, free=free, boxes=boxes))
        titles: list[Flowable] = []
        if has_groups:
            titles.append(paragraph(plain(name), styles.FORCE))
        blocks.append(UnitBlock(titles, lines))
    return blocks


def _boxes(unit: UnitType, codes: Sequence[str], bought: int, field_name: str) -> list[Box]:
    """A box for each piece of a unit in a group; those after the ``bought`` are free."""
    boxes = []
    for number, code in enumerate(codes, 1):
        marks = UNMARKED
        if number > bought:
            marks = TO_COME  # a box with this mark is dashed
        field = FormField(f"tick-{field_name}-{number}", f"{unit.name} {code}")
        boxes.append(Box(code, marks, field))
    return boxes


def _line(
    army: Army, piece: UnitType | Work, *, bought: int, free: int, boxes: Sequence[Box]
) -> UnitLine:
    """A line of the roster, with how many are ``bought`` and how many come ``free`` besides."""
    number = str(bought)
    if free:
        number = f"{bought} + {free} free"
    price = army.price(piece.id)
    texts = piece.name, number, str(price), str(price * bought), move_in_words(piece)
    return UnitLine(piece, texts, boxes)


# ------------------------------------------------------------------ purchase limits


def _breach_blocks(army: Army, exceeded: Sequence[LimitGauge]) -> list[Flowable]:
    """The limits that are broken, with the smallest repair, and those that are waived. ``exceeded``
    are both together."""
    blocks: list[Flowable] = []
    broken = _broken_limits(army, exceeded)
    if broken:
        aside = f"{len(broken)} limits broken"
        if len(broken) == 1:
            aside = "1 limit broken"
        lines: list[Flowable] = [paragraph(broken[0])]
        for text in broken[1:]:
            lines += [Gap(1.2), paragraph(text)]
        blocks += [Head("Not legal", aside, inks.ACCENT), Panel(Stack(lines)), Gap(GAP)]
    waived = _waived_limits(army, exceeded)
    if waived:
        blocks += [*listing("Limits waived on purpose", waived, "agreed at this table"), Gap(GAP)]
    return blocks


def _broken_limits(army: Army, exceeded: Sequence[LimitGauge]) -> list[str]:
    """What is said of each limit that is broken and not waived, with its smallest repair."""
    texts = []
    for breach in exceeded:
        if breach.is_waived:
            continue
        text = breach.message
        repair = repair_words(breach.repair, army)
        if repair:
            text += f" Smallest repair: {repair}."
        texts.append(text)
    return texts


def _waived_limits(army: Army, exceeded: Sequence[LimitGauge]) -> list[tuple[str, str]]:
    """The titles of the limits that are waived, each with what the army does and the reason."""
    titles = {limit.id: limit.title for limit in army.catalog.limits}
    waived = []
    for limit_id, reason in army.army_list.overrides.items():
        messages = [breach.message for breach in exceeded if breach.limit.id == limit_id]
        fact = "The army keeps within this limit anyway."
        if messages:
            fact = " ".join(messages)
        reason_given = reason or "none given"
        waived.append((titles[limit_id], f"{fact} Reason: {reason_given}"))
    return waived


def _limits(army: Army, width: float) -> list[Flowable]:
    """Each purchase limit with a bar, what is used, and what is allowed."""
    rows: list[Cells] = []
    for gauge in gauges(army):
        is_least = gauge.limit.is_least
        allowed = whole_or_half(gauge.allowed)
        if is_least:  # a limit that an army has to reach
            allowed = f"at least {allowed}"
        bar = LimitBar(_share_used(gauge), is_met=gauge.is_met, is_minimum=is_least)
        used = f"{whole_or_half(gauge.have)} / {allowed}"
        rows.append([gauge.label, Stack([Gap(0.6), bar]), used, _measure(gauge)])
    table = printed_table(width, LIMIT_COLUMNS, rows, air=0.4, tinted=False, pad=0)
    return [Head("Limits", "used / allowed"), table]


def _measure(gauge: LimitGauge) -> Flowable:
    """What a limit measures, points or pieces, and whether it is broken or waived."""
    measure = "pieces"
    if gauge.limit.measure == "points":
        measure = "points"
    if gauge.is_met:
        return paragraph(measure, styles.NOTE)
    if gauge.is_waived:
        return paragraph(f"{measure} waived", styles.NOTE)
    return paragraph(f"{measure} broken", styles.NOTE._replace(ink=inks.ACCENT))


def _share_used(gauge: LimitGauge) -> float:
    """What is used, as a share of what is allowed; where nothing is allowed, anything is all of
    it."""
    if gauge.allowed:
        return float(gauge.have / gauge.allowed)
    if gauge.have:
        return 1.0
    return 0.0


# ------------------------------------------------------------------ share code


def share_block(army_list: ArmyList, width: float) -> list[Flowable]:
    """The share code, to be scanned or typed. Omitted for an army that is too long for one."""
    try:
        code = code_of(army_list)
    except CodeError:
        return []
    if len(code) > LONGEST_CODE:
        return []
    square_code = CodeToScan(code, SMALLEST_SIDE)
    side = square_code.side
    text = "Scan or type the code and import it: skirmish army import CODE"
    words = Stack([Gap(4), paragraph(text, styles.SMALL), Gap(2), paragraph(code, styles.NOTE)])
    row = CellRow([Cell(0, side, square_code), Cell(side, width - side, words)], below=0, weight=0)
    return [Head("Share", "this army in another Skirmish"), row]
