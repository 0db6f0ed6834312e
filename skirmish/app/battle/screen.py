"""A battle on its screen: both sides, the clock, the current shot, the verdict, the journal.
Letters choose who fires and at whom, then what would change the shot; Space draws. The game
declares what keys do (`games.plastic.commands`); the screen is that of every game, with the two
forces as its board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import msgspec
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from skirmish import library, registry
from skirmish.app.battle import header
from skirmish.app.battle.forces import SideLook, SidePanel, in_sight, side_style
from skirmish.app.battle.header import Tab
from skirmish.app.binding import KeyGroup, keys
from skirmish.app.foot import Foot
from skirmish.app.host import HIGH, LARGE, SPACIOUS, WIDE, Host, Screen
from skirmish.app.page_screen import TWO_COLUMNS_FROM, PageScreen, SummaryPage
from skirmish.app.page_view import DIM, KEY, STRONG, block_lines, painted
from skirmish.app.play.answer_list import AnswerLine
from skirmish.app.play.big_letters import LOW_ROWS, Enlarge, high_letters, largest, low_letters
from skirmish.app.play.follow import Following
from skirmish.app.play.game_parts import lead_line, more_on_f7, sentence_page
from skirmish.app.play.game_screen import (
    LEAST_BOARD,
    BesidePage,
    GameScreen,
    RowsUsed,
    SideColumn,
)
from skirmish.app.play.journal_cursor import CURSOR_REACH
from skirmish.app.play.journal_rows import JournalRows
from skirmish.app.play.ordering import NO_ROW, OrderingScreen
from skirmish.app.play.part import Part
from skirmish.app.play.questions import QuestionScreen
from skirmish.app.play.verdict_row import VerdictRow
from skirmish.app.reference.rulings import InForce
from skirmish.extras import asked_page, preview, unless_it_fails
from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.agenda import CasualtyAsk, InsideAsk, RepeatAsk
from skirmish.games.plastic.battle.lines import BattleLine
from skirmish.games.plastic.battle.names import piece_side, row_side
from skirmish.games.plastic.battle.orders import Fire
from skirmish.games.plastic.battle.record import BattleEntry
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import VictoryStatus
from skirmish.games.plastic.battle.view import seen_status
from skirmish.games.plastic.commands.asked import prompt
from skirmish.games.plastic.game import PlasticGame, topics
from skirmish.games.plastic.setup_fields import FIRST_EVENING
from skirmish.games.plastic.shot_page import (
    ChangeRow,
    reach_words,
    same_shot_words,
    what_if_key,
)
from skirmish.session import AnyDraft, AnySession, Session
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import (
    Beside,
    Block,
    Choices,
    Heading,
    Note,
    Page,
    Paragraph,
    Table,
    mapped,
)
from skirmish.tabletop.slots import Choose, UnfitAnswer, keyed

if TYPE_CHECKING:
    from skirmish.app.battle.map_panel import MapPanel
    from skirmish.games.plastic.casualties import Casualty, CasualtyStrip
    from skirmish.games.plastic.summary import JournalFacts

ASIDE, WIDEST_ASIDE = 38, 64
"""The columns of the journal in a column of its own, at least and at most."""
MARGIN = 2
"""Columns at the sides of the screen."""
MAP_FROM = 38
"""Rows from which the map of the scenario stands beside both sides, on a wide screen."""
WHAT_IF = "WHAT IF "
"""Stands before the changes of a shot where they share a line."""
WALKING = ("up", "down", "enter", "escape")
"""Keys of a cursor on the board or in the what-ifs."""
LEAST_MAP = 12
"""The fewest rows of a map for which the terms of victory make room."""


class Columns(NamedTuple):
    """How a screen with a map divides its columns: those of both sides below one another, and of
    the journal; the map has the rest. 0: that part has no column. ``screen``: the columns that the
    screen needs at least for this. ``numbers``: each row of a side ends with its numbers."""

    screen: int
    sides: int
    journal: int
    numbers: bool


VERY_WIDE = 190
"""Columns of a screen that has room for a broader journal beside the map."""
WITH_MAP = (
    Columns(VERY_WIDE, sides=60, journal=42, numbers=True),
    Columns(LARGE, sides=60, journal=ASIDE, numbers=True),
    Columns(WIDE, sides=36, journal=34, numbers=False),
)
"""The widest first."""
ONE_SIDE_WITH_MAP = (
    Columns(VERY_WIDE, sides=86, journal=42, numbers=True),
    Columns(LARGE, sides=86, journal=0, numbers=True),
)
"""The whole table of a side; where there is no column for the journal, it stands below."""
JOURNAL_WITH_MAP = (
    Columns(VERY_WIDE, sides=0, journal=94, numbers=False),
    Columns(LARGE, sides=0, journal=76, numbers=False),
)
DUE_WITH_MAP = (
    Columns(VERY_WIDE, sides=70, journal=42, numbers=False),
    Columns(LARGE, sides=60, journal=ASIDE, numbers=False),
)
PAGES_WITH_MAP: Mapping[Tab, Sequence[Columns]] = {
    "both_sides": WITH_MAP,
    "first_side": ONE_SIDE_WITH_MAP,
    "second_side": ONE_SIDE_WITH_MAP,
    "journal_page": JOURNAL_WITH_MAP,
    "due_page": DUE_WITH_MAP,
}
"""How the screen is divided on each page. All but that of both sides have the map on a spacious
screen only."""
QUESTION_BOARD = 0.48
"""The share of a large screen's columns for the board beside a question, as in the style sheet."""
AROUND_BOARD = 4
"""Columns of the edges of that board."""
BELOW_QUESTION_MAP = 16
"""Rows for all but the map beside a question: strengths and losses, and the foot."""
MOST_LINES = 2
"""The most rows for the changes of a shot on a low screen, where several share a row."""
_BY_LAST_TURN = re.compile(r" by the end of [^,;:]+? turn \d+")
"""In the terms of victory: ``exit 10 men by the end of German turn 8``. It is omitted first where
there is little room, since the clock shows the last turn too."""


class BattleOrderingScreen(OrderingScreen):
    """What both screens of a battle open: its rules and its summary."""

    game: PlasticGame

    @property
    def in_force(self) -> InForce:
        """The rulings of this battle, which the rules show beside each gap."""
        answers = self.state.setup.rulings
        return InForce(answers=answers, whose="as in this battle", scenario=self.scenario_number)

    @property
    def scenario_number(self) -> int | None:
        """The number of the scenario; None for a battle of two armies."""
        scenario = self.state.setup.scenario
        if scenario is None:
            return None
        number: int = scenario.number
        return number

    @property
    def paragraph(self) -> str:
        """The rule that F1 opens: that of the last refusal; or of the advice against the order that
        is ready to be given; or else of the current question."""
        reference = library.reference()
        refusal, draft = self.refusal, self.draft
        if refusal is None and draft is not None and draft.begun and draft.ready:
            refusal = self.advice_against(draft)
        paragraph = None
        if refusal is not None:
            paragraph = reference.about(refusal.code, refusal.rule)
        if paragraph is None:
            looked_up = list(topics(self.session.play, self.draft))
            if self.journal_cursor is not None:
                looked_up.insert(0, "mode looking")
            paragraph = reference.on(*looked_up)
        if paragraph is None:
            return ""
        return paragraph.id

    def action_summary(self) -> None:
        self.app.push_screen(SummaryScreen(self.session, self.open_journal))


class StripPart(Part):
    """The casualty strip above the keys."""

    DEFAULT_CSS = """
    StripPart {
        padding: 0 1;
        text-wrap: nowrap;
        link-style: none;
    }
    """


class BattleScreen(GameScreen, BattleOrderingScreen):
    """A battle in progress. ``tab`` is the open page. There are three cursors, of which one shows
    at a time: ``pointer`` is the key of the row under it, ``what_if`` the place of the change in
    the what-ifs, ``listed`` the key of the option in a list."""

    CSS_PATH = "../play/play.tcss"
    # How `GameScreen` divides the screen of a battle.
    HEAD = ("clock", "tabs", "who")
    AMID = True
    BOARD = "#battlefield"
    JOURNAL = "battle.journal"
    TOPIC: ClassVar[str] = header.TOPIC
    HELP = (
        "A shot: choose who fires, then the target, by their letters; then Space or Enter. Before "
        "that, the letters in the shot line change it: c in cover, h hull down, b from behind, "
        "n within 3\u00a0in, l a lone man, w the other weapon, o another shooter; in phases 3 and "
        "4 # says how many are in contact and fight.\n"
        "What if: the lines below the shot show what one change would do to its chance. Its letter "
        "makes the change; so do Down or Up to it, and Enter. Nothing is drawn by that.\n"
        "By arrows: Left or Right goes to the rows, Up and Down walk, Enter chooses. The mouse "
        "chooses rows, tabs, lines of the journal and every key written on the screen.\n"
        "A volley: 15rr8 and Space, fifteen r at a group of r with eight men in reach. "
        "8r2m2or8 is a mixed one: eight r, two m and two o at them, one after another. "
        "With your own cards, = instead of Space counts it at once: 15rr8=5a1 and Enter, five "
        "hits, one of them an ace.\n"
        "Where a shot may be repeated, Space fires again at the same row. Where the defender "
        "chooses who dies, Enter accepts the man proposed and a letter chooses another.\n"
        "He was in cover after all: Tab c. The card was misread: Tab 7h Enter. "
        "A line three up was wrong: Up Up Up v Enter.\n"
        "F4 and F5 show all the numbers of one side; on a wide screen each row ends with them: "
        "range, then the highest rank that kills guys / armored / unarmored models; + a kill gives "
        "another shot, * only in contact. F6 is the journal, F7 what is due, F8 the map; the same "
        "key again comes back."
    )
    BINDINGS: ClassVar[list[BindingType]] = header.BINDINGS

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self.tab: Tab = "both_sides"
        self._entries_when_turned = 0
        """The number of entries when the player last turned to another page."""
        self.pointer: str | None = None
        self.what_if: int | None = None
        self.listed = ""
        self._facts: JournalFacts | None = None
        """Read once the casualty strip is shown."""
        self._has_strip = False
        """Whether the casualty strip has been shown: it is mounted then."""
        self._map: MapPanel | None = None
        """Mounted where the map is shown first."""
        self._map_failed = False
        self._free_rows_are_for_firer = False
        """Whether who fires gets the rows that nothing else needs, in place of a verdict."""
        self._columns_of_sides: int | None = None
        """The columns of both sides beside a map, as they were set last; None: all there are."""

    def help_groups(self) -> list[KeyGroup]:
        """The keys of the battle in groups, those that can be pressed now first."""
        return header.help_groups(self.state, self.commands, self.draft_in_hand)

    # ------------------------------------------------------------------ on the screen

    def board_room(self) -> Widget:
        return Horizontal(super().board_room(), id="battlefield")

    def panels(self) -> Iterable[Widget]:
        sides = self.state.setup.sides
        return (Horizontal(*(SidePanel(side.id) for side in sides), id="sides"), Part("board"))

    def foot(self) -> Widget:
        return Part("keys")

    def show_below(self, width: int, free: int) -> int:
        """The casualty strip, on a high screen whose rows are not needed for anything else."""
        lines: list[Content] = []

        def painted_strip() -> Content:
            return unless_it_fails(
                partial(self._strip, width), instead=Content, missing="The casualty strip is"
            )

        if self.app.size.height >= HIGH:
            strip = self.once(("strip", self.viewer, width), painted_strip)
            lines = strip.split("\n")
        if lines and self.is_spacious:
            # A new list: Textual keeps the one that ``split`` returned for the next call.
            lines = [Content(""), *lines]
        if len(lines) > free:
            lines = []
        if not self._has_strip:
            if not lines:
                return 0
            self._has_strip = True
            self.mount(StripPart("strip"), before="#keys")
        self.query_one("#strip").display = bool(lines)
        self.write("strip", Content("\n").join(lines))
        return len(lines)

    def _strip(self, width: int) -> Content:
        """The casualty strip of the battle so far. Of its journal only the new entries are read."""
        from skirmish.app.battle.strip import strip_lines
        from skirmish.games.plastic.casualties import casualty_strip
        from skirmish.games.plastic.summary import JournalFacts

        play = self.session.play
        if self._facts is None:
            self._facts = JournalFacts(play)
        else:
            self._facts.read_on(play)
        strip = casualty_strip(play, self._facts)
        return Content("\n").join(strip_lines(strip, self.state.setup.signs, width))

    def head(self, width: int) -> dict[str, Content]:
        """The lines of the head by their parts, with the number of the turn in large digits at
        their left where there is room."""
        state, tab = self.state, self._tab_in_front()
        turn_rows = [Content("")] * len(self.HEAD)
        # The tabs begin in the first column of the screen, the other lines in the second.
        tabs_width = width + 1
        if self.app.size.width >= WIDE and self.app.size.height >= HIGH:
            turn_rows = header.turn_picture(state)  # as many rows as the head has lines
            tabs_row = self.HEAD.index("tabs")
            first_column = Content.styled(" ", "on $background")  # no ground of the tabs left of it
            turn_rows[tabs_row] = first_column + turn_rows[tabs_row]
        width -= turn_rows[0].cell_length
        tabs_width -= turn_rows[self.HEAD.index("tabs")].cell_length
        lines = (
            header.clock_line(state, width),
            header.tab_line(state, tab, self.key_shown, tabs_width),
            header.who_line(state, self.formatted, width),
        )
        head = {}
        for part, turn_row, line in zip(self.HEAD, turn_rows, lines, strict=True):
            head[part] = turn_row + line
        return head

    def key_shown(self, verb: str) -> str:
        """The key of a command as this player has it."""
        return self.skirmish.key(f"{self.TOPIC}.{verb}", header.BY_VERB[verb].key)

    def show_keys(self, columns: int) -> None:
        if self.writing or self.journal_cursor is not None:  # other keys mean nothing, or are typed
            effect = " leave"
            if self.writing:
                effect = " cancel"
            key = Content.assemble((" Esc", KEY), effect)
            self.write("keys", key.stylize("@click=screen.press('escape')"))
            return
        strip = header.strip(self.state, self.commands, columns, self.key_shown, self.draft_in_hand)
        self.write("keys", strip)

    def _tab_in_front(self) -> Tab:
        """The page to show: one with the rows that the question or the cursor is about, unless the
        player has changed the page since."""
        state: State = self.state
        side = None
        if self.pointer is not None:
            side = row_side(self.pointer)
        elif isinstance(state.ask, CasualtyAsk | InsideAsk):
            # The last entry opened the question: whoever turned a page after it has seen it.
            has_turned_since = self._entries_when_turned == len(self.session.play.entries)
            if not has_turned_since:
                side = state.ask.side
        if side is None or header.side_of(self.tab, state.setup) == side:
            return self.tab
        return "both_sides"

    def show_board(self, width: int) -> int:
        """Show the page in front; returns the rows of both sides or of one, 0 for what is due and
        the journal, which take the rows that are left."""
        tab = self._tab_in_front()
        battlefield, board = self.query_one(self.BOARD), self.query_one("#board")
        self._show_or_hide_map()
        battlefield.display = tab != "journal_page" or self.columns_with_map is not None
        # ``#board`` has the page of what is due. On other pages of a spacious screen it has what
        # stands below both sides (``_show_below_board``).
        if tab == "due_page":
            board.display = True
        elif not self.is_spacious:
            board.display = False
        self.query_one("#sides").display = tab != "due_page"
        if tab == "journal_page":
            return 0
        if tab == "due_page":
            self._show_due_page(width)
            battlefield.styles.max_height = None  # which the rows of the sides may have set
            return 0
        return self._show_sides(width, header.side_of(tab, self.state.setup))

    def _show_due_page(self, width: int) -> None:
        """Paint what is due in place of both sides."""

        def made() -> Page:
            return unless_it_fails(self.due_page, instead=sentence_page, missing="What is due is")

        page = self.once(("due", self.viewer), made)
        if self.columns_with_map is not None:
            width = self._below_sides_width
        self.write("board", painted(mapped(page, self.formatted), width))

    def _show_sides(self, width: int, only: str | None) -> int:
        """Paint both sides beside one another, below one another beside the map, or the whole table
        of ``only`` one; returns the rows."""
        look = self._look_of_sides(width, only)
        is_first = True
        rows = 1
        pointer_row = None
        for panel in self.query(SidePanel):
            panel.display = only in (None, panel.side)
            if not panel.display:
                continue
            row_in_panel = panel.show(self.state, look)
            height = str(panel.render()).count("\n") + 1
            # The rows above this side: those of the other one, where that does not stand beside it.
            above = gap = 0
            if self.columns_with_map is not None and not is_first:
                if look.barred:
                    gap = 1
                above = rows + gap
            panel.styles.margin = (gap, 0, 0, 0)
            if row_in_panel is not None:
                pointer_row = above + row_in_panel
            rows = max(rows, above + height)
            is_first = False
        if self.columns_with_map is None:  # else it gets them with the map
            self.query_one(self.BOARD).styles.max_height = rows
        if pointer_row is not None:
            scroller = self.query_one("#board-room", VerticalScroll)
            self.call_after_refresh(self._bring_into_view, scroller, pointer_row)
        return rows

    def _look_of_sides(self, width: int, only: str | None) -> SideLook:
        """How both sides, or ``only`` one, are painted in ``width`` columns."""
        width_of_side = width
        if only is None:  # a column stays free between the two
            width_of_side = width // 2 - 1
        is_wide = width >= WIDE - MARGIN  # what is left of a wide screen without its margins
        look = SideLook(
            width_of_side,
            self.formatted,
            self.skirmish.settings.measure,
            pointer=self.pointer,
            coloured=is_wide,
            numbers=is_wide,
            whole=only is not None,
        )
        shares = self.columns_with_map
        if shares is not None:
            look = look._replace(
                width=shares.sides - 2,  # without the scroll bar and a column beside it
                coloured=True,
                numbers=shares.numbers,
                barred=self.app.size.height >= SPACIOUS,
            )
        draft = self.draft_in_hand
        if draft is None or self.journal_cursor is not None or self.state.outcome is not None:
            return look
        return look._replace(offered=draft.offered, chosen=draft.chosen)

    @property
    def is_aiming(self) -> bool:
        # A repeat shot lies ready to be fired, though nobody has pressed a key for it yet.
        return super().is_aiming or isinstance(self.state.ask, RepeatAsk)

    def acting(self) -> list[header.WhoActs]:
        """Who moves and who fires; nobody after the end."""
        if self.state.outcome is not None:
            return []
        return header.who_acts(self.state)

    def show_verdict(self, width: int, screen_rows: int) -> int:
        self._free_rows_are_for_firer = False
        return super().show_verdict(width, screen_rows)

    def show_without_verdict(self, width: int) -> int:
        """Who moves and who fires, in large letters, where there is room and nothing to report."""
        acting = self.acting()
        if self.columns_with_map is None or not acting:
            return super().show_without_verdict(width)
        if len(acting) > 1 and not self.is_spacious:
            if not self._journal_is_on_board:
                return super().show_without_verdict(width)
            # Two have no room. Beside a journal in a column of its own, ``use_free_rows`` decides
            # whether one of them has.
            self._free_rows_are_for_firer = True
            return 0
        sizes: list[Enlarge] = [low_letters]
        if len(acting) == 1 and self.is_spacious:
            sizes.insert(0, high_letters)
        lines = []
        for who in acting:
            style = f"bold {side_style(self.state, who.side)}"
            lines.append(Content.styled(largest(who.words, width, sizes), style))
        words = Content("\n\n").join(lines)
        self.query_one(VerdictRow).show_words(words)
        return words.plain.count("\n") + 1

    def use_free_rows(self, width: int, free: int) -> None:
        """Show who fires in large letters, in the rows that nothing else needs, where there is no
        room to show who moves as well: newcomers try to fire in their own movement."""
        if not self._free_rows_are_for_firer:
            return
        if free < LOW_ROWS:
            self.query_one(VerdictRow).display = False
            return
        firer = self.acting()[-1]  # behind who moves
        style = f"bold {side_style(self.state, firer.side)}"
        words = Content.styled(largest(firer.words, width - 2, [low_letters]), style)
        self.query_one(VerdictRow).show_words(words)

    # ------------------------------------------------------------------ the map

    @property
    def columns_with_map(self) -> Columns | None:
        """How the screen is divided, if the map stands beside both sides."""
        size, scenario = self.app.size, self.state.setup.scenario
        if size.height < MAP_FROM or self._map_failed:
            return None
        if scenario is None or scenario.map is None:
            return None
        tab = self._tab_in_front()
        if tab != "both_sides" and not self._has_rows_to_spare:
            return None
        for shares in PAGES_WITH_MAP[tab]:
            if size.width >= shares.screen:
                return shares
        return None

    @property
    def is_spacious(self) -> bool:
        """Whether the screen has a map and so much room that the journal has a column from top to
        bottom, and what is due and how victory stands have their places on the board."""
        shares = self.columns_with_map
        return self._has_rows_to_spare and shares is not None and shares.journal > 0

    @property
    def _has_rows_to_spare(self) -> bool:
        """Whether the screen is so large that pages have the map beside them."""
        size = self.app.size
        return size.width >= LARGE and size.height >= SPACIOUS

    def _show_or_hide_map(self) -> None:
        """Divide the screen with the map or without it; mount the map where it is shown first."""
        shares = self.columns_with_map
        if shares is not None and self._map is None:
            self._map = unless_it_fails(
                self._mounted_map, instead=self._leave_map_out, missing="The map is"
            )
            shares = self.columns_with_map  # None if it could not be mounted
        self.set_class(shares is not None, "-mapped")
        if self._map is not None:
            board_room = self.query_one("#board-room")
            columns = None
            board_room.display = True
            if shares is not None:
                columns = shares.sides
                board_room.display = shares.sides > 0
            # The screen is divided anew whenever a width is set to None, whatever it was.
            if columns != self._columns_of_sides:
                self._columns_of_sides = columns
                board_room.styles.width = columns
            self._map.display = shares is not None
            self.query_one("#map-side").display = shares is not None
            self.query_one("#aside-room").display = self._journal_is_on_board

    def _mounted_map(self) -> MapPanel:
        """The map, mounted beside both sides, with room for the journal."""
        from skirmish.app.battle.map_panel import MapPanel

        scenario = self.state.setup.scenario
        panel = MapPanel(scenario, scenario.map)
        map_side = Vertical(id="map-side")
        aside = SideColumn(id="aside-room")
        journal = Part("aside")
        journal.styles.text_wrap = "nowrap"
        # One after another, so that all of them are there at once to be written to.
        self.query_one(self.BOARD).mount(map_side, aside)
        map_side.mount(panel, Part("below-map"))
        aside.mount(journal)
        return panel

    def journal_column(self, page: BesidePage | None, beside_width: int) -> int:
        shares = self.columns_with_map
        if shares is not None:
            return shares.journal
        return super().journal_column(page, beside_width)

    def line_style(self, line: JournalLine) -> str:
        """The style of a line: in the colour of the side that gave the order, where sides have
        theirs, on a wide screen."""
        if not isinstance(line, BattleLine) or line.side is None or self.app.size.width < WIDE:
            return super().line_style(line)
        return side_style(self.state, line.side)

    def show_journal(self, journal: JournalRows, *, below: bool) -> None:
        shares = self.columns_with_map
        if shares is None or not self._journal_is_on_board:
            super().show_journal(journal, below=below)
            return
        self.query_one("#journal-room").display = False
        self.query_one("#aside-room").styles.width = shares.journal
        self.fill_journal(journal, "aside")

    @property
    def _journal_is_on_board(self) -> bool:
        """Whether the journal stands beside the map, and ends where that does."""
        shares = self.columns_with_map
        return shares is not None and shares.journal > 0 and not self.is_spacious

    def _leave_map_out(self, line: str) -> None:
        """Divide the screen anew as if the scenario had no map; ``line`` says why."""
        self._map_failed, self.note = True, line
        self.call_after_refresh(self.show_state)

    def set_board_rows(self, rows: int, *, at_most: bool) -> None:
        # With a map the board gets its rows in ``_draw_map``: to set them twice would divide the
        # screen anew each time.
        if self.columns_with_map is None or self._map is None:
            super().set_board_rows(rows, at_most=at_most)

    def make_room(self, rows: int, used: RowsUsed) -> None:
        """The map gets rows that nothing else needs, no more than belong to its columns."""
        super().make_room(rows, used)
        shares, panel = self.columns_with_map, self._map
        if shares is not None and panel is not None:
            draw = partial(self._draw_map, panel, shares, rows - used.total, used.board)
            unless_it_fails(draw, instead=self._leave_map_out, missing="The map is")

    def _draw_map(self, panel: MapPanel, shares: Columns, free: int, sides_rows: int) -> None:
        """Draw the map beside the rows of both sides, into them and those that are free."""
        from skirmish.app.scenarios.map_picture import inks_of

        columns = self.app.size.width - shares.sides - shares.journal - MARGIN
        room = max(sides_rows + free, LEAST_BOARD)
        # As high as the higher of both wants to be, within the room.
        height = min(max(sides_rows, panel.rows_wanted(columns)), room)
        if self.is_spacious:  # all rows: what stands below map and sides takes the rest
            height = room
        # That of `GameScreen`: our own leaves the rows alone where there is a map.
        super().set_board_rows(height, at_most=True)
        map_height = height
        if self.is_spacious:
            map_height = self._map_rows(panel, columns, height, sides_rows)
        panel.draw((columns, map_height), inks_of(self.skirmish))
        self._show_below_board(panel, columns, height, sides_rows)

    def _map_rows(self, panel: MapPanel, columns: int, height: int, sides_rows: int) -> int:
        """The rows of the map on a board of that height, whose other column has ``sides_rows``: as
        many as belong to its columns, but the terms of victory have their place."""
        from skirmish.app.battle.standing import rows_of_victory

        wanted = min(panel.rows_wanted(columns), height)
        if self._tab_in_front() == "due_page":  # which has the terms of victory
            return wanted
        # They stand below both sides, or else, where these leave too little room, below the map.
        below_sides = self._below_sides(height, sides_rows)
        victory = self._victory_lines()
        if rows_of_victory(victory, below_sides.width) > below_sides.height:
            left_for_map = height - rows_of_victory(victory, columns)
            wanted = min(wanted, max(left_for_map, LEAST_MAP))
        return wanted

    def _below_sides(self, height: int, sides_rows: int) -> Size:
        """The room below both sides on a board of that height; none where only the map is."""
        shares = self.columns_with_map
        if shares is None or not shares.sides:
            return Size(1, 0)  # in no column at all no text can be wrapped
        return Size(self._below_sides_width, height - sides_rows)

    @property
    def _below_sides_width(self) -> int:
        """The columns of what stands below both sides, where the map is."""
        shares = self.columns_with_map
        assert shares is not None
        # A column stays free for the scroll bar, another at each side.
        return shares.sides - 3

    def _victory_lines(self) -> list[Content]:
        """What each side needs to win, and has, a line each."""
        return [lead_line(term, self.formatted) for term in self.terms]

    def _show_below_board(
        self, panel: MapPanel, columns: int, height: int, sides_rows: int
    ) -> None:
        """Below both sides and the map: victory, what is due, the key of the map."""
        below_sides = below_map = Content("")
        is_due_page = self._tab_in_front() == "due_page"
        if self.is_spacious:
            from skirmish.app.battle.standing import Standing, below_board

            standing = Standing(self._victory_lines(), self.due_lines(), panel.key_rows(columns))
            if is_due_page:  # the page itself has victory and what is due
                standing = Standing([], [], panel.key_rows(columns))
            below = below_board(
                standing,
                self._below_sides(height, sides_rows),
                Size(columns, height - panel.rows),
                more_on_f7,
            )
            below_sides = Content("\n").join(below.sides)
            below_map = Content("\n").join(below.map)
        self.write("below-map", below_map)
        if not is_due_page:
            self.query_one("#board").display = bool(below_sides.plain)
            self.write("board", below_sides)

    def _bring_into_view(self, scroller: VerticalScroll, line: int) -> None:
        """Scroll so that this line, counted from 0, is seen."""
        top, height = scroller.scroll_y, scroller.size.height
        if not top <= line < top + height:
            scroller.scroll_to(y=max(line - height + 1, 0), animate=False)

    def in_front(self, width: int, *, tall: bool) -> list[Content]:
        if self.journal_cursor is not None:
            return super().in_front(width, tall=tall)
        draft = self.draft_in_hand
        if draft is None:
            over = ""
            if self.state.outcome is not None:
                over = "The battle is over. Backspace opens it again; Y is the summary, N a note."
                if self.state.setup.campaign is not None:
                    over = "The battle is over. Ctrl+G goes to its campaign; Y is the summary."
            return [Content(over)]
        lines = draft_lines(
            draft, width, self.formatted, tall=tall, what_if=self.what_if, listed=self.listed
        )
        shown = list(lines)
        if self.listed:
            self._bring_option_into_view(shown)
        return shown

    def _bring_option_into_view(self, lines: Sequence[Content]) -> None:
        """Scroll to the option under the cursor, whose line begins with its key."""
        for number, line in enumerate(lines):
            if line.plain.startswith(f"{self.listed} "):
                scroller = self.query_one("#asked-room", VerticalScroll)
                self.call_after_refresh(self._bring_into_view, scroller, number)

    def situation(self, width: int) -> Content:
        """What each side needs and has, shortened to one row if possible; the page of due events
        has it in full. Who can no longer win stands in a row of its own."""
        if self._tab_in_front() == "due_page" or self.is_spacious:
            return Content("")
        rows, terms = [], []
        for term in self.terms:
            if term.tone == "bad":  # a side that can no longer win
                rows.append(lead_line(term, self.formatted))
            else:
                terms.append(term)
        rows.append(self._progress(terms, width))
        return Content("\n").join(row for row in rows if row)

    def _progress(self, terms: Sequence[Paragraph], width: int) -> Content:
        """The terms of victory in one row if they fit, also without their last turns; else a row
        for each."""
        whole, brief = [], []
        for term in terms:
            whole.append(lead_line(term, self.formatted))
            without_turn = Paragraph(_BY_LAST_TURN.sub("", term.text), term.lead, term.tone)
            brief.append(lead_line(without_turn, self.formatted))
        for lines in (whole, brief):
            together = Content("   ").join(lines)
            if together.cell_length <= width:
                return together
        rows = []
        for line, brief_line in zip(whole, brief, strict=True):
            if line.cell_length <= width:
                rows.append(line)
            else:
                rows.append(brief_line)
        return Content("\n").join(rows)

    @property
    def terms(self) -> Sequence[Paragraph]:
        """What each side needs to win, and has."""
        return self.once(("terms", self.viewer), self._progress_of_sides)

    def _progress_of_sides(self) -> Sequence[Paragraph]:
        return tuple(self.game.progress(self.state, self.statuses()))

    def statuses(self) -> Sequence[VictoryStatus] | None:
        """How victory stands as the viewer may see it; None: as it is."""
        return None

    def due_page(self) -> Page:
        """What is due now, with how each side stands in the battle."""
        return self.game.due_and_progress(self.session.play, self.statuses())

    def show_due(self, width: int, most_rows: int) -> int:
        if self._tab_in_front() == "due_page" or self.is_spacious:  # which have it on the board
            self.query_one("#due").display = False
            return 0
        return super().show_due(width, most_rows)

    def columns_beside(self, columns: int) -> int:
        shares = self.columns_with_map
        if shares is not None:
            # Where there is less room, the journal stands within the board.
            if not self.is_spacious:
                return 0
            return shares.journal
        if columns < LARGE or self._tab_in_front() == "journal_page":
            return 0
        # What is left beside a wide screen and the edges.
        return min(max(columns - WIDE - 4, ASIDE), WIDEST_ASIDE)

    def lines_wanted(self) -> int:
        if self.tab == "journal_page":
            return CURSOR_REACH
        return super().lines_wanted()

    # ------------------------------------------------------------------ keys and mouse

    async def press(self, key: str) -> None:
        """A key of a cursor, or of the game."""
        draft = self.draft_in_hand
        if key in WALKING and self.pointer is not None:
            await self._walk(key)
            return
        if self.journal_cursor is None and draft is not None:
            if await self._walk_through_changes(key, draft):
                return
            if await self._walk_through_list(key, draft):
                return
        self.what_if, self.listed = None, ""
        # Digits leave the cursor where it is: they may be the count in front of its row, a volley.
        if key not in ("left", "right") and not key.isdigit():
            self.pointer = None
        await super().press(key)

    async def _walk_through_changes(self, key: str, draft: AnyDraft) -> bool:
        """Up and Down go through the what-ifs of a shot, Enter makes the change under the cursor
        and Esc leaves them; False where the key is none of these or there is no what-if."""
        if key not in WALKING:
            return False
        keys = change_keys(draft)
        if not keys:
            return False
        if key in ("up", "down"):
            self.what_if = _walked(self.what_if, len(keys), key)
        elif self.what_if is None:
            return False
        else:
            change_key = keys[self.what_if]
            self.what_if = None
            if key == "enter":
                await self._make_change(change_key, draft)
                return True
        self.note = ""
        self.show_state()
        return True

    async def _make_change(self, key: str, draft: AnyDraft) -> None:
        """Change the shot in hand, or the one that may be fired again."""
        slot = draft.slot
        if slot is not None and not draft.answers and slot.proposed is not None:
            draft = draft.answered(slot.proposed)  # fire again at the row that is proposed
        await self.take(draft.press(key))

    async def _walk_through_list(self, key: str, draft: AnyDraft) -> bool:
        """Up and Down go through the options of a list that a command shows, Enter takes the one
        under the cursor; False where the key is none of these or there is no list."""
        keys = list_keys(draft)
        if not keys or key not in ("up", "down", "enter"):
            return False
        if key == "enter":
            if self.listed not in keys:
                return False
            option_key, self.listed = self.listed, ""
            for sign in option_key:  # options of a long list have keys of several characters
                await super().press(sign)
            return True
        index = None
        if self.listed in keys:
            index = keys.index(self.listed)
        self.listed = keys[_walked(index, len(keys), key)]
        self.note = ""
        self.show_state()
        return True

    async def action_walk(self, key: str) -> None:
        self.journal_cursor = None
        await self._walk(key)

    async def _walk(self, key: str) -> None:
        """The cursor goes through the rows of both sides; Enter chooses the one under it."""
        draft, self.note = self.draft_in_hand, ""
        if key == "escape":
            self.pointer = None
            self.show_state()
        elif draft is None or not (draft.offered or draft.chosen):
            self.say(NO_ROW)
        elif key == "enter" and self.pointer is not None:
            row_key = self.pointer
            self.pointer = None
            await self._take_row(row_key, walking=True)
        else:
            if key in ("left", "right"):
                self._walk_to_side(key, draft)
            else:
                self._walk_along_side(key, draft)
            self.show_state()

    def _walk_to_side(self, key: str, draft: AnyDraft) -> None:
        """To the side on the left or on the right; at first to the side that is asked about."""
        left, right = (side.id for side in self.state.setup.sides)
        wanted = left
        if key == "right":
            wanted = right
        if self.pointer is None:
            sides_offered = {row_side(row) for row in draft.offered}
            if len(sides_offered) == 1:
                wanted = sides_offered.pop()
        elif row_side(self.pointer) == wanted:
            return
        self.pointer = self._first_row(wanted, draft)

    def _walk_along_side(self, key: str, draft: AnyDraft) -> None:
        """To the row above or below; after the last one comes the first."""
        if self.pointer is None:
            return
        side = row_side(self.pointer)
        keys = [row.key for row in in_sight(self.state, side, draft.offered)]
        index = 0
        if self.pointer in keys:
            index = keys.index(self.pointer)
        self.pointer = keys[_walked(index, len(keys), key)]

    def _first_row(self, side: str, draft: AnyDraft) -> str | None:
        """The row selected before, or else the first that can still fire, or else the first."""
        its_rows = in_sight(self.state, side, draft.offered)
        for row in its_rows:
            if row.key in draft.chosen:
                return row.key
        fires = side == self.state.firing_side
        for row in its_rows:
            # On the other side a target is chosen: whether it could fire does not matter.
            if row.here and (row.ready_count or not fires):
                return row.key
        if not its_rows:
            return None
        return its_rows[0].key

    async def _take_row(self, row_key: str, *, walking: bool = False) -> None:
        """Answer with a row of the board; ``walking``: it was chosen by arrows."""
        try:
            draft = self.picked(row_key)
        except UnfitAnswer as unfit:
            self.say(str(unfit))
            return
        await self.take(draft)
        # By arrows the next question is answered by arrows, too: the cursor goes to its rows.
        if walking and self.draft is not None and isinstance(self.draft.slot, Choose):
            sides_offered = {row_side(offered) for offered in self.draft.offered}
            self.pointer = None
            if len(sides_offered) == 1:
                self.pointer = self._first_row(sides_offered.pop(), self.draft)
            self.show_state()

    async def on_side_panel_picked(self, event: SidePanel.Picked) -> None:
        await self._take_row(event.row_key)

    async def step_out(self) -> None:
        """Esc where nothing is begun: a question for a card or a number is left by undoing what led
        to it; nothing else is left."""
        is_choice = self.draft is not None and isinstance(self.draft.slot, Choose)
        if self.prompt is None or is_choice:
            self.show_state()
        else:
            await self.carry_out(self.session.undo())

    def begin(self) -> None:
        self.pointer, self.what_if, self.listed = None, None, ""
        super().begin()

    # ------------------------------------------------------------------ pages

    def action_turn_to(self, tab: Tab) -> None:
        """Open a page; the key of the one in front leads back to both sides."""
        self.pointer = None  # a cursor on another page would switch back to both sides
        if tab == self._tab_in_front():
            tab = "both_sides"
        self.tab = tab
        self._entries_when_turned = len(self.session.play.entries)
        self.show_state()

    def action_questions(self) -> None:
        self.app.push_screen(self.skirmish.make_screen("questions", self.session), self.begin_anew)

    def action_scenario(self) -> None:
        from skirmish.games.plastic.scenarios.pages import PageSource

        setup = self.state.setup
        if setup.scenario is None:
            self.say("A battle of two armies has no scenario and no map. F7 shows what is due.")
            return
        book, measured = library.rulings(), self.skirmish.measured
        # With the rulings of this battle; which figures one owns is no matter once it is fought.
        source = PageSource(setup.scenario, setup.catalog, book, setup.rulings, measured, {})
        self.skirmish.show("scenarios", source)

    def action_rulings(self) -> None:
        from skirmish.app.reference.rulings import RulingsScreen

        rulings = self.state.setup.rulings
        self.app.push_screen(RulingsScreen(rulings, self.scenario_number))


def _walked(index: int | None, count: int, key: str) -> int:
    """Where a cursor goes by Up or Down in a list of so many; past an end it goes on at the other.
    From nowhere Down leads to the first, Up to the last."""
    if key == "up":
        if index is None:
            index = 0
        return (index - 1) % count
    if index is None:
        return 0
    return (index + 1) % count


# ------------------------------------------------------------------ what is put together


def draft_lines(
    draft: Draft[Any],
    width: int,
    formatted: Callable[[str], str],
    *,
    tall: bool,
    what_if: int | None = None,
    listed: str = "",
) -> Iterator[Content]:
    """A draft in ``width`` columns; ``what_if`` is the change under the cursor, ``listed`` the
    key of the option under it. Unless the screen is ``tall``, changes share lines."""
    *blocks, last = mapped(asked_page(draft, rows=False, confirm="Space"), formatted).blocks
    # What could be changed stands below the shot, and the question last.
    others = [block for block in blocks if not isinstance(block, Table)]
    tables = [block for block in blocks if isinstance(block, Table)]
    for block in (*others, *tables, last):
        if isinstance(block, Table):
            yield from _changes(block, width, what_if, tall=tall)
        elif isinstance(block, Choices) and listed:
            rows = []
            for choice in block.rows:
                rows.append(msgspec.structs.replace(choice, has_cursor=choice.key == listed))
            yield from block_lines(Choices(tuple(rows)), width)
        else:
            yield from _clickable(block, width)


def _clickable(block: Block, width: int) -> Iterator[Content]:
    """The lines of a block; the key of a note that begins with ``Space:`` can be clicked."""
    if not isinstance(block, Note) or not block.text.startswith("Space: "):
        yield from block_lines(block, width)
        return
    rest = block.text.removeprefix("Space: ")
    key = Content.styled("Space", KEY).stylize("@click=screen.press('space')")
    yield from Content.assemble(key, (f" {rest}", DIM)).wrap(width)


def list_keys(draft: Draft[Any]) -> list[str]:
    """The keys of the options that can be chosen now, where a command shows a list of them; rows
    of the board are walked through on the board, and a prompt leaves the arrows to the journal."""
    slot = draft.slot
    if not draft.command.key or not isinstance(slot, Choose) or slot.rows or draft.typed:
        return []
    return [key for key, option in keyed(slot.options) if not option.why_not]


def change_keys(draft: Draft[Any]) -> list[str]:
    """The keys of the what-ifs of a shot in hand."""
    keys = []
    for block in preview(draft).blocks:
        if isinstance(block, Table):
            for row in block.rows:
                key = row[0]
                if key:  # the first row is the shot as it is
                    keys.append(key)
    return keys


def _changes(table: Table, width: int, what_if: int | None, *, tall: bool) -> Iterator[Content]:
    """The what-ifs, as a table or in few lines; ``what_if`` is the number of the one under the
    cursor."""
    # The first cell is the key. The row of the shot as it is has none.
    with_key = [row for row in table.rows if row[0]]
    if not tall:
        yield from _changes_in_short(with_key, width, what_if)
        return
    mark = None
    if what_if is not None and what_if < len(with_key):
        mark = table.rows.index(with_key[what_if])
    yield from block_lines(msgspec.structs.replace(table, mark=mark), width)


def _changes_in_short(
    rows: Sequence[tuple[str, ...]], width: int, what_if: int | None
) -> list[Content]:
    """As many changes as fit behind one another, from the one under the cursor on."""
    lines = [Content.assemble((WHAT_IF, DIM), ("↓", KEY))]
    indent = Content(" " * (len(WHAT_IF) + 1))
    first = what_if or 0
    for number, row in enumerate(rows[first:], first):
        change = _in_short(ChangeRow(*row), chosen=number == what_if)
        if lines[-1].cell_length + change.cell_length > width:
            if len(lines) == MOST_LINES:
                break
            lines.append(indent)
        lines[-1] = Content.assemble(lines[-1], change)
    return lines


OTHER_SHOTS = (what_if_key("weapon"), what_if_key("shooter"))
"""The keys of changes that fire another gun or another unit: another shot, with its own chance."""


def _in_short(change: ChangeRow, *, chosen: bool) -> Content:
    """A change in a few words: the chance of the shot that its key leads to. Where the same shot
    hits as often and only kills another man, the chance of the man aimed at is shown instead."""
    name_style, enter = "", ""
    if chosen:
        name_style, enter = f"{KEY} reverse", " Enter"
    name = Content.assemble("   ", (change.key, KEY), " ", (change.words, name_style))
    hits_as_often = change.key not in OTHER_SHOTS and change.difference == "="
    if change.is_forbidden:
        why_not = change.man_aimed_at  # its cell holds the reason then
        effect = Content.styled(f": no, {why_not}", DIM)
    elif hits_as_often and change.man_aimed_at:
        effect = Content.assemble(": man aimed at ", (change.man_aimed_at, STRONG))
    else:
        difference = ""
        if change.difference:
            difference = f" {change.difference}"
        effect = Content.assemble((f" {change.chance}", STRONG), difference)
    return Content.assemble(name, effect, (enter, KEY))


class SummaryScreen(SummaryPage):
    """The summary of a battle, from which its report is printed and its luck is shown."""

    HELP = (
        "Losses count as the journal stands now: what was undone or made void is left out, and "
        "what was written off by hand has a column of its own. Left and Right choose a loss of the "
        "strip, and Enter opens its line of the journal; so does a click."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "summary",
        ("open", "enter", "open", "", "Open the journal at the chosen loss"),
        ("back", "Y", "app.pop_screen", "", "Back"),
        ("print", "p,P", "print", "Print", "Print the report"),
        ("luck", "l", "luck", "Luck",
         "Who had the luck: kills that were to be expected, and kills made"),
        ("loss", "right", "choose(1)", "Losses", "The next loss of the strip"),
        ("loss_before", "left", "choose(-1)", "", "The loss before"),
    )  # fmt: skip

    def __init__(self, session: AnySession, open_journal: Callable[[int], None]) -> None:
        super().__init__(session)
        self._open_journal = open_journal
        self._chosen: int | None = None
        """Which of the losses, in the order in which they fell; it may be past their ends."""
        self._entries_shown = len(session.play)

    def on_screen_resume(self) -> None:
        if len(self._session.play) != self._entries_shown:  # a line was made void in the journal
            self._entries_shown, self._chosen = len(self._session.play), None
            self.show_anew()

    def picture(self, width: int) -> Content | None:
        return unless_it_fails(
            partial(self._strip, width), instead=Content, missing="The casualty strip is"
        )

    def _strip(self, width: int) -> Content:
        """The casualty strip, with the chosen loss in words below it."""
        from skirmish.app.battle.strip import loss_line, strip_lines

        strip = self._casualties()
        loss = self._chosen_loss(strip)
        piece = ""
        if loss is not None:
            piece = loss.piece
        signs = self._session.play.state.setup.signs
        lines = strip_lines(strip, signs, width, chosen=piece)
        if loss is not None:
            words = self.skirmish.measured(loss_line(strip, loss))
            lines.append(Content.styled(f"{words} Enter: its line of the journal.", STRONG))
        return Content("\n").join(lines)

    def _casualties(self) -> CasualtyStrip:
        from skirmish.games.plastic.casualties import casualty_strip

        return casualty_strip(self._session.play)

    def _chosen_loss(self, strip: CasualtyStrip) -> Casualty | None:
        losses = strip.in_order
        if self._chosen is None or not losses:
            return None
        return losses[self._chosen % len(losses)]

    def action_choose(self, by: int) -> None:
        """Choose the next loss; at first the first of all, or the last."""
        if self._chosen is not None:
            self._chosen += by
        elif by > 0:
            self._chosen = 0
        else:
            self._chosen = -1
        self.paint()

    def action_open(self) -> None:
        """Open the line of the chosen loss; close the page if none is chosen."""
        loss = self._chosen_loss(self._casualties())
        if loss is None:
            self.app.pop_screen()
        else:
            self._open_journal(loss.entry)

    def action_look(self, number: int) -> None:
        self._open_journal(number)

    def action_print(self) -> None:
        from skirmish.app.printing import print_of_game
        from skirmish.sheets.plastic import PLASTIC

        job = print_of_game(self.skirmish, PLASTIC["report"], self._session)
        self.run_worker(job, group="print")

    def action_luck(self) -> None:
        self.app.push_screen(LuckScreen(self._session))


class LuckScreen(PageScreen):
    """Kills expected and kills made. The chance of every shot is worked out anew, which
    takes long: hence ``WORK``."""

    TOPIC: ClassVar[str] = "luck"
    WORK: ClassVar[str] = "Adding up all the chances"
    paragraph = "odds"
    HELP = (
        "Expected kills are the chances of all shots, each with the cards that were left before "
        "its draw. “Luckier than 80%”: with the same chances, 80 of 100 sides would have killed "
        "fewer. A hit counts as one kill, whoever was aboard."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "luck", ("back", "l", "app.pop_screen", "", "Back to the summary")
    )

    def __init__(self, session: AnySession) -> None:
        from skirmish.games.plastic.luck import luck_page

        super().__init__(
            lambda: luck_page(session.play, self.skirmish.settings.deck_knowledge, with_shots=True),
            session.game.colours(session.state),
        )

    def painted_page(self, page: Page, width: int) -> Content:
        if width >= TWO_COLUMNS_FROM:
            page = _shots_beside(page)
        return super().painted_page(page, width)


def _shots_beside(page: Page) -> Page:
    """The list of shots beside all that stands above it elsewhere."""
    from skirmish.games.plastic.luck import SHOTS

    left: list[Block] = []
    right: list[Block] = []
    for block in page.in_one_column():
        if right or (isinstance(block, Heading) and block.text == SHOTS):
            right.append(block)
        else:
            left.append(block)
    return msgspec.structs.replace(page, blocks=(Beside(tuple(left), tuple(right)),))


class BattleQuestions(QuestionScreen, BattleOrderingScreen):
    """A battle asked one question at a time, with the last shot as an answer of its own."""

    CSS_PATH = "../play/questions.tcss"
    # The keys of the answers that stand apart, and of the one for the same shot.
    ASIDES = (">", "E", "escape", "=", "enter", "tab", "F")
    SAME = "."
    HELP = (
        "One question at a time: who fires, at whom, what can be seen, and the draw.\n"
        "Press the letter of an answer, or go to it with the arrows and press Enter, or click it. "
        "Esc goes one question back; ⌫ undoes what was done.\n"
        "A card was misread, or he was in cover after all: Tab.\n"
        "Only what can change this shot is asked. Everything rarer (loading, leaving the table, "
        "reinforcements) is on the full screen: F2."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "question",
        ("judge_again", "tab", "other('tab')", "", "Put the last shot right: another card, or "
         "something seen; Tab again for the one before"),
        ("phase", "greater_than_sign", "other('>')", "", "Next phase"),
        ("end_turn", "E", "other('E')", "", "End this player turn"),
        ("tally", "equals_sign", "other('=')", "",
         "Count the hits of a volley of your own cards"),
        ("same", "full_stop", "same", "", "The same shot again, by the next man"),
        ("finish", "F", "other('F')", "", "Say who won; after the end, play on"),
    )  # fmt: skip

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._board_failed = False

    # ------------------------------------------------------------------ the board beside it

    @property
    def columns(self) -> int:
        width = super().columns
        if self._has_board:
            return width - int(width * QUESTION_BOARD)
        return width

    @property
    def _has_board(self) -> bool:
        """Whether map, strengths and losses stand beside the question."""
        size = self.app.size
        return size.width >= LARGE and size.height >= SPACIOUS and not self._board_failed

    def show_state(self) -> None:
        self.set_class(self._has_board, "-boarded")
        super().show_state()
        if self.is_mounted and self._has_board:
            unless_it_fails(self._show_board, instead=self._leave_board_out, missing="The board is")

    def _show_board(self) -> None:
        """The map, strengths and losses beside the question; mounted where they are shown first."""
        from skirmish.app.battle.map_panel import MapPanel
        from skirmish.app.home_board import standing_lines
        from skirmish.app.scenarios.map_picture import inks_of

        scenario = self.state.setup.scenario
        if not self.query("#question-board"):
            board = Vertical(id="question-board")
            self.mount(board)
            if scenario is not None and scenario.map is not None:
                board.mount(MapPanel(scenario, scenario.map))
            board.mount(Part("standing"))
        width = self.app.size.width - self.columns - AROUND_BOARD
        rows = 0
        for panel in self.query(MapPanel):
            panel.draw((width, self.app.size.height - BELOW_QUESTION_MAP), inks_of(self.skirmish))
            rows = panel.rows
        lines = self.once(
            ("standing", width), lambda: list(standing_lines(self.session.play, width))
        )
        if rows:  # a row between them and the map
            lines = [Content(""), *lines]
        self.write("standing", Content("\n").join(lines))

    def _leave_board_out(self, line: str) -> None:
        self._board_failed = True
        self.remove_class("-boarded")
        self.notify(line, markup=False, severity="warning")

    # ------------------------------------------------------------------ the same shot again

    def asides(self) -> Iterator[AnswerLine]:
        shot = self._same_shot()
        if shot:
            words = "The same shot again"
            yield AnswerLine(words, self.SAME, shot, action="same", aside=True)
        yield from super().asides()

    def _same_shot(self) -> str:
        """The last shot in a few words, if it can be fired again now."""
        if self.prompt is not None or self.earlier:
            return ""
        order = self.game.same_again(self.session.play)
        if not isinstance(order, Fire):  # an offered repeat shot is the question itself
            return ""
        # In large words an arrow stands between shooter and target.
        return same_shot_words(self.state, order).replace(" > ", " → ")

    async def action_same(self) -> None:
        if self._same_shot():
            await self.same()
        else:
            self.say("There is no shot here that could be fired again as it was.")

    def explanations(self) -> Iterator[str]:
        """The range of who fires, where a target is chosen; after a hit, whose death it is."""
        draft, question = self.draft, self.question
        if question is None or draft is None:
            return
        if question.name == "target" and draft.answers.get("shooter"):
            yield reach_words(self.state, draft.answers["shooter"])
        ask = self.state.ask
        if isinstance(ask, CasualtyAsk) and ask.count == 1:
            near = inches(self.state.setup.catalog.fire.exact_within)
            yield f"The man aimed at dies if he stood alone or was hit from within {near}: Enter."


# ------------------------------------------------------------------ as onlookers see it


class FollowBattle(BattleScreen, Following, inherit_bindings=False):
    """The battle screen of an onlooker. Without the bindings of `BattleScreen`: nothing can be
    ordered from here."""

    TOPIC: ClassVar[str] = "follow"
    SCROLLS = True
    JOURNAL = ""
    HELP = (
        "A battle that is being played in another terminal or browser tab. Nothing can be changed "
        "from here. When several results arrive at once, each is shown for two seconds.\n"
        "Hidden units are not shown to spectators or to the other side until they are revealed. "
        "One key switches between the spectator's view and the view of each side."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "follow",
        ("eyes", "v", "eyes", "View", "Watch as a spectator or as one of the sides"),
        ("up", "up", "scroll(-1)", "", "Scroll the journal up"),
        ("down", "down", "scroll(1)", "", "Scroll the journal down"),
        ("page_up", "pageup", "page(-8)", "", "Previous page of rows or lines"),
        ("page_down", "pagedown", "page(8)", "", "Next page of rows or lines"),
        *header.PAGES,
        ("home", "escape,H", "home", "Home", "Back to the home screen"),
    )

    def help_groups(self) -> list[KeyGroup]:
        """None: who only looks on gives no orders."""
        return []

    def is_verdict(self, entry: BattleEntry) -> bool:
        results = (
            events.HitsCounted | events.Judged | events.Tested | events.Checked | events.TableDrawn
        )
        return any(isinstance(event, results) for event in entry.events)

    def in_front(self, width: int, *, tall: bool) -> list[Content]:
        state: State = self.state
        verdict = self.verdict
        sizes: list[Enlarge] = [low_letters]
        if tall and verdict is None:
            sizes.insert(0, high_letters)
        rows = []
        if state.outcome is None and (tall or verdict is None):
            who_fires = state.setup.does(state.firing_side, "fire", "fires", article="").strip()
            picture = largest(who_fires, width, sizes)
            colour = side_style(state, state.firing_side)
            rows += [Content.styled(row, colour) for row in picture.split("\n")]
        rows.append(self.seen_by())
        waits = Content.styled(self.formatted(awaited(state)), STRONG)
        if waits.plain:
            rows.append(waits)
        return rows

    def acting(self) -> list[header.WhoActs]:
        return []  # who fires stands in large letters where the draft stands elsewhere

    def foot(self) -> Foot:
        return Foot()

    def show_below(self, width: int, free: int) -> int:
        del width, free
        return 0

    def statuses(self) -> Sequence[VictoryStatus]:
        return seen_status(self.session.real.state, self.viewer)

    def due(self) -> Page:
        return Page("")

    def show_keys(self, columns: int) -> None:
        self.refresh_bindings()

    def action_scroll(self, by: int) -> None:
        rooms = self.query("#beside-room, #aside-room, #journal-room")
        for scroller in rooms.results(VerticalScroll):
            if scroller.display:
                scroller.scroll_relative(y=by, animate=False)


def awaited(state: State) -> str:
    """The open question, without how it is answered."""
    if isinstance(state.ask, RepeatAsk):
        # Any other order declines the offer, so that it is no question and has no prompt.
        return f"{state.words.people(piece_side(state.ask.shot.piece))} may fire again."
    command = prompt(state)
    if command is None:
        return ""
    # The first sentence is the question; the others say which keys answer it.
    question, _, _ = Draft(command=command).text.partition(". ")
    return question


# ------------------------------------------------------------------ opening it


async def opened(app: Host, number: int) -> Screen[None]:
    """The screen of stored battle ``number``: one question at a time for a first evening, until it
    is decided, and for whoever chose so in the settings. Raises StoreError, RecordError."""
    session = await Session.resumed(registry.load("plastic"), app.stored, number)
    setup, outcome = session.state.setup, session.state.outcome
    is_first_evening = setup.title == FIRST_EVENING and outcome is None
    if is_first_evening or app.settings.questions:
        return BattleQuestions(session)
    return BattleScreen(session)
