"""What a screen of a battle shows, apart from what its keys do: the clock, both sides with the map
beside them, what stands in place of a verdict, victory, the journal, the casualty strip. A reader
may begin with ``BattleBoardScreen.show_board``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from skirmish.app.base_screen import HIGH, LARGE, SPACIOUS, WIDE
from skirmish.app.battle import header
from skirmish.app.battle.columns import LEAST_JOURNAL, MapColumns, columns_with_map, is_large
from skirmish.app.battle.draft_lines import draft_lines
from skirmish.app.battle.forces import SideLook, SidePanel, side_style
from skirmish.app.battle.header import Tab
from skirmish.app.battle.ordering import BattleOrderingScreen
from skirmish.app.page_view import painted
from skirmish.app.play.big_letters import LOW_ROWS, Enlarge, high_letters, largest, low_letters
from skirmish.app.play.game_parts import lead_line, sentence_page
from skirmish.app.play.game_screen import (
    COLUMN_EDGES,
    LEAST_BOARD,
    BesidePage,
    GameScreen,
    RowsUsed,
    SideColumn,
)
from skirmish.app.play.journal_cursor import CURSOR_REACH
from skirmish.app.play.journal_rows import JournalRows
from skirmish.app.play.part import Part
from skirmish.app.play.verdict_row import AFTER_WORD, VerdictRow
from skirmish.app.text_rows import hanging
from skirmish.app.text_styles import KEY
from skirmish.extras import unless_it_fails
from skirmish.games.plastic.battle.agenda import CasualtyAsk, InsideAsk, RepeatAsk
from skirmish.games.plastic.battle.lines import BattleLine
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory_questions import VictoryStatus
from skirmish.session import AnySession
from skirmish.tabletop.commands import chosen_rows, offered_rows
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.page import Page, Paragraph, mapped

if TYPE_CHECKING:
    from skirmish.app.battle.map_panel import MapPanel
    from skirmish.app.battle.standing import BelowBoard
    from skirmish.app.scenarios.map_picture import MapInks
    from skirmish.games.plastic.journal_facts import JournalFacts

MOST_JOURNAL = 64
"""The most columns of a journal in a column of its own where there is no map."""
EDGES_OF_SCREEN = 2
"""Columns of the left and the right edge of the screen together."""
LEAST_MAP = 12
"""The fewest rows of a map for which the terms of victory make room."""
GOAL_INDENT = 2
"""Columns before what one row of a goal has no room for."""
_BY_LAST_TURN = re.compile(r" by the end of [^,;:]+? turn \d+")
"""In terms of victory, this matches ``by the end of German turn 8``. It is omitted first where
there is little room, since the clock shows the last turn too."""


class CasualtyStripPart(Part):
    """The casualty strip above the keys."""

    DEFAULT_CSS = """
    CasualtyStripPart {
        padding: 0 1;
        text-wrap: nowrap;
        link-style: none;
    }
    """


class BattleBoardScreen(GameScreen, BattleOrderingScreen):
    """The screen of a battle as it looks. `BattleScreen` moves the three cursors, of which one
    shows at a time."""

    CSS_PATH = "../play/play.tcss"
    # How `GameScreen` divides the screen of a battle.
    HEAD = ("clock", "tabs", "who")
    DRAFT_BELOW_BOARD = True
    BOARD = "#battlefield"
    JOURNAL = "battle.journal"

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self.tab: Tab = "both_sides"
        """The page that the player has opened."""
        self.row_cursor: str | None = None
        """The key of the row under the cursor on the board; None: it is not there."""
        self.what_if_cursor: int | None = None
        """The number of the what-if under the cursor, from 0; None: it is not there."""
        self.option_cursor: str | None = None
        """The key of the option under the cursor in a list; None: it is not there."""
        self.entries_when_turned = 0
        """The number of entries when the player last turned to another page."""
        self._facts: JournalFacts | None = None
        """What the casualty strip has read from the journal; None until it is first shown."""
        self._has_strip_part = False
        """Whether the casualty strip is mounted, which it is when it is first shown."""
        self._map: MapPanel | None = None
        """Mounted when the map is first shown."""
        self._map_failed = False
        """Whether the map could not be painted: the screen goes on without it."""
        self._width_set_for_sides: int | None = None
        """The columns that both sides were given last; None: all there are."""
        self._free_rows_are_for_firer = False
        """Whether who fires gets the rows that nothing else needs. Each painting of the verdict
        decides it anew."""

    # ------------------------------------------------------------------ parts

    def board_room(self) -> Widget:
        return Horizontal(super().board_room(), id="battlefield")

    def panels(self) -> Iterable[Widget]:
        sides = self.state.setup.sides
        return (Horizontal(*(SidePanel(side.id) for side in sides), id="sides"), Part("board"))

    def foot(self) -> Widget:
        return Part("keys")

    def show_keys(self, columns: int) -> None:
        if self.is_writing:  # every other key is a part of the answer
            self._show_only_escape("cancel")
        elif self.journal_cursor is not None:  # the note says what other keys do to the line
            self._show_only_escape("leave")
        else:
            strip = header.key_strip(
                self.state, self.commands, columns, self.key_shown, self.draft_in_hand
            )
            self.write("keys", strip)

    def _show_only_escape(self, effect: str) -> None:
        """Paint Esc with what it does in place of the strip of keys."""
        key = Content.assemble((" Esc", KEY), f" {effect}")
        self.write("keys", key.stylize("@click=screen.press('escape')"))

    def key_shown(self, verb: str) -> str:
        """The key of a command as this player has it."""
        return self.skirmish.key(f"{self.TOPIC}.{verb}", header.BY_VERB[verb].key)

    @property
    def due_key(self) -> str:
        return self.key_shown("due_page")

    # ------------------------------------------------------------------ the head

    def head(self, width: int) -> dict[str, Content]:
        """The lines of the head by their parts, behind the number of the turn in large digits where
        there is room for it."""
        state: State = self.state
        turn_rows = self._turn_rows()
        line_width = width - turn_rows["clock"].cell_length
        # The tabs begin in the first column of the screen, the other lines in the second.
        tabs_width = width + 1 - turn_rows["tabs"].cell_length
        lines = {
            "clock": header.clock_line(state, line_width),
            "tabs": header.tab_line(state, self.tab_in_front, self.key_shown, tabs_width),
            "who": header.who_line(state, self.formatted, line_width),
        }
        return {part: turn_rows[part] + line for part, line in lines.items()}

    def _turn_rows(self) -> dict[str, Content]:
        """The row of the large digits before each line of the head; empty on a smaller screen."""
        size = self.app.size
        if size.width < WIDE or size.height < HIGH:
            return dict.fromkeys(self.HEAD, Content(""))
        turn_rows = dict(zip(self.HEAD, header.turn_picture(self.state), strict=True))
        # The line of the tabs has a background of its own, which must not begin left of the digits.
        turn_rows["tabs"] = Content.styled(" ", "on $background") + turn_rows["tabs"]
        return turn_rows

    @property
    def tab_in_front(self) -> Tab:
        """The page to show: the player's, unless the cursor or the question is about rows that it
        does not have."""
        side = self._side_to_see
        if side is None or header.side_of_tab(self.tab, self.state.setup) == side:
            return self.tab
        return "both_sides"

    @property
    def _side_to_see(self) -> str | None:
        """The side whose rows the cursor or a new question is about."""
        state: State = self.state
        if self.row_cursor is not None:
            return row_side(self.row_cursor)
        # These two are answered with rows of the board.
        if not isinstance(state.ask, CasualtyAsk | InsideAsk):
            return None
        # The last entry opened the question: whoever turned a page after it has seen it.
        if self.entries_when_turned == len(self.session.play.entries):
            return None
        return state.ask.side

    # ------------------------------------------------------------------ the board

    def show_board(self, width: int) -> int:
        """Show the page in front; returns the rows of both sides or of one, 0 for what is due and
        the journal, which take the rows that are left."""
        tab = self.tab_in_front
        battlefield, board = self.query_one(self.BOARD), self.query_one("#board")
        self._show_or_hide_map()
        # The page of the journal takes the place of both sides, but a map stays in view beside it.
        battlefield.display = tab != "journal_page" or self.map_columns is not None
        # ``#board`` has the page of what is due. On other pages of a roomy board it has what stands
        # below both sides (``_show_below_board``).
        if tab == "due_page":
            board.display = True
        elif not self.has_roomy_board:
            board.display = False
        self.query_one("#sides").display = tab != "due_page"
        if tab == "journal_page":
            return 0
        if tab == "due_page":
            self._show_due_page(width)
            battlefield.styles.max_height = None  # ``_show_sides`` may have set it
            return 0
        return self._show_sides(width, header.side_of_tab(tab, self.state.setup))

    def _show_due_page(self, width: int) -> None:
        """Paint what is due in place of both sides."""
        page = self.once(("due", self.viewer), self._due_page_or_sentence)
        if self.map_columns is not None:
            width = self._width_below_sides(self.map_columns)
        self.write("board", painted(mapped(page, self.formatted), width))

    def _due_page_or_sentence(self) -> Page:
        return unless_it_fails(
            self.due_page, instead=sentence_page, failure="What is due is not available"
        )

    def _show_sides(self, width: int, only_side: str | None) -> int:
        """Paint both sides beside one another, or below one another where the map stands beside
        them; or else the whole table of ``only_side``. Returns the rows."""
        look = self._look_of_sides(width, only_side)
        are_stacked = self.map_columns is not None
        panels = self._panels_of_sides(only_side)
        rows = 0
        row_to_see = None
        for panel in panels:
            row_in_panel = panel.show(self.state, look)
            gap = rows_above = 0
            if are_stacked and panel is not panels[0]:
                if look.has_bar:  # a screen with rows for bars has one between the sides, too
                    gap = 1
                rows_above = rows + gap
            panel.styles.margin = (gap, 0, 0, 0)
            if row_in_panel is not None:
                row_to_see = rows_above + row_in_panel
            rows = max(rows, rows_above + panel.line_count)
        if not are_stacked:  # with a map the board gets its rows in ``_draw_map``
            self.query_one(self.BOARD).styles.max_height = rows
        if row_to_see is not None:
            scroller = self.query_one("#board-room", VerticalScroll)
            self.call_after_refresh(self._bring_into_view, scroller, row_to_see)
        return rows

    def _panels_of_sides(self, only_side: str | None) -> list[SidePanel]:
        """Show the panels of both sides, or that of ``only_side``; returns those shown, from top to
        bottom."""
        shown = []
        for panel in self.query(SidePanel):
            panel.display = only_side in (None, panel.side)
            if panel.display:
                shown.append(panel)
        return shown

    def _look_of_sides(self, width: int, only_side: str | None) -> SideLook:
        """How both sides, or ``only_side``, are painted on a board of ``width`` columns."""
        width_of_side = width
        if only_side is None:  # each has half of them, the first of which is its empty left edge
            width_of_side = width // 2 - 1
        is_wide = width >= WIDE - EDGES_OF_SCREEN
        look = SideLook(
            width_of_side,
            self.formatted,
            self.skirmish.settings.measure,
            cursor=self.row_cursor,
            coloured=is_wide,
            has_numbers=is_wide,
            has_whole_table=only_side is not None,
        )
        columns = self.map_columns
        if columns is not None:
            look = look._replace(
                width=columns.sides - 2,  # without the scroll bar and a column beside it
                coloured=True,
                has_numbers=columns.numbers,
                has_bar=self.app.size.height >= SPACIOUS,
            )
        draft = self.draft_in_hand
        if draft is None or self.journal_cursor is not None or self.state.outcome is not None:
            return look
        return look._replace(offered=offered_rows(draft), chosen=chosen_rows(draft))

    def _bring_into_view(self, scroller: VerticalScroll, line: int) -> None:
        """Scroll so that this line, counted from 0, is seen."""
        top, height = scroller.scroll_y, scroller.size.height
        if not top <= line < top + height:
            scroller.scroll_to(y=max(line - height + 1, 0), animate=False)

    # ------------------------------------------------------------------ the draft

    @property
    def is_aiming(self) -> bool:
        # A repeat shot lies ready to be fired, though nobody has pressed a key for it yet.
        return super().is_aiming or isinstance(self.state.ask, RepeatAsk)

    def draft_rows(self, width: int, *, tall: bool) -> list[Content]:
        if self.journal_cursor is not None:
            return super().draft_rows(width, tall=tall)
        draft = self.draft_in_hand
        if draft is None:
            return [Content(self._next_steps_after_end)]
        lines = list(
            draft_lines(
                draft,
                width,
                self.formatted,
                tall=tall,
                what_if_cursor=self.what_if_cursor,
                option_cursor=self.option_cursor,
            )
        )
        if self.option_cursor is not None:
            self._bring_option_into_view(lines, self.option_cursor)
        return lines

    @property
    def _next_steps_after_end(self) -> str:
        """What can be done once the battle is over, in a campaign the way to it; empty before."""
        state: State = self.state
        if state.outcome is None:
            return ""
        if state.setup.campaign is not None:
            return "The battle is over. Ctrl+G goes to its campaign; Y is the summary."
        return "The battle is over. Backspace opens it again; Y is the summary, N a note."

    def _bring_option_into_view(self, lines: Sequence[Content], option_key: str) -> None:
        """Scroll to the option of that key, with which its line begins."""
        for number, line in enumerate(lines):
            if line.plain.startswith(f"{option_key} "):
                scroller = self.query_one("#asked-room", VerticalScroll)
                self.call_after_refresh(self._bring_into_view, scroller, number)

    # ------------------------------------------------------------------ in place of a verdict

    def acting(self) -> list[header.WhoActs]:
        """Who moves and who fires; nobody after the end."""
        if self.state.outcome is not None:
            return []
        return header.who_acts(self.state)

    def show_verdict(self, width: int, screen_rows: int) -> int:
        self._free_rows_are_for_firer = False
        return super().show_verdict(width, screen_rows)

    def show_without_verdict(self, width: int) -> int:
        """Paint who moves and who fires, in large letters, where there is room for them."""
        acting = self.acting()
        if self.map_columns is None or not acting:
            return super().show_without_verdict(width)
        one_moves_and_one_fires = len(acting) > 1
        if one_moves_and_one_fires and not self.has_roomy_board:
            if not self._journal_is_on_board:
                return super().show_without_verdict(width)
            # Only a roomy board has room for both. A journal on the board leaves its rows below it,
            # and ``use_free_rows`` shows who fires in those that nothing else needs.
            self._free_rows_are_for_firer = True
            return 0
        sizes: list[Enlarge] = [low_letters]
        if self.has_roomy_board and not one_moves_and_one_fires:
            sizes = [high_letters, low_letters]
        words = Content("\n\n").join(self._large(who, width, sizes) for who in acting)
        self.query_one(VerdictRow).show_words(words)
        return words.plain.count("\n") + 1

    def use_free_rows(self, width: int, free_rows: int) -> None:
        """Show who fires, in large letters, where there is no room to show who moves as well: this
        is what newcomers get wrong, who try to fire in their own movement."""
        if not self._free_rows_are_for_firer:
            return
        if free_rows < LOW_ROWS:
            self.query_one(VerdictRow).display = False
            return
        firer = self.acting()[-1]  # the one who moves comes first
        left_for_letters = width - AFTER_WORD  # a margin stands behind the letters
        letters = self._large(firer, left_for_letters, [low_letters])
        self.query_one(VerdictRow).show_words(letters)

    def _large(self, who: header.WhoActs, width: int, sizes: Sequence[Enlarge]) -> Content:
        """``Americans fire`` in the largest of these letters that fit, in the side's colour."""
        style = f"bold {side_style(self.state, who.side)}"
        return Content.styled(largest(who.words, width, sizes), style)

    # ------------------------------------------------------------------ room for the map

    @property
    def map_columns(self) -> MapColumns | None:
        """How the screen is divided, if the map stands beside both sides."""
        scenario = self.state.setup.scenario
        if self._map_failed or scenario is None or scenario.map is None:
            return None
        return columns_with_map(self.tab_in_front, self.app.size)

    @property
    def has_roomy_board(self) -> bool:
        """Whether the map leaves so much room that the journal has a column from the top of the
        screen to the bottom, and what is due and how victory stands have places on the board."""
        columns = self.map_columns
        return columns is not None and columns.journal > 0 and is_large(self.app.size)

    @property
    def _journal_is_on_board(self) -> bool:
        """Whether the journal stands beside the map, and ends where that does."""
        columns = self.map_columns
        return columns is not None and columns.journal > 0 and not self.has_roomy_board

    def _show_or_hide_map(self) -> None:
        """Divide the screen with the map or without it; mount the map when it is first shown."""
        if self.map_columns is not None and self._map is None:
            self._map = unless_it_fails(
                self._mount_map, instead=self._leave_map_out, failure="The map is not available"
            )
        columns = self.map_columns  # None if the map could not be mounted
        self.set_class(columns is not None, "-mapped")
        if self._map is None:
            return
        self._map.display = columns is not None
        self.query_one("#map-side").display = columns is not None
        self.query_one("#aside-room").display = self._journal_is_on_board
        self._give_columns_to_sides(columns)

    def _give_columns_to_sides(self, columns: MapColumns | None) -> None:
        """Set the width of both sides, which is all there is where the map is not shown."""
        board_room = self.query_one("#board-room")
        width = None
        board_room.display = True
        if columns is not None:
            width = columns.sides
            board_room.display = columns.sides > 0
        # Textual lays the screen out anew whenever a width is set to None, even if it was None.
        if width != self._width_set_for_sides:
            self._width_set_for_sides = width
            board_room.styles.width = width

    def _mount_map(self) -> MapPanel:
        """Mount the map beside both sides, with room for the journal; returns it."""
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

    def _leave_map_out(self, line: str) -> None:
        """Divide the screen anew as if the scenario had no map; ``line`` says why."""
        self._map_failed = True
        self.note = line
        self.call_after_refresh(self.show_state)

    # ------------------------------------------------------------------ rows of the map

    def set_board_rows(self, rows: int, *, at_most: bool) -> None:
        # With a map the board gets its rows in ``_draw_map``: to set them twice would divide the
        # screen anew each time.
        if self.map_columns is None or self._map is None:
            super().set_board_rows(rows, at_most=at_most)

    def make_room(self, rows: int, used: RowsUsed) -> None:
        """The map gets rows that nothing else needs, no more than belong to its columns."""
        super().make_room(rows, used)
        columns, panel = self.map_columns, self._map
        if columns is not None and panel is not None:
            rows_left_over = rows - used.total
            rows_for_board = max(used.board + rows_left_over, LEAST_BOARD)
            draw = partial(
                self._draw_map,
                panel,
                columns,
                most_rows=rows_for_board,
                sides_rows=used.board,
            )
            unless_it_fails(draw, instead=self._leave_map_out, failure="The map is not available")

    def _draw_map(
        self, panel: MapPanel, columns: MapColumns, most_rows: int, sides_rows: int
    ) -> None:
        """Draw the map beside both sides, which take ``sides_rows``; the board has ``most_rows`` at
        the most."""
        map_width = self.app.size.width - columns.sides - columns.journal - EDGES_OF_SCREEN
        if self.has_roomy_board:  # what stands below both sides and map takes the rows they leave
            board_rows = most_rows
            map_rows = self._rows_of_map(panel, Size(map_width, board_rows), sides_rows)
        else:  # as many rows as the sides or the map want, whichever want more
            board_rows = min(max(sides_rows, panel.rows_wanted(map_width)), most_rows)
            map_rows = board_rows
        # The method of `GameScreen`, since our own leaves the rows alone where there is a map.
        super().set_board_rows(board_rows, at_most=True)
        panel.draw(Size(map_width, map_rows), self._map_inks())
        self._show_below_board(panel, Size(map_width, board_rows), sides_rows)

    def _map_inks(self) -> MapInks:
        """The colours of the map."""
        from skirmish.app.scenarios.map_picture import inks_of

        return inks_of(self.skirmish)

    def _rows_of_map(self, panel: MapPanel, map_room: Size, sides_rows: int) -> int:
        """The rows of the map on a roomy board, whose part with the map has the size ``map_room``:
        as many as belong to its columns, but the terms of victory have their place."""
        from skirmish.app.battle.standing import rows_of_victory

        wanted = min(panel.rows_wanted(map_room.width), map_room.height)
        if self.tab_in_front == "due_page":  # which has the terms of victory
            return wanted
        # They stand below both sides, or else, where these leave too little room, below the map.
        below_sides = self._room_below_sides(map_room.height, sides_rows)
        victory = self._victory_lines()
        if rows_of_victory(victory, below_sides.width) > below_sides.height:
            left_for_map = map_room.height - rows_of_victory(victory, map_room.width)
            wanted = min(wanted, max(left_for_map, LEAST_MAP))
        return wanted

    def _room_below_sides(self, board_rows: int, sides_rows: int) -> Size:
        """The room below both sides on a board of so many rows; none where no side is shown."""
        columns = self.map_columns
        if columns is None or not columns.sides:
            return Size(1, 0)  # in no column at all no text can be wrapped
        return Size(self._width_below_sides(columns), board_rows - sides_rows)

    def _width_below_sides(self, columns: MapColumns) -> int:
        """The columns of what stands below both sides, where the map is."""
        # A column stays free for the scroll bar, another at each side.
        return columns.sides - 3

    def _show_below_board(self, panel: MapPanel, map_room: Size, sides_rows: int) -> None:
        """Show victory, what is due and the key of the map below both sides and the map, on a roomy
        board; elsewhere nothing."""
        below_sides = below_map = Content("")
        if self.has_roomy_board:
            below = self._below_roomy_board(panel, map_room, sides_rows)
            below_sides = Content("\n").join(below.sides)
            below_map = Content("\n").join(below.map)
        self.write("below-map", below_map)
        if self.tab_in_front != "due_page":  # that page has ``#board`` for itself
            self.query_one("#board").display = bool(below_sides.plain)
            self.write("board", below_sides)

    def _below_roomy_board(self, panel: MapPanel, map_room: Size, sides_rows: int) -> BelowBoard:
        """The rows below both sides, and those below the map."""
        from skirmish.app.battle.standing import Standing, below_board

        standing = Standing(self._victory_lines(), self.due_lines(), panel.key_rows(map_room.width))
        if self.tab_in_front == "due_page":  # the page itself has victory and what is due
            standing = standing._replace(terms=[], due=[])
        return below_board(
            standing,
            self._room_below_sides(map_room.height, sides_rows),
            Size(map_room.width, map_room.height - panel.rows),
            self.more_due_lines,
        )

    # ------------------------------------------------------------------ victory and what is due

    def situation(self, width: int) -> Content:
        """What each side needs and has, in one row if possible. Who can no longer win stands in a
        row of its own."""
        if self._victory_is_on_board:
            return Content("")
        rows, open_goals = [], []
        for goal in self.goals:
            is_open = goal.tone != "bad"  # the tone of a side that can no longer win
            if is_open:
                open_goals.append(goal)
            else:
                rows += hanging(lead_line(goal, self.formatted), width, GOAL_INDENT)
        rows.append(self._goals_in_few_rows(open_goals, width))
        return Content("\n").join(row for row in rows if row.plain)

    @property
    def _victory_is_on_board(self) -> bool:
        """Whether the page in front has victory and what is due, or the board has them below it."""
        return self.tab_in_front == "due_page" or self.has_roomy_board

    def _goals_in_few_rows(self, goals: Sequence[Paragraph], width: int) -> Content:
        """The goals in one row if they fit, if need be without their last turns; else a row for
        each."""
        whole, brief = [], []
        for goal in goals:
            whole.append(lead_line(goal, self.formatted))
            without_turn = Paragraph(_BY_LAST_TURN.sub("", goal.text), goal.lead, goal.tone)
            brief.append(lead_line(without_turn, self.formatted))
        for lines in (whole, brief):
            together = Content("   ").join(lines)
            if together.cell_length <= width:
                return together
        rows = []
        for whole_line, brief_line in zip(whole, brief, strict=True):
            if whole_line.cell_length <= width:
                rows.append(whole_line)
            else:
                rows += hanging(brief_line, width, GOAL_INDENT)
        return Content("\n").join(rows)

    def _victory_lines(self) -> list[Content]:
        """What each side needs to win, and has, a line each."""
        return [lead_line(goal, self.formatted) for goal in self.goals]

    @property
    def goals(self) -> Sequence[Paragraph]:
        """What each side needs to win, and has."""
        return self.once(("goals", self.viewer), self._goals_now)

    def _goals_now(self) -> Sequence[Paragraph]:
        return tuple(self.game.progress(self.state, self.statuses()))

    def statuses(self) -> Sequence[VictoryStatus] | None:
        """How victory stands as an onlooker may see it; None for the players, who see all of it."""
        return None

    def due_page(self) -> Page:
        """What is due now, with how each side stands in the battle."""
        return self.game.due_and_progress(self.session.play, self.statuses())

    def show_due(self, width: int, most_rows: int) -> int:
        if self._victory_is_on_board:
            self.query_one("#due").display = False
            return 0
        return super().show_due(width, most_rows)

    # ------------------------------------------------------------------ the journal

    def columns_beside(self, columns: int) -> int:
        map_columns = self.map_columns
        if map_columns is not None:
            if self.has_roomy_board:
                return map_columns.journal
            return 0  # the journal stands on the board or below it
        if columns < LARGE or self.tab_in_front == "journal_page":
            return 0
        # Both sides keep the columns of a wide screen.
        return min(max(columns - WIDE - COLUMN_EDGES, LEAST_JOURNAL), MOST_JOURNAL)

    def journal_column(self, page: BesidePage | None, beside_width: int) -> int:
        columns = self.map_columns
        if columns is not None:
            return columns.journal
        return super().journal_column(page, beside_width)

    def show_journal(self, journal: JournalRows, *, below: bool) -> None:
        columns = self.map_columns
        if columns is None or not self._journal_is_on_board:
            super().show_journal(journal, below=below)
            return
        self.query_one("#journal-room").display = False
        self.query_one("#aside-room").styles.width = columns.journal
        self.fill_journal(journal, "aside")

    def line_style(self, line: JournalLine) -> str:
        """The style of a line: in the colour of the side that gave the order, where sides have
        theirs, on a wide screen."""
        if not isinstance(line, BattleLine) or line.side is None or self.app.size.width < WIDE:
            return super().line_style(line)
        return side_style(self.state, line.side)

    def lines_wanted(self) -> int:
        # The page that the player opened counts, also while a question has put both sides in front.
        if self.tab == "journal_page":
            return CURSOR_REACH
        return super().lines_wanted()

    # ------------------------------------------------------------------ the casualty strip

    def show_below(self, width: int, free_rows: int) -> int:
        """Show the casualty strip, on a high screen with enough rows that nothing else needs."""
        lines = self._strip_lines(width)
        if len(lines) > free_rows:
            lines = []
        if lines and not self._has_strip_part:
            self._has_strip_part = True
            self.mount(CasualtyStripPart("strip"), before="#keys")
        if self._has_strip_part:
            self.query_one("#strip").display = bool(lines)
            self.write("strip", Content("\n").join(lines))
        return len(lines)

    def _strip_lines(self, width: int) -> list[Content]:
        """The lines of the casualty strip, with an empty one above it on a roomy board; none on a
        low screen."""
        if self.app.size.height < HIGH:
            return []
        strip = self.once(("strip", self.viewer, width), partial(self._strip_or_sentence, width))
        lines = list(strip.split("\n"))
        if lines and self.has_roomy_board:
            lines.insert(0, Content(""))
        return lines

    def _strip_or_sentence(self, width: int) -> Content:
        return unless_it_fails(
            partial(self._casualty_strip, width),
            instead=Content,
            failure="The casualty strip is not available",
        )

    def _casualty_strip(self, width: int) -> Content:
        """The casualty strip of the battle so far. Of its journal only the new entries are read."""
        from skirmish.app.battle.strip import strip_lines
        from skirmish.games.plastic.casualties import casualty_strip
        from skirmish.games.plastic.journal_facts import JournalFacts

        play = self.session.play
        if self._facts is None:
            self._facts = JournalFacts(play)
        else:
            self._facts.read_on(play)
        strip = casualty_strip(play, self._facts)
        return Content("\n").join(strip_lines(strip, self.state.setup.signs, width))
