"""The right page of a spread: everything to play from, set as loosely as it fits. Numbers without a
name are points, chosen by eye."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from skirmish.sheets.layout import styles
from skirmish.sheets.layout.columns import ColumnBlocks, in_two_columns, two_columns
from skirmish.sheets.layout.flow import Block, Gap, depth
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.maps.scenario_map import SheetMap
from skirmish.sheets.paper import ROW, STEP, Leaf
from skirmish.sheets.scenario.content import (
    ABOVE_TURN_NOTE,
    GUTTER,
    HOW_TO_READ_TABLE,
    ScenarioContent,
    balanced,
    each_with_gap_above,
    headed,
)
from skirmish.sheets.scenario.lay_table import LayTable

_WEAPON_ROW = 0.9 * ROW
"""The height of a row of the strip of weapons."""


class SpreadEase(NamedTuple):
    """How loosely or closely a right page is set. All lengths are in points."""

    text_size: float
    text_leading: float
    small_size: float
    small_leading: float
    lay_row: float
    """The height of a row of the table of what to lay."""
    gap: float
    """Between the blocks of the page."""
    has_history: bool
    """Whether the page tells what happened in the battle; else the end of the book does."""

    @property
    def text_style(self) -> Style:
        """What every player reads: special rules, what is settled before play, departures."""
        return Style(BODY, self.text_size, self.text_leading)

    @property
    def small_style(self) -> Style:
        """What is read once or when needed: history, notes, how a turn goes."""
        return Style(BODY, self.small_size, self.small_leading)

    @property
    def victory_style(self) -> Style:
        """The victory conditions, which are looked up most often, are a little larger."""
        return Style(BODY, self.text_size + 1, self.text_leading * 1.18)


SPREAD_EASES = (
    SpreadEase(
        text_size=10.4,
        text_leading=3 * STEP,
        small_size=9.2,
        small_leading=2.75 * STEP,
        lay_row=2.75 * STEP,
        gap=2 * ROW,
        has_history=True,
    ),
    SpreadEase(
        text_size=9.6,
        text_leading=2.75 * STEP,
        small_size=8.4,
        small_leading=2.5 * STEP,
        lay_row=2.75 * STEP,
        gap=1.4 * ROW,
        has_history=True,
    ),
    SpreadEase(
        text_size=8.8,
        text_leading=2.5 * STEP,
        small_size=8.0,
        small_leading=2.25 * STEP,
        lay_row=2.5 * STEP,
        gap=ROW,
        has_history=True,
    ),
    SpreadEase(
        text_size=8.4,
        text_leading=2.35 * STEP,
        small_size=7.6,
        small_leading=2.1 * STEP,
        lay_row=2.25 * STEP,
        gap=0.7 * ROW,
        has_history=True,
    ),
    SpreadEase(
        text_size=8.0,
        text_leading=2.25 * STEP,
        small_size=7.2,
        small_leading=2 * STEP,
        lay_row=2.0 * STEP,
        gap=0.5 * ROW,
        has_history=True,
    ),
    # Without the history there is room for larger type again.
    SpreadEase(
        text_size=8.4,
        text_leading=2.35 * STEP,
        small_size=7.6,
        small_leading=2.1 * STEP,
        lay_row=2.25 * STEP,
        gap=0.6 * ROW,
        has_history=False,
    ),
    SpreadEase(
        text_size=7.8,
        text_leading=2.2 * STEP,
        small_size=7.0,
        small_leading=1.95 * STEP,
        lay_row=1.9 * STEP,
        gap=0.4 * ROW,
        has_history=False,
    ),
)
"""Tried in this order: type and gaps shrink before the history is left to the end of the book."""
_CLOSEST = SPREAD_EASES[-1]
"""The ease with the smallest type and gaps, and without the history."""


class PageLayout(NamedTuple):
    """A right page as it could be printed: what stands on it, what stands at its foot, and whether
    it tells what happened in the battle."""

    story: Block
    foot: Block
    has_history: bool


class RightPage:
    """The right page of a scenario; ``sheet_map`` is None if the scenario has no map."""

    def __init__(self, page: Leaf, content: ScenarioContent, sheet_map: SheetMap | None) -> None:
        self.page, self.content, self.map = page, content, sheet_map
        self.width = page.measure
        self.half = (self.width - GUTTER) / 2
        """The width of one of two columns."""

    @cached_property
    def layout(self) -> PageLayout:
        """The page as it is printed, with as much of the account of the turn as fits. Where even
        the closest page without the turn is too long, it continues overleaf."""
        loosest = self._loosest_that_fits()
        if loosest is None:
            return self._page_at(_CLOSEST, turn=[])
        # Each of these is tried only if the one before does not fit.
        return (
            self._with_whole_turn(loosest)
            or self._with_divided_turn()
            or self._with_shortened_turn()
        )

    def _loosest_that_fits(self) -> SpreadEase | None:
        """The loosest ease at which the page fits without the turn; None if none does."""
        for ease in SPREAD_EASES:
            if self.fits(self._page_at(ease, turn=[])):
                return ease
        return None

    def _with_whole_turn(self, loosest: SpreadEase) -> PageLayout | None:
        """The page with the whole account of the turn below the weapons, at the first ease from the
        ``loosest`` on at which it fits; None if there is none. At each ease the account is tried in
        the type of its small text, then in that of notes. The closest eases leave the history to
        the end of the book."""
        # The first account is the fullest; each of the next leaves something out.
        whole = self.content.turn_accounts[0]
        from_loosest = SPREAD_EASES[SPREAD_EASES.index(loosest) :]
        for ease in from_loosest:
            for style in (ease.small_style, styles.NOTE):
                page = self._page_at(ease, self.content.turn(whole, style))
                if self.fits(page):
                    return page
        return None

    def _with_divided_turn(self) -> PageLayout | None:
        """The closest page with the whole account of the turn in two places: its first notes, as
        few as possible, below the shorter order of battle, the others below the weapons; None if it
        does not fit."""
        whole = self.content.turn_accounts[0]
        for count in range(len(whole) + 1):
            below_forces = self.content.turn(whole[:count], styles.NOTE)
            below_weapons = self.content.turn(whole[count:], styles.NOTE)
            page = self._page_with_divided_turn(below_forces, below_weapons)
            if self.fits(page):
                return page
        return None

    def _with_shortened_turn(self) -> PageLayout:
        """The closest page with as much of the account of the turn as fits. Something may be left
        out, as the front of the book tells how to play."""
        for notes in self.content.turn_accounts:
            turn = self.content.turn(notes, styles.NOTE, as_one_paragraph=True)
            page = self._page_at(_CLOSEST, turn)
            if self.fits(page):
                return page
        # Without the turn the page was found to fit.
        return self._page_at(_CLOSEST, turn=[])

    def fits(self, page: PageLayout) -> bool:
        """Whether everything fits on one page."""
        return depth([*page.story, *page.foot], self.width) <= self.page.depth

    def _page_at(self, ease: SpreadEase, turn: Block) -> PageLayout:
        """The page at this ease, with these notes on the ``turn`` below the weapons."""
        content = self.content
        at_end = self._columns_at_end(ease)
        forces = content.forces(self.half, deployments=False)
        return self._page_of(ease, forces, turn, at_end)

    def _page_with_divided_turn(self, below_forces: Block, below_weapons: Block) -> PageLayout:
        """The closest page with its notes on the turn in two places. Below the shorter order of
        battle, beside the end of the longer one, there is often room that nothing else takes: some
        of these notes stand there, with what is settled before play."""
        content, ease = self.content, _CLOSEST
        settled = content.settle(ease.text_style)
        small = ease.small_style
        turn_below_forces = each_with_gap_above(ABOVE_TURN_NOTE, below_forces)
        blocks = [block for block in (settled, turn_below_forces) if block]
        forces = content.forces(self.half, deployments=False)
        columns = in_two_columns(blocks, self.half, ease.gap, above=forces)
        # Unlike in ``_columns_at_end`` the type is small: with the whole turn there is little room.
        departures = content.departures(small)
        notes = headed("Notes", balanced(content.notes(small), self.width))
        return self._page_of(ease, columns, below_weapons, [*departures, *notes])

    def _page_of(
        self, ease: SpreadEase, forces: ColumnBlocks, turn: Block, at_end: Block
    ) -> PageLayout:
        """The page made of these columns with the orders of battle, of these notes on the turn,
        which stand below the weapons, of ``at_end``, and of what every page has."""
        content = self.content
        rules = balanced(content.rules(ease.text_style), self.width, between=1.6)
        blocks: list[Block] = [
            [content.victory(ease.victory_style)],
            self._laying(ease),
            [two_columns(*forces, self.width, gutter=GUTTER)],
            [*content.weapons(_WEAPON_ROW), *each_with_gap_above(ABOVE_TURN_NOTE, turn)],
            headed("Special rules", rules),
            at_end,
        ]
        story: Block = []
        for block in blocks:
            if block:
                if story:
                    story.append(Gap(ease.gap))
                story += block
        return PageLayout(story, foot=[Gap(4), *content.track], has_history=ease.has_history)

    def _laying(self, ease: SpreadEase) -> Block:
        """The table of what to lay, in two blocks; nothing without a map."""
        if self.map is None:
            return []
        # The type is as large as the row allows, but no larger than the text around it.
        type_size = min(8.0, 0.85 * ease.lay_row)
        table = LayTable(self.map.features, blocks=2, pitch=ease.lay_row, size=type_size)
        return self.content.laying(self.map, table, HOW_TO_READ_TABLE)

    def _columns_at_end(self, ease: SpreadEase) -> Block:
        """What is settled before play, departures, history and notes, in two columns. Where there
        are only notes, both columns are filled with them."""
        content = self.content
        blocks = []
        settled = content.settle(ease.text_style)
        if settled:
            blocks.append(settled)
        departures = content.departures(ease.text_style)
        if departures:
            blocks.append(departures)
        if ease.has_history:
            blocks.append(content.history(ease.small_style))
        notes = content.notes(ease.small_style)
        if not blocks:
            return headed("Notes", balanced(notes, self.width))
        if notes:
            blocks.append(headed("Notes", notes))
        columns = in_two_columns(blocks, self.half, ease.gap)
        return [two_columns(*columns, self.width, gutter=GUTTER)]
