"""The page of a battle's report: result and map on top, both sides beside one another below.

It is one page where a smaller map and fewer moments make that possible; else two, the story of the
fire on the second.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.highlights import highlights, turning_point
from skirmish.games.plastic.summary import Summary, summary
from skirmish.sheets.band import TitleBand
from skirmish.sheets.flow import Column, Pages, Spot, Title, depth
from skirmish.sheets.ink import SIDES, InkUse
from skirmish.sheets.maps.piece import MapPiece
from skirmish.sheets.paper import GAP, GUTTER, Leaf, leaf
from skirmish.sheets.piece import Gap, Piece
from skirmish.sheets.report_blocks import (
    GAME,
    kills,
    losses_by_turn,
    moments,
    result,
    side_block,
    turned,
)

HEIGHTS = (240.0, 220.0, 200.0, 180.0)
"""Points of a map that shares its page with everything; nobody measures on it."""
MOMENTS = (12, 9, 7)
ROOMY = 330.0, 20
"""Map and moments where there are two pages."""
FEW_TURNS = 16
"""Turns whose bars have room in half the width."""
Block = list[Piece]


class Plan(NamedTuple):
    """How high the map may be, how many moments are told, and whether all is on one page."""

    tallest: float
    moments: int
    one_page: bool = True


def pages(play: BattlePlay, date: str, paper: str, use: InkUse) -> bytes:
    """The report as a PDF."""
    made = _Report(play, date, leaf(paper))
    setup = play.state.setup
    title = Title(f"{setup.title}: battle report", "Skirmish", f"{GAME}: battle report")
    return made.pages().pdf(title, " · ".join(("Battle report", setup.title, date, GAME)), use)


class _Report:
    """The blocks of one report and how they share the page."""

    def __init__(self, play: BattlePlay, date: str, page: Leaf) -> None:
        self.play, self.page = play, page
        self.x, self.width = page.margin, page.measure
        self.half = (self.width - GUTTER) / 2
        self.found: Summary = summary(play)
        self.band = _band(play, date)
        one, other = (
            side_block(play.state, side, look, self.half)
            for side, look in zip(self.found.sides, SIDES, strict=True)
        )
        self.sides = one, other
        self.turned = turned(play, self.found, turning_point(play))
        self.chart, self.fire = losses_by_turn(self.found), kills(self.found)

    def pages(self) -> Pages:
        """Everything on its page or two."""
        made = Pages(self.page)
        plan = self._plan()
        spot = made.pour(self._top(plan), self.x, self.width, made.start)
        spot = made.side_by_side(self._beside(*self.sides), spot)
        spot = made.pour(self._turned(), self.x, self.width, spot)
        if not plan.one_page:
            spot = Spot(spot.page + 1, self.page.top)
        spot = made.pour(self._wide_chart(), self.x, self.width, spot)
        spot = made.side_by_side(self._beside(*self._fire()), spot)
        made.pour(self._told(plan), self.x, self.width, spot)
        return made

    def _plan(self) -> Plan:
        for count, tallest in product(MOMENTS, HEIGHTS):
            plan = Plan(tallest, count)
            single = (*self._top(plan), *self._turned(), *self._wide_chart(), *self._told(plan))
            tall = depth(single, self.width)
            for pair in (self.sides, self._fire()):
                tall += max(depth(column, self.half) for column in pair)
            if tall <= self.page.depth:
                return plan
        tallest, count = ROOMY
        return Plan(tallest, count, one_page=False)

    def _top(self, plan: Plan) -> Block:
        top: Block = [self.band, Gap(GAP), result(self.found, self.play), Gap(GAP)]
        scenario = self.play.state.setup.scenario
        if scenario is not None and scenario.map is not None:
            top += [MapPiece(scenario, tallest=plan.tallest), Gap(GAP)]
        return top

    def _turned(self) -> Block:
        return [Gap(GAP), *self.turned, Gap(GAP)] if self.turned else [Gap(GAP)]

    def _wide_chart(self) -> Block:
        many = len(self.found.turns) > FEW_TURNS
        return [*self.chart, Gap(GAP)] if many else []

    def _fire(self) -> tuple[Block, Block]:
        one, other = self.fire
        if len(self.found.turns) > FEW_TURNS:
            return one, other
        return self.chart, [*one, Gap(GAP), *other]

    def _told(self, plan: Plan) -> Block:
        told = moments(self.play.state, highlights(self.play, plan.moments), self.width)
        return [Gap(GAP), *told] if told else []

    def _beside(self, left: Block, right: Block) -> list[Column]:
        beyond = self.x + self.half + GUTTER
        return [Column(left, self.x, self.half), Column(right, beyond, self.half)]


def _band(play: BattlePlay, date: str) -> Piece:
    setup, last = play.state.setup, f"Battle report · {GAME}"
    label, number, place = "Turns", str(play.state.clock.turn), "Army against army"
    if scenario := setup.scenario:
        label, number = "Scenario", str(scenario.number)
        place = scenario.unmarked(scenario.place)
    title = setup.title.upper()
    return TitleBand(label, number, title, first=f"Fought {date}", second=place, last=last)
