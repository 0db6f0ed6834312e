"""The page of a scenario: what goes where, and when a second page is needed.

Title, situation, victory and facts stand above the map, forces in two columns below it, one a side.
The other blocks go below them, each to the column that keeps the page shortest, then the turn
track; footnotes close the page. A smaller map and smaller type for what is looked up seldom may
keep it to one page. Else the map is large and a second page faces the first, with rulings, history
and what of the rest found no room, in full type, and a table for the games that were played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from skirmish.sheets.band import TitleBand
from skirmish.sheets.columns import Block, Pair, shared, tallest_of
from skirmish.sheets.flow import Column, Pages, Part, Spot, Title, depth
from skirmish.sheets.forces import forces
from skirmish.sheets.ink import SIDES
from skirmish.sheets.maps.piece import MapPiece
from skirmish.sheets.paper import GAP, GUTTER, MM, Leaf, leaf
from skirmish.sheets.piece import Gap
from skirmish.sheets.scenario_blocks import (
    CLOSE,
    GAME,
    ROOMY,
    Sheet,
    at_a_glance,
    blocks_for_play,
    blocks_for_reference,
    footnotes,
    map_note,
    situation,
    victory,
)
from skirmish.sheets.scenario_record import LEAST, Record
from skirmish.sheets.scenario_words import nation, when
from skirmish.sheets.turn_track import turn_track

GLANCE = 68 * MM
MAP_HEIGHTS = (330.0, 300.0, *(float(tall) for tall in range(290, 229, -5)))
"""Points, from the largest to the smallest that is still easy to read."""
FULL = 265.0
"""So high is the map at least where there are two pages."""
GIVES_WAY = 250.0
"""So high it is if that brings what is looked up most, the special rules, onto the first page."""
UPRIGHT = 1.2
"""Times as high may a map be that has text beside it."""
TABLE_RULES = "where table and map differ, the table rules"
AUTHOR = "Brett Drake (rules and scenario)"


class Plan(NamedTuple):
    """What stands on the first page: how high the map may be, which of the blocks for play,
    whether the blocks for reference do too, and the footnotes."""

    tallest: float
    play: tuple[int, ...]
    reference: bool
    notes: bool


def title(sheets: Sequence[Sheet]) -> Title:
    """What the document is called that holds these."""
    name = named(sheets[0]) if len(sheets) == 1 else f"{GAME}: the scenarios"
    return Title(name, AUTHOR, f"{GAME}: scenario{'s' if len(sheets) > 1 else ''}")


def named(sheet: Sheet) -> str:
    """``Scenario 10: Dog Beach``."""
    return f"Scenario {sheet.scenario.number}: {sheet.scenario.title}"


def part(sheet: Sheet, paper: str, revision: str) -> Part:
    """The pages of a scenario, ready to be bound."""
    page = leaf(paper)
    made = Pages(page)
    _Layout(sheet, page).onto(made)
    name = named(sheet)
    says = [name, GAME, f"data revision {revision}" if revision else "", TABLE_RULES]
    return Part(made, name, " · ".join(one for one in says if one), {1: "Rulings and history"})


class _Layout:
    """The blocks of one sheet and how they share the page."""

    def __init__(self, sheet: Sheet, page: Leaf) -> None:
        self.sheet, self.scenario, self.page = sheet, sheet.scenario, page
        self.x, self.width = page.margin, page.measure
        self.half = (self.width - GUTTER) / 2
        order = self.scenario.order_of_play()
        battle, catalog, half = self.scenario, sheet.catalog, self.half
        self.first, self.second = (
            forces(battle, battle.side(side), catalog, look, half, form=sheet.form)
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
        self.glance = at_a_glance(sheet, GLANCE, overleaf=True)
        self.situation, self.victory = situation(sheet), victory(sheet)
        self.track = [Gap(GAP), *turn_track(self.scenario, sheet.catalog, form=sheet.form)]
        notes = footnotes(sheet)
        self.notes = [Gap(GAP), *notes] if notes else []
        self.play, self.reference = (
            blocks_for_play(sheet, CLOSE),
            blocks_for_reference(sheet, CLOSE),
        )
        self._tracked = depth(self.track, self.width)
        self._pairs: dict[tuple[tuple[int, ...], bool], tuple[Pair, float]] = {}
        self._rooms: dict[tuple[float, int], float] = {}

    @property
    def upright(self) -> bool:
        """Whether the map is higher than wide, so that text stands beside it."""
        table = self.scenario.table
        return self.scenario.map is not None and table.depth_in > table.width_in

    @cached_property
    def noted(self) -> Block:
        """What of the map is ours."""
        return map_note(self.sheet)

    def onto(self, made: Pages) -> None:
        """Everything onto pages, by the first plan that fits."""
        plan, pair = self._plan()
        if plan.notes:
            self.glance = at_a_glance(self.sheet, GLANCE)
        spot = self._top(made, plan)
        if pair is None:  # forces longer than a page: everything simply follows
            spot = self._columns(made, (self.first, self.second), spot)
            spot = made.pour(self.track, self.x, self.width, spot)
            spot = made.pour([Gap(GAP)], self.x, self.width, spot)
            beside = self._absorbed(plan)
            spot = self._rest(made, [*self.play[beside:], *self.reference], spot)
            made.pour(self.notes, self.x, self.width, spot)
            return
        made.pour(self.track, self.x, self.width, self._columns(made, pair, spot))
        if plan.notes:  # they close the first page
            foot = Spot(0, self.page.bottom + depth(self.notes, self.width))
            made.pour(self.notes, self.x, self.width, foot)
        if not plan.reference:
            rest = [
                block
                for index, block in enumerate(blocks_for_play(self.sheet, ROOMY))
                if index not in plan.play
            ]
            rest += blocks_for_reference(self.sheet, ROOMY)
            spot = self._rest(made, rest, Spot(1, self.page.top))
            if not plan.notes:
                spot = made.pour(self.notes, self.x, self.width, spot)
            self._record(made, spot)

    def _record(self, made: Pages, spot: Spot) -> None:
        """Below everything, in the room that is left."""
        spot = made.pour([Gap(2 * GAP)], self.x, self.width, spot)
        room = spot.top - self.page.bottom
        names = [nation(side, self.sheet.catalog) for side in self.scenario.order_of_play()]
        if room >= LEAST:
            made.place(Record(names, room), self.x, self.width, spot)

    def _plan(self) -> tuple[Plan, Pair | None]:
        """All on one page if a smaller map makes that possible; else two pages that face one
        another, as much for play on the first as goes there beside a large map."""
        every = tuple(range(len(self.play)))
        for tallest in MAP_HEIGHTS:
            plan = Plan(tallest, every, True, True)
            if pair := self._fits(plan):
                return plan, pair
        large = [tallest for tallest in MAP_HEIGHTS if tallest >= FULL]
        medium = [tallest for tallest in MAP_HEIGHTS if GIVES_WAY <= tallest < FULL]
        small = [tallest for tallest in MAP_HEIGHTS if tallest < FULL]
        for heights, wanted in ((large, {0}), (medium, {0}), (large, set()), (small, set())):
            plans = [plan for tallest in heights for plan in self._fullest(tallest)]
            plans = [plan for plan in plans if not self.play or wanted <= {*plan.play}]
            if plans:
                plan = max(plans, key=_worth)
                return plan, self._fits(plan)
        return Plan(MAP_HEIGHTS[0], (), False, False), None

    def _fullest(self, tallest: float) -> Iterator[Plan]:
        """As much for play as goes onto the first page below a map of this height, the blocks that
        come first before the others; nothing where not even the forces do."""
        plan = Plan(tallest, (), False, False)
        plan = plan._replace(play=tuple(range(self._absorbed(plan))))
        if not self._fits(plan):
            return
        for index in range(len(plan.play), len(self.play)):
            fuller = plan._replace(play=(*plan.play, index))
            if self._fits(fuller):
                plan = fuller
        yield plan
        closed = plan._replace(notes=True)
        if len(plan.play) == len(self.play) and self._fits(closed):
            yield closed

    def _fits(self, plan: Plan) -> Pair | None:
        room = self._room(plan.tallest, self._absorbed(plan))
        if plan.notes:
            room -= depth(self.notes, self.width)
        pair, tall = self._shared(plan.play[self._absorbed(plan) :], plan.reference)
        return pair if tall <= room else None

    def _shared(self, play: tuple[int, ...], reference: bool) -> tuple[Pair, float]:
        """The forces and some of the blocks for play in two columns, and how high those are."""
        key = play, reference
        if key not in self._pairs:
            blocks = [self.play[index] for index in play] + (self.reference if reference else [])
            pair = shared((self.first, self.second), blocks, self.half)
            self._pairs[key] = pair, tallest_of(pair, self.half)
        return self._pairs[key]

    def _room(self, tallest: float, beside: int) -> float:
        """The height left for the forces and what stands below them."""
        key = tallest, beside
        if key not in self._rooms:
            self._rooms[key] = self.page.depth - self._above(tallest, beside) - self._tracked
        return self._rooms[key]

    def _absorbed(self, plan: Plan) -> int:
        """How many blocks for play stand beside an upright map."""
        if not self.upright:
            return 0
        drawn = self._drawn(plan.tallest)
        room = depth(drawn.pieces, drawn.width) - depth(self._aside(0), GLANCE)
        for count, block in enumerate(self.play):
            room -= GAP + depth(block, GLANCE)
            if room < 0:
                return count
        return len(self.play)

    def _aside(self, count: int) -> Block:
        """What stands beside an upright map."""
        blocks = [self.glance, self.situation, self.victory, *self.play[:count]]
        return [piece for block in blocks for piece in (*block, Gap(GAP))][:-1]

    def _drawn(self, tallest: float) -> Column:
        wide = self.width - GLANCE - GUTTER
        drawn = MapPiece(self.scenario, tallest=tallest * UPRIGHT)
        return Column([drawn, *self.noted], self.x, wide)

    def _top(self, made: Pages, plan: Plan) -> Spot:
        spot = made.pour([self.band, Gap(GAP)], self.x, self.width, made.start)
        spot = made.side_by_side(self._beside(plan.tallest, self._absorbed(plan)), spot)
        return made.pour([*self._map(plan.tallest), Gap(GAP)], self.x, self.width, spot)

    def _above(self, tallest: float, beside: int) -> float:
        """The depth of all that stands above the forces."""
        columns = self._beside(tallest, beside)
        level = max(depth(column.pieces, column.width) for column in columns)
        band = self.band.height(self.width)
        return band + GAP + level + depth(self._map(tallest), self.width) + GAP

    def _beside(self, tallest: float, count: int) -> list[Column]:
        wide = self.width - GLANCE - GUTTER
        beyond = self.x + wide + GUTTER
        if self.upright:
            return [Column(self._aside(count), beyond, GLANCE), self._drawn(tallest)]
        told = [*self.situation, Gap(GAP), *self.victory]
        return [Column(told, self.x, wide), Column(self.glance, beyond, GLANCE)]

    def _map(self, tallest: float) -> Block:
        if self.scenario.map is None or self.upright:
            return []
        return [Gap(GAP), MapPiece(self.scenario, tallest=tallest), *self.noted]

    def _rest(self, made: Pages, blocks: Sequence[Block], spot: Spot) -> Spot:
        return self._columns(made, shared(([], []), blocks, self.half), spot)

    def _columns(self, made: Pages, pair: Pair, spot: Spot) -> Spot:
        left, right = pair
        beyond = self.x + self.half + GUTTER
        columns = [Column(left, self.x, self.half), Column(right, beyond, self.half)]
        return made.side_by_side(columns, spot)


def _worth(plan: Plan) -> tuple[float, ...]:
    """The more stands on the first page the better; then what comes first before the rest."""
    return len(plan.play), -sum(plan.play), plan.notes, plan.tallest
