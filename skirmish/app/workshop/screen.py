"""The workshop's screen: six pages of one scenario. Each change is stored at once, and what is
wrong is listed with the way to it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar, NamedTuple

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from skirmish import scenario_editing
from skirmish.app.armies import owned_figures
from skirmish.app.base_screen import LARGE, SPACIOUS, Screen
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.page_view import painted
from skirmish.app.scenarios.map_picture import board_map, inks_of
from skirmish.app.scenarios.page_source import source_of
from skirmish.app.text_styles import DIM, KEY
from skirmish.app.workshop.asker import Asker
from skirmish.app.workshop.doubts import doubts_about
from skirmish.app.workshop.edited_scenario import EditedScenario, opened_scenario
from skirmish.app.workshop.map_board import MapBoard
from skirmish.app.workshop.map_page import MapPage
from skirmish.app.workshop.map_questions import MapQuestions
from skirmish.app.workshop.picture_widgets import PictureBox, PictureScreen, protocol_here
from skirmish.app.workshop.sentence_board import SentenceBoard
from skirmish.app.workshop.sentence_questions import SentenceChange, SentenceQuestions
from skirmish.app.workshop.sheet_picture import SheetPainter, SheetPicture, SheetToDraw
from skirmish.app.workshop.workshop_page import WorkshopPage, page_of
from skirmish.extras import unless_it_fails
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.scenario import Scenario, SpecialRule
from skirmish.games.plastic.workshop import blanks
from skirmish.games.plastic.workshop.draft import EditError, with_map
from skirmish.games.plastic.workshop.sentences import SentenceGroup, Writer
from skirmish.tabletop.data_file import DataError, Problem
from skirmish.tabletop.map_features import PartId
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.side_colours import looks
from skirmish.tabletop.typed import plain

FILLING_IN = "Tab: next blank. Enter writes it, left and right change it."
KEYS_OF_PAGES = {
    WorkshopPage.TABLE: FILLING_IN,
    WorkshopPage.FORCES: f"{FILLING_IN} n: new contingent, a: unit, o: choice of units, "
    "A: an army, x deletes, v: all values.",
    WorkshopPage.VICTORY: f"{FILLING_IN} v: all values.",
    WorkshopPage.RULES: f"{FILLING_IN} n: new line, x deletes, v: all values.",
}
"""What keys do on the pages of sentences; the foot has no room for it."""
FILE_CHECK_INTERVAL = 1.0
"""Seconds between two looks at the file, which another screen may have changed."""
NARROWEST_SHEET = 20
"""The fewest columns of the sheet's text."""
PREVIEW_DELAY = 0.15
"""Seconds after a change until the preview follows it: longer than between the repeats of a held
key, which turns a value many times, and too short to be noticed."""
DRAWING_DELAY = 0.8
"""Seconds without a change until the sheet is drawn, for its picture and to look for overlaps: that
takes half a second of the processor, and would be wasted while the player types."""
MOST_LISTED = 60
"""The most mistakes that a list shows."""
UNFINISHED = "Not finished"
"""The name of the rule on the sheet that lists the mistakes of a draft."""
REPLACED_BY_PICTURE = "-pictured"
"""The class of the sheet's words while its picture stands in their place."""
NO_PICTURES = (
    "Nothing says that this terminal shows pictures. If it does: skirmish settings pictures kitty, "
    "iterm or sixel. P prints the sheet."
)
"""What is said where no picture can be shown."""
NOT_STORED = "The scenario could not be saved"
"""The title of the message that says why."""
HEADING_MARGINS = 6
"""Columns of the heading that neither the title nor the names of the pages fill."""
SHORTEST_TITLE = 8
"""The fewest columns of the title beside the names of the pages."""
SHEET_MARGIN = 2
"""Columns that the sheet's text leaves free."""


class SheetPlaces(NamedTuple):
    """The widgets of a page that show the sheet, one at a time."""

    picture: PictureBox
    words: Static


class WorkshopScreen(Screen[None]):
    """One of the player's own scenarios, by its number: its table, map, forces, victory, rules and
    sheet."""

    CSS_PATH = "workshop.tcss"
    TOPIC: ClassVar[str] = "workshop"
    FAILURE = "The workshop is not available"
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
        ("table", "1", "open('TABLE')", "", "The table and the names"),
        ("map", "2", "open('MAP')", "", "The map"),
        ("forces", "3", "open('FORCES')", "", "The forces of both sides"),
        ("victory", "4", "open('VICTORY')", "", "Who wins"),
        ("rules", "5", "open('RULES')", "", "Limits, happenings and rules"),
        ("sheet", "6", "open('SHEET')", "", "What will be printed"),
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
        self._page = WorkshopPage.MAP
        self._edited: EditedScenario | None = None
        """None until the file is read: keys do nothing until then."""
        self._mistakes: list[Problem] = []
        """What must be mended before it can be played."""
        self._doubts: list[Problem] = []
        """What is listed with the mistakes, but does not keep it from being played."""
        self._owned: dict[str, int] = {}
        """The pieces and the terrain that the player owns."""
        self._file_check: Timer | None = None
        """Looks at the file every second, from when it has been read first; None until then."""
        self._painter = SheetPainter()

    @property
    def paragraph(self) -> str:
        """The paragraph at which F1 opens the rules."""
        return "scenario-rules"

    @property
    def edited(self) -> EditedScenario:
        """The scenario with its history and file, once it is read."""
        assert self._edited is not None
        return self._edited

    @property
    def scenario(self) -> Scenario:
        """The scenario as it is now."""
        return self.edited.scenario

    # ------------------------------------------------------------------ on the screen

    def compose(self) -> ComposeResult:
        yield Static("", classes="title", id="heading", markup=False)
        with Vertical(id="workshop-pages"):
            for page in WorkshopPage:
                if page.has_sentences:
                    yield SentenceBoard(page.board_id)
            yield Static("", id="sentence-keys", markup=False)
            with VerticalScroll(id="sheet-page"):
                yield PictureBox("sheet-picture", number=1)
                yield Static("", id="sheet", markup=False)
            with VerticalScroll(id="workshop-beside", can_focus=False):
                yield PictureBox("beside-picture", number=2)
                yield Static("", id="map-and-sheet", markup=False)
        yield Foot()

    async def on_mount(self) -> None:
        try:
            edited = await opened_scenario(self._number)
        except DataError as error:
            await self.skirmish.show_message("This scenario cannot be edited yet", str(error))
            # Only the screen in front can close, and the message is still in front.
            self.call_later(self.dismiss)
            return
        self._owned = await owned_figures(self.skirmish.stored)
        if self.is_left:
            return
        map_page = MapPage(edited.scenario, self._owned)
        await self.query_one("#workshop-pages").mount(map_page)
        if self.is_left:
            return
        # Only now, when the page of the map is there: from here on keys and a change of the
        # window's size show pages.
        self._edited = edited
        self._open(WorkshopPage.MAP)
        self._look_for_mistakes()
        self._file_check = self.set_interval(FILE_CHECK_INTERVAL, self._follow_file)

    def on_screen_suspend(self) -> None:
        # Each look at the file would make Textual draw the screen in front again, though nothing on
        # it has changed; a terminal then paints the picture of a ``PictureScreen`` anew.
        if self._file_check is not None:
            self._file_check.pause()

    def on_screen_resume(self) -> None:
        if self._file_check is not None:
            self._file_check.resume()

    def settings_changed(self) -> None:
        if self._edited is not None:
            self._show()

    def on_resize(self) -> None:
        if self._edited is not None:
            self.call_after_refresh(self._show)

    # ------------------------------------------------------------------ pages

    def action_turn(self, step: int) -> None:
        if self._edited is not None:
            self._open(self._page.stepped(step))

    def action_open(self, name: str) -> None:
        if self._edited is not None:
            self._open(WorkshopPage[name])

    def _open(self, page: WorkshopPage) -> None:
        """Show this page in the place of the one before, and give the keys to it."""
        self._page = page
        self.query_one(MapPage).display = page is WorkshopPage.MAP
        for board_page in WorkshopPage:
            if board_page.has_sentences:
                self.query_one(f"#{board_page.board_id}").display = board_page is page
        self.query_one("#sheet-page").display = page is WorkshopPage.SHEET
        sentence_keys = self.query_one("#sentence-keys", Static)
        sentence_keys.display = page.has_sentences
        sentence_keys.update(Content.styled(KEYS_OF_PAGES.get(page, ""), DIM))
        self._show()
        self._focus_page()

    def _focus_page(self) -> None:
        """Give the keys to the open page."""
        if self._page is WorkshopPage.MAP:
            self.query_one(MapBoard).focus()
        elif self._page is WorkshopPage.SHEET:
            self.query_one("#sheet-page").focus()
        else:
            self._board.focus()

    @property
    def _board(self) -> SentenceBoard:
        """The board of sentences of the open page."""
        return self.query_one(f"#{self._page.board_id}", SentenceBoard)

    def _show(self) -> None:
        """Show the open page as the scenario is now, with the previews for which there is room."""
        self._show_heading()
        if self._page is WorkshopPage.MAP:
            self.query_one(MapPage).show(self.scenario)
        elif self._page is WorkshopPage.SHEET:
            # Until it is laid out, the page has no columns to write in.
            self.call_after_refresh(self._show_sheet_page)
        else:
            self._board.show_groups(self._groups())
        self.set_class(self._has_preview and self._page.has_sentences, "-beside")
        self.set_class(self._has_preview and self._page is WorkshopPage.MAP, "-sheet-below")
        if self._has_preview:
            self._show_preview()
        self._show_picture()
        self.refresh_bindings()

    def _groups(self) -> Sequence[SentenceGroup]:
        """The groups of sentences on the open page."""
        writer = Writer(self.scenario, self.edited.rules)
        groups_of_page = {
            WorkshopPage.TABLE: writer.table_page,
            WorkshopPage.FORCES: writer.forces_page,
            WorkshopPage.VICTORY: writer.victory_page,
            WorkshopPage.RULES: writer.rules_page,
        }
        return list(groups_of_page[self._page]())

    def _show_heading(self) -> None:
        """Show the title, and the names of the pages with a dot where something is wrong."""
        wrong_pages = {page_of(problem.key) for problem in (*self._mistakes, *self._doubts)}
        names: list[Content] = []
        for page in WorkshopPage:
            dot = ""
            if page in wrong_pages:
                dot = "·"
            name = Content.assemble((f"{page.digit} ", KEY), f"{page.value}{dot}")
            if page is self._page:
                name = Content(f" {page.digit} {page.value}{dot} ").stylize("reverse")
            names.append(name.stylize(f"@click=screen.open('{page.name}')"))
        strip = Content("  ").join(names)
        room = max(self.app.size.width - strip.cell_length - HEADING_MARGINS, SHORTEST_TITLE)
        title = Content(plain(self.scenario.title).upper()).truncate(room, ellipsis=True, pad=True)
        self.query_one("#heading", Static).update(Content.assemble(title, "  ", strip))

    # ------------------------------------------------------------------ the sheet in words

    @property
    def _has_preview(self) -> bool:
        """Whether the screen is large enough for the map and the sheet beside the sentences, or
        the sheet below the palette of the map. The page of the sheet needs no preview."""
        size = self.app.size
        is_large = size.width >= LARGE and size.height >= SPACIOUS
        return is_large and self._page is not WorkshopPage.SHEET

    @work(group="beside", exclusive=True)
    async def _show_preview(self) -> None:
        """Show the map and the sheet in words beside the sentences, or the sheet below the palette
        of the map."""
        await asyncio.sleep(PREVIEW_DELAY)
        if self.is_left:
            return
        if self._page is WorkshopPage.MAP:
            below = self.query_one("#sheet-below")
            columns = _sheet_columns(below.container_size.width)
            self.query_one(MapPage).show_sheet(self._sheet_words(columns))
            return
        beside = self.query_one("#workshop-beside")
        columns = _sheet_columns(beside.scrollable_content_region.width)
        parts = []
        if self.scenario.map is not None:
            parts.append(self._small_map(columns))
        parts.append(self._sheet_words(columns))
        self.query_one("#map-and-sheet", Static).update(Content("\n\n").join(parts))

    def _small_map(self, columns: int) -> Content:
        """The map in so many columns, at most half as high as the screen."""
        room = Size(columns, self.app.size.height // 2)
        return unless_it_fails(
            lambda: board_map(self.scenario, room, inks_of(self.skirmish)),
            instead=Content,  # of the sentence that it is not available
            failure="The map is not available",
        )

    def _show_sheet_page(self) -> None:
        """Show the sheet in words on its own page, below a sentence about its picture."""
        width = self.query_one("#sheet-page").scrollable_content_region.width
        parts = []
        if self._painter.failure:
            parts.append(Content(self._painter.failure))
        elif protocol_here(self.skirmish) in ("iterm", "sixel"):
            key = self.skirmish.key("workshop.picture", "f8")
            parts.append(Content(f"{key} shows it as a picture."))
        parts.append(self._sheet_words(_sheet_columns(width)))
        self.query_one("#sheet", Static).update(Content("\n\n").join(parts))

    def _sheet_words(self, columns: int) -> Content:
        """What will be printed, as text in so many columns."""
        source = source_of(self.skirmish, self.scenario, self._owned)
        page = unless_it_fails(
            lambda: pages.whole(source), instead=_page_of_line, failure="The sheet is not available"
        )
        first, second = looks(*self.scenario.order_of_play())
        return painted(page, columns, colours=(first.name, second.name))

    # ------------------------------------------------------------------ the sheet as a picture

    @work(group="picture", exclusive=True)
    async def _show_picture(self) -> None:
        """Show the sheet as a picture in the place of its words, where the terminal can show one
        among words. While the scenario changes, the last picture stays."""
        if not self._may_show_picture:
            self._show_words_instead_of_pictures()
            return
        delay = DRAWING_DELAY
        if self._painter.has_drawn(self._sheet_to_draw()):
            # That picture is shown without drawing, so it need not wait for the changes to end. But
            # the page may have been opened just now: until it is laid out it has no columns.
            delay = PREVIEW_DELAY
        await asyncio.sleep(delay)
        picture = await self._painter.draw(self._sheet_to_draw())
        if self.is_left:
            return
        if picture is None:
            self._show_words_instead_of_pictures()
            # The page of the sheet now says why there is no picture. ``_show`` begins this work
            # again, which then ends at once, as what failed is not tried again.
            self._show()
            return
        self._put_in_place_of_words(picture)

    @property
    def _may_show_picture(self) -> bool:
        """Whether the open page may show the sheet as a picture among words."""
        has_place = self._page is WorkshopPage.SHEET or self._has_preview
        # Only kitty's protocol shows pictures among words.
        can_show = protocol_here(self.skirmish) == "kitty"
        return has_place and can_show and not self._painter.failure

    def _put_in_place_of_words(self, picture: SheetPicture) -> None:
        """Show the picture instead of the words, unless there are too few columns for it."""
        places = self._places_of_sheet()
        container = places.picture.parent
        assert isinstance(container, Widget)
        columns = container.scrollable_content_region.width - SHEET_MARGIN
        if columns >= NARROWEST_SHEET:
            places.picture.show(picture, columns)
            places.words.add_class(REPLACED_BY_PICTURE)

    def _places_of_sheet(self) -> SheetPlaces:
        """Where the open page has the sheet."""
        box_id, words_id = "beside-picture", "map-and-sheet"
        if self._page is WorkshopPage.MAP:
            box_id, words_id = "below-picture", "sheet-below"  # of ``MapPage``
        elif self._page is WorkshopPage.SHEET:
            box_id, words_id = "sheet-picture", "sheet"
        return SheetPlaces(
            self.query_one(f"#{box_id}", PictureBox), self.query_one(f"#{words_id}", Static)
        )

    def _show_words_instead_of_pictures(self) -> None:
        """Hide the pictures of all pages; the words in their places are visible again."""
        for box in self.query(PictureBox):
            box.hide()
        self.query(f".{REPLACED_BY_PICTURE}").remove_class(REPLACED_BY_PICTURE)

    def _sheet_to_draw(self) -> SheetToDraw:
        """The sheet of the scenario as it is now."""
        settings = self.skirmish.settings
        return SheetToDraw(self._printed_scenario(), settings.paper, settings.ink)

    @work(group="asking", exclusive=True)
    async def action_picture(self) -> None:
        """Show the sheet as a picture: on its page, or on a screen of its own where the terminal
        shows none among words."""
        if self._edited is None:
            return
        protocol = protocol_here(self.skirmish)
        if protocol is None:
            self.app.notify(NO_PICTURES, markup=False)
            return
        if protocol == "kitty":
            self._painter.forget_failure()  # the player wants it tried again
            self._open(WorkshopPage.SHEET)
            return
        picture = await self._painter.draw(self._sheet_to_draw())
        if picture is None:
            self.app.notify(self._painter.failure, markup=False, severity="warning")
        elif not self.is_left:
            self.app.push_screen(PictureScreen(picture, protocol))

    # ------------------------------------------------------------------ changes

    def _change(self, scenario: Scenario) -> None:
        """Change the scenario, show it and store it. Raises EditError."""
        if self.edited.change(scenario):
            self._show_and_store()

    def _show_and_store(self) -> None:
        """Show the scenario as it is now, store it, and look again for mistakes."""
        self._show()
        self._store()
        self._look_for_mistakes()

    @contextmanager
    def _reporting_refusal(self) -> Iterator[None]:
        """A block that may raise EditError: its sentence is shown, and nothing changes."""
        try:
            yield
        except EditError as error:
            self.app.notify(str(error), markup=False, severity="warning")

    @work(group="save")
    async def _store(self) -> None:
        """Store the scenario. Not exclusive: to store anew does not break off what is being
        stored."""
        async with self.skirmish.reporting(NOT_STORED):
            await self.edited.store()

    @work(group="file", exclusive=True)
    async def _follow_file(self) -> None:
        """Show what another screen or a text editor has made of the file."""
        if await self.edited.follow_file():
            self._show()
            self._look_for_mistakes()

    def action_undo(self) -> None:
        """Take back the last corner of what is being laid, else the last change."""
        if self._edited is None:
            return
        if self._page is WorkshopPage.MAP:
            board = self.query_one(MapBoard)
            corner_is_taken_back = board.tool.take_back_corner()
            if corner_is_taken_back:
                board.repaint()
                return
        if self.edited.undo():
            self._show_and_store()
        else:
            self.app.notify("There is nothing to undo.", markup=False)

    def action_redo(self) -> None:
        if self._edited is None:
            return
        if self.edited.redo():
            self._show_and_store()
        else:
            self.app.notify("There is nothing to redo.", markup=False)

    # ------------------------------------------------------------------ what the pages want

    def on_map_board_changed(self, event: MapBoard.Changed) -> None:
        with self._reporting_refusal():
            self._change(with_map(self.scenario, event.field))

    @work(group="asking", exclusive=True)
    async def on_map_board_question_wanted(self, event: MapBoard.QuestionWanted) -> None:
        with self._reporting_refusal():
            changed = await self._map_questions().answer(event.request)
            if changed is not None:
                self._change(changed)

    @work(group="asking", exclusive=True)
    async def on_map_board_details_wanted(self, event: MapBoard.DetailsWanted) -> None:
        await self._map_questions().begin_laying(event.kind)

    def _map_questions(self) -> MapQuestions:
        return MapQuestions(Asker(self.skirmish), self.edited, self.query_one(MapBoard))

    def on_sentence_board_turned(self, event: SentenceBoard.Turned) -> None:
        with self._reporting_refusal():
            rules = self.edited.rules
            self._change(blanks.with_next_choice(self.scenario, event.key, event.step, rules))

    @work(group="asking", exclusive=True)
    async def on_sentence_board_asked(self, event: SentenceBoard.Asked) -> None:
        questions = SentenceQuestions(Asker(self.skirmish), self.edited)
        with self._reporting_refusal():
            change = await questions.answer(event.request, event.key)
            if change is not None:
                self._change_and_go(change)

    def _change_and_go(self, change: SentenceChange) -> None:
        """Change the scenario, then go to the value that the change leads to, if any. Raises
        EditError."""
        self._change(change.scenario)
        if change.go_to:
            self._board.go_to(change.go_to)

    # ------------------------------------------------------------------ mistakes

    @work(group="mistakes", exclusive=True)
    async def _look_for_mistakes(self) -> None:
        """Mark the pages where something is wrong; after a pause without changes, also those where
        something is doubtful. A change meanwhile begins this work anew, and Textual ends the one
        that was running."""
        scenario = self.scenario
        self._mistakes = await asyncio.to_thread(scenario_editing.draft_mistakes, scenario)
        if self.is_left:
            return
        self._show_heading()
        await asyncio.sleep(DRAWING_DELAY)
        self._doubts = await asyncio.to_thread(doubts_about, scenario, self._owned)
        if not self.is_left:
            self._show_heading()

    @work(group="asking", exclusive=True)
    async def action_mistakes(self) -> None:
        """List everything that is wrong, and go to what the player chooses."""
        if self._edited is None:
            return
        # The search in the background may not have reached the last change yet.
        scenario = self.scenario
        self._mistakes = await asyncio.to_thread(scenario_editing.draft_mistakes, scenario)
        self._doubts = await asyncio.to_thread(doubts_about, scenario, self._owned)
        if self.is_left:
            return
        self._show_heading()
        listed = [*self._mistakes, *self._doubts][:MOST_LISTED]
        if not listed:
            self.app.notify("Nothing is wrong. b plays it, P prints it.", markup=False)
            return
        lines = [self._line_of(problem) for problem in listed]
        chosen = await Asker(self.skirmish).choose_index("What is wrong", lines)
        if chosen is not None:
            self._go_to(listed[chosen].key)

    def _line_of(self, problem: Problem) -> str:
        """A line of the list of mistakes: the page, and what is wrong there."""
        # The message of a mistake is the end of a sentence that begins with its key; that of a
        # doubt is a whole sentence.
        words = str(problem)
        if problem in self._doubts:
            words = problem.message
        return f"{page_of(problem.key).value}: {words}"

    def _go_to(self, value_key: str) -> None:
        """Open the page where a value is changed, and choose it there."""
        self._open(page_of(value_key))
        if self._page is WorkshopPage.MAP:
            self._take_feature(_part_id_in(value_key))
        else:
            self._board.go_to(value_key)

    def _take_feature(self, part_id: PartId | None) -> None:
        """Take a feature of the map, if there is one; its values can be changed then."""
        if part_id is not None:
            board = self.query_one(MapBoard)
            board.tool.go_and_take(part_id)
            board.repaint()

    # ------------------------------------------------------------------ play, paper, leaving

    async def action_play(self) -> None:
        from skirmish.app.play.setup import GameSetup

        if self._edited is None:
            return
        # As the search in the background has last found them; the key that lists them looks again.
        if self._mistakes:
            key = self.skirmish.key("workshop.mistakes", "f7")
            self.app.notify(f"Something is still wrong; {key} lists it.", markup=False)
            return
        async with self.skirmish.reporting(NOT_STORED):
            await self.edited.store()
            given = {"battle": str(self._number)}
            self.app.push_screen(GameSetup("plastic", given, rules_paragraph=self.paragraph))

    def action_print(self) -> None:
        from skirmish.app.printing import print_document

        if self._edited is not None:
            scenarios = [self._printed_scenario()]
            self.run_worker(print_document(self.skirmish, "scenario", scenarios))

    def _printed_scenario(self) -> Scenario:
        """The scenario as it is printed: with its mistakes, if it has any, as a rule of its own."""
        scenario = self.scenario
        if not self._mistakes:
            return scenario
        text = " ".join(str(problem) for problem in self._mistakes)
        rules = (*scenario.special_rules, SpecialRule(UNFINISHED, text))
        return replace(scenario, special_rules=rules)

    async def action_leave(self) -> None:
        """Leave what is being done on the map; if nothing is, the workshop."""
        # Until the file is read there is nothing to leave and nothing to store.
        if self._edited is not None:
            if self._page is WorkshopPage.MAP:
                board = self.query_one(MapBoard)
                something_is_left = board.tool.leave_last_step()
                if something_is_left:
                    board.repaint()
                    return
            async with self.skirmish.reporting(NOT_STORED):
                await self.edited.store()
        self.dismiss()


def _sheet_columns(width: int) -> int:
    """The columns of the sheet's text in a widget of that width."""
    return max(width - SHEET_MARGIN, NARROWEST_SHEET)


def _page_of_line(line: str) -> Page:
    """A page that says nothing but this line."""
    return Page("", (Paragraph(line),))


def _part_id_in(value_key: str) -> PartId | None:
    """The feature of the map that a value belongs to: zone 2 for ``map.zone[2].letter``; None for a
    value of the whole map."""
    match = re.match(r"map\.(?P<field>[a-z]+)\[(?P<index>[0-9]+)\]", value_key)
    if match is None:
        return None
    # A list of features is named in the plural, its field of the file in the singular.
    return PartId(f"{match['field']}s", int(match["index"]))
