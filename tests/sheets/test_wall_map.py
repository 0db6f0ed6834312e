"""The map for a television: what the painter of the paper draws, as SVG."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from deep import deep_pairs

from skirmish import library
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import Ink
from skirmish.sheets.maps.palette import COLOUR
from skirmish.sheets.maps.svg import SvgCanvas, SvgPen, under_a_lamp
from skirmish.sheets.maps.wall_map import SCALE, Shape, map_name, wall_map

MAPPED = [scenario for scenario in library.published_scenarios().values() if scenario.map]
SVG = "{http://www.w3.org/2000/svg}"
SHAPES: tuple[Shape, ...] = ("upright", "lying")


def names_on_paper(scenario: Scenario) -> list[str]:
    assert scenario.map is not None
    names = [label.text for label in scenario.map.labels]
    names += [str(house.number) for house in scenario.map.buildings if house.number]
    return sorted(names)


@pytest.mark.parametrize(("scenario", "shape"), deep_pairs(MAPPED, SHAPES))
def test_has_every_name_of_the_paper_and_no_two_touch(
    scenario: Scenario, shape: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    pens: list[SvgPen] = []
    write = SvgPen.write

    def noted(self: SvgPen, *words: object, **how: object) -> None:
        if self not in pens:
            pens.append(self)
        write(self, *words, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(SvgPen, "write", noted)
    canvas = wall_map(scenario, shape, at_first=False)
    tree = ElementTree.fromstring(canvas.as_file(map_name(scenario)))
    texts = ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]
    # Pieces have a letter of their own, such as the P of a pillbox.
    names = names_on_paper(scenario)
    assert sorted(text for text in texts if text in names) == names
    written = [word for pen in pens for word in pen.written_words if word.text in names]
    touching = [(a.text, b.text) for a, b in combinations(written, 2) if a.box.overlaps(b.box)]
    assert not touching


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("scenario", MAPPED, ids=lambda scenario: scenario.id)
def test_is_the_table_to_scale_in_either_shape(scenario: Scenario, shape: Shape) -> None:
    sides = scenario.table.width_in * SCALE, scenario.table.depth_in * SCALE
    across, upward = wall_map(scenario, shape, at_first=False).size
    assert sorted((across, upward)) == sorted(sides)
    assert (upward > across) == (shape == "upright") or across == upward


def walls(canvas: SvgCanvas) -> set[tuple[float, float]]:
    places = re.findall(r'<rect [^>]*width="([\d.]+)" height="([\d.]+)"', canvas.as_file("A map"))
    return {(float(wide), float(tall)) for wide, tall in places}


@pytest.mark.parametrize("shape", SHAPES)
def test_houses_are_as_large_as_on_the_table(shape: Shape) -> None:
    scenario = library.scenarios()[10]
    assert scenario.map is not None
    sizes = walls(wall_map(scenario, shape, at_first=False))
    houses = [house for house in scenario.map.buildings if house.kind == "house"]
    assert houses
    for house in houses:
        longer, shorter = sorted(house.size, reverse=True)
        assert (round(longer * SCALE, 1), round(shorter * SCALE, 1)) in sizes


def test_zones_and_distances_are_there_until_the_first_turn_is_over() -> None:
    scenario = library.scenarios()[10]
    before = {word.text for word in wall_map(scenario, "lying", at_first=True).words}
    after = {word.text for word in wall_map(scenario, "lying", at_first=False).words}
    assert {"A", "14″"} <= before - after


def test_every_colour_is_a_property_with_a_second_value_for_dark_rooms() -> None:
    scenario = library.scenarios()[10]
    text = wall_map(scenario, "lying", at_first=True).as_file("A map")
    light, dark = text.split("@media (prefers-color-scheme:dark)")
    body = dark.split("</style>")[1]
    assert not re.search("#[0-9a-f]{6}|rgb", body)
    assert "--grass:#e4e9d2" in light
    assert "--grass:#b0af93" in dark


def luminance(ink: Ink) -> float:
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in ink]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def test_black_names_can_be_read_under_the_lamp() -> None:
    halo, ink = under_a_lamp(COLOUR.halo), under_a_lamp(COLOUR.ink)
    assert (luminance(halo) + 0.05) / (luminance(ink) + 0.05) > 7.5


def test_names_that_people_gave_cannot_end_the_drawing() -> None:
    canvas = SvgCanvas((10, 10))
    SvgPen(canvas, 0, 0, 1, COLOUR).write("</text><b>", (5, 5), "Narrow-Bold", 8, COLOUR.ink)
    tree = ElementTree.fromstring(canvas.as_file("<A & B>"))
    assert [text.tag for text in tree.iter(f"{SVG}b")] == []
    assert "".join(next(tree.iter(f"{SVG}text")).itertext()) == "</text><b>"
