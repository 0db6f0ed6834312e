"""Maps on paper: nothing lettered over another, nothing cut, sides told apart on any ground."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from itertools import combinations, pairwise
from textwrap import wrap
from typing import NamedTuple
from unittest.mock import Mock

import dealt
import msgspec
import pytest
from deep import deep_after, deep_pairs
from nearest import nearest
from pypdf import PdfReader

from skirmish import library
from skirmish.games.plastic.dealing.codes import decoded
from skirmish.games.plastic.dealing.deal import deal
from skirmish.games.plastic.scenarios.grid import FOOT, square_name
from skirmish.games.plastic.scenarios.laying import pieces_by_kind
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import NATIONS, SIDES, Ink, looks
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.sheet_canvas import SheetCanvas
from skirmish.sheets.maps.distances import INTERRUPTIBLE
from skirmish.sheets.maps.frame import FRAME_WIDTH
from skirmish.sheets.maps.key import draw_swatch
from skirmish.sheets.maps.numbers import DISC_RADIUS
from skirmish.sheets.maps.outlines import Outline, outlines
from skirmish.sheets.maps.overlaps import overlapping_words
from skirmish.sheets.maps.palette import COLOUR, SAVER
from skirmish.sheets.maps.pen import Pen, WrittenWords
from skirmish.sheets.maps.pieces import pointer
from skirmish.sheets.maps.scenario_map import ScenarioMap, SheetMap, TableMap
from skirmish.sheets.maps.terrain import shores
from skirmish.sheets.paper import INCH
from skirmish.sheets.scenario import left_page
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Building
from skirmish.tabletop.plane import Path, Point, Rectangle

WIDTH = 535.0
CLEAR = 2.0
"""Points between a word and the frame."""


def name_of(case: object) -> str | None:
    """How the cases of a test are called."""
    if isinstance(case, Scenario):
        return case.id
    return None


MAPPED = [scenario for scenario in library.published_scenarios().values() if scenario.map]
DEALT = [(theme, seed) for theme in dealt.THEMES for seed in deep_after(1, range(2))]
GROUNDS = (
    "grass",
    "desert",
    "steppe",
    "rubble",
    "sea",
    "beach",
    "slope",
    "hilltop",
    "field",
    "orchard",
    "marsh",
    "rough",
    "town",
    "airfield",
    "crater",
    "depression",
    "river",
    "road",
    "woods",
)


def drawn(
    scenario: Scenario, *, tallest: float = 400, width: float = WIDTH
) -> tuple[bytes, list[WrittenWords], Rectangle]:
    """The map as a PDF, what is lettered on it, and the room it had."""
    return drawn_map(ScenarioMap(scenario, tallest=tallest), width)


def drawn_map(table_map: TableMap, width: float) -> tuple[bytes, list[WrittenWords], Rectangle]:
    fonts.ready()
    tall = table_map.height_at(width)
    stream = BytesIO()
    canvas = SheetCanvas(stream, (width, tall), invariant=1, initialFontName=fonts.BODY)
    table_map.paint(canvas, 0, tall, width)
    canvas.showPage()
    canvas.save()
    return stream.getvalue(), table_map.written_words, Rectangle(0, 0, width, tall)


Shape = Sequence[Point]


def cut(word: Shape, run: Shape) -> bool:
    """Whether a line, not closed, runs through or under a word."""
    return any(plane.inside(point, word) for point in run) or any(
        _cross(a, b, c, d)
        for a, b in zip(word, (*word[1:], word[0]), strict=True)
        for c, d in pairwise(run)
    )


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def luminance(ink: Ink) -> float:
    """As WCAG measures it."""
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in ink]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Ink, other: Ink) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("scenario", "tallest"), deep_pairs(MAPPED, [400.0, 350.0, 290.0]), ids=name_of
)
def test_no_word_stands_over_another_or_off_the_map(scenario: Scenario, tallest: float) -> None:
    _, written, room = drawn(scenario, tallest=tallest)
    touching = [(a.text, b.text) for a, b in combinations(written, 2) if a.box.overlaps(b.box)]
    assert not touching
    assert all(word.box.within(room) for word in written)


SHEETS = {"a4": (20.0, False), "letter": (22.0, False), "book": (12.0, True)}
"""The scale of a map with numbers, and whether it is turned upright."""


def sheet_map(scenario: Scenario, where: str) -> SheetMap:
    ratio, upright = SHEETS[where]
    return SheetMap(scenario, ratio, upright=upright)


@pytest.mark.parametrize(("scenario", "where"), deep_pairs(MAPPED, SHEETS), ids=name_of)
def test_no_number_and_no_word_of_a_sheet_stands_over_another(
    scenario: Scenario, where: str
) -> None:
    table_map = sheet_map(scenario, where)
    _, written, room = drawn_map(table_map, table_map.across)
    touching = [(a.text, b.text) for a, b in combinations(written, 2) if a.box.overlaps(b.box)]
    assert not touching
    assert all(word.box.within(room) for word in written)


CROWDED = (
    "2C6G2T040TRVGHW000GCC3608HP040060RD",
    "2G80C2W51VR3BRM44T1CH066910CSGK20THC060G",
)
"""Codes of dealt battles: a zone full of houses; a name near the edge of the book's map."""


@pytest.mark.parametrize("code", CROWDED)
def test_no_word_of_a_crowded_battle_stands_over_another(code: str) -> None:
    books = library.dealing()
    scenario = dealt.read(deal(*decoded(code, books), books))
    for where in SHEETS:
        table_map = sheet_map(scenario, where)
        _, written, _ = drawn_map(table_map, table_map.across)
        assert not [(a.text, b.text) for a, b in combinations(written, 2) if a.box.overlaps(b.box)]


@pytest.mark.parametrize(("theme", "seed"), DEALT)
def test_no_number_and_no_word_of_a_dealt_battle_stands_over_another(theme: str, seed: int) -> None:
    scenario = dealt.read(deal(*dealt.coded(theme, seed), library.dealing()))
    for where in SHEETS:
        table_map = sheet_map(scenario, where)
        _, written, room = drawn_map(table_map, table_map.across)
        touching = [(a.text, b.text) for a, b in combinations(written, 2) if a.box.overlaps(b.box)]
        assert not touching
        assert all(word.box.within(room) for word in written)


@pytest.mark.parametrize(("scenario", "where"), deep_pairs(MAPPED, SHEETS), ids=name_of)
def test_every_feature_has_its_number_on_the_map(scenario: Scenario, where: str) -> None:
    table_map = sheet_map(scenario, where)
    _, written, _ = drawn_map(table_map, table_map.across)
    shown = Counter(word.text for word in written)
    for feature in table_map.features:
        assert shown[str(feature.number)]


def test_what_a_distance_forbids_stands_at_its_arrow() -> None:
    for scenario in MAPPED:
        assert scenario.map is not None
        assert all(distance.means for distance in scenario.map.dimensions)
    table_map = sheet_map(library.scenarios()[9], "a4")
    data, _, _ = drawn_map(table_map, table_map.across)
    text = " ".join(PdfReader(BytesIO(data)).pages[0].extract_text().split())
    for words in ("no British", "before turn 8", "no Germans", "before turn 12"):
        assert words in text


def test_the_edges_keep_their_names_when_the_map_is_turned() -> None:
    """What was on the right is at the top: east, where north was at the top."""
    straight = SheetMap(library.scenarios()[1], 12)
    turned = SheetMap(library.scenarios()[1], 12, upright=True)
    assert (straight.up, turned.up) == ("N", "E")
    assert turned.table.size == straight.table.size[::-1]
    assert [(one.number, one.squares, one.size) for one in turned.features] == [
        (one.number, one.squares, one.size) for one in straight.features
    ]


def test_a_table_larger_than_usual_is_drawn_smaller() -> None:
    large = msgspec.structs.replace(
        MAPPED[0], table=msgspec.structs.replace(MAPPED[0].table, width_in=192)
    )
    assert SheetMap(large, 20).ratio == 40
    assert SheetMap(large, 20).stated_scale == "1:40"


AIR = 0.8
"""Points between a word and the next line; its white border is a point wide."""
RING = 0.3
"""Half the weight of the ring around a feature's number, in points."""


class Lettered(NamedTuple):
    """A map with what is lettered on it: its table, its lines and its houses, all on the paper."""

    piece: TableMap
    written: list[WrittenWords]
    table: Rectangle
    lines: list[Outline]
    houses: list[list[Point]]


def lettered(scenario: Scenario, where: str) -> Lettered:
    piece, width = ScenarioMap(scenario, tallest=400.0), WIDTH
    if where in SHEETS:
        numbered_map = sheet_map(scenario, where)
        piece, width = numbered_map, numbered_map.across
    _, written, room = drawn_map(piece, width)
    pen = piece.pen(SheetCanvas(BytesIO()), 0, room.top, width)
    (left, low), (right, top) = pen.on_paper((0, 0)), pen.on_paper(piece.table.size)
    houses = []
    for house in piece.table.field.buildings:
        walls = [pen.on_paper(corner) for corner in house.outline]
        houses.append([*walls, walls[0]])
    lines = list(outlines(pen, piece.table.field, piece.table.size))
    return Lettered(piece, written, Rectangle(left, low, right, top), lines, houses)


def gap(word: WrittenWords, path: Path) -> float:
    """The points between a word and a line, 0 if they meet."""
    if not plane.box(path).grown(30).overlaps(word.box):
        return math.inf
    if cut(word.corners, path):
        return 0
    around = [*word.corners, word.corners[0]]
    from_word = min(nearest(corner, path) for corner in word.corners)
    return min(from_word, *(nearest(point, around) for point in path))


@pytest.mark.parametrize(
    ("scenario", "where"), deep_pairs(MAPPED, [*SHEETS, "report"]), ids=name_of
)
def test_a_word_keeps_clear_of_frame_houses_and_all_lines(scenario: Scenario, where: str) -> None:
    piece, written, table, lines, houses = lettered(scenario, where)
    places = {label.text for label in piece.table.field.labels}
    met: list[tuple[str, str]] = []
    for word in (word for word in written if word.text in places):
        if not word.box.within(table.grown(-CLEAR)):
            met.append((word.text, "frame"))
        met += [(word.text, "house") for walls in houses if gap(word, walls) < AIR]
        met += [(word.text, line.kind) for line in lines
                if gap(word, line.path) < line.half_width + AIR]  # fmt: skip
    assert not met, str(met)


@pytest.mark.parametrize(("scenario", "where"), deep_pairs(MAPPED, SHEETS), ids=name_of)
def test_the_number_of_a_feature_keeps_clear_of_all_words(scenario: Scenario, where: str) -> None:
    piece, written, table, _, _ = lettered(scenario, where)
    pieces_by_kind = {str(feature.number) for feature in piece.features
                if not isinstance(feature.parts[0], Building)}  # fmt: skip
    inside = [word for word in written if word.box.within(table)]
    met: list[tuple[str, str]] = []
    for number in (word for word in inside if word.text in pieces_by_kind):
        middle = number.box.left / 2 + number.box.right / 2, sum(number.box[1::2]) / 2
        for word in (word for word in inside if word is not number):
            air = nearest(middle, [*word.corners, word.corners[0]]) - DISC_RADIUS - RING
            if air < AIR:
                met.append((number.text, word.text))
    assert not met, str(met)


@pytest.mark.parametrize(("scenario", "where"), deep_pairs(MAPPED, SHEETS), ids=name_of)
def test_the_number_of_a_feature_covers_no_arrow_and_no_pointer(
    scenario: Scenario, where: str
) -> None:
    """Whichever way a gun points, one sees it."""
    piece, written, table, _, _ = lettered(scenario, where)
    pen = piece.pen(SheetCanvas(BytesIO()), 0, table.top + FRAME_WIDTH, table.right + FRAME_WIDTH)
    runs = [[pen.on_paper(point) for point in arrow.run] for arrow in piece.table.field.arrows]
    for piece_on_map in piece.table.field.marks:
        run = pointer(piece_on_map, pen.on_paper(piece_on_map.at))
        if run:
            runs.append([*run])
    numbers = {str(feature.number) for feature in piece.features
               if not isinstance(feature.parts[0], Building)}  # fmt: skip
    covered = []
    for word in written:
        if word.text in numbers and word.box.within(table):
            middle = word.box.left / 2 + word.box.right / 2, sum(word.box[1::2]) / 2
            covered += [word.text for run in runs if nearest(middle, run) < DISC_RADIUS + RING]
    assert not covered


@pytest.mark.parametrize(("scenario", "where"), deep_pairs(MAPPED, SHEETS), ids=name_of)
def test_no_line_runs_through_what_a_distance_means(scenario: Scenario, where: str) -> None:
    """But the distance itself, which its words interrupt as its number does, or a road."""
    piece, written, _, lines, _ = lettered(scenario, where)
    meanings = [wrap(measured.means, 16) for measured in piece.table.field.dimensions]
    words = {line for means in meanings for line in means}
    solid = [line for line in lines if line.kind not in INTERRUPTIBLE]
    met = [(word.text, line.kind) for word in written if word.text in words
           for line in solid if line.crosses(word.box)]  # fmt: skip
    assert not met, str(met)


def test_the_key_shows_another_arrow_for_an_exit_than_for_an_entry() -> None:
    piece = ScenarioMap(library.scenarios()[7])
    samples = {entry.name: entry.sample for entry in piece.key.entries}
    drawn = []
    for name in ("German entry", "German exit"):
        canvas = SheetCanvas(BytesIO(), pageCompression=0)
        pen = Pen(canvas, 0, 0, 1, COLOUR)
        draw_swatch(pen, samples[name], piece.table, (0, 0))
        drawn.append(len(canvas._code))
    entry, leaving = drawn
    assert entry < leaving, "an exit has a bar at its tip"


def test_the_number_of_an_entry_point_is_that_of_nothing_else() -> None:
    piece = sheet_map(library.scenarios()[3], "a4")
    points = {mark.mark for mark in piece.table.field.marks if mark.kind == "entry"}
    assert points == {"1", "2", "3", "4"}
    assert points.isdisjoint(str(feature.number) for feature in piece.features)


@pytest.mark.parametrize("scenario", MAPPED, ids=lambda scenario: scenario.id)
def test_no_road_ends_in_the_water(scenario: Scenario) -> None:
    field = scenario.map
    assert field is not None
    across, upward = scenario.table.width_in, scenario.table.depth_in
    for road in (line for line in field.lines if line.kind == "road"):
        for end in (road.run[0], road.run[-1]):
            if min(end[0], end[1], across - end[0], upward - end[1]) < 0.01:
                continue
            for river in (line for line in field.lines if line.kind == "river"):
                bank = nearest(end, river.run) - river.inches_wide / 2
                assert bank >= road.inches_wide / 2, end


@pytest.mark.parametrize("scenario", MAPPED, ids=lambda scenario: scenario.id)
def test_every_word_is_found_once(scenario: Scenario) -> None:
    """Its white border is no second text to whoever searches or copies."""
    data, written, _ = drawn(scenario)
    text = "".join(PdfReader(BytesIO(data)).pages[0].extract_text().split())
    wanted = Counter("".join(word.text.split()) for word in written)
    for word in (one for one in wanted if len(one) > 4):
        known = sum(count for other, count in wanted.items() if word in other)
        assert text.count(word) == known, word


@pytest.mark.parametrize("scenario", MAPPED, ids=lambda scenario: scenario.id)
def test_all_that_the_map_names_can_be_read_from_the_page(scenario: Scenario) -> None:
    data, _, _ = drawn(scenario)
    text = PdfReader(BytesIO(data)).pages[0].extract_text()
    field = scenario.map
    assert field is not None
    for label in field.labels:
        assert label.text in text
    for letter in field.zone_letters | field.mark_letters:
        assert letter in text


@pytest.mark.parametrize("scenario", MAPPED, ids=lambda scenario: scenario.id)
def test_water_is_lined_along_its_shore_and_not_along_the_edge_of_the_table(
    scenario: Scenario,
) -> None:
    field = scenario.map
    assert field is not None
    across, upward = scenario.table.width_in, scenario.table.depth_in
    for sea in (area for area in field.areas if area.kind == "sea"):
        legs = list(shores(sea.outline, Rectangle(0, 0, across, upward)))
        assert 3 < len(legs) < len(sea.outline)
        middles = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in legs]
        assert all(min(x, y, across - x, upward - y) > 0.01 for x, y in middles)


def test_the_same_map_gives_the_same_bytes() -> None:
    assert drawn(MAPPED[0])[0] == drawn(MAPPED[0])[0]


@pytest.mark.parametrize("ground", GROUNDS)
def test_the_inks_of_all_nations_stand_out_on_every_ground(ground: str) -> None:
    assert NATIONS.keys() >= library.catalog().nations.keys()
    for ink in [*NATIONS.values(), *(side.ink for side in SIDES)]:
        assert contrast(ink, getattr(COLOUR, ground)) >= 5


def test_germans_have_one_look_on_every_sheet() -> None:
    found = set()
    for scenario in MAPPED:
        order = scenario.order_of_play()
        both = dict(zip(order, looks(order[0], order[1]), strict=True))
        found.add(both.pop("german"))
        assert not next(iter(both.values())).solid
    assert len(found) == 1


@pytest.mark.parametrize("scenario", MAPPED, ids=lambda scenario: scenario.id)
def test_every_feature_of_a_map_is_laid_in_a_square_with_its_size(scenario: Scenario) -> None:
    field = scenario.map
    assert field is not None
    size = scenario.table.width_in, scenario.table.depth_in
    laid = dict(pieces_by_kind(field, size))
    houses = [house for house in field.buildings if house.kind == "house"]
    if houses:
        places = laid[f"Building{'s' * (len(houses) > 1)}"].split(", ")
        assert len(places) == len(houses)
        for house, place in zip(houses, places, strict=True):
            *number, where, about = place.split(" ")
            assert number == ([f"({house.number})"] if house.number else [])
            assert square_name(house.at)[0] in where
            assert sorted(map(int, about.split("×"))) == sorted(map(round, house.size))
    bridges = [line for line in field.lines if line.kind == "bridge"]
    assert bool(bridges) == any(name.startswith("Bridge (") for name in laid)
    assert ("Woods" in laid) == any(area.kind == "woods" for area in field.areas)
    assert all(re.search(r"[A-H][1-5]", places) for places in laid.values())


def test_sparing_ink_fills_no_ground_and_no_roof() -> None:
    inks = msgspec.structs.asdict(SAVER)
    built = ("building", "roof", "works", "bridge")
    assert all(inks[filled] == (1.0, 1.0, 1.0) for filled in (*GROUNDS, *built))


def test_a_scenario_without_a_map_has_no_map_to_draw() -> None:
    bare = msgspec.structs.replace(MAPPED[0], map=None)
    with pytest.raises(ValueError, match="has no map"):
        ScenarioMap(bare)


def test_ink_fills_the_letters_that_lean_out_of_their_word() -> None:
    canvas = SheetCanvas(BytesIO(), pageCompression=0)
    fonts.ready()
    pen = Pen(canvas, 0, 0, 4.0, COLOUR)
    pen.write("to Derna", (100, 100), fonts.ITALIC, 8, COLOUR.ink)
    (filled,) = re.findall(r"(\S+) \S+ (\S+) \S+ re", "\n".join(canvas._code))
    left, wide = map(float, filled)
    half = fonts.width("to Derna", fonts.ITALIC, 8) / 2
    assert left < -half - 1
    assert left + wide > half + 1


def test_words_that_overlap_are_named_to_whoever_draws_a_map() -> None:
    scenario = MAPPED[5]
    assert overlapping_words(scenario) == []
    assert scenario.map is not None
    label = scenario.map.labels[0]
    twice = msgspec.structs.replace(label, text="THE SAME PLACE")
    crowded = msgspec.structs.replace(scenario.map, labels=(*scenario.map.labels, twice))
    overlaps = overlapping_words(msgspec.structs.replace(scenario, map=crowded))
    assert {label.text, "THE SAME PLACE"} in [set(overlap) for overlap in overlaps]


def test_where_ink_is_spared_the_white_around_words_is_broader() -> None:
    """There every pattern is of lines, which run into letters."""
    broadest = []
    for palette in (COLOUR, SAVER):
        canvas = SheetCanvas(BytesIO(), pageCompression=0)
        fonts.ready()
        pen = Pen(canvas, 0, 0, 4.0, palette)
        pen.write("balka", (100, 100), fonts.ITALIC, 8, palette.ink)
        weights = re.findall(r"(\S+) w\b", "\n".join(canvas._code))
        broadest.append(max(map(float, weights)))
    in_colour, spared = broadest
    assert spared > in_colour


@pytest.mark.parametrize(("width", "feet"), [(96, 8), (40, 3)])
def test_the_last_number_of_a_ruler_stands_at_the_tick_of_its_foot(
    monkeypatch: pytest.MonkeyPatch, width: int, feet: int
) -> None:
    written: dict[str, float] = {}

    def write(_canvas: object, x: float, _y: float, text: str, _style: object) -> None:
        written[text] = x

    monkeypatch.setattr(left_page, "write", write)
    sheet_map = Mock(ratio=INCH, table=Mock(size=(width, 60)))  # a point for an inch of the table
    left_page.TableRuler(sheet_map).paint(Mock(), 0, 0, WIDTH)
    tick = FRAME_WIDTH + 12 * feet
    for last in (f"{feet} ft", f"{30 * feet} cm"):
        assert written[last] == pytest.approx(tick - 2)


@pytest.mark.parametrize("number", library.published_scenarios())
@pytest.mark.parametrize("square", [34, 38, 42, 55, 70])
def test_the_names_of_the_key_stand_below_one_another_and_apart(number: int, square: int) -> None:
    key = ScenarioMap(library.scenarios()[number]).key
    placed = list(key._placed_entries(square / FOOT))
    lefts = sorted({one.left for one in placed})
    for one, after in pairwise(placed):
        assert (after.row, after.left) in {
            (one.row, lefts[(lefts.index(one.left) + 1) % len(lefts)]),
            (one.row + 1, 0),
        }
    for one, width in zip(placed, key._widths, strict=True):
        assert all(left <= one.left or left >= one.left + width for left in lefts)
