"""The map on the scenario browser's page: no row breaks, no name stands on another."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from skirmish import library
from skirmish.app.page_view import rows_of
from skirmish.app.scenarios.map_picture import MapInks, fitting, picture
from skirmish.games.plastic.scenarios.pages import PageSource

MAPPED = [number for number, scenario in library.scenarios().items() if scenario.map]
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
    drawn = fitting(source(number), room, MapInks(paper=False, plain=plain))
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
    rows = [row.plain for row in picture(scenario, columns, MapInks(paper=False, plain=False))]
    names = {word for label in scenario.map.labels for word in label.text.split()}
    for written in re.findall(r"[A-Za-z]{4,}", "\n".join(rows)):
        assert any(written in name for name in names), written
