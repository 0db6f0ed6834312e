"""The scenario browser: what its pages tell, how they are turned, where its keys lead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from steps import NARROW, WIDE, eventually, press, shown, the_app, until, wait_for
from textual.pilot import Pilot
from textual.widgets import OptionList

from skirmish import library
from skirmish.app.home import HomeScreen
from skirmish.app.scenarios import pages
from skirmish.app.scenarios.browser import ScenarioBrowser
from skirmish.app.scenarios.forces import forces
from skirmish.app.scenarios.telling import Source
from skirmish.app.setup.scenario_setup import ScenarioSetup
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.scenarios.happening_kinds import AskAtSetup
from skirmish.games.plastic.scenarios.scenario import LONGEST_TAGLINE
from skirmish.store.desk import Store
from skirmish.store.settings import Settings
from skirmish.tabletop.measure import in_centimetres

TELLING = (pages.GLANCE, pages.RULES, pages.VICTORY, pages.HISTORY)


def source(
    number: int, measured: Callable[[str], str] = str, owned: Mapping[str, int] | None = None
) -> Source:
    scenario, book = library.scenarios()[number], library.rulings()
    catalog = library.catalog().with_variants(scenario.variants)
    return Source(scenario, catalog, book, book.defaults(), measured, owned or {})


def told(number: int) -> dict[int, str]:
    """Each page of a scenario as plain text."""
    one = {page: pages.page(source(number), page).plain for page in TELLING}
    return one | {pages.FORCES: "\n".join(part.plain for part in forces(source(number)))}


# ------------------------------------------------------------------ the pages


@pytest.mark.parametrize("number", library.scenarios())
def test_nothing_of_a_scenario_is_left_out(number: int) -> None:
    scenario, page = library.scenarios()[number], told(number)
    for text in (scenario.tagline, scenario.place, scenario.situation):
        assert text in page[pages.GLANCE]
    for side in scenario.sides:
        assert side.name in page[pages.FORCES]
        for group in side.contingents:
            assert group.called in page[pages.FORCES]
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


@pytest.mark.parametrize("number", library.scenarios())
def test_a_mark_has_its_footnote_on_the_same_page(number: int) -> None:
    notes = library.scenarios()[number].footnotes
    assert notes
    for page in told(number).values():
        for note in notes:
            assert (note.mark in page) == (f"{note.mark} {note.text}" in page)


@pytest.mark.parametrize("number", library.scenarios())
def test_what_is_special_is_said_in_a_line_of_the_list(number: int) -> None:
    assert 0 < len(library.scenarios()[number].tagline) <= LONGEST_TAGLINE
    assert len(pages.comparison(source(number))) <= LONGEST_TAGLINE


def test_scenarios_are_compared_by_length_and_points_the_first_to_move_in_front() -> None:
    assert pages.comparison(source(1)) == "11 turns · 90–92 to 43 points"
    assert pages.comparison(source(3)) == "no last turn · 56 to 6+ points"


def test_sides_are_told_in_guys_and_models() -> None:
    glance = told(1)[pages.GLANCE]
    assert "30 guys, 4–5 models, strength 50–55" in glance
    assert "23 guys, 1 model, strength 28" in glance


def test_distances_are_told_as_the_player_measures() -> None:
    victory = pages.page(source(1, in_centimetres), pages.VICTORY).plain
    assert "within 15\u00a0cm of the road" in victory
    assert "240\u00a0cm × 150\u00a0cm" in pages.page(source(1, in_centimetres), pages.GLANCE).plain


def test_the_box_of_figures_is_held_against_both_sides() -> None:
    """Kursk: an Elefant is made of a Tiger's model; a box never counted is not spoken of."""
    needs: dict[str, int] = {}
    for side in library.scenarios()[7].sides:
        for group in side.contingents:
            for piece, count in {**group.units, **group.works}.items():
                needs[piece] = needs.get(piece, 0) + count
    needs["tiger"] = needs.pop("elefant")
    below = forces(source(7, owned=needs))[2].plain
    assert "You own all that it takes." in below
    below = forces(source(7, owned=needs | {"tiger": 5, "rifle": 72}))[2].plain
    assert "For both sides you miss 1 Rifle Guy and 3 Tiger Tanks." in below
    assert "YOUR FIGURES" not in forces(source(7))[2].plain


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
        assert shown(pilot, "strip").startswith("[Glance]")
        await press(pilot, "tab", "right")
        assert "[Rules]" in shown(pilot, "strip")
        await press(pilot, "down", "down")
        assert "Jeep guns." in shown(pilot, "what")
        page = screen.query_one("#page")
        await press(pilot, "pagedown")
        assert page.scroll_y > 10
        assert screen.query_one("#fights", OptionList).highlighted == 2
        await press(pilot, "pageup", "left", "left", "left")
        assert page.scroll_y == 0
        assert "[History]" in shown(pilot, "strip")
        await press(pilot, "right", "right")
        assert "Jeep raiders" in shown(pilot, "first-force")
        assert "Hidden riflemen" in shown(pilot, "second-force")
        await press(pilot, "end")  # the basic game has one page
        assert shown(pilot, "strip") == ""
        assert "The basic game" in shown(pilot, "what")
        assert not screen.query_one("#forces").display
        await press(pilot, "tab", "p", "up")
        assert "[Forces]" in shown(pilot, "strip")


async def test_the_browser_leads_to_the_options_and_back_to_the_same_line(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await to_browser(pilot)
        for key in ("enter", "b"):
            await press(pilot, "down", key)
            await until(pilot, ScenarioSetup)
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
        await pilot.click("#fights", offset=(10, 5))
        assert "A Sterling Performance" in shown(pilot, "what")
        await pilot.click("#strip", offset=(27, 0))
        assert "[Victory]" in shown(pilot, "strip")
        await pilot.click("#fights", offset=(10, 5))
        await until(pilot, ScenarioSetup)


async def test_the_pages_follow_the_settings_and_the_box(where: str) -> None:
    """A ruling that is liked otherwise moves the end of Dog Beach; distances become centimetres."""
    with Store.open(where) as store:
        store.own(GAME, {"rifle": 88})
    app = the_app(where)
    async with app.run_test(size=WIDE) as pilot:
        await to_browser(pilot)
        await press(pilot, *["down"] * 9)
        assert "To the end of German turn 15" in shown(pilot, "what")
        await app.change_settings(Settings(measure="centimetres", rulings={"P80": "american_16"}))
        await press(pilot, "up", "down")
        assert "To the end of American turn 16" in shown(pilot, "what")
        assert "240\u00a0cm" in shown(pilot, "what")
        await press(pilot, "tab")
        await wait_for(pilot, "what", "For both sides you miss 8 Machinegun Guys")


# ------------------------------------------------------------------ pictures


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
@pytest.mark.parametrize(
    "keys",
    [(), (*["down"] * 5, "tab"), (*["down"] * 2, "tab", "tab"), ("end",)],
    ids=["glance", "forces", "rules", "basic"],
)
def test_the_browser_looks_as_it_did(
    snap_compare: Callable[..., bool], where: str, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    async def steps(pilot: Pilot[None]) -> None:
        await to_browser(pilot)
        await press(pilot, *keys)

    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)
