"""The workshop's screen: six pages of one scenario. Each change is stored at once, and what is
wrong is listed with the way to it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from string import ascii_uppercase
from typing import Any, ClassVar, NamedTuple, get_args

import msgspec
from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from skirmish import library
from skirmish.app.armies import owned_figures
from skirmish.app.asking import ChoiceScreen, TextEntry
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import LARGE, SPACIOUS, Screen
from skirmish.app.page_view import DIM, KEY, painted
from skirmish.app.scenarios.browser import source_of
from skirmish.app.scenarios.map_picture import board_map, inks_of
from skirmish.app.workshop.map_board import MapBoard, MapPage
from skirmish.app.workshop.map_tool import Kind
from skirmish.app.workshop.page_picture import (
    PagePicture,
    PictureBox,
    PictureScreen,
    page_picture,
    protocol_here,
)
from skirmish.app.workshop.sentence_board import SentenceBoard
from skirmish.extras import not_available, unless_it_fails
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.firing_table import ranges_of
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.laying import called
from skirmish.games.plastic.scenarios.own import as_printed
from skirmish.games.plastic.scenarios.scenario import Scenario, SpecialRule
from skirmish.games.plastic.workshop import blanks
from skirmish.games.plastic.workshop.draft import (
    EditError,
    ScenarioRules,
    beyond_owned,
    map_of,
    value_at,
    with_army,
    with_contingent,
    with_map,
    with_value,
    without,
)
from skirmish.games.plastic.workshop.lines import MIRRORS, values_of, with_values
from skirmish.games.plastic.workshop.sentences import (
    EXPLAINED,
    SentenceGroup,
    Writer,
    checked_change,
    new_entry,
)
from skirmish.tabletop import map_edits
from skirmish.tabletop.battlefield import MarkKind
from skirmish.tabletop.data_file import DataError, Problem, table_of
from skirmish.tabletop.history import History
from skirmish.tabletop.map_edits import PartId
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.plane import Point
from skirmish.tabletop.side_colours import looks
from skirmish.tabletop.slots import Option, Slot
from skirmish.tabletop.typed import plain

TABLE, MAP, FORCES, VICTORY, RULES, SHEET = range(6)
NAMES = ("Table", "Map", "Forces", "Victory", "Rules", "Sheet")
"""The pages, by their numbers from 0, and their names."""
SENTENCE_PAGES = {TABLE: "table", FORCES: "forces", VICTORY: "victory", RULES: "rules"}
"""The pages of sentences, and what their boards are called."""
FILLING_IN = "Tab: next blank. Enter writes it, left and right change it."
KEYS_OF_PAGES = {
    TABLE: FILLING_IN,
    FORCES: f"{FILLING_IN} n: new contingent, a: unit, o: choice of units, A: an army, x deletes, "
    "v: all values.",
    VICTORY: f"{FILLING_IN} v: all values.",
    RULES: f"{FILLING_IN} n: new line, x deletes, v: all values.",
}
"""What keys do on the pages of sentences; the foot has no room for it."""
PAGE_OF_KEY = {
    "map": MAP,
    "side": FORCES,
    "victory": VICTORY,
    "limit": RULES,
    "happening": RULES,
    "rule": RULES,
    "footnote": RULES,
    "variant": RULES,
    "swap": RULES,
    "clock": RULES,
}
"""On which page a value is changed, by the beginning of its key; all others are on the first."""
LOOKED_AGAIN = 1.0
"""Seconds between two looks at the file, which another screen may have changed."""
NARROWEST_SHEET = 20
"""The fewest columns of the sheet's text."""
BESIDE_AFTER = 0.15
"""Seconds after a change until the map and the sheet beside the sentences follow it."""
PAUSE = 0.8
"""Seconds without a change after which the map of the sheet is drawn to look for overlaps."""
MOST_LISTED = 60
"""The most mistakes that are listed at once."""
LONGEST_ENTRY = 4000
"""Characters of all values of an entry."""
NEW_CHOICE = [{"machinegun": 1}, {"mortar": 1}]
"""What may be chosen before play, until it is changed."""
UNFINISHED = "Not finished"
"""The name of the rule on the sheet that lists the mistakes of a draft."""
PICTURED = "-pictured"
"""The class of words in whose place a picture stands."""
NO_PICTURES = (
    "Nothing says that this terminal shows pictures. If it does: skirmish settings pictures kitty, "
    "iterm or sixel. P prints the sheet."
)
"""What is said where no picture can be shown."""
NOT_SAVED = "The scenario could not be saved"
AROUND_PAGES, LEAST_TITLE = 6, 8
"""Columns around the names of the pages, and the fewest that the title keeps beside them."""
SHEET_EDGES = 2
"""Columns that the sheet's text leaves free."""
_SIDE = re.compile(r"side\[([01])\]")
"""The beginning of the keys of everything that belongs to a side."""
_SQUARE = re.compile(r"([A-Za-z])([0-9]{1,2})")
"""A square of the table, as it is typed: ``E3``."""
_PLACE = re.compile(r"(-?[0-9.]+)[ ,]+(-?[0-9.]+)")
"""A place in inches from the lower left corner, as it is typed: ``54,31.5``."""


class SheetToDraw(NamedTuple):
    """What the picture of a sheet shows: the scenario as it is printed, and the settings for
    paper and ink."""

    scenario: Scenario
    paper: str
    ink: str


class WorkshopScreen(Screen[None]):
    """One of the player's own scenarios, by its number: its table, map, forces, victory, rules and
    sheet."""

    CSS_PATH = "workshop.tcss"
    TOPIC: ClassVar[str] = "workshop"
    EXTRA = "The workshop is"  # begins the message if this screen fails
    PASSING: ClassVar[bool] = True
    HELP = (
        "Digits and Tab go from page to page. On the map a letter of the palette lays a feature, "
        "Space takes one that is there. On the other pages up and down choose a sentence, Tab a "
        "blank of it; left and right change it, Enter writes it, and v shows all values of a line "
        "as the file has them. Every change is stored at once; "
        "Ctrl+Z takes it back. A dot beside a page: something there is wrong; F7 lists it."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "workshop",
        ("next_page", "tab", "turn(1)", "Next page", "The next page"),
        ("page_before", "shift+tab", "turn(-1)", "", "The page before"),
        ("table", "1", "open(0)", "", "The table and the names"),
        ("map", "2", "open(1)", "", "The map"),
        ("forces", "3", "open(2)", "", "The forces of both sides"),
        ("victory", "4", "open(3)", "", "Who wins"),
        ("rules", "5", "open(4)", "", "Limits, happenings and rules"),
        ("sheet", "6", "open(5)", "", "What will be printed"),
        ("picture", "f8", "picture", "", "The sheet as a picture"),
        ("undo", "ctrl+z,backspace", "undo", "Undo", "Undo the last change"),
        ("redo", "ctrl+y", "redo", "", "Redo what was undone"),
        ("mistakes", "f7", "mistakes", "Mistakes", "Everything that is wrong, and the way to it"),
        ("play", "b", "play", "Play", "Set up a battle of this scenario"),
        ("print", "P,f12", "print", "Print", "Print the scenario sheet"),
        ("leave", "escape", "leave", "Back", "Leave what is being done, or the workshop"),
    )

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._page = MAP
        self._history: History[Scenario] | None = None
        """The scenario with what can be undone; None until it is read."""
        self._saved: Scenario | None = None
        """The scenario as it is in the file."""
        self._has_version = False
        """Whether the file as it was before this sitting is stored as an earlier version."""
        self._saving = asyncio.Lock()
        self._stamp: object = None
        """By what a change of the file is noticed."""
        self._mistakes: list[Problem] = []
        """What must be mended before it can be played."""
        self._doubts: list[Problem] = []
        """What does not keep it from being played: words that overlap on the sheet, more pieces
        than the player owns."""
        self._owned: dict[str, int] = {}
        """The pieces and the terrain that the player owns."""
        self._looking: Timer | None = None
        """Looks at the file from time to time, once the scenario is read."""
        self._picture: PagePicture | None = None
        self._pictured: SheetToDraw | None = None
        """What the picture shows."""
        self._without_picture = ""
        """Why there is no picture, in a sentence, after it could not be drawn."""
        self._rules = ScenarioRules(library.catalog(), library.rulings())

    @property
    def paragraph(self) -> str:
        """The paragraph at which F1 opens the rules."""
        return "scenario-rules"

    @property
    def scenario(self) -> Scenario:
        """The scenario as it is now."""
        assert self._history is not None
        return self._history.value

    # ------------------------------------------------------------------ on the screen

    def compose(self) -> ComposeResult:
        yield Static("", classes="title", id="heading", markup=False)
        with Vertical(id="workshop-pages"):
            for name in SENTENCE_PAGES.values():
                yield SentenceBoard(f"{name}-board")
            yield Static("", id="sentence-keys", markup=False)
            with VerticalScroll(id="sheet-page"):
                yield PictureBox("sheet-picture", 1)
                yield Static("", id="sheet", markup=False)
            with VerticalScroll(id="workshop-beside", can_focus=False):
                yield PictureBox("beside-picture", 2)
                yield Static("", id="map-and-sheet", markup=False)
        yield Foot()

    async def on_mount(self) -> None:
        try:
            scenario = await asyncio.to_thread(library.draft, self._number)
        except DataError as error:
            await self.skirmish.show_message("This scenario cannot be edited yet", str(error))
            self.call_later(self.dismiss)
            return
        stamp = await asyncio.to_thread(library.scenario_stamp, scenario)
        self._owned = await owned_figures(self.skirmish.stored)
        if self.is_left:
            return
        page = MapPage(scenario)
        page.owned = self._owned
        await self.query_one("#workshop-pages").mount(page)
        if self.is_left:
            return
        # Last: with a history the pages can be shown, by a change of the window's size as well.
        self._saved = scenario
        self._stamp = stamp
        self._history = History(scenario)
        self.action_open(MAP)
        self._look_for_mistakes()
        self._looking = self.set_interval(LOOKED_AGAIN, self._look_at_file)

    def on_screen_suspend(self) -> None:
        # Whatever happens on a screen below makes Textual draw the one in front again, and a
        # terminal would paint its picture every second.
        if self._looking is not None:
            self._looking.pause()

    def on_screen_resume(self) -> None:
        if self._looking is not None:
            self._looking.resume()

    def settings_changed(self) -> None:
        if self._history is not None:
            self._show()

    def on_resize(self) -> None:
        if self._history is not None:
            self.call_after_refresh(self._show)

    # ------------------------------------------------------------------ pages

    def action_turn(self, step: int) -> None:
        self.action_open((self._page + step) % len(NAMES))

    def action_open(self, page: int) -> None:
        if self._history is None:
            return
        self._page = page
        self.query_one(MapPage).display = page == MAP
        for number, name in SENTENCE_PAGES.items():
            self.query_one(f"#{name}-board").display = page == number
        self.query_one("#sheet-page").display = page == SHEET
        sentence_keys = self.query_one("#sentence-keys", Static)
        sentence_keys.display = page in SENTENCE_PAGES
        sentence_keys.update(Content.styled(KEYS_OF_PAGES.get(page, ""), DIM))
        self._show()
        self._focus()

    def _focus(self) -> None:
        if self._page == MAP:
            self.query_one(MapBoard).focus()
        elif self._page == SHEET:
            self.query_one("#sheet-page").focus()
        else:
            self._board.focus()

    @property
    def _board(self) -> SentenceBoard:
        """The board of sentences of the open page."""
        return self.query_one(f"#{SENTENCE_PAGES[self._page]}-board", SentenceBoard)

    def _show(self) -> None:
        """Show the open page as the scenario is now."""
        self.query_one("#heading", Static).update(self._heading())
        if self._page == MAP:
            self.query_one(MapPage).show(self.scenario)
        elif self._page == SHEET:
            # In the columns that the layout gives the page, once it is shown.
            self.call_after_refresh(self._show_sheet)
        else:
            self._board.show_groups(self._groups())
        self.set_class(self._page in SENTENCE_PAGES and self._is_large, "-beside")
        self.set_class(self._page == MAP and self._is_large, "-sheet-below")
        if self._page != SHEET and self._is_large:
            self._show_beside()
        self._show_picture()
        self.refresh_bindings()

    @property
    def _is_large(self) -> bool:
        """Whether map and sheet have room beside the sentences."""
        return self.app.size.width >= LARGE and self.app.size.height >= SPACIOUS

    @work(group="beside", exclusive=True)
    async def _show_beside(self) -> None:
        """The sheet in words below the palette of the map; map and sheet beside the sentences. Both
        follow once a value has stopped turning."""
        await asyncio.sleep(BESIDE_AFTER)
        if self.is_left:
            return
        if self._page == MAP:
            below = self.query_one("#sheet-below")
            columns = max(below.container_size.width - SHEET_EDGES, NARROWEST_SHEET)
            self.query_one(MapPage).show_sheet(self._sheet(columns))
            return
        beside = self.query_one("#workshop-beside")
        columns = max(beside.scrollable_content_region.width - SHEET_EDGES, NARROWEST_SHEET)
        parts = [self._sheet(columns)]
        if self.scenario.map is not None:
            room = columns, self.app.size.height // 2
            map_in_room = partial(self._map_in, room)
            parts.insert(0, unless_it_fails(map_in_room, instead=Content, missing="The map is"))
        self.query_one("#map-and-sheet", Static).update(Content("\n\n").join(parts))

    # ------------------------------------------------------------------ the picture

    @work(group="picture", exclusive=True)
    async def _show_picture(self) -> None:
        """The sheet as a picture in the place of its words, where the terminal shows one among
        words. It follows when nothing has changed for a moment: until then the last one stands."""
        has_room = self._page == SHEET or self._is_large
        if protocol_here(self.skirmish) != "kitty" or self._without_picture or not has_room:
            self._show_words()
            return
        pause = BESIDE_AFTER  # until the page is laid out, which has just been opened
        if self._pictured != self._to_picture():
            pause = PAUSE
        await asyncio.sleep(pause)
        picture = await self._drawn_picture()
        if self.is_left:
            return
        if picture is None:
            # Shown anew, since the words say now why there is no picture; it is not tried again.
            self._show_words()
            self._show()
            return
        box, words = self._places_of_sheet()
        room = box.parent
        assert isinstance(room, Widget)
        columns = room.scrollable_content_region.width - SHEET_EDGES
        if columns >= NARROWEST_SHEET:
            box.show(picture, columns)
            words.add_class(PICTURED)

    def _places_of_sheet(self) -> tuple[PictureBox, Static]:
        """Where the sheet stands on the open page, as a picture and in words."""
        box_id, words_id = "beside-picture", "map-and-sheet"
        if self._page == MAP:
            box_id, words_id = "below-picture", "sheet-below"
        elif self._page == SHEET:
            box_id, words_id = "sheet-picture", "sheet"
        return self.query_one(f"#{box_id}", PictureBox), self.query_one(f"#{words_id}", Static)

    def _show_words(self) -> None:
        """The sheet in words on all pages."""
        for box in self.query(PictureBox):
            box.hide()
        self.query(f".{PICTURED}").remove_class(PICTURED)

    def _to_picture(self) -> SheetToDraw:
        """What a picture has to show now."""
        settings = self.skirmish.settings
        return SheetToDraw(self._for_print(), settings.paper, settings.ink)

    async def _drawn_picture(self) -> PagePicture | None:
        """The sheet as it is now; None if it cannot be drawn, which the words then say."""
        wanted = self._to_picture()
        if self._pictured == wanted:
            return self._picture
        try:
            picture = await asyncio.to_thread(
                page_picture, wanted.scenario, paper=wanted.paper, ink=wanted.ink
            )
        except Exception as error:  # whatever fails in an extra, the scenario can be changed on
            self._without_picture = not_available("The picture of the sheet is", error)
            return None
        self._picture, self._pictured = picture, wanted
        return picture

    @work(group="asking", exclusive=True)
    async def action_picture(self) -> None:
        """The sheet as a picture: on its page, or on a screen of its own where the terminal shows
        none among words."""
        if self._history is None:
            return
        protocol = protocol_here(self.skirmish)
        if protocol is None:
            self.app.notify(NO_PICTURES, markup=False)
            return
        # Asked for again, it is tried again.
        self._without_picture = ""
        if protocol == "kitty":
            self.action_open(SHEET)
            return
        picture = await self._drawn_picture()
        if picture is None:
            self.app.notify(self._without_picture, markup=False, severity="warning")
        elif not self.is_left:
            self.app.push_screen(PictureScreen(picture, protocol))

    def _map_in(self, room: tuple[int, int]) -> Content:
        return board_map(self.scenario, room, inks_of(self.skirmish))

    def _groups(self) -> Sequence[SentenceGroup]:
        """The sentences of the open page."""
        writer = Writer(self.scenario, self._rules)
        groups_of_page = {
            TABLE: writer.table_page,
            FORCES: writer.forces_page,
            VICTORY: writer.victory_page,
            RULES: writer.rules_page,
        }
        return list(groups_of_page[self._page]())

    def _heading(self) -> Content:
        """The title, and the pages with a dot where something is wrong."""
        wrong_pages = {_page_of(problem.key) for problem in (*self._mistakes, *self._doubts)}
        parts: list[Content] = []
        for number, name in enumerate(NAMES):
            # Pages are counted from 0, their keys from 1.
            key, dot = str(number + 1), ""
            if number in wrong_pages:
                dot = "·"
            page = Content.assemble((f"{key} ", KEY), f"{name}{dot}")
            if number == self._page:
                page = Content(f" {key} {name}{dot} ").stylize("reverse")
            parts.append(page.stylize(f"@click=screen.open({number})"))
        strip = Content("  ").join(parts)
        room = max(self.app.size.width - strip.cell_length - AROUND_PAGES, LEAST_TITLE)
        title = Content(plain(self.scenario.title).upper()).truncate(room, ellipsis=True, pad=True)
        return Content.assemble(title, "  ", strip)

    def _show_sheet(self) -> None:
        width = self.query_one("#sheet-page").scrollable_content_region.width - SHEET_EDGES
        words = self._sheet(max(width, NARROWEST_SHEET))
        if self._without_picture:
            words = Content("\n\n").join([Content(self._without_picture), words])
        elif protocol_here(self.skirmish) in ("iterm", "sixel"):
            key = self.skirmish.key("workshop.picture", "f8")
            words = Content("\n\n").join([Content(f"{key} shows it as a picture."), words])
        self.query_one("#sheet", Static).update(words)

    def _sheet(self, width: int) -> Content:
        """What will be printed, as text in so many columns."""
        source = source_of(self.skirmish, self.scenario, self._owned)

        def only_that_line(line: str) -> Page:
            return Page("", (Paragraph(line),))

        page = unless_it_fails(
            lambda: pages.whole(source), instead=only_that_line, missing="The sheet is"
        )
        first, second = looks(*self.scenario.order_of_play())
        return painted(page, width, colours=(first.name, second.name))

    # ------------------------------------------------------------------ changes

    def _change(self, scenario: Scenario) -> None:
        """Change the scenario; it is stored at once."""
        history = self._history
        assert history is not None
        if scenario == history.value:
            return
        try:
            history.change(checked_change(history.value, scenario, self._rules))
        except EditError as error:
            self.app.notify(str(error), markup=False, severity="warning")
            return
        self._after_change()

    def _after_change(self) -> None:
        """Show the scenario as it is now, store it, and look again for mistakes."""
        self._show()
        self._save()
        self._look_for_mistakes()

    @work(group="save")
    async def _save(self) -> None:
        async with self.skirmish.reporting(NOT_SAVED):
            await self._save_all()

    async def _save_all(self) -> None:
        """Store the scenario as it is now; the first time in a sitting, with the file as it was
        before as an earlier version. Raises DataError."""
        async with self._saving:
            if self._saved is self.scenario:
                return
            # What is changed meanwhile is stored by the call that this change makes.
            scenario = self.scenario
            is_first = not self._has_version
            await asyncio.to_thread(partial(library.save_draft, scenario, version=is_first))
            self._has_version = True
            self._saved = scenario
            self._stamp = await asyncio.to_thread(library.scenario_stamp, scenario)

    @work(group="mistakes", exclusive=True)
    async def _look_for_mistakes(self) -> None:
        """List what is wrong; after a pause, since the sheet's map is drawn for it, also what is
        doubtful."""
        scenario = self.scenario
        self._mistakes = await asyncio.to_thread(library.draft_mistakes, scenario)
        if self.is_left:
            return
        self.query_one("#heading", Static).update(self._heading())
        await asyncio.sleep(PAUSE)
        self._doubts = await asyncio.to_thread(self._doubts_about, scenario)
        if not self.is_left:
            self.query_one("#heading", Static).update(self._heading())

    def _doubts_about(self, scenario: Scenario) -> list[Problem]:
        """What takes more pieces than the player owns, and words that overlap on the sheet."""
        too_much = beyond_owned(scenario, self._owned, self._rules.catalog)
        return [*too_much, *_overlaps(scenario)]

    @work(group="file", exclusive=True)
    async def _look_at_file(self) -> None:
        """Follow what another screen, or an editor of texts, has made of the file."""
        # What is not stored yet comes first.
        if self._saving.locked() or self._saved is not self.scenario:
            return
        try:
            stamp = await asyncio.to_thread(library.scenario_stamp, self.scenario)
            if stamp == self._stamp:
                return
            scenario = await asyncio.to_thread(library.draft, self._number)
        except DataError:
            return  # deleted, or being written: what is on this screen is stored with the next key
        # Looked at again: a key may have changed the scenario while the file was read.
        if self._saved is self.scenario and self._history is not None:
            self._stamp = stamp
            if scenario != self.scenario:
                self._history.change(scenario)
                self._saved = scenario
                self._show()
                self._look_for_mistakes()

    def action_undo(self) -> None:
        """Take back the last corner of what is being laid, else the last change."""
        history = self._history
        if history is None:
            return
        if self._page == MAP:
            board = self.query_one(MapBoard)
            if board.tool.back():
                board.repaint()
                return
        if not history.past:
            self.app.notify("There is nothing to undo.", markup=False)
            return
        history.undo()
        self._after_change()

    def action_redo(self) -> None:
        history = self._history
        if history is None:
            return
        if not history.future:
            self.app.notify("There is nothing to redo.", markup=False)
            return
        history.redo()
        self._after_change()

    def _try(self, change: Callable[[], Scenario]) -> None:
        """Make a change that may be refused with a sentence."""
        try:
            self._change(change())
        except EditError as error:
            self.app.notify(str(error), markup=False, severity="warning")

    # ------------------------------------------------------------------ the map

    def on_map_board_changed(self, event: MapBoard.Changed) -> None:
        self._change(with_map(self.scenario, event.field))

    @work(group="asking", exclusive=True)
    async def on_map_board_wanted(self, event: MapBoard.Wanted) -> None:
        board = self.query_one(MapBoard)
        match event.request:
            case "place":
                await self._go_to_typed_place(board)
            case "values":
                await self._ask_values(board)
            case "mirror":
                await self._mirror(board)
            case "weapon":
                await self._show_range(board)
            case "details":
                await self._begin_with_details(board, event.kind)

    async def _go_to_typed_place(self, board: MapBoard) -> None:
        question = "A square such as E3, or inches such as 54,31."
        typed = await self._ask("Go to", question, _place)
        if typed is not None:
            board.tool.go_to(_place(typed))
            board.repaint()

    async def _show_range(self, board: MapBoard) -> None:
        """Ask for a weapon, and draw its ranges around the cursor."""
        weapons = self._rules.catalog.with_variants(self.scenario.variants).weapons
        rows = []
        for weapon_id, weapon in weapons.items():
            ranges = [inches(reach) for reach in ranges_of([weapon])]
            rows.append((weapon_id, f"{weapon.name}, {' and '.join(ranges)}"))
        chosen = await self._choose("The range of which weapon?", rows)
        if chosen is not None:
            board.tool.rings = ranges_of([weapons[chosen]])
            board.repaint()

    async def _mirror(self, board: MapBoard) -> None:
        """Ask how the whole map is to be mirrored or turned, and do it."""
        ways = [
            ("left-right", "Left becomes right"),
            ("top-bottom", "Top becomes bottom"),
            ("half-turn", "Turn it by half"),
        ]
        way = await self._choose("The whole map", ways)
        if way is None:
            return
        mirrored = MIRRORS[way](board.tool.size)
        field = map_edits.with_all_moved(map_of(self.scenario), mirrored)
        self._change(with_map(self.scenario, field))

    async def _begin_with_details(self, board: MapBoard, kind: Kind | None) -> None:
        """Ask for what must be known of a feature before it is laid, then begin to lay it."""
        if kind is None:
            return
        details = await self._details(kind)
        if details is not None:
            board.begin(kind, details)

    async def _ask_values(self, board: MapBoard) -> None:
        """Ask for what the feature that is taken has beside its places: a mark's letter, a house's
        number, which way a tank faces."""
        taken = board.tool.taken
        if taken is None:
            return
        entry = TextEntry(
            "Its values",
            "Change what stands after each equals sign. Empty values are left out.",
            values_of(taken.part),
            partial(with_values, taken.part),
            longest=blanks.LONGEST_TEXT,
        )
        typed = await self.app.push_screen_wait(entry)
        if typed is not None:
            taken.part = with_values(taken.part, typed)
            board.repaint()

    async def _details(self, kind: Kind) -> dict[str, Any] | None:
        """What must be known of a feature before it is laid, as its fields; None if the player
        gives up."""
        match kind.name:
            case "zone" | "arrow":
                side = await self._choose(f"Whose {kind.name} is it?", self._sides())
                if side is None:
                    return None
                # An arrow has no use for the letter.
                return {"side": side, "letter": self._free_letter()}
            case "mark":
                return await self._details_of_mark()
            case "name":
                text = await self._ask("A name on the map", "What is written there?", _not_empty)
                if text is None:
                    return None
                return {"text": as_printed(text.strip())}
            case "distance":
                question = "What does it mean or forbid, in a few words? It may be empty."
                means = await self._ask("A distance", question)
                if means is None:
                    return None
                return {"means": as_printed(means.strip())}
        return {}

    async def _details_of_mark(self) -> dict[str, Any] | None:
        """What stands there, and whose it is; None if the player gives up."""
        kinds = [(kind, called(kind)) for kind in get_args(MarkKind)]
        kind = await self._choose("What stands there?", kinds)
        if kind is None:
            return None
        nobody = ""
        side = await self._choose("Whose is it?", [*self._sides(), (nobody, "Nobody’s")])
        if side is None:
            return None
        return {"kind": kind, "side": side or None}

    def _sides(self) -> list[tuple[str, str]]:
        """The sides to choose from: id and people of each."""
        nations = self._rules.catalog.nations
        return [(side.id, nations[side.id].people) for side in self.scenario.sides]

    def _free_letter(self) -> str:
        """The first letter that no zone of the map has; the last one where all are taken."""
        taken = map_of(self.scenario).letters
        for letter in ascii_uppercase:
            if letter not in taken:
                return letter
        return ascii_uppercase[-1]

    # ------------------------------------------------------------------ sentences

    def on_sentence_board_turned(self, event: SentenceBoard.Turned) -> None:
        self._try(lambda: blanks.turned(self.scenario, event.key, event.step, self._rules))

    @work(group="asking", exclusive=True)
    async def on_sentence_board_asked(self, event: SentenceBoard.Asked) -> None:
        try:
            await self._answer(event.request, event.key)
        except EditError as error:
            # The file may have been changed elsewhere while the question stood there.
            self.app.notify(str(error), markup=False, severity="warning")

    async def _answer(self, request: str, key: str) -> None:
        """Do what a page of sentences asks for; ``key``: as of ``SentenceBoard.Asked``."""
        match request:
            case "write":
                await self._write(key)
            case "add":
                await self._add(key)
            case "unit":
                await self._add_unit(key)
            case "choice":
                self._add_choice(key)
            case "army":
                await self._take_army(key)
            case "values":
                await self._write_entry(key)
            case "delete":
                self._try(lambda: without(self.scenario, key))

    async def _write(self, key: str) -> None:
        """Ask for a value, by its options or as a text, and change it."""
        slot = blanks.slot_at(self.scenario, key, self._rules)
        options: Sequence[Option] = getattr(slot, "options", ())
        if options:
            await self._write_chosen(key, options)
            return

        def check(text: str) -> Scenario:
            return blanks.typed(self.scenario, key, text, self._rules)

        value = blanks.field_at(self.scenario, slot.name).value
        shown = ""
        if value is not None:
            shown = slot.shown(value)
        typed = await self._ask("What stands here?", _how_to_type(slot), check, text=shown)
        if typed is not None:
            self._try(lambda: check(typed))

    async def _write_chosen(self, key: str, options: Sequence[Option]) -> None:
        """Ask for one of the options of a value, and change it."""
        # Their values need not be texts, so each is chosen by its place in the list.
        rows = [(str(index), option.label) for index, option in enumerate(options)]
        chosen = await self._choose("What stands here?", rows)
        if chosen is not None:
            value = options[int(chosen)].value
            self._try(lambda: blanks.answered(self.scenario, key, value))

    async def _write_entry(self, key: str) -> None:
        """Ask for all values of an entry at once, as JSON: also those that no sentence has."""

        def check(text: str) -> Scenario:
            return blanks.typed(self.scenario, key, text, self._rules)

        entry = value_at(table_of(self.scenario), key)
        window = TextEntry(
            "All its values",
            "Change what stands behind the colons; what may be left out can be deleted.",
            msgspec.json.encode(entry).decode(),
            check,
            longest=LONGEST_ENTRY,
        )
        typed = await self.app.push_screen_wait(window)
        if typed is not None:
            self._try(lambda: check(typed))

    async def _add(self, key: str) -> None:
        """Add an entry to the list with that key: a contingent, a limit, a happening, a rule, …"""
        if key.endswith(".contingent"):
            await self._add_contingent(key)
            return
        kind = ""
        if key == "happening":
            chosen = await self._choose("What shall the program watch?", list(EXPLAINED.items()))
            if chosen is None:
                return
            kind = chosen
        lists = {
            "limit": self.scenario.limits,
            "happening": self.scenario.happenings,
            "rule": self.scenario.special_rules,
            "footnote": self.scenario.footnotes,
            "variant": self.scenario.variants,
            "swap": self.scenario.swaps,
            "clock": self.scenario.clocks,
        }
        entry_key = f"{key}[{len(lists[key])}]"
        entry = new_entry(self.scenario, key, kind)
        self._try(lambda: with_value(self.scenario, entry_key, entry))
        self._board.go_to(entry_key)

    async def _add_contingent(self, key: str) -> None:
        """Ask for the name of a new contingent, and add it to the side in whose list it goes."""
        side_in_key = _SIDE.match(key)
        assert side_in_key is not None
        side = self.scenario.sides[int(side_in_key[1])].id
        name = await self._ask("A new contingent", "What is it called?", _not_empty)
        if name is not None:
            self._try(lambda: with_contingent(self.scenario, side, name.strip()))

    async def _take_army(self, key: str) -> None:
        """Ask for an army, one of the player's own or a template; its groups become the contingents
        of the side in whose list it goes."""
        side_in_key = _SIDE.match(key)
        assert side_in_key is not None
        armies = [*await self._own_armies(), *library.templates()]
        rows = []
        for index, army in enumerate(armies):
            about = ", ".join(part for part in (army.terms, f"{army.spent} points") if part)
            rows.append((str(index), f"{army.army_list.name} ({about})"))
        chosen = await self._choose("Which army takes the place of this side's forces?", rows)
        if chosen is not None:
            army = armies[int(chosen)]
            self._try(lambda: with_army(self.scenario, int(side_in_key[1]), army))
            self._board.go_to(key)

    async def _own_armies(self) -> list[Army]:
        """The player's armies that can be read."""
        armies: list[Army] = []
        async with self.skirmish.reporting("The armies cannot be read"):
            for record in await self.skirmish.stored(lambda store: store.armies()):
                with suppress(DataError):  # the list of armies says what is wrong with it
                    armies.append(library.stored_army(record.body, record.name))
        return armies

    async def _add_unit(self, contingent: str) -> None:
        """Ask which unit or works join the contingent with that key, and add one, unless it has
        some; the number is then changed in its sentence."""
        catalog = self._rules.catalog.with_variants(self.scenario.variants)
        rows = [(piece_id, piece.name) for piece_id, piece in catalog.pieces.items()]
        piece_id = await self._choose("Which unit joins?", rows)
        if piece_id is None:
            return
        table = "works"
        if piece_id in catalog.units:
            table = "units"
        key = f"{contingent}.{table}.{piece_id}"
        if not blanks.field_at(self.scenario, key).value:
            self._try(lambda: with_value(self.scenario, key, 1))
        self._board.go_to(key)

    def _add_choice(self, contingent: str) -> None:
        """Let the players of a contingent choose between two units before play."""
        choices = value_at(table_of(self.scenario), f"{contingent}.choice") or []
        key = f"{contingent}.choice[{len(choices)}]"
        self._try(lambda: with_value(self.scenario, key, {"one_of": NEW_CHOICE}))
        self._board.go_to(f"{key}.one_of[0]")

    # ------------------------------------------------------------------ asking

    async def _choose(self, title: str, rows: Sequence[tuple[str, str]]) -> str | None:
        """The id of a row, each of which is an id and its words; None if the player gives up."""
        return await self.app.push_screen_wait(ChoiceScreen(title, "", rows))

    async def _ask(
        self, title: str, question: str, check: Callable[[str], object] = str, *, text: str = ""
    ) -> str | None:
        """A typed text, which begins as ``text``; None if the player gives up. ``check`` raises
        ValueError with a sentence for one that does not fit."""
        entry = TextEntry(title, question, text, check, longest=blanks.LONGEST_TEXT)
        return await self.app.push_screen_wait(entry)

    # ------------------------------------------------------------------ mistakes, play, paper

    @work(group="asking", exclusive=True)
    async def action_mistakes(self) -> None:
        if self._history is None:
            return
        # What was changed just now may not have been looked at yet.
        scenario = self.scenario
        self._mistakes = await asyncio.to_thread(library.draft_mistakes, scenario)
        self._doubts = await asyncio.to_thread(self._doubts_about, scenario)
        if self.is_left:
            return
        self.query_one("#heading", Static).update(self._heading())
        listed = [*self._mistakes, *self._doubts][:MOST_LISTED]
        if not listed:
            self.app.notify("Nothing is wrong. b plays it, P prints it.", markup=False)
            return
        rows = []
        for number, problem in enumerate(listed):
            words = str(problem)
            if problem in self._doubts:  # whole sentences, which need no key
                words = problem.message
            rows.append((str(number), f"{NAMES[_page_of(problem.key)]}: {words}"))
        chosen = await self._choose("What is wrong", rows)
        if chosen is not None:
            self._go_to(listed[int(chosen)].key)

    def _go_to(self, key: str) -> None:
        """Open the page where the value with this key is changed, and choose it."""
        page = _page_of(key)
        self.action_open(page)
        if page == MAP:
            self._take_part(_part_id_of(key))
        else:
            self._board.go_to(key)

    def _take_part(self, part_id: PartId | None) -> None:
        """Put the cursor of the map on a feature, and take it, if it is still there."""
        board = self.query_one(MapBoard)
        tool = board.tool
        if part_id is None or part_id not in map_edits.part_ids(tool.field):
            return
        # Whatever is taken now would move along with the cursor.
        tool.escape()
        tool.go_to(map_edits.middle(map_edits.part_of(tool.field, part_id)))
        tool.take_part(part_id)
        board.repaint()

    async def action_play(self) -> None:
        from skirmish.app.play.setup import GameSetup

        if self._mistakes:
            key = self.skirmish.key("workshop.mistakes", "f7")
            self.app.notify(f"Something is still wrong; {key} lists it.", markup=False)
            return
        async with self.skirmish.reporting(NOT_SAVED):
            await self._save_all()
            number = str(self._number)
            self.app.push_screen(GameSetup("plastic", {"battle": number}, "scenario-rules"))

    def action_print(self) -> None:
        from skirmish.app.printing import print_document

        self.run_worker(print_document(self.skirmish, "scenario", [self._for_print()]))

    def _for_print(self) -> Scenario:
        """The scenario as it is printed: a draft, too, which says itself what it lacks."""
        scenario = self.scenario
        if not self._mistakes:
            return scenario
        text = " ".join(str(problem) for problem in self._mistakes)
        rules = (*scenario.special_rules, SpecialRule(UNFINISHED, text))
        return replace(scenario, special_rules=rules)

    async def action_leave(self) -> None:
        if self._page == MAP and self._history is not None:
            board = self.query_one(MapBoard)
            if board.tool.escape():
                board.repaint()
                return
        if self._history is not None:
            async with self.skirmish.reporting(NOT_SAVED):
                await self._save_all()
        self.dismiss()


def _page_of(key: str) -> int:
    """The page on which the value with this key is changed."""
    first_name = re.split(r"[.\[]", key)[0]
    return PAGE_OF_KEY.get(first_name, TABLE)


def _overlaps(scenario: Scenario) -> list[Problem]:
    """Words that stand over one another on the sheet, each with the label or building that it
    belongs to. A draft that cannot be drawn yet has none."""
    # Here, since it loads ReportLab, which the first paint does not wait for.
    from skirmish.sheets.maps.overlaps import Overlap, overlapping_words

    field = map_of(scenario)
    key_of_words: dict[str, str] = {}
    for index, building in enumerate(field.buildings):
        key_of_words[str(building.number)] = f"map.building[{index}]"
    for index, label in enumerate(field.labels):
        key_of_words[label.text] = f"map.label[{index}]"

    def no_overlaps(_: str) -> list[Overlap]:
        return []

    overlaps = unless_it_fails(
        lambda: overlapping_words(scenario),
        instead=no_overlaps,
        missing="The check of words on the map is",
    )
    problems = []
    for overlap in overlaps:
        key = key_of_words.get(overlap.text) or key_of_words.get(overlap.other_text) or "map"
        message = f"“{overlap.text}” and “{overlap.other_text}” overlap on the sheet; move one."
        problems.append(Problem(key, message))
    return problems


def _part_id_of(key: str) -> PartId | None:
    """The feature of the map that a key is about: ``map.zone[2].letter``."""
    match = re.match(r"map\.([a-z]+)\[([0-9]+)\]", key)
    if match is None:
        return None
    return PartId(f"{match[1]}s", int(match[2]))


def _place(text: str) -> Point:
    """``E3`` or ``54,31.5`` as a place of the table. Raises ValueError with a sentence."""
    typed_square = _SQUARE.fullmatch(text.strip())
    if typed_square:
        # Squares are a foot: the middle of that one, E1 being the lower end of column E.
        column = ord(typed_square[1].upper()) - ord("A")
        row = int(typed_square[2]) - 1
        return column * 12 + 6, row * 12 + 6
    typed_inches = _PLACE.fullmatch(text.strip())
    if typed_inches:
        with suppress(ValueError):  # 1.2.3 is no number
            return float(typed_inches[1]), float(typed_inches[2])
    raise ValueError("Type a square such as E3, or inches such as 54,31.")


def _not_empty(text: str) -> None:
    """A check for ``_ask``: raises ValueError with a sentence for an empty text."""
    if not text.strip():
        raise ValueError("Nothing is typed.")


def _how_to_type(slot: Slot) -> str:
    """The sentence below the question for a value."""
    if slot.accepts:
        return slot.accepts
    return "Type it; empty leaves it out."
