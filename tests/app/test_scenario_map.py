"""The map on the scenario browser's page: no row breaks, no name stands on another."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len
from steps import the_app
from textual import constants
from textual.geometry import Size

from skirmish import library
from skirmish.app.application import SkirmishApp
from skirmish.app.scenarios.map_picture import MapDrawing, MapInks, inks_of, picture
from skirmish.app.scenarios.map_signs import MapSign
from skirmish.app.scenarios.page_panel import map_page
from skirmish.app.text_rows import rows_of
from skirmish.games.plastic.scenarios.pages import PageSource
from skirmish.tabletop.measure import in_centimetres
from skirmish.tabletop.side_colours import STANDARD

MAPPED = [number for number, scenario in library.published_scenarios().items() if scenario.map]
ROOMS = {"80x24": (37, 20), "120x40": (71, 35), "tall": (37, 60)}


def source(number: int) -> PageSource:
    scenario, book = library.scenarios()[number], library.rulings()
    catalog = library.catalog().with_variants(scenario.variants)
    return PageSource(scenario, catalog, book, book.defaults(), str, {})


@pytest.mark.parametrize("plain", [False, True], ids=["blocks", "signs"])
@pytest.mark.parametrize("room", ROOMS.values(), ids=ROOMS)
@pytest.mark.parametrize("number", MAPPED)
def test_no_row_of_the_map_or_its_key_breaks(
    number: int, room: tuple[int, int], plain: bool
) -> None:
    columns, lines = room
    drawn = map_page(source(number), Size(*room), MapInks(on_paper=False, plain=plain))
    scrolls = rows_of(drawn, columns) > lines
    *rows, note = drawn.plain.split("\n")
    assert library.scenarios()[number].map.note == note
    broken = [row for row in rows if cell_len(row) > columns - scrolls]
    sides = [side.name for side in library.scenarios()[number].sides]
    assert [row for row in broken if not row.endswith(tuple(sides))] == []


@pytest.mark.parametrize("columns", [36, 72])
@pytest.mark.parametrize("number", MAPPED)
def test_a_name_on_the_map_stands_whole_or_not_at_all(number: int, columns: int) -> None:
    scenario = library.scenarios()[number]
    rows = [row.plain for row in picture(scenario, columns, MapInks(on_paper=False, plain=False))]
    names = {word for label in scenario.map.labels for word in label.text.split()}
    for written in re.findall(r"[A-Za-z]{4,}", "\n".join(rows)):
        assert any(written in name for name in names), written


# ------------------------------------------------------------------ names, zones, the key


def drawing(number: int, columns: int, *, plain: bool = True) -> MapDrawing:
    scenario = library.scenarios()[number]
    return MapDrawing(scenario, scenario.map, columns, MapInks(on_paper=False, plain=plain))


@pytest.mark.parametrize("columns", [44, 88])
@pytest.mark.parametrize("number", MAPPED)
def test_nothing_stands_in_a_name_and_it_is_on_plain_ground(number: int, columns: int) -> None:
    """On one ground from end to end, with no letter of a zone in it."""
    drawn = drawing(number, columns, plain=False)
    in_row: dict[int, dict[int, MapSign]] = {}
    for (row, column), sign in drawn.signs.items():
        in_row.setdefault(row, {})[column] = sign
    for label in drawn.field.labels:
        for signs in in_row.values():
            line = "".join(
                signs[column].sign if column in signs else "\0" for column in range(columns)
            )
            if label.text not in line:
                continue
            first = line.index(label.text)
            grounds = {signs[first + offset].ground for offset in range(len(label.text))}
            assert len(grounds) == 1, label.text


def test_zones_that_overlap_stay_two_zones() -> None:
    """Dog Beach: those on the sand set up within the zone of those behind the seawall."""
    edges = {"a": 0, "b": 0}
    lines = [line.plain for line in drawing(10, 70).lines()]
    for line in lines:
        for letter in edges:
            edges[letter] += line.count(letter)
    assert edges["a"] > 20
    assert edges["b"] > 8
    alternating = [line for line in lines if re.search(r"a[^a]b[^b]a", line)]
    assert alternating


def test_the_feet_are_lettered_and_numbered_around_the_map() -> None:
    upper, *rows, lower = [line.plain for line in drawing(10, 88).framed()]
    assert re.findall("[A-H]", upper) == list("ABCDEFGH") == re.findall("[A-H]", lower)
    assert upper[43:47] == "-S^-"
    assert [row[0] for row in rows if row[0] != "|"] == list("54321")
    assert all(row[0] == row[-1] for row in rows)
    assert lower.count("+") == 9


def test_distances_and_ways_in_stand_where_there_is_room() -> None:
    def words(columns: int) -> str:
        return "\n".join(line.plain for line in drawing(10, columns).lines())

    assert "14 in" in words(88)
    assert "<= 12 in" in words(88)
    assert words(88).count("^") == 2
    assert "14 in" not in words(44)


def test_distances_are_shown_as_the_player_measures() -> None:
    scenario = library.scenarios()[10]
    inks = MapInks(on_paper=False, plain=True, measured=in_centimetres)
    assert "35 cm" in "\n".join(line.plain for line in picture(scenario, 88, inks))


@pytest.mark.parametrize("columns", [36, 88])
@pytest.mark.parametrize("number", MAPPED)
def test_the_key_names_what_is_drawn_and_nothing_else(number: int, columns: int) -> None:
    """And a sign beside each thing of a side, so that nobody needs the colours."""
    drawn = drawing(number, columns, plain=False)
    entries = [entry.plain for entry in drawn.key()]
    grounds = [entry[3:].replace(" ", "_") for entry in entries if entry.startswith("▄▄ ")]
    assert grounds == drawn.kinds
    written = {sign.sign for sign in drawn.signs.values() if sign.side}
    for entry in entries:
        if not entry.startswith("▄▄ "):
            assert entry[1] in "■○*" or entry[1] in written, entry
    for sign in written.difference("▶▲◀▼▷△◁▽"):  # of which one is named
        assert any(entry[1] == sign or entry[1] == sign.upper() for entry in entries), sign


def test_in_16_colours_signs_tell_ground_apart_and_water_woods_and_sides_are_painted() -> None:
    """Half blocks would not do: of 32 kinds of ground most would have the same colour."""
    scenario = library.scenarios()[10]
    inks = MapInks(on_paper=False, plain=True, colours="standard", sixteen_colours=STANDARD)
    cells = [cell for row in MapDrawing(scenario, scenario.map, 88, inks).cells() for cell in row]
    assert ("~", STANDARD[12]) in cells
    assert ("&", STANDARD[10]) in cells
    assert ("d", f"bold reverse {STANDARD[12]}") in cells
    assert ("A", f"bold reverse {STANDARD[10]}") in cells
    without_colours = MapInks(on_paper=False, plain=True)
    styles = {
        style
        for row in MapDrawing(scenario, scenario.map, 88, without_colours).cells()
        for _, style in row
    }
    assert styles == {"", "bold"}


@pytest.mark.parametrize(
    ("variables", "plain", "in_colours"),
    [("standard", True, True), ("256", False, False)],
)
async def test_a_terminal_of_16_colours_has_the_map_in_signs(
    where: str, monkeypatch: pytest.MonkeyPatch, variables: str, plain: bool, in_colours: bool
) -> None:
    monkeypatch.setattr(constants, "COLOR_SYSTEM", variables)
    async with the_app(where).run_test() as pilot:
        assert isinstance(pilot.app, SkirmishApp)
        inks = inks_of(pilot.app)
        assert (inks.plain, bool(inks.sixteen_colours)) == (plain, in_colours)
