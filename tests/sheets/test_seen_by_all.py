"""Sheets for everybody: in grey, with the three kinds of colour blindness, on either paper.

How colour-blind people see an ink is told by the matrices of Machado, Oliveira and Fernandes, "A
Physiologically-based Model for Simulation of Color Vision Deficiency" (IEEE TVCG 15, 2009), at
their full severity, which are made for linear light. Grey is what a printer makes of colour: the
luma of ITU-R BT.601. Contrast is that of WCAG 2.
"""

from __future__ import annotations

from io import BytesIO
from itertools import combinations, product
from typing import Any, get_args

import msgspec
import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream

from skirmish import library
from skirmish.sheets import inks
from skirmish.sheets.casualties import TURNED_TINT
from skirmish.sheets.inks import SIDES, Ink, SideInk
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.drawing import draw_side_bar
from skirmish.sheets.layout.sheet_canvas import SheetCanvas
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.maps import deployment, terrain
from skirmish.sheets.maps.palette import COLOUR, SAVER, MapPalette
from skirmish.sheets.maps.pen import Pen
from skirmish.sheets.maps.pieces import draw_mark
from skirmish.sheets.odds import SHADES
from skirmish.sheets.scenario import cover
from skirmish.tabletop import battlefield
from skirmish.tabletop.battlefield import Area, Arrow, Line, MapMark, Zone
from skirmish.tabletop.plane import Rectangle

MATRICES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
EYES = ("usual", "grey", *MATRICES)
OPEN = ("grass", "desert", "steppe", "rubble")
"""What a whole table may be."""
GROUNDS = (*OPEN, "sea", "beach", "slope", "hilltop", "field", "orchard", "marsh", "rough", "town",
           "airfield", "crater", "depression", "river", "road", "woods", "bridge")  # fmt: skip
LETTERED = 4.5
"""To one: what WCAG wants of letters at the least."""
DRAWN = 3.0
"""Of lines and figures."""
BETWEEN = 5.0
PALETTES = pytest.mark.parametrize("palette", [COLOUR, SAVER], ids=["colour", "saver"])


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def seen(one: Ink, eye: str) -> Ink:
    """An ink in linear light as such an eye has it."""
    red, green, blue = one
    if eye == "grey":
        luma = linear(0.299 * red + 0.587 * green + 0.114 * blue)
        return luma, luma, luma
    light = linear(red), linear(green), linear(blue)
    if eye == "usual":
        return light
    rows = (sum(a * b for a, b in zip(row, light, strict=True)) for row in MATRICES[eye])
    red, green, blue = (min(1.0, max(0.0, part)) for part in rows)
    return red, green, blue


def contrast(one: Ink, other: Ink, eye: str) -> float:
    weights = 0.2126, 0.7152, 0.0722
    low, high = sorted(
        sum(w * part for w, part in zip(weights, seen(each, eye), strict=True))
        for each in (one, other)
    )
    return (high + 0.05) / (low + 0.05)


def too_weak(pairs: Any, least: float) -> list[tuple[str, str, str, float]]:
    """Which of the pairs (name, ink, name, ink) some eye cannot tell apart so well."""
    found = []
    for (name, one), (ground, other) in pairs:
        for eye in EYES:
            told = contrast(one, other, eye)
            if told < least:
                found.append((name, ground, eye, round(told, 2)))
    return found


def named(palette: MapPalette, *names: str) -> list[tuple[str, Ink]]:
    return [(name, getattr(palette, name)) for name in names]


def test_the_matrices_leave_white_and_black_as_they_are() -> None:
    for eye in EYES:
        assert seen((1, 1, 1), eye) == pytest.approx((1, 1, 1), abs=1e-4)
        assert seen((0, 0, 0), eye) == (0, 0, 0)
    assert contrast((1, 0, 0), (0, 0.6, 0), "deuteranopia") < 1.6  # red and green, told by nothing


# ------------------------------------------------------------------ inks


@PALETTES
def test_the_inks_of_both_sides_stand_out_for_every_eye(palette: MapPalette) -> None:
    sides = [(f"side {number}", side.ink) for number, side in enumerate(palette.sides)]
    assert not too_weak(product(sides, named(palette, *GROUNDS, "halo")), BETWEEN)


@PALETTES
def test_what_is_lettered_on_a_map_is_readable_for_every_eye(palette: MapPalette) -> None:
    assert not too_weak(product(named(palette, "ink"), named(palette, *GROUNDS, "ruler")), BETWEEN)
    # these stand on white: what is measured, and the names of waters
    assert not too_weak(
        product(named(palette, "accent", "water_edge"), named(palette, "halo")), 4.5
    )
    assert not too_weak(product(named(palette, "water_edge"), named(palette, "sea")), LETTERED)


@PALETTES
def test_the_names_of_the_edges_and_all_numbers_are_readable_for_every_eye(
    palette: MapPalette,
) -> None:
    assert not too_weak(product(named(palette, "edge_name"), named(palette, "band")), LETTERED)
    # Numbers of features stand on white discs, those of buildings have a white border.
    assert not too_weak(product(named(palette, "ink"), named(palette, "paper", "halo")), LETTERED)
    assert not too_weak(product(named(palette, "frame"), named(palette, "paper", "ruler")), DRAWN)


def test_the_cover_is_readable_for_every_eye() -> None:
    words = [("pale", cover.PALE), ("warm", cover.WARM), ("white", inks.WHITE)]
    assert not too_weak(product(words, [("band", inks.BAND)]), LETTERED)
    assert not too_weak([(("white", inks.WHITE), ("accent", inks.ACCENT))], LETTERED)
    assert not too_weak([(("land", cover.LAND), ("sea", cover.SEA))], DRAWN)


def test_what_is_written_on_a_sheet_is_readable_for_every_eye() -> None:
    bare = [("white", inks.WHITE), ("panel", inks.PANEL)]
    sides = [(f"side {number}", side.ink) for number, side in enumerate(SIDES)]
    words = [("black", inks.BLACK), ("code", inks.QUIET), ("accent", inks.ACCENT), *sides]
    assert not too_weak(product(words, bare), LETTERED)
    bars = [("band", inks.BAND), ("accent", inks.ACCENT), *sides]
    assert not too_weak(product([("white", inks.WHITE)], bars), LETTERED)
    shades = [(f"shade {number}", shade) for number, shade in enumerate(SHADES)]
    assert not too_weak(product([("black", inks.BLACK)], shades), LETTERED)
    # codes of the dead and cards that have gone are paler on purpose, and struck out besides
    assert not too_weak([(("faint", inks.FAINT), ("white", inks.WHITE))], DRAWN)


def test_the_casualty_strip_is_readable_for_every_eye_on_the_turn_that_decided() -> None:
    """Symbols of either side in any nation's ink, codes, cards and the lines of the chart."""
    tint = [("turning point", TURNED_TINT)]
    sides = [(f"side {number}", side.ink) for number, side in enumerate(SIDES)]
    words = [("black", inks.BLACK), ("code", inks.QUIET), ("accent", inks.ACCENT), *sides]
    words += list(inks.NATIONS.items())
    assert not too_weak(product(words, tint), LETTERED)


@PALETTES
def test_the_tinted_bands_of_a_companions_map_carry_its_words_and_signs(
    palette: MapPalette,
) -> None:
    bands = named(palette, "sea", "beach", "grass")
    assert not too_weak(product(named(palette, "ink"), bands), LETTERED)
    assert not too_weak(product(named(palette, "frame", "accent"), bands), DRAWN)
    assert not too_weak(product(named(palette, "ink", "accent"), named(palette, "paper")), LETTERED)


@PALETTES
@pytest.mark.parametrize(
    ("drawn", "on"),
    [
        (("hachure", "trench", "mines", "wire", "wall", "rail", "road_edge", "hedge"), OPEN),
        (("water_edge",), (*OPEN, "sea", "marsh", "beach", "river")),
        (("woods_line",), (*OPEN, "woods", "orchard")),
        (("hachure",), ("slope", "hilltop", "crater", "depression", "rough")),
        (("track", "rail", "road_edge", "ink"), ("halo", "road")),
        (("wall",), ("halo",)),
        (("building_line",), (*OPEN, "building", "works", "halo")),
        (("cross",), ("roof",)),
        (("field_line",), (*OPEN[:3], "field")),
        (("airfield_line",), (*OPEN[:3], "airfield")),
        (("town_line",), (*OPEN[:3], "town")),
        (
            ("grid",),
            (*OPEN, "sea", "beach", "slope", "hilltop", "field", "river", "woods", "rough"),
        ),
    ],
    ids=lambda names: names[0],
)
def test_lines_that_mean_something_are_seen_by_every_eye(
    palette: MapPalette, drawn: tuple[str, ...], on: tuple[str, ...]
) -> None:
    assert not too_weak(product(named(palette, *drawn), named(palette, *on)), DRAWN)


# ------------------------------------------------------------------ what tells without ink


def inked(draw: Any, palette: MapPalette) -> list[Any]:
    """What ``draw`` leaves on white paper, its colour apart: shape, weight, dash, fill."""
    fonts.ready()
    stream = BytesIO()
    canvas = SheetCanvas(stream, (200, 200), invariant=1, pageCompression=0)
    canvas.sparing = palette is SAVER
    draw(Pen(canvas, 40, 40, 4.0, palette))
    canvas.showPage()
    canvas.save()
    reader = PdfReader(BytesIO(stream.getvalue()))
    now: dict[bytes, Any] = {b"rg": [0, 0, 0], b"RG": [0, 0, 0]}
    path: list[Any] = []
    left: list[Any] = []
    stack: list[dict[bytes, Any]] = []
    for operands, name in ContentStream(reader.pages[0].get_contents(), reader).operations:
        values = [float(one) if isinstance(one, int | float) else str(one) for one in operands]
        if name == b"q":
            stack.append(dict(now))
        elif name == b"Q":
            now = stack.pop()
        elif name in (b"rg", b"RG", b"w", b"d", b"cm"):
            now[name] = values
        elif name in (b"m", b"l", b"c", b"re", b"h"):
            path.append((name, *values))
        elif name in (b"S", b"s", b"f", b"F", b"f*", b"B", b"b", b"B*", b"b*", b"n"):
            strokes, fills = name in b"SsBbB*b*", name in b"fFf*BbB*b*"
            look = (
                strokes and now[b"RG"] != [1, 1, 1] and (now.get(b"w"), now.get(b"d")),
                fills and now[b"rg"] != [1, 1, 1],
            )
            if any(look):
                left.append((look, now.get(b"cm"), tuple(path)))
            path = []
    return left


PLOT = ((0.0, 0.0), (20.0, 0.0), (20.0, 16.0), (0.0, 16.0))
WAY = ((0.0, 3.0), (20.0, 5.0))


def kinds(of: str) -> tuple[str, ...]:
    return get_args(getattr(battlefield, of))


def test_no_two_kinds_of_ground_are_told_apart_by_colour_alone() -> None:
    table = Rectangle(-50, -50, 90, 90)
    drawn = {
        kind: inked(
            lambda pen, k=kind: terrain.draw_area(pen, Area(kind=k, points=PLOT), table), SAVER
        )
        for kind in kinds("AreaKind")
    }
    assert len(drawn) > 8
    assert [kind for kind, left in drawn.items() if not left] == []
    alike = [(a, b) for a, b in combinations(drawn, 2) if drawn[a] == drawn[b]]
    assert alike == []


def test_no_two_kinds_of_table_that_lie_side_by_side_in_a_book_look_alike() -> None:
    drawn = [
        inked(lambda pen, g=g: terrain.draw_ground(pen, g, (30.0, 30.0)), SAVER)
        for g in kinds("Ground")
    ]
    assert all(a != b for a, b in combinations(drawn, 2))


def test_no_two_kinds_of_line_are_told_apart_by_colour_alone() -> None:
    def draw(pen: Pen, kind: Any) -> None:
        line = Line(kind=kind, points=WAY)
        terrain.draw_line_edge(pen, line)
        terrain.draw_line_core(pen, line)

    drawn = {k: inked(lambda pen, k=k: draw(pen, k), SAVER) for k in kinds("LineKind")}
    assert [kind for kind, left in drawn.items() if not left] == []
    assert [(a, b) for a, b in combinations(drawn, 2) if drawn[a] == drawn[b]] == []


@pytest.mark.parametrize("kind", [kind for kind in kinds("MarkKind") if kind != "objective"])
def test_a_piece_shows_its_side_without_ink(kind: Any) -> None:
    def draw(pen: Pen, side: SideInk) -> None:
        draw_mark(pen, MapMark(kind=kind, at=(5, 5), side="somebody"), side)

    one, other = (inked(lambda pen, s=side: draw(pen, s), SAVER) for side in SAVER.sides)
    assert one
    assert one != other


@pytest.mark.parametrize("unit", ["small_pillbox", "large_pillbox", "tank", "truck", "cannon"])
def test_a_unit_has_one_symbol_on_the_map_and_beside_its_name(unit: str) -> None:
    """The corners of its outline are the same, but for place and size."""
    kind: Any = {"cannon": "gun"}.get(unit, unit)
    # Neither side of a pen that spares ink is solid beside a name.
    look = SideInk(inks.BLACK, solid=False)

    def on_map(pen: Pen) -> None:
        draw_mark(pen, MapMark(kind=kind, at=(5, 5), facing=0, side="somebody"), look)

    def beside_name(pen: Pen) -> None:
        Symbol(library.catalog().units[unit], look.ink, solid=False).paint(pen.canvas, 0, 50, 20)

    outlines = []
    for draw in (on_map, beside_name):
        drawn = {len(path): path for _, _, path in inked(draw, SAVER) if len(path) in (1, 7)}
        outlines.append(shape_of_path(drawn))
    assert outlines[0] == outlines[1]


def shape_of_path(drawn: Any) -> list[tuple[float, float]]:
    """The corners of a pillbox, or the sides of a frame, as shares of their size."""
    if 7 in drawn:
        points = [tuple(part[1:3]) for part in drawn[7] if len(part) > 2]
        reach = max(x for x, _ in points)
        return [(round(x / reach, 1), round(y / reach, 1)) for x, y in points]
    ((_, _, _, wide, tall),) = drawn[1]
    return [(round(wide, 1), round(tall, 1))]


@pytest.mark.parametrize("fill", ["edge", "full"])
def test_a_zone_shows_its_side_without_ink(fill: Any) -> None:
    part = Zone(letter="A", side="somebody", points=PLOT, fill=fill)
    one, other = (
        inked(lambda pen, s=side: deployment.draw_zone(pen, part, s), SAVER) for side in SAVER.sides
    )
    assert one != other


def test_arrows_letters_and_bars_show_their_side_without_ink() -> None:
    def arrow(pen: Pen, side: SideInk) -> None:
        deployment.draw_arrow(pen, Arrow(side="somebody", points=WAY), side)

    def letter(pen: Pen, side: SideInk) -> None:
        deployment.draw_zone_letter(pen, "A", (5, 5), side)

    def loss(pen: Pen, side: SideInk) -> None:
        draw_side_bar(pen.canvas, (0, 0), 20, 9, side)

    for draw in (arrow, letter, loss):
        one, other = (inked(lambda pen, d=draw, s=side: d(pen, s), SAVER) for side in SAVER.sides)
        assert one != other


def test_the_palettes_colour_the_same_things() -> None:
    assert msgspec.structs.asdict(COLOUR).keys() == msgspec.structs.asdict(SAVER).keys()
