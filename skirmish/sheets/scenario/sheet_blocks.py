"""What the layouts of a scenario sheet share: how closely a page may be set, and the blocks that
look the same on one page, on two sides and on many pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from skirmish.sheets.layout.columns import ColumnHeights, in_two_columns, two_columns
from skirmish.sheets.layout.flow import Block, Flowable, depth
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.maps.scenario_map import SheetMap
from skirmish.sheets.paper import ROW, STEP, Leaf, leaf_of
from skirmish.sheets.scenario.content import (
    GUTTER,
    STEPPED_NOTE,
    CloseBand,
    ScenarioContent,
    SheetBand,
    headed,
)
from skirmish.sheets.scenario.lay_table import LayTable

MAP_RATIOS = {leaf_of("a4"): 20.0, leaf_of("letter"): 22.0}
"""The scale of the map on each paper (20.0 is 1:20), the same for all scenarios. Letter is the
shorter page."""
BETWEEN_NOTES = 0.4
"""Points between two notes on the scenario: they are short, and stand close."""
ABOVE_FOOT = 2.0
"""Points above whatever stands at the foot of a page, such as the turn track."""


class Ease(NamedTuple):
    """How loosely or closely a page is set. All lengths are in points."""

    text_size: float
    text_leading: float
    note_leading: float
    """Of the notes on the scenario and on weapons, whose type has one size."""
    lay_row: float
    """The height of a row of the table of what to lay."""
    lay_size: float
    """The type size of that table."""
    lay_blocks: int
    """How many blocks that table has, side by side."""
    gap: float
    """Between the blocks of the page."""
    weapon_row: float
    """The height of a row of the strip of weapons."""
    band: type[SheetBand] = SheetBand
    """The class of the title's band."""

    @property
    def text_style(self) -> Style:
        """The type of situation, victory, rules and what is settled before play."""
        return Style(BODY, self.text_size, self.text_leading)

    @property
    def note_style(self) -> Style:
        """The type of the notes on the scenario."""
        return STEPPED_NOTE._replace(leading=self.note_leading)


_LOOSEST = Ease(
    text_size=8.6,
    text_leading=2.45 * STEP,
    note_leading=2.2 * STEP,
    lay_row=2.2 * STEP,
    lay_size=7.6,
    lay_blocks=3,
    gap=8.0,
    weapon_row=0.9 * ROW,
)
_USUAL = Ease(
    text_size=8.0,
    text_leading=2.25 * STEP,
    note_leading=2 * STEP,
    lay_row=2 * STEP,
    lay_size=7.4,
    lay_blocks=3,
    gap=5.0,
    weapon_row=0.9 * ROW,
)
EASES = (
    _LOOSEST,
    _USUAL,
    _USUAL._replace(gap=3.6),
    _USUAL._replace(gap=3.6, lay_size=7.2, lay_blocks=4),
    Ease(
        text_size=7.8,
        text_leading=2.2 * STEP,
        note_leading=2 * STEP,
        lay_row=1.9 * STEP,
        lay_size=7.0,
        lay_blocks=4,
        gap=3.2,
        weapon_row=0.9 * ROW,
    ),
    Ease(
        text_size=7.6,
        text_leading=2.1 * STEP,
        note_leading=1.9 * STEP,
        lay_row=1.75 * STEP,
        lay_size=6.9,
        lay_blocks=4,
        gap=1.6,
        weapon_row=0.8 * ROW,
        band=CloseBand,
    ),
)
"""Ordered from the loosest to the closest."""


class SheetBlocks:
    """The blocks of one scenario on one size of paper. The map is None if the scenario has none;
    ``half`` is the width of one of two columns."""

    def __init__(self, content: ScenarioContent, page: Leaf) -> None:
        self.content, self.page, self.width = content, page, page.measure
        self.half = (self.width - GUTTER) / 2
        self.map: SheetMap | None = None
        if content.scenario.map:
            self.map = SheetMap(content.scenario, MAP_RATIOS[page])

    def laying(self, ease: Ease) -> Block:
        """The table of what to lay, with its head; nothing without a map."""
        if self.map is None:
            return []
        table = _lay_table(self.map, ease, ease.lay_blocks)
        if not table.fits(self.width):
            # With one block fewer, each block is wider. If a name is too long even then, the table
            # shortens it.
            table = _lay_table(self.map, ease, ease.lay_blocks - 1)
        return self.content.laying(self.map, table, self.content.scale_line(self.map))

    @cached_property
    def force_depths(self) -> ColumnHeights:
        """The heights of the two orders of battle, each in one of two columns."""
        first, second = self.content.forces(self.half)
        return ColumnHeights(depth(first, self.half), depth(second, self.half))

    def forces_with(self, blocks: Sequence[Block], gap: float) -> Flowable:
        """Both orders of battle, with the ``blocks`` below them so that the columns are nearly
        equal; ``gap``: points between blocks."""
        forces = self.content.forces(self.half)
        left, right = in_two_columns(blocks, self.half, gap, above=forces)
        return two_columns(left, right, self.width, gutter=GUTTER)

    def blocks_below_forces(
        self, style: Style, rules_below_map: Sequence[Flowable] = ()
    ) -> list[Block]:
        """What stands below the orders of battle: the rules that do not fit beside the map, what is
        settled before play, and the rulings that are not answered by default."""
        blocks = [
            headed("Special rules", rules_below_map, "from beside the map"),
            self.content.settle(style),
            self.content.departures(style),
        ]
        return [block for block in blocks if block]


def _lay_table(sheet_map: SheetMap, ease: Ease, blocks: int) -> LayTable:
    """The table of what to lay, in so many blocks side by side."""
    return LayTable(
        sheet_map.features,
        blocks,
        pitch=ease.lay_row,
        size=ease.lay_size,
        table_map=sheet_map,
    )
