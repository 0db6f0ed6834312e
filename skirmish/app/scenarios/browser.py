"""Choosing a battle: the scenarios with all their pages, or two saved armies."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath
from typing import ClassVar, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.timer import Timer
from textual.widgets import Static

from skirmish import library, registry
from skirmish.app.armies import owned_figures
from skirmish.app.asking import ChoiceScreen, TextEntry, YesOrNo
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import WIDE, Host, Screen
from skirmish.app.line_list import LineList
from skirmish.app.page_view import HEAD, painted
from skirmish.extras import unless_it_fails
from skirmish.games.plastic.scenario_record import (
    ScenarioRecord,
    record_blocks,
    record_of,
    record_words,
    with_record,
)
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.own import LONGEST_TITLE
from skirmish.games.plastic.scenarios.pages import PageSource
from skirmish.games.plastic.scenarios.scenario import Scenario, swapped
from skirmish.store.scenario_folder import FIRST_NUMBER
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.page import Block, Heading, Page, Paragraph, mapped
from skirmish.tabletop.side_colours import looks
from skirmish.tabletop.typed import plain

OPEN_PAGE = "bold reverse"
"""The style of the name of the page that is open."""
ROOM_FOR_NAMES = 132
"""Columns from which the pages have their full names."""
EDGES = 2
"""Columns of the edges of a page."""
FEWEST_MAP_LINES, SPARE = 20, 2
"""Lines that a map with its key needs below another page, and those of them for a long key."""
NOT_COPIED = "The scenario could not be copied"
MAP_AFTER = 0.1
"""Seconds after which the map is drawn below another page: nobody walks on through the list."""
PARAGRAPHS = {pages.FORCES: "entering", pages.MAP: "setting-up", pages.VICTORY: "counting"}
"""The paragraphs of the rules for pages; other pages are about the rules of scenarios."""
TWO_ARMIES = "armies"
"""The id of the line of the basic game, as the set-up of a battle calls it: two saved armies."""
NEW_SIDES = ("american", "german")
"""The nations of a new scenario, the attacker first."""
NEW_TABLE = (96, 60)
"""The width and the depth of a new table in inches."""


class MapBelow(NamedTuple):
    """The map of the scenario of that number, in so many columns and lines of a page."""

    scenario: int
    columns: int
    lines: int


class ScenarioList(LineList):
    """A list in which the first click only selects, so that players read before they begin."""

    def on_click(self, event: Click) -> None:
        clicked = event.style.meta.get("option")
        if clicked is not None and clicked != self.highlighted:
            self.highlighted = clicked
            event.prevent_default()


class ScenarioBrowser(Screen[None]):
    """The list on the left, the pages of the selected line on the right. ``in_play``: only the
    pages of the scenario of a battle, starting with its map."""

    CSS_PATH = "scenario_browser.tcss"
    PASSING: ClassVar[bool] = True
    TOPIC: ClassVar[str] = "scenario"
    EXTRA = "The scenarios are"  # begins the message if this screen fails
    HELP = (
        "Up and down choose a scenario, left and right change the page, Page Down scrolls. Enter "
        "(or a second click) goes to set-up; the battle does not begin until you say so there. "
        "Points are list prices. Strength is 1 for each guy and 5 for each model."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "scenario",
            ("begin", "b", "begin", "Set up", "Set up a battle of this scenario"),
            ("next-page", "tab", "turn(1)", "Page", "Next page"),
            ("page-right", "right", "turn(1)", "", "Next page"),
            ("page-before", "left,shift+tab", "turn(-1)", "", "Previous page"),
        ),
        Binding(
            "pagedown,space",
            "read(1)",
            "Read on",
            id="scenario.read-on",
            priority=True,
            tooltip="Scroll down the page",
        ),
        Binding(
            "pageup",
            "read(-1)",
            "Read back",
            id="scenario.read-back",
            show=False,
            priority=True,
            tooltip="Scroll up the page",
        ),
        *keys(
            "scenario",
            ("deal", "d", "app.show('deal')", "", "Deal battles of your own"),
            ("new", "n", "new", "New", "Make a scenario of your own on an empty table"),
            ("edit", "e", "edit", "Edit", "Change your scenario, or a copy, in the workshop"),
            ("print", "p", "print", "Print", "Print the scenario sheet"),
            ("copy", "c", "copy", "", "Copy the scenario as one of your own"),
            ("delete", "x,delete", "delete", "", "Delete the scenario, if it is your own"),
            ("restore", "u", "restore", "", "Bring back the deleted scenario"),
            ("leave", "escape,f8", "app.pop_screen", "Back", "Back"),
        ),
    ]

    def __init__(self, in_play: PageSource | None = None) -> None:
        super().__init__()
        self._source_in_play = in_play
        self._page = pages.GLANCE
        """The open page, by its place in ``pages.NAMES``."""
        if in_play is not None:
            self._page = pages.MAP
        self._scenarios: dict[int, Scenario] = {}
        self._owned: dict[str, int] = {}
        """The player's figures."""
        self._in_workshop = ""
        """The number of the scenario that was opened in the workshop, until it is left again."""
        self._deleted: list[Scenario] = []
        """Those that can be brought back, the last one deleted at the end."""
        self._maps_below: dict[MapBelow, Content] = {}
        self._map_timer: Timer | None = None
        """Runs until the map below a page is drawn."""
        self._records: dict[int, ScenarioRecord] = {}
        """Of own scenarios that have been played, by their numbers."""
        self._was_covered = False
        """Whether another screen has been above this one."""

    @property
    def paragraph(self) -> str:
        """The paragraph of the rules on the open page, which F1 opens."""
        if not self._chosen():
            return "setting-up"
        return PARAGRAPHS.get(self._page, "scenario-rules")

    # -------------------------------------------------------------- on the screen

    def compose(self) -> ComposeResult:
        title = "SCENARIOS AND THE BASIC GAME"
        if self._source_in_play is not None:
            title = self._source_in_play.scenario.title.upper()
        yield Static(title, classes="title", id="heading", markup=False)
        with Horizontal():
            yield ScenarioList(id="scenario-list")
            with Vertical(id="about"):
                yield Static(id="strip", markup=False)
                with VerticalScroll(id="page", can_focus=False):
                    yield Static(id="what", markup=False)
        yield Foot()

    async def on_mount(self) -> None:
        if self._source_in_play is not None:
            self._scenarios = {self._source_in_play.scenario.number: self._source_in_play.scenario}
            self.query_one("#scenario-list").display = False
            self.query_one("#about").styles.border_left = ("none", "transparent")
            self._show()
            return
        async with self.skirmish.reporting("The scenarios could not be read"):
            self._scenarios = await asyncio.to_thread(library.scenarios)
            self.query_one(ScenarioList).show(self._groups())
            self.query_one(ScenarioList).focus()
            self._read_records()

    def on_resize(self) -> None:
        if self._scenarios and not self._source_in_play:
            self.query_one(ScenarioList).show(self._groups())
        self.call_after_refresh(self._show)  # the page's width is known once it is laid out

    def settings_changed(self) -> None:
        self._maps_below.clear()  # their colours may be others now
        self.on_resize()

    async def on_screen_resume(self) -> None:
        # When a battle begins, the screens that led to it close one after the other. This one is
        # resumed for a moment, and then closes as well.
        if not self.is_current:
            return
        self._read_figures()
        if not self._was_covered:
            return  # it opens, and shows itself once its scenarios are read
        self.call_after_refresh(self._show)
        if self._scenarios and self._source_in_play is None:
            # Battles may have been dealt meanwhile, or one changed in the workshop.
            chosen = self._in_workshop or self.query_one(ScenarioList).chosen
            self._in_workshop = ""
            await self._read_again(chosen)
            self._read_records()

    def on_screen_suspend(self) -> None:
        self._was_covered = True

    @work(group="records", exclusive=True)
    async def _read_records(self) -> None:
        """What finished battles say of the player's own scenarios."""
        own = [scenario for scenario in self._scenarios.values() if scenario.is_own]
        if not own:
            return
        game = registry.load("plastic")
        finished = await self.skirmish.stored(lambda store: list(store.finished(game)))
        states = [battle.state for battle in finished]
        records = {}
        for scenario in own:
            record = record_of(scenario, states, library.catalog())
            if record is not None:
                records[scenario.number] = record
        if records != self._records:
            self._records = records
            self._show()

    @work(group="box", exclusive=True)
    async def _read_figures(self) -> None:
        """Which figures the player owns: pages say what he lacks."""
        owned = await owned_figures(self.skirmish.stored)
        if owned != self._owned:
            self._owned = owned
            self._show()

    def on_option_list_option_highlighted(self) -> None:
        """Show the line on the same page, so that scenarios can be compared."""
        self.query_one("#page").scroll_home(animate=False)
        self._show()

    def on_option_list_option_selected(self) -> None:
        self.action_begin()

    # -------------------------------------------------------------- what keys do

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What cannot be done now is greyed (None); a battle that is played cannot be set up again,
        so that its key is hidden (False)."""
        if action == "begin" and self._source_in_play:
            return False
        if action in ("turn", "print") and not self._chosen():
            return None
        if action == "begin" and self._mistakes_of_chosen():
            return None
        if action == "edit" and not self._may_be_edited():
            return None
        if action == "new" and self._source_in_play is not None:
            return None
        if action in ("copy", "delete", "restore") and not self._may_change(action):
            return None
        return True

    def _may_change(self, action: str) -> bool:
        """Whether the selected scenario can be copied or deleted, or one can be brought back."""
        if self._source_in_play is not None:
            return False
        if action == "restore":
            return bool(self._deleted)
        scenario = self._chosen()
        if scenario is None:
            return False
        return action == "copy" or scenario.is_own

    def _may_be_edited(self) -> bool:
        """Whether the workshop can open the selected line: a scenario, or a file with mistakes."""
        if self._source_in_play is not None:
            return False
        return self._chosen() is not None or self._number_of_broken() is not None

    def _number_of_broken(self) -> int | None:
        """The number of the selected scenario, if its file has mistakes: a draft, perhaps."""
        mistakes = self._mistakes_of_chosen()
        if mistakes is None:
            return None
        digits = _number_in(mistakes.file)
        if not digits.isdecimal() or int(digits) < FIRST_NUMBER:
            return None
        return int(digits)

    def action_turn(self, step: int) -> None:
        self.action_open((self._page + step) % len(pages.NAMES))

    def action_open(self, page: int) -> None:
        self._page = page
        self.query_one("#page").scroll_home(animate=False)
        self._show()

    def action_read(self, step: int) -> None:
        page = self.query_one("#page", VerticalScroll)
        # Two lines stay, so that the reader finds on.
        lines = max(page.size.height - 2, 1)
        page.scroll_relative(y=step * lines, animate=False)

    def action_begin(self) -> None:
        from skirmish.app.play.setup import GameSetup

        if not self.query_one(ScenarioList).chosen or self._mistakes_of_chosen():
            return
        battle, paragraph = TWO_ARMIES, "setting-up"
        scenario = self._chosen()
        if scenario is not None:
            battle, paragraph = str(scenario.number), "scenario-rules"
        self.app.push_screen(GameSetup("plastic", {"battle": battle}, paragraph))

    @work(group="window")
    async def action_print(self) -> None:
        """Print the sheet of the chosen scenario. If it is the player's own and has been played,
        ask whether its record is printed on it."""
        from skirmish.app.printing import print_document

        scenario = self._chosen()
        if scenario is None:
            return
        record = self._records.get(scenario.number)
        if record is not None:
            rows = [("sheet", "The sheet"), ("record", f"With its record: {record_words(record)}")]
            choice = ChoiceScreen("Print the sheet", "", rows)
            chosen = await self.app.push_screen_wait(choice)
            if chosen is None:
                return
            if chosen == "record":
                scenario = with_record(scenario, record)
        await print_document(self.skirmish, "scenario", [scenario])

    @work(group="workshop", exclusive=True)
    async def action_new(self) -> None:
        """Make a scenario on an empty table, and open it in the workshop."""
        entry = TextEntry("A new scenario", "What is it called?", longest=LONGEST_TITLE)
        typed = await self.app.push_screen_wait(entry)
        if typed is None:
            return
        title = " ".join(typed.split()) or "A battle"
        async with self.skirmish.reporting("The scenario could not be made"):
            saved = await asyncio.to_thread(library.new_scenario, title, NEW_SIDES, NEW_TABLE)
            self._open_workshop(saved.number)

    @work(group="workshop", exclusive=True)
    async def action_edit(self) -> None:
        """Open the workshop; a scenario of the rules is copied first."""
        number = self._number_of_broken()
        scenario = self._chosen()
        if number is None and scenario is not None:
            number = scenario.number
        if number is None:
            return
        if scenario is None or scenario.is_own:
            self._open_workshop(number)
            return
        question = YesOrNo(
            "A scenario of the rules",
            "It stays as it is. Shall the workshop open a copy of it?",
            yes="Copy it",
            no="Leave it",
        )
        if not await self.app.push_screen_wait(question):
            return
        async with self.skirmish.reporting(NOT_COPIED):
            saved = await _copied(scenario)
            self._open_workshop(saved.number)

    def _open_workshop(self, number: int) -> None:
        """Open a scenario in the workshop; its line is chosen once that is left."""
        self._in_workshop = str(number)
        self.skirmish.show("workshop", number)

    async def action_copy(self) -> None:
        scenario = self._chosen()
        if scenario is None:
            return
        async with self.skirmish.reporting(NOT_COPIED):
            saved = await _copied(scenario)
            await self._read_again(str(saved.number))

    async def action_delete(self) -> None:
        scenario = self._chosen()
        if scenario is None:
            return
        async with self.skirmish.reporting("The scenario could not be deleted"):
            await asyncio.to_thread(library.delete_scenario, scenario)
            self._deleted.append(scenario)
            await self._read_again("")
            key = self.skirmish.key("scenario.restore", "u")
            self.app.notify(f"{scenario.title} is deleted. {key} brings it back.", markup=False)

    async def action_restore(self) -> None:
        # The last one that was deleted comes back first. There is one: the key is greyed otherwise.
        scenario = self._deleted[-1]
        async with self.skirmish.reporting("The scenario could not be brought back"):
            await asyncio.to_thread(library.restore_scenario, scenario)
            self._deleted.pop()
            await self._read_again(str(scenario.number))

    async def _read_again(self, chosen: str) -> None:
        """Read the scenarios anew and select one of them, by its number or by the file that cannot
        be read."""
        self._maps_below.clear()
        self._scenarios = await asyncio.to_thread(library.scenarios)
        self.query_one(ScenarioList).show(self._groups(), self._line_of(chosen))
        self._show()
        self.refresh_bindings()

    def _line_of(self, chosen: str) -> str:
        """The id of the line on which the scenario of the line ``chosen`` is now. It is a number
        or, while the file has mistakes, the file: it changes when the workshop mends the file."""
        number = _number_in(chosen)
        if number.isdecimal() and int(number) in self._scenarios:
            return number
        for error in library.broken_scenarios():
            if _number_in(error.file) == number:
                return error.file
        return chosen

    # -------------------------------------------------------------- painting

    def _chosen(self) -> Scenario | None:
        """The scenario of the selected line; None for the basic game, and for broken files."""
        if self._source_in_play is not None:
            return self._source_in_play.scenario
        chosen = self.query_one(ScenarioList).chosen
        if not chosen.isdigit():
            return None
        return self._scenarios[int(chosen)]

    def _mistakes_of_chosen(self) -> DataError | None:
        """The mistakes of the selected line, if it is a file that cannot be read."""
        if self._source_in_play is not None:
            return None
        chosen = self.query_one(ScenarioList).chosen
        for error in library.broken_scenarios():
            if error.file == chosen:
                return error
        return None

    def _source(self, scenario: Scenario) -> PageSource:
        """What the pages of a scenario are made from."""
        if self._source_in_play is not None:
            return self._source_in_play
        return source_of(self.skirmish, scenario, self._owned)

    def _groups(self) -> Iterator[tuple[Content | None, dict[str, Content]]]:
        """The scenarios of the rules, the player's own, files that cannot be read, and the basic
        game."""
        published, own = {}, {}
        for number, scenario in self._scenarios.items():
            if number < FIRST_NUMBER:  # of the player's own scenarios
                published[str(number)] = self._line(scenario)
            else:
                own[str(number)] = self._line(scenario)
        yield None, published
        yield Content.styled(" YOUR OWN", HEAD), own
        points = library.catalog().basic_game.points
        about = f"\n    two armies, usually {points} points"
        basic_game = Content.assemble((" *  The basic game", "bold"), about)
        yield None, {**dict(self._broken_lines()), TWO_ARMIES: basic_game}

    def _line(self, scenario: Scenario) -> Content:
        """A scenario in the list: number and title, what it is in a few words, how both sides
        compare."""
        title = f"{scenario.number:>2}  {scenario.title}"
        parts: list[str | tuple[str, str]] = [(title, "bold")]
        if self.app.size.width >= WIDE and scenario.tagline:
            parts.append(f"\n    {scenario.tagline}")
        comparison = pages.comparison(self._source(scenario))
        parts.append(f"\n    {comparison}")
        return Content.assemble(*parts)

    def _broken_lines(self) -> Iterator[tuple[str, Content]]:
        """The lines of files with mistakes, by their names."""
        for error in library.broken_scenarios():
            name = PurePosixPath(error.file).name
            count = len(error.problems)
            mistakes = f"\n    cannot be played: {count} mistakes"
            if count == 1:
                mistakes = "\n    cannot be played: one mistake"
            yield error.file, Content.assemble((f" !  {plain(name)}", "bold"), mistakes)

    def _show(self) -> None:
        """Paint the open page of the selected line, and the names of all pages above it."""
        not_loaded_yet = not self._scenarios
        already_closed = not self.query("#scenario-list")
        if not_loaded_yet or already_closed:
            return
        scenario, columns = self._chosen(), self.app.size.width
        strip = Content("")
        if scenario is not None:
            strip = page_strip(
                self._page, full_names=columns >= ROOM_FOR_NAMES, spaced=columns >= WIDE
            )
        self.query_one("#strip", Static).update(strip)
        self.query_one("#what", Static).update(self._text_of(scenario))
        self.refresh_bindings()

    def _text_of(self, scenario: Scenario | None) -> Content:
        """The open page of a scenario; without one, the mistakes of its file, or else the basic
        game."""
        width = self._page_width()
        mistakes = self._mistakes_of_chosen()
        if mistakes is not None:
            return painted(mapped(_mistakes_page(mistakes), plain), width)
        if scenario is None:
            return painted(mapped(_basic_game(), self.skirmish.measured), width)
        if self._page == pages.MAP:
            # A map that cannot be painted leaves a line in its place, and the screen goes on.
            lines = self._page_lines()
            return unless_it_fails(
                lambda: self._map(scenario, lines), instead=Content, missing="The map is"
            )
        page = pages.page(self._source(scenario), self._page)
        record = self._records.get(scenario.number)
        if self._page == pages.GLANCE and record is not None:
            page = page.with_blocks(record_blocks(record))
        first, second = looks(*scenario.order_of_play())
        text = painted(
            page, width, beside=self.app.size.width >= WIDE, colours=(first.name, second.name)
        )
        if self._page == pages.GLANCE:
            return self._above_map(text, scenario)
        return text

    def _above_map(self, text: Content, scenario: Scenario) -> Content:
        """A page with the map below it, on a screen with so many lines left. A map takes longer to
        draw than to walk on to the next line: it is drawn once, a moment later."""
        lines_left = self._page_lines() - len(text.split("\n")) - 1
        if scenario.map is None or lines_left < FEWEST_MAP_LINES:
            return text
        wanted = MapBelow(scenario.number, self._page_width(), lines_left)
        drawn = self._maps_below.get(wanted)
        if drawn is not None:
            return Content("\n\n").join([text, drawn])
        if self._map_timer is not None:
            self._map_timer.stop()
        self._map_timer = self.set_timer(MAP_AFTER, partial(self._draw_below, scenario, wanted))
        return text

    def _draw_below(self, scenario: Scenario, wanted: MapBelow) -> None:
        """Draw the map that is wanted, and show it if its scenario is still the selected one."""
        self._maps_below[wanted] = unless_it_fails(
            lambda: self._map(scenario, wanted.lines - SPARE), instead=Content, missing="The map is"
        )
        self._show()

    def _page_width(self) -> int:
        return self.query_one("#page").scrollable_content_region.width - EDGES

    def _page_lines(self) -> int:
        return self.query_one("#page").scrollable_content_region.height

    def _map(self, scenario: Scenario, lines: int) -> Content:
        """The map with its key, in so many lines."""
        from skirmish.app.scenarios.map_picture import inks_of, map_page

        room = (self._page_width(), lines)
        return map_page(self._source(scenario), room, inks_of(self.skirmish))


def _number_in(line: str) -> str:
    """The number of the scenario of a line, which may be a file: ``101_my_bridge.toml``."""
    return PurePosixPath(line).name.partition("_")[0]


async def _copied(scenario: Scenario) -> library.SavedScenario:
    """A copy of a scenario, stored as one of the player's own. Raises DataError."""
    title = f"{scenario.title}, a copy"
    return await asyncio.to_thread(library.copy_scenario, scenario, title)


def source_of(app: Host, scenario: Scenario, owned: dict[str, int]) -> PageSource:
    """What the pages of a scenario are made from, with the rulings that the players like."""
    book = library.rulings()
    rulings = book.defaults() | book.liked(app.settings.rulings)
    catalog = library.catalog().with_variants(scenario.variants)
    return PageSource(swapped(scenario, rulings), catalog, book, rulings, app.measured, owned)


def _mistakes_page(error: DataError) -> Page:
    """What is wrong with a scenario file, and where."""
    text = f"{error.file} is not a scenario yet. Mend what is named here, and it is one."
    blocks: list[Block] = [Paragraph(text)]
    for problem in error.problems:
        blocks.append(Paragraph(problem.message, lead=problem.key))
    return Page("", tuple(blocks))


def _basic_game() -> Page:
    """What the basic game is, with the rules that matter for it."""
    points = library.catalog().basic_game.points
    text = (
        f"Two armies of your own, usually of {points} points each. Build them and print their "
        "rosters under Armies on the home screen."
    )
    blocks: list[Block] = [Paragraph(text)]
    for name in ("setting-up", "break-point", "last-turn"):
        rule = library.reference().paragraphs[name]
        blocks += [Heading(rule.title), *map(Paragraph, rule.text)]
    return Page("", tuple(blocks))


def page_strip(opened: int, *, full_names: bool, spaced: bool) -> Content:
    """The pages by name, each clickable, the open one reversed. ``spaced``: the names, perhaps the
    ``full_names``, stand well apart. Otherwise one blank stands between two names, and the reversed
    ground of the open page covers the blanks at its sides."""
    if spaced:
        return _spaced_strip(opened, full_names=full_names)
    tabs = []
    for number, (_, name) in enumerate(pages.NAMES):
        tab = Content(name)
        if number == opened:
            tab = Content.styled(_with_its_blanks(name, number), OPEN_PAGE)
        tabs.append(tab.stylize(f"@click=screen.open({number})"))
        is_last = number == len(pages.NAMES) - 1
        if not is_last and opened not in (number, number + 1):
            tabs.append(Content(" "))
    return Content("").join(tabs)


def _with_its_blanks(name: str, number: int) -> str:
    """The name of a page with the blanks that part it from its neighbours."""
    if number > 0:
        name = f" {name}"
    if number < len(pages.NAMES) - 1:
        name = f"{name} "
    return name


def _spaced_strip(opened: int, *, full_names: bool) -> Content:
    """The pages by name with blanks between them, the open one reversed."""
    tabs = []
    for number, (long_name, short_name) in enumerate(pages.NAMES):
        name, style = short_name, ""
        if full_names:
            name = long_name
        if number == opened:
            style = OPEN_PAGE
        tab = Content.styled(f" {name} ", style)
        tabs.append(tab.stylize(f"@click=screen.open({number})"))
    return Content("  ").join(tabs)
