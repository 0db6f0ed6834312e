"""The order of battle of one side: contingents, their units with a coded box for each, options,
works. On a form the boxes and the rings of options can be ticked on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.happening_kinds import AskAtSetup
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.blocks import Head, SideLetters
from skirmish.sheets.layout.boxes import CHOOSE, TICK, Boxes, Ring, field, numbered
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, with_next
from skirmish.sheets.layout.fonts import MEDIUM
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import MM
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
    options = [option for group in chosen for one in group for option in one]
    every = [*fixed, *options, *(units for _, units in asked)]
    codes = {code for units in every for row in units.values() for code in row}
    widest = max((fonts.width(code, MEDIUM, SMALLEST) for code in codes), default=0)
    whose = (str(scenario.number), side.id) if form else ()
    block = _Block(catalog, max(_BOX, widest + _AROUND), width, whose, paired=paired)
    pieces: list[Flowable] = [
        Head(nation(side.id, catalog), role(side, scenario), look.ink),
        with_next(paragraph(side.name, styles.FORCE)),
    ]
    for group, units, ways in zip(side.contingents, fixed, chosen, strict=True):
        tags = SideLetters(letters(group), look)
        pieces += block.opening(tags, group.called, entry(group), group.deploy)
        pieces += block.lines([block.unit(unit, codes) for unit, codes in units.items()])
        for index, way in enumerate(ways, 1):
            pieces += block.choice(way, (group.id, index))
        pieces += block.lines(
            [
                block.row(catalog.works[work].name, [""] * count, numbered(count, group.id, work))
                for work, count in group.works.items()
            ]
        )
    for one, units in asked:  # as proposed
        title, tags = one.id.capitalize(), SideLetters((), look)
        pieces += block.opening(tags, title, "as settled before play")
        pieces += [block.unit(unit, codes, dashed=True) for unit, codes in units.items()]
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
        self, catalog: Catalog, box: float, width: float, whose: Sequence[str], *, paired: bool
    ) -> None:
        """``whose``: of which scenario and side the fields of a form are; nothing for paper."""
        self.catalog, self.box, self.width = catalog, box, width
        self.whose, self.paired = tuple(whose), paired

    def opening(
        self, tags: SideLetters, called: str, comes: str, deploy: str = ""
    ) -> list[Flowable]:
        wide, right = tags.taken, 32 * MM
        cells = [
            Cell(0, wide, tags),
            Cell(wide, self.width - right - MM - wide, paragraph(called, styles.STRONG)),
            Cell(self.width - right, right, paragraph(comes, styles.ENTRY)),
        ]
        note = [with_next(paragraph(deploy, styles.ASIDE))] if deploy else []
        return [with_next(CellRow(cells, above=2.2, below=0.2, weight=0)), *note, Gap(1, keep=True)]

    def lines(self, rows: Sequence[CellRow]) -> list[CellRow]:
        """Rows of units; if they may, two short ones that follow one another share a line."""
        found: list[CellRow] = []
        waiting: CellRow | None = None
        for row in rows:
            if waiting is not None and self.is_short(row):
                half = self.width / 2
                beside = [cell._replace(x=cell.x + half) for cell in row.cells]
                found[-1] = CellRow([*waiting.cells, *beside], above=_ABOVE, below=_BELOW)
                waiting = None
                continue
            waiting = row if self.paired and self.is_short(row) else None
            found.append(row)
        return found

    def is_short(self, row: CellRow) -> bool:
        boxes = row.cells[2].inner
        assert isinstance(boxes, Boxes)
        count = len(boxes.codes)
        wide = count * boxes.box + (count - 1) * Boxes.BETWEEN
        return count <= _FEW and _BOXES + wide <= self.width / 2 - MM

    def choice(
        self, coded: Sequence[Mapping[str, Codes]], which: Sequence[object]
    ) -> list[Flowable]:
        """The options of a choice, a ring to tick before each; ``which`` choice it is."""
        words = "Either of these:" if len(coded) == 2 else "One of these:"
        rows: list[CellRow] = []
        for number, option in enumerate(coded, 1):
            name = field(CHOOSE, *self.whose, *which) if self.whose else ""
            ring = Ring(name, number, len(option) * _LINE if len(option) > 1 else 0)
            for index, (unit, codes) in enumerate(option.items()):
                row = self.unit(unit, codes, (*which, number), inset=_RING)
                row.cells += () if index else (Cell(0, _RING, ring),)
                row.weight = 0.25 if index == len(option) - 1 else 0
                row.keepWithNext = index < len(option) - 1
                rows.append(row)
        alone = len(rows) == len(coded)
        title = [Gap(1.2, keep=True), with_next(paragraph(words, styles.ASIDE))]
        return [*title, *(self.lines(rows) if alone else rows)]

    def unit(
        self,
        unit: str,
        codes: Codes,
        option: Sequence[object] = (),
        *,
        inset: float = 0,
        dashed: bool = False,
    ) -> CellRow:
        """A unit's row. ``option``: of which option it is, for those of a choice share codes."""
        names = [field(*option, code) for code in codes]
        name = self.catalog.units[unit].name
        return self.row(name, codes, names, inset=inset, dashed=dashed)

    def row(
        self,
        name: str,
        codes: Sequence[str],
        names: Sequence[str],
        *,
        inset: float = 0,
        dashed: bool = False,
    ) -> CellRow:
        fields = [field(TICK, *self.whose, name) for name in names] if self.whose else ()
        boxes = Boxes(codes, self.box, dashed_from=0 if dashed else None, names=fields)
        cells = [
            Cell(inset, _NAME - inset, paragraph(name, styles.UNIT)),
            Cell(_NAME, _COUNT, paragraph(f"× {len(codes)}", styles.COUNT)),
            Cell(_BOXES, self.width - _BOXES, boxes),
        ]
        return CellRow(cells, above=_ABOVE, below=_BELOW)
