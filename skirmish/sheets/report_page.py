"""The page of a battle's report: result and map on top, both sides beside one another below.

It is one page where a smaller map, fewer moments and lower charts make that possible. Else there
are two: on the first a large map, both sides, and of the charts what fits; on the second the
others, and as many moments as there is room for. What is left of the last page has lines to write
on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.highlights import highlights, turning_point
from skirmish.games.plastic.luck import luck
from skirmish.games.plastic.summary import Summary, summary
from skirmish.sheets.layout.blocks import TitleBand
from skirmish.sheets.layout.flowables import Flowable, Gap, NewPage, depth, halves
from skirmish.sheets.layout.pages import OwnNotes, Part, Title, bound
from skirmish.sheets.maps.scenario_map import MapPiece
from skirmish.sheets.paper import GAP, GUTTER, SIDES, InkUse, Leaf, leaf
from skirmish.sheets.report_blocks import (
    GAME,
    kills,
    losses_by_turn,
    moments,
    result,
    side_block,
    turned,
)
from skirmish.sheets.report_luck import luck_block

HEIGHTS = (240.0, 220.0, 200.0, 180.0, 165.0)
"""Points of a map that shares its page with everything; nobody measures on it."""
MOMENTS = (12, 9, 7, 6)
SCALES = (1.0, 0.8, 0.6)
"""How much of their usual height the charts have where that makes it one page."""
LARGE = (330.0, 300.0, 280.0, 265.0, 250.0, 235.0, 220.0, 205.0)
"""Points of a map where there are two pages."""
MANY = range(48, 11, -2)
"""Moments where there are two pages."""
FEW_TURNS = 16
"""Turns whose bars have room in half the width."""
Block = list[Flowable]


class Section(NamedTuple):
    """A block as wide as the page, or one in each half of it."""

    left: Block
    right: Block | None = None


class Plan(NamedTuple):
    """How high the map may be, what stands below the turning point, and how much of that still on
    the first page."""

    tallest: float
    sections: list[Section]
    first: int


def pages(play: BattlePlay, date: str, paper: str, use: InkUse) -> bytes:
    """The report as a PDF."""
    made = _Report(play, date, leaf(paper))
    setup = play.state.setup
    title = Title(f"{setup.title}: battle report", "Skirmish", f"{GAME}: battle report")
    footer = " · ".join(("Battle report", setup.title, date, GAME))
    return bound([Part(made.page, made.story(), title.title, footer)], title, use)


class _Report:
    """The blocks of one report and how they share the page."""

    def __init__(self, play: BattlePlay, date: str, page: Leaf) -> None:
        self.play, self.page = play, page
        self.width = page.measure
        self.half = (self.width - GUTTER) / 2
        self.found: Summary = summary(play)
        self.band = _band(play, date)
        one, other = (
            side_block(play.state, side, look, self.half)
            for side, look in zip(self.found.sides, SIDES, strict=True)
        )
        self.sides = one, other
        self.turned = turned(play, self.found, turning_point(play))
        self.fire, self.shots = kills(self.found), luck(play)

    def story(self) -> Block:
        """Everything on its page or two."""
        tallest, sections, first = self._plan()
        story = [*self._top(tallest), halves(*self.sides, self.width), *self._turned()]
        for number, section in enumerate(sections):
            if number == first:
                story.append(NewPage())
            if section.right is None:
                story += section.left
            else:
                story.append(halves(section.left, section.right, self.width))
            story.append(Gap(GAP))
        return [*story[:-1], OwnNotes()]

    def _plan(self) -> Plan:
        room = self.page.depth
        told = {count: self._told(count) for count in MOMENTS}
        for scale in SCALES:
            charts = self._charts(wide=len(self.found.turns) > FEW_TURNS, scale=scale)
            for count, tallest in product(MOMENTS, HEIGHTS):
                sections = [*charts, *told[count]]
                if self._head(tallest) + self._depth(sections) <= room:
                    return Plan(tallest, sections, len(sections))
        first, tallest = 0, LARGE[0]
        whole = self._charts(wide=True)
        for lower in LARGE:
            fits = [n for n in range(1, len(whole) + 1)
                    if self._head(lower) + self._depth(whole[:n]) <= room]  # fmt: skip
            if fits:
                first, tallest = fits[-1], lower
                break
        for count in MANY:
            sections = [*whole, *self._told(count)]
            if self._depth(sections[first:]) <= room:
                break
        return Plan(tallest, sections, first)

    def _charts(self, *, wide: bool, scale: float = 1) -> list[Section]:
        """The charts below the turning point. ``wide``: that of losses takes the whole width."""
        one, other = self.fire
        chart = losses_by_turn(self.found, scale)
        charts = [Section(chart, [*one, Gap(GAP), *other])]
        if wide:
            charts = [Section(chart), Section(one, other)]
        block = luck_block(self.play, self.shots, scale)
        return [*charts, Section(block)] if block else charts

    def _told(self, count: int) -> list[Section]:
        """So many moments worth telling, if there are any."""
        block = moments(self.play.state, highlights(self.play, count), self.width)
        return [Section(block)] if block else []

    def _depth(self, sections: Sequence[Section]) -> float:
        tall = -GAP if sections else 0.0
        for left, right in sections:
            halves = (left, right) if right is not None else ()
            deep = max((depth(half, self.half) for half in halves), default=0.0)
            tall += GAP + (deep or depth(left, self.width))
        return tall

    def _head(self, tallest: float) -> float:
        """The depth of all down to the turning point."""
        tall = depth([*self._top(tallest), *self._turned()], self.width)
        return tall + max(depth(column, self.half) for column in self.sides)

    def _top(self, tallest: float) -> Block:
        top: Block = [self.band, Gap(GAP), result(self.found, self.play), Gap(GAP)]
        scenario = self.play.state.setup.scenario
        if scenario is not None and scenario.map is not None:
            top += [MapPiece(scenario, tallest=tallest), Gap(GAP)]
        return top

    def _turned(self) -> Block:
        return [Gap(GAP), *self.turned, Gap(GAP)] if self.turned else [Gap(GAP)]


def _band(play: BattlePlay, date: str) -> Flowable:
    setup, last = play.state.setup, f"Battle report · {GAME}"
    label, number, place = "Turns", str(play.state.clock.turn), "Army against army"
    if scenario := setup.scenario:
        label, number = "Scenario", str(scenario.number)
        place = scenario.unmarked(scenario.place)
    title = setup.title.upper()
    return TitleBand(label, number, title, first=f"Fought {date}", second=place, last=last)
