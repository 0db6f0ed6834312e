"""The colours of the sides: no two can be confused and each can be read, with 256 colours too."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations

import pytest
from rich.color import Color, ColorSystem

from skirmish.app.scenarios.map_raster import LOOKS
from skirmish.app.themes import NIGHT, PAPER
from skirmish.tabletop.ground_colours import GROUND_COLOURS
from skirmish.tabletop.side_colours import NATIONS, SIDE_COLOURS, STANDARD, code_of_256, looks

PAIRS = list(combinations(NATIONS, 2))
SAME_LOOK = [{"river", "stream"}, {"ditch", "trench"}]
COMMON = (
    "grass", "sea", "beach", "slope", "woods", "orchard", "field", "marsh", "rough", "town",
    "road", "hedge", "seawall", "building",
)  # fmt: skip
"""The grounds that lie side by side on most maps."""


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _channels(code: str) -> list[float]:
    return [_linear(value / 255) for value in bytes.fromhex(code.removeprefix("#"))]


def luminance(code: str) -> float:
    return sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), _channels(code), strict=True))


def contrast(code: str, other: str) -> float:
    brighter, darker = sorted((luminance(code), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def lab(code: str) -> tuple[float, float, float]:
    red, green, blue = _channels(code)
    shares = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        luminance(code),
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in shares)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(code: str, other: str) -> float:
    """The distance of two colours as an eye sees them (CIE 1976)."""
    return sum((a - b) ** 2 for a, b in zip(lab(code), lab(other), strict=True)) ** 0.5


@pytest.mark.parametrize(("nation", "other"), PAIRS)
def test_no_two_nations_can_be_confused(nation: str, other: str) -> None:
    mine, theirs = SIDE_COLOURS[nation], SIDE_COLOURS[other]
    assert apart(mine.light.code, theirs.light.code) >= 16
    assert apart(mine.dark.code, theirs.dark.code) >= 28
    assert apart(code_of_256(mine.light.of_256), code_of_256(theirs.light.of_256)) >= 16
    assert apart(code_of_256(mine.dark.of_256), code_of_256(theirs.dark.of_256)) >= 28
    assert mine.light.of_16 != theirs.light.of_16
    assert mine.dark.of_16 != theirs.dark.of_16


@pytest.mark.parametrize("name", SIDE_COLOURS)
def test_a_side_can_be_read_on_the_grounds_of_its_theme(name: str) -> None:
    colours = SIDE_COLOURS[name]
    for shade, theme in ((colours.light, PAPER), (colours.dark, NIGHT)):
        for ground in (theme.background, theme.surface):
            for code in (shade.code, code_of_256(shade.of_256)):
                assert contrast(code, str(ground)) >= 4.5


def test_rich_makes_the_numbers_that_are_meant() -> None:
    for colours in SIDE_COLOURS.values():
        for shade in colours:
            shown = Color.parse(shade.shown("256")).downgrade(ColorSystem.EIGHT_BIT)
            assert shown.number == shade.of_256
            shown = Color.parse(shade.shown("standard")).downgrade(ColorSystem.STANDARD)
            assert shown.number == shade.of_16
    for look in LOOKS.values():
        for number in (look.by_night_256, look.on_paper_256):
            shown = Color.parse(code_of_256(number)).downgrade(ColorSystem.EIGHT_BIT)
            assert shown.number == number
    assert len(STANDARD) == 16


@pytest.mark.parametrize(("kind", "other"), list(combinations(LOOKS, 2)))
def test_no_two_kinds_of_ground_can_be_confused(kind: str, other: str) -> None:
    if {kind, other} in SAME_LOOK:
        return
    one, two = LOOKS[kind], LOOKS[other]
    night, paper = (15, 10) if kind in COMMON and other in COMMON else (10, 8)
    assert apart(code_of_256(one.by_night_256), code_of_256(two.by_night_256)) >= night
    assert apart(code_of_256(one.on_paper_256), code_of_256(two.on_paper_256)) >= paper
    assert apart(one.by_night, two.by_night) >= 6
    assert apart(one.on_paper, two.on_paper) >= 6


def test_germans_are_always_solid_and_the_others_hollow() -> None:
    assert [side.sign for side in looks("american", "german")] == ["○", "■"]
    assert [side.sign for side in looks("german", "american")] == ["■", "○"]
    assert [side.sign for side in looks("british", "japanese")] == ["○", "■"]


@pytest.mark.parametrize("nations", [("german", "german"), (None, "german"), ("french", "red")])
def test_two_sides_of_one_nation_or_of_none_still_differ(nations: tuple[str, str]) -> None:
    first, second = looks(*nations)
    assert first.name != second.name
    assert first.solid != second.solid


def test_phones_and_televisions_have_the_colours_of_the_sides() -> None:
    sheet = (files("skirmish") / "web" / "page" / "sides.css").read_text(encoding="utf-8")
    for name, colours in SIDE_COLOURS.items():
        codes = re.findall(rf"--{name}: (#\w+);", sheet)
        assert [code.upper() for code in codes] == [colours.light.code, colours.dark.code]


def test_a_board_can_be_read_on_every_ground_and_no_two_grounds_are_alike() -> None:
    for first, other in combinations(GROUND_COLOURS.values(), 2):
        for one, two in ((first.light, other.light), (first.dark, other.dark)):
            assert apart(one.code, two.code) >= 10
            assert apart(code_of_256(one.of_256), code_of_256(two.of_256)) >= 10
    for colours in GROUND_COLOURS.values():
        for shade, theme in ((colours.light, PAPER), (colours.dark, NIGHT)):
            for code in (shade.code, code_of_256(shade.of_256)):
                assert contrast(code, str(theme.foreground)) >= 4.5


def test_pages_have_the_grounds_of_boards() -> None:
    sheet = (files("skirmish") / "web" / "page" / "board.css").read_text(encoding="utf-8")
    for name, colours in GROUND_COLOURS.items():
        codes = re.findall(rf"--{name}: (#\w+);", sheet)
        assert [code.upper() for code in codes] == [colours.light.code, colours.dark.code]


def test_a_phone_names_the_nations_of_both_sides() -> None:
    sheet = (files("skirmish") / "web" / "page" / "sides.css").read_text(encoding="utf-8")
    for name in NATIONS:
        for half in ("first", "second"):
            assert f".{half}-{name} {{ --{half}: var(--{name}); }}" in sheet


YELLOWS = (3, 11)
"""Among 16 colours: on white below 2:1 in the palettes of many terminals."""


@pytest.mark.parametrize("nation", NATIONS)
def test_no_side_is_yellow_on_a_light_ground_of_16_colours(nation: str) -> None:
    assert SIDE_COLOURS[nation].light.of_16 not in YELLOWS
