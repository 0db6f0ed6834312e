"""The order of battle of one side: contingents, their units with a coded box for each, options,
works. On a form the boxes and the rings of options can be ticked on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.scenarios.happening_kinds import AskAtSetup
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.words import besides, entry, letters, nation, role, span
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, SideLetters
from skirmish.sheets.layout.boxes import CHOOSE, TICK, Boxes, Ring, box_width, field, numbered
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, with_next
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.text import line_width, paragraph
from skirmish.sheets.paper import HAIR, MM
from skirmish.sheets.roster.units import Codes, Muster

_NAME, _BOXES = Symbol.WIDE + 2.4, 26.8 * MM
_RING = 5.4 * MM
_ABOVE, _BELOW = 0.4, 0.3
_LINE = Boxes.LEAD + _ABOVE + _BELOW
_APART = 7.0
"""Points between units of a line."""


def forces(
    scenario: Scenario,
    side: ScenarioSide,
    catalog: Catalog,
    look: SideInk,
    width: float,
    *,
    form: bool = False,
) -> list[Flowable]:
    """The side's block; codes run through all of it, and through what is settled before play as we
    propose it. Units of a few boxes share a line."""
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
    box = box_width(code for units in every for row in units.values() for code in row)
    whose = (str(scenario.number), side.id) if form else ()
    block = _Block(catalog, box, width, whose, look)
    points, pdg = (span(bounds(catalog)) for bounds in (side.points, side.pdg))
    strength = ", besides ".join(
        filter(None, (f"{points} points, {pdg} PDG", " and ".join(besides(scenario, side.id))))
    )
    pieces: list[Flowable] = [
        Head(nation(side.id, catalog), role(side, scenario), look.ink),
        with_next(paragraph(side.name, styles.FORCE, aside=strength)),
    ]
    for group, units, ways in zip(side.contingents, fixed, chosen, strict=True):
        pieces += block.opening(letters(group), group.called, f"{entry(group)}.", group.deploy)
        pieces += block.lines([block.unit(unit, codes) for unit, codes in units.items()])
        for index, way in enumerate(ways, 1):
            pieces += block.choice(way, (group.id, index))
        pieces += block.lines(
            [
                block.item(catalog.works[work].name, [""] * count, numbered(count, group.id, work))
                for work, count in group.works.items()
            ]
        )
    for one, units in asked:
        pieces += block.opening((), one.id.capitalize(), "as settled before play")
        pieces += block.lines(
            [block.unit(unit, codes, dashed=True) for unit, codes in units.items()]
        )
    return pieces


def proposed(asked: AskAtSetup) -> dict[str, int]:
    """The units that our answer to a question puts on the table."""
    match asked.proposal:
        case dict(counts):
            return counts
        case int(count) if asked.unit:
            return {asked.unit: count}
    return {}


class Item(NamedTuple):
    """A unit or work: its name and count, the points they take with its sign, and its boxes."""

    said: Flowable
    label: float
    boxes: Boxes
    kind: UnitType | None


class _Block:
    def __init__(
        self, catalog: Catalog, box: float, width: float, whose: Sequence[str], look: SideInk
    ) -> None:
        """``whose``: of which scenario and side the fields of a form are; nothing for paper."""
        self.catalog, self.box, self.width = catalog, box, width
        self.whose, self.look = tuple(whose), look

    def opening(
        self, tags: Sequence[str], called: str, comes: str, deploy: str = ""
    ) -> list[Flowable]:
        tag = SideLetters(tags, self.look)
        said = paragraph(comes, styles.PLAY, lead=called, aside=deploy)
        cells = [Cell(0, tag.taken, tag), Cell(tag.taken, self.width - tag.taken, said)]
        return [with_next(CellRow(cells, above=1.4, below=0, weight=0))]

    def lines(self, items: Sequence[Item], ring: Ring | None = None) -> list[CellRow]:
        """Units side by side as far as a line has room, their boxes below them from the left where
        they need more; behind the ``ring`` of the option that they are, if they are one."""
        begin = _RING if ring else 0.0
        rows: list[CellRow] = []
        x, cells = begin, [Cell(0, _RING, ring)] if ring else []

        def flush() -> None:
            nonlocal x, cells
            rows.append(CellRow(cells, above=_ABOVE, below=_BELOW, weight=0))
            x, cells = begin, []

        for item in items:
            if x > begin and x + item.label + item.boxes.across > self.width:
                flush()
            if item.kind:
                cells.append(Cell(x, _NAME, Symbol(item.kind, self.look.ink)))
            inner = x + (_NAME if item.kind else 0)
            cells.append(Cell(inner, x + item.label - inner, item.said))
            start = max(x + item.label, begin + _BOXES) if x == begin else x + item.label
            first, *rest = item.boxes.split(self.width - start, Boxes.LEAD) or [item.boxes]
            cells.append(Cell(start, self.width - start, first))
            x = start + first.across + _APART
            for more in rest:
                flush()
                rows[-1].keepWithNext = True
                cells.append(Cell(begin, self.width - begin, more))
                flush()
        if cells:
            flush()
        for row in rows[-1:]:
            row.weight = HAIR
        if ring:
            ring.bracket = len(rows) * _LINE if len(rows) > 1 else 0
            for row in rows[:-1]:
                row.keepWithNext = True
        return rows

    def choice(
        self, coded: Sequence[Mapping[str, Codes]], which: Sequence[object]
    ) -> list[Flowable]:
        """The options of a choice, a ring to tick before each; ``which`` choice it is."""
        words = "Either of these:" if len(coded) == 2 else "One of these:"
        rows: list[Flowable] = [Gap(1.2, keep=True), with_next(paragraph(words, styles.ASIDE))]
        for number, option in enumerate(coded, 1):
            name = field(CHOOSE, *self.whose, *which) if self.whose else ""
            units = [self.unit(unit, codes, (*which, number)) for unit, codes in option.items()]
            rows += self.lines(units, Ring(name, number))
        return rows

    def unit(
        self, unit: str, codes: Codes, option: Sequence[object] = (), *, dashed: bool = False
    ) -> Item:
        """A unit. ``option``: of which option it is, for those of a choice share codes."""
        names = [field(*option, code) for code in codes]
        kind = self.catalog.units[unit]
        return self.item(kind.name, codes, names, kind, dashed=dashed)

    def item(
        self,
        name: str,
        codes: Sequence[str],
        names: Sequence[str],
        kind: UnitType | None = None,
        *,
        dashed: bool = False,
    ) -> Item:
        fields = [field(TICK, *self.whose, name) for name in names] if self.whose else ()
        boxes = Boxes(codes, self.box, dashed_from=0 if dashed else None, names=fields)
        text = f"{name} × {len(codes)}"
        label = min(line_width(text, styles.PIECE) + 4, _BOXES) + (_NAME if kind else 0)
        return Item(paragraph(text, styles.PIECE), label, boxes, kind)
