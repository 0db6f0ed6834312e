"""Choosing a battle: the scenarios, or two saved armies, in a list; their pages (``page_panel``)
beside it. The player's own scenarios are made, copied and deleted here."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.widgets import Static

from skirmish import library, registry, scenario_editing
from skirmish.app.armies import owned_figures
from skirmish.app.asking import ChoiceScreen, OfferedChoice, TextEntry, YesOrNo
from skirmish.app.base_screen import WIDE, Screen
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.line_list import LineGroup, LineList
from skirmish.app.scenarios.page_panel import PagePanel, ShownScenario
from skirmish.app.scenarios.page_source import source_of
from skirmish.app.text_styles import HEAD
from skirmish.games.plastic.scenario_record import (
    ScenarioRecord,
    record_of,
    record_words,
    with_record,
)
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.own import LONGEST_TITLE
from skirmish.games.plastic.scenarios.pages import PageSource
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.store.scenario_folder import FIRST_NUMBER
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.typed import plain

NOT_COPIED = "The scenario could not be copied"
PARAGRAPHS = {pages.FORCES: "entering", pages.MAP: "setting-up", pages.VICTORY: "counting"}
"""The paragraphs of the rules that F1 opens on these pages."""
BASIC_GAME_PARAGRAPH, SCENARIO_PARAGRAPH = "setting-up", "scenario-rules"
"""The paragraphs of the rules on the basic game, and on the other pages of a scenario."""
TWO_ARMIES = "armies"
"""The id of the line of the basic game, as the set-up of a battle calls it: two saved armies."""
TITLE_INDENT = 4
"""The columns of a scenario's number in the list."""
NEW_SIDES = ("american", "german")
"""The nations of a new scenario, the attacker first."""
NEW_TABLE = (96, 60)
"""The width and the depth of a new table in inches."""


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
    FAILURE = "The scenarios are not available"
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
        first_page = pages.GLANCE
        if in_play is not None:
            first_page = pages.MAP
        self._page_panel = PagePanel(first_page)
        self._scenarios: dict[int, Scenario] = {}
        self._owned: dict[str, int] = {}
        """The player's figures."""
        self._in_workshop = ""
        """The number of the scenario that was opened in the workshop, until it is left again."""
        self._deleted: list[Scenario] = []
        """Those that can be brought back, the last one deleted at the end."""
        self._records: dict[int, ScenarioRecord] = {}
        """How the battles of the player's own scenarios ended, by the numbers of these scenarios;
        without those that were never played."""
        self._was_covered = False
        """Whether another screen has been above this one."""

    @property
    def paragraph(self) -> str:
        """The paragraph of the rules on the open page, which F1 opens."""
        if self._chosen_scenario() is None:
            return BASIC_GAME_PARAGRAPH
        return PARAGRAPHS.get(self._page_panel.open_page, SCENARIO_PARAGRAPH)

    # -------------------------------------------------------------- on the screen

    def compose(self) -> ComposeResult:
        title = "SCENARIOS AND THE BASIC GAME"
        if self._source_in_play is not None:
            title = self._source_in_play.scenario.title.upper()
        yield Static(title, classes="title", id="heading", markup=False)
        with Horizontal():
            yield ScenarioList(id="scenario-list")
            yield self._page_panel
        yield Foot()

    async def on_mount(self) -> None:
        if self._source_in_play is not None:
            scenario = self._source_in_play.scenario
            self._scenarios = {scenario.number: scenario}
            self.query_one("#scenario-list").display = False
            # There is no list from which the line at its left would part the page.
            self._page_panel.styles.border_left = ("none", "transparent")
            self._show()
            return
        async with self.skirmish.reporting("The scenarios could not be read"):
            self._scenarios = await asyncio.to_thread(library.scenarios)
            self.query_one(ScenarioList).show(self._groups())
            self.query_one(ScenarioList).focus()
            self._read_records()

    def on_resize(self) -> None:
        # The widths of the list and of the page are known once they are laid out.
        if self._scenarios and not self._source_in_play:
            self.call_after_refresh(self._show_list)
        self.call_after_refresh(self._show)

    def settings_changed(self) -> None:
        self._page_panel.forget_maps()  # their colours may be others now
        self.on_resize()

    async def on_screen_resume(self) -> None:
        # When a battle begins, the screens that led to it close one after the other. This one is
        # resumed for a moment, and then closes as well.
        if not self.is_current:
            return
        self._read_figures()
        if not self._was_covered:
            return  # the screen is only opening: ``on_mount`` reads and shows the scenarios
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
        """Read how the finished battles of the player's own scenarios ended."""
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
        """Read which figures the player owns: pages name those that are missing."""
        owned = await owned_figures(self.skirmish.stored)
        if owned != self._owned:
            self._owned = owned
            self._show()

    def on_option_list_option_highlighted(self) -> None:
        """Show the line on the same page, so that scenarios can be compared."""
        self._page_panel.scroll_to_top()
        self._show()

    def on_option_list_option_selected(self) -> None:
        self.action_begin()

    # -------------------------------------------------------------- what keys do

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What cannot be done now is greyed (None); a battle that is played cannot be set up again,
        so that its key is hidden (False)."""
        if action == "begin" and self._source_in_play is not None:
            return False
        if self._is_possible(action):
            return True
        return None

    def _is_possible(self, action: str) -> bool:
        """Whether something can be done with the selected line."""
        scenario = self._chosen_scenario()
        is_in_play = self._source_in_play is not None
        match action:
            case "begin":
                return self._mistakes_of_chosen() is None
            case "turn" | "print":
                return scenario is not None
            case "new":
                return not is_in_play
            case "edit":
                return self._may_be_edited()
            case "copy":
                return scenario is not None and not is_in_play
            case "delete":
                return scenario is not None and scenario.is_own and not is_in_play
            case "restore":
                return bool(self._deleted) and not is_in_play
        return True

    def _may_be_edited(self) -> bool:
        """Whether the workshop can open the selected line: a scenario, or a file with mistakes."""
        if self._source_in_play is not None:
            return False
        return self._chosen_scenario() is not None or self._number_of_draft() is not None

    def _number_of_draft(self) -> int | None:
        """The number of the selected line, if it is a file of the player's own with mistakes: the
        workshop leaves one behind where a scenario is not finished."""
        mistakes = self._mistakes_of_chosen()
        if mistakes is None:
            return None
        number = _number_in(mistakes.file)
        if number is None or number < FIRST_NUMBER:
            return None
        return number

    def action_turn(self, step: int) -> None:
        self._page_panel.turn(step)
        self.refresh_bindings()

    def action_open(self, page: int) -> None:
        self._page_panel.open(page)
        self.refresh_bindings()

    def action_read(self, step: int) -> None:
        self._page_panel.read_on(step)

    def action_begin(self) -> None:
        from skirmish.app.play.setup import GameSetup

        if not self.query_one(ScenarioList).chosen or self._mistakes_of_chosen():
            return
        battle, paragraph = TWO_ARMIES, BASIC_GAME_PARAGRAPH
        scenario = self._chosen_scenario()
        if scenario is not None:
            battle, paragraph = str(scenario.number), SCENARIO_PARAGRAPH
        self.app.push_screen(GameSetup("plastic", {"battle": battle}, paragraph))

    @work(group="window")
    async def action_print(self) -> None:
        """Print the sheet of the chosen scenario. If it is the player's own and has been played,
        ask whether its record is printed on it."""
        from skirmish.app.printing import print_document

        scenario = self._chosen_scenario()
        if scenario is None:
            return
        record = self._records.get(scenario.number)
        if record is not None:
            choices = [
                OfferedChoice("sheet", "The sheet"),
                OfferedChoice("record", f"With its record: {record_words(record)}"),
            ]
            window = ChoiceScreen("Print the sheet", "", choices)
            chosen = await self.app.push_screen_wait(window)
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
            saved = await asyncio.to_thread(
                scenario_editing.new_scenario, title, NEW_SIDES, NEW_TABLE
            )
            self._open_workshop(saved.number)

    @work(group="workshop", exclusive=True)
    async def action_edit(self) -> None:
        """Open the workshop; a scenario of the rules is copied first."""
        number = self._number_of_draft()
        scenario = self._chosen_scenario()
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
            saved = await _store_copy(scenario)
            self._open_workshop(saved.number)

    def _open_workshop(self, number: int) -> None:
        """Open a scenario in the workshop; its line is chosen once that is left."""
        self._in_workshop = str(number)
        self.skirmish.show("workshop", number)

    async def action_copy(self) -> None:
        scenario = self._chosen_scenario()
        if scenario is None:
            return
        async with self.skirmish.reporting(NOT_COPIED):
            saved = await _store_copy(scenario)
            await self._read_again(str(saved.number))

    async def action_delete(self) -> None:
        scenario = self._chosen_scenario()
        if scenario is None:
            return
        async with self.skirmish.reporting("The scenario could not be deleted"):
            await asyncio.to_thread(scenario_editing.delete_scenario, scenario)
            self._deleted.append(scenario)
            await self._read_again()
            key = self.skirmish.key("scenario.restore", "u")
            self.app.notify(f"{scenario.title} is deleted. {key} brings it back.", markup=False)

    async def action_restore(self) -> None:
        # The last one that was deleted comes back first. There is one: the key is greyed otherwise.
        scenario = self._deleted[-1]
        async with self.skirmish.reporting("The scenario could not be brought back"):
            await asyncio.to_thread(scenario_editing.restore_scenario, scenario)
            self._deleted.pop()
            await self._read_again(str(scenario.number))

    async def _read_again(self, line_id: str = "") -> None:
        """Read the scenarios anew and select the one that had the line with this id. Without an id
        the cursor keeps its line, or goes to the first if that is gone."""
        self._page_panel.forget_maps()
        self._scenarios = await asyncio.to_thread(library.scenarios)
        self.query_one(ScenarioList).show(self._groups(), self._line_id_now(line_id))
        self._show()

    def _line_id_now(self, line_id_before: str) -> str:
        """The id that the line of a scenario has after the files were read again. It changes where
        a file with mistakes was mended, or now has mistakes."""
        number = _number_in(line_id_before)
        if number is None:
            return line_id_before
        if number in self._scenarios:
            return str(number)
        for error in library.broken_scenarios():
            if _number_in(error.file) == number:
                return error.file
        return line_id_before

    # -------------------------------------------------------------- the selected line

    def _chosen_scenario(self) -> Scenario | None:
        """The scenario of the selected line; None for the basic game, and for broken files."""
        if self._source_in_play is not None:
            return self._source_in_play.scenario
        chosen = self.query_one(ScenarioList).chosen
        if not chosen.isdigit():
            return None
        return self._scenarios[int(chosen)]

    def _mistakes_of_chosen(self) -> DataError | None:
        """The mistakes in the file of the selected line; None if there are none."""
        if self._source_in_play is not None:
            return None
        chosen = self.query_one(ScenarioList).chosen
        for error in library.broken_scenarios():
            if error.file == chosen:
                return error
        return None

    # -------------------------------------------------------------- painting

    def _source(self, scenario: Scenario) -> PageSource:
        """What the pages of a scenario are made from."""
        if self._source_in_play is not None:
            return self._source_in_play
        return source_of(self.skirmish, scenario, self._owned)

    def _show_list(self) -> None:
        """Paint the list for its width."""
        for scenario_list in self.query(ScenarioList):
            scenario_list.show(self._groups())

    def _groups(self) -> Iterator[LineGroup]:
        """The scenarios of the rules, the player's own, files that cannot be read, and the basic
        game."""
        of_rules, own = {}, {}
        for number, scenario in self._scenarios.items():
            if number < FIRST_NUMBER:
                of_rules[str(number)] = self._line(scenario)
            else:
                own[str(number)] = self._line(scenario)
        yield LineGroup(None, of_rules)
        yield LineGroup(Content.styled(" YOUR OWN", HEAD), own)
        points = library.catalog().basic_game.points
        about = f"\n    two armies, usually {points} points"
        basic_game = Content.assemble((" *  The basic game", "bold"), about)
        lines_at_end = dict(self._broken_lines())
        lines_at_end[TWO_ARMIES] = basic_game
        yield LineGroup(None, lines_at_end)

    def _line(self, scenario: Scenario) -> Content:
        """A scenario in the list: number and title, what it is in a few words, how both sides
        compare."""
        title = Content.styled(f"{scenario.number:>2}  {scenario.title}", "bold")
        parts: list[str | Content] = [self.query_one(ScenarioList).in_columns(title, TITLE_INDENT)]
        if self.app.size.width >= WIDE and scenario.tagline:
            parts.append(f"\n    {scenario.tagline}")
        comparison = pages.length_and_points(self._source(scenario))
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
        scenario = self._chosen_scenario()
        if scenario is not None:
            record = self._records.get(scenario.number)
            self._page_panel.show(ShownScenario(scenario, self._source(scenario), record))
        else:
            # The line is that of a broken file, whose mistakes are shown, or that of the basic
            # game, for which there are none (None).
            self._page_panel.show(self._mistakes_of_chosen())
        self.refresh_bindings()


def _number_in(line_id: str) -> int | None:
    """The number of the scenario on the line with this id. The id is that number or, if there are
    mistakes in the file, the file, whose name begins with it: ``101_my_bridge.toml``. None for a
    line of no scenario, or a file that is called otherwise."""
    digits = PurePosixPath(line_id).name.partition("_")[0]
    if not digits.isdecimal():
        return None
    return int(digits)


async def _store_copy(scenario: Scenario) -> scenario_editing.SavedScenario:
    """Store a copy of a scenario as one of the player's own. Raises DataError."""
    title = f"{scenario.title}, a copy"
    return await asyncio.to_thread(scenario_editing.copy_scenario, scenario, title)
