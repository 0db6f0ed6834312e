"""Markers and templates, measured in the document's own units: 72 points are an inch."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream

from skirmish import library
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.sheets.cut_pages import CutPageHead
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.markers import STICKS, markers_pdf
from skirmish.sheets.paper import MM, leaf_of
from skirmish.sheets.tags import TAG_SIZE

CATALOG = library.catalog()
INCH = 72.0
TWO_CM = 56.69
NEAR = 0.1

Point = tuple[float, float]


class Drawn(NamedTuple):
    """What a page draws, in points of the paper: boxes, and the corners of every other path."""

    boxes: list[tuple[float, float, float, float]]
    paths: list[list[Point]]

    def lines(self) -> list[tuple[Point, Point]]:
        return [(path[0], path[1]) for path in self.paths if len(path) == 2]

    def size(self, wide: float, tall: float) -> int:
        """How many boxes have that size."""
        return sum(abs(w - wide) < NEAR and abs(h - tall) < NEAR for _, _, w, h in self.boxes)


@cache
def drawn(reader: PdfReader, number: int) -> Drawn:
    page = reader.pages[number]
    found = Drawn([], [])
    stack: list[list[float]] = []
    now = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]

    def at(x: float, y: float) -> Point:
        a, b, c, d, e, f = now
        return a * x + c * y + e, b * x + d * y + f

    for operands, name in ContentStream(page.get_contents(), reader).operations:
        values = [float(one) for one in operands if isinstance(one, int | float)]
        if name == b"q":
            stack.append(list(now))
        elif name == b"Q":
            now = stack.pop()
        elif name == b"cm":
            a, b, c, d, e, f = values
            n = now
            now = [
                a * n[0] + b * n[2],
                a * n[1] + b * n[3],
                c * n[0] + d * n[2],
                c * n[1] + d * n[3],
                e * n[0] + f * n[2] + n[4],
                e * n[1] + f * n[3] + n[5],
            ]
        elif name == b"re":
            (x, y), (right, top) = at(*values[:2]), at(values[0] + values[2], values[1] + values[3])
            found.boxes.append((x, y, right - x, top - y))
        elif name == b"m":
            found.paths.append([at(*values)])
        elif name == b"l":
            found.paths[-1].append(at(*values))
        elif name == b"c":
            found.paths[-1].append(at(*values[4:]))
    return found


@pytest.fixture(scope="module", params=["a4", "letter"])
def paper(request: Any) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def sheet(printed: Any, paper: Any) -> Any:
    return printed(markers_pdf(paper=paper), paper)


def page_called(sheet: Any, title: str) -> Drawn:
    number = next(n for n, text in enumerate(sheet.texts) if text.lstrip().startswith(title))
    return drawn(sheet.reader, number)


def test_the_printer_is_asked_to_leave_the_scale_alone(sheet: Any) -> None:
    preferences = sheet.reader.trailer["/Root"]["/ViewerPreferences"]
    assert preferences["/PrintScaling"] == "/None"


def test_every_page_has_an_inch_and_two_centimetres_to_check(sheet: Any) -> None:
    assert sheet.pages == 5
    for number in range(sheet.pages):
        lengths = [abs(b[0] - a[0]) for a, b in drawn(sheet.reader, number).lines()]
        assert min(abs(long - INCH) for long in lengths) < NEAR
        assert min(abs(long - TWO_CM) for long in lengths) < NEAR


def test_nothing_is_cut_or_too_small(printed: Any, paper: Any, sheet: Any) -> None:
    for page in (sheet, printed(markers_pdf(paper=paper, use="saver"), paper)):
        assert not page.outside()
        assert min(page.sizes()) >= SMALLEST
        assert all(page.fonts().values())


def test_what_is_cut_out_stands_within_the_margins(paper: Any, sheet: Any) -> None:
    size = leaf_of(paper)
    for number in range(sheet.pages):
        shapes = drawn(sheet.reader, number)
        corners = [point for path in shapes.paths for point in path]
        corners += [(x, y) for x, y, _, _ in shapes.boxes]
        corners += [(x + w, y + h) for x, y, w, h in shapes.boxes]
        assert min(x for x, _ in corners) >= size.margin - NEAR
        assert max(x for x, _ in corners) <= size.width - size.margin + NEAR
        assert (
            min(y for _, y in corners) >= size.margin + 3.2 * MM - NEAR
        )  # the rule above the footer
        assert max(y for _, y in corners) <= size.top + NEAR


def test_markers_are_as_large_as_one_another_and_named(sheet: Any) -> None:
    shapes = page_called(sheet, "Markers")
    levels = sorted({round(a[1], 2) for a, b in shapes.lines() if b[0] - a[0] > 7 * INCH})
    steps = [b - a for a, b in pairwise(levels)]
    assert sum(abs(step - 0.8 * INCH) < NEAR for step in steps) >= 8
    text = sheet.texts[0]
    names = ("PINNED", "OP FIRED", "DUG IN", "HULL DOWN", "BROKEN", "ABOARD", "TURN")
    assert [name for name in names if text.count(name) < 4] == []
    turns = [int(number) for number in re.findall(r"\d+", text.partition("TURN")[2])]
    assert {*range(1, CATALOG.basic_game.last_turn + 1)} <= {*turns}


def test_works_are_four_inches_long(sheet: Any) -> None:
    shapes = page_called(sheet, "Works")
    assert shapes.size(0.5 * INCH, 4 * INCH) >= 12
    assert shapes.size(4 * INCH, 0.75 * INCH) == 5
    foxholes = [
        path
        for path in shapes.paths
        if abs(max(x for x, _ in path) - min(x for x, _ in path) - 4 * INCH) < NEAR
    ]
    assert len(foxholes) == 3


def test_there_are_as_many_works_as_are_needed(printed: Any, paper: Any) -> None:
    """Ten entrenchments and thirty segments of wire take three pages, each with its rulers."""
    many = printed(markers_pdf(works={"entrenchment": 10, "barbed_wire": 30}, paper=paper), paper)
    pages = [drawn(many.reader, at) for at, text in enumerate(many.texts) if "Each is 4" in text]
    assert len(pages) == 3
    assert sum(page.size(0.5 * INCH, 4 * INCH) for page in pages) == 30
    assert sum(page.size(4 * INCH, 0.75 * INCH) for page in pages) == 5
    assert "".join(many.texts).count("FOXHOLE") == 5
    none = printed(markers_pdf(works={}, paper=paper), paper)
    assert not [text for text in none.texts if "Each is 4" in text]


def test_the_pieces_of_a_stick_are_as_long_as_the_stick(sheet: Any) -> None:
    shapes = page_called(sheet, "Range sticks")
    lengths: Counter[int] = Counter()
    for whole, long in STICKS.items():
        assert whole % long == 0
        lengths[long] += whole // long
    for long, count in lengths.items():
        assert shapes.size(0.7 * INCH, long * INCH) == count


def test_the_marks_of_a_stick_are_whole_and_half_inches_from_its_end(sheet: Any) -> None:
    shapes = page_called(sheet, "Range sticks")
    sticks = [box for box in shapes.boxes if abs(box[2] - 0.7 * INCH) < NEAR and box[3] > 2 * INCH]
    assert len(sticks) == sum(whole // long for whole, long in STICKS.items())
    for x, y, _, tall in sticks:
        marks = sorted(
            y + tall - a[1]
            for a, b in shapes.lines()
            if abs(a[0] - x) < NEAR
            and a[1] == b[1]
            and b[0] - a[0] < 0.5 * INCH
            and y < a[1] < y + tall
        )
        wanted = [half * INCH / 2 for half in range(1, round(2 * tall / INCH))]
        assert len(marks) == len(wanted)
        assert max(abs(a - b) for a, b in zip(marks, wanted, strict=True)) < NEAR


def test_the_rings_reach_as_far_as_the_rules_say(sheet: Any) -> None:
    shapes = page_called(sheet, "Rings")
    far = CATALOG.fire.repeat_within * INCH
    corner, edge, *arc = next(
        path for path in shapes.paths if len(path) > 2 and abs(path[1][0] - path[0][0] - far) < NEAR
    )
    assert edge[1] == corner[1]
    assert [math.dist(corner, point) for point in arc] == pytest.approx([far] * len(arc), abs=NEAR)
    assert arc[-1][0] == pytest.approx(corner[0], abs=NEAR)
    half = next(
        path
        for path in shapes.paths
        if len(path) > 2 and abs(path[0][0] - path[-1][0] - 6 * INCH) < NEAR
    )
    hub = ((half[0][0] + half[-1][0]) / 2, half[0][1])
    assert [math.dist(hub, p) for p in half] == pytest.approx([3 * INCH] * len(half), abs=NEAR)


def test_tags_without_an_army_are_some_of_every_type(sheet: Any) -> None:
    for unit in CATALOG.units.values():
        if unit.source != "scenario":
            letter = unit.letter.upper()
            assert not sheet.holds(*(f"{letter}{n} {unit.short}" for n in (1, 6)))


def test_the_name_of_every_type_has_air_in_its_tag() -> None:
    for unit in CATALOG.units.values():
        assert fonts.width(unit.short, fonts.MEDIUM, SMALLEST) < 0.8 * (TAG_SIZE[0] - 4.8), (
            unit.short
        )


def test_the_tags_of_an_army_are_its_codes_on_as_many_pages_as_they_take(printed: Any) -> None:
    raw = {"name": "Horde", "points": 2000, "units": {"rifle": 400, "tank": 3, "sniper": 1}}
    army = read_army(raw, CATALOG, library.rulings(), "test.toml")
    page = printed(markers_pdf(army))
    tags = [text for text in page.texts if text.lstrip().startswith("Tags")]
    assert len(tags) == 2
    codes = {code for text in tags for code in re.findall(r"([A-Z]\d+)(?=Rifle|Tank|Sniper)", text)}
    assert {*(f"R{n}" for n in range(1, 401)), "T1", "T2", "T3", "S1"} == codes


def test_a_long_name_of_an_army_stands_above_the_rule() -> None:
    fonts.ready()
    assert CutPageHead("Tags", "Short").height_at(500) == CutPageHead.TALL
    assert CutPageHead("Tags", "Extraordinarily long " * 9).height_at(500) > CutPageHead.TALL


def test_the_works_of_a_small_army_share_the_page_of_its_tags(printed: Any, paper: Any) -> None:
    raw = {"name": "Small", "units": {"rifle": 50}, "works": {"sandbags": 2, "barbed_wire": 6}}
    army = read_army(raw, CATALOG, library.rulings(), "test.toml")
    page = printed(markers_pdf(army, paper=paper), paper)
    assert page.pages == 4
    assert all(part in page.texts[1] for part in ("Tags", "R50", "Works", "Each is 4 in long."))


def test_the_same_bytes_every_time() -> None:
    assert markers_pdf() == markers_pdf()


def test_bookmarks_lead_to_every_kind(sheet: Any) -> None:
    first, later = sheet.reader.outline
    titles = [mark.title for mark in (first, *later)]
    assert titles == ["Markers", "Tags", "Works", "Range sticks", "Rings"]
    for mark in later:
        number = sheet.reader.get_destination_page_number(mark)
        assert sheet.texts[number].lstrip().startswith(mark.title)


@pytest.mark.parametrize(
    ("name", "rule", "ring"),
    [
        ("repeat-fire", "in sight and in range", "in range and sight"),
        ("repeat-fire", "from the last", "with a machine gun on the last"),
        ("repeat-fire", "is not new", "was not shot at before"),
        ("getting-out", "not touching an enemy", "touching no enemy"),
    ],
)
def test_the_rings_drop_no_condition_of_their_rules(
    sheet: Any, name: str, rule: str, ring: str
) -> None:
    assert rule in " ".join(library.reference().paragraphs[name].text)
    assert not sheet.holds(ring)
