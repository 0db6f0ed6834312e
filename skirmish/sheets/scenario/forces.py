"""The order of battle of one side: contingents, their units with a coded box for each, options,
works. On a form the boxes and the rings of options can be ticked on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.happening_kinds import AskAtSetup
from skirmish.games.plastic.scenarios.order_of_battle import (
    OptionGroup,
    ScenarioContingent,
    ScenarioSide,
)
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.boxes import (
    CHOOSE,
    TICK,
    Boxes,
    Bracketed,
    FormRing,
    Ring,
    field,
    numbered,
)
from skirmish.sheets.layout.flowables import Canvas, Cell, Drawing, Flowable, Gap, Row, kept
from skirmish.sheets.layout.fonts import HEAD, MEDIUM
from skirmish.sheets.layout.text import (
    ASIDE,
    COUNT,
    ENTRY,
    FORCE,
    SMALLEST,
    STRONG,
    UNIT,
    Style,
    paragraph,
    write,
)
from skirmish.sheets.paper import MM, WHITE, SideInk
from skirmish.sheets.roster.units import Codes, Muster
from skirmish.sheets.scenario.words import entry, letters, nation, role

_NAME, _COUNT, _BOXES = 22.6 * MM, 5.8 * MM, 29.4 * MM
_RING = 4.4 * MM
_ABOVE, _BELOW = 0.5, 0.4
_LINE = 10 + _ABOVE + _BELOW
"""Of one unit: its type and the space around it."""
_FEW = 4
"""Boxes, with which a unit may share its line."""
_BOX = 3.5 * MM
"""So wide are boxes at least: fifteen stand side by side, and those of both sides line up."""
_AROUND = 0.9
"""Points beside the longest code in its box."""
_LETTER = Style(HEAD, 7.8, 7.8, "centre", WHITE)


def forces(
    scenario: Scenario,
    side: ScenarioSide,
    catalog: Catalog,
    look: SideInk,
    width: float,
    *,
    form: bool = False,
    paired: bool = False,
) -> list[Flowable]:
    """The side's block; codes run through all of it, and through what is settled before play as we
    propose it. ``paired``: units of a few boxes stand two in a line."""
    muster = Muster(catalog)
    fixed: list[dict[str, Codes]] = []
    chosen: list[list[list[dict[str, Codes]]]] = []
    for group in side.contingents:
        fixed.append(muster.next(group.units))
        chosen.append([muster.one_of(choice.one_of) for choice in group.choices])
    asked = [(one, muster.next(counts)) for one in scenario.questions()
             if one.side == side.id and (counts := proposed(one))]  # fmt: skip
    every = [row for group in fixed for row in group.values()]
    every += [row for group in chosen for one in group for option in one for row in option.values()]
    every += [row for _, units in asked for row in units.values()]
    codes = {code for row in every for code in row}
    widest = max((fonts.width(code, MEDIUM, SMALLEST) for code in codes), default=0)
    box = max(_BOX, widest + _AROUND)
    whose = (str(scenario.number), side.id) if form else ()
    block = _Block(catalog, box, width, look, whose, paired=paired)
    pieces: list[Flowable] = [
        Head(nation(side.id, catalog), role(side, scenario), look.ink),
        kept(paragraph(side.name, FORCE)),
    ]
    for group, units, options in zip(side.contingents, fixed, chosen, strict=True):
        pieces += block.contingent(group, units, options)
    for one, units in asked:
        pieces += block.asked(one, units)
    return pieces


def proposed(asked: AskAtSetup) -> dict[str, int]:
    """The units that our answer to a question puts on the table."""
    match asked.proposal:
        case dict(counts):
            return counts
        case int(count) if asked.unit:
            return {asked.unit: count}
    return {}


class _Block:
    def __init__(
        self,
        catalog: Catalog,
        box: float,
        width: float,
        look: SideInk,
        whose: Sequence[str],
        *,
        paired: bool,
    ) -> None:
        """``whose``: of which scenario and side the fields of a form are; nothing for paper."""
        self.catalog, self.box, self.width, self.look = catalog, box, width, look
        self.whose, self.paired = tuple(whose), paired

    def contingent(
        self,
        group: ScenarioContingent,
        units: Mapping[str, Codes],
        options: list[list[dict[str, Codes]]],
    ) -> list[Flowable]:
        pieces = self.opening(Tags(letters(group), self.look), group.called, entry(group))
        if group.deploy:
            pieces.append(kept(paragraph(group.deploy, ASIDE)))
        pieces.append(kept(Gap(1)))
        pieces += self.lines([self.unit(unit, codes) for unit, codes in units.items()])
        for index, (choice, coded) in enumerate(zip(group.choices, options, strict=True)):
            pieces += self.choice(choice, coded, (group.id, index + 1))
        works: list[Row] = [
            self.row(
                self.catalog.works[work].name,
                count,
                ("",) * count,
                numbered(count, TICK, *self.whose, group.id, work),
            )
            for work, count in group.works.items()
        ]
        return [*pieces, *self.lines(works)]

    def asked(self, one: AskAtSetup, units: Mapping[str, Codes]) -> list[Flowable]:
        """What is settled before play, as proposed: its boxes are dashed."""
        pieces = self.opening(Tags((), self.look), one.id.capitalize(), "as settled before play")
        pieces.append(kept(Gap(1)))
        return [*pieces, *(self.unit(unit, codes, dashed=True) for unit, codes in units.items())]

    def opening(self, tags: Tags, called: str, comes: str) -> list[Flowable]:
        wide, right = tags.taken, 32 * MM
        cells = [
            Cell(0, wide, tags),
            Cell(wide, self.width - right - MM - wide, paragraph(called, STRONG)),
            Cell(self.width - right, right, paragraph(comes, ENTRY)),
        ]
        return [kept(Row(cells, above=2.2, below=0.2, weight=0))]

    def lines(self, rows: Sequence[Row]) -> list[Row]:
        """Rows of units; if they may, two short ones that follow one another share a line."""
        found: list[Row] = []
        waiting: Row | None = None
        for row in rows:
            if waiting is not None and self.is_short(row):
                half = self.width / 2
                beside = [cell._replace(x=cell.x + half) for cell in row.cells]
                found[-1] = Row([*waiting.cells, *beside], above=_ABOVE, below=_BELOW)
                waiting = None
                continue
            waiting = row if self.paired and self.is_short(row) else None
            found.append(row)
        return found

    def is_short(self, row: Row) -> bool:
        boxes = row.cells[2].inner
        assert isinstance(boxes, Boxes)
        count = len(boxes.codes)
        wide = count * boxes.box + (count - 1) * Boxes.BETWEEN
        return count <= _FEW and _BOXES + wide <= self.width / 2 - MM

    def unit(
        self,
        unit: str,
        codes: Codes,
        *,
        ring: Flowable | None = None,
        inset: float = 0,
        option: Sequence[object] = (),
        dashed: bool = False,
    ) -> Row:
        """A unit's row. ``option``: of which option it is, for those of a choice share codes."""
        name = self.catalog.units[unit].name
        names = [field(TICK, *self.whose, *option, code) for code in codes]
        return self.row(name, len(codes), codes, names, ring=ring, inset=inset, dashed=dashed)

    def choice(
        self, choice: OptionGroup, coded: Iterable[Mapping[str, Codes]], which: Sequence[object]
    ) -> list[Flowable]:
        """The options of a choice, a ring to tick before each; ``which`` choice it is."""
        words = {2: "Either of these:"}.get(len(choice.one_of), "One of these:")
        pieces: list[Flowable] = [kept(Gap(1.2)), kept(paragraph(words, ASIDE))]
        rows: list[Row] = []
        for number, option in enumerate(coded, 1):
            many = len(option) > 1
            for index, (unit, codes) in enumerate(option.items()):
                ring: Flowable | None = self.ring(which, number) if index == 0 else None
                if isinstance(ring, Ring) and many:
                    ring = Bracketed(ring, len(option) * _LINE)
                row = self.unit(unit, codes, ring=ring, inset=_RING, option=(*which, number))
                row.weight = 0.25 if index == len(option) - 1 else 0
                row.keepWithNext = index < len(option) - 1
                rows.append(row)
        alone = len(rows) == len(choice.one_of)
        return [*pieces, *(self.lines(rows) if alone else rows)]

    def ring(self, which: Sequence[object], option: int) -> Ring:
        return FormRing(field(CHOOSE, *self.whose, *which), option) if self.whose else Ring()

    def row(
        self,
        name: str,
        count: int,
        codes: Codes,
        names: Sequence[str],
        *,
        ring: Flowable | None = None,
        inset: float = 0,
        dashed: bool = False,
    ) -> Row:
        dashed_from = 0 if dashed else None
        names = names if self.whose else ()
        boxes = Boxes(codes, self.box, dashed_from=dashed_from, names=names)
        cells = [
            Cell(inset, _NAME - inset, paragraph(name, UNIT)),
            Cell(_NAME, _COUNT, paragraph(f"× {count}", COUNT)),
            Cell(_BOXES, self.width - _BOXES, boxes),
        ]
        if ring:
            cells.append(Cell(0, _RING, ring))
        return Row(cells, above=_ABOVE, below=_BELOW)


class Tags(Drawing):
    """Letters side by side: in circles for a side with hollow marks, in squares for the other."""

    REACH = 5.0
    BETWEEN = 1.6
    AFTER = 3.4

    def __init__(self, letters: Sequence[str], look: SideInk) -> None:
        self.letters, self.look = tuple(letters), look

    @property
    def taken(self) -> float:
        """Points it takes, with the space before what follows; none without a letter."""
        count = len(self.letters)
        return count * 2 * self.REACH + (count - 1) * self.BETWEEN + self.AFTER if count else 0.0

    def height_at(self, width: float) -> float:
        return 10.0

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        middle = x + self.REACH
        y = top - 5.4
        for letter in self.letters:
            canvas.setFillColor(self.look.ink)
            if self.look.solid:
                side = 2 * self.REACH
                canvas.rect(middle - self.REACH, y - self.REACH, side, side, stroke=0, fill=1)
            else:
                canvas.circle(middle, y, self.REACH, stroke=0, fill=1)
            write(canvas, middle, y - 2.7, letter, _LETTER)
            middle += 2 * self.REACH + self.BETWEEN
