"""The left page of a spread: the situation, the map, and how to set up. Within a drawing, numbers
without a name are points, chosen by eye."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose
from typing import NamedTuple

from skirmish.games.plastic.scenarios import wording
from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.blocks import RuleHead, SideLetters
from skirmish.sheets.layout.columns import SideBySide
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Block, Cell, Flowable, Gap, Stack, depth, height_of
from skirmish.sheets.layout.fonts import BODY, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import Text, paragraph
from skirmish.sheets.layout.text_lines import write
from skirmish.sheets.layout.title_band import TitleSize
from skirmish.sheets.maps.frame import FRAME_WIDTH
from skirmish.sheets.maps.key import Swatch, draw_compass
from skirmish.sheets.maps.palette import palette_of
from skirmish.sheets.maps.pen import Pen
from skirmish.sheets.maps.scenario_map import SheetMap
from skirmish.sheets.paper import INCH, MM, ROW, STEP
from skirmish.sheets.scenario.book_edition import BOOK_MAP_RATIO, LONG_PAGE, BookEdition
from skirmish.sheets.scenario.content import ScenarioContent, SheetBand, headed
from skirmish.tabletop.measure import CENTIMETRES_AN_INCH, INCHES_A_FOOT

_SET_UP = Style(BODY, 7.6, 2.25 * STEP)
"""The type of the narrow column beside a map: where everybody sets up."""
_KEY = Style(MEDIUM, 8, 8)
"""The type of the names beside the swatches of a map's key."""
_BESIDE_MAP = 10
"""Points between the map and the column beside it."""
CENTIMETRES_A_FOOT = int(INCHES_A_FOOT * CENTIMETRES_AN_INCH)
"""A foot as players measure it on the table: 30."""


class _LeftPageType(NamedTuple):
    """How the head of a left page is set."""

    band_height: float
    """The least height of the band, in points."""
    situation: Style
    gap: float
    """The points above and below the situation."""


_ON_LONG_PAGE = _LeftPageType(58.0, Style(BODY, 11.8, 1.25 * ROW), 11.0)
_ON_SHORT_PAGE = _LeftPageType(40.0, Style(BODY, 10.4, 1.05 * ROW), 7.0)
_KEY_PITCHES = (2.75 * STEP, 2.5 * STEP, 2.25 * STEP, 2 * STEP)
"""The heights of a line of the key, from the highest, which is tried first."""


class _SpreadBand(SheetBand):
    """The title of a spread, whose page has room for a wider number block and a larger title."""

    BLOCK_WIDTH = 23 * MM
    TITLE_SIZES = (TitleSize(36, 1), TitleSize(32, 1), *SheetBand.TITLE_SIZES)


class LeftPage:
    """The left page of a scenario; ``sheet_map`` is None if the scenario has no map."""

    def __init__(
        self, edition: BookEdition, content: ScenarioContent, sheet_map: SheetMap | None
    ) -> None:
        self.edition, self.content, self.map = edition, content, sheet_map
        self.width = edition.page.measure

    def story(self) -> Block:
        """The situation; the map with scale, key and how to set up beside it, and a ruler below it
        if it fits."""
        content = self.content
        page_type = _ON_SHORT_PAGE
        if self.edition.page.depth > LONG_PAGE:
            page_type = _ON_LONG_PAGE
        # Maps stand upright in the book, whose pages are higher than wide.
        title = content.title(_SpreadBand, page_type.band_height, turned=True)
        situation = content.situation(page_type.situation, lead="")
        above: Block = [title, Gap(page_type.gap), situation, Gap(page_type.gap)]
        if self.map is None:
            return [*above, *headed("Set up", self._set_up())]
        map_height = height_of(self.map, self.width)
        column_left = self.map.across + _BESIDE_MAP
        column_width = self.width - column_left
        column = self._beside_map(self.map, map_height, column_width)
        map_cell = Cell(0, self.map.across, self.map)
        text_cell = Cell(column_left, column_width, Stack(column))
        story: Block = [*above, SideBySide([map_cell, text_cell])]
        ruler = TableRuler(self.map)
        if depth([*story, Gap(5), ruler], self.width) <= self.edition.page.depth:
            story += [Gap(5), ruler]
        return story

    def _beside_map(self, sheet_map: SheetMap, map_height: float, width: float) -> Block:
        """Scale and compass, the key, and how to set up: with the highest lines of the key that
        keep the column no higher than the map, else with the lowest."""
        scale = _ScaleNote(sheet_map, self.edition.print_factor)
        set_up = headed("Set up", self._set_up())
        for pitch in _KEY_PITCHES:
            column = [scale, Gap(6), *_key(sheet_map, pitch), Gap(8), *set_up]
            if depth(column, width) <= map_height:
                break
        return column

    def _set_up(self) -> list[Flowable]:
        """Where each contingent sets up, in the order in which that is done."""
        content = self.content
        scenario = content.scenario
        looks = dict(zip(content.order, content.looks, strict=True))
        first = scenario.sets_up_first
        others = [side for side in content.order if side != first]
        lines: list[Flowable] = []
        for side in (first, *others):
            for contingent in scenario.side(side).contingents:
                text = contingent.deploy
                if not text:
                    text = f"{wording.entry_in_words(contingent).capitalize()}."
                letters, name = contingent.entry.letters, contingent.name_in_words
                lines.append(_SetUpLine(letters, looks[side], name, text))
        return lines


def _key(sheet_map: SheetMap, pitch: float) -> Block:
    """The key of a map, its lines ``pitch`` points high."""
    key: Block = [RuleHead("Key")]
    for entry in sheet_map.key.entries:
        key.append(_KeyLine(entry.name, Swatch(sheet_map.table, entry.sample), pitch))
    return key


class _ScaleNote(Drawing):
    """The scale in large figures, what it means, and the compass."""

    TALL = 40.0

    def __init__(self, sheet_map: SheetMap, print_factor: float) -> None:
        self.sheet_map = sheet_map
        self.scale = sheet_map.stated_scale
        self.text = "A square of the map is a foot of the table."
        # What counts is the scale on paper: the map of a large table, or in a booklet, which is
        # printed reduced, is not at an inch to the foot.
        if isclose(sheet_map.ratio / print_factor, BOOK_MAP_RATIO):
            self.text = "An inch here is a foot on the table."

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        write(canvas, x, top - 12, self.scale, Style(TITLE, 15, 15, ink=inks.BAND))
        paragraph(self.text, _SET_UP).paint(canvas, x, top - 16, width - 38)
        # The compass is drawn around the origin, which is moved to its place.
        pen = Pen(canvas, 0, 0, 1, palette_of(canvas))
        canvas.saveState()
        canvas.translate(x + width - 18, top - 20)
        canvas.scale(0.9, 0.9)
        draw_compass(pen, self.sheet_map.up)
        canvas.restoreState()


class _KeyLine(Drawing):
    """A line of the key of a map: a swatch with its name, ``pitch`` points high."""

    def __init__(self, name: str, swatch: Swatch, pitch: float) -> None:
        self.name, self.swatch, self.TALL = name, swatch, pitch

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        middle = top - self.TALL / 2
        self.swatch.paint(canvas, x, middle + Swatch.TALL / 2, width)
        write(canvas, x + 20, middle - 2.7, self.name, _KEY)


class _SetUpLine(Drawing):
    """The letters of a contingent, its name, and where it sets up."""

    def __init__(self, letters: Sequence[str], look: SideInk, name: str, text: str) -> None:
        self.tag = SideLetters(letters, look)
        self.name, self.text = name, text

    def height_at(self, width: float) -> float:
        return self._words.height_at(width - self.tag.width_with_space) + 3

    @property
    def _words(self) -> Text:
        return paragraph(self.text, _SET_UP, lead=f"{self.name}.")

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        self.tag.paint(canvas, x, top, width)
        before = self.tag.width_with_space
        self._words.paint(canvas, x + before, top, width - before)


class TableRuler(Drawing):
    """The breadth of the table at the map's scale: feet and inches above, centimetres below. Ticks
    are the longer, the rounder their number is."""

    TALL = 27.0

    def __init__(self, sheet_map: SheetMap) -> None:
        self.sheet_map = sheet_map

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left, level = x + FRAME_WIDTH, top - 11
        canvas.pen(inks.BLACK, 0.5)
        self._paint_inches(canvas, left, level)
        self._paint_centimetres(canvas, left, level)
        canvas.pen(inks.BLACK, 0.8)
        canvas.line(left, level, left + self._inches * self._inch, level)
        self._paint_numbers(canvas, left, top)

    @property
    def _inch(self) -> float:
        """An inch of the table, in points of the map."""
        return INCH / self.sheet_map.ratio

    @property
    def _inches(self) -> int:
        """The breadth of the table in inches: whole ones, as the ruler has no other ticks."""
        return int(self.sheet_map.table.size[0])

    def _paint_inches(self, canvas: Canvas, left: float, level: float) -> None:
        """A tick for every inch, longer ones for half a foot and for a foot."""
        for number in range(self._inches + 1):
            tick = 2.6
            if number % INCHES_A_FOOT == 0:
                tick = 7.0
            elif number % (INCHES_A_FOOT // 2) == 0:
                tick = 5.0
            x = left + number * self._inch
            canvas.line(x, level, x, level + tick)

    def _paint_centimetres(self, canvas: Canvas, left: float, level: float) -> None:
        """A tick for every fifth centimetre, a longer one for a foot."""
        centimetre = self._inch / CENTIMETRES_AN_INCH
        for number in range(0, int(self._inches * CENTIMETRES_AN_INCH) + 1, 5):
            tick = 3.4
            if number % CENTIMETRES_A_FOOT == 0:
                tick = 7.0
            x = left + number * centimetre
            canvas.line(x, level, x, level - tick)

    def _paint_numbers(self, canvas: Canvas, left: float, top: float) -> None:
        """Feet and centimetres: each number right of its tick, the last ones left of theirs. Beyond
        them may be a part of a foot."""
        above = Style(LABEL, 7, 7)
        below = Style(MEDIUM, 7, 7, ink=inks.QUIET)
        feet = self._inches // INCHES_A_FOOT
        for number in range(feet):
            x = left + number * INCHES_A_FOOT * self._inch + 2
            in_feet, in_centimetres = f"{number} ft", f"{number * CENTIMETRES_A_FOOT} cm"
            if number == 0:
                in_feet, in_centimetres = "0", "0"
            write(canvas, x, top - 4, in_feet, above)
            write(canvas, x, top - 22.5, in_centimetres, below)
        before_last_tick = left + feet * INCHES_A_FOOT * self._inch - 2
        write(canvas, before_last_tick, top - 4, f"{feet} ft", above._replace(align="right"))
        write(
            canvas,
            before_last_tick,
            top - 22.5,
            f"{feet * CENTIMETRES_A_FOOT} cm",
            below._replace(align="right"),
        )
