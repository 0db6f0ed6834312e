"""The weapons of a scenario on one strip: who fires them, how far, what kills, what changes that.

Every figure is that of a shot which the rules of the game resolve; none is written here. A weapon
has a row of its own; where that were more than six, those that differ least share one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias, TypeVar

from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.odds.rounding import percent
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon
from skirmish.games.plastic.rules.firing_table import NONE, fired_by
from skirmish.games.plastic.rules.shot import (
    Aim,
    Circumstances,
    Shot,
    aim,
    may_be_hull_down,
    ranks_that_hit,
    target_kind,
)
from skirmish.games.plastic.scenarios.happenings import AskAtSetup, DrawTable
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import BOLD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.text import PlacedLine, line_width, paragraph, write, write_all
from skirmish.sheets.paper import ROW, STEP
from skirmish.sheets.scenario.forces import proposed_units
from skirmish.tabletop.measure import CENTIMETRES_AN_INCH

_FAR = Circumstances(distance=1)
"""Out of contact. An inch is in range of every weapon, and nothing that the strip tells depends on
how far it is."""
_BEHIND = Circumstances(distance=1, rear=True)
"""The same from behind the target."""
_TOUCHING = Circumstances(touching=True, phase=4)
"""In contact, in phase 4, in which those who touch fight."""
MOST_ROWS = 6
"""So many rows has the strip at most, unless more than twice as many weapons fire: no more than two
share a row."""
_TITLES = (
    "",
    "fired by",
    "range",
    "guys",
    "tanks",
    "pillboxes",
    "unarmored",
    "in cover",
    "repeat fire",
    "op fire",
)
"""The titles of the columns; that of the weapons' names needs none."""
_FIRED_BY = _TITLES.index("fired by")
"""The index of the column of symbols."""
_TITLE = Style(LABEL, 7.2, 7.2, ink=inks.QUIET)


class _StripType(NamedTuple):
    """The type in which a strip is set: its numbers, words, shares of a deck, and centimetres."""

    number: Style
    words: Style
    share: Style
    metric: Style


_USUAL = _StripType(
    Style(BOLD, 8.4, 8.4),
    Style(MEDIUM, 8, 8),
    Style(MEDIUM, 7, 7, ink=inks.QUIET),
    Style(MEDIUM, 7.4, 7.4, ink=inks.QUIET),
)
_CLOSE = _StripType(
    Style(BOLD, 7.6, 7.6),
    Style(MEDIUM, 7.2, 7.2),
    Style(MEDIUM, 6.6, 6.6, ink=inks.QUIET),
    Style(MEDIUM, 6.6, 6.6, ink=inks.QUIET),
)
"""For a strip that is wider than the page in the usual type."""
_LEAST_GAP = 5.0
"""Points between two columns."""
_SHARE_BEGINS, _METRIC_BEGINS = 22, 17
"""Points from the number of a cell to what follows it, so that both stand in columns."""
_SPACE = 2.4
"""Points between a number and what follows it where two weapons share a cell."""
_STROKE = "/"
"""Between what two weapons have in a cell."""
_BELOW_MIDDLE = 2.9
"""Points from the middle of a row down to its baseline."""
_STROKE_STEP = 6.0
"""Points from the left of a stroke to the symbols after it."""
_SIGN_STEP = 13.4
"""Points from the symbol of a unit to the next."""
_NAMED_BY_STRIP = {"tank", "tiger", "pillbox"}
"""Tags of armored units that have a column or a sentence of their own."""


class KillChance(NamedTuple):
    """What kills one kind of target. ``needs``: the ranks, ``A-5``; ``share``: the share of the
    cards of a fresh deck, ``42%``; both are empty where the weapon may not fire at it.
    ``touching``: it may only in contact."""

    needs: str
    share: str
    touching: bool = False


class WeaponHolder(NamedTuple):
    """A unit that has a weapon, in the ink of its side; in black if both sides have it."""

    unit: UnitType
    look: SideInk


class StripLine(NamedTuple):
    """A weapon with the units that have it, and what the strip tells of it: its ``chances`` against
    guys, tanks, pillboxes and unarmored models, in this order, and in words what cover changes, its
    ``repeat`` fire, and whether it fires in the enemy's turn."""

    weapon: Weapon
    holders: Sequence[WeaponHolder]
    chances: Sequence[KillChance]
    in_cover: str
    repeat: str
    op_fire: str

    @property
    def shooter(self) -> UnitType:
        """The first holder, for whom the shots are resolved."""
        return self.holders[0].unit


def weapon_lines(
    scenario: Scenario,
    catalog: Catalog,
    rulings: Mapping[str, str],
    looks: Mapping[str, SideInk],
) -> list[StripLine]:
    """A line for each weapon of both sides, in the order of the rules. ``looks``: the ink of each
    side."""
    # By weapon and unit, the look of the unit's symbol.
    holders: dict[str, dict[str, SideInk]] = {}
    for side in scenario.order_of_play():
        units = [catalog.units[unit] for unit in units_of(scenario, side)]
        for weapon, units_with_it in fired_by(units, catalog, rulings):
            look_of_unit = holders.setdefault(weapon.id, {})
            for unit in units_with_it:
                look = looks[side]
                if unit.id in look_of_unit:
                    # Both sides have it: in the ink of neither.
                    look = SideInk(inks.BLACK, look.solid)
                look_of_unit[unit.id] = look
    table = _ShotTable(catalog, rulings)
    lines = []
    for weapon in catalog.weapons.values():
        if weapon.id in holders:
            looks_of_units = holders[weapon.id].items()
            have_it = [WeaponHolder(catalog.units[unit], look) for unit, look in looks_of_units]
            lines.append(table.line(weapon, have_it))
    return lines


class StripRow(NamedTuple):
    """A row of the strip: a weapon, or two that share it."""

    lines: tuple[StripLine, ...]


def strip_rows(lines: Sequence[StripLine]) -> list[StripRow]:
    """A row for each weapon, in their order. Where that were more than ``MOST_ROWS``, those that
    differ least share one, but never more than two: more than twelve weapons take more rows."""
    rows = [StripRow((line,)) for line in lines]
    while len(rows) > MOST_ROWS:
        alone = [row for row in rows if len(row.lines) == 1]
        if len(alone) < 2:
            break
        first, second = min(combinations(alone, 2), key=_unlikeness)
        rows[rows.index(first)] = StripRow((*first.lines, *second.lines))
        rows.remove(second)
    return rows


def _unlikeness(rows: tuple[StripRow, StripRow]) -> tuple[bool, int]:
    """How little two weapons suit one row, each with a row of its own so far; the lowest suit best.
    First of all those that the rules call by one name, as an 88 is a cannon; then those that differ
    in the fewest figures. A word counts as two, since it takes twice the room of a number."""
    (first,), (second,) = (row.lines for row in rows)
    names = {first.weapon.id, *first.weapon.other_ids}
    is_of_one_kind = not names.isdisjoint({second.weapon.id, *second.weapon.other_ids})
    differences = int(_reach(first.weapon) != _reach(second.weapon))
    for first_chance, second_chance in zip(first.chances, second.chances, strict=True):
        differences += int(first_chance != second_chance)
    first_words = (first.in_cover, first.repeat, first.op_fire)
    second_words = (second.in_cover, second.repeat, second.op_fire)
    for first_word, second_word in zip(first_words, second_words, strict=True):
        differences += 2 * int(first_word != second_word)
    return not is_of_one_kind, differences


def units_of(scenario: Scenario, side: str) -> list[str]:
    """The ids of the units that a side may have: those of its contingents, those that our proposed
    answers to questions before play add, and those that it may draw."""
    units: dict[str, None] = {}  # a set that keeps the order
    for contingent in scenario.side(side).contingents:
        units.update(dict.fromkeys(contingent.most_units()))
    for happening in scenario.happenings:
        match happening:
            case AskAtSetup(side=own) if own == side:
                units.update(dict.fromkeys(proposed_units(happening)))
            case DrawTable(side=own) if own == side:
                for row in happening.rows:
                    units.update(dict.fromkeys(row.units or {}))
    return list(units)


def scenario_units(scenario: Scenario, catalog: Catalog) -> list[UnitType]:
    """The units of both sides, each once."""
    ids: list[str] = []
    for side in scenario.order_of_play():
        ids += units_of(scenario, side)
    return [catalog.units[id] for id in dict.fromkeys(ids)]


class _ShotTable:
    """Says what shots need, at one target of each kind that has a column."""

    def __init__(self, catalog: Catalog, rulings: Mapping[str, str]) -> None:
        self.catalog, self.rulings = catalog, rulings
        self.deck = packs.fresh(rulings)
        # The first unit of each kind in the rules stands for all of its kind.
        units = catalog.units.values()
        self.guy = next(unit for unit in units if unit.is_guy)
        self.tank = next(unit for unit in units if "tank" in unit.tags)
        self.pillbox = next(unit for unit in units if "pillbox" in unit.tags)
        self.unarmored = next(unit for unit in units if unit.kind == "unarmored")

    def line(self, weapon: Weapon, holders: Sequence[WeaponHolder]) -> StripLine:
        """The figures of a weapon, as its first holder fires it."""
        shooter = holders[0].unit
        targets = self.guy, self.tank, self.pillbox, self.unarmored
        chances = [self._chance(shooter, weapon, target) for target in targets]
        cover = "no help"
        if self._is_helped_by_cover(shooter, weapon):
            cover = "black misses"
        repeat = NONE
        if weapon.guys and not weapon.guys.touch:
            repeat_fire = self._aim(shooter, weapon, self.guy, _FAR).repeat
            if repeat_fire:
                repeat = f"{repeat_fire.within}″ of {repeat_fire.of} man"
        op_fire = "yes"
        if weapon.pins:
            op_fire = "pins"
        return StripLine(weapon, holders, chances, cover, repeat, op_fire)

    def _chance(self, shooter: UnitType, weapon: Weapon, target: UnitType) -> KillChance:
        """What kills such a target: from afar or, if the weapon fires at it in contact only,
        there."""
        kill = weapon.against(target.kind)
        if kill is None:
            return KillChance("", "")
        circumstances = _FAR
        if kill.touch:
            circumstances = _TOUCHING
        shot = self._aim(shooter, weapon, target, circumstances)
        share = f"{percent(one_shot(shot, self.deck).hit)}%"
        return KillChance(ranks_that_hit(shot.needs), share, kill.touch)

    def _is_helped_by_cover(self, shooter: UnitType, weapon: Weapon) -> bool:
        """Whether cover saves the first kind of target that the weapon fires at from afar."""
        covered = Circumstances(distance=1, cover=True)
        for target in (self.guy, self.unarmored, self.tank):
            kill = weapon.against(target.kind)
            if kill and not kill.touch:
                return bool(self._aim(shooter, weapon, target, covered).saves)
        return False

    def behind_a_tank(self, shooter: UnitType, weapon: Weapon) -> str:
        """The ranks that are needed from behind a tank, such as ``A-9``; empty if they are the same
        as from ahead."""
        if weapon.armored is None or weapon.armored.touch:
            return ""
        ahead = self._aim(shooter, weapon, self.tank, _FAR).needs
        behind = self._aim(shooter, weapon, self.tank, _BEHIND).needs
        if behind == ahead:
            return ""
        return ranks_that_hit(behind)

    def at_heavier(self, shooter: UnitType, weapon: Weapon, target: UnitType) -> str:
        """The ranks that are needed at a model with more armor than a tank, such as a Tiger, from
        ahead and from behind; empty for other targets."""
        if weapon.armored is None or weapon.armored.touch or target.kind != "armored":
            return ""
        needs = self._aim(shooter, weapon, target, _FAR).needs
        # ``needs`` is the highest rank that hits: the lower it is, the heavier the armor.
        if needs >= self._aim(shooter, weapon, self.tank, _FAR).needs:
            return ""
        behind = self._aim(shooter, weapon, target, _BEHIND).needs
        return f"{ranks_that_hit(needs)}, from behind {ranks_that_hit(behind)}"

    def in_contact(self, shooter: UnitType, weapon: Weapon) -> str:
        """The ranks that are needed at guys in contact, with "once" if only there the weapon has no
        repeat fire; empty if nothing is different there."""
        if weapon.guys is None or weapon.guys.touch:
            return ""
        far = self._aim(shooter, weapon, self.guy, _FAR)
        near = self._aim(shooter, weapon, self.guy, _TOUCHING)
        if near.needs == far.needs and bool(near.repeat) == bool(far.repeat):
            return ""
        words = ranks_that_hit(near.needs)
        if far.repeat and not near.repeat:
            words += ", once"
        return words

    def _aim(
        self, shooter: UnitType, weapon: Weapon, target: UnitType, circumstances: Circumstances
    ) -> Aim:
        # Without traits of nations: they are optional, and a line of the strip is for both sides.
        shot = Shot(
            shooter=shooter, weapon=weapon, target=target, circumstances=circumstances, nation=None
        )
        return aim(shot, self.catalog, self.rulings)


def weapon_notes(
    lines: Sequence[StripLine],
    units: Sequence[UnitType],
    catalog: Catalog,
    rulings: Mapping[str, str],
    style: Style,
) -> Flowable:
    """What the strip has no column for: contact, hull down, a tank's rear."""
    table = _ShotTable(catalog, rulings)
    sentences = []
    if any(chance.touching for line in lines for chance in line.chances):
        sentences.append("* Only touching (phases 3, 4).")
    # Of craft nothing is said: on water there are no works, walls or crests.
    if any(may_be_hull_down(unit, rulings) and not unit.water_move for unit in units):
        sentences.append(
            "Hull down (vehicle or cannon behind works, wall, crest): black misses, any weapon."
        )
    for line in lines:
        sentences += _notes_on_weapon(line, _units_on_strip(lines), table)
    sentences += _shared_notes("In contact with guys", lines, table.in_contact)
    if any("tank" in unit.tags for unit in units):
        sentences += _shared_notes(
            "From behind the line of a tank's rear", lines, table.behind_a_tank
        )
    return paragraph(" ".join(sentences), style)


def _notes_on_weapon(
    line: StripLine, targets: Sequence[UnitType], table: _ShotTable
) -> Iterator[str]:
    """What is true of one weapon alone: what it needs at heavy models among the ``targets``, and
    its ranges, if it has two."""
    for target in targets:
        needed = table.at_heavier(line.shooter, line.weapon, target)
        if needed:
            yield f"{line.weapon.name} at {target.short}: {needed}."
    reach = _reach(line.weapon)
    if reach != line.weapon.range:
        yield f"{line.weapon.name}: {reach}″ at guys, {line.weapon.range}″ at models."


def _shared_notes(
    lead: str, lines: Sequence[StripLine], needed_by: Callable[[UnitType, Weapon], str]
) -> Iterator[str]:
    """A sentence for each of the ranks that ``needed_by`` tells, with all weapons that need it."""
    weapons: dict[str, list[str]] = {}
    for line in lines:
        needed = needed_by(line.shooter, line.weapon)
        if needed:
            weapons.setdefault(needed, []).append(line.weapon.name.lower())
    for needed, names in weapons.items():
        yield f"{lead}, {listed(names)}: {needed}."


def strip_aside(units: Iterable[UnitType], rulings: Mapping[str, str]) -> str:
    """What stands beside the head of the strip: what its figures are, and for which other models of
    this scenario the columns hold: ``... · as tanks: Halftrack · unarmored: Truck``."""
    parts = ["kills on these ranks; share of a fresh deck"]
    armored, unarmored = [], []
    for unit in units:
        kind = target_kind(unit, rulings)
        if kind == "unarmored":
            unarmored.append(unit.short)
        elif kind == "armored" and not _NAMED_BY_STRIP.intersection(unit.tags):
            armored.append(unit.short)
    if armored:
        parts.append(f"as tanks: {', '.join(armored)}")
    if unarmored:
        parts.append(f"unarmored: {', '.join(unarmored)}")
    return " · ".join(parts)


def _units_on_strip(lines: Sequence[StripLine]) -> list[UnitType]:
    """The units that have any of the weapons, each once."""
    units = {}
    for line in lines:
        for holder in line.holders:
            units[holder.unit.id] = holder.unit
    return list(units.values())


def listed(names: Iterable[str]) -> str:
    """The names in a sentence, of which there is at least one: ``Rifle, Mortar and Cannon``."""
    in_order = list(names)
    if len(in_order) == 1:
        return in_order[0]
    return f"{', '.join(in_order[:-1])} and {in_order[-1]}"


def _reach(weapon: Weapon) -> int:
    """The range of a weapon in inches; that at guys where it has another at them."""
    if weapon.guys and weapon.guys.range:
        return weapon.guys.range
    return weapon.range


def _in_centimetres(inches: int) -> str:
    """``90 cm`` of 36 inches: at ``CENTIMETRES_AN_INCH``, halves rounded up."""
    return f"{int(inches * CENTIMETRES_AN_INCH + 0.5)} cm"


class _CellPiece(NamedTuple):
    """A number or a word in a cell; ``begins``: points from the left of the cell."""

    begins: float
    text: str
    style: Style

    @property
    def ends(self) -> float:
        return self.begins + line_width(self.text, self.style)


StripCell: TypeAlias = Sequence[_CellPiece]
"""What stands in a cell, from left to right."""
Figure = TypeVar("Figure")


def _differing(figures: Iterable[Figure]) -> list[Figure]:
    """Each of the figures of the weapons of a row once."""
    return list(dict.fromkeys(figures))


def _in_sequence(groups: Iterable[Sequence[tuple[str, Style]]], between: Style) -> StripCell:
    """Numbers and words one after the other, each with its style, and between two groups a stroke
    in the style ``between``."""
    cell: list[_CellPiece] = []
    x = 0.0
    for group in groups:
        if cell:
            stroke = _CellPiece(x + _SPACE, _STROKE, between)
            cell.append(stroke)
            x = stroke.ends + _SPACE
        for number, (text, style) in enumerate(group):
            if number:
                x += _SPACE
            piece = _CellPiece(x, text, style)
            cell.append(piece)
            x = piece.ends
    return cell


class _StripCells:
    """What stands in the cells of a strip, in one type, without the symbols."""

    def __init__(self, rows: Sequence[StripRow], type: _StripType) -> None:
        self.type = type
        self.rows = [self._cells(row.lines) for row in rows]

    def width(self, column: int) -> float:
        """What a column needs, with its title."""
        widest = line_width(_TITLES[column], _TITLE)
        for row in self.rows:
            for piece in row[column]:
                widest = max(widest, piece.ends)
        return widest

    def _cells(self, lines: Sequence[StripLine]) -> list[StripCell]:
        """The cells of a row, by column. That of the symbols is empty: they are drawn by
        ``_SymbolCell``."""
        names = _differing(line.weapon.name for line in lines)
        no_symbols: StripCell = []
        cells = [self._words(names, self.type.number), no_symbols]
        cells.append(self._reaches(_differing(_reach(line.weapon) for line in lines)))
        for chances in zip(*(line.chances for line in lines), strict=True):
            cells.append(self._chances(_differing(chances)))
        for words in (
            [line.in_cover for line in lines],
            [line.repeat for line in lines],
            [line.op_fire for line in lines],
        ):
            cells.append(self._words(_differing(words), self.type.words))
        return cells

    def _words(self, words: Sequence[str], style: Style) -> StripCell:
        """One word, or those of two weapons with a stroke between them."""
        return _in_sequence([[(word, style)] for word in words], self.type.share)

    def _reaches(self, reaches: Sequence[int]) -> StripCell:
        """``36″ 90 cm``; of two weapons ``36″ 90 cm / 24″ 60 cm``."""
        number, metric = self.type.number, self.type.metric
        groups = [((f"{reach}″", number), (_in_centimetres(reach), metric)) for reach in reaches]
        if len(groups) > 1:
            return _in_sequence(groups, self.type.share)
        inches, centimetres = groups[0]
        return [_CellPiece(0, *inches), _CellPiece(_METRIC_BEGINS, *centimetres)]

    def _chances(self, chances: Sequence[KillChance]) -> StripCell:
        """``A-5 42%``, or ``A-5* 42%`` of what kills only in contact."""
        groups = []
        for chance in chances:
            needs = chance.needs or NONE
            if chance.touching:
                needs += "*"
            group = [(needs, self.type.number)]
            if chance.share:
                group.append((chance.share, self.type.share))
            groups.append(group)
        if len(groups) > 1:
            return _in_sequence(groups, self.type.share)
        needed, *shares = groups[0]
        cell = [_CellPiece(0, *needed)]
        for share in shares:
            cell.append(_CellPiece(_SHARE_BEGINS, *share))
        return cell


class _SymbolCell:
    """The symbols of a row from left to right: the units that have its weapon; after a stroke those
    of the weapon that shares it."""

    def __init__(self, row: StripRow) -> None:
        self.holders: list[tuple[float, WeaponHolder]] = []
        """Each with its left in points."""
        self.strokes: list[float] = []
        self.wide = 0.0
        for line in row.lines:
            if self.holders:
                self.strokes.append(self.wide)
                self.wide += _STROKE_STEP
            for holder in line.holders:
                self.holders.append((self.wide, holder))
                self.wide += _SIGN_STEP

    def paint(self, canvas: Canvas, x: float, middle: float, room: float) -> None:
        """Draw the symbols around the level ``middle``, in their size, or smaller if they are wider
        than ``room``."""
        scale = min(1.0, room / self.wide)
        for left in self.strokes:
            write(canvas, x + left * scale, middle - _BELOW_MIDDLE, _STROKE, _USUAL.share)
        for left, (unit, look) in self.holders:
            canvas.saveState()
            canvas.translate(x + (left + _SIGN_STEP / 2 - 0.7) * scale, middle)
            canvas.scale(0.92 * scale, 0.92 * scale)
            Symbol(unit, look.ink, solid=look.solid).draw(canvas)
            canvas.restoreState()


class _Columns(NamedTuple):
    """How a strip is set in a width: its cells, where each column begins, and how wide that of the
    symbols is."""

    cells: _StripCells
    begins: Sequence[float]
    symbols: float


class WeaponStrip(Drawing):
    """The strip below its head; its rows ``pitch`` points high."""

    def __init__(self, lines: Sequence[StripLine], pitch: float = 0.9 * ROW) -> None:
        self.rows, self.pitch = strip_rows(lines), pitch
        self.symbols = [_SymbolCell(row) for row in self.rows]

    def height_at(self, width: float) -> float:
        return 2 * STEP + 1 + len(self.rows) * self.pitch

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        columns = self._columns(width)
        lines = []
        for title, begin in zip(_TITLES, columns.begins, strict=True):
            lines.append(PlacedLine(x + begin, top - 6.4, title, _TITLE))
        level = top - 2 * STEP - 1
        for symbols, cells in zip(self.symbols, columns.cells.rows, strict=True):
            rule(canvas, x, x + width, level, 0.3, ink=inks.FAINT)
            middle = level - self.pitch / 2
            for begin, cell in zip(columns.begins, cells, strict=True):
                for piece in cell:
                    place = x + begin + piece.begins
                    lines.append(PlacedLine(place, middle - _BELOW_MIDDLE, piece.text, piece.style))
            symbols.paint(canvas, x + columns.begins[_FIRED_BY], middle, columns.symbols)
            level -= self.pitch
        rule(canvas, x, x + width, level, 0.3, ink=inks.FAINT)
        write_all(canvas, lines)

    def _columns(self, width: float) -> _Columns:
        """In the usual type if that has room, with what is left over spread between the columns.
        Where there is none even in the closer one, long rows of symbols are drawn smaller."""
        wanted = max(symbols.wide for symbols in self.symbols)
        gaps = _LEAST_GAP * (len(_TITLES) - 1)
        for type in (_USUAL, _CLOSE):
            cells = _StripCells(self.rows, type)
            widths = [cells.width(column) for column in range(len(_TITLES))]
            room = width - gaps - sum(widths) + widths[_FIRED_BY]
            if wanted <= room:
                break
        # Of the last type that was tried: the first that has room, else the closer one.
        widths[_FIRED_BY] = max(widths[_FIRED_BY], min(wanted, room))
        gap = (width - sum(widths)) / (len(_TITLES) - 1)
        begins = [0.0]
        for column_width in widths[:-1]:
            begins.append(begins[-1] + column_width + gap)
        return _Columns(cells, begins, widths[_FIRED_BY])
