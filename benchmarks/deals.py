"""Deals battles of all themes on tables of 4 by 4 to 12 by 6 feet, of 50 to 1,000 points, half of
them from small and odd stocks, and checks each: ``python benchmarks/deals.py --deals 10000``.

A battle is wrong if the checker finds a mistake in it, if it needs more than is owned, if words
overlap on its map, if a zone cannot be reached, if it is won or can be won by nobody at the start,
or if random orders do not bring it to its end. What is wrong is listed with the battle's code; the
exit code is 1 then.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import traceback
from collections.abc import Iterator
from io import BytesIO
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import NamedTuple

import tomli_w
from pypdf import PdfReader

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / part) for part in (".", "games/plastic/battle", "sheets")]

import dealt  # noqa: E402
from stage import CARDS, Table, some_order  # noqa: E402

from skirmish import library  # noqa: E402
from skirmish.games.plastic.battle.orders import EndTurn, why_not  # noqa: E402
from skirmish.games.plastic.battle.progress import victory_status  # noqa: E402
from skirmish.games.plastic.battle.scenario_opening import from_scenario  # noqa: E402
from skirmish.games.plastic.battle.setup_choices import SetupChoices  # noqa: E402
from skirmish.games.plastic.dealing.codes import code_of, decoded  # noqa: E402
from skirmish.games.plastic.dealing.deal import Dealt, deal  # noqa: E402
from skirmish.games.plastic.dealing.terrain import in_inches  # noqa: E402
from skirmish.games.plastic.dealing.wishes import NoSuchBattleError, Wishes  # noqa: E402
from skirmish.games.plastic.scenarios.scenario import Scenario  # noqa: E402
from skirmish.sheets.layout import fonts  # noqa: E402
from skirmish.sheets.layout.sheet_canvas import SheetCanvas  # noqa: E402
from skirmish.sheets.maps.scenario_map import SheetMap  # noqa: E402
from skirmish.sheets.scenario.sheet import scenarios_pdf  # noqa: E402
from skirmish.store.scenario_folder import LARGEST_FILE  # noqa: E402
from skirmish.tabletop import plane  # noqa: E402
from skirmish.tabletop.battlefield import Battlefield  # noqa: E402
from skirmish.tabletop.data_file import DataError  # noqa: E402
from skirmish.tabletop.plane import Point  # noqa: E402

LONGEST_CODE = 40
"""Characters of the code of a battle."""


class MapScale(NamedTuple):
    """How large a map is printed: 1 to ``ratio``."""

    ratio: float
    upright: bool


MAP_SCALES = (MapScale(20.0, False), MapScale(22.0, False), MapScale(12.0, True))
"""Those on A4, on Letter and upright in the book."""
MOST_ORDERS = 5000
"""Random orders within which a battle must end."""
HASTE = 0.3
"""How often the turn is ended instead of something else: no battle needs all of its shots."""
MOST_PAGES = 2
"""Both sides of a leaf."""
BESIDE_A_ROAD = 2.0
"""Inches beside the middle of a road within which one crosses water on it."""

Square = tuple[int, int]
"""A square inch of the table: its column and its row."""


class Deal:
    """One battle: what was wished for, and what was dealt."""

    def __init__(self, wishes: Wishes, seed: int) -> None:
        """Raises NoSuchBattleError where nothing can be dealt for these wishes."""
        books = library.dealing()
        self.wishes, self.seed = wishes, seed
        self.code = code_of(wishes, seed, books)
        self.dealt: Dealt = deal(wishes, seed, books)

    def mistakes(self, *, with_play: bool, with_sheet: bool) -> Iterator[str]:
        """All that is wrong with it."""
        yield from self._wrong_code()
        try:
            scenario = dealt.read(self.dealt, self.code)
        except DataError as error:
            for problem in error.problems:
                yield f"mistake: {problem}"
            return
        if len(tomli_w.dumps(self.dealt.raw)) >= LARGEST_FILE:
            yield "the file is too large"
        yield from self._more_than_owned(scenario)
        yield from overlaps(scenario)
        yield from out_of_reach(scenario)
        if with_sheet:
            yield from long_sheet(scenario)
        yield from endless(scenario, with_play=with_play)

    def _wrong_code(self) -> Iterator[str]:
        if len(self.code) > LONGEST_CODE:
            yield "the code is too long"
        if decoded(self.code, library.dealing()) != (self.wishes, self.seed):
            yield "the code is of another battle"

    def _more_than_owned(self, scenario: Scenario) -> Iterator[str]:
        if self.wishes.figures is not None:
            for piece, count in dealt.needed(scenario).items():
                # Anything will do as a parked aircraft.
                if piece != "aircraft" and count > self.wishes.figures[piece]:
                    yield f"more {piece} than owned"
        if self.wishes.terrain is not None:
            pieces = dealt.laid(scenario)
            for kind, count in in_inches(self.wishes.terrain).items():
                if pieces[kind] > count:
                    yield f"more {kind} than owned"


def overlaps(scenario: Scenario) -> Iterator[str]:
    """Words that touch one another on a map of the sheet or the book, or leave it."""
    fonts.ready()
    for scale in MAP_SCALES:
        sheet_map = SheetMap(scenario, scale.ratio, upright=scale.upright)
        width = sheet_map.across
        height = sheet_map.height_at(width)
        canvas = SheetCanvas(BytesIO(), (width, height), initialFontName=fonts.BODY)
        sheet_map.paint(canvas, 0, height, width)
        for word, second_word in combinations(sheet_map.written_words, 2):
            if word.box.overlaps(second_word.box):
                yield f"overlap at 1:{scale.ratio:g}: {word.text} | {second_word.text}"
        paper = plane.Rectangle(0, 0, width, height)
        for word in sheet_map.written_words:
            if not word.box.within(paper):
                yield f"off the map at 1:{scale.ratio:g}: {word.text}"


def out_of_reach(scenario: Scenario) -> Iterator[str]:
    """Zones that nobody who enters over an edge could walk to: only water stops men on foot."""
    field = scenario.map
    assert field is not None
    reached = _largest_dry_part(scenario, field)
    for zone in field.zones:
        if not any(plane.inside(_middle(square), zone.points) for square in reached):
            yield f"zone {zone.letter} cannot be reached"


def _largest_dry_part(scenario: Scenario, field: Battlefield) -> set[Square]:
    """The square inches in the largest part of the table that is not cut by water: whoever enters
    can walk to all of them."""
    dry = _dry_squares(scenario, field)
    largest: set[Square] = set()
    while dry:
        part = {dry.pop()}
        to_go_on_from = list(part)
        while to_go_on_from:
            x, y = to_go_on_from.pop()
            for square in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if square in dry:
                    dry.remove(square)
                    part.add(square)
                    to_go_on_from.append(square)
        largest = max(largest, part, key=len)
    return largest


def _dry_squares(scenario: Scenario, field: Battlefield) -> set[Square]:
    """The square inches that no river covers, or that a road or a bridge carries over it."""
    width, depth = scenario.table.width_in, scenario.table.depth_in
    wet: set[Square] = set()
    ways: set[Square] = set()
    for line in field.lines:
        if line.kind == "river":
            wet |= _squares_along(line.run, line.inches_wide / 2)
        elif line.kind in ("road", "track", "bridge"):
            ways |= _squares_along(line.run, BESIDE_A_ROAD)
    table = set(product(range(int(width)), range(int(depth))))
    return table - (wet - ways)


def _squares_along(path: plane.Path, distance: float) -> set[Square]:
    """The square inches whose middle is within a distance of the path."""
    squares = set()
    for station in plane.stations(path, 0.5):
        x, y = station.at
        columns = range(int(x - distance), int(x + distance) + 1)
        rows = range(int(y - distance), int(y + distance) + 1)
        for square in product(columns, rows):
            if math.dist(_middle(square), station.at) <= distance:
                squares.add(square)
    return squares


def _middle(square: Square) -> Point:
    return square[0] + 0.5, square[1] + 0.5


def long_sheet(scenario: Scenario) -> Iterator[str]:
    """A sheet that is longer than both sides of a leaf."""
    for paper in ("a4", "letter"):
        data = scenarios_pdf(
            [scenario], library.catalog(), library.rulings(), paper=paper, use="colour"
        )
        pages = len(PdfReader(BytesIO(data)).pages)
        if pages > MOST_PAGES:
            yield f"{pages} pages on {paper}"


def endless(scenario: Scenario, *, with_play: bool) -> Iterator[str]:
    """A battle that is won at its start, that somebody cannot win, or that does not end."""
    table = Table(
        from_scenario(
            scenario,
            library.catalog(),
            library.rulings(),
            sources=dict.fromkeys(scenario.order_of_play(), CARDS),
            chosen=SetupChoices(loads=False),
        )
    )
    if table.state.outcome is not None:
        yield "over at the start"
    if not all(status.can_win for status in victory_status(table.state)):
        yield "somebody cannot win"
    if not with_play:
        return
    chance = Random(scenario.title)
    for _ in range(MOST_ORDERS):
        if table.state.outcome is not None:
            return
        order = some_order(table.state, chance)
        if chance.random() < HASTE and why_not(table.state, EndTurn()) is None:
            order = EndTurn()
        table.order(order)
    yield "did not end"


def main() -> int:
    """All the deals; prints each mistake, and a line each hundred deals."""
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--deals", type=int, default=10_000)
    reading.add_argument("--seed", type=int, default=0, help="the first of them")
    reading.add_argument("--play-each", type=int, default=1, help="play each so many-th to its end")
    reading.add_argument("--print-each", type=int, default=10, help="count pages of so many-th")
    asked = reading.parse_args()
    began, refused = time.monotonic(), 0
    wrong = 0
    for number in range(asked.seed, asked.seed + asked.deals):
        theme = dealt.THEMES[number % len(dealt.THEMES)]
        try:
            battle = Deal(*dealt.coded(theme, number))
        except NoSuchBattleError:
            refused += 1
            continue
        with_play = number % asked.play_each == 0
        with_sheet = number % asked.print_each == 0
        try:
            mistakes = list(battle.mistakes(with_play=with_play, with_sheet=with_sheet))
        except Exception:
            mistakes = [traceback.format_exc()]
        for mistake in mistakes:
            wrong += 1
            print(f"{number} {theme} {battle.code}: {mistake}", flush=True)
        if number % 100 == 99:
            print(f"{number + 1 - asked.seed}, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{asked.deals} deals, {refused} refused, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
