"""Maps on paper: nothing lettered over another, nothing cut, sides told apart on any ground."""

from __future__ import annotations

from io import BytesIO
from itertools import combinations

import msgspec
import pytest
from pypdf import PdfReader

from skirmish import library
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets import faces
from skirmish.sheets.canvas import SheetCanvas
from skirmish.sheets.ink import Ink
from skirmish.sheets.maps.grounds import lined
from skirmish.sheets.maps.palette import COLOUR, SAVER, Palette
from skirmish.sheets.maps.pen import Written
from skirmish.sheets.maps.piece import MapPiece
from skirmish.sheets.scenario_page import UPRIGHT
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Box

WIDTH = 535.0
MAPPED = [scenario for scenario in library.scenarios().values() if scenario.map]
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


def drawn(scenario: Scenario, *, tallest: float = 330) -> tuple[bytes, list[Written], Box]:
    """The map as a PDF, what is lettered on it, and the room it had."""
    faces.ready()
    piece = MapPiece(scenario, tallest=tallest)
    tall = piece.height(WIDTH)
    stream = BytesIO()
    canvas = SheetCanvas(stream, (WIDTH, tall), invariant=1, initialFontName=faces.BODY)
    piece.draw(canvas, 0, tall, WIDTH)
    canvas.showPage()
    canvas.save()
    return stream.getvalue(), piece.written, Box(0, 0, WIDTH, tall)


def luminance(ink: Ink) -> float:
    """As WCAG measures it."""
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in ink]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Ink, other: Ink) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_scenario_has_a_map() -> None:
    assert len(MAPPED) == len(library.scenarios()) == 10


@pytest.mark.parametrize("tallest", [330.0, 250.0, 235.0])
@pytest.mark.parametrize("scenario", MAPPED, ids=lambda scenario: scenario.id)
def test_no_word_stands_over_another_or_off_the_map(scenario: Scenario, tallest: float) -> None:
    if scenario.table.depth_in > scenario.table.width_in:  # text beside it leaves it more height
        tallest = max(tallest, 250) * UPRIGHT
    _, written, room = drawn(scenario, tallest=tallest)
    touching = [(a.text, b.text) for a, b in combinations(written, 2) if a.box.touches(b.box)]
    assert not touching
    assert all(word.box.within(room) for word in written)


@pytest.mark.parametrize("scenario", MAPPED, ids=lambda scenario: scenario.id)
def test_all_that_the_map_names_can_be_read_from_the_page(scenario: Scenario) -> None:
    data, _, _ = drawn(scenario)
    text = PdfReader(BytesIO(data)).pages[0].extract_text()
    field = scenario.map
    assert field is not None
    for label in field.labels:
        assert label.text in text
    for letter in field.letters | field.marked:
        assert letter in text


def test_water_is_lined_nowhere_nearer_to_the_shore_than_it_should_be() -> None:
    inlet = plane.curved([(0.0, 10.0), (8.0, 10.0), (9.0, 4.0), (10.0, 10.0), (20.0, 10.0)])
    lines = list(lined(inlet, 4.6))
    assert lines
    assert all(plane.distance(point, inlet) > 4 for line in lines for point in line)
    assert any(plane.distance(point, inlet) < 4 for point in plane.beside(inlet, 4.6))


def test_the_same_map_gives_the_same_bytes() -> None:
    assert drawn(MAPPED[0])[0] == drawn(MAPPED[0])[0]


@pytest.mark.parametrize("palette", [COLOUR, SAVER], ids=["colour", "saver"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_inks_of_both_sides_stand_out_on_every_ground(palette: Palette, ground: str) -> None:
    for side in palette.sides:
        assert contrast(side.ink, getattr(palette, ground)) >= 5


def test_sparing_ink_fills_no_ground() -> None:
    inks = msgspec.structs.asdict(SAVER)
    assert all(inks[ground] == (1.0, 1.0, 1.0) for ground in GROUNDS)


def test_a_scenario_without_a_map_has_no_map_piece() -> None:
    bare = msgspec.structs.replace(MAPPED[0], map=None)
    with pytest.raises(ValueError, match="has no map"):
        MapPiece(bare)
