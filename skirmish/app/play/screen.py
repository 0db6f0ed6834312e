"""Any game on its screen: the board as a page, the verdict in large letters, the commands or the
current question, the journal. Every order is stored before anything is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import msgspec
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.css.query import NoMatches
from textual.geometry import Size
from textual.widget import Widget

from skirmish import registry
from skirmish.app.binding import KeyLine, key_name, keys
from skirmish.app.foot import Foot
from skirmish.app.host import HIGH, LARGE, WIDE, Host
from skirmish.app.page_view import DIM, HEAD, KEY, block_lines, painted
from skirmish.app.play.big_letters import (
    Enlarge,
    card_picture,
    card_size,
    high_framed_letters,
    high_letters,
    huge_framed_letters,
    huge_letters,
    largest,
    low_framed_letters,
    low_letters,
    painted_word,
)
from skirmish.app.play.ordering import (
    INSIST,
    LINKED,
    LOOKS_BACK,
    PHONES,
    REDO,
    OrderingScreen,
    Part,
)
from skirmish.app.text_rows import fitted, hanging, rows_of, shortened
from skirmish.extras import asked_page, not_available, unless_it_fails
from skirmish.session import AnySession, Session
from skirmish.store.errors import StoreError
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.game import PLAYERS, JournalLine, Viewer
from skirmish.tabletop.page import Note, Page, Paragraph, Steps, mapped
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store

EDGES = 2
"""Columns at the sides of the screen."""
COLUMN_EDGES = 4
"""Columns of the edges of a column beside the board, and of its scroll bar."""
HUGE_FROM = 48
"""Rows from which a verdict may have letters of eight rows."""
GAP = 2
"""Columns between the card and the word."""
REASON = 29
"""Columns that the reason needs beside the verdict."""
LEAST_TITLE = 12
"""The fewest columns of a game's title."""
LEAST_ASKED, LEAST_BOARD = 3, 4
"""The fewest rows of the draft, where there is room, and of the board."""
LEAST_ASKED_TIGHT = 2
"""The fewest rows of the draft where the parts have not all the rows that they need."""
MOST_ASKED, MOST_ASKED_TALL = 7, 16
"""The most rows of the draft, on a low screen and on a tall one."""
DUE_LOW, DUE_TALL = 3, 8
"""The most rows of what is due, on a full screen and on one with room, unless the journal leaves
more of them empty."""
BESIDE_A_FRAME = 2
"""The fewest rows of the journal beside which a verdict has a frame on a low screen."""
LAST_TALL = 3
"""Rows that the last line of the journal keeps on a screen with room, however long the board is."""
BESIDE, BESIDE_NARROW = 46, 36
"""Columns beside the board: for the phases of a turn, and for the journal where there is room."""
STEPS_IN_COLUMNS = 100
"""Columns from which the first steps stand in two columns."""
ROWS_BESIDE_STEPS = 12
"""Rows of the screen for all but the board, where the first steps stand below that."""
BOARD_BESIDE_STEPS, WIDEST_STEPS = 96, 76
"""Columns of a board beside which the first steps stand, and the most columns of these."""
INDENT = 6
"""Columns of the cursor and the number of a line of the journal."""
SHELL = "JSPWNH?%"
"""Characters that are bindings, unless text or cards are being typed."""
SPARE = {"u": "undo", "w": "advice", "q": "leave", "!": "insist"}
"""Keys for the commands of every game, where the game does not use them itself."""
LONG_ENOUGH = 9
"""Characters from which a row that stands in the note is left out: short ones, as a card, may stand
there by accident."""
UNCUT = 10_000
"""Columns in which no line is broken."""


def _sizes(rows: int, *, framed: bool) -> Sequence[Enlarge]:
    """The sizes of letters for a screen of so many rows, the largest first. A block has its frame
    where there is a row for it."""
    sizes: tuple[Enlarge, ...] = (huge_letters, high_letters, low_letters)
    if framed:
        sizes = (huge_framed_letters, high_framed_letters, low_framed_letters)
    if rows >= HUGE_FROM:
        return sizes
    if rows >= HIGH:
        return sizes[1:]
    return sizes[2:]


class RowsUsed(NamedTuple):
    """The rows that the parts of the screen would take if there were room for all of them;
    ``asked``: the part with the draft or with what can be done (``show_asked``)."""

    board: int
    asked: int
    verdict: int
    situation: int

    @property
    def total(self) -> int:
        """The rows of all parts together."""
        return self.board + self.asked + self.verdict + self.situation


class BesidePage(NamedTuple):
    """A page beside the board, and the row to scroll to."""

    page: Page
    row: int


class JournalPlace(NamedTuple):
    """Whether the journal stands below the board, or else in a column of its own; its columns."""

    is_below: bool
    width: int


class JournalRows(NamedTuple):
    """The rows of the journal; those at which the line under its ``cursor`` and the ``last`` line
    begin."""

    rows: list[Content]
    cursor: int
    last: int


def panel_of(game_id: str) -> Callable[..., Content] | None:
    """The function that paints a game's board as a picture, if it has one."""
    entry = registry.listed(game_id)
    if entry is None or not entry.panel:
        return None
    panel: Callable[..., Content] = import_module(entry.panel).panel
    return panel


class CardPart(Part):
    """The card or roll that decided, at the left of the verdict."""

    DEFAULT_CSS = """
    CardPart {
        width: auto;
        margin-right: 2;
    }
    """


class SideColumn(VerticalScroll, can_focus=False):
    """A column at the right of the board, or of the map."""

    # Here rather than in the style sheet of the screen: it is read where a column is shown first.
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


class GameScreen(OrderingScreen):
    """One game, from top to bottom: its title, the board, the draft, the verdict, the situation,
    what is due, the journal, the keys; at the right, if there is room, the phases of the turn or
    the journal."""

    CSS_PATH = "play.tcss"
    HEAD: ClassVar[tuple[str, ...]] = ("clock",)
    """The ids of the lines at the top, which ``head`` words."""
    AMID: ClassVar[bool] = False
    """Whether the draft is directly below the board instead of at the bottom."""
    SCROLLS: ClassVar[bool] = False
    """Whether the journal can be scrolled while the board is visible."""
    BOARD: ClassVar[str] = "#board-room"
    """What gets the rows of the board."""
    JOURNAL: ClassVar[str] = ""
    """The id of the key that opens the whole journal."""
    viewer: Viewer = PLAYERS
    """Whose eyes the game is painted for: PLAYERS, who play it here; on a screen that only follows
    a game, a side by its id, or None, a spectator."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._panel = panel_of(self.game.id)
        self._painting_is_behind = False
        """Whether only the verdict and the head show the last order yet."""
        self._verdict_is_framed = False
        """Whether the verdict has its frame on a low screen, too, where a row is left for it."""
        self._asked_rows = 0
        """The rows of the draft, as they were painted last."""
        self._card: CardPart | None = None
        self._column_beside: SideColumn | None = None
        """Both are mounted when they are shown first: a low, narrow screen never has them."""

    def compose(self) -> ComposeResult:
        asked = VerticalScroll(Part("asked"), id="asked-room", can_focus=False)
        yield from map(Part, self.HEAD)
        with Horizontal(id="table"), Vertical(id="middle"):
            yield self.board_room()
            if self.AMID:
                yield asked
            with Horizontal(id="verdict"):
                yield Part("word")
                yield Part("reason")
            yield Part("situation")
            yield Part("due")
            with VerticalScroll(id="journal-room", can_focus=False):
                yield Part("journal")
        if not self.AMID:
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

    def show_below(self, width: int, free: int) -> int:
        """Paint what stands between the journal and the keys, where that many rows are free;
        returns the rows it takes."""
        del width, free
        return 0

    def use_free_rows(self, width: int, free: int) -> None:
        """Paint something in the rows that nothing else needs, beside a column for the journal."""

    @property
    def _has_parts(self) -> bool:
        """Whether the screen is put together: a key may come before its parts. Textual remembers
        what was looked up so, while a query walks over every part at every key."""
        try:
            self.query_one("#journal")
        except NoMatches:
            return False
        return True

    def show_result(self) -> None:
        """Show the verdict and the head of the screen first: to paint all the rest takes as long
        again, and everybody waits for the verdict."""
        if not self._has_parts:
            return
        columns, rows = self.app.size
        self._show_head(columns)
        self.show_verdict(columns - self.columns_beside(columns) - EDGES, rows)
        self._painting_is_behind = True
        self.call_after_refresh(self._finish_painting)

    def _finish_painting(self) -> None:
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
            page = self.beside()
        journal_is_below, journal_width = self._place_of_journal(page, beside_width, width)
        journal = self.journal_rows(journal_width)

        # ``room``: the rows left for the parts and what is due, as head and foot are always there,
        # and so is the end of a journal below the board. ``free``: those that the parts leave.
        journal_rows = end_of_journal = margin = 0
        if journal_is_below:
            journal_rows = len(journal.rows)
            end_of_journal = self._rows_of_journals_end(journal_rows, rows)
            margin = self.query_one("#journal-room").styles.margin.top
        foot_rows = 1
        room = rows - len(self.HEAD) - foot_rows - end_of_journal - margin
        room -= self.show_below(columns - EDGES, room - used.total)
        free = room - used.total  # below 0 where the parts need more rows than there are
        left_by_journal = free + end_of_journal - journal_rows
        due_rows = self._show_due_in_free_rows(width, free, left_by_journal=left_by_journal)
        # While a shot is put together, what it needs comes before how the battle stands.
        if self.is_aiming and free <= 0:
            used = self._without_situation(used)
            free = room - used.total

        # What is still free is the journal's; where that has a column, the screen may use it.
        rows_for_journal = max(free - due_rows, 0) + end_of_journal
        if journal_is_below and rows < HIGH and used.verdict:
            without_frame = used.verdict
            used = self._with_frame(used, width, rows, rows_for_journal)
            rows_for_journal -= used.verdict - without_frame
        if not journal_is_below:
            self.use_free_rows(width, free - due_rows)

        self.make_room(room - due_rows, used)
        self.show_beside(page, beside_width)
        if journal_is_below:
            journal = self.cut(journal, journal_width, rows_for_journal)
        self.show_journal(journal, below=journal_is_below)
        self.show_keys(columns)

    def _place_of_journal(
        self, page: BesidePage | None, beside_width: int, board_width: int
    ) -> JournalPlace:
        """Where the journal stands, by the ``page`` beside the board and the columns of both."""
        journal_column = self.journal_column(page, beside_width)
        if journal_column:
            return JournalPlace(is_below=False, width=journal_column - COLUMN_EDGES)
        # A column stays free for the scroll bar.
        return JournalPlace(is_below=True, width=board_width - 1)

    def _rows_of_journals_end(self, journal_rows: int, rows: int) -> int:
        """How many rows of a journal below the board stay on a screen of so many rows, however long
        the board is."""
        if rows >= HIGH:
            return min(journal_rows, LAST_TALL)
        return min(journal_rows, 1)

    def _with_frame(self, used: RowsUsed, width: int, rows: int, rows_for_journal: int) -> RowsUsed:
        """Paint the verdict of a low screen with its frame, as on a high one, as long as the
        journal keeps some rows; else without it. Returns the rows that are used then."""
        rows_without_frame = rows_for_journal
        if self._verdict_is_framed:
            rows_without_frame += 1  # low letters have three rows, and four with their frame
        has_room = rows_without_frame > BESIDE_A_FRAME
        if has_room == self._verdict_is_framed:
            return used
        self._verdict_is_framed = has_room
        return used._replace(verdict=self.show_verdict(width, rows))

    def _show_parts(self, columns: int, rows: int, width: int) -> RowsUsed:
        """Paint the head, the board, the draft, the verdict and the situation, the board in
        ``width`` of the screen's columns; returns the rows they take."""
        self._show_head(columns)
        situation = self.situation(width)
        self.write("situation", situation)
        self.query_one("#situation").display = bool(situation.plain)
        situation_rows = 0
        if situation.plain:
            situation_rows = len(situation.split("\n"))
        asked_width = columns - EDGES
        if self.AMID:
            asked_width = width
        return RowsUsed(
            board=self.show_board(width),
            asked=self.show_asked(asked_width, tall=rows >= HIGH),
            verdict=self.show_verdict(width, rows),
            situation=situation_rows,
        )

    def _show_head(self, columns: int) -> None:
        for part, line in self.head(columns - EDGES).items():
            self.write(part, line)

    def _show_due_in_free_rows(self, width: int, free: int, *, left_by_journal: int) -> int:
        """Paint what is due in the rows that are free, within bounds, and in those that a short
        journal would leave empty; returns the rows it takes."""
        if self.is_aiming and free < DUE_LOW:
            # No row of the board goes away, and comes back after the shot, for what can wait.
            self.query_one("#due").display = False
            return 0
        most_rows = min(max(free, DUE_LOW), DUE_TALL)
        return self.show_due(width, max(most_rows, left_by_journal))

    @property
    def is_aiming(self) -> bool:
        """Whether a command is put together or a question is answered: the board matters more than
        what can wait."""
        return self._is_begun or self.prompt is not None

    @property
    def _is_begun(self) -> bool:
        """Whether a command is put together."""
        return self.draft is not None and self.draft.begun

    def _without_situation(self, used: RowsUsed) -> RowsUsed:
        """Hide the situation; returns the rows that are used then."""
        self.query_one("#situation").display = False
        return used._replace(situation=0)

    def make_room(self, rows: int, used: RowsUsed) -> None:
        """Divide ``rows`` among the parts: no row of the board is hidden for an empty row, for
        older lines of the journal, or for the verdict on the last shot."""
        is_tight = used.total > rows
        verdict_rows = used.verdict
        # What the draft keeps when the board grows; on a tight screen as many rows as it has.
        asked_rows = LEAST_ASKED
        if is_tight:
            asked_rows = max(self._asked_rows, LEAST_ASKED_TIGHT)
        if is_tight and self._is_begun:
            # The verdict is on the shot before, and gives way to the one that is put together.
            self.query_one("#verdict").display = False
            verdict_rows = 0
        # A draft of fewer rows than that, on a tight screen, keeps those that it has.
        self.query_one("#asked-room").styles.min_height = min(asked_rows, LEAST_ASKED)
        left_for_board = rows - asked_rows - verdict_rows - used.situation
        board_rows = max(min(used.board, left_for_board), LEAST_BOARD)
        self.set_board_rows(board_rows, at_most=is_tight and used.board > 0)

    def set_board_rows(self, rows: int, *, at_most: bool) -> None:
        """Give the board so many rows: at least, or ``at_most`` as well."""
        styles = self.query_one(self.BOARD).styles
        styles.min_height = rows
        if at_most:
            styles.max_height = rows

    def head(self, width: int) -> dict[str, Content]:
        """The lines of the head, by their parts: here title and headline on one line."""
        title, headline = self.title_and_headline
        room = max(width - len(headline) - 4, LEAST_TITLE)
        if len(title) > room:  # without the subtitle of the game
            title = title.replace(self.game.name, self.game.name.partition(":")[0])
        line = Content.assemble((shortened(title, room), HEAD), f"  {headline}")
        return {"clock": line.truncate(width, ellipsis=True)}

    def show_board(self, width: int) -> int:
        """Paint the board as the viewer may see it; returns the rows it takes."""
        height = self.app.size.height
        board_key = ("board", self.viewer, width, height)
        # Painted once for each state of the game. A column stays free for the scroll bar.
        board = self.once(board_key, partial(self.board, width - 1, tall=height >= HIGH))
        self.write("board", board)
        rows = board.plain.count("\n") + 1
        self.query_one("#board-room").styles.max_height = rows
        return rows

    def board(self, width: int, *, tall: bool) -> Content:
        """The board as a picture where the game has one, else as a page."""
        state, panel = self.session.state, self._panel
        board = self.game.board(state, self.viewer)
        page = painted(board, width, tall=tall, colours=self.game.colours(state))
        if panel is None:
            if tall and self.phases is not None:
                return self._with_first_steps(page, width)
            return page
        if self.viewer != PLAYERS and self.game.sides:
            return page  # a picture leaves out nothing that is secret

        def page_below(sentence: str) -> Content:
            """What stands in place of a picture that cannot be painted."""
            return Content("\n").join([Content(sentence), page])

        return unless_it_fails(
            partial(panel, state, width, tall=tall), instead=page_below, missing="The picture is"
        )

    def _with_first_steps(self, board: Content, width: int) -> Content:
        """A board that is still empty with the first steps below it, if there is room for both."""
        page = self.first_steps
        if page is None:
            return board
        steps = painted(page, width, beside=width >= STEPS_IN_COLUMNS)
        both = Content("\n\n").join([board, steps])
        if both.plain.count("\n") > self.app.size.height - ROWS_BESIDE_STEPS:
            return board
        return both

    def show_asked(self, width: int, *, tall: bool) -> int:
        """Paint the note, and below it the draft or what can be done; returns the rows that they
        would take."""
        note = self.formatted(self.note)
        rows = []
        if note:
            rows.append(Content.styled(note, "$error bold"))
        for row in self.in_front(width, tall=tall):
            if not _repeats(row.plain, note):
                rows.append(row)
            elif not rows[-1].plain:  # nor the empty row above it
                rows.pop()
        self.write("asked", Content("\n").join(rows))
        most = MOST_ASKED
        if tall:
            most = MOST_ASKED_TALL
        self._asked_rows = min(len(rows) + self.show_field(), most)
        return max(self._asked_rows, LEAST_ASKED)

    def in_front(self, width: int, *, tall: bool) -> list[Content]:
        """The rows of the draft, of what can be done, or of the line under the journal's cursor."""
        if self.looking is None:
            page = self.asked_now()
        else:
            page = self.looking_page(self.looking)
        return painted(mapped(page, self.formatted), width).split("\n")

    def asked_now(self) -> Page:
        """The question of the draft; the commands where there is none."""
        from skirmish.tabletop.command_pages import commands_page

        if self.draft is None:
            return commands_page(self.commands)
        if self.asked_text is not None:  # the field shows what is typed
            return asked_page(msgspec.structs.replace(self.draft, typed=""))
        return asked_page(self.draft)

    def show_verdict(self, width: int, rows: int) -> int:
        """Paint the verdict in the largest letters that fit with its reason; returns the rows it
        takes. It is hidden while the journal is browsed or a shot is judged again, so that it is
        not taken for the new one."""
        judges_again = self.draft is not None and self.draft.command.verb == "judge_again"
        verdict = self.verdict
        if self.looking is not None or judges_again:
            verdict = None
        if verdict is None:
            return self.show_without_verdict(width)
        self.query_one("#verdict").display = True
        # A miss, which is no block, takes the same rows as a hit: nothing below it jumps.
        framed = rows >= HIGH or self._verdict_is_framed
        card = self._show_card(verdict.draw, rows)
        room = width - 4 - REASON - card.width  # 4: the edges of the word and of its reason
        picture = largest(plain(verdict.text), room, _sizes(rows, framed=framed))
        self.write("word", painted_word(picture, verdict.tone, framed=framed))

        first, *more = map(self.formatted, verdict.reason.split("\n"))
        why = ""
        # ``9 OF HEARTS``: F1 opens the rule by which it hit or missed; that on the end of a game
        # once it is over.
        is_draw = first.isupper()
        if is_draw and not self.over:
            why = "   F1 why"
        reason = Content.assemble((first, KEY), (why, DIM), *(f"\n{line}" for line in more))
        self.write("reason", reason)
        word_width = max(map(len, picture.split("\n")))
        reason_width = max(width - 2 - word_width - card.width, REASON)
        return max(picture.count("\n") + 1, card.height, rows_of(reason, reason_width))

    def show_without_verdict(self, width: int) -> int:
        """Paint what stands in the place of a verdict while there is none; returns the rows it
        takes."""
        del width
        self.query_one("#verdict").display = False
        return 0

    def _show_card(self, draw: Draw | None, rows: int) -> Size:
        """Paint the card or roll that decided, where there are rows for it; returns what it takes,
        with the gap behind it."""
        if draw is None or rows < HIGH:
            self.hide_card()
            return Size(0, 0)
        card_part = self._card
        if card_part is None:
            card_part = self._card = CardPart("card")
            self.query_one("#verdict").mount(card_part, before=0)
        card_part.display = True
        large = rows >= HUGE_FROM
        self.write("card", card_picture(draw, large=large))
        card = card_size(large=large)
        return Size(card.width + GAP, card.height)

    def hide_card(self) -> None:
        """Leave the card out that decided, if one was shown."""
        if self._card is not None:
            self._card.display = False

    def situation(self, width: int) -> Content:
        """How the game stands, below the verdict."""
        return painted(mapped(self.situation_page, self.formatted), width)

    def due(self) -> Page:
        """What is due."""
        return self.game.due(self.session.play)

    def show_due(self, width: int, most: int) -> int:
        """Paint the most urgent of what is due; returns the rows it takes."""
        due = fitted(self.due_lines(), width, most, more_on_f7)
        self.write("due", due.text)
        self.query_one("#due").display = due.rows > 0
        return due.rows

    def due_lines(self) -> list[Content]:
        """What is due, a line each, not broken yet; nothing while the journal is browsed."""
        if self.looking is not None:
            return []
        due = self.once(
            ("due lines", self.viewer),
            lambda: unless_it_fails(self.due, instead=sentence_page, missing="What is due is"),
        )
        lines = []
        for block in due.blocks:
            if isinstance(block, Paragraph):
                lines.append(lead_line(block, self.formatted))
        return lines

    def columns_beside(self, columns: int) -> int:
        """How many of the screen's columns stand beside the board; 0: none. There stand the phases
        of the turn; in a game without any the journal, and the first steps before it has a line. A
        board that is ``wide`` leaves fewer columns."""
        has_first_steps = self.phases is None and self.first_steps is not None
        if has_first_steps and columns >= LARGE:
            return min(columns - BOARD_BESIDE_STEPS, WIDEST_STEPS)
        if self.phases is None and self._journal_is_empty:
            return 0
        if columns >= WIDE and not self.game.wide:
            return BESIDE
        if columns >= WIDE:
            return BESIDE_NARROW
        if self.phases is not None and not self.game.wide:
            return BESIDE_NARROW
        return 0

    @property
    def first_steps(self) -> Page | None:
        """What helps whoever has just begun."""
        return self.once(
            "first steps",
            lambda: unless_it_fails(
                partial(self.game.first_steps, self.session.state),
                instead=sentence_page,
                missing="The first steps are",
            ),
        )

    @property
    def _journal_is_empty(self) -> bool:
        """Whether it has no line but the set-up, which it does not show."""
        return all(line.number == 1 for line in self.journal_lines())

    @property
    def phases(self) -> Steps | None:
        """The phases of a turn, if the game has any."""
        return self.once("phases", partial(self.game.phases, self.session.play))

    def beside(self) -> BesidePage | None:
        """What to show beside the board instead of the journal."""
        phases = self.phases
        if phases is None:
            steps = self.first_steps
            if steps is None or self.app.size.width < LARGE:
                return None
            return BesidePage(Page("", tuple(steps.in_one_column())), row=0)
        current_row = 0
        for row, step in enumerate(phases.rows):
            if step.state == "now":
                current_row = row
                break
        return BesidePage(Page("", (phases,)), current_row)

    def show_beside(self, page: BesidePage | None, columns: int) -> None:
        """Show or hide the column beside the board, and paint the page there if it has one."""
        column = self._column_beside
        if column is None:
            if not columns:
                return
            column = self._column_beside = SideColumn(id="beside-room")
            # One after another, so that both are there at once to be written to.
            self.query_one("#table").mount(column)
            column.mount(Part("beside"))
        column.display = columns > 0
        column.styles.width = columns
        if page is None:
            return
        parts = [painted(mapped(page.page, self.formatted), columns - COLUMN_EDGES)]
        if page.page.title:
            parts.insert(0, Content.styled(plain(page.page.title).upper(), HEAD))
        self.write("beside", Content("\n").join(parts))
        # The row that matters is the last but one that is seen.
        self.scroll_soon(column, max(page.row + 2 - column.size.height, 0))

    def journal_column(self, page: BesidePage | None, beside_width: int) -> int:
        """The columns of the journal where it has a column of its own; 0: it is below the board."""
        if page is not None:
            return 0
        return beside_width

    def journal_rows(self, width: int) -> JournalRows:
        """The end of the journal in so many columns."""
        rows: list[Content] = []
        cursor = last = 0
        for line in self.journal_lines():
            if line.number == 1:  # the set-up
                continue
            under_cursor = self.looking is not None and line.number == self.looking.number
            last = len(rows)
            if under_cursor:
                cursor = last
            words = "\n".join(map(self.formatted, line.rows or (line.text,)))
            rows += line_rows(line.number, words, width, under_cursor, self.line_style(line))
        return JournalRows(rows, cursor, last)

    def line_style(self, line: JournalLine) -> str:
        """The style of a line of the journal."""
        del line
        return DIM

    def cut(self, journal: JournalRows, width: int, rows: int) -> JournalRows:
        """The journal with the last line cut if it is longer than ``rows``, and the key that opens
        all of it."""
        rows_of_last_line = len(journal.rows) - journal.last
        if rows_of_last_line <= rows or not self.JOURNAL or self.looking is not None:
            return journal
        key = Content.assemble(" … ", (self.skirmish.key(self.JOURNAL, "J"), KEY))
        # The last row that is kept ends with the key in place of its words.
        *above, end = journal.rows[: journal.last + rows]
        end = end.truncate(width - key.cell_length).rstrip() + key
        return journal._replace(rows=[*above, end])

    def show_journal(self, journal: JournalRows, *, below: bool) -> None:
        """Paint the journal below the board, or in the column beside it."""
        self.query_one("#journal-room").display = below
        part = "beside"
        if below:
            part = "journal"
        self.fill_journal(journal, part)

    def fill_journal(self, journal: JournalRows, part: str) -> None:
        """Paint the journal into a part, and scroll to the cursor or else to the end."""
        scroller = self.query_one(f"#{part}-room", VerticalScroll)
        self.write(part, Content("\n").join(journal.rows))
        if self.looking is None:
            # to the end, or to the start of the last line if it does not fit
            self.scroll_soon(scroller, journal.last)
        else:
            self.scroll_soon(scroller, max(journal.cursor - 2, 0))

    def scroll_soon(self, scroller: VerticalScroll, y: int) -> None:
        """Scroll after the next refresh, and once more when everything has its size."""
        for immediate in (True, False):
            self.call_after_refresh(scroller.scroll_to, y=y, animate=False, immediate=immediate)

    def journal_lines(self) -> list[JournalLine]:
        """The last lines as the viewer may see them, narrated once for each entry."""
        play, most = self.session.play, self.lines_wanted()
        return self.once(
            ("journal", self.viewer, most),
            partial(self.game.journal, play, self.viewer, last=most),
        )

    def lines_wanted(self) -> int:
        """How many lines of the journal are narrated: no more than the screen has rows, unless the
        player can go back."""
        if self.looking is not None or self.SCROLLS:
            return LOOKS_BACK
        return self.app.size.height

    def show_keys(self, columns: int) -> None:
        """Paint the keys below everything."""
        del columns
        self.refresh_bindings()

    def action_page(self, by: int) -> None:
        """Scroll the first part that does not fit."""
        for name in ("#asked-room", "#board-room", "#beside-room", "#aside-room", "#journal-room"):
            for scroller in self.query(name).results(VerticalScroll):
                if scroller.display and scroller.max_scroll_y:
                    scroller.scroll_relative(y=by, animate=False)
                    return


def _repeats(row: str, note: str) -> bool:
    """Whether a row below the note repeats it, as the page of a shot does with its refusal."""
    return len(row) > LONG_ENOUGH and row.removeprefix("No. ") in note


def more_on_f7(count: int) -> Content:
    """The key that shows so many lines more."""
    lines = f"{count} more lines"
    if count == 1:
        lines = "1 more line"
    return Content.assemble(("F7", KEY), (f" {lines}", DIM))


def lead_line(paragraph: Paragraph, formatted: Callable[[str], str]) -> Content:
    """A paragraph as one line that is not broken yet: whoever shows it knows the room."""
    text, lead = formatted(paragraph.text), formatted(paragraph.lead)
    line = Paragraph(text, lead=lead, tone=paragraph.tone)
    return Content("\n").join(list(block_lines(line, UNCUT)))


def sentence_page(sentence: str) -> Page:
    """A page of one sentence, in place of an extra that failed."""
    return Page("", (Paragraph(sentence),))


@lru_cache(maxsize=256)
def line_rows(number: int, words: str, width: int, under_cursor: bool, style: str) -> list[Content]:
    """A line of the journal, cached since most lines are still shown after the next order."""
    mark = " "
    if under_cursor:
        mark, style = ">", f"{KEY} reverse"
    text = Content.styled(f"{mark} {number:>3} {words}", style)
    click = f"@click=screen.look({number})"
    return [row.stylize(click) for row in hanging(text, width, INDENT)]


class PlayScreen(GameScreen):
    """A game with a page, perhaps a picture, as its board; letters that it does not use run the
    commands of every game."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (HIGH, "-tall")]  # noqa: RUF012
    HELP = (
        "Enter or Space confirms a proposed answer. Backspace deletes what you typed; when nothing "
        "is typed, it undoes the last order."
    )

    HAS_ODDS: ClassVar[bool] = False
    JOURNAL = "play.journal"
    GUARD: ClassVar[float] = 0.0
    """Space may be held down, since a roll can be undone."""
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "play",
            ("journal", "J", "journal", "Journal", "The whole journal"),
            ("summary", "S", "summary", "Summary", "The game so far, and the scores"),
            ("due", "f7", "due", "", "Everything that is due"),
            ("print", "P", "print", "Print", "Print a document"),
            PHONES,
            LINKED,
        ),
        Binding("ctrl+z,u", "undo", "Undo", key_display="⌫", tooltip="Undo the last order (Ctrl+Z)",
                id="play.undo"),
        *keys(
            "play",
            REDO,
            ("home", "H", "home", "", "Home; the game is saved"),
            ("leave", "escape,q", "leave", "Leave",
             "Cancel what you began, or leave the game; it is saved"),
            ("another", "N", "another", "Another", "Set up another game"),
            ("advice", "W,w", "advice", "Advice", "What the program would do here"),
            INSIST,
            ("look_back", "up", "press('up')", "",
             "Walk back through the journal"),
            ("look_on", "down", "press('down')", "", "Walk on in the journal"),
            ("up", "pageup", "page(-8)", "", "Scroll back"),
            ("down", "pagedown", "page(8)", "", "Scroll on"),
        ),
    ]  # fmt: skip
    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "undo": "there is no order to undo",
    }

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._place = ""
        """Which place the finished game has among all of its kind, in words."""
        self._advice: Page | None = None
        """What the program would do here, as far as it has worked it out."""

    @property
    def TOPIC(self) -> str:  # type: ignore[override]  # noqa: N802  (one for each game)
        """The topic of the help, which is the game that is played."""
        return self.game.name

    def help_lines(self) -> list[KeyLine]:
        """The commands that have a key."""
        lines = []
        for command in self.commands:
            if command.key:
                explained = f"{command.label}. {command.help}".rstrip(". ")
                lines.append(KeyLine(key_name(command.key), explained, not command.why_not))
        return lines

    def open_rules(self) -> bool:
        from skirmish.app.page_screen import PageScreen

        self.app.push_screen(PageScreen(lambda: self.game.rules(self.session.state)))
        return True

    def action_due(self) -> None:
        from skirmish.app.page_screen import PageScreen

        self.app.push_screen(PageScreen(self._due_page))

    def _due_page(self) -> Page:
        from skirmish.tabletop.command_pages import due_page

        return mapped(due_page(self.due()), self.formatted)

    def on_mount(self) -> None:
        self._look_up_place()  # Textual calls the base class's own by itself

    def asked_now(self) -> Page:
        page = super().asked_now()
        if self._place:
            return page.with_blocks((Note(self._place),))
        if self.over:
            return page.with_blocks((Note("The game is over."),))
        return page

    def beside(self) -> BesidePage | None:
        if self._advice is not None:
            return BesidePage(self._advice, row=0)
        return super().beside()

    def columns_beside(self, columns: int) -> int:
        beside = super().columns_beside(columns)
        if self._advice is not None and not beside:
            return BESIDE_NARROW
        return beside

    # ------------------------------------------------------------------ keys

    def is_typed(self, key: str) -> bool:
        if self.looking is not None:
            return key not in SHELL
        if self._means(key):
            return True
        if key in SPARE:
            # Typed into an answer only where the command of that key cannot be given.
            can_be_given = self.check_action(SPARE[key], ())
            return not can_be_given
        return key not in SHELL and key != "tab"

    def _means(self, key: str) -> bool:
        """Whether a key has a meaning in the game, which comes before that of the shell."""
        if self.draft is None:
            return any(command.key == key for command in self.commands)
        return self.draft.may_be_typed(key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A new game is offered once this one is over, advice and insisting before that if the game
        has any; undo needs an order to undo."""
        over = self.over
        if action == "another":
            return over
        if action == "advice":
            return not over and self.game.has_advice
        if action == "insist":
            return not over and self.game.can_insist
        if action == "undo" and len(self.session.play.acts) == 1:
            return None  # greyed out
        return True

    @property
    def foot_labels(self) -> dict[str, str]:
        """What Esc does now, if it does not leave."""
        has_answers = self.draft is not None and self.draft.begun
        if has_answers or self.looking is not None or self._advice is not None:
            return {"leave": "Back"}
        return {}

    def action_another(self) -> None:
        self.app.switch_screen(self.skirmish.make_screen("set-up", self.game.id))

    def action_advice(self) -> None:
        self.note = "Playing it out …"
        self.show_state()
        self._advise()

    @work(group="advice", exclusive=True)
    async def _advise(self) -> None:
        """Show what the program would do here, for as long as the game stands so."""
        state = self.session.state
        try:
            # Each page improves on the one before, and takes long: the game may go on meanwhile.
            pages = await asyncio.to_thread(self.game.advice, state)
            self.note = "There is no advice for this game."
            page = await asyncio.to_thread(next, pages, None)
            while page is not None:
                if self.session.state is not state or not self.is_attached:
                    return
                self.note, self._advice = "", page
                self.show_state()
                page = await asyncio.to_thread(next, pages, None)
        except Exception:  # whatever fails in an extra, the game goes on without it
            self.note = not_available("Advice is")
        self.show_state()

    async def action_leave(self) -> None:
        if self._advice is not None:
            self.note, self._advice = "", None
            self.show_state()
        else:
            await self.press("escape")

    def changed(self) -> None:
        self.workers.cancel_group(self, "advice")
        self._advice = None
        self._look_up_place()

    def action_home(self) -> None:
        self.skirmish.home()

    def _look_up_place(self) -> None:
        if self.over:
            self._read_place()

    @work(group="place", exclusive=True)
    async def _read_place(self) -> None:
        """Say which place a finished game has; then, as that takes long, how it is rated."""
        from skirmish.tabletop.scores import place_in_words

        game, number = self.game, self.session.id
        state = self.session.state
        rating = ""

        def place(store: Store) -> str:
            return place_in_words(game.all_scores(store.finished(game, number)), number)

        try:
            with suppress(StoreError):
                self._place = await self.skirmish.stored(place)
            self.show_state()
            rating = await asyncio.to_thread(game.rating, state)
        except Exception:  # whatever fails in an extra, the game goes on without it
            self.note = not_available("The rating is")
            self.show_state()
        if rating and self.session.state is state and self.is_attached:
            self._place = f"{self._place} {rating}".strip()
            self.show_state()


async def opened(app: Host, number: int) -> PlayScreen:
    """The screen of stored game ``number``; raises StoreError, RecordError."""
    record = await app.stored(lambda store: store.battle(number))
    return PlayScreen(await Session.resumed(registry.load(record.game), app.stored, number))
