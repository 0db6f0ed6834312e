"""Any game on its screen: the board as a page, the verdict in large letters, the commands or the
current question, the journal. Every order is stored before anything is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from typing import ClassVar, NamedTuple

import msgspec
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget

from skirmish import registry
from skirmish.app.binding import key_name, keys
from skirmish.app.foot import Foot
from skirmish.app.host import Host
from skirmish.app.page_view import (
    DIM,
    HEAD,
    KEY,
    block_lines,
    fitted,
    hanging,
    painted,
    rows_of,
    shortened,
)
from skirmish.app.play.answer_field import AnswerField
from skirmish.app.play.big_letters import high, huge, largest, low, painted_word
from skirmish.app.play.ordering import INSIST, LOOKS_BACK, PHONES, REDO, OrderingScreen, Part
from skirmish.extras import asked_page, extra, missing
from skirmish.session import AnySession, Session
from skirmish.store.errors import StoreError
from skirmish.tabletop.game import PLAYERS, Game, JournalLine, Viewer
from skirmish.tabletop.page import Note, Page, Paragraph, Steps, mapped
from skirmish.tabletop.typed import plain

WIDE, TALL = 110, 34
"""Columns from which there is room beside the board; rows from which letters are in full blocks."""
HUGE_FROM = 48
REASON = 29
"""Columns that the reason needs beside the verdict."""
ASKED, LEAST = 3, 4
"""The fewest rows of the draft, where there is room, and of the board."""
NEWS_LOW, NEWS_TALL = 3, 8
"""The most rows of what is due, on a full screen and on one with room, unless the journal leaves
more of them empty."""
LAST_TALL = 3
"""Rows that the last line of the journal keeps on a screen with room, however long the board is."""
BESIDE, BESIDE_NARROW = 46, 36
"""Columns beside the board: for the phases of a turn, and for the journal where there is room."""
INDENT = 6
"""Columns of the cursor and the number of a line of the journal."""
SHELL = "JSPWNH?%"
"""Characters that are bindings, unless text or cards are being typed."""
SPARE = {"u": "undo", "w": "advice", "q": "leave", "!": "insist"}
"""Keys for the commands of every game, where the game does not use them itself."""


class JournalRows(NamedTuple):
    """The rows of the journal; those at which the line under its ``cursor`` and the ``last`` line
    begin."""

    rows: list[Content]
    cursor: int
    last: int


def panel_of(id: str) -> Callable[..., Content] | None:
    found = registry.listed(id)
    if found is None or not found.panel:
        return None
    panel: Callable[..., Content] = import_module(found.panel).panel
    return panel


class GameScreen(OrderingScreen):
    """One game, from top to bottom: its title, the board, the draft, the verdict, the situation,
    what is due, the journal, the keys; at the right, if there is room, the phases of the turn or
    the journal."""

    CSS_PATH = "play.tcss"
    HEAD: ClassVar[tuple[str, ...]] = ("clock",)
    AMID: ClassVar[bool] = False
    """Whether the draft is directly below the board instead of at the bottom."""
    SCROLLS: ClassVar[bool] = False
    """Whether the journal can be scrolled while the board is visible."""
    JOURNAL: ClassVar[str] = ""
    """The id of the key that opens the whole journal."""
    viewer: Viewer = PLAYERS
    """Who looks."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._panel = panel_of(self.game.id)
        self._rest_is_behind = False

    def compose(self) -> ComposeResult:
        asked = VerticalScroll(Part("asked"), AnswerField(), id="asked-room", can_focus=False)
        yield from map(Part, self.HEAD)
        with Horizontal(id="table"):
            with Vertical(id="middle"):
                with VerticalScroll(id="board-room", can_focus=False):
                    yield from self.panels()
                if self.AMID:
                    yield asked
                with Horizontal(id="verdict"):
                    yield Part("word")
                    yield Part("reason")
                yield Part("situation")
                yield Part("news")
                with VerticalScroll(id="journal-room", can_focus=False):
                    yield Part("journal")
            with VerticalScroll(id="beside-room", can_focus=False):
                yield Part("beside")
        if not self.AMID:
            yield asked
        yield self.foot()

    def panels(self) -> Iterable[Widget]:
        yield Part("board")

    def foot(self) -> Widget:
        return Foot()

    def show_result(self) -> None:
        """Show the verdict and the head of the screen first: to paint all the rest takes as long
        again, and everybody waits for the verdict."""
        if not self.query("#journal"):
            return
        columns, rows = self.app.size
        for part, line in self.head(columns - 2).items():
            self.write(part, line)
        self.show_verdict(columns - self.columns_beside(columns) - 2, rows)
        self._rest_is_behind = True
        self.call_after_refresh(self._show_rest)

    def _show_rest(self) -> None:
        if self._rest_is_behind:
            self.show_state()

    def show_state(self) -> None:
        if not self.query("#journal"):
            return
        self._rest_is_behind = False
        columns, rows = self.app.size
        beside = self.columns_beside(columns)
        width = columns - beside - 2
        for part, line in self.head(columns - 2).items():
            self.write(part, line)
        situation = self.situation(width)
        self.write("situation", situation)
        self.query_one("#situation").display = bool(situation.plain)
        used = {
            "board": self.show_board(width),
            "asked": self.show_asked(width if self.AMID else columns - 2, tall=rows >= TALL),
            "verdict": self.show_verdict(width, rows),
            "situation": len(situation.split("\n")) if situation.plain else 0,
        }
        page = self.beside() if beside else None
        below = page is not None or not beside
        room = width - 1 if below else beside - 4
        journal = self.journal_rows(room)
        always = LAST_TALL if rows >= TALL else 1  # rows of the journal that are always visible
        last = min(len(journal.rows), always) if below else 0
        margin = self.query_one("#journal-room").styles.margin.top if below else 0
        rows -= len(self.HEAD) + 1 + last + margin
        free = rows - sum(used.values())
        wanted = max(min(max(free, NEWS_LOW), NEWS_TALL), free + last - below * len(journal.rows))
        news = self.show_news(width, wanted)
        self.make_room(rows - news, used)
        self.show_beside(page, beside)
        if below:
            journal = self.cut(journal, room, max(free + last - news, last))
        self.show_journal(journal, below=below)
        self.show_keys(columns)

    def make_room(self, rows: int, used: Mapping[str, int]) -> None:
        """Divide ``rows`` among the parts: no row of the board is hidden for an empty row, for
        older lines of the journal, or for the verdict on the last shot."""
        tight, verdict = sum(used.values()) > rows, used["verdict"]
        asked = max(self._asked_rows, 2) if tight else ASKED
        if tight and self.draft is not None and self.draft.begun:
            self.query_one("#verdict").display = False
            verdict = 0
        board = min(used["board"], rows - asked - verdict - used["situation"])
        self.query_one("#asked-room").styles.min_height = min(asked, ASKED)
        styles = self.query_one("#board-room").styles
        styles.min_height = least = max(board, LEAST)
        if tight and used["board"]:
            styles.max_height = least

    def head(self, width: int) -> dict[str, Content]:
        name, stands = self.title_and_headline
        room = max(width - len(stands) - 4, 12)
        if len(name) > room:  # without the subtitle of the game
            name = name.replace(self.game.name, self.game.name.partition(":")[0])
        short = shortened(name, room)
        title = Content.assemble((short, HEAD), f"  {stands}")
        return {"clock": title.truncate(width, ellipsis=True)}

    def show_board(self, width: int) -> int:
        """Paint the board as the viewer may see it; returns the rows it takes."""
        height = self.app.size.height
        seen = ("board", self.viewer, width, height)
        board = self.once(seen, lambda: self.board(width - 1, tall=height >= TALL))
        self.write("board", board)
        rows = board.plain.count("\n") + 1
        self.query_one("#board-room").styles.max_height = rows
        return rows

    def board(self, width: int, *, tall: bool) -> Content:
        state, panel = self.session.state, self._panel
        page = painted(self.game.board(state, self.viewer), width)
        if panel is None or not (self.viewer == PLAYERS or not self.game.sides):
            return page
        return extra(
            "The picture is",
            lambda: panel(state, width, tall=tall),
            lambda line: Content("\n").join([Content(line), page]),
        )

    def show_asked(self, width: int, *, tall: bool) -> int:
        note = self.formatted(self.note)
        rows = [Content.styled(note, "$error bold")] if note else []
        for row in self.in_front(width, tall=tall):
            if not _repeats(row.plain, note):
                rows.append(row)
            elif not rows[-1].plain:  # nor the empty row above it
                rows.pop()
        self.write("asked", Content("\n").join(rows))
        field = self.show_field()
        self._asked_rows = min(len(rows) + field, 16 if tall else 7)
        return max(self._asked_rows, ASKED)

    def in_front(self, width: int, *, tall: bool) -> list[Content]:
        now = self.looking
        page = self.asked_now() if now is None else self.looking_page(now)
        return painted(mapped(page, self.formatted), width).split("\n")

    def asked_now(self) -> Page:
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
        again = self.draft is not None and self.draft.command.verb == "judge_again"
        back = self.looking is not None or again
        verdict = None if back else self.verdict
        self.query_one("#verdict").display = verdict is not None
        if verdict is None:
            return 0
        sizes = [low] if rows < TALL else [huge, high, low] if rows >= HUGE_FROM else [high, low]
        picture = largest(plain(verdict.text), width - 4 - REASON, sizes)
        self.write("word", painted_word(picture, verdict.tone))
        first, *more = map(self.formatted, verdict.reason.split("\n"))
        why = "   F1 why" if first.isupper() and not self.over else ""
        reason = Content.assemble((first, KEY), (why, DIM), "".join(f"\n{one}" for one in more))
        self.write("reason", reason)
        beside = max(width - 2 - max(map(len, picture.split("\n"))), REASON)
        return max(picture.count("\n") + 1, rows_of(reason, beside))

    def situation(self, width: int) -> Content:
        return painted(mapped(self.situation_page, self.formatted), width)

    def news(self) -> Page:
        return self.game.due(self.session.play)

    def show_news(self, width: int, most: int) -> int:
        """Paint the most urgent of what is due; returns the rows it takes."""
        news: list[Content] = []
        if self.looking is None:
            due = self.once(
                ("news", self.viewer), lambda: extra("What is due is", self.news, sentence_page)
            )
            news = [
                lead_line(one, self.formatted) for one in due.blocks if isinstance(one, Paragraph)
            ]

        def rest(count: int) -> Content:
            lines = f"{count} more {'line' if count == 1 else 'lines'}"
            return Content.assemble(("F7", KEY), (f" {lines}", DIM))

        content, used = fitted(news, width, most, rest)
        self.write("news", content)
        self.query_one("#news").display = used > 0
        return used

    def columns_beside(self, columns: int) -> int:
        if columns >= WIDE:
            return BESIDE_NARROW if self.game.wide else BESIDE
        narrow = not self.game.wide and self.phases
        return BESIDE_NARROW if narrow else 0

    @property
    def phases(self) -> Steps | None:
        return self.once("phases", lambda: self.game.phases(self.session.play))

    def beside(self) -> tuple[Page, int] | None:
        """A page to show beside the board instead of the journal, and the row to scroll to."""
        phases = self.phases
        if phases is None:
            return None
        states = [step.state for step in phases.rows]
        return Page("", (phases,)), states.index("now") if "now" in states else 0

    def show_beside(self, page: tuple[Page, int] | None, columns: int) -> None:
        column = self.query_one("#beside-room", VerticalScroll)
        column.display, column.styles.width = bool(columns), columns
        if page is not None:
            found, at = page
            title = [Content.styled(plain(found.title).upper(), HEAD)] if found.title else []
            shown = painted(mapped(found, self.formatted), columns - 4)
            self.write("beside", Content("\n").join([*title, shown]))
            self.scroll_soon(column, max(at + 2 - column.size.height, 0))

    def journal_rows(self, width: int) -> JournalRows:
        rows: list[Content] = []
        cursor = last = 0
        for one in self.journal_lines():
            if one.number == 1:
                continue
            here = self.looking is not None and one.number == self.looking.number
            last = len(rows)
            cursor = last if here else cursor
            words = "\n".join(map(self.formatted, one.rows or (one.text,)))
            rows += line_rows(one.number, words, width, here)
        return JournalRows(rows, cursor, last)

    def cut(self, journal: JournalRows, width: int, rows: int) -> JournalRows:
        """The journal with the last line cut if it is longer than ``rows``, and the key that opens
        all of it."""
        whole, last = journal.rows, journal.last
        if not self.JOURNAL or self.looking is not None or len(whole) - last <= rows:
            return journal
        key = Content.assemble(" … ", (self.skirmish.key(self.JOURNAL, "J"), KEY))
        *above, end = whole[: last + rows]
        return journal._replace(rows=[*above, end.truncate(width - key.cell_length).rstrip() + key])

    def show_journal(self, journal: JournalRows, *, below: bool) -> None:
        """Paint the journal below the board, or in the column beside it."""
        room = self.query_one("#journal-room" if below else "#beside-room", VerticalScroll)
        self.query_one("#journal-room").display = below
        self.write("journal" if below else "beside", Content("\n").join(journal.rows))
        # to the end, or to the start of the last line if it does not fit
        at = journal.last if self.looking is None else max(journal.cursor - 2, 0)
        self.scroll_soon(room, at)

    def scroll_soon(self, room: VerticalScroll, y: int) -> None:
        """Scroll after the next refresh, and once more when everything has its size."""
        for immediate in (True, False):
            scroll = room.scroll_to
            self.call_after_refresh(scroll, y=y, animate=False, immediate=immediate)

    def journal_lines(self) -> list[JournalLine]:
        """The last lines as the viewer may see them, narrated once for each entry."""
        play, most = self.session.play, self.lines_wanted()
        return self.once(
            ("journal", self.viewer, most),
            lambda: self.game.journal(play, self.viewer, last=most),
        )

    def lines_wanted(self) -> int:
        long = self.looking is not None or self.SCROLLS
        return LOOKS_BACK if long else self.app.size.height

    def show_keys(self, columns: int) -> None:
        del columns
        self.refresh_bindings()

    def action_page(self, by: int) -> None:
        for room in ("#asked-room", "#board-room", "#beside-room", "#journal-room"):
            found = self.query_one(room, VerticalScroll)
            if found.display and found.max_scroll_y:
                found.scroll_relative(y=by, animate=False)
                return


def _repeats(row: str, note: str) -> bool:
    return len(row) > 9 and row.removeprefix("No. ") in note


def lead_line(one: Paragraph, formatted: Callable[[str], str]) -> Content:
    line = Paragraph(formatted(one.text), lead=formatted(one.lead), tone=one.tone)
    return Content("\n").join(list(block_lines(line, 10_000)))


def sentence_page(sentence: str) -> Page:
    return Page("", (Paragraph(sentence),))


@lru_cache(maxsize=256)
def line_rows(number: int, words: str, width: int, here: bool) -> list[Content]:
    """A line of the journal, cached since most lines are still shown after the next order."""
    line = f"{'>' if here else ' '} {number:>3} {words}"
    text = Content.styled(line, f"{KEY} reverse" if here else DIM)
    click = f"@click=screen.look({number})"
    return [row.stylize(click) for row in hanging(text, width, INDENT)]


class PlayScreen(GameScreen):
    """A game with a page, perhaps a picture, as its board; letters that it does not use run the
    commands of every game."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]  # noqa: RUF012
    HELP = (
        "Enter or Space confirms a proposed answer. Backspace deletes what you typed; when nothing "
        "is typed, it undoes the last order."
    )

    JOURNAL = "play.journal"
    GUARD: ClassVar[float] = 0.0
    """Space may be held down, since a roll can be undone."""
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "play",
            ("journal", "J", "journal", "Journal", "The whole journal"),
            ("summary", "S", "summary", "Summary", "The game so far, and the scores"),
            ("due", "f7", "due", "", "Everything that is due"),
            ("print", "P", "print", "Print", "Print a document"),
            PHONES,
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

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._place = ""
        self._advice: Page | None = None

    @property
    def TOPIC(self) -> str:  # noqa: N802  (what help and palette ask of a screen)
        return self.game.name

    def help_lines(self) -> list[tuple[str, str, bool]]:
        """The commands: key, what it does, and whether it is available now."""
        return [
            (key_name(one.key), f"{one.label}. {one.help}".rstrip(". "), not one.why_not)
            for one in self.commands
            if one.key
        ]

    def open_rules(self) -> None:
        from skirmish.app.page_screen import PageScreen

        self.app.push_screen(PageScreen(lambda: self.game.rules(self.session.state)))

    def action_due(self) -> None:
        from skirmish.app.page_screen import PageScreen
        from skirmish.tabletop.command_pages import due_page

        self.app.push_screen(PageScreen(lambda: mapped(due_page(self.news()), self.formatted)))

    def on_mount(self) -> None:
        self._look_up_place()  # Textual calls the base class's own by itself

    def asked_now(self) -> Page:
        page = super().asked_now()
        over = self._place or "The game is over." * self.over
        return page.with_blocks((Note(over),)) if over else page

    def beside(self) -> tuple[Page, int] | None:
        return super().beside() if self._advice is None else (self._advice, 0)

    def columns_beside(self, columns: int) -> int:
        found = super().columns_beside(columns)
        return found if self._advice is None else found or BESIDE_NARROW

    # ------------------------------------------------------------------ keys

    def takes(self, key: str) -> bool:
        if self.looking is not None:
            return key not in SHELL
        if self._means(key):
            return True
        if key in SPARE:
            return not self.check_action(SPARE[key], ())
        return key not in SHELL and key != "tab"

    def _means(self, key: str) -> bool:
        """Whether a key has a meaning in the game, which comes before that of the shell."""
        if self.draft is None:
            return any(one.key == key for one in self.commands)
        return self.draft.accepts(key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A new game is offered once this one is over, advice and insisting before that if the game
        has any; undo needs an order to undo."""
        over = self.over
        if action == "another":
            return over
        if action == "advice":
            return not over and type(self.game).advice is not Game.advice
        if action == "insist":
            return not over and type(self.game).anyway is not Game.anyway
        return None if action == "undo" and len(self.session.play.acts) == 1 else True

    @property
    def words(self) -> dict[str, str]:
        """What Esc does now, if it does not leave."""
        begun = self.draft is not None and self.draft.begun
        inside = begun or self.looking is not None or self._advice is not None
        return {"leave": "Back"} if inside else {}

    def action_another(self) -> None:
        self.app.switch_screen(self.skirmish.make("set-up", self.game.id))

    def action_advice(self) -> None:
        self.note = "Playing it out …"
        self.show_state()
        self._advise()

    @work(group="advice", exclusive=True)
    async def _advise(self) -> None:
        state = self.session.state
        try:
            pages = await asyncio.to_thread(self.game.advice, state)
            self.note = "There is no advice for this game."
            while (page := await asyncio.to_thread(next, pages, None)) is not None:
                if self.session.state is not state or not self.is_attached:
                    return
                self.note, self._advice = "", page
                self.show_state()
        except Exception:
            self.note = missing("Advice is")
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
        from skirmish.tabletop.scores import place

        game, number = self.game, self.session.id
        state, rating = self.session.state, ""
        try:
            with suppress(StoreError):
                self._place = await self.skirmish.stored(
                    lambda store: place(game.all_scores(store.finished(game, number)), number)
                )
            self.show_state()
            rating = await asyncio.to_thread(game.rating, state)
        except Exception:
            self.note = missing("The rating is")
            self.show_state()
        if rating and self.session.state is state and self.is_attached:
            self._place = f"{self._place} {rating}".strip()
            self.show_state()


async def opened(app: Host, number: int) -> PlayScreen:
    record = await app.stored(lambda store: store.battle(number))
    return PlayScreen(await Session.resumed(registry.load(record.game), app.stored, number))
