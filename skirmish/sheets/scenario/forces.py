"""The order of battle of a side as a table: a row for each unit type, with its boxes in a column at
the right edge. The letter of the codes stands once in a row; the boxes hold the numbers. Within a
drawing, numbers without a name are points, chosen by eye."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.scenarios.entries import AnywhereEntry
from skirmish.games.plastic.scenarios.happenings import AskAtSetup
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent, ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.wording import (
    bounds_in_words,
    entry_in_words,
    names_of_additions,
    nation_name,
    role_in_words,
)
from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.blocks import SideLetters
from skirmish.sheets.layout.boxes import (
    LEAST_BOX,
    TO_COME,
    UNMARKED,
    Box,
    Boxes,
    Marks,
    Ring,
    box_width,
)
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, with_next
from skirmish.sheets.layout.fonts import BODY, BOLD, HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.symbols import Symbol, WorkSymbol
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.text_lines import fitted, line_width, shrunk_to_fit, write
from skirmish.sheets.paper import ROW, STEP
from skirmish.sheets.roster.codes import Codes, CodesToGive

_SIDE_BAR = 14.5
"""The height of a side's bar in points."""
_LINE_WEIGHT = 0.3
"""The weight of the lines between units."""
_FIVES, _WIDE_FIVES = 3, 6
"""Boxes stand in groups of five. So many groups fit in a line: in a column, and across the page."""
_WIDE = 440.0
"""A table that is at least so many points wide goes across the page; others stand in a column."""
_AFTER_SIGN = 14.5
"""Points from the left end of a sign to the name."""
_RING_INSET = 15.0
"""Points that a ring before a sign takes."""
_BAR_TRACK = 1.4
"""Points added between the letters of a side's name in its bar."""
_NAME = Style(MEDIUM, 8.6, 8.6)
_LEAST_NAME = SMALLEST + 0.2
"""The type size below which no name is shrunk."""
_COUNT = Style(BOLD, 8.6, 8.6, "right")
_LETTER = Style(LABEL, 8, 8, "right", inks.QUIET)
_OPENING = Style(BODY, 7.8, 2.25 * STEP)
_BAR_NAME = Style(HEAD, 10, 10, ink=inks.WHITE)
_BAR_ASIDE = Style(MEDIUM, 8, 8, "right", inks.WHITE)
_FORCE = Style(BOLD, 9, 9)
_SUMMARY = Style(MEDIUM, 7.6, 7.6, "right", inks.QUIET)
"""The type of the points and the strength of a force."""


class CodeBoxes(Boxes):
    """Boxes of an order of battle: rows as high as its lines, fives close together."""

    ROW_HEIGHT = ROW
    BETWEEN_FIVES = 2.4


def boxes_width(width: float) -> float:
    """The points that a table of this width has for a line of boxes. Where boxes are wider than the
    least box, fewer of them fill the line."""
    fives = _FIVES
    if width >= _WIDE:
        fives = _WIDE_FIVES
    return fives * CodeBoxes.width_of_five(LEAST_BOX) + (fives - 1) * CodeBoxes.BETWEEN_FIVES


class SideBar(Drawing):
    """The bar of a side: its nation (``people``), and what it is to do (``aside``)."""

    # It stands on the same page as what follows. ReportLab reads an attribute of this name.
    keepWithNext = True  # noqa: N815
    TALL = _SIDE_BAR + 0.5  # with some space below the bar

    def __init__(self, people: str, aside: str, look: SideInk) -> None:
        self.people, self.aside, self.look = people.upper(), aside, look

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        with canvas.bar(x, top - _SIDE_BAR, width, _SIDE_BAR, self.look.ink):
            write(canvas, x + 6, top - 10.8, self.people, _BAR_NAME, track=_BAR_TRACK)
            room = width - line_width(self.people, _BAR_NAME, _BAR_TRACK) - 18
            aside = fitted(self.aside, _BAR_ASIDE, room)
            write(canvas, x + width - 6, top - 10.4, aside, _BAR_ASIDE)


class ForceLine(Drawing):
    """The name of a force, and at the right its points and strength (``summary``)."""

    # It stands on the same page as what follows, as ``SideBar`` does.
    keepWithNext = True  # noqa: N815
    TALL = 11.4

    def __init__(self, name: str, summary: str) -> None:
        self.name, self.summary = name, summary

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        room = width - line_width(self.summary, _SUMMARY) - 6
        # A long name is set smaller before it is cut.
        style = shrunk_to_fit(self.name, _FORCE, room, _LEAST_NAME)
        write(canvas, x, top - 8.6, fitted(self.name, style, room), style)
        write(canvas, x + width, top - 8.6, self.summary, _SUMMARY)


class UnitRow(Drawing):
    """A line of the table: a sign, a name, a count, the letter of the codes, and boxes. A unit with
    more boxes than a line holds continues in rows without a name. ``ring``: the one to tick
    before the first unit of an option; ``inset``: the points left free for a ring before the
    sign."""

    TALL = ROW

    def __init__(
        self,
        boxes: CodeBoxes,
        *,
        sign: Drawing | None = None,
        name: str = "",
        count: int = 0,
        letter: str = "",
        ring: Ring | None = None,
        inset: float = 0.0,
    ) -> None:
        self.boxes, self.sign, self.name, self.count = boxes, sign, name, count
        self.letter, self.ring, self.inset = letter, ring, inset

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        room = boxes_width(width)
        boxes_left = x + width - room
        if self.name:
            rule(canvas, x, x + width, top, _LINE_WEIGHT, ink=inks.FAINT)
            self._paint_name(canvas, x + self.inset, top, boxes_left)
        if self.ring:
            # A ring is higher than a row; its middle is to be level with that of the row.
            self.ring.paint(canvas, x, top + (Ring.TALL - ROW) / 2, width)
        self.boxes.paint(canvas, boxes_left, top, room)

    def _paint_name(self, canvas: Canvas, x: float, top: float, boxes_left: float) -> None:
        """Everything between ``x`` and the boxes: sign, name, count and letter."""
        base = top - ROW / 2 - 3
        if self.sign:
            # Its middle is to be level with that of the row, too.
            self.sign.paint(canvas, x, top + (Symbol.TALL - ROW) / 2, _AFTER_SIGN)
            x += _AFTER_SIGN
        # Points from the count to the boxes; the letter stands between them.
        to_boxes = 3.0
        if self.letter:
            to_boxes = 10.5
        count = str(self.count)
        count_right = boxes_left - to_boxes
        room = count_right - line_width(count, _COUNT) - 3 - x
        # A long name is set smaller before it is cut.
        style = shrunk_to_fit(self.name, _NAME, room, _LEAST_NAME)
        write(canvas, x, base, fitted(self.name, style, room), style)
        write(canvas, count_right, base, count, _COUNT)
        if self.letter:
            write(canvas, boxes_left - 2.6, base, self.letter, _LETTER)


class EndRule(Drawing):
    """The line below the last unit of a contingent."""

    TALL = 0.9

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        rule(canvas, x, x + width, top, _LINE_WEIGHT, ink=inks.FAINT)


class _CodedContingent(NamedTuple):
    """A contingent with the codes of its units; ``choices``: the codes of the units of each option
    of each of its choices."""

    contingent: ScenarioContingent
    units: Mapping[str, Codes]
    choices: Sequence[Sequence[Mapping[str, Codes]]]


class _SettledUnits(NamedTuple):
    """The units that our answer to a question before play would add, with their codes."""

    question_id: str
    units: Mapping[str, Codes]


def force_table(
    scenario: Scenario,
    side: ScenarioSide,
    catalog: Catalog,
    look: SideInk,
    width: float,
    *,
    deployments: bool = True,
) -> list[Flowable]:
    """The table of a side, ``width`` points wide, in the inks of its ``look``. ``deployments``:
    whether it says where each contingent sets up."""
    # Codes (R1, R2, ...) run on from one contingent to the next, and then to the units of our
    # proposed answers to questions before play.
    codes_to_give = CodesToGive(catalog)
    contingents = _coded_contingents(side, codes_to_give)
    settled = _settled_units(scenario, side, codes_to_give)
    # All boxes of a side are as wide as its longest number needs.
    width_of_box = box_width(_box_numbers(contingents, settled, catalog))
    people = nation_name(side.id, catalog)
    owner = f"{scenario.number}-{side.id}"
    rows = _SideRows(catalog, width_of_box, width, owner, look, people)
    pieces: list[Flowable] = [
        SideBar(people, role_in_words(side, scenario), look),
        ForceLine(side.name, _points_and_strength(scenario, side, catalog)),
    ]
    for coded in contingents:
        pieces += rows.contingent(coded, deployments=deployments)
        pieces.append(EndRule())
    for added in settled:
        # The id of such a question is a word that players understand.
        pieces += rows.opening((), added.question_id.capitalize(), "as settled before play")
        # Their boxes are dashed, as of units that may yet come.
        for unit, codes in added.units.items():
            pieces += rows.unit(unit, codes, TO_COME)
        pieces.append(EndRule())
    return pieces


def _coded_contingents(side: ScenarioSide, codes_to_give: CodesToGive) -> list[_CodedContingent]:
    """The contingents of a side, their units with codes."""
    contingents = []
    for contingent in side.contingents:
        units = codes_to_give.give(contingent.units)
        choices = [codes_to_give.give_options(choice.one_of) for choice in contingent.choices]
        contingents.append(_CodedContingent(contingent, units, choices))
    return contingents


def _settled_units(
    scenario: Scenario, side: ScenarioSide, codes_to_give: CodesToGive
) -> list[_SettledUnits]:
    """The units that our proposals would add: they have codes, too, so that the sheet serves if a
    proposal is taken."""
    settled = []
    for question in scenario.questions():
        counts = proposed_units(question)
        if question.side == side.id and counts:
            settled.append(_SettledUnits(question.id, codes_to_give.give(counts)))
    return settled


def _entry_phrase(contingent: ScenarioContingent, deploy: str) -> str:
    """When and where a contingent enters, or only that it is there before play. Empty if
    ``deploy``, the sentence printed after it, names the turn itself."""
    turn = contingent.entry.turn
    # The word boundary at the end keeps "turn 12" from naming turn 1.
    if turn and re.search(rf"\bturn {turn}\b", deploy):
        return ""
    if contingent.deploy and isinstance(contingent.entry, AnywhereEntry):
        # "Anywhere" is only the lack of a zone in the data: the deployment says where.
        return "before play."
    return f"{entry_in_words(contingent)}."


def _box_numbers(
    contingents: Iterable[_CodedContingent], settled: Iterable[_SettledUnits], catalog: Catalog
) -> Iterator[str]:
    """The numbers in all boxes of a side."""
    coded = []
    for contingent in contingents:
        coded.append(contingent.units)
        for options in contingent.choices:
            coded += options
    coded += [added.units for added in settled]
    for codes_by_unit in coded:
        for unit, codes in codes_by_unit.items():
            for code in codes:
                yield _number_of(code, catalog.units[unit])


def _number_of(code: str, unit_type: UnitType) -> str:
    """``7`` of the code ``R7``, which begins with the letter of the unit."""
    return code[len(unit_type.letter) :]


def _points_and_strength(scenario: Scenario, side: ScenarioSide, catalog: Catalog) -> str:
    """Points and strength of a side, then what it has that these do not count."""
    points, strength = bounds_in_words(side.points(catalog)), bounds_in_words(side.pdg(catalog))
    summary = f"{points} points · strength {strength}"
    uncounted = names_of_additions(scenario, side.id)
    if uncounted:
        summary += f", besides {' and '.join(uncounted)}"
    return summary


def proposed_units(question: AskAtSetup) -> dict[str, int]:
    """How many of which unit, by id, our proposed answer adds. The answer names the units, or
    only a number if the question names the unit. Empty for an answer that adds none."""
    match question.proposal:
        case dict(counts):
            return counts
        case int(count) if question.unit:
            return {question.unit: count}
        case _:
            return {}


class _SideRows(NamedTuple):
    """Makes the rows of a side. In points, ``width_of_box`` is the width of a box and ``width``
    that of the table; ``owner`` stands for scenario and side in the names of form fields
    (``3-german``); ``people`` is the side's name in tooltips."""

    catalog: Catalog
    width_of_box: float
    width: float
    owner: str
    look: SideInk
    people: str

    def contingent(self, coded: _CodedContingent, *, deployments: bool) -> list[Flowable]:
        """All of a contingent: its opening, its units and choices, its works."""
        contingent = coded.contingent
        deploy = ""
        if deployments:
            deploy = contingent.deploy
        name, entry_phrase = contingent.name_in_words, _entry_phrase(contingent, deploy)
        # The name and the entry form one sentence. Without the entry, the name ends with a full
        # stop before the deployment.
        if not entry_phrase:
            name += "."
        rows = self.opening(contingent.entry.letters, name, entry_phrase, deploy)
        for unit, codes in coded.units.items():
            rows += self.unit(unit, codes)
        for number, options in enumerate(coded.choices, 1):
            rows += self.choice(options, contingent.name_in_words, f"{contingent.id}-{number}")
        for work, count in contingent.works.items():
            rows += self.work(contingent.id, work, count)
        return rows

    def opening(
        self, letters: Sequence[str], name: str, entry_phrase: str, deploy: str = ""
    ) -> list[Flowable]:
        """The line above the units of a contingent: its letters, its name, when it enters and
        where it sets up."""
        tag = SideLetters(letters, self.look)
        text = paragraph(entry_phrase, _OPENING, lead=name, aside=deploy)
        left = tag.width_with_space
        cells = [Cell(0, left, tag), Cell(left, self.width - left, text)]
        return [with_next(CellRow(cells, above=0.4, below=0.8, weight=0))]

    def unit(
        self,
        unit: str,
        codes: Codes,
        marks: Marks = UNMARKED,
        *,
        field_part: str = "",
        ring: Ring | None = None,
        inset: float = 0.0,
        conjunction: str = "",
    ) -> list[UnitRow]:
        """The rows of the unit with this id. ``marks``: how its boxes are marked. For the units of
        a choice, ``field_part`` is a part of the names of their fields, since the options share
        codes; ``ring`` and ``inset``: see ``UnitRow``; ``conjunction``: a word before the name,
        such as "or "."""
        unit_type = self.catalog.units[unit]
        boxes = []
        for code in codes:
            tooltip = f"{self.people} {unit_type.name} {code}"
            field = FormField(f"tick-{self.owner}-{field_part}{code}", tooltip)
            boxes.append(Box(_number_of(code, unit_type), marks, field))
        sign = Symbol(unit_type, self.look.ink, solid=self.look.solid)
        first_line, *other_lines = self._in_lines(boxes)
        row = UnitRow(
            first_line,
            sign=sign,
            name=f"{conjunction}{unit_type.short}",
            count=len(codes),
            letter=unit_type.letter.upper(),
            ring=ring,
            inset=inset,
        )
        return self._continued(row, other_lines)

    def choice(
        self, options: Sequence[Mapping[str, Codes]], contingent_name: str, field_part: str
    ) -> list[Flowable]:
        """The options of a choice of the contingent with this name, a ring to tick before each;
        ``field_part``: a part of the names of their fields."""
        rows: list[Flowable] = []
        for number, option in enumerate(options, 1):
            tooltip = f"{self.people}, {contingent_name}: which of these"
            field = FormField(f"choose-{self.owner}-{field_part}", tooltip)
            ring: Ring | None = Ring(field, number)
            conjunction = ""
            if number > 1:
                conjunction = "or "
            for unit, codes in option.items():
                rows += self.unit(
                    unit,
                    codes,
                    field_part=f"{field_part}-{number}-",
                    ring=ring,
                    inset=_RING_INSET,
                    conjunction=conjunction,
                )
                # An option has one ring, before its first unit; its other units follow with "and".
                ring, conjunction = None, "and "
        # The options of a choice stand on one page.
        for row in rows[:-1]:
            row.keepWithNext = True
        return rows

    def work(self, contingent_id: str, work: str, count: int) -> list[UnitRow]:
        """The row of one kind of works, such as entrenchments: boxes without numbers, since works
        have no codes. ``work``: the id of that kind."""
        name = self.catalog.works[work].name
        boxes = []
        for number in range(1, count + 1):
            tooltip = f"{self.people} {name} {number}"
            field = FormField(f"tick-{self.owner}-{contingent_id}-{work}-{number}", tooltip)
            boxes.append(Box("", UNMARKED, field))
        first_line, *other_lines = self._in_lines(boxes)
        sign = WorkSymbol(work, self.look.ink)
        row = UnitRow(first_line, sign=sign, name=name, count=count)
        return self._continued(row, other_lines)

    def _in_lines(self, boxes: Sequence[Box]) -> list[CodeBoxes]:
        """The boxes line by line, with as many whole fives as a line holds. Without boxes there is
        still one line, which is empty."""
        space = CodeBoxes.BETWEEN_FIVES
        room = boxes_width(self.width)
        # The last five has no space after it, so the room is counted with one space more. The
        # hundredth of a point makes up for what floating point numbers lose.
        fives = int((room + space + 0.01) / (CodeBoxes.width_of_five(self.width_of_box) + space))
        boxes_in_line = 5 * max(1, fives)
        lines = []
        for first in range(0, max(1, len(boxes)), boxes_in_line):
            lines.append(CodeBoxes(boxes[first : first + boxes_in_line], self.width_of_box))
        return lines

    @staticmethod
    def _continued(row: UnitRow, other_lines: Sequence[CodeBoxes]) -> list[UnitRow]:
        """The row with the name of a unit, and a row below it for each other line of its boxes."""
        if other_lines:
            # The name stands on the same page as the second line of boxes.
            row.keepWithNext = True
        return [row, *(UnitRow(line) for line in other_lines)]
