"""The page of a scenario: what goes where, and when a second page is needed.

Title, situation and facts stand above the map, forces in two columns below it, one a side. The
other blocks go below them, each to the column that keeps the page shortest, then the turn track;
footnotes close the page. What does not fit at full type size goes to a second page that faces the
first: rulings and history before anything that is needed in play.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from skirmish.sheets.band import TitleBand
from skirmish.sheets.flow import Column, Pages, Spot, Title, depth
from skirmish.sheets.forces import forces
from skirmish.sheets.ink import SIDES, InkUse
from skirmish.sheets.maps.piece import MapPiece
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf, leaf
from skirmish.sheets.piece import Gap, Piece
from skirmish.sheets.scenario_blocks import (
    GAME,
    Sheet,
    at_a_glance,
    blocks_for_play,
    blocks_for_reference,
    footnotes,
    situation,
)
from skirmish.sheets.scenario_words import when
from skirmish.sheets.turn_track import turn_track

Block = list[Piece]
Pair = tuple[Block, Block]
GLANCE = 68 * MM
MAP_HEIGHTS = (330.0, 310.0, 290.0, 270.0, 255.0)
"""Points, from the largest to the smallest that is still easy to read."""
UPRIGHT = 1.2
"""Times as high may a map be that has text beside it."""
TABLE_RULES = "where table and map differ, the table rules"
AUTHOR = "Brett Drake (rules and scenario)"


class Plan(NamedTuple):
    """What stands on the first page: how high the map may be, how many of the blocks for play, and
    whether the blocks for reference do too."""

    tallest: float
    play: int
    reference: bool


def pages(sheet: Sheet, paper: str, revision: str, use: InkUse) -> bytes:
    """The scenario sheet as a PDF."""
    scenario, page = sheet.scenario, leaf(paper)
    made = Pages(page)
    _Layout(sheet, page).onto(made)
    title = Title(f"Scenario {scenario.number}: {scenario.title}", AUTHOR, f"{GAME}: scenario")
    parts = [title.title, GAME, f"data revision {revision}" if revision else "", TABLE_RULES]
    return made.pdf(title, " · ".join(part for part in parts if part), use)


class _Layout:
    """The blocks of one sheet and how they share the page."""

    def __init__(self, sheet: Sheet, page: Leaf) -> None:
        self.scenario, self.page = sheet.scenario, page
        self.x, self.width = page.margin, page.measure
        self.half = (self.width - GUTTER) / 2
        order = self.scenario.order_of_play()
        self.first, self.second = (
            forces(self.scenario, self.scenario.side(side), sheet.catalog, look, self.half)
            for side, look in zip(order, SIDES, strict=True)
        )
        self.band = TitleBand(
            "Scenario",
            str(self.scenario.number),
            self.scenario.title.upper(),
            first=when(self.scenario.date),
            second=self.scenario.place,
            last=f"{GAME} · rules and scenario by Brett Drake",
        )
        self.glance = at_a_glance(sheet, GLANCE)
        self.situation = situation(sheet)
        self.track = [Gap(GAP), *turn_track(self.scenario, sheet.catalog)]
        self.notes = [Gap(GAP), *footnotes(sheet)]
        self.play, self.reference = blocks_for_play(sheet), blocks_for_reference(sheet)

    @property
    def upright(self) -> bool:
        """Whether the map is higher than wide, so that text stands beside it."""
        table = self.scenario.table
        return self.scenario.map is not None and table.depth_in > table.width_in

    def onto(self, made: Pages) -> None:
        """Everything onto pages, by the first plan that fits."""
        plan, pair = self._plan()
        spot = self._top(made, plan.tallest)
        if pair is None:  # forces longer than a page: everything simply follows
            spot = self._columns(made, (self.first, self.second), spot)
            spot = made.pour(self.track, self.x, self.width, spot)
            spot = made.pour([Gap(GAP)], self.x, self.width, spot)
            rest = [*self.play, *self.reference]
        else:
            made.pour(self.track, self.x, self.width, self._columns(made, pair, spot))
            rest = self.play[plan.play :] + ([] if plan.reference else self.reference)
            spot = Spot(1, self.page.top)
        if plan.play == len(self.play) and pair is not None:  # footnotes close the first page
            foot = Spot(0, self.page.bottom + depth(self.notes, self.width))
            made.pour(self.notes, self.x, self.width, foot)
            if rest:
                self._columns(made, shared(([], []), rest, self.half), spot)
            return
        spot = self._columns(made, shared(([], []), rest, self.half), spot)
        made.pour(self.notes, self.x, self.width, spot)

    def _plan(self) -> tuple[Plan, Pair | None]:
        """All on one page if a smaller map makes that possible; else two pages that face one
        another, all for play on the first; else as much of it as goes there beside a full map, at
        least how the battle is won."""
        every = len(self.play)
        for tallest in MAP_HEIGHTS:
            plan = Plan(tallest, every, True)
            if pair := self._fits(plan):
                return plan, pair
        for tallest in MAP_HEIGHTS:
            plan = Plan(tallest, every, False)
            if pair := self._fits(plan):
                return plan, pair
        least = 0 if self.upright else 1
        for tallest in MAP_HEIGHTS:
            for count in range(every - 1, least - 1, -1):
                plan = Plan(tallest, count, False)
                if pair := self._fits(plan):
                    return plan, pair
        return Plan(MAP_HEIGHTS[0], 0, False), None

    def _fits(self, plan: Plan) -> Pair | None:
        blocks = self.play[: plan.play] + (self.reference if plan.reference else [])
        room = self.page.depth - self._above(plan.tallest) - depth(self.track, self.width)
        if plan.play == len(self.play):
            room -= depth(self.notes, self.width)
        pair = shared((self.first, self.second), blocks, self.half)
        return pair if tallest_of(pair, self.half) <= room else None

    def _top(self, made: Pages, tallest: float) -> Spot:
        spot = made.pour([self.band, Gap(GAP)], self.x, self.width, made.start)
        spot = made.side_by_side(self._beside(tallest), spot)
        return made.pour([*self._map(tallest), Gap(GAP)], self.x, self.width, spot)

    def _above(self, tallest: float) -> float:
        """The depth of all that stands above the forces."""
        beside = max(depth(column.pieces, column.width) for column in self._beside(tallest))
        band = self.band.height(self.width)
        return band + GAP + beside + depth(self._map(tallest), self.width) + GAP

    def _beside(self, tallest: float) -> list[Column]:
        if self.upright:
            wide = self.width - GLANCE - GUTTER
            aside: Block = [*self.glance, Gap(GAP), *self.situation]
            drawn = MapPiece(self.scenario, tallest=tallest * UPRIGHT)
            return [
                Column([drawn], self.x, wide),
                Column(aside, self.x + wide + GUTTER, GLANCE),
            ]
        wide = self.width - GLANCE - GUTTER
        return [
            Column(self.situation, self.x, wide),
            Column(self.glance, self.x + wide + GUTTER, GLANCE),
        ]

    def _map(self, tallest: float) -> Block:
        if self.scenario.map is None or self.upright:
            return []
        return [Gap(GAP), MapPiece(self.scenario, tallest=tallest)]

    def _columns(self, made: Pages, pair: Pair, spot: Spot) -> Spot:
        left, right = pair
        beyond = self.x + self.half + GUTTER
        columns = [Column(left, self.x, self.half), Column(right, beyond, self.half)]
        return made.side_by_side(columns, spot)


def shared(begun: Pair, blocks: Sequence[Block], width: float) -> Pair:
    """``blocks`` below what two columns hold already, in order, so that the taller column is as
    short as can be."""
    heights = [depth(block, width) + GAP for block in blocks]
    starts = [depth(column, width) for column in begun]

    def taller(sides: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
        tall = list(starts)
        for side, high in zip(sides, heights, strict=True):
            tall[side] += high
        return max(tall), sides

    best = min(product((0, 1), repeat=len(blocks)), key=taller, default=())
    columns = (list(begun[0]), list(begun[1]))
    for side, block in zip(best, blocks, strict=True):
        if columns[side]:
            columns[side].append(Gap(GAP))
        columns[side].extend(block)
    return columns


def tallest_of(pair: Pair, width: float) -> float:
    """The height of the taller column."""
    return max(depth(column, width) for column in pair)
