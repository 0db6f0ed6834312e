"""The parts of a game's screen, each painted by a method of its own. How many rows each of them
gets is decided in ``game_screen.py``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, ClassVar, Protocol

import msgspec
from textual.containers import VerticalScroll
from textual.content import Content

from skirmish import registry
from skirmish.app.base_screen import HIGH
from skirmish.app.page_view import block_lines, painted
from skirmish.app.play.journal_cursor import CURSOR_REACH, SETUP_LINE
from skirmish.app.play.journal_rows import JournalRows, rows_of_line
from skirmish.app.play.ordering import OrderingScreen
from skirmish.app.play.verdict_row import VerdictRow
from skirmish.app.text_rows import fitted, shortened
from skirmish.app.text_styles import DIM, HEAD, KEY
from skirmish.extras import question_page, unless_it_fails
from skirmish.session import AnySession
from skirmish.tabletop.game import PLAYERS, JournalLine, Verdict, Viewer
from skirmish.tabletop.page import Page, Paragraph, Steps, mapped

LEAST_TITLE = 12
"""The fewest columns of a game's title."""
TITLE_EDGES = 4
"""Columns of the first line of the screen besides the title and the headline."""
MOST_ASKED, MOST_ASKED_TALL = 7, 16
"""The most rows of the draft, on a low screen and on a tall one."""
STEPS_IN_COLUMNS = 100
"""Columns from which the first steps stand in two columns."""
ROWS_BESIDE_STEPS = 12
"""Rows of the screen for all but the board, where the first steps stand below that."""
LEAST_REPEATED = 10
"""The fewest characters of a row that counts as a repetition of the note: a shorter one, as a card,
may stand in the note by accident."""
NEVER_BROKEN = 10_000
"""Columns in which no line is broken."""


class BoardPainter(Protocol):
    """Paints the board of a game in this ``state`` as a picture of ``width`` columns; ``tall``:
    there are rows for a larger one."""

    def __call__(self, state: Any, width: int, *, tall: bool) -> Content: ...


def panel_of(game_id: str) -> BoardPainter | None:
    """The function that paints a game's board as a picture, if it has one."""
    entry = registry.listed(game_id)
    if entry is None or not entry.panel:
        return None
    panel: BoardPainter = import_module(entry.panel).panel
    return panel


class GameParts(OrderingScreen):
    """A screen that paints the parts of a game. A method that shows a part returns the rows that it
    would take if there were room for all of them."""

    SCROLLS: ClassVar[bool] = False
    """Whether the journal can be scrolled while the board is visible."""
    viewer: Viewer = PLAYERS
    """Whose eyes the game is painted for: PLAYERS, who play it here; on a screen that only follows
    a game, a side by its id, or None, a spectator."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._panel = panel_of(self.game.id)
        self.verdict_is_framed = False
        """Whether the verdict has its frame on a low screen, too, where a row is left for it."""

    # ------------------------------------------------------------------ the head

    def head(self, width: int) -> dict[str, Content]:
        """The lines of the head, by the ids of their parts: here one line with the title and the
        headline."""
        title, headline = self.title_and_headline
        room = max(width - len(headline) - TITLE_EDGES, LEAST_TITLE)
        if len(title) > room:  # the name of a game may end with a subtitle behind a colon
            name_without_subtitle, _, _ = self.game.name.partition(":")
            title = title.replace(self.game.name, name_without_subtitle)
        line = Content.assemble((shortened(title, room), HEAD), f"  {headline}")
        return {"clock": line.truncate(width, ellipsis=True)}

    # ------------------------------------------------------------------ the board

    def show_board(self, width: int) -> int:
        """Paint the board as the viewer may see it."""
        height = self.app.size.height
        scroll_bar = 1
        # Painted once for each state of the game, as that is slow.
        board = self.once(
            ("board", self.viewer, width, height),
            partial(self.board, width - scroll_bar, tall=height >= HIGH),
        )
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
            # A game without phases has its first steps beside the board, if there is room for them.
            if tall and self.phases is not None:
                return self._with_first_steps(page, width)
            return page
        if self.viewer != PLAYERS and self.game.sides:
            return page  # a picture shows everything, also what is hidden from this viewer

        def page_below(sentence: str) -> Content:
            """What stands in place of a picture that cannot be painted."""
            return Content("\n").join([Content(sentence), page])

        return unless_it_fails(
            partial(panel, state, width, tall=tall),
            instead=page_below,
            failure="The picture is not available",
        )

    def _with_first_steps(self, board: Content, width: int) -> Content:
        """The board with the first steps below it, if there are any and room for both."""
        page = self.first_steps
        if page is None:
            return board
        steps = painted(page, width, beside=width >= STEPS_IN_COLUMNS)
        both = Content("\n\n").join([board, steps])
        if both.plain.count("\n") > self.app.size.height - ROWS_BESIDE_STEPS:
            return board
        return both

    @property
    def first_steps(self) -> Page | None:
        """What helps players who have just begun; None once it helps no longer."""
        return self.once("first steps", self._first_steps_or_sentence)

    def _first_steps_or_sentence(self) -> Page | None:
        return unless_it_fails(
            partial(self.game.first_steps, self.session.state),
            instead=sentence_page,
            failure="The first steps are not available",
        )

    @property
    def phases(self) -> Steps | None:
        """The phases of a turn, if the game has any."""
        return self.once("phases", partial(self.game.phases, self.session.play))

    # ------------------------------------------------------------------ the draft

    @property
    def is_aiming(self) -> bool:
        """Whether a command is put together or a question is answered: the board matters more than
        what can wait."""
        return self.is_begun or self.prompt is not None

    @property
    def is_begun(self) -> bool:
        """Whether a command is put together."""
        return self.draft is not None and self.draft.begun

    def show_asked(self, width: int, *, tall: bool) -> int:
        """Paint the note, and below it the draft or what can be done. Of a long draft no more rows
        count than it may take."""
        note = self.formatted(self.note)
        rows = []
        if note:
            rows.append(Content.styled(note, "$error bold"))
        was_repeated = False
        for row in self.draft_rows(width, tall=tall):
            # The end of a sentence that is broken may be too short to count by itself.
            is_its_end = was_repeated and row.plain != "" and note.endswith(row.plain)
            was_repeated = is_its_end or _repeats(row.plain, note)
            if not was_repeated:
                rows.append(row)
            elif not rows[-1].plain:  # below the note, the empty row above it goes as well
                rows.pop()
        self.write("asked", Content("\n").join(rows))
        most_rows = MOST_ASKED
        if tall:
            most_rows = MOST_ASKED_TALL
        return min(len(rows) + self.show_field(), most_rows)

    def draft_rows(self, width: int, *, tall: bool) -> list[Content]:
        """The rows of the draft, of what can be done, or of the line under the journal's cursor."""
        if self.journal_cursor is None:
            page = self.asked_now()
        else:
            page = self.page_of_cursor(self.journal_cursor)
        return painted(mapped(page, self.formatted), width).split("\n")

    def asked_now(self) -> Page:
        """The question of the draft; the commands where there is none."""
        from skirmish.tabletop.command_pages import commands_page

        if self.draft is None:
            return commands_page(self.commands)
        if self.asked_text is not None:  # the field shows what is typed
            return question_page(msgspec.structs.replace(self.draft, typed=""))
        return question_page(self.draft)

    # ------------------------------------------------------------------ the verdict

    def show_verdict(self, width: int, screen_rows: int) -> int:
        """Paint the verdict. It is hidden while the journal is browsed or a shot is judged again,
        so that it is not taken for the new one."""
        judges_again = self.draft is not None and self.draft.command.verb == "judge_again"
        verdict = self.verdict
        if verdict is None or self.journal_cursor is not None or judges_again:
            return self.show_without_verdict(width)
        framed = screen_rows >= HIGH or self.verdict_is_framed
        reason = self._reason_of(verdict)
        row = self.query_one(VerdictRow)
        return row.show_verdict(verdict, reason, width, screen_rows, framed=framed)

    def _reason_of(self, verdict: Verdict) -> Content:
        """The reason of a verdict, with the key that opens the rule behind it."""
        first_line, *more_lines = map(self.formatted, verdict.reason.split("\n"))
        # Where the reason begins with the draw itself, as ``9 OF HEARTS``, the key opens the rule
        # by which it hit or missed. Once the game is over, it opens the rule on its end instead.
        names_draw = verdict.draw is not None and first_line == verdict.draw.words.upper()
        key_hint = ""
        if names_draw and not self.over:
            key_hint = f"   {self.skirmish.key('app.rules', 'f1')} why"
        first_row = Content.assemble((first_line, KEY), (key_hint, DIM))
        return Content("\n").join([first_row, *map(Content, more_lines)])

    def show_without_verdict(self, width: int) -> int:
        """Paint what stands in the place of a verdict while there is none: here nothing."""
        del width
        self.query_one(VerdictRow).display = False
        return 0

    # ------------------------------------------------------------------ the situation, what is due

    def show_situation(self, width: int) -> int:
        """Paint how the game stands, below the verdict."""
        situation = self.situation(width)
        self.write("situation", situation)
        self.query_one("#situation").display = bool(situation.plain)
        if not situation.plain:
            return 0
        return len(situation.split("\n"))

    def situation(self, width: int) -> Content:
        """How the game stands."""
        return painted(mapped(self.situation_page, self.formatted), width)

    def due(self) -> Page:
        """What is due."""
        return self.game.due(self.session.play)

    def show_due(self, width: int, most_rows: int) -> int:
        """Paint the most urgent of what is due, in ``most_rows`` at most."""
        due = fitted(self.due_lines(), width, most_rows, self.more_due_lines)
        self.write("due", due.text)
        self.query_one("#due").display = due.rows > 0
        return due.rows

    @property
    def due_key(self) -> str:
        """The key that opens everything that is due, as this player has it."""
        return self.skirmish.key("play.due", "f7")

    def more_due_lines(self, count: int) -> Content:
        """The key that shows what is due, and how many lines more that is."""
        lines = f"{count} more lines"
        if count == 1:
            lines = "1 more line"
        return Content.assemble((self.due_key, KEY), (f" {lines}", DIM))

    def due_lines(self) -> list[Content]:
        """What is due, a line each, not broken yet; nothing while the journal is browsed."""
        if self.journal_cursor is not None:
            return []
        page = self.once(("due lines", self.viewer), self._due_or_sentence)
        lines = []
        for block in page.blocks:
            if isinstance(block, Paragraph):
                lines.append(lead_line(block, self.formatted))
        return lines

    def _due_or_sentence(self) -> Page:
        return unless_it_fails(
            self.due, instead=sentence_page, failure="What is due is not available"
        )

    # ------------------------------------------------------------------ the journal

    def journal_rows(self, width: int) -> JournalRows:
        """The end of the journal in so many columns."""
        rows: list[Content] = []
        row_of_cursor = row_of_last = 0
        cursor = self.journal_cursor
        for line in self.journal_lines():
            if line.number == SETUP_LINE:  # only the page of the whole journal shows it
                continue
            under_cursor = cursor is not None and line.number == cursor.number
            row_of_last = len(rows)
            if under_cursor:
                row_of_cursor = row_of_last
            rows_of_text = line.rows or (line.text,)  # only a long text is divided into rows
            words = "\n".join(map(self.formatted, rows_of_text))
            style = self.line_style(line)
            rows += rows_of_line(line.number, words, width, style, under_cursor=under_cursor)
        return JournalRows(rows, row_of_cursor, row_of_last)

    def line_style(self, line: JournalLine) -> str:
        """The style of a line of the journal."""
        del line
        return DIM

    def fill_journal(self, journal: JournalRows, part_id: str) -> None:
        """Paint the journal into a part, and scroll to the cursor or else to the end."""
        scroller = self.query_one(f"#{part_id}-room", VerticalScroll)
        self.write(part_id, Content("\n").join(journal.rows))
        if self.journal_cursor is None:
            # To the end, or to the start of the last line if it does not fit.
            self.scroll_soon(scroller, journal.row_of_last)
        else:
            rows_above_cursor = 2
            self.scroll_soon(scroller, max(journal.row_of_cursor - rows_above_cursor, 0))

    def scroll_soon(self, scroller: VerticalScroll, y: int) -> None:
        """Scroll after the next refresh, and once more when everything has its size."""
        for immediate in (True, False):
            self.call_after_refresh(scroller.scroll_to, y=y, animate=False, immediate=immediate)

    @property
    def journal_is_empty(self) -> bool:
        """Whether the journal has nothing to show yet."""
        return all(line.number == SETUP_LINE for line in self.journal_lines())

    def journal_lines(self) -> list[JournalLine]:
        """The last lines as the viewer may see them, narrated once for each entry."""
        play, count = self.session.play, self.lines_wanted()
        return self.once(
            ("journal", self.viewer, count),
            partial(self.game.journal, play, self.viewer, last=count),
        )

    def lines_wanted(self) -> int:
        """How many lines of the journal are narrated: no more than the screen has rows, unless the
        player can go back."""
        if self.journal_cursor is not None or self.SCROLLS:
            return CURSOR_REACH
        return self.app.size.height


def _repeats(row: str, note: str) -> bool:
    """Whether a row below the note repeats it, as the page of a shot does with its refusal, which
    stands behind ``No.`` there."""
    return len(row) >= LEAST_REPEATED and row.removeprefix("No. ") in note


def lead_line(paragraph: Paragraph, formatted: Callable[[str], str]) -> Content:
    """A paragraph as one line that is not broken yet: its width is known only where it is shown."""
    text, lead = formatted(paragraph.text), formatted(paragraph.lead)
    line = Paragraph(text, lead=lead, tone=paragraph.tone)
    return Content("\n").join(list(block_lines(line, NEVER_BROKEN)))


def sentence_page(sentence: str) -> Page:
    """A page of one sentence, in place of an extra that failed."""
    return Page("", (Paragraph(sentence),))
