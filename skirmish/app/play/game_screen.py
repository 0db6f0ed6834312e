"""The screen of a game: its parts, and how many columns and rows each of them gets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.css.query import NoMatches
from textual.widget import Widget

from skirmish.app.base_screen import HIGH, LARGE, WIDE
from skirmish.app.foot import Foot
from skirmish.app.page_view import painted
from skirmish.app.play.game_parts import GameParts
from skirmish.app.play.journal_rows import JournalRows
from skirmish.app.play.part import Part
from skirmish.app.play.verdict_row import VerdictRow
from skirmish.app.text_styles import HEAD
from skirmish.session import AnySession
from skirmish.tabletop.page import Page, Steps, mapped
from skirmish.tabletop.typed import plain

EDGES = 2
"""Columns at the sides of the screen."""
COLUMN_EDGES = 4
"""Columns of the edges of a column beside the board, and of its scroll bar."""
FOOT_ROWS = 1
"""Rows of the keys at the bottom."""
LEAST_ASKED, LEAST_BOARD = 3, 4
"""The fewest rows of the draft, where there is room, and of the board."""
LEAST_ASKED_TIGHT = 2
"""The fewest rows of the draft where the parts have not all the rows that they need."""
DUE_WITHOUT_ROOM, DUE_WITH_ROOM = 3, 8
"""The most rows of what is due: where the other parts leave none free, and where they leave enough.
It may take more only of those that a short journal would leave empty."""
LOW_FRAME_ROWS = 1
"""Rows that a frame adds to low letters: they take four with it instead of three."""
JOURNAL_BESIDE_FRAME = 2
"""On a low screen a verdict gets its frame only if the journal keeps more rows than these."""
END_OF_JOURNAL, END_OF_JOURNAL_TALL = 1, 3
"""Rows of a journal below the board that stay on a low screen, and on a tall one, however long the
board is."""
BESIDE, BESIDE_NARROW = 46, 36
"""Columns beside the board, for the phases of a turn or for the journal: on a wide screen, and
where the screen is narrower or the board is broad."""
BOARD_BESIDE_STEPS, WIDEST_STEPS = 96, 76
"""Columns of a board beside which the first steps stand, and the most columns of these."""


class RowsUsed(NamedTuple):
    """The rows that the parts of the screen would take if there were room for all of them;
    ``asked``: the part with the draft or with what can be done (``show_asked``)."""

    board: int
    asked: int
    verdict: int
    situation: int

    @property
    def total(self) -> int:
        """The rows of all parts together. The draft keeps its fewest rows when it has less to
        show."""
        return self.board + max(self.asked, LEAST_ASKED) + self.verdict + self.situation


class BesidePage(NamedTuple):
    """A page beside the board, and the row to scroll to."""

    page: Page
    row: int


class JournalPlace(NamedTuple):
    """Whether the journal stands below the board, or else in a column of its own; its columns."""

    is_below: bool
    width: int


class SideColumn(VerticalScroll, can_focus=False):
    """A column at the right of the board, or of the map."""

    # Not in the style sheet of the screen: Textual reads this when a column is shown first, and a
    # narrow screen never shows one.
    DEFAULT_CSS = """
    SideColumn {
        height: 100%;
        padding: 0 1;
        background: $background;
        border-left: solid $panel;
        color: $foreground 75%;
        scrollbar-size-vertical: 1;
    }
    """


class GameScreen(GameParts):
    """One game, from top to bottom: its title, the board, the verdict, the situation, what is due,
    the journal, the draft (in a battle it is below the board), the keys; at the right, if there is
    room, the phases of the turn, the first steps or the journal."""

    CSS_PATH = "play.tcss"
    HEAD: ClassVar[tuple[str, ...]] = ("clock",)
    """The ids of the lines at the top, whose texts ``head`` returns. The first is called after the
    clock, which stands there in a battle."""
    DRAFT_BELOW_BOARD: ClassVar[bool] = False
    """Whether the draft is directly below the board instead of at the bottom."""
    BOARD: ClassVar[str] = "#board-room"
    """What gets the rows of the board."""
    JOURNAL: ClassVar[str] = ""
    """The id of the key that opens the whole journal; empty: no key does."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._painting_is_behind = False
        """Whether only the verdict and the head show the last order yet."""
        self._column_beside: SideColumn | None = None
        """Mounted when it is shown first: a narrow screen never has it."""

    # ------------------------------------------------------------------ the parts

    def compose(self) -> ComposeResult:
        asked = VerticalScroll(Part("asked"), id="asked-room", can_focus=False)
        yield from map(Part, self.HEAD)
        with Horizontal(id="table"), Vertical(id="middle"):
            yield self.board_room()
            if self.DRAFT_BELOW_BOARD:
                yield asked
            yield VerdictRow()
            yield Part("situation")
            yield Part("due")
            with VerticalScroll(id="journal-room", can_focus=False):
                yield Part("journal")
        if not self.DRAFT_BELOW_BOARD:
            yield asked
        yield self.foot()

    def board_room(self) -> Widget:
        """What the board stands in."""
        return VerticalScroll(*self.panels(), id="board-room", can_focus=False)

    def panels(self) -> Iterable[Widget]:
        """The parts of the board."""
        yield Part("board")

    def foot(self) -> Widget:
        """What stands below everything: the keys."""
        return Foot()

    @property
    def _has_parts(self) -> bool:
        """Whether the screen is put together: a key may arrive before its parts do."""
        # ``query_one`` is asked at every key, and remembers its answer; ``query`` would walk over
        # every part each time.
        try:
            self.query_one("#journal")
        except NoMatches:
            return False
        return True

    # ------------------------------------------------------------------ painting

    def show_result(self) -> None:
        """Show the verdict and the head of the screen first: to paint all the rest takes as long
        again, and everybody waits for the verdict."""
        if not self._has_parts:
            return
        columns, rows = self.app.size
        self._show_head(columns)
        # The rows that it takes matter only once everything is painted.
        self.show_verdict(columns - self.columns_beside(columns) - EDGES, rows)
        self._painting_is_behind = True
        self.call_after_refresh(self._finish_painting)

    def _finish_painting(self) -> None:
        """Paint the rest, unless something else has painted everything meanwhile."""
        if self._painting_is_behind:
            self.show_state()

    def show_state(self) -> None:
        """Paint everything: the parts above the journal take the rows that they need, and what is
        left goes first to what is due, then to the journal."""
        if not self._has_parts:
            return
        self._painting_is_behind = False
        columns, rows = self.app.size
        beside_width = self.columns_beside(columns)
        width = columns - beside_width - EDGES
        used = self._show_parts(columns, rows, width)
        page = None
        if beside_width:
            page = self.page_beside()
        place = self._place_of_journal(page, beside_width, width)
        journal = self.journal_rows(place.width)

        # The rows of the parts and of what is due. Head and foot are always there, and so is the
        # end of a journal below the board.
        rows_for_parts = rows - len(self.HEAD) - FOOT_ROWS
        journal_rows = end_of_journal = 0
        if place.is_below:
            journal_rows = len(journal.rows)
            end_of_journal = _end_of_journal(journal_rows, rows)
            rows_for_parts -= end_of_journal
            rows_for_parts -= self.query_one("#journal-room").styles.margin.top
        rows_for_parts -= self.show_below(columns - EDGES, rows_for_parts - used.total)
        # Below 0 where the parts need more rows than there are.
        free_rows = rows_for_parts - used.total
        # What even the whole journal would leave empty: below 0 where it is longer, and all that is
        # free where it has a column.
        left_by_journal = free_rows + end_of_journal - journal_rows
        due_rows = self._show_due_in_free_rows(width, free_rows, left_by_journal=left_by_journal)
        # While a shot is put together, what it needs comes before how the battle stands.
        if self.is_aiming and free_rows <= 0:
            used = self._without_situation(used)
            free_rows = rows_for_parts - used.total

        # What is still free is the journal's; where that has a column, the screen may use it.
        if place.is_below:
            rows_for_journal = max(free_rows - due_rows, 0) + end_of_journal
            # On a high screen a verdict always has its frame.
            if rows < HIGH and used.verdict > 0:
                without_frame = used.verdict
                used = self._with_frame(used, width, rows, rows_for_journal)
                rows_for_journal -= used.verdict - without_frame
            journal = self._cut(journal, place.width, rows_for_journal)
        else:
            self.use_free_rows(width, free_rows - due_rows)

        self.make_room(rows_for_parts - due_rows, used)
        self.show_beside(page, beside_width)
        self.show_journal(journal, below=place.is_below)
        self.show_keys(columns)

    def _show_parts(self, columns: int, rows: int, width: int) -> RowsUsed:
        """Paint the head, the board, the draft, the verdict and the situation, the board in
        ``width`` of the screen's columns; returns the rows they take."""
        self._show_head(columns)
        asked_width = columns - EDGES
        if self.DRAFT_BELOW_BOARD:
            asked_width = width
        return RowsUsed(
            board=self.show_board(width),
            asked=self.show_asked(asked_width, tall=rows >= HIGH),
            verdict=self.show_verdict(width, rows),
            situation=self.show_situation(width),
        )

    def _show_head(self, columns: int) -> None:
        for part_id, line in self.head(columns - EDGES).items():
            self.write(part_id, line)

    def show_below(self, width: int, free_rows: int) -> int:
        """For screens to override: paint what stands between the journal and the keys, if the free
        rows are enough; returns the rows it takes."""
        del width, free_rows
        return 0

    def use_free_rows(self, width: int, free_rows: int) -> None:
        """For screens to override: paint something in the rows that nothing else needs, where the
        journal has a column of its own."""

    def show_keys(self, columns: int) -> None:
        """Paint the keys below everything."""
        del columns
        self.refresh_bindings()

    def action_page(self, rows: int) -> None:
        """Scroll the first part that does not fit by so many rows; below 0: up."""
        for name in ("#asked-room", "#board-room", "#beside-room", "#aside-room", "#journal-room"):
            for scroller in self.query(name).results(VerticalScroll):
                if scroller.display and scroller.max_scroll_y:
                    scroller.scroll_relative(y=rows, animate=False)
                    return

    # ------------------------------------------------------------------ the rows of each part

    def _show_due_in_free_rows(self, width: int, free_rows: int, *, left_by_journal: int) -> int:
        """Paint what is due in the rows that are free, within bounds, and in those that a short
        journal would leave empty; returns the rows it takes."""
        if self.is_aiming and free_rows < DUE_WITHOUT_ROOM:
            # What is due can wait. Else it would take rows from the board, which would jump back
            # after the shot.
            self.query_one("#due").display = False
            return 0
        most_rows = min(max(free_rows, DUE_WITHOUT_ROOM), DUE_WITH_ROOM)
        return self.show_due(width, max(most_rows, left_by_journal))

    def _without_situation(self, used: RowsUsed) -> RowsUsed:
        """Hide the situation; returns the rows that are used then."""
        self.query_one("#situation").display = False
        return used._replace(situation=0)

    def _with_frame(self, used: RowsUsed, width: int, rows: int, rows_for_journal: int) -> RowsUsed:
        """Give the verdict of a low screen its frame, as on a high one, if the journal keeps enough
        rows beside it, else take it away; returns the rows that are used then."""
        rows_without_frame = rows_for_journal
        if self.verdict_is_framed:
            rows_without_frame += LOW_FRAME_ROWS
        has_room = rows_without_frame > JOURNAL_BESIDE_FRAME
        if has_room == self.verdict_is_framed:
            return used
        self.verdict_is_framed = has_room
        return used._replace(verdict=self.show_verdict(width, rows))

    def make_room(self, rows: int, used: RowsUsed) -> None:
        """Divide ``rows`` among the parts: no row of the board is hidden for an empty row, for
        older lines of the journal, or for the verdict on the last shot."""
        is_tight = used.total > rows
        verdict_rows = used.verdict
        # What the draft keeps when the board grows; on a tight screen as many rows as it has.
        asked_rows = LEAST_ASKED
        if is_tight:
            asked_rows = max(used.asked, LEAST_ASKED_TIGHT)
        if is_tight and self.is_begun:
            # The verdict is on the shot before, and gives way to the one that is put together.
            self.query_one(VerdictRow).display = False
            verdict_rows = 0
        # A draft of fewer rows than LEAST_ASKED, on a tight screen, gets no empty ones.
        self.query_one("#asked-room").styles.min_height = min(asked_rows, LEAST_ASKED)
        left_for_board = rows - asked_rows - verdict_rows - used.situation
        board_rows = max(min(used.board, left_for_board), LEAST_BOARD)
        # A board that asks for no rows (``used.board`` is 0) takes all that are left over.
        self.set_board_rows(board_rows, at_most=is_tight and used.board > 0)

    def set_board_rows(self, rows: int, *, at_most: bool) -> None:
        """Give the board at least so many rows; ``at_most``: and no more."""
        styles = self.query_one(self.BOARD).styles
        styles.min_height = rows
        if at_most:
            styles.max_height = rows

    # ------------------------------------------------------------------ beside the board

    def columns_beside(self, columns: int) -> int:
        """How many of the screen's columns stand beside the board; 0: none. They are for the phases
        of the turn, on a narrow screen too. In a game without phases they are for the first steps
        on a large screen, while there are any, or else for the journal on a wide one. A board that
        is ``wide`` leaves fewer columns or none."""
        has_first_steps = self.phases is None and self.first_steps is not None
        if has_first_steps and columns >= LARGE:
            return min(columns - BOARD_BESIDE_STEPS, WIDEST_STEPS)
        if self.phases is None and self.journal_is_empty:
            return 0
        if columns >= WIDE and not self.game.wide:
            return BESIDE
        if columns >= WIDE:
            return BESIDE_NARROW
        if self.phases is not None and not self.game.wide:
            return BESIDE_NARROW
        return 0

    def page_beside(self) -> BesidePage | None:
        """What to show beside the board; None: the journal."""
        phases = self.phases
        if phases is not None:
            return BesidePage(Page("", (phases,)), _row_of_current_phase(phases))
        steps = self.first_steps
        if steps is not None and self.app.size.width >= LARGE:
            return BesidePage(Page("", tuple(steps.in_one_column())), row=0)
        return None

    def show_beside(self, page: BesidePage | None, columns: int) -> None:
        """Show or hide the column beside the board, and paint the page there if it has one."""
        column = self._column_beside
        if column is None:
            if not columns:
                return
            column = SideColumn(id="beside-room")
            self._column_beside = column
            # Mounted one after the other, so that both can be written to at once.
            self.query_one("#table").mount(column)
            column.mount(Part("beside"))
        column.display = columns > 0
        column.styles.width = columns
        if page is None:
            return
        contents = [painted(mapped(page.page, self.formatted), columns - COLUMN_EDGES)]
        if page.page.title:
            contents.insert(0, Content.styled(plain(page.page.title).upper(), HEAD))
        self.write("beside", Content("\n").join(contents))
        # The row is to stand last but one in the column, so that the next row is seen, too.
        first_row_out_of_sight = page.row + 2
        self.scroll_soon(column, max(first_row_out_of_sight - column.size.height, 0))

    # ------------------------------------------------------------------ the place of the journal

    def _place_of_journal(
        self, page: BesidePage | None, beside_width: int, board_width: int
    ) -> JournalPlace:
        """Where the journal stands, by the ``page`` beside the board and the columns of both."""
        journal_column = self.journal_column(page, beside_width)
        if journal_column:
            return JournalPlace(is_below=False, width=journal_column - COLUMN_EDGES)
        scroll_bar = 1
        return JournalPlace(is_below=True, width=board_width - scroll_bar)

    def journal_column(self, page: BesidePage | None, beside_width: int) -> int:
        """The columns of the journal where it has a column of its own; 0: it is below the board."""
        if page is not None:
            return 0
        return beside_width

    def _cut(self, journal: JournalRows, width: int, rows: int) -> JournalRows:
        """The journal with a last line of ``rows`` at most, if a key opens the whole journal. A
        line under the cursor is not cut, so that it can be read."""
        if not self.JOURNAL or self.journal_cursor is not None:
            return journal
        return journal.cut(width, rows, self.skirmish.key(self.JOURNAL, "J"))

    def show_journal(self, journal: JournalRows, *, below: bool) -> None:
        """Paint the journal below the board, or in the column beside it."""
        self.query_one("#journal-room").display = below
        part_id = "beside"
        if below:
            part_id = "journal"
        self.fill_journal(journal, part_id)


def _end_of_journal(journal_rows: int, rows: int) -> int:
    """How many rows of a journal below the board stay on a screen of so many rows, however long the
    board is."""
    if rows >= HIGH:
        return min(journal_rows, END_OF_JOURNAL_TALL)
    return min(journal_rows, END_OF_JOURNAL)


def _row_of_current_phase(phases: Steps) -> int:
    """The row of the phase that is being played; 0 if none is."""
    for row, step in enumerate(phases.rows):
        if step.state == "now":
            return row
    return 0
