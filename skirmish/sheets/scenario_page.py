"""The page of a scenario: what goes where, and when a second page is needed.

Forces stand in two columns, one a side. The other blocks go below them, each to the column that
keeps the page shortest, then the turn track; footnotes close the page. What does not fit at full
type size goes to a second page: rulings and history first, so that all that is needed in play
stays on one side.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from skirmish.sheets.band import TitleBand
from skirmish.sheets.flow import Column, Pages, Spot, Title, depth
from skirmish.sheets.forces import forces
from skirmish.sheets.ink import SIDES
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
AUTHOR = "Brett Drake (rules and scenario)"


def pages(sheet: Sheet, paper: str, revision: str) -> bytes:
    """The scenario sheet as a PDF."""
    scenario, page = sheet.scenario, leaf(paper)
    made = Pages(page)
    _lay(sheet, made, page)
    title = Title(f"Scenario {scenario.number}: {scenario.title}", AUTHOR, f"{GAME}: scenario")
    parts = [title.title, GAME, f"data revision {revision}" if revision else ""]
    return made.pdf(title, " · ".join(part for part in parts if part))


def _lay(sheet: Sheet, made: Pages, page: Leaf) -> None:
    x, width = page.margin, page.measure
    half = (width - GUTTER) / 2
    spot = _top(sheet, made, page)
    order = sheet.scenario.order_of_play()
    first, second = (
        forces(sheet.scenario, sheet.scenario.side(side), sheet.catalog, look, half)
        for side, look in zip(order, SIDES, strict=True)
    )
    track = [Gap(GAP), *turn_track(sheet.scenario, sheet.catalog)]
    notes = [Gap(GAP), *footnotes(sheet)]
    play, reference = blocks_for_play(sheet), blocks_for_reference(sheet)
    room = spot.top - page.bottom - depth(track, width)
    with_notes = room - depth(notes, width)

    def fits(blocks: Sequence[Block], room: float) -> Pair | None:
        pair = shared((first, second), blocks, half)
        return pair if tallest(pair, half) <= room else None

    pair = fits([*play, *reference], with_notes)
    rest: list[Block] = []
    if pair is None:
        rest, pair = reference, fits(play, with_notes)
    if pair is not None:
        made.pour(track, x, width, _columns(made, page, pair, spot))
        made.pour(notes, x, width, Spot(0, page.bottom + depth(notes, width)))
        if rest:
            _columns(made, page, shared(([], []), rest, half), Spot(1, page.top))
        return
    for count in range(len(play), -1, -1):
        pair = fits(play[:count], room)
        if pair is not None:
            made.pour(track, x, width, _columns(made, page, pair, spot))
            spot = Spot(1, page.top)
            rest = [*play[count:], *reference]
            break
    else:  # forces longer than a page: everything simply follows
        spot = made.pour(track, x, width, _columns(made, page, (first, second), spot))
        spot = made.pour([Gap(GAP)], x, width, spot)
        rest = [*play, *reference]
    spot = _columns(made, page, shared(([], []), rest, half), spot)
    made.pour(notes, x, width, spot)


def _top(sheet: Sheet, made: Pages, page: Leaf) -> Spot:
    scenario, x, width = sheet.scenario, page.margin, page.measure
    band = TitleBand(
        "Scenario",
        str(scenario.number),
        scenario.title.upper(),
        first=when(scenario.date),
        second=scenario.place,
        last=f"{GAME} · rules and scenario by Brett Drake",
    )
    spot = made.pour([band, Gap(GAP)], x, width, made.start)
    wide = width - GLANCE - GUTTER
    spot = made.side_by_side(
        [
            Column(situation(sheet), x, wide),
            Column(at_a_glance(sheet, GLANCE), x + wide + GUTTER, GLANCE),
        ],
        spot,
    )
    return made.pour([Gap(GAP)], x, width, spot)


def _columns(made: Pages, page: Leaf, pair: Pair, spot: Spot) -> Spot:
    half = (page.measure - GUTTER) / 2
    left, right = pair
    return made.side_by_side(
        [Column(left, page.margin, half), Column(right, page.margin + half + GUTTER, half)], spot
    )


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


def tallest(pair: Pair, width: float) -> float:
    """The height of the taller column."""
    return max(depth(column, width) for column in pair)
