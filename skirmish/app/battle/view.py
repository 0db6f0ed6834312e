"""The battle as a picture: painted anew from the play and the mode, with no will of its own.

Nothing is cut off: what is due and the journal share the lines that sides, shot, verdict and the
running line of victory leave; of the news what does not fit is told to be under U, of the journal
the newest lines are shown. Pages show a side, the journal or what is due at more length.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from skirmish.app.battle import words
from skirmish.app.battle.big_letters import high, huge, low
from skirmish.app.battle.journal_words import journal
from skirmish.app.battle.keys import strip
from skirmish.app.battle.mode import Mode, Said
from skirmish.app.battle.news import everything, news
from skirmish.app.battle.outlook_words import in_all
from skirmish.app.battle.panels import DrawInput, PoolPanel, Sight
from skirmish.app.battle.prompt_again import Judging, Looking, Tallying
from skirmish.app.battle.prompt_waiting import Typing
from skirmish.app.battle.shot_panel import MOST_ROWS, ROWS, shot_panel, with_what_ifs
from skirmish.app.battle.shot_words import lines_of
from skirmish.app.battle.tabs import Page, page_for, side_of, tabs
from skirmish.app.battle.verdict_words import painted_word, reason, word
from skirmish.app.battle.victory_words import victory
from skirmish.app.battle.what_if_words import MOST_LINES, Room
from skirmish.app.battle.what_if_words import strip as what_ifs
from skirmish.app.battle.words import painted
from skirmish.app.fitting import as_told, cut, fitted, rows_of
from skirmish.app.guard import extra
from skirmish.app.host import Host
from skirmish.app.part import Part
from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.tabletop.typed import plain

ROOMY = 110
"""Columns from which the rows show their numbers."""
TALL = 34
"""Rows from which the verdict is written in full blocks."""
THREE_COLUMNS = 150
"""Columns from which the journal has a column of its own."""
ASIDE, WIDEST_ASIDE = 38, 64
"""Its columns, at least and at most."""
LINES_LOW, LINES_TALL = 11, 20
"""Lines of a side's pools, its title among them."""
HUGE_FROM = 18
"""Rows to spare from which it is written larger still."""
REASON = 29
"""Columns that the reason needs beside it."""
ABOVE, KEYS = 3, 1
"""Lines of clock, tabs and who fires; of the keys."""
VERDICT_LOW, VERDICT_TALL = 3, 5
"""Lines of the verdict in large letters."""
MOST_REASON = 2
"""Lines more that a long reason takes from the pools and the journal."""


class Size(NamedTuple):
    """What there is room for: columns of the middle and of the journal beside it, rows."""

    width: int
    aside: int
    height: int

    @classmethod
    def of(cls, width: int, height: int) -> Size:
        """Of a screen."""
        aside = 0
        if width >= THREE_COLUMNS:
            aside = min(max(ASIDE, width - ROOMY - 4), WIDEST_ASIDE)
        return cls(width - aside, aside, height)

    @property
    def wide(self) -> bool:
        """Whether rows show their numbers."""
        return self.width >= ROOMY

    @property
    def tall(self) -> bool:
        """Whether the verdict is written in full blocks."""
        return self.height >= TALL


class BattleView(Vertical):
    """Clock, tabs, who fires, both sides or a page, the shot, the verdict, the running line of
    victory, what is due, the journal, the keys."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(id="battle")
        self._sides = [side.id for side in setup.sides]
        self.page: Page = "both"
        self._back = 0

    def compose(self) -> ComposeResult:
        """From top to bottom; the journal's own column at the right."""
        for line in ("clock", "tabs", "who"):
            yield Part(line)
        with Horizontal(id="table"):
            with Vertical(id="middle"):
                with Horizontal(id="sides"):
                    for side in self._sides:
                        yield PoolPanel(side)
                yield Part("due")
                yield Part("shot")
                yield DrawInput("typed")
                with Horizontal(id="verdict"):
                    yield Part("word")
                    yield Part("reason")
                for line in ("victory", "news", "journal"):
                    yield Part(line)
            yield Part("aside")
        yield Part("keys")

    # ------------------------------------------------------------------ pages

    def turn_to(self, page: Page) -> None:
        """Another page; the one that is open already gives way to both sides."""
        self.page = "both" if page == self.page else page
        self._back = 0

    def turn_page(self, by: int) -> None:
        """Further rows of the sides, or lines of the journal: down, or up where negative."""
        self._back = max(self._back + (by if self.page == "due" else -by), 0)
        for panel in self.query(PoolPanel):
            panel.turn_page(by)

    # ------------------------------------------------------------------ painting

    def told(self, text: str) -> str:
        """A text as this player reads it."""
        return cast("Host", self.app).measured(plain(text))

    def show(self, play: BattlePlay, mode: Mode, note: str) -> None:
        """Paint everything; ``note`` is a word to the player under the shot."""
        state = play.state
        size = Size.of(*self.app.size)
        liked = cast("Host", self.app).settings
        mapped = liked.keys
        whole, inner = self.app.size.width - 2, size.width - 2
        self.page = page_for(self.page, state, mode)
        self._write("clock", words.clock_line(state, whole))
        self._write("tabs", tabs(play, self.page, mapped, whole + 1))
        self._write("who", words.who_line(state, self.told, whole))
        standing = painted(victory(state, self.told, inner))
        self._write("victory", standing)
        typing, ask = isinstance(mode, Typing), state.ask
        self.query_one("#victory").display = bool(standing)
        left = size.height - ABOVE - KEYS - typing - (rows_of(standing, inner) if standing else 0)
        back = _looks_back(mode)  # there the old verdict would be read as the new one
        said = [] if back else as_told(reason(play), self.told)
        big = "" if back else word(play)
        judged = bool(big or said)
        least = _least(big, said, size)
        sides = self._show_page(play, mode, size, left - ROWS - least)
        left -= sides
        says = lines_of(mode, play, liked.deck_knowledge)
        shot = shot_panel(says, note, self.told, inner)
        most = max(left - judged * least, ROWS)
        spare = most - min(rows_of(shot, inner), MOST_ROWS)
        ifs: list[Said] = []
        if size.tall or not note:
            ifs = extra(
                "The odds are",
                lambda: in_all(state, mode, liked.deck_knowledge, inner),
                _line,
            )[:spare]
            spare -= len(ifs)
            room = Room(self.told, inner, spare if size.tall else min(spare, MOST_LINES))
            ifs += extra(
                "What one thing would change is",
                lambda: what_ifs(state, mode, liked.deck_knowledge, room),
                lambda says: _line(says)[: room.lines],
            )
        shot = with_what_ifs(shot, ifs)
        rows = min(max(rows_of(shot, inner), ROWS), MOST_ROWS + len(ifs), most)
        grown = self._grow(play, mode, size, sides, rows - rows_of(shot, inner))
        sides, left, rows = sides + grown, left - grown, rows - grown
        self._write("shot", cut(shot, inner, rows))
        self.query_one("#shot").styles.height = rows
        left -= rows
        left -= self._show_verdict(big, said, size, left, least) if judged else 0
        self.query_one("#verdict").display = judged
        due = not isinstance(mode, Looking) and self.page != "due"
        told = extra("What is due is", lambda: news(play), _line) if due else []
        newest = self._show_journal(play, mode, size, 1)
        used = self._show_news(told, inner, max(left - newest, 0))
        blank = left - used - self._show_journal(play, mode, size, left - used)
        if grown := self._grow(play, mode, size, sides, blank):
            self._show_journal(play, mode, size, left - used - grown)
        self._write("keys", strip(state, self.app.size.width, mapped))
        self._show_input(ask if typing and isinstance(ask, DrawAsk) else None)

    def _grow(self, play: BattlePlay, mode: Mode, size: Size, sides: int, by: int) -> int:
        """Give the sides so many rows more where some of theirs are hidden; how many they take."""
        if by < 1 or not any(panel.cut_off for panel in self.query(PoolPanel)):
            return 0
        return self._show_page(play, mode, size, sides + by, sides + by) - sides

    def _show_page(
        self, play: BattlePlay, mode: Mode, size: Size, room: int, most: int | None = None
    ) -> int:
        """Both sides, one of them, or what is due, in so many rows at most; gives how many. Both
        sides together take ``most``: unless it is given, what leaves the journal its share."""
        self.query_one("#sides").display = self.page in ("both", "first", "second")
        due = self.query_one("#due")
        due.display = self.page == "due"
        if self.page == "journal":
            return 0
        if self.page == "due":
            told = extra("What is due is", lambda: everything(play, self.told), Content)
            rows = told.wrap(size.width - 2)
            self._back = max(min(self._back, len(rows) - room), 0)
            self._write("due", Content("\n").join(rows[self._back : self._back + room]))
            return min(len(rows), room)
        only = side_of(self.page, play.state.setup)
        heights = [0]
        for panel in self.query(PoolPanel):
            panel.display = only in (None, panel.side)
            if only is None:
                lines = most or min(LINES_TALL if size.tall else LINES_LOW, room)
                sight = Sight(size.width // 2 - 1, lines, wide=size.wide)
            else:
                sight = Sight(size.width - 2, most or room, whole=True)
            if panel.display:
                heights.append(panel.show(play.state, mode, self.told, sight))
        return max(heights)

    def _show_verdict(self, big: str, said: list[Said], size: Size, left: int, least: int) -> int:
        """The word and its reason; gives how many rows they take."""
        picture, width = _lettered(big, size, left)
        text = painted(said)
        least = max(least, picture.count("\n") + 1)
        rows = max(least, min(rows_of(text, width), left - 1))
        self._write("word", painted_word(big, picture))
        self._write("reason", cut(text, width, rows))
        self.query_one("#verdict").styles.height = rows
        return rows

    def _show_news(self, said: list[Said], width: int, room: int) -> int:
        """What is due, in so many rows at most; gives how many it takes."""
        lines = [painted([line]) for line in as_told(said, self.told)]
        content, used = fitted(lines, width, room, _rest)
        self._write("news", content)
        self.query_one("#news").display = used > 0
        return used

    def _show_journal(self, play: BattlePlay, mode: Mode, size: Size, rows: int) -> int:
        """Under everything else, in so many rows, or in a column of its own; gives how many of the
        rows it takes."""
        aside = self.query_one("#aside", Part)
        aside.display = bool(size.aside) and self.page != "journal"
        self.query_one("#journal").display = not aside.display
        if aside.display:
            aside.styles.width = size.aside
            room = (size.aside - 3, size.height - ABOVE - KEYS)
            aside.say(journal(play, mode, self.told, room, self._back))
            return 0
        told = journal(play, mode, self.told, (size.width - 2, rows), self._back)
        self._write("journal", told)
        return rows_of(told, size.width - 2) if told else 0

    def _write(self, part: str, content: Content) -> None:
        self.query_one(f"#{part}", Part).say(content)

    def _show_input(self, ask: DrawAsk | None) -> None:
        typed = self.query_one(DrawInput)
        typed.show(ask)
        if ask is None and self.screen.focused is typed:
            self.screen.set_focus(None)


def _looks_back(mode: Mode) -> bool:
    return isinstance(mode, Looking | Judging) or (isinstance(mode, Tallying) and bool(mode.anew))


def _lettered(big: str, size: Size, left: int) -> tuple[str, int]:
    """The word in the largest letters that leave room for the reason, and the columns they leave;
    ``left`` are the rows that the journal and the news share with them."""
    sizes = [huge, high, low] if left >= HUGE_FROM else [high, low]
    for letters in sizes if size.tall else [low]:
        picture = letters(big)
        width = size.width - 6 - max(map(len, picture.splitlines()), default=0)
        if width >= REASON:
            break
    return picture, width


def _least(big: str, said: list[Said], size: Size) -> int:
    """The rows that the word needs, and its reason beside it where that is longer."""
    rows = VERDICT_TALL if size.tall else VERDICT_LOW
    _, width = _lettered(big, size, 0)
    return min(max(rows, rows_of(painted(said), width)), rows + MOST_REASON)


def _line(says: str) -> list[Said]:
    return [[(says, "dim")]]


def _rest(count: int) -> Content:
    return painted([[("U", "key"), (f" {count} more lines", "dim")]])
