"""The right half of the browser: the names of the pages, and the open page of the selected line.

Begin with ``PagePanel.show``. A map takes longer to draw than it takes to walk on to the next line.
So the map below the first page is drawn a moment later, once, and kept. ``map_page`` lays a map out
with its key and its note."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, cast

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import Static

from skirmish import library
from skirmish.app.base_screen import WIDE
from skirmish.app.host import Host
from skirmish.app.page_view import painted
from skirmish.app.scenarios.map_picture import (
    FRAME,
    KEY_ROWS,
    MapDrawing,
    MapInks,
    board_drawing,
    columns_of_map,
    in_rows,
    inks_of,
)
from skirmish.app.text_rows import hanging, rows_of
from skirmish.extras import unless_it_fails
from skirmish.games.plastic.scenario_record import ScenarioRecord, record_blocks
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.pages import PageSource
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.page import Block, Heading, Page, Paragraph, mapped
from skirmish.tabletop.side_colours import looks
from skirmish.tabletop.typed import plain

OPEN_PAGE = "bold reverse"
"""The style of the name of the page that is open."""
ROOM_FOR_NAMES = 132
"""Columns of a screen from which the pages have their full names."""
EDGES = 2
"""Columns of the edges of a page."""
ROWS_KEPT = 2
"""Rows that stay in sight when a page is scrolled, so that the reader sees where to go on."""
FEWEST_ROWS_BELOW_PAGE = 20
"""Rows that a map with its key needs below another page."""
SPARE_ROWS = 2
"""Rows below another page that the map leaves free, since its key may turn out longer."""
MAP_DELAY = 0.1
"""Seconds after which the map is drawn below another page. A player who walks through the list has
moved on by then."""
BASIC_GAME_RULES = ("setting-up", "break-point", "last-turn")
"""The paragraphs of the rules that the page of the basic game repeats."""
# The page of the map.
FEWEST_MAP_ROWS = 8
"""The fewest rows of a map; a page that has no room for them scrolls."""
KEY_COLUMNS = 34
"""The fewest columns of a key beside the map, with the gap before it."""
KEY_GAP = 3
"""Columns between the map and a key beside it."""
KEY_INDENT = 4
"""Columns by which the further rows of a long entry are indented."""
ROWS_OF_NOTE = 2
"""The most rows of the note below a map."""
ROWS_AROUND = 2
"""The row above a map without a frame, which names its upper edge, and the empty row below a map.
With a frame the first of them stays free."""
FRAMED_FROM = 44
"""Columns from which a map has a frame, lettered by the foot."""


class ShownScenario(NamedTuple):
    """A scenario whose pages are shown."""

    scenario: Scenario
    """As it is in its file."""
    source: PageSource
    """What its pages are made from: there the player's rulings have changed the scenario."""
    record: ScenarioRecord | None
    """How its battles ended, if it is the player's own and has been played."""


class MapBelow(NamedTuple):
    """Which map is drawn below a page, and the room that it has there."""

    scenario_number: int
    columns: int
    rows: int


class PagePanel(Vertical):
    """Shows a scenario, the mistakes of a file, or else the basic game. The page stays open when
    another scenario is shown, so that scenarios can be compared."""

    def __init__(self, open_page: int) -> None:
        super().__init__(id="about")
        self.open_page = open_page
        """The number of the page among ``pages.NAMES``."""
        self._shown: ShownScenario | DataError | None = None
        """None: the basic game."""
        self._maps_below: dict[MapBelow, Content] = {}
        """The maps that were drawn before."""
        self._map_timer: Timer | None = None
        """Runs until the map below the page is drawn."""

    def compose(self) -> ComposeResult:
        yield Static(id="strip", markup=False)
        with VerticalScroll(id="page", can_focus=False):
            yield Static(id="what", markup=False)

    def show(self, shown: ShownScenario | DataError | None) -> None:
        """Paint the open page of a scenario, of a file with mistakes, or (None) of the basic
        game."""
        self._shown = shown
        self._paint()

    def open(self, page: int) -> None:
        """Show the page with that number among ``pages.NAMES``, from its beginning."""
        self.open_page = page
        self.scroll_to_top()
        self._paint()

    def turn(self, step: int) -> None:
        """Show the page ``step`` places further on; the last is followed by the first."""
        self.open((self.open_page + step) % len(pages.NAMES))

    def scroll_to_top(self) -> None:
        self.query_one("#page").scroll_home(animate=False)

    def read_on(self, step: int) -> None:
        """Scroll the page down by a screen, or up for a ``step`` of -1."""
        page = self.query_one("#page", VerticalScroll)
        rows = max(page.size.height - ROWS_KEPT, 1)
        page.scroll_relative(y=step * rows, animate=False)

    def forget_maps(self) -> None:
        """Draw all maps anew: scenarios or colours may have changed."""
        self._maps_below.clear()

    # -------------------------------------------------------------- painting

    @property
    def _host(self) -> Host:
        return cast("Host", self.app)

    @property
    def _page_columns(self) -> int:
        return self.query_one("#page").scrollable_content_region.width - EDGES

    @property
    def _page_rows(self) -> int:
        return self.query_one("#page").scrollable_content_region.height

    def _paint(self) -> None:
        screen_width = self.app.size.width
        strip = Content("")
        if isinstance(self._shown, ShownScenario):
            strip = page_strip(
                self.open_page,
                full_names=screen_width >= ROOM_FOR_NAMES,
                spaced=screen_width >= WIDE,
            )
        self.query_one("#strip", Static).update(strip)
        self.query_one("#what", Static).update(self._text())

    def _text(self) -> Content:
        """What stands below the strip: the open page, the mistakes of a file, or the basic game."""
        if isinstance(self._shown, DataError):
            # The words of a file that a player wrote may hold invisible or control characters.
            return painted(mapped(_mistakes_page(self._shown), plain), self._page_columns)
        if self._shown is None:
            return painted(mapped(_basic_game_page(), self._host.measured), self._page_columns)
        if self.open_page == pages.MAP:
            return self._map(self._shown.source, self._page_rows)
        text = self._page_text(self._shown)
        if self.open_page == pages.GLANCE:
            return self._with_map_below(text, self._shown)
        return text

    def _page_text(self, shown: ShownScenario) -> Content:
        """The open page of a scenario, which is not its map."""
        page = pages.page(shown.source, self.open_page)
        if self.open_page == pages.GLANCE and shown.record is not None:
            page = page.with_blocks(record_blocks(shown.record))
        first, second = looks(*shown.scenario.order_of_play())
        return painted(
            page,
            self._page_columns,
            beside=self.app.size.width >= WIDE,
            colours=(first.name, second.name),
        )

    def _with_map_below(self, text: Content, shown: ShownScenario) -> Content:
        """A page with the map below it, where there is room for one. A map that was not drawn yet
        is left out, and soon follows."""
        # One row parts the map from the text.
        rows_left = self._page_rows - len(text.split("\n")) - 1
        if shown.scenario.map is None or rows_left < FEWEST_ROWS_BELOW_PAGE:
            return text
        wanted = MapBelow(shown.scenario.number, self._page_columns, rows_left)
        drawn = self._maps_below.get(wanted)
        if drawn is not None:
            return Content("\n\n").join([text, drawn])
        if self._map_timer is not None:
            self._map_timer.stop()
        draw = partial(self._draw_below, shown.source, wanted)
        self._map_timer = self.set_timer(MAP_DELAY, draw)
        return text

    def _draw_below(self, source: PageSource, wanted: MapBelow) -> None:
        """Draw and keep a map. It appears if its scenario is still the one that is shown."""
        self._maps_below[wanted] = self._map(source, wanted.rows - SPARE_ROWS)
        self._paint()

    def _map(self, source: PageSource, rows: int) -> Content:
        """The map with its key, in so many rows; a sentence in its place if it cannot be painted,
        so that the screen goes on without it."""
        room = Size(self._page_columns, rows)
        return unless_it_fails(
            lambda: map_page(source, room, inks_of(self._host)),
            instead=Content,  # of the sentence, which reads: The map is not available
            failure="The map is not available",
        )


def _mistakes_page(error: DataError) -> Page:
    """What is wrong with a scenario file, and where."""
    text = f"{error.file} is not a scenario yet. Mend what is named here, and it is one."
    blocks: list[Block] = [Paragraph(text)]
    for problem in error.problems:
        blocks.append(Paragraph(problem.message, lead=problem.key))
    return Page("", tuple(blocks))


def _basic_game_page() -> Page:
    """What the basic game is, with the rules that matter for it."""
    points = library.catalog().basic_game.points
    text = (
        f"Two armies of your own, usually of {points} points each. Build them and print their "
        "rosters under Armies on the home screen."
    )
    blocks: list[Block] = [Paragraph(text)]
    for name in BASIC_GAME_RULES:
        rule = library.reference().paragraphs[name]
        blocks.append(Heading(rule.title))
        blocks.extend(Paragraph(sentence) for sentence in rule.text)
    return Page("", tuple(blocks))


def page_strip(open_page: int, *, full_names: bool, spaced: bool) -> Content:
    """The pages by name, each clickable, the open one reversed. With ``spaced`` the names stand
    well apart, and are long if ``full_names``; without it they are short and close together."""
    if spaced:
        return _spaced_strip(open_page, full_names=full_names)
    return _narrow_strip(open_page)


def _spaced_strip(open_page: int, *, full_names: bool) -> Content:
    """Two blanks between two names; the reversed ground covers one more at both sides."""
    tabs = []
    for number, page_name in enumerate(pages.NAMES):
        name, style = page_name.short, ""
        if full_names:
            name = page_name.full
        if number == open_page:
            style = OPEN_PAGE
        tabs.append(_tab(f" {name} ", number, style))
    return Content("  ").join(tabs)


def _narrow_strip(open_page: int) -> Content:
    """One blank between two names; the reversed ground of the open page covers those beside it."""
    last_page = len(pages.NAMES) - 1
    tabs = []
    for number, page_name in enumerate(pages.NAMES):
        name = page_name.short
        if number == open_page:
            tabs.append(_tab(_with_its_blanks(name, number), number, OPEN_PAGE))
        else:
            tabs.append(_tab(name, number))
        # The blank behind this name belongs to the open page if that is this one or the next.
        is_beside_open_page = open_page in (number, number + 1)
        if number != last_page and not is_beside_open_page:
            tabs.append(Content(" "))
    return Content("").join(tabs)


def _with_its_blanks(name: str, number: int) -> str:
    """The name of a page with the blanks that part it from its neighbours."""
    if number > 0:
        name = f" {name}"
    if number < len(pages.NAMES) - 1:
        name = f"{name} "
    return name


def _tab(text: str, number: int, style: str = "") -> Content:
    """The name of a page; a click opens it."""
    return Content.styled(text, style).stylize(f"@click=screen.open({number})")


# -------------------------------------------------------------- the page of the map


def map_page(source: PageSource, room: Size, inks: MapInks) -> Content:
    """The map on a page of so many columns and rows: in its frame where there is room, with its key
    beside it or below, and the note on where it is from."""
    field = source.scenario.map
    if field is None:
        return Content("This scenario has no map.")
    beside = _with_key_beside(source.scenario, field, room, inks)
    if beside is not None:
        return _above_note(beside, source)
    page = _with_key_below(source, field, room, inks)
    if rows_of(page, room.width) > room.height:
        # The scroll bar takes a column of a page that must scroll.
        page = _with_key_below(source, field, Size(room.width - 1, room.height), inks)
    return page


def _with_key_below(source: PageSource, field: Battlefield, room: Size, inks: MapInks) -> Content:
    """The map, framed if it is wide enough, above its key and its note. It may need more rows than
    there are."""
    table = source.scenario.table
    is_framed = room.width >= FRAMED_FROM
    frame_rows = frame_columns = 0
    if is_framed:
        frame_rows = frame_columns = FRAME
    rows_left = room.height - KEY_ROWS - ROWS_AROUND - frame_rows
    map_rows = max(rows_left, FEWEST_MAP_ROWS)
    map_columns = columns_of_map(table, room.width - frame_columns, map_rows)
    drawing = MapDrawing(source.scenario, field, map_columns, inks)
    if is_framed:
        picture_rows = drawing.framed()
    else:
        # Without a frame the compass point at the top stands above the map.
        head = Content.styled(f"{table.up:^{map_columns}}", "bold")
        picture_rows = [head, *drawing.lines()]
    key_rows = in_rows(drawing.key(), room.width)
    return _above_note([*picture_rows, Content(""), *key_rows], source)


def _with_key_beside(
    scenario: Scenario, field: Battlefield, room: Size, inks: MapInks
) -> list[Content] | None:
    """The map as high as the page, with its key in a column at the right; None where the map would
    be narrower for it, or where the key is longer than the map is high."""
    room_for_map = Size(room.width - KEY_COLUMNS, room.height - ROWS_OF_NOTE)
    map_rows = room_for_map.height - FRAME
    if columns_of_map(scenario.table, room.width, map_rows) > room_for_map.width - FRAME:
        return None
    drawing = board_drawing(scenario, field, room_for_map, inks)
    map_lines = drawing.framed()
    key_begins = max(line.cell_length for line in map_lines) + KEY_GAP
    key_rows: list[Content] = []
    for entry in drawing.key():
        key_rows += hanging(entry, room.width - key_begins, KEY_INDENT)
    if len(key_rows) > len(map_lines):
        return None
    rows = []
    for number, map_line in enumerate(map_lines):
        if number < len(key_rows):
            gap = " " * (key_begins - map_line.cell_length)
            rows.append(Content.assemble(map_line, gap, key_rows[number]))
        else:
            rows.append(map_line)
    return rows


def _above_note(rows: Sequence[Content], source: PageSource) -> Content:
    """A map with its key, above the note on where it is from."""
    note = ""
    if source.scenario.map is not None:
        note = source.scenario.map.note
    if note:
        rows = [*rows, Content.styled(source.measured(note), "dim")]
    return Content("\n").join(rows)
