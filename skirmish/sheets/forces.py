"""The order of battle of one side: contingents, their units with a coded box for each, options,
works. On a form the boxes and the rings of options can be ticked on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.order_of_battle import Choice, Contingent, Side
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets import faces
from skirmish.sheets.codes import Codes, Muster
from skirmish.sheets.faces import MEDIUM
from skirmish.sheets.form_fields import CHOOSE, TICK, FormBoxes, FormRing, field, numbered
from skirmish.sheets.ink import SideInk
from skirmish.sheets.marks import Boxes, Head, Ring
from skirmish.sheets.paper import MM
from skirmish.sheets.piece import Cell, Gap, Piece, Row
from skirmish.sheets.scenario_words import entry, letters, nation, role
from skirmish.sheets.tags import Tags
from skirmish.sheets.words import ASIDE, COUNT, ENTRY, FORCE, SMALLEST, STRONG, UNIT, Words

_NAME, _COUNT, _BOXES = 23 * MM, 6.6 * MM, 31 * MM
_RING = 4.4 * MM
_BOX = 3.5 * MM
"""So wide are boxes at least: fifteen stand side by side, and those of both sides line up."""
_AROUND = 0.9
"""Points beside the longest code in its box."""


def forces(
    scenario: Scenario,
    side: Side,
    catalog: Catalog,
    look: SideInk,
    width: float,
    *,
    form: bool = False,
) -> list[Piece]:
    """The side's block; codes run through all of it."""
    muster = Muster(catalog)
    fixed: list[dict[str, Codes]] = []
    chosen: list[list[list[dict[str, Codes]]]] = []
    for group in side.contingents:
        fixed.append(muster.next(group.units))
        chosen.append([muster.one_of(choice.one_of) for choice in group.choices])
    every = [row for group in fixed for row in group.values()]
    every += [row for group in chosen for one in group for option in one for row in option.values()]
    codes = {code for row in every for code in row}
    widest = max((faces.width(code, MEDIUM, SMALLEST) for code in codes), default=0)
    box = max(_BOX, widest + _AROUND)
    block = _Block(catalog, box, width, look, (str(scenario.number), side.id) if form else ())
    pieces: list[Piece] = [
        Head(nation(side.id, catalog), role(side, scenario), look.ink),
        _kept(Words(side.name, FORCE)),
    ]
    for group, units, options in zip(side.contingents, fixed, chosen, strict=True):
        pieces += block.contingent(group, units, options)
    return pieces


class _Block:
    def __init__(
        self,
        catalog: Catalog,
        box: float,
        width: float,
        look: SideInk,
        whose: Sequence[str],
    ) -> None:
        """``whose``: of which scenario and side the fields of a form are; nothing for paper."""
        self.catalog, self.box, self.width, self.look = catalog, box, width, look
        self.whose = tuple(whose)

    def contingent(
        self,
        group: Contingent,
        units: Mapping[str, Codes],
        options: list[list[dict[str, Codes]]],
    ) -> list[Piece]:
        tags = Tags(letters(group), self.look)
        wide = tags.width
        named = Row(
            [
                Cell(0, wide, tags),
                Cell(wide, self.width - 33 * MM - wide, Words(group.called, STRONG)),
                Cell(self.width - 32 * MM, 32 * MM, Words(entry(group), ENTRY)),
            ],
            above=2.2,
            below=0.2,
            weight=0,
        )
        pieces: list[Piece] = [_kept(named)]
        if group.deploy:
            pieces.append(_kept(Words(group.deploy, ASIDE)))
        pieces.append(_kept(Gap(1)))
        pieces += [self.unit(unit, codes) for unit, codes in units.items()]
        for index, (choice, coded) in enumerate(zip(group.choices, options, strict=True)):
            pieces += self.choice(choice, coded, (group.id, index + 1))
        works = [
            self.row(
                self.catalog.works[work].name,
                count,
                ("",) * count,
                numbered(count, TICK, *self.whose, group.id, work),
            )
            for work, count in group.works.items()
        ]
        return [*pieces, *works]

    def unit(
        self,
        unit: str,
        codes: Codes,
        *,
        ring: Piece | None = None,
        inset: float = 0,
        option: Sequence[object] = (),
    ) -> Row:
        """A unit's row. ``option``: of which option it is, for those of a choice share codes."""
        known = self.catalog.units[unit]
        names = [field(TICK, *self.whose, *option, code) for code in codes]
        return self.row(known.name, len(codes), codes, names, ring=ring, inset=inset)

    def choice(
        self, choice: Choice, coded: Iterable[Mapping[str, Codes]], which: Sequence[object]
    ) -> list[Piece]:
        """The options of a choice, a ring to tick before each; ``which`` choice it is."""
        words = {2: "Either of these:"}.get(len(choice.one_of), "One of these:")
        pieces: list[Piece] = [_kept(Gap(1.2)), _kept(Words(words, ASIDE))]
        for number, option in enumerate(coded, 1):
            for index, (unit, codes) in enumerate(option.items()):
                ring = self.ring(which, number) if index == 0 else None
                row = self.unit(unit, codes, ring=ring, inset=_RING, option=(*which, number))
                row.weight = 0.25 if index == len(option) - 1 else 0
                row.keep = index < len(option) - 1
                pieces.append(row)
        return pieces

    def ring(self, which: Sequence[object], option: int) -> Ring:
        return FormRing(field(CHOOSE, *self.whose, *which), option) if self.whose else Ring()

    def row(
        self,
        name: str,
        count: int,
        codes: Codes,
        names: Sequence[str],
        *,
        ring: Piece | None = None,
        inset: float = 0,
    ) -> Row:
        boxes = FormBoxes(codes, self.box, names) if self.whose else Boxes(codes, self.box)
        cells = [
            Cell(inset, _NAME - inset, Words(name, UNIT)),
            Cell(_NAME, _COUNT, Words(f"× {count}", COUNT)),
            Cell(_BOXES, self.width - _BOXES, boxes),
        ]
        if ring:
            cells.append(Cell(0, _RING, ring))
        return Row(cells, above=0.7, below=0.7)


def _kept(piece: Piece) -> Piece:
    """Never the last on a page."""
    piece.keep = True
    return piece
