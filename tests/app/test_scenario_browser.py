"""The scenario browser: what its pages tell, how they are turned, where its keys lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from steps import NARROW, WIDE, eventually, open_page, press, shown, the_app, until, wait_for
from textual.content import Content
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from skirmish import library, scenario_editing
from skirmish.app.home import HomeScreen
from skirmish.app.play.setup import GameSetup
from skirmish.app.scenarios import page_panel
from skirmish.app.scenarios.browser import ScenarioBrowser, ScenarioList
from skirmish.app.scenarios.map_picture import FRAME, MapInks
from skirmish.app.scenarios.map_raster import LOOKS, Raster
from skirmish.app.scenarios.map_signs import sign_of_mark
from skirmish.app.scenarios.page_panel import map_page
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.happenings import AskAtSetup
from skirmish.games.plastic.scenarios.pages import PageSource
from skirmish.games.plastic.scenarios.scenario import LONGEST_TAGLINE
from skirmish.store.database import Store
from skirmish.store.settings import Settings
from skirmish.tabletop.measure import in_centimetres
from skirmish.tabletop.page import Page
from skirmish.tabletop.page_text import as_text

MAPPED = [number for number, scenario in library.published_scenarios().items() if scenario.map]
TELLING = (pages.GLANCE, pages.FORCES, pages.RULES, pages.VICTORY, pages.HISTORY)


def source(
    number: int, measured: Callable[[str], str] = str, owned: Mapping[str, int] | None = None
) -> PageSource:
    scenario, book = library.scenarios()[number], library.rulings()
    catalog = library.catalog().with_variants(scenario.variants)
    return PageSource(scenario, catalog, book, book.defaults(), measured, owned or {})


def told(number: int) -> dict[int, str]:
    """Each page of a scenario as plain text."""
    return {page: text(pages.page(source(number), page)) for page in TELLING}


def text(page: Page) -> str:
    """A page as one line for each sentence."""
    return as_text(page, width=100_000)


# ------------------------------------------------------------------ the pages


@pytest.mark.parametrize("number", MAPPED)
def test_nothing_of_a_scenario_is_left_out(number: int) -> None:
    scenario, page = library.scenarios()[number], told(number)
    for text in (scenario.tagline, scenario.place, scenario.situation):
        assert text in page[pages.GLANCE]
    for side in scenario.sides:
        assert side.name in page[pages.FORCES]
        for group in side.contingents:
            assert group.name_in_words in page[pages.FORCES]
            assert group.deploy in page[pages.FORCES]
    for rule in scenario.special_rules:
        assert f"{rule.name}. {rule.text}" in page[pages.RULES]
    for limit in scenario.limits:
        assert limit.text in page[pages.RULES]
    for kind in scenario.happenings:
        assert (kind.question if isinstance(kind, AskAtSetup) else kind.text) in page[pages.RULES]
    assert scenario.victory.text in page[pages.VICTORY]
    assert all(str(clock.victory_text) in page[pages.VICTORY] for clock in scenario.clocks)
    assert scenario.history in page[pages.HISTORY]


@pytest.mark.parametrize("number", MAPPED)
def test_a_mark_has_its_footnote_on_the_same_page(number: int) -> None:
    notes = library.scenarios()[number].footnotes
    assert notes
    for page in told(number).values():
        for note in notes:
            assert (note.mark in page) == (f"{note.mark} {note.text}" in page)


@pytest.mark.parametrize("number", MAPPED)
def test_what_is_special_is_said_in_a_line_of_the_list(number: int) -> None:
    assert 0 < len(library.scenarios()[number].tagline) <= LONGEST_TAGLINE
    assert len(pages.length_and_points(source(number))) <= LONGEST_TAGLINE


def test_scenarios_are_compared_by_length_and_points_the_first_to_move_in_front() -> None:
    assert pages.length_and_points(source(1)) == "11 turns · 90–92 to 43 pts"
    assert pages.length_and_points(source(3)) == "no last turn · 56 to 6+ pts"


def test_sides_are_told_in_guys_and_models() -> None:
    glance = told(1)[pages.GLANCE]
    assert "30 guys, 4–5 models, strength 50–55" in glance
    assert "23 guys, 1 model, strength 28" in glance


def test_distances_are_told_as_the_player_measures() -> None:
    victory = text(pages.page(source(1, in_centimetres), pages.VICTORY))
    assert "within 15\u00a0cm of the road" in victory
    assert "240\u00a0cm × 150\u00a0cm" in text(pages.page(source(1, in_centimetres), pages.GLANCE))


def test_the_box_of_figures_is_held_against_both_sides() -> None:
    """Kursk: an Elefant is made of a Tiger's model; a box never counted is not spoken of."""
    needs: dict[str, int] = {}
    for side in library.scenarios()[7].sides:
        for group in side.contingents:
            for piece, count in {**group.units, **group.works}.items():
                needs[piece] = needs.get(piece, 0) + count
    needs["tiger"] = needs.pop("elefant")
    below = text(pages.page(source(7, owned=needs), pages.FORCES))
    assert "You own everything it takes." in below
    below = text(pages.page(source(7, owned=needs | {"tiger": 5, "rifle": 72}), pages.FORCES))
    assert "For both sides you still need 1 Rifle Guy and 3 Tiger Tanks." in below
    assert "YOUR FIGURES" not in text(pages.page(source(7), pages.FORCES))


# ------------------------------------------------------------------ on the screen


async def to_browser(pilot: Pilot[None]) -> ScenarioBrowser:
    await until(pilot, HomeScreen)
    await press(pilot, "s")
    await until(pilot, ScenarioBrowser)
    await wait_for(pilot, "what", "Overmatched")
    screen = pilot.app.screen
    assert isinstance(screen, ScenarioBrowser)
    return screen


async def test_pages_turn_and_stay_open_from_scenario_to_scenario(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await to_browser(pilot)
        assert open_page(pilot) == "Glance"
        await press(pilot, "tab", "right", "right")
        assert open_page(pilot) == "Rules"
        await press(pilot, "down", "down")
        assert "Jeep guns." in shown(pilot, "what")
        page = screen.query_one("#page")
        await press(pilot, "pagedown")
        assert page.scroll_y > 10
        assert screen.query_one("#scenario-list", OptionList).highlighted == 2
        await press(pilot, "pageup", "left", "left", "left", "left")
        assert page.scroll_y == 0
        assert open_page(pilot) == "History"
        await press(pilot, "right", "right", "right")
        assert "Jeep raiders" in shown(pilot, "what")
        assert "Hidden riflemen" in shown(pilot, "what")
        await press(pilot, "end")  # the basic game has one page
        assert shown(pilot, "strip") == ""
        assert "THE BASIC GAME" in shown(pilot, "what")
        await press(pilot, "tab", "p", "up")
        assert open_page(pilot) == "Forces"


async def test_the_browser_leads_to_the_options_and_back_to_the_same_line(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_browser(pilot)
        for key in ("enter", "b"):
            await press(pilot, "down", key)
            await until(pilot, GameSetup)
            await press(pilot, "escape")
            await until(pilot, ScenarioBrowser)
        assert "A Sterling Performance" in shown(pilot, "what")
        await press(pilot, "p")
        sheet = Path(where).parent / "scenario-03-a-sterling-performance.pdf"
        await eventually(pilot, sheet.exists)
        await pilot.app.workers.wait_for_complete()
        await until(pilot, ScenarioBrowser)
        await press(pilot, "escape")
        await until(pilot, HomeScreen)


async def test_the_first_click_chooses_and_the_second_goes_on(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_browser(pilot)
        await pilot.click("#scenario-list", offset=(10, 5))
        assert "A Sterling Performance" in shown(pilot, "what")
        await pilot.click("#strip", offset=(shown(pilot, "strip").index("Victory"), 0))
        assert open_page(pilot) == "Victory"
        await pilot.click("#scenario-list", offset=(10, 5))
        await until(pilot, GameSetup)


async def test_the_pages_follow_the_settings_and_the_box(where: str) -> None:
    """A ruling that is liked otherwise moves the end of Dog Beach; distances become centimetres."""
    with Store.open(where) as store:
        store.set_owned(GAME, {"rifle": 88})
    app = the_app(where)
    async with app.run_test(size=WIDE) as pilot:
        await to_browser(pilot)
        await press(pilot, *["down"] * 9)
        assert "To the end of German turn 15" in shown(pilot, "what")
        await app.change_settings(Settings(measure="centimetres", rulings={"P80": "american_16"}))
        await press(pilot, "up", "down")
        assert "To the end of American turn 16" in shown(pilot, "what")
        assert "240\u00a0cm" in shown(pilot, "what")
        await press(pilot, "tab", "tab")
        await wait_for(pilot, "what", "For both sides you still need 8 Machinegun Guys")


# ------------------------------------------------------------------ the map


def drawn(said: Content) -> list[Content]:
    """The lines of the map itself: below the edge that is up, above the key."""
    lines = said.split("\n", allow_blank=True)
    return lines[1 : [line.plain for line in lines].index("")]


@pytest.mark.parametrize("plain", [False, True], ids=["blocks", "signs"])
@pytest.mark.parametrize("number", MAPPED)
def test_a_map_fits_its_room_and_is_as_wide_as_the_table_is(number: int, plain: bool) -> None:
    """A letter is twice as high as it is wide, and shows two squares."""
    table = library.scenarios()[number].table
    for room in (Size(39, 19), Size(66, 34), Size(110, 60)):
        told = map_page(source(number), room, MapInks(on_paper=False, plain=bool(plain)))
        assert max(line.cell_length for line in told.split("\n")[: len(drawn(told)) + 1]) <= room[0]
        (width,) = {line.cell_length for line in drawn(told)}
        height = 2 * len(drawn(told))
        assert abs(width / height - table.width_in / table.depth_in) < 3 / height, room
        assert table.up in told.plain.splitlines()[0]


@pytest.mark.parametrize("plain", [False, True], ids=["blocks", "signs"])
@pytest.mark.parametrize("number", MAPPED)
def test_every_letter_and_number_stands_on_the_map(number: int, plain: bool) -> None:
    """Those of zones and buildings, on the smallest screen."""
    field = library.scenarios()[number].map
    assert field is not None
    told = drawn(map_page(source(number), Size(39, 19), MapInks(on_paper=False, plain=bool(plain))))
    letters = set("".join(line.plain for line in told))
    zones = [zone.letter for zone in field.zones if zone.tag]
    assert letters.issuperset(zones)
    assert letters.issuperset("".join(str(one.number or "") for one in field.buildings))


@pytest.mark.parametrize("number", MAPPED)
def test_the_key_tells_every_colour_and_sign_of_the_map(number: int) -> None:
    scenario = library.scenarios()[number]
    told = {}
    for plain in (False, True):
        told[plain] = map_page(source(number), Size(66, 34), MapInks(on_paper=False, plain=plain))
    below = {plain: one.plain.split("\n", len(drawn(one)) + 2)[-1] for plain, one in told.items()}
    assert scenario.map is not None
    columns = drawn(told[False])[0].cell_length - FRAME
    raster = Raster.of_battlefield(scenario.map, scenario.table, columns)
    for kind in {kind for row in raster.rows for kind in row if kind in LOOKS}:
        assert f"▄▄ {kind}" in below[False].replace("\n", " "), kind
        sign = LOOKS[kind].sign
        assert sign == " " or f"{sign} {kind}" in below[True].replace("\n", " "), kind
    marks = [mark for mark in scenario.map.marks if sign_of_mark(mark)]
    things = (*scenario.map.zones, *marks, *scenario.map.arrows)
    for side in scenario.sides:
        is_drawn = any(thing.side == side.id for thing in things)
        assert (side.name in below[False]) == is_drawn
        assert (side.name in below[True]) == is_drawn


async def test_the_map_is_drawn_for_the_screen_it_stands_on(where: str) -> None:
    """Half blocks in colour, else signs of ASCII; drawn anew at another size."""
    app = the_app(where)
    async with app.run_test(size=NARROW) as pilot:
        screen = await to_browser(pilot)
        await press(pilot, "tab")
        page = screen.query_one("#page")

        def on_page() -> list[Content]:
            said = screen.query_one("#what", Static).content
            assert isinstance(said, Content)
            return drawn(said)

        narrow = on_page()
        assert "▀" in narrow[0].plain
        for keys in ((), ["down"] * 8, ["home"]):  # the ninth table is deeper than wide
            await press(pilot, *keys)
            assert open_page(pilot) == "Map"
            assert max(line.cell_length for line in on_page()) <= page.content_size.width
            assert page.max_scroll_x == 0
        await pilot.resize_terminal(*WIDE)
        await eventually(pilot, lambda: on_page()[0].cell_length > narrow[0].cell_length)
        await app.change_settings(Settings(theme="paper"))
        await press(pilot, "end", "home")
        assert "▀" in on_page()[0].plain
        for plainly in (Settings(theme="ansi"), Settings(characters="ascii")):
            await app.change_settings(plainly)
            await press(pilot, "end", "home")
            assert all(line.plain.isascii() for line in on_page()), plainly


async def test_both_sides_have_their_own_colours_in_bars_and_headings(where: str) -> None:
    """Of the second scenario, Germans and French; the ink of no side is left."""
    app = the_app(where)
    async with app.run_test(size=WIDE) as pilot:
        screen = await to_browser(pilot)
        await press(pilot, "down")
        for page_keys in ((), ("tab", "tab")):
            await press(pilot, *page_keys)
            said = screen.query_one("#what", Static).content
            assert isinstance(said, Content)
            styles = {str(span.style).removeprefix("bold ") for span in said.spans}
            assert {"$side-german", "$side-french"} <= styles
            assert not styles & {"$side-first", "$side-second"}


@pytest.mark.parametrize(("size", "has_map"), [(WIDE, False), ((160, 50), True), ((200, 60), True)])
async def test_on_a_very_large_screen_the_map_stands_below_the_glance(
    where: str, size: tuple[int, int], has_map: bool
) -> None:
    async with the_app(where).run_test(size=size) as pilot:
        screen = await to_browser(pilot)
        if has_map:
            await wait_for(pilot, "what", "▀")
        await pilot.pause()
        assert ("▀" in shown(pilot, "what")) == has_map
        assert "VICTORY" in shown(pilot, "what")
        assert screen.query_one("#page").max_scroll_y == 0


async def test_the_map_below_the_glance_is_drawn_once_and_not_for_lines_that_are_passed(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []

    def counted(source: pages.PageSource, room: Size, inks: MapInks) -> Content:
        drawn.append(source.scenario.number)
        return map_page(source, room, inks)

    monkeypatch.setattr("skirmish.app.scenarios.page_panel.map_page", counted)
    async with the_app(where).run_test(size=(200, 60)) as pilot:
        await to_browser(pilot)
        await wait_for(pilot, "what", "▀")
        await press(pilot, "down")
        await wait_for(pilot, "what", "▀")
        before = list(drawn)
        await press(pilot, "up")
        assert "▀" in shown(pilot, "what")
        monkeypatch.setattr(page_panel, "MAP_DELAY", 3600.0)
        await press(pilot, "down", "down", "down")
        assert "▀" not in shown(pilot, "what")
        assert drawn == before


# ------------------------------------------------------------------ pictures


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
@pytest.mark.parametrize(
    "keys",
    [
        (),
        (*["down"] * 9, "tab"),
        (*["down"] * 5, "tab", "tab"),
        (*["down"] * 2, "tab", "tab", "tab"),
        ("end",),
    ],
    ids=["glance", "map", "forces", "rules", "basic"],
)
def test_the_browser_looks_as_it_did(
    snap_compare: Callable[..., bool], where: str, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await to_browser(pilot)
        await press(pilot, *keys)

    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_lines_are_broken_where_the_page_ends(where: str, size: tuple[int, int]) -> None:
    """And not a second time, after one word of the next line."""
    async with the_app(where).run_test(size=size) as pilot:
        await press(pilot, "s")
        await until(pilot, ScenarioBrowser)
        await wait_for(pilot, "what", "Overmatched")
        await pilot.pause()
        what = pilot.app.screen.query_one("#what", Static)
        assert what.content_size.height == shown(pilot, "what").count("\n") + 1
        await press(pilot, "tab")
        raster = [line for line in shown(pilot, "what").splitlines() if "▀" in line]
        assert 0 < max(map(len, raster)) <= what.content_size.width


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_long_title_goes_on_below_itself(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(tmp_path / "own"))
    title = "A very long name of a battle at Włocławek 第一次 [b]"
    scenario_editing.new_scenario(title, ("american", "german"), (96, 60))
    async with the_app(where).run_test(size=size) as pilot:
        await to_browser(pilot)
        own = pilot.app.screen.query_one(ScenarioList).get_option("101")
        first, second, *_ = str(own.prompt).split("\n")
        assert first.startswith("101  A very long")
        assert second.startswith("    ")
        assert second.strip() in title


async def test_a_copy_is_made_deleted_and_brought_back(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(own))
    app = the_app(where)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await app.change_settings(Settings(keys={"scenario.restore": "f6"}))
        await to_browser(pilot)
        await press(pilot, "x")  # those of the rules stay
        await press(pilot, "c")
        await eventually(pilot, lambda: pilot.app.screen.query_one(ScenarioList).chosen == "101")
        assert len(list(own.glob("*.toml"))) == 1
        await press(pilot, "x")
        await eventually(pilot, lambda: not list(own.glob("*.toml")))
        assert "101" not in pilot.app.screen._scenarios  # type: ignore[attr-defined]
        await eventually(pilot, lambda: "F6 brings it back" in str(list(app._notifications)))
        await press(pilot, "f6")
        await eventually(pilot, lambda: pilot.app.screen.query_one(ScenarioList).chosen == "101")
        assert library.own_scenarios()[101].title == "Overmatched, a copy"
